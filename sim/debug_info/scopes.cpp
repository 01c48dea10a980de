// The scopes around an address. A unit with many instances of templates has tens of thousands of
// functions, and a launch's names ask for dozens of addresses: the unit is walked once, and what
// begins where is kept.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/debug_info.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <dwarf.h>
#include <map>

namespace tilesim::sim {

namespace {

/// Code of one scope, which no scope around it is known to have.
struct stretch_of_code {
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  std::size_t scope = 0;
};

/// A scope with code, or one that such a scope is nested in.
struct known_scope {
  static constexpr std::size_t none = SIZE_MAX;

  Dwarf_Die die{};
  std::size_t around = none;
};

/// Calls f with each function, inlined call and block right below `die`, through namespaces and
/// classes, until f gives true; whether it has.
template <class F>
bool any_scope_in(Dwarf_Die* die, const F& f) {
  Dwarf_Die child;
  for (int more = dwarf_child(die, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    switch (dwarf_tag(&child)) {
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
      if (f(&child)) {
        return true;
      }
      break;
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
      if (any_scope_in(&child, f)) {
        return true;
      }
      break;
    default:
      break;
    }
  }
  return false;
}

class unit_scopes {
public:
  explicit unit_scopes(Dwarf_Die* unit) {
    visit(unit, false);
    std::ranges::sort(stretches_, {}, &stretch_of_code::begin);
    reach_.reserve(stretches_.size());
    for (const stretch_of_code& s : stretches_) {
      reach_.push_back(std::max(s.end, reach_.empty() ? 0 : reach_.back()));
    }
  }

  /// The path to the scope whose code holds `pc`, outermost first; of several the first in the
  /// unit.
  [[nodiscard]] std::vector<Dwarf_Die> path_to(Dwarf_Addr pc) const {
    std::size_t first = known_scope::none;
    auto i = static_cast<std::size_t>(
        std::ranges::upper_bound(stretches_, pc, {}, &stretch_of_code::begin) - stretches_.begin());
    while (i-- > 0 && reach_[i] > pc) {
      if (pc < stretches_[i].end) {
        first = std::min(first, stretches_[i].scope);
      }
    }
    std::vector<Dwarf_Die> path;
    for (; first != known_scope::none; first = scopes_[first].around) {
      path.push_back(scopes_[first].die);
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

private:
  /// A scope that is being visited, and which of the known ones it is.
  struct visited_scope {
    Dwarf_Die die{};
    std::size_t known = known_scope::none;
  };

  /// Enters the functions below `die`, and the blocks that no function with code is around. A
  /// function may be nested in one that does not hold its code (a lambda's, in its launching
  /// function), so all are looked at.
  void visit(Dwarf_Die* die, bool in_code) {
    any_scope_in(die, [&](Dwarf_Die* scope) {
      around_.push_back({*scope});
      const bool asked = dwarf_tag(scope) == DW_TAG_subprogram || !in_code;
      visit(scope, (asked && enter()) || in_code);
      around_.pop_back();
      return false;
    });
  }

  /// Enters the innermost scope; false where it has no code of its own.
  bool enter() {
    const std::size_t before = stretches_.size();
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (std::ptrdiff_t at = 0;
         (at = dwarf_ranges(&around_.back().die, at, &base, &begin, &end)) > 0;) {
      if (begin < end) {
        stretches_.push_back({begin, end, known()});
      }
    }
    return stretches_.size() > before;
  }

  /// The innermost scope; those around it become known with it.
  std::size_t known() {
    std::size_t around = known_scope::none;
    for (visited_scope& v : around_) {
      if (v.known == known_scope::none) {
        v.known = scopes_.size();
        scopes_.push_back({v.die, around});
      }
      around = v.known;
    }
    return around;
  }

  std::vector<visited_scope> around_;      ///< while they are visited, outermost first
  std::vector<known_scope> scopes_;        ///< those with code in the unit's order
  std::vector<stretch_of_code> stretches_; ///< by their begin
  std::vector<Dwarf_Addr> reach_;          ///< how far those up to each go
};

const unit_scopes& scopes_of(Dwarf_Die* unit) {
  // Never destroyed: reports are written at the very end.
  static auto& cache = *new std::map<const void*, unit_scopes>;
  return cache.try_emplace(unit->addr, unit).first->second;
}

/// Below `die`, the path to the innermost scope that holds `pc`, outermost first.
bool find_scopes(Dwarf_Die* die, Dwarf_Addr pc, std::vector<Dwarf_Die>& path) {
  return any_scope_in(die, [&](Dwarf_Die* scope) {
    path.push_back(*scope);
    if (find_scopes(scope, pc, path) || dwarf_haspc(scope, pc) == 1) {
      return true;
    }
    path.pop_back();
    return false;
  });
}

} // namespace

std::vector<Dwarf_Die> scopes_around(Dwarf_Die* unit, Dwarf_Addr pc) {
  std::vector<Dwarf_Die> path = scopes_of(unit).path_to(pc);
  if (!path.empty()) {
    Dwarf_Die function = path.back();
    find_scopes(&function, pc, path);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

} // namespace tilesim::sim
