// Follows pointers and views from the parameters to where something is stored.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/written.hpp"

#include <vector>

namespace tilesim::interpreter {
namespace {

using tileir::opcode;
using tileir::operation;
using tileir::value_id;
using kind = tileir::type::kind;

bool writes(opcode o) {
  return o == opcode::store_ptr_tko || o == opcode::store_view_tko || o == opcode::atomic_rmw_tko ||
         o == opcode::atomic_cas_tko || o == opcode::atomic_red_view_tko;
}

bool reads(opcode o) {
  return o == opcode::load_ptr_tko || o == opcode::load_view_tko;
}

class follower {
public:
  explicit follower(const tileir::entry& e)
      : entry_(e)
      , from_(e.values.size()) {
    for (std::size_t i = 0; i < e.body.arguments.size(); ++i) {
      from_[e.body.arguments[i]].insert(i);
    }
  }

  std::set<std::size_t> run() {
    do {
      changed_ = false;
      walk(entry_.body, {});
    } while (changed_); // loops hand on what comes later in the text
    return written_;
  }

private:
  /// Has it addresses: is it a pointer, or many, or a view?
  [[nodiscard]] bool leads_to_memory(value_id v) const {
    const tileir::type& t = *entry_.values[v].type;
    return t.is(kind::tile) ? t.element->is(kind::pointer) : !t.is(kind::token);
  }

  void add(value_id to, const std::set<std::size_t>& what) {
    if (!leads_to_memory(to)) {
      return;
    }
    for (const std::size_t p : what) {
      changed_ |= from_[to].insert(p).second;
    }
  }

  [[nodiscard]] std::set<std::size_t> sources(const std::vector<value_id>& values) const {
    std::set<std::size_t> all;
    for (const value_id v : values) {
      if (leads_to_memory(v)) {
        all.insert(from_[v].begin(), from_[v].end());
      }
    }
    return all;
  }

  /// `around`: the operations that the region stands in, innermost last.
  void walk(const tileir::region& r, std::vector<const operation*> around) {
    for (const operation& o : r.operations) {
      const std::set<std::size_t> what = sources(o.operands);
      if (writes(o.what)) {
        written_.insert(what.begin(), what.end());
      }
      if (o.what == opcode::yield || o.what == opcode::continue_ || o.what == opcode::break_) {
        for (const operation* outer : around) {
          hand_on(*outer, what);
        }
      }
      if (!reads(o.what)) {
        hand_on(o, what);
      }
      around.push_back(&o);
      for (const tileir::region& inner : o.regions) {
        walk(inner, around);
      }
      around.pop_back();
    }
  }

  void hand_on(const operation& o, const std::set<std::size_t>& what) {
    for (const value_id v : o.results) {
      add(v, what);
    }
    for (const tileir::region& inner : o.regions) {
      for (const value_id v : inner.arguments) {
        add(v, what);
      }
    }
  }

  const tileir::entry& entry_;
  std::vector<std::set<std::size_t>> from_; ///< by value: whose addresses it has
  std::set<std::size_t> written_;
  bool changed_ = false;
};

} // namespace

std::set<std::size_t> written_parameters(const tileir::entry& e) {
  return follower(e).run();
}

} // namespace tilesim::interpreter
