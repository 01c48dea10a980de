// Following what has been written at all. Raw accesses write, too: without hooks nobody knows.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/definedness.hpp"

#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/memory/block_memory.hpp"
#include "sim/memory/judging.hpp"
#include "sim/memory/tile_box.hpp"
#include "sim/naming/address_report.hpp"
#include "sim/naming/buffer_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

namespace tilesim::sim {

namespace {

struct part_of_array {
  std::uintptr_t at;
  std::size_t bytes;
};

/// The first unwritten byte of a range in an array of such elements that is not their padding.
std::optional<std::uintptr_t> first_value(written_memory& known,
                                          const step::pointed_element& element,
                                          std::uintptr_t array,
                                          part_of_array in) {
  const std::uintptr_t end = in.at + in.bytes;
  std::uintptr_t from = in.at;
  while (const auto missing = known.first_unwritten(from, end - from)) {
    if (!std::ranges::binary_search(element.padding, (*missing - array) % element.bytes)) {
      return missing;
    }
    from = *missing + 1;
  }
  return std::nullopt;
}

} // namespace

definedness::definedness(context& c, bool reports)
    : context_(c)
    , known_(c.mem, c.shared)
    , reports_(reports) {}

void definedness::memory(const memory_event& e) {
  if (e.raw) {
    access_raw(e);
    return;
  }
  if (e.box != nullptr) {
    for_each_run(*e.box, e.bytes, [&](std::size_t first, std::uintptr_t at, std::size_t count) {
      access(e, {at, first, count});
    });
    return;
  }
  const std::size_t step = e.contiguous ? e.count : 1;
  for (std::size_t i = 0; i < e.count; i += step) {
    if (e.mask == nullptr || e.mask[i] != 0) {
      access(e, {e.addresses[i], i, step});
    }
  }
}

void definedness::access(const memory_event& e, const row& r) {
  if (known_.settled(r.address)) {
    return;
  }
  const std::size_t bytes = r.count * e.bytes;
  if (e.reads) {
    if (const auto missing = known_.first_unwritten(r.address, bytes);
        missing && !only_writes(e) && is_new(e.site) && holds_nothing(e, *missing)) {
      const std::size_t element = (*missing - r.address) / e.bytes;
      tell(e.site,
           r.address + (element * e.bytes),
           fmt::format("{} of {} bytes", e.writes ? "update" : "read", e.bytes),
           fmt::format("element {}, by {} of {}",
                       r.first + element,
                       e.thread->name(),
                       e.thread->launch->kernel.name));
    }
  }
  if (e.writes) {
    known_.write(r.address, bytes);
  }
}

// Structs are copied with their padding, and with members that they do not need: of large pieces
// only those count of which nothing has been written; not of atomic ones. What copies read is
// looked at in copied().
void definedness::access_raw(const memory_event& e) {
  constexpr std::size_t largest_scalar = 8;
  const std::uintptr_t at = e.addresses[0];
  if (e.reads) {
    auto missing = known_.first_unwritten(at, e.bytes);
    if (missing && e.how.order == machine::memory_order::weak &&
        !known_.all_unwritten(at, e.bytes)) {
      missing = e.bytes > largest_scalar || !is_new(e.site) ? std::nullopt
                                                            : missing_value(at, e.bytes, e.site);
    }
    if (missing && !only_writes(e) && is_new(e.site) && holds_nothing(e, *missing)) {
      tell(e.site,
           *missing,
           fmt::format("{} of {} bytes", e.writes ? "update" : "read", e.bytes),
           fmt::format("by {} of {}", e.thread->name(), e.thread->launch->kernel.name));
    }
  }
  if (e.writes) {
    known_.write(at, e.bytes);
  }
}

// An update is told when it has changed its places: a tile's many, a thread's one.
bool definedness::holds_nothing(const memory_event& e, std::uintptr_t missing) {
  if (e.writes) {
    return !e.raw || !known_.written_unseen(missing, e.addresses[0], e.bytes);
  }
  return !known_.written_unseen(missing); // the places of a box have no list
}

void definedness::host_access(const host_event& e) {
  if (e.writes) {
    known_.write(e.address, e.bytes);
  }
}

// Bytes that nothing has written stay so in another place; the host is where that comes to light.
void definedness::copied(const copy_event& e) {
  e.each_row([&](const unsigned char* to_row, const unsigned char* from_row) {
    const auto to = reinterpret_cast<std::uintptr_t>(to_row);
    const auto from = reinterpret_cast<std::uintptr_t>(from_row);
    known_.copy(to, from, e.width);
    if (known_.follows(to)) {
      return;
    }
    if (!known_.first_unwritten(from, e.width) || !is_new(e.site)) {
      return;
    }
    if (const auto missing = missing_value(from, e.width, e.site);
        missing && !known_.written_unseen(*missing)) {
      tell(e.site, *missing, fmt::format("{} copies bytes to the host", e.by), {});
    }
  });
}

const step::pointed_element* definedness::layout_of(std::uintptr_t address, const void* site) {
  const allocation* const a = context_.mem.find(reinterpret_cast<const void*>(address));
  if (a == nullptr || no_layout_.contains({a->id, site})) {
    return nullptr;
  }
  const auto known = layouts_.find(a->id);
  if (known != layouts_.end()) {
    return &known->second;
  }
  step::pointed_element e = element_of(context_, execution::current(), *a);
  if (e.bytes <= 1) { // bytes hold anything
    no_layout_.insert({a->id, site});
    return nullptr;
  }
  return &(layouts_[a->id] = std::move(e));
}

std::optional<std::uintptr_t>
definedness::missing_value(std::uintptr_t at, std::size_t bytes, const void* site) {
  if (const step::pointed_element* const layout = layout_of(at, site)) {
    return first_value(known_, *layout, start_of(at), {at, bytes});
  }
  constexpr std::size_t largest_scalar = 8;
  const std::uintptr_t end = at + bytes;
  std::uintptr_t from = at;
  while (const auto missing = known_.first_unwritten(from, end - from)) {
    const std::size_t run =
        known_.unwritten_from(*missing, std::min(end - *missing, largest_scalar));
    // Behind what has been written, up to where a larger value may begin.
    if (*missing == at || run == largest_scalar || (*missing + run) % std::bit_ceil(run + 1) != 0) {
      return missing;
    }
    from = *missing + run;
  }
  return std::nullopt;
}

std::uintptr_t definedness::start_of(std::uintptr_t address) const {
  return context_.mem.find(reinterpret_cast<const void*>(address))->begin;
}

void definedness::freed(const allocation& a) {
  known_.forget(a.begin);
  layouts_.erase(a.id);
}

void definedness::block_ends(const thread_block& b) {
  if (b.memory != nullptr) {
    for (const shared_object& o : b.memory->objects) {
      known_.forget(o.begin);
    }
  }
}

bool definedness::is_new(const void* site) {
  return reports_ && code_is_hooked() &&
         !context_.found.repeated(site, finding_kind::uninitialised_read);
}

bool definedness::only_writes(const memory_event& e) {
  return e.writes && reports_ && dropped_.of(e.site);
}

void definedness::tell(const void* site,
                       std::uintptr_t address,
                       const std::string& what,
                       const std::string& who) {
  finding_text f;
  f.kind = finding_kind::uninitialised_read;
  f.message = fmt::format("{} that nothing has written", what);
  if (!who.empty()) {
    f.details.push_back(who);
  }
  f.details.push_back(fmt::format("it is {}", describe_address(context_, address)));
  f.remedy = context_.shared.holds(address)
                 ? "write it first: what a block's shared memory holds at first is undefined"
                 : "write it first: cudaMemset, a copy, or a kernel before";
  if (const allocation* const a = context_.mem.find(reinterpret_cast<const void*>(address))) {
    f.memory = {.address = a->begin, .bytes = a->size}; // nobody has written the element itself
  }
  context_.found.add(site, std::move(f));
}

definedness& definedness_of(context& c) {
  if (auto* const known = c.exec->watchers().find<definedness>()) {
    return *known;
  }
  return static_cast<definedness&>(c.exec->attach(std::make_unique<definedness>(c, false)));
}

} // namespace tilesim::sim
