// Loops, branches, and what ends their blocks.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/preparer.hpp"

#include <fmt/format.h>

namespace tilesim::interpreter {

using tileir::opcode;

bool preparer::control(const operation& o, sequence& to) {
  switch (o.what) {
  case opcode::for_:
    for_loop(o, to);
    return true;
  case opcode::loop:
    endless_loop(o, to);
    return true;
  case opcode::if_:
    branch(o, to);
    return true;
  case opcode::yield:
  case opcode::continue_:
  case opcode::break_:
  case opcode::return_:
    terminator(o, to);
    return true;
  default:
    return false;
  }
}

/// Values that go on as others.
carried preparer::moves(const operation& o,
                        const std::vector<value_id>& from,
                        std::size_t first,
                        const std::vector<value_id>& to) {
  need(o,
       from.size() - first == to.size(),
       fmt::format("it hands on {} values, not {}", from.size() - first, to.size()));
  carried c;
  for (std::size_t i = 0; i < to.size(); ++i) {
    need_same_type(o, from[first + i], to[i]);
    const tileir::type& t = type_of(to[i]);
    if (t.is(tileir::type::kind::token)) {
      if (code_->by_tokens) {
        c.tokens.emplace_back(number_of(from[first + i]), number_of(to[i]));
      }
      continue;
    }
    need(o, is_tile(t), "views cannot be handed on");
    const slot source = whole(o, from[first + i]);
    const slot target = whole(o, to[i]);
    if (source.fixed != nullptr || source.offset != target.offset) {
      c.from.push_back(source);
      c.to.push_back(target);
    }
  }
  for (const slot& s : c.from) {
    for (const slot& t : c.to) {
      c.overlap |= s.fixed == nullptr && s.offset == t.offset;
    }
  }
  return c;
}

void preparer::for_loop(const operation& o, sequence& to) {
  need(o, o.operands.size() >= 3, "it has bounds and a step");
  const tileir::region& r = o.regions[0];
  need(o,
       r.present && r.arguments.size() == o.operands.size() - 2 &&
           o.results.size() == o.operands.size() - 3,
       "its body takes its values");
  const tileir::type& t = scalar_integer(o, o.operands[0]);
  for (const value_id v : {o.operands[1], o.operands[2], r.arguments[0]}) {
    need(o, &type_of(v) == &t, "its bounds, step and induction variable have one type");
  }
  instruction i = start(step::for_, o);
  i.is_unsigned = o.is_unsigned;
  for (std::size_t k = 0; k < 3; ++k) {
    i.operands.push_back(whole(o, o.operands[k]));
  }
  for (const value_id v : r.arguments) {
    allocate(&o, v);
    note_named(v);
  }
  i.arguments.push_back(whole(o, r.arguments[0]));
  const std::vector<value_id> own(r.arguments.begin() + 1, r.arguments.end());
  for (std::size_t k = 0; k < o.results.size(); ++k) {
    need_same_type(o, o.results[k], own[k]);
    if (code_->by_tokens && type_of(own[k]).is(tileir::type::kind::token)) {
      tokens_[o.results[k]] = number_of(own[k]); // what it has been carried to
    }
  }
  i.moves = moves(o, o.operands, 3, own);
  around_.push_back({&o});
  i.regions.push_back(region(r, false));
  around_.pop_back();
  to.push_back(std::move(i));
}

void preparer::endless_loop(const operation& o, sequence& to) {
  const tileir::region& r = o.regions[0];
  need(o, r.present && r.arguments.size() == o.operands.size(), "its body takes its values");
  instruction i = start(step::loop, o);
  for (const value_id v : r.arguments) {
    allocate(&o, v);
    note_named(v);
  }
  i.moves = moves(o, o.operands, 0, r.arguments);
  around_.push_back({&o});
  i.regions.push_back(region(r, false));
  around_.pop_back();
  to.push_back(std::move(i));
}

void preparer::branch(const operation& o, sequence& to) {
  const tileir::type& t = tile(o, o.operands[0]);
  need(o, t.shape.empty() && element_of(t) == element::i1, "its condition is no i1");
  need(o, o.regions[0].present, "it has no block");
  need(o, o.regions[1].present || o.results.empty(), "it has results, but no other block");
  instruction i = start(step::if_, o);
  i.operands.push_back(whole(o, o.operands[0]));
  around_.push_back({&o});
  for (const tileir::region& r : o.regions) {
    i.regions.push_back(r.present ? region(r, false) : sequence{});
  }
  around_.pop_back();
  to.push_back(std::move(i));
}

void preparer::terminator(const operation& o, sequence& to) {
  // yield ends the branch that it stands in; the others go to the innermost loop.
  std::size_t depth = around_.size();
  if (o.what != opcode::yield) {
    while (depth > 0 && around_[depth - 1].owner->what == opcode::if_) {
      --depth;
    }
  }
  if (o.what == opcode::return_) {
    need(o, o.operands.empty(), "it hands on values");
    to.push_back(start(step::return_, o));
    return;
  }
  need(o, depth != 0, "it stands in no loop and no branch");
  const operation& owner = *around_[depth - 1].owner;
  if (o.what == opcode::yield) {
    need(o, owner.what == opcode::if_, "it ends no branch");
    instruction i = start(step::yield, o);
    i.moves = moves(o, o.operands, 0, owner.results);
    to.push_back(std::move(i));
    return;
  }
  need(o, o.what == opcode::continue_ || owner.what == opcode::loop, "there is no loop to leave");
  instruction i = start(o.what == opcode::break_ ? step::break_ : step::continue_, o);
  if (o.what == opcode::break_) {
    i.moves = moves(o, o.operands, 0, owner.results);
  } else {
    const auto& own = owner.regions[0].arguments;
    const std::ptrdiff_t first = owner.what == opcode::for_ ? 1 : 0;
    i.moves = moves(o, o.operands, 0, {own.begin() + first, own.end()});
  }
  to.push_back(std::move(i));
}

} // namespace tilesim::interpreter
