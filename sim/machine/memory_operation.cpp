// Addresses and masks of tile operations: checked, told, looked at for polls.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/machine/memory_operation.hpp"

#include "memmodel/assertion.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/watcher.hpp"
#include "sim/execution/control_trail.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/execution/signals.hpp"
#include "sim/execution/thread_state.hpp"
#include "sim/machine/machine_checks.hpp"
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
#include <string_view>
#include <unistd.h>

namespace tilesim::sim {

namespace {

using machine::in;

// Weak scalar loads are watched too: a loop that polls with them is a race, but it must not hang.
constexpr std::size_t longest_poll = 4096;

// Whether addresses[i] == addresses[0] + i * bytes: every unmasked access asks, so it is compiled
// for wider vectors, too.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
[[gnu::target_clones("avx2", "default")]]
#endif
bool consecutive(const std::uintptr_t* addresses, std::size_t count, std::size_t bytes) {
  std::uintptr_t differences = 0;
  std::uintptr_t expected = addresses[0];
  for (std::size_t i = 0; i < count; ++i) {
    differences |= addresses[i] ^ expected;
    expected += bytes;
  }
  return differences == 0;
}

} // namespace

memory_operation::memory_operation(
    sim_thread& t, const machine::access& how, const in& ptrs, const in* mask, access_kind kind)
    : thread_(t)
    , kind_(kind)
    , pointers_(ptrs.type) {
  access_.bytes = ptrs.type->pointee_size;
  access_.count = ptrs.type->count;
  access_.addresses = static_cast<const std::uintptr_t*>(ptrs.data);
  active_ = access_.count;
  begin(how);
  if (mask != nullptr) {
    TILESIM_ASSERT(mask->type->count == 1 || mask->type->count == access_.count,
                   mask->type->count,
                   access_.count);
    const auto* bits = static_cast<const std::uint8_t*>(mask->data);
    if (mask->type->count == 1 && access_.count != 1) {
      if (bits[0] == 0) {
        spread_mask_.assign(access_.count, 0);
        bits = spread_mask_.data();
        active_ = 0;
      } // one true element for all: no mask at all
    } else {
      if (std::memchr(bits, 0, access_.count) != nullptr) {
        active_ = access_.count -
                  static_cast<std::size_t>(std::count(bits, bits + access_.count, std::uint8_t{0}));
      }
    }
    access_.mask = active_ == access_.count ? nullptr : bits;
  }
  follow();
  if (active_ == 0) {
    return;
  }
  if (access_.mask == nullptr) {
    check_contiguous();
  } else {
    check_each();
  }
}

memory_operation::memory_operation(sim_thread& t,
                                   const machine::access& how,
                                   const view_selection& selected,
                                   access_kind kind)
    : thread_(t)
    , kind_(kind)
    , selected_(&selected) {
  access_.bytes = size_of(selected.view().tile->elem);
  access_.count = selected.count();
  active_ = selected.active();
  begin(how);
  const run_desk& state = t.owner->exec->desk();
  // Whoever handles elements one by one gets their addresses; a box is enough for the others.
  if (selected.box() != nullptr && how.order == machine::memory_order::weak &&
      kind != access_kind::read_write && t.owner->exec->memory().takes_boxes() &&
      !state.watchers.wanted().elements && state.following == nullptr && state.values == nullptr &&
      access_.count != 1) {
    access_.box = selected.box();
    check_box();
  } else {
    expand();
    follow();
    if (access_.mask == nullptr) {
      check_contiguous();
    } else {
      check_each();
    }
  }
}

void memory_operation::begin(const machine::access& how) {
  access_.site = thread_.site;
  access_.how = how;
  run_desk& state = thread_.owner->exec->desk();
  ++state.steps;
  state.make_way_for_access(step_kind::memory);
  thread_.owner->exec->memory().settle();
}

void memory_operation::follow() {
  if (control_trail* const trail = thread_.owner->exec->desk().following) {
    trail->accesses(thread_, access_);
  }
}

// The address of every element of a view.
void memory_operation::expand() {
  selected_->expand(spread_addresses_, spread_mask_);
  access_.addresses = spread_addresses_.data();
  access_.mask = active_ == access_.count ? nullptr : spread_mask_.data();
  access_.box = nullptr;
}

// Consecutive addresses, the common case, are checked by their ends.
void memory_operation::check_contiguous() {
  const std::uintptr_t first = access_.addresses[0];
  const std::size_t bytes = access_.bytes;
  access_.contiguous = consecutive(access_.addresses, access_.count, bytes);
  const allocation* a =
      access_.contiguous ? thread_.owner->mem.find(reinterpret_cast<const void*>(first)) : nullptr;
  if (a == nullptr || !a->live || !a->contains(first, access_.count * bytes) ||
      first % bytes != 0) {
    check_each();
  }
}

// So is a box: between its first and its last byte, all belongs to one allocation.
void memory_operation::check_box() {
  if (active_ == 0) {
    return;
  }
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  if (access_.box->range(access_.bytes, begin, end) && begin % access_.bytes == 0) {
    const allocation* a = thread_.owner->mem.find(reinterpret_cast<const void*>(begin));
    if (a != nullptr && a->live && a->contains(begin, end - begin)) {
      return;
    }
  }
  expand();
  check_each();
}

void memory_operation::check_each() {
  const allocation* near = nullptr;
  for (std::size_t i = 0; i < access_.count; ++i) {
    if (access_.mask != nullptr && access_.mask[i] == 0) {
      continue;
    }
    const std::uintptr_t at = access_.addresses[i];
    if (near == nullptr || !near->contains(at, access_.bytes)) {
      const allocation* found = thread_.owner->mem.find(reinterpret_cast<const void*>(at));
      if (!accessible(*thread_.owner, &thread_, at, access_.bytes)) {
        fault(i);
        continue;
      }
      near = found;
    }
    if (at % access_.bytes != 0) {
      fault(i);
    }
  }
}

// As if it were masked off.
void memory_operation::drop(std::size_t i) {
  if (access_.mask == nullptr) {
    spread_mask_.assign(access_.count, 1);
  } else if (access_.mask != spread_mask_.data()) {
    spread_mask_.assign(access_.mask, access_.mask + access_.count);
  }
  TILESIM_ASSERT(i < access_.count && active_ != 0, i, access_.count, active_);
  spread_mask_[i] = 0;
  access_.mask = spread_mask_.data();
  access_.contiguous = false;
  access_.dropped = true;
  --active_;
}

// Which element of which tile; nothing to say of a scalar.
std::string memory_operation::where(std::size_t element) const {
  if (selected_ != nullptr) {
    return element_place(*selected_, element);
  }
  return pointers_->is_scalar ? std::string{}
                              : fmt::format("element {} of {} of pointers",
                                            element_index(pointers_, element),
                                            type_text(*pointers_));
}

// Ends the run, or, of a run that keeps going, leaves the element out. One of an operation is told.
void memory_operation::fault(std::size_t i) {
  context& c = *thread_.owner;
  if (access_.dropped) {
    drop(i);
    return;
  }
  const std::uintptr_t at = access_.addresses[i];
  const bool reachable = accessible(c, &thread_, at, access_.bytes);
  if (!reachable) {
    c.exec->refused({at, access_.bytes, kind_});
  }
  finding_text text =
      reachable
          ? finding_text{.kind = finding_kind::misaligned,
                         .message =
                             fmt::format("{} of {} bytes at {:#x}, which is not a multiple of {}",
                                         name(kind_),
                                         access_.bytes,
                                         at,
                                         access_.bytes),
                         .details = {fmt::format("by {} of {}",
                                                 thread_.name(),
                                                 thread_.launch->kernel.name),
                                     fmt::format("it is {}", describe_address(c, at))},
                         .remedy = "keep pointers aligned to their element's size"}
          : explain(c, &thread_, {at, access_.bytes, kind_});
  if (std::string element = where(i); !element.empty()) {
    text.details.push_back(std::move(element));
  }
  if (pointers_ != nullptr) {
    if (const dependence d = dependence_of(thread_, {pointers_, access_.addresses}); d.of(i)) {
      tell_origin(text, "the address depends", d);
    }
  }
  if (!c.opts.keep_going) {
    c.found.stop(thread_.site, std::move(text));
  }
  c.found.add(thread_.site, std::move(text));
  drop(i);
}

bool memory_operation::would_change(const void* values) const {
  const bool weak = access_.how.order == machine::memory_order::weak;
  if (access_.box != nullptr || (weak ? access_.count != 1 : access_.count > longest_poll)) {
    return true;
  }
  for (std::size_t i = 0; i < access_.count; ++i) {
    if ((access_.mask == nullptr || access_.mask[i] != 0) &&
        std::memcmp(reinterpret_cast<const void*>(access_.addresses[i]),
                    static_cast<const std::byte*>(values) + (i * access_.bytes),
                    access_.bytes) != 0) {
      return true;
    }
  }
  return false;
}

void memory_operation::has_read(const void* values) const {
  if (control_trail* const trail = thread_.owner->exec->desk().following) {
    trail->has_read(thread_, access_, values);
  }
}

void memory_operation::polled(const void* values) const {
  const bool weak = access_.how.order == machine::memory_order::weak;
  if (weak ? access_.count != 1 : access_.count > longest_poll) {
    const std::uintptr_t first = access_.box != nullptr ? access_.box->base : access_.addresses[0];
    sim::polled(thread_,
                {.site = access_.site,
                 .cells = nullptr,
                 .count = 0,
                 .at = first,
                 .elements = access_.count,
                 .operation = thread_.run_operation,
                 .strong = !weak});
    return;
  }
  std::vector<watched_cell> cells;
  for (std::size_t i = 0; i < access_.count; ++i) {
    if (access_.mask == nullptr || access_.mask[i] != 0) {
      watched_cell c{access_.addresses[i], 0, static_cast<std::uint8_t>(access_.bytes)};
      std::memcpy(
          &c.value, static_cast<const std::byte*>(values) + (i * access_.bytes), access_.bytes);
      cells.push_back(c);
    }
  }
  sim::polled(thread_,
              {.site = access_.site,
               .cells = cells.data(),
               .count = cells.size(),
               .operation = thread_.run_operation,
               .strong = !weak});
}

void memory_operation::tell(bool reads, bool writes) const {
  const watcher_list& watchers = thread_.owner->exec->desk().watchers;
  if (!watchers.wanted().accesses) {
    return;
  }
  const memory_event e{.thread = &thread_,
                       .site = access_.site,
                       .how = access_.how,
                       .reads = reads,
                       .writes = writes,
                       .bytes = access_.bytes,
                       .count = static_cast<unsigned>(access_.count),
                       .addresses = access_.addresses,
                       .mask = access_.mask,
                       .contiguous = access_.contiguous,
                       .box = access_.box};
  watchers.tell([&e](watcher& w) { w.memory(e); });
}

} // namespace tilesim::sim
