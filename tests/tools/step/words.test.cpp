// What the stepper's commands are given, read from text.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/words.hpp"

#include <string>
#include <support/catch.hpp>

namespace tilesim::tools::step {
namespace {

TEST_CASE("step words: a location") {
  const location line = read_location("18");
  CHECK(line.line == 18);
  CHECK(line.file.empty());

  const location all = read_location("a/b.cu:7 op=atomic_add block=(1, 0,2) if x[0] > $block");
  CHECK(all.file == "a/b.cu");
  CHECK(all.line == 7);
  CHECK(all.operation == "atomic_add");
  CHECK(all.block == block_name(coordinates{1, 0, 2}));
  CHECK(all.condition == "x[0] > $block");
  CHECK(all.kernel.empty());

  const location kernel = read_location("my::kernel block=3");
  CHECK(kernel.kernel == "my::kernel");
  CHECK(kernel.block == block_name(std::uint64_t{3}));
  CHECK_FALSE(kernel.line);
}

TEST_CASE("step words: a location that is none") {
  for (const char* text : {"", "  ", "18 if", "a.cu:x", "op=", "block=y", "block=(1,2)"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(read_location(text), command_error);
  }
}

TEST_CASE("step words: how often") {
  CHECK(count_argument("", "step") == 1);
  CHECK(count_argument("12", "step") == 12);
  for (const char* text : {"0", "-1", "many", "99999999999999999999"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH(count_argument(text, "step"),
                      "step takes a number of times, 1 or more, not '" + std::string(text) + "'");
  }
}

} // namespace
} // namespace tilesim::tools::step
