// How an entry's values are used.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/uses.hpp"

#include <algorithm>
#include <limits>

namespace tilesim::interpreter {

using tileir::opcode;
using tileir::operation;
using tileir::value_id;

// One function in spite of its length: a table of opcodes.
bool is_elementwise(opcode o) noexcept {
  switch (o) {
  case opcode::absf:
  case opcode::absi:
  case opcode::addf:
  case opcode::addi:
  case opcode::andi:
  case opcode::atan2:
  case opcode::bitcast:
  case opcode::ceil:
  case opcode::cmpf:
  case opcode::cmpi:
  case opcode::cos:
  case opcode::cosh:
  case opcode::divf:
  case opcode::divi:
  case opcode::exp:
  case opcode::exp2:
  case opcode::exti:
  case opcode::floor:
  case opcode::fma:
  case opcode::fpowf:
  case opcode::fpowi:
  case opcode::ftof:
  case opcode::ftoi:
  case opcode::int_to_ptr:
  case opcode::itof:
  case opcode::log:
  case opcode::log2:
  case opcode::maxf:
  case opcode::maxi:
  case opcode::minf:
  case opcode::mini:
  case opcode::mulf:
  case opcode::mulhii:
  case opcode::muli:
  case opcode::negf:
  case opcode::negi:
  case opcode::offset:
  case opcode::ori:
  case opcode::ptr_to_int:
  case opcode::ptr_to_ptr:
  case opcode::remf:
  case opcode::remi:
  case opcode::rsqrt:
  case opcode::select:
  case opcode::shli:
  case opcode::shri:
  case opcode::sin:
  case opcode::sinh:
  case opcode::sqrt:
  case opcode::subf:
  case opcode::subi:
  case opcode::tan:
  case opcode::tanh:
  case opcode::trunci:
  case opcode::xori:
    return true;
  default:
    return false;
  }
}

namespace {

bool is_tile(const tileir::type& t) {
  return t.is(tileir::type::kind::tile);
}

/// Does the operation take the operand as one element that stands for many?
bool takes_one(const operation& o, std::size_t operand) {
  // A power is several operations, one after the other.
  if (o.what == opcode::reshape || o.what == opcode::broadcast ||
      (is_elementwise(o.what) && o.what != opcode::fpowi && o.what != opcode::absi)) {
    return true;
  }
  const bool loads_or_stores = o.what == opcode::load_ptr_tko || o.what == opcode::store_ptr_tko ||
                               o.what == opcode::atomic_rmw_tko || o.what == opcode::atomic_cas_tko;
  return loads_or_stores && (operand == o.mask || operand == o.padding);
}

} // namespace

uses::uses(const tileir::entry& e, const std::set<value_id>& kept)
    : entry_(e)
    , values_(e.values.size()) {
  walk(e.body);
  for (const value_id v : kept) {
    keep_for_ever(v);
  }
}

value_id uses::root(value_id v) const {
  while (values_[v].same_as) {
    v = *values_[v].same_as;
  }
  return v;
}

std::optional<value_id> uses::one(value_id v) const {
  return values_[root(v)].stands_for_one;
}

void uses::define(value_id v, const operation* maker) {
  values_[v].maker = maker;
  values_[v].region = path_.back().region;
  values_[v].last = path_.back().number;
}

/// The value's bytes, and those that it stands for, are needed where the walk stands.
void uses::keep(value_id v) {
  v = root(v);
  value_use& u = values_[v];
  for (const place& p : path_) {
    if (p.region == u.region) {
      u.last = std::max(u.last, p.number);
    }
  }
  if (u.stands_for_one) {
    keep(*u.stands_for_one);
  }
}

void uses::keep_for_ever(value_id v) {
  v = root(v);
  values_[v].last = std::numeric_limits<std::uint32_t>::max();
  if (values_[v].stands_for_one) {
    keep_for_ever(*values_[v].stands_for_one);
  }
}

void uses::use(value_id v, bool whole) {
  keep(v);
  values_[root(v)].needed_whole |= whole;
}

/// What the results of an operation have in common with its operands.
void uses::relate(const operation& o) {
  if (o.what == opcode::for_) {
    // What the last turn has handed on.
    const auto& own = o.regions[0].arguments;
    for (std::size_t i = 0; i < o.results.size() && i + 1 < own.size(); ++i) {
      values_[o.results[i]].same_as = own[i + 1];
    }
  }
  if (o.what != opcode::reshape && o.what != opcode::broadcast && o.what != opcode::assume) {
    return;
  }
  const tileir::type& from = *entry_.values[o.operands[0]].type;
  const tileir::type& to = *entry_.values[o.results[0]].type;
  if (!is_tile(from) || !is_tile(to)) {
    return;
  }
  value_use& result = values_[o.results[0]];
  if (from.count() == to.count()) {
    result.same_as = o.operands[0];
    return;
  }
  if (o.what == opcode::broadcast && from.count() == 1) {
    result.stands_for_one = root(o.operands[0]);
  } else if (o.what == opcode::broadcast) {
    if (const auto source = one(o.operands[0])) {
      result.stands_for_one = source;
    }
  }
}

void uses::look_at(const operation& o) {
  for (std::size_t i = 0; i < o.operands.size(); ++i) {
    const value_id v = o.operands[i];
    // What a broadcast hands on as one element is not needed whole by it.
    const bool moves = o.what == opcode::broadcast && is_tile(*entry_.values[v].type) &&
                       entry_.values[v].type->count() > 1 && !one(v);
    use(v, moves || !takes_one(o, i));
  }
  // A loop's own values are kept as long as the loop runs, and its results have their places.
  for (const tileir::region& r : o.regions) {
    for (const value_id v : r.arguments) {
      define(v, nullptr);
    }
  }
  for (const value_id v : o.results) {
    define(v, &o);
  }
  relate(o);
  for (const tileir::region& r : o.regions) {
    walk(r);
  }
}

void uses::walk(const tileir::region& r) {
  path_.push_back({regions_++, 0});
  if (path_.size() == 1) {
    for (const value_id v : r.arguments) {
      define(v, nullptr);
    }
  }
  for (std::uint32_t i = 0; i < r.operations.size(); ++i) {
    path_.back().number = i;
    look_at(r.operations[i]);
  }
  path_.pop_back();
}

} // namespace tilesim::interpreter
