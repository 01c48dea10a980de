// What is known of an entry's values besides what they compute: variables of the source, and which
// parameters are written through.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/variables.hpp"
#include "sim/interpreter/written.hpp"
#include "sim/tileir/reader.hpp"
#include "tests/tileir/recorded_file.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <support/catch.hpp>
#include <vector>

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
  const auto all = read_variables("13 24 s kernel total 14 25\n"
                                  "constant f 0.5 kernel factor\n"
                                  "\n"
                                  "nonsense\n"
                                  "7 9 u kernel\n"
                                  "7 9 u kernel from_nowhere\n"
                                  "none kernel total 15 26\n"
                                  "constant i 32 kernel size");
  REQUIRE(all.size() == 4);
  REQUIRE((all[0].value && all[0].from));
  CHECK(all[0].value->number == 13);
  CHECK(all[0].value->operations == 24);
  CHECK(all[0].from->number == 14);
  CHECK(all[0].name == "total");
  CHECK_FALSE((all[1].value || all[1].from));
  CHECK(all[1].constant == 0.5);
  CHECK((!all[2].value && all[2].from));
  CHECK(all[3].is_integer);
}

namespace {

/// What a name stands for, and whether it stands for anything.
std::optional<tileir::value_id> value_of(const std::vector<variable_names::known>& all,
                                         const std::string& name) {
  const auto found = std::ranges::find(all, name, &variable_names::known::name);
  return found == all.end() ? std::nullopt : found->value;
}

} // namespace

TEST_CASE("a variable has a value behind the operation that it is assigned behind", "[tileir]") {
  const auto m = read_recorded("vector_add");
  const tileir::entry& e = m->entries.front();
  const auto count = static_cast<std::uint32_t>(e.body.operations.size());
  // Two operations that make a tile, each by the number of its value in the file and how many have
  // been written.
  const auto maker_from = [&e](std::uint32_t n) {
    while (e.body.operations[n].results.empty() ||
           !e.values[e.body.operations[n].results[0]].type->is(tileir::type::kind::tile)) {
      ++n;
    }
    return n;
  };
  const auto told = [&e](std::uint32_t n) {
    return std::to_string(e.body.operations[n].results[0]) + " " + std::to_string(n + 1);
  };
  const std::uint32_t first = maker_from(0);
  const std::uint32_t second = maker_from(first + 1);
  const tileir::value_id one = e.body.operations[first].results[0];
  const tileir::value_id other = e.body.operations[second].results[0];
  const variable_names names(
      e,
      read_variables(told(first) + " s k mine " + told(first) + "\n0 0 s k x 0 0\n" + told(first) +
                     " s k early 0 0\n999 5 s k nobody 999 5\n" + told(second) + " s k mine " +
                     told(second) + "\n" + told(first) + " s k also " + told(second) +
                     "\nnone k x " + told(second) + "\nconstant i 3 other n\n"));
  CHECK(names.values().size() == 5);
  const auto before = names.visible(first, "k");
  CHECK(value_of(before, "x") == 0);
  CHECK(before.size() == 1); // `early` is assigned what is not there yet
  const auto behind = names.visible(first + 1, "k");
  CHECK(value_of(behind, "mine") == one);
  CHECK(value_of(behind, "x") == 0);
  const auto last = names.visible(second + 1, "k");
  CHECK(value_of(last, "mine") == other);
  CHECK(value_of(last, "also") == one);
  CHECK_FALSE(value_of(last, "x"));
  CHECK(names.visible(count, "k").empty()); // no operation has this number
  CHECK(names.visible(0, "other").size() == 1);
}
