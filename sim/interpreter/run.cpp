// The loop over instructions: each is a call of the machine, or control.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/run.hpp"

#include "memmodel/assertion.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/interpreter/combine_body.hpp"
#include "sim/interpreter/frame.hpp"
#include "sim/interpreter/small_numbers.hpp"
#include "sim/interpreter/views.hpp"
#include "sim/machine/perform.hpp"
#include "sim/memory/engine.hpp"
#include "sim/tileir/module.hpp"

#include <fmt/format.h>

#include <cstring>
#include <map>

namespace tilesim::interpreter {
namespace {

using machine::caller;
using machine::in;
using machine::out;
namespace perform = machine::perform;

/// How a sequence has ended.
enum class ending : std::uint8_t { through, again, left, done };

class block {
public:
  /// `engine`: which is told what each operation waits for; nullptr: nobody is.
  block(frame& f, sim::sim_thread& t, sim::memory_engine* engine)
      : frame_(f)
      , thread_(t)
      , engine_(engine) {}

  ending run(const sequence& all) {
    for (const instruction& i : all) {
      switch (i.what) {
      case step::for_:
        if (run_for(i) == ending::done) {
          return ending::done;
        }
        break;
      case step::loop:
        if (run_loop(i) == ending::done) {
          return ending::done;
        }
        break;
      case step::if_: {
        const bool yes = *frame_.cells(i.operands[0]) != std::byte{0};
        const ending e = run(i.regions[yes ? 0 : 1]);
        if (e != ending::through) {
          return e;
        }
        break;
      }
      case step::yield:
        frame_.move(i.moves);
        return ending::through;
      case step::continue_:
        frame_.move(i.moves);
        return ending::again;
      case step::break_:
        frame_.move(i.moves);
        return ending::left;
      case step::return_:
        return ending::done;
      default:
        perform_one(i);
      }
    }
    return ending::through;
  }

private:
  [[nodiscard]] caller at(const instruction& i) const { return {&thread_, i.site}; }
  [[nodiscard]] in operand(const instruction& i, std::size_t k) const {
    return frame_.read(i.operands[k]);
  }
  [[nodiscard]] out result(const instruction& i, std::size_t k = 0) const {
    return frame_.write(i.results[k]);
  }

  /// An integer of one element, with its sign or without.
  [[nodiscard]] std::int64_t number(const slot& s, bool is_unsigned) const {
    return frame_.number(s, is_unsigned);
  }

  /// The text jumps back. Where nothing has been performed in between, nobody else would stop it.
  void jump_back(const instruction& i, std::uint64_t operations_before) {
    if (thread_.operations != operations_before) {
      return;
    }
    sim::execution& exec = *thread_.owner->exec;
    exec.desk().count_operation(i.site);
    exec.check_timeout(i.site);
    sim::execution::yield();
  }

  ending run_for(const instruction& i) {
    const slot& variable = i.arguments[0];
    const bool u = i.is_unsigned;
    const std::int64_t lower = number(i.operands[0], u);
    const std::int64_t upper = number(i.operands[1], u);
    const std::int64_t by = number(i.operands[2], u);
    frame_.move(i.moves);
    if (u ? by == 0 : by <= 0) {
      bad_step(i, by);
      return ending::through;
    }
    const auto before = [u](std::int64_t a, std::int64_t b) {
      return u ? static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b) : a < b;
    };
    std::int64_t now = lower;
    while (before(now, upper)) {
      std::memcpy(frame_.cells(variable), &now, size_of(variable.type->elem));
      const std::uint64_t operations = thread_.operations;
      const ending e = run(i.regions[0]);
      if (e == ending::done) {
        return e;
      }
      // The range is a mathematical one: it ends before the type does.
      const std::uint64_t left =
          static_cast<std::uint64_t>(upper) - static_cast<std::uint64_t>(now);
      if (left <= static_cast<std::uint64_t>(by)) {
        break;
      }
      now = static_cast<std::int64_t>(static_cast<std::uint64_t>(now) +
                                      static_cast<std::uint64_t>(by));
      jump_back(i, operations);
    }
    return ending::through;
  }

  void bad_step(const instruction& i, std::int64_t by) {
    thread_.owner->found.add(
        i.site,
        {.kind = finding_kind::broken_assumption,
         .message = fmt::format("the step of a loop is {}, which leads nowhere", by),
         .details = {fmt::format("by {} of {}", thread_.name(), thread_.launch->kernel.name)},
         .remedy = "steps are positive: count the other way round inside of the loop"});
  }

  ending run_loop(const instruction& i) {
    frame_.move(i.moves);
    while (true) {
      const std::uint64_t operations = thread_.operations;
      const ending e = run(i.regions[0]);
      if (e != ending::again) {
        return e == ending::done ? e : ending::through;
      }
      jump_back(i, operations);
    }
  }

  /// At most three operands, as the machine's entries take them.
  void call_elementwise(const instruction& i) const {
    in operands[3];
    const std::size_t count = i.operands.size();
    for (std::size_t k = 0; k < count; ++k) {
      operands[k] = operand(i, k);
    }
    perform::elementwise(i.op, i.modes, result(i), operands, static_cast<unsigned>(count), at(i));
  }

  void call_rearrange(const instruction& i) const {
    if (i.op == machine::opcode::extract) {
      const in source = operand(i, 0);
      std::int64_t numbers[held_view::most];
      const std::size_t count = i.operands.size() - 1;
      for (std::size_t k = 0; k < count; ++k) {
        numbers[k] = number(i.operands[k + 1], true);
      }
      perform::rearrange(i.op, result(i), &source, 1, numbers, static_cast<unsigned>(count), at(i));
      return;
    }
    in operands[2];
    for (std::size_t k = 0; k < i.operands.size(); ++k) {
      operands[k] = operand(i, k);
    }
    perform::rearrange(i.op,
                       result(i),
                       operands,
                       static_cast<unsigned>(i.operands.size()),
                       i.params.data(),
                       static_cast<unsigned>(i.params.size()),
                       at(i));
  }

  void call_combining(const instruction& i) const {
    const bool scans = i.what == step::scan;
    if (i.combined == nullptr) {
      if (scans) {
        perform::scan(i.combination, i.reverse, result(i), operand(i, 0), i.dim, at(i));
      } else {
        perform::reduce(i.combination, result(i), operand(i, 0), i.dim, at(i));
      }
      return;
    }
    std::vector<out> results;
    std::vector<in> operands;
    for (std::size_t k = 0; k < i.operands.size(); ++k) {
      results.push_back(result(i, k));
      operands.push_back(operand(i, k));
    }
    running_body running{frame_, *i.combined, thread_};
    const sim::ops::combining_body body = running.as_body();
    const auto values = static_cast<unsigned>(operands.size());
    if (scans) {
      perform::scan(body, i.reverse, results.data(), operands.data(), values, i.dim, at(i));
    } else {
      perform::reduce(body, results.data(), operands.data(), values, i.dim, at(i));
    }
  }

  /// An operation on memory, which `perform(how)` performs: what it waits for, and what waits for
  /// it.
  template <class F>
  void in_order(const instruction& i, F perform) const {
    if (engine_ == nullptr) {
      perform(i.how);
      return;
    }
    const std::uint64_t waited = i.waits.empty() ? 0 : frame_.token(i.waits.front());
    const machine::ordered_after after{&waited, waited == 0 ? std::size_t{0} : std::size_t{1}};
    machine::access how = i.how;
    how.after = &after;
    frame_.token(i.leaves) = perform(how);
  }

  void call_join(const instruction& i) const {
    TILESIM_ASSERT(engine_ != nullptr, i.leaves);
    constexpr std::size_t few = 8;
    std::uint64_t here[few];
    std::vector<std::uint64_t> many(i.waits.size() <= few ? 0 : i.waits.size());
    std::uint64_t* const all = many.empty() ? here : many.data();
    for (std::size_t k = 0; k < i.waits.size(); ++k) {
      all[k] = frame_.token(i.waits[k]);
    }
    frame_.token(i.leaves) = engine_->join({all, i.waits.size()});
  }

  void call_pointers(const instruction& i) const {
    in mask{};
    in padding{};
    const in* given_mask = nullptr;
    const in* given_padding = nullptr;
    if (i.mask >= 0) {
      mask = operand(i, static_cast<std::size_t>(i.mask));
      given_mask = &mask;
    }
    if (i.padding >= 0 && i.mask >= 0) {
      padding = operand(i, static_cast<std::size_t>(i.padding));
      given_padding = &padding;
    }
    in_order(i, [&](const machine::access& how) {
      switch (i.what) {
      case step::load:
        return perform::load_ptr_tko(
            how, result(i), operand(i, 0), given_mask, given_padding, at(i));
      case step::store:
        return perform::store_ptr_tko(how, operand(i, 0), operand(i, 1), given_mask, at(i));
      case step::update:
        return perform::atomic_rmw_tko(
            how, i.mode, i.modes.sign, result(i), operand(i, 0), operand(i, 1), given_mask, at(i));
      default:
        return perform::atomic_cas_tko(
            how, result(i), operand(i, 0), operand(i, 1), operand(i, 2), given_mask, at(i));
      }
    });
  }

  void call_view(const instruction& i) const {
    const machine::tile_view view = view_of(i, frame_.view(i.operands[0]));
    in indices[held_view::most];
    const std::size_t rank = i.view_type->shape.size();
    for (std::size_t d = 0; d < rank; ++d) {
      indices[d] = operand(i, d + 1);
    }
    in_order(i, [&](const machine::access& how) {
      switch (i.what) {
      case step::load_view:
        return perform::load_view_tko(how, view, indices, result(i), at(i));
      case step::store_view:
        return perform::store_view_tko(how, view, indices, operand(i, rank + 1), at(i));
      default:
        return perform::atomic_red_view_tko(
            how, i.mode, i.modes.sign, view, indices, operand(i, rank + 1), at(i));
      }
    });
  }

  void call_index3(const instruction& i) const {
    const machine::index3 all = i.what == step::block_id ? perform::get_tile_block_id(at(i))
                                                         : perform::get_num_tile_blocks(at(i));
    std::memcpy(frame_.cells(i.results[0]), &all.x, sizeof all.x);
    std::memcpy(frame_.cells(i.results[1]), &all.y, sizeof all.y);
    std::memcpy(frame_.cells(i.results[2]), &all.z, sizeof all.z);
  }

  void call_print(const instruction& i) const {
    std::vector<in> operands;
    for (std::size_t k = 0; k < i.operands.size(); ++k) {
      operands.push_back(operand(i, k));
    }
    perform::print_tko(
        i.text.c_str(), operands.data(), static_cast<unsigned>(operands.size()), at(i));
  }

  void call_assert(const instruction& i) const {
    const in condition = operand(i, 0);
    const auto* cells = static_cast<const std::uint8_t*>(condition.data);
    for (std::size_t k = 0; k < condition.type->count; ++k) {
      if (cells[k] != 0) {
        continue;
      }
      thread_.site = i.site;
      thread_.owner->found.add(
          i.site,
          {.kind = finding_kind::assertion_failed,
           .message = fmt::format("assertion failed: {}", i.text),
           .details = {fmt::format(
               "element {}, by {} of {}", k, thread_.name(), thread_.launch->kernel.name)},
           .remedy = "the rest of the block is left out, as on a device"});
      sim::execution::give_up();
    }
  }

  // One function in spite of its length: a table, a step a row.
  // NOLINTNEXTLINE(readability-function-size)
  void perform_one(const instruction& i) const {
    switch (i.what) {
    case step::elementwise:
      call_elementwise(i);
      break;
    case step::rearrange:
      call_rearrange(i);
      break;
    case step::reduce:
    case step::scan:
      call_combining(i);
      break;
    case step::mma:
      perform::mma(i.op,
                   i.modes.sign,
                   i.rhs_sign,
                   result(i),
                   operand(i, 0),
                   operand(i, 1),
                   operand(i, 2),
                   at(i));
      break;
    case step::load:
    case step::store:
    case step::update:
    case step::compare_exchange:
      call_pointers(i);
      break;
    case step::load_view:
    case step::store_view:
    case step::reduce_view:
      call_view(i);
      break;
    case step::tensor_view:
      make_tensor_view(i, frame_);
      break;
    case step::tile_view:
      make_tile_view(i, frame_);
      break;
    case step::tensor_shape:
    case step::index_space_shape:
      tell_shape(i, frame_);
      break;
    case step::block_id:
    case step::block_count:
      call_index3(i);
      break;
    case step::insert:
      insert_part(i, frame_, thread_);
      break;
    case step::copy:
      std::memcpy(frame_.cells(i.results[0]),
                  frame_.cells(i.operands[0]),
                  std::size_t{i.results[0].type->count} * size_of(i.results[0].type->elem));
      break;
    case step::widen:
      widen(i, frame_);
      break;
    case step::narrow:
      narrow(i, frame_);
      break;
    case step::unpack_halves:
      unpack_halves(i, frame_);
      break;
    case step::pack_halves:
      pack_halves(i, frame_);
      break;
    case step::print:
      call_print(i);
      break;
    case step::join_tokens:
      call_join(i);
      break;
    case step::assume:
      perform::assume(
          {i.assumption, i.params.data(), static_cast<unsigned>(i.params.size()), i.text.c_str()},
          operand(i, 0),
          at(i));
      break;
    case step::assert_:
      call_assert(i);
      break;
    default:
      break;
    }
  }

  frame& frame_;
  sim::sim_thread& thread_;
  sim::memory_engine* engine_;
};

/// The frames of blocks that have begun. One that is given up leaves its own behind, until another
/// thread is at its address.
std::map<const sim::sim_thread*, const frame*>& standing() {
  static thread_local auto& all = *new std::map<const sim::sim_thread*, const frame*>;
  return all;
}

class stands {
public:
  stands(const sim::sim_thread& t, const frame& f)
      : thread_(&t) {
    standing()[thread_] = &f;
  }
  ~stands() { standing().erase(thread_); }
  stands(const stands&) = delete;
  stands& operator=(const stands&) = delete;

private:
  const sim::sim_thread* thread_;
};

} // namespace

std::size_t parameter_bytes(const code& c) {
  std::size_t bytes = 0;
  for (const slot& s : c.parameters) {
    bytes += size_of(s.type->elem);
  }
  return bytes;
}

std::optional<std::uint64_t> state_of(const sim::sim_thread* thread) {
  const auto found = standing().find(thread);
  return found == standing().end() ? std::nullopt : std::optional(found->second->hash());
}

const frame* frame_of(const sim::sim_thread* thread) {
  const auto found = standing().find(thread);
  return found == standing().end() ? nullptr : found->second;
}

void run_block(const code& c, const std::byte* parameters, sim::sim_thread& thread) {
  frame f(c.memory, c.tokens);
  const stands here(thread, f);
  for (const slot& s : c.parameters) {
    const std::size_t bytes = size_of(s.type->elem);
    std::memcpy(f.cells(s), parameters, bytes);
    parameters += bytes;
  }
  block(f, thread, c.by_tokens ? &thread.owner->exec->memory() : nullptr).run(c.instructions);
}

} // namespace tilesim::interpreter
