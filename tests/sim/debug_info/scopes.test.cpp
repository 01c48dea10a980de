// The scopes around an address, by an index of the unit: held against a walk through all of it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/debug_info.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <dwarf.h>
#include <functional>
#include <string>
#include <vector>

using namespace tilesim::sim;

namespace {

bool walk(Dwarf_Die* die, Dwarf_Addr pc, std::vector<Dwarf_Off>& path) {
  Dwarf_Die child;
  for (int more = dwarf_child(die, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    const int tag = dwarf_tag(&child);
    const bool is_scope =
        tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block;
    if (!is_scope && tag != DW_TAG_namespace && tag != DW_TAG_class_type &&
        tag != DW_TAG_structure_type) {
      continue;
    }
    if (is_scope) {
      path.push_back(dwarf_dieoffset(&child));
    }
    if (walk(&child, pc, path) || (is_scope && dwarf_haspc(&child, pc) == 1)) {
      return true;
    }
    if (is_scope) {
      path.pop_back();
    }
  }
  return false;
}

std::string called_by_a_lambda(int n) {
  struct local {
    static std::string text(int k) { return std::string(static_cast<std::size_t>(k), 'x'); }
  };
  const std::function<std::string(int)> f = [](int k) { return k > 0 ? local::text(k) : ""; };
  return f(n);
}

} // namespace

TEST_CASE("the scopes around an address are those that a walk through the unit finds") {
  REQUIRE(called_by_a_lambda(2) == "xx");
  Dwarf_Addr here = 0;
  Dwarf_Die* const unit =
      unit_of(reinterpret_cast<Dwarf_Addr>(&called_by_a_lambda), here); // this file's
  REQUIRE(unit != nullptr);
  Dwarf_Lines* lines = nullptr;
  std::size_t count = 0;
  REQUIRE(dwarf_getsrclines(unit, &lines, &count) == 0);
  std::size_t nested = 0;
  std::size_t none = 0;
  for (std::size_t i = 0; i < count; i += 1 + count / 1000) {
    Dwarf_Addr pc = 0;
    REQUIRE(dwarf_lineaddr(dwarf_onesrcline(lines, i), &pc) == 0);
    for (const Dwarf_Addr at : {pc, pc + 1}) {
      std::vector<Dwarf_Off> expected;
      walk(unit, at, expected);
      std::vector<Dwarf_Off> found;
      for (Dwarf_Die& scope : scopes_around(unit, at)) {
        found.insert(found.begin(), dwarf_dieoffset(&scope));
      }
      CHECK(found == expected);
      nested += found.size() > 1 ? 1U : 0U;
      none += found.empty() ? 1U : 0U;
    }
  }
  CHECK(nested > 100);
  CHECK(none > 0);                                    // behind the end of a function's code
  CHECK(scopes_around(unit, ~Dwarf_Addr{1}).empty()); // not 0: there lies what the linker left out
}
