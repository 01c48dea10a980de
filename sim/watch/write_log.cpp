// Noting writes.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/write_log.hpp"

#include "sim/core/thread.hpp"

namespace tilesim::sim {

void write_log::note(const memory_event& e) {
  if (!e.writes) {
    return;
  }
  operations_.add({.site = e.site, .operation = nullptr, .thread = e.thread->number});
  if (const auto [it, added] = names_.try_emplace(e.thread->number); added) {
    it->second = {e.thread->name(), e.thread->launch->id};
  }
  const auto number = static_cast<std::uint32_t>(operations_.count());
  for (unsigned i = 0; i < e.count; ++i) {
    if (e.mask == nullptr || e.mask[i] != 0) {
      bytes_.wrote(e.addresses[i], e.bytes, number);
    }
  }
}

std::optional<write_log::writer> write_log::last(std::uintptr_t address) const {
  const auto by = operations_.find(bytes_.of(address));
  const auto name = by ? names_.find(by->thread) : names_.end();
  return name == names_.end()
             ? std::nullopt
             : std::optional(writer{
                   .site = by->site, .block = name->second.block, .launch = name->second.launch});
}

} // namespace tilesim::sim
