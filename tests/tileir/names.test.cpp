// What is known of an entry's values besides what they compute: variables of the source, and which
// parameters are written through.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/variables.hpp"
#include "sim/interpreter/written.hpp"
#include "sim/tileir/reader.hpp"
#include "tests/tileir/recorded_file.hpp"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <support/catch.hpp>

using namespace tilesim;
using interpreter::read_variables;
using interpreter::variable_names;
using interpreter::written_parameters;

namespace {

std::unique_ptr<const tileir::module> read_recorded(const std::string& name) {
  return tileir::read(test::recorded(name));
}

} // namespace

TEST_CASE("what is stored to is a parameter that is written", "[tileir]") {
  // A pointer, an extent and a stride each: x, y and their sum.
  for (const char* const name : {"vector_add", "vector_add_13.1", "vector_add_gather"}) {
    INFO(name);
    CHECK(written_parameters(read_recorded(name)->entries.front()) == std::set<std::size_t>{6});
  }
  const auto histogram = read_recorded("histogram");
  CHECK(written_parameters(histogram->entries.front()).size() == 1);
}

TEST_CASE("lines that tell of variables are read, and others left out", "[tileir]") {
  const auto all = read_variables("13 24 s kernel total\n"
                                  "constant f 0.5 kernel factor\n"
                                  "\n"
                                  "nonsense\n"
                                  "7 9 u kernel\n"
                                  "constant i 32 kernel size");
  REQUIRE(all.size() == 3);
  REQUIRE(all[0].value);
  CHECK(all[0].value->number == 13);
  CHECK(all[0].value->operations == 24);
  CHECK(all[0].name == "total");
  CHECK_FALSE(all[1].value);
  CHECK(all[1].constant == 0.5);
  CHECK(all[2].is_integer);
}

TEST_CASE("a variable has a value behind the operation that makes it", "[tileir]") {
  const auto m = read_recorded("vector_add");
  const tileir::entry& e = m->entries.front();
  const auto count = static_cast<std::uint32_t>(e.body.operations.size());
  // The second operation's result, by its number in the file.
  std::uint32_t first = 0;
  while (e.body.operations[first].results.empty() ||
         !e.values[e.body.operations[first].results[0]].type->is(tileir::type::kind::tile)) {
    ++first;
  }
  const tileir::value_id value = e.body.operations[first].results[0];
  const variable_names names(
      e,
      read_variables(std::to_string(value) + " " + std::to_string(first + 1) +
                     " s k mine\n0 0 s k x\n999 5 s k none\nconstant i 3 other n\n"));
  CHECK(names.values().size() == 2);
  CHECK(names.visible(first, "k").size() == 1);
  const auto behind = names.visible(first + 1, "k");
  REQUIRE(behind.size() == 2);
  CHECK(behind[1].name == "mine");
  CHECK(behind[1].value == value);
  CHECK(names.visible(count, "k").empty()); // no operation has this number
  CHECK(names.visible(0, "other").size() == 1);
}
