// Names of findings: written, read, compared.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/selector.hpp"

#include <string>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim;
using namespace tilesim::driver;

namespace {

std::vector<source_frame> at(const char* file, unsigned line) {
  return {{file, line, 3, "kernel"}, {"main.cu", 1, 1, "main"}};
}

bool selects(const char* name,
             const std::vector<source_frame>& where,
             const std::vector<source_frame>& other) {
  const auto s = parse_selector(name);
  REQUIRE(s);
  return s->selects("data-race", where, other);
}

} // namespace

TEST_CASE("a finding's name selects it, whichever access comes first", "[driver]") {
  const auto here = at("src/a.cu", 12);
  const auto there = at("src/b.cu", 7);
  const auto name = name_finding("data-race", here, there);
  CHECK(name == "data-race@src/a.cu:12+src/b.cu:7");
  CHECK(selects(name.c_str(), here, there));
  CHECK(selects(name.c_str(), there, here));
  CHECK(selects("data-race", here, there));
  CHECK(selects("data-race@a.cu:12", here, there));
  CHECK(selects("data-race@b.cu:7", here, there));
  CHECK(selects("data-race@/home/me/src/a.cu:12", here, there));
  CHECK(name_finding("leak", {}, {}) == "leak");
  CHECK(to_string(*parse_selector(name)) == name);
}

TEST_CASE("another finding is not selected", "[driver]") {
  const auto here = at("src/a.cu", 12);
  const auto there = at("src/b.cu", 7);
  CHECK_FALSE(selects("data-race@a.cu:13", here, there));
  CHECK_FALSE(selects("data-race@c.cu:12", here, there));
  CHECK_FALSE(selects("data-race@xa.cu:12", here, there));
  CHECK_FALSE(selects("data-race@a.cu:12+a.cu:12", here, there));
  CHECK_FALSE(selects("data-race@a.cu:12+b.cu:7", here, {}));
  CHECK_FALSE(selects("out-of-bounds@a.cu:12", here, there));
}

TEST_CASE("what names no finding is not taken for a name", "[driver]") {
  for (const char* text : {"",
                           "race",
                           "data-race@",
                           "data-race@a.cu",
                           "data-race@a.cu:",
                           "data-race@:3",
                           "data-race@a.cu:x",
                           "data-race@a.cu:3+",
                           "data-race@a.cu:3+b.cu",
                           "data-race@a.cu:3 ",
                           "data-race@a.cu:99999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_selector(text));
  }
  // A file may have such a name.
  const auto odd = parse_selector("data-race@a+b.cu:3+c@d.cu:4");
  REQUIRE(odd);
  CHECK(odd->places.at(0).file == "a+b.cu");
  CHECK(odd->places.at(1).file == "c@d.cu");
}
