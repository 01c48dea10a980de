// Checks around the machine's operations.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/machine/machine_checks.hpp"

#include "memmodel/assertion.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/watcher.hpp"
#include "sim/execution/control_trail.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/execution/signals.hpp"
#include "sim/execution/spread.hpp"
#include "sim/execution/thread_state.hpp"
#include "sim/machine/origins.hpp"
#include "sim/memory/engine.hpp"
#include "sim/naming/address_report.hpp"
#include "sim/naming/element_place.hpp"
#include "sim/ops/element_text.hpp"
#include "sim/ops/infinite.hpp"
#include "sim/ops/opcode_name.hpp"
#include "sim/ops/rmw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace tilesim::sim {

namespace {

using machine::in;
using machine::out;
using machine::tile_type;

std::int64_t signed_value(element e, const void* cell) {
  switch (size_of(e)) {
  case 1: {
    std::int8_t v = 0;
    std::memcpy(&v, cell, 1);
    return v;
  }
  case 2: {
    std::int16_t v = 0;
    std::memcpy(&v, cell, 2);
    return v;
  }
  case 4: {
    std::int32_t v = 0;
    std::memcpy(&v, cell, 4);
    return v;
  }
  default: {
    std::int64_t v = 0;
    std::memcpy(&v, cell, 8);
    return v;
  }
  }
}

const std::byte* cell(const in& value, std::size_t i) {
  return static_cast<const std::byte*>(value.data) + (i * size_of(value.type->elem));
}

std::uint64_t unsigned_value(element e, const void* at) {
  std::uint64_t v = 0;
  std::memcpy(&v, at, size_of(e));
  return v;
}

[[gnu::cold]] void report_assumption(sim_thread& t,
                                     const machine::assumption& promise,
                                     const in& value,
                                     std::size_t i,
                                     const std::string& expected) {
  finding_text text{
      .kind = finding_kind::broken_assumption,
      .message =
          fmt::format("{} does not hold: expected {}, got {}",
                      promise.spelling,
                      expected,
                      ops::element_text(value.type->elem, value.type->is_unsigned, cell(value, i))),
      .details = {whereabouts(t, *value.type, i)},
      .remedy = "correct the value or drop the assumption: the compiler may rely on it"};
  if (const dependence d = dependence_of(t, value); d.of(i)) {
    tell_origin(text, "the value depends", d);
  }
  t.owner->found.add(t.site, std::move(text));
}

std::size_t linear_index(const tile_type* type, const std::vector<std::uint32_t>& index) {
  std::size_t linear = 0;
  for (unsigned d = 0; d < type->rank; ++d) {
    linear = (linear * type->extents[d]) + index[d];
  }
  return linear;
}

// assume_aligned, assume_divisible: every element is divisible. The strided forms: the first of
// each group of `every` along `dim` is, and the others follow in steps of one (of the pointee's
// size).
void check_div_by(sim_thread& t, const machine::assumption& promise, const in& value) {
  const std::int64_t divisor = promise.params[0];
  const std::int64_t every = promise.param_count > 1 ? promise.params[1] : 0;
  const auto along = static_cast<std::size_t>(promise.param_count > 2 ? promise.params[2] : 0);
  const element e = value.type->elem;
  for (std::size_t i = 0; i < value.type->count; ++i) {
    if (every == 0) {
      if (unsigned_value(e, cell(value, i)) % static_cast<std::uint64_t>(divisor) != 0) {
        report_assumption(t, promise, value, i, fmt::format("a multiple of {}", divisor));
        return;
      }
      continue;
    }
    auto index = element_indices(value.type, i);
    const std::uint32_t step = index[along] % static_cast<std::uint32_t>(every);
    index[along] -= step;
    const std::uint64_t unit = e == element::ptr ? value.type->pointee_size : 1;
    const std::uint64_t first = unsigned_value(e, cell(value, linear_index(value.type, index)));
    const std::uint64_t mask =
        size_of(e) == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * size_of(e))) - 1;
    if (first % static_cast<std::uint64_t>(divisor) != 0 ||
        unsigned_value(e, cell(value, i)) != ((first + (step * unit)) & mask)) {
      report_assumption(
          t,
          promise,
          value,
          i,
          fmt::format("groups of {} along dimension {} that begin at a multiple of {} "
                      "and rise in single steps",
                      every,
                      along,
                      divisor));
      return;
    }
  }
}

void check_bounded(sim_thread& t, const machine::assumption& promise, const in& value) {
  const bool has_lower = promise.params[2] != 0;
  const bool has_upper = promise.params[3] != 0;
  const element e = value.type->elem;
  for (std::size_t i = 0; i < value.type->count; ++i) {
    bool below = false;
    bool above = false;
    if (value.type->is_unsigned) {
      const std::uint64_t v = unsigned_value(e, cell(value, i));
      below =
          has_lower && promise.params[0] > 0 && v < static_cast<std::uint64_t>(promise.params[0]);
      above = has_upper && v > static_cast<std::uint64_t>(promise.params[1]);
    } else {
      const std::int64_t v = signed_value(e, cell(value, i));
      below = has_lower && v < promise.params[0];
      above = has_upper && v > promise.params[1];
    }
    if (below || above) {
      report_assumption(t,
                        promise,
                        value,
                        i,
                        below ? fmt::format("at least {}", promise.params[0])
                              : fmt::format("at most {}", promise.params[1]));
      return;
    }
  }
}

void check_same_elements(sim_thread& t, const machine::assumption& promise, const in& value) {
  const unsigned size = size_of(value.type->elem);
  for (std::size_t i = 0; i < value.type->count; ++i) {
    auto first = element_indices(value.type, i);
    for (unsigned d = 0; d < value.type->rank && d < promise.param_count; ++d) {
      first[d] -= first[d] % static_cast<std::uint32_t>(promise.params[d]);
    }
    if (std::memcmp(cell(value, i), cell(value, linear_index(value.type, first)), size) != 0) {
      report_assumption(t, promise, value, i, "all elements of one group to be equal");
      return;
    }
  }
}

} // namespace

sim_thread& begin_operation(const library_section& /*inside*/,
                            machine::caller by,
                            const char* operation,
                            step_kind kind,
                            const coming_read* read) noexcept {
  sim_thread* const t = by.thread != nullptr ? by.thread : execution::current();
  const void* const site = by.site;
  if (t == nullptr) {
    context::current().found.stop(
        site,
        {.kind = finding_kind::wrong_context,
         .message = fmt::format("{} outside a kernel", operation),
         .remedy = "cuda::tiles operations run in __tile_global__ kernels and what they call"});
  }
  run_desk& state = t->owner->exec->desk();
  state.begins(*t, site, operation, kind, read);
  t->site = site;
  ++t->operations;
  // Written here and not by a watcher: a watcher would have to be told of every raw access (by
  // which `made` and `steps` move, too), and a run that has no other one would pay a virtual call
  // for each of them instead of an addition. What a watcher could add is nothing: these are four
  // numbers of the desk's, wanted in every mode, whatever ends the run.
  run_counts& counts = *t->owner->counts;
  counts.operations = ++state.operations;
  counts.made = state.made;
  counts.steps = state.steps;
  state.count_operation(site);
  if (state.following != nullptr) {
    state.following->begins(*t, site, operation);
  }
  if (t->launch->threads_per_block != 1) {
    t->owner->found.stop(
        t->launch->site,
        {.kind = finding_kind::bad_launch,
         .message = fmt::format("tile kernel {} launched with {} threads per block; expected 1",
                                t->launch->kernel.name,
                                t->launch->threads_per_block),
         .remedy =
             "write 1 as the second launch argument: the compiler chooses a tile block's size"});
  }
  const options& o = t->owner->opts;
  if (o.max_ops != 0 && state.operations > o.max_ops) {
    t->owner->found.stop(site,
                         {.kind = finding_kind::limit,
                          .message = fmt::format("--max-ops {} reached", o.max_ops),
                          .details = t->owner->exec->standings()});
  }
  if (state.operations % 1024 == 0) {
    if (o.timeout > 0) {
      t->owner->exec->check_timeout(site);
    }
  }
  if (state.control == nullptr && interrupt_requested()) { // else the stepper stops before the next
    t->owner->exec->report_interrupt();
  }
  return *t;
}

std::string more_elements(std::size_t count) {
  return count == 1 ? "so is 1 more element of this tile"
                    : fmt::format("so are {} more elements of this tile", count);
}

void refuse_operation(sim_thread& t, machine::opcode op, element operand, element result) {
  t.owner->found.add(t.site,
                     {.kind = finding_kind::unsupported,
                      .message = fmt::format("{} from {} to {} does not exist in this release",
                                             opcode_name(op),
                                             name(operand),
                                             name(result)),
                      .remedy = "please report this: a program that compiles should run"});
  std::fflush(nullptr);
  _exit(exit_internal);
}

std::string element_place(const view_selection& selected, std::size_t element) {
  const machine::tile_view& view = selected.view();
  return fmt::format("element {} of {}, element ({}) of the tensor {}",
                     element_index(view.tile, element),
                     type_text(*view.tile),
                     fmt::join(selected.coordinates(element), ","),
                     sizes_text(view.tensor->extents, view.tensor->rank));
}

bool check_extract(sim_thread& t,
                   const out& result,
                   const in& source,
                   const std::int64_t* indices,
                   unsigned count) {
  for (unsigned d = 0; d < count; ++d) {
    const std::uint32_t parts = source.type->extents[d] / result.type->extents[d];
    if (indices[d] < 0 || indices[d] >= parts) {
      if (t.owner->opts.reports(finding_kind::extract_index)) {
        finding_text text{
            .kind = finding_kind::extract_index,
            .message = fmt::format("extract index out of range: sub-tile {} along dimension {}, "
                                   "where {} has {} of this shape",
                                   indices[d],
                                   d,
                                   type_text(*source.type),
                                   parts),
            .details = {fmt::format("by {} of {}", t.name(), t.launch->kernel.name)},
            .remedy = "indices of extract count sub-tiles, not elements"};
        if (const dependence origin = dependence_of_scalar(t, indices[d]); origin.any()) {
          tell_origin(text, "the index depends", origin);
        }
        t.owner->found.add(t.site, std::move(text));
      }
      return false;
    }
  }
  return true;
}

namespace {

/// Why *p += -v, with v as written, is undefined; empty if it is not. `before`: the old value.
std::string atomic_overflow(element e,
                            const std::byte* before,
                            const std::byte* added,
                            const std::byte* taken) {
  const auto text = [e](const std::byte* value) { return ops::element_text(e, false, value); };
  constexpr auto sign = machine::signedness::signed_;
  // The negation overflows for the value that is its own negation, and for 0, which is defined.
  if (taken != nullptr && signed_value(e, taken) < 0 &&
      signed_value(e, taken) == signed_value(e, added)) {
    return fmt::format("atomic_sub of {} from {}, whose negation", text(taken), text(before));
  }
  if (!ops::add_overflows(e, sign, before, added)) {
    return {};
  }
  return taken != nullptr ? fmt::format("atomic_sub of {} from {}", text(taken), text(before))
                          : fmt::format("atomic_add of {} to {}", text(added), text(before));
}

/// Whether what an access has read of its element `i` does.
dependence
dependence_of_memory(const sim_thread& t, const tile_access& a, std::size_t i, const void* value) {
  const value_follower* const values = t.owner->exec->desk().values;
  return values == nullptr || a.addresses == nullptr
             ? dependence{}
             : values->memory_depends(t, a.addresses[i], value, a.bytes);
}

} // namespace

void check_atomic_add(sim_thread& t, const tile_access& a, const out& old, const in& argument) {
  const element e = old.type->elem;
  const in before{old.type, old.data};
  const in* const written = a.how.written.operands;
  std::string what;
  std::size_t first = 0;
  std::size_t more = 0;
  std::optional<dependence> of_argument; // asked for where something is found
  const auto depends = [&](std::size_t i) {
    if (!of_argument) {
      of_argument = dependence_of(t, argument);
    }
    return of_argument->of(i) || dependence_of_memory(t, a, i, cell(before, i)).any();
  };
  bool unspecified = false;
  for (std::size_t i = 0; i < a.count; ++i) {
    if (a.mask != nullptr && a.mask[i] == 0) {
      continue;
    }
    const std::byte* const taken = written != nullptr ? cell(written[1], i) : nullptr;
    std::string overflow = atomic_overflow(e, cell(before, i), cell(argument, i), taken);
    if (overflow.empty()) {
      continue;
    }
    if (what.empty() && t.owner->found.repeated(t.site, finding_kind::atomic_overflow)) {
      return;
    }
    more += what.empty() ? std::size_t{0} : std::size_t{1};
    // One of specified values comes first: it is wrong in any case.
    if (what.empty() || (unspecified && !depends(i))) {
      what = std::move(overflow);
      first = i;
      unspecified = depends(i);
    }
  }
  if (what.empty()) {
    return;
  }
  finding_text text{.kind = finding_kind::atomic_overflow,
                    .message = fmt::format("atomic overflow: {} does not fit {}", what, name(e)),
                    .details = {whereabouts(t, *old.type, first)},
                    .remedy = "use an unsigned type where the result may wrap, or a wider one"};
  if (more != 0) {
    text.details.push_back(more_elements(more));
  }
  if (unspecified && of_argument->of(first)) {
    tell_origin(text, "what is added depends", *of_argument);
  } else if (unspecified) {
    tell_origin(text,
                "the value in memory depends",
                dependence_of_memory(t, a, first, cell(before, first)));
  }
  t.owner->found.add(t.site, std::move(text));
}

void check_assumption(sim_thread& t, const machine::assumption& promise, const in& value) {
  if (!t.owner->opts.reports(finding_kind::broken_assumption)) {
    return;
  }
  switch (promise.what) {
  case machine::assumption::kind::div_by:
    check_div_by(t, promise, value);
    break;
  case machine::assumption::kind::bounded:
    check_bounded(t, promise, value);
    break;
  case machine::assumption::kind::same_elements:
    check_same_elements(t, promise, value);
    break;
  }
}

namespace {

/// Gives single elements of an operation's result "any value": one that a program cannot mistake
/// for a good one.
class unspecified_elements {
public:
  /// `dropped`: elements of the access were left out since they were bad; what it does not read is
  /// zero, and nothing is left open.
  unspecified_elements(sim_thread& t, const out& result, left_open why, bool dropped = false)
      : thread_(t)
      , result_(result)
      , why_(why)
      // An H200 gives zeros where a mask is false. Whoever asks for a filling has it drawn under
      // either arithmetic.
      , zero_(dropped ||
              (t.owner->opts.arithmetic == ops::arithmetic::hardware && !t.owner->opts.fill &&
               (why == left_open::masked_load || why == left_open::masked_update))) {}

  ~unspecified_elements() {
    if (count_ == 0) {
      return;
    }
    run_desk& state = thread_.owner->exec->desk();
    state.unspecified.drawn(count_);
    if (state.spread_to_come != nullptr && state.values == nullptr) {
      state.values =
          &static_cast<spread&>(thread_.owner->exec->attach(std::move(state.spread_to_come)));
    }
    if (state.values != nullptr) {
      state.values->draws(std::move(elements_));
    }
  }
  unspecified_elements(const unspecified_elements&) = delete;
  unspecified_elements& operator=(const unspecified_elements&) = delete;

  void draw(std::size_t element) {
    run_desk& state = thread_.owner->exec->desk();
    state.watchers.tell([element](watcher& w) { w.left_unspecified(element); });
    const std::size_t size = size_of(result_.type->elem);
    std::byte* const to = static_cast<std::byte*>(result_.data) + (element * size);
    if (zero_) {
      std::memset(to, 0, size);
      return;
    }
    if (count_++ == 0) {
      thread_.spin.drew();
      values_ = state.unspecified.begin(thread_, why_, *result_.type, element);
      if (state.trail_to_come != nullptr) {
        state.following = &static_cast<control_trail&>(
            thread_.owner->exec->attach(std::move(state.trail_to_come)));
      }
    }
    if (state.spread_to_come != nullptr || state.values != nullptr) {
      elements_.push_back(element);
    }
    std::uint64_t value = values_(element);
    value = result_.type->elem == tilesim::element::i1 ? value & 1U : value;
    std::memcpy(to, &value, size);
  }

private:
  sim_thread& thread_;
  const out& result_;
  left_open why_;
  bool zero_;
  draws::values values_;
  std::size_t count_ = 0;
  std::vector<std::size_t> elements_;
};

} // namespace

void fill_masked(
    sim_thread& t, const out& result, const tile_access& a, const in* padding, left_open why) {
  const std::size_t size = size_of(result.type->elem);
  auto* to = static_cast<std::byte*>(result.data);
  unspecified_elements open(t, result, why, a.dropped);
  for (std::size_t i = 0; i < a.count; ++i) {
    if (a.mask != nullptr && a.mask[i] != 0) {
      continue;
    }
    if (padding != nullptr) {
      std::memcpy(to + (i * size), cell(*padding, padding->type->count == 1 ? 0 : i), size);
    } else {
      open.draw(i);
    }
  }
}

void draw_unspecified(sim_thread& t, const out& result) {
  unspecified_elements open(t, result, left_open::outside);
  for (std::size_t i = 0; i < result.type->count; ++i) {
    open.draw(i);
  }
}

void draw_remainders(sim_thread& t, const out& result, const in* operands) {
  const auto is_infinite = [&](const in& operand, std::size_t i) {
    return ops::is_infinite(result.type->elem, cell(operand, operand.type->count == 1 ? 0 : i));
  };
  unspecified_elements open(t, result, left_open::remainder);
  for (std::size_t i = 0; i < result.type->count; ++i) {
    if (is_infinite(operands[0], i) && is_infinite(operands[1], i)) {
      open.draw(i);
    }
  }
}

void follow_exchange(sim_thread& t,
                     const out& old,
                     const in& pointers,
                     const in& cmp,
                     const in& val,
                     const in* mask) {
  run_desk& state = t.owner->exec->desk();
  if (state.values != nullptr) {
    state.values->exchanged(t, old, pointers, cmp, val, mask);
  }
  if (state.following != nullptr) {
    state.following->compares(t, cmp, mask);
  }
}

void tell(sim_thread& t,
          machine::opcode op,
          const machine::attributes* modes,
          const machine::access* how,
          const out* result,
          const in* operands,
          unsigned count) {
  const watcher_list& watchers = t.owner->exec->desk().watchers;
  if (watchers.wanted().operations) {
    watchers.tell([&](watcher& w) {
      w.operation({&t, t.site, op, modes, how, result, operands, count});
    });
  }
}

} // namespace tilesim::sim
