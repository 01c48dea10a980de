// The machine: performs what api/tilesim/detail/machine.hpp declares.
//
// Each entry point computes with the pure functions of sim/ops or goes to memory through the engine
// (machine_memory.cpp), reports what the reference leaves undefined, and tells the watchers.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"
#include "sim/core/contractor.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/value_follower.hpp"
#include "sim/core/watcher.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/machine/machine_checks.hpp"
#include "sim/machine/perform.hpp"
#include "sim/machine/undefined.hpp"
#include "sim/memory/engine.hpp"
#include "sim/ops/elementwise.hpp"
#include "sim/ops/opcode_name.hpp"
#include "sim/ops/preconditions.hpp"
#include "sim/ops/rearrange.hpp"

#include <tilesim/detail/machine.hpp>

#include <array>

namespace tilesim::machine::perform {

namespace {

using namespace tilesim::sim;

/// Elements of one, where the result has more, stand for all.
ops::elementwise_args arguments_of(out result, const in* operands, unsigned count) {
  ops::elementwise_args args{};
  args.result = result.data;
  args.count = result.type->count;
  TILESIM_ASSERT(count >= 1 && count <= std::size(args.operand), count);
  for (unsigned i = 0; i < count; ++i) {
    TILESIM_ASSERT(operands[i].type->count == 1 || operands[i].type->count == result.type->count,
                   i,
                   operands[i].type->count,
                   result.type->count);
    TILESIM_ASSERT(ops::apart(result, operands[i]), i);
    args.operand[i] = operands[i].data;
    args.splat[i] = operands[i].type->count == 1 && result.type->count != 1;
  }
  return args;
}

/// How an elementwise operation has been performed.
struct performance {
  ops::elementwise_operation function;
  ops::elementwise_args args{};
  bool settled = false; ///< a sum that is known not to be fused
};

void follow(value_follower& values,
            const sim_thread& t,
            const performed_operation& o,
            performance how) {
  const auto again = [&](const out& other, const in* others) {
    for (unsigned i = 0; i < o.count; ++i) {
      how.args.operand[i] = others[i].data;
    }
    how.args.result = other.data;
    if (o.op == opcode::offset) {
      ops::offset_pointers(how.args, o.operands[1].type->elem, o.operands[0].type->pointee_size);
    } else {
      how.function.run(how.args);
    }
  };
  values.computed(t,
                  {.op = o.op, .modes = &o.modes, .settled = how.settled, .again = again},
                  o.result,
                  o.operands,
                  o.count);
}

/// A fused difference adds what it takes away, negated: another tile, which stands in no operation
/// of the program's. Whoever follows values is told where that comes from.
void follow_negation(value_follower& values,
                     const sim_thread& t,
                     const attributes& modes,
                     const in& operand,
                     const in& negated) {
  const out result{negated.type, const_cast<void*>(negated.data)};
  const auto negation = ops::find_elementwise(
      opcode::negf, modes, negated.type->elem, operand.type->elem, t.owner->opts.arithmetic);
  follow(values,
         t,
         {opcode::negf, modes, result, &operand, 1},
         {negation, arguments_of(result, &operand, 1), true});
}

} // namespace

void elementwise(opcode op,
                 const attributes& modes,
                 out result,
                 const in* operands,
                 unsigned count,
                 caller by) noexcept {
  const library_section inside;
  sim_thread& t = begin_operation(inside, by, opcode_name(op));
  contractor* const contracts = t.owner->exec->desk().contracts;
  std::array<in, 3> of_fma{};
  auto said = contractor::answer::open;
  if (contracts != nullptr && (op == opcode::addf || op == opcode::subf)) {
    said = contracts->adds(t, op, modes, result, operands, of_fma.data());
  }
  if (said == contractor::answer::fused) {
    value_follower* const values = t.owner->exec->desk().values;
    if (values != nullptr && op == opcode::subf) {
      follow_negation(*values, t, modes, operands[1], of_fma[2]);
    }
    op = opcode::fma;
    operands = of_fma.data();
    count = of_fma.size();
  }
  const bool settled = said == contractor::answer::apart;
  ops::elementwise_args args = arguments_of(result, operands, count);
  bool undefined = false;
  ops::undefined_reason why = nullptr;
  ops::elementwise_operation f{};
  if (op == opcode::offset) {
    ops::offset_pointers(args, operands[1].type->elem, operands[0].type->pointee_size);
    if (t.owner->opts.reports(finding_kind::pointer_out_of_range)) {
      note_pointers_out_of_range(t, {op, modes, result, operands, count});
    }
  } else {
    f = ops::find_elementwise(
        op, modes, result.type->elem, operands[0].type->elem, t.owner->opts.arithmetic);
    if (f.run == nullptr) {
      refuse_operation(t, op, operands[0].type->elem, result.type->elem);
    }
    undefined = f.run(args);
    why = f.why;
  }
  if (undefined) {
    report_undefined(t, {op, modes, result, operands, count}, why);
  }
  if (modes.written.operands != nullptr) {
    check_written_pointers(t, {op, modes, result, operands, count});
  }
  if (op == opcode::remf && t.owner->opts.arithmetic == ops::arithmetic::page) {
    draw_remainders(t, result, operands);
  }
  if (contracts != nullptr && op == opcode::mulf) {
    contracts->multiplied(t, modes, result, operands);
  }
  // Asked now: the first value that is drawn is what makes somebody follow.
  if (value_follower* const values = t.owner->exec->desk().values) {
    follow(*values, t, {op, modes, result, operands, count}, {f, args, settled});
  }
  tell(t, op, &modes, nullptr, &result, operands, count);
}

void rearrange(opcode op,
               out result,
               const in* operands,
               unsigned count,
               const std::int64_t* params,
               unsigned param_count,
               caller by) noexcept {
  const library_section inside;
  sim_thread& t = begin_operation(inside, by, opcode_name(op));
  const bool is_part =
      op != opcode::extract || check_extract(t, result, operands[0], params, param_count);
  if (is_part) {
    ops::rearrange(op, result, operands, params);
  } else {
    draw_unspecified(t, result);
  }
  if (value_follower* const values = t.owner->exec->desk().values) {
    const auto again = [&](const out& other, const in* others) {
      if (is_part) {
        ops::rearrange(op, other, others, params);
      }
    };
    values->computed(t, {.op = op, .again = again}, result, operands, count);
  }
  tell(t, op, nullptr, nullptr, &result, operands, count);
}

index3 get_tile_block_id(caller by) noexcept {
  const library_section inside;
  sim_thread& t = begin_operation(inside, by, opcode_name(opcode::get_tile_block_id));
  t.knows_block = true;
  tell(t, opcode::get_tile_block_id, nullptr, nullptr, nullptr, nullptr, 0);
  return t.block;
}

index3 get_num_tile_blocks(caller by) noexcept {
  const library_section inside;
  sim_thread& t = begin_operation(inside, by, opcode_name(opcode::get_num_tile_blocks));
  tell(t, opcode::get_num_tile_blocks, nullptr, nullptr, nullptr, nullptr, 0);
  const dim3& grid = t.launch->config.grid;
  return {grid.x, grid.y, grid.z};
}

void assume(const assumption& promise, in value, caller by) noexcept {
  const library_section inside;
  sim_thread& t = begin_operation(inside, by, opcode_name(opcode::assume));
  check_assumption(t, promise, value);
  tell(t, opcode::assume, nullptr, nullptr, nullptr, &value, 1);
}

} // namespace tilesim::machine::perform
