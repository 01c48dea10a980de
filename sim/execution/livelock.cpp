// What blocks that never end do.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/livelock.hpp"

#include "sim/core/context.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/naming/address_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tilesim::sim {

namespace {

constexpr std::size_t most_threads = 8;
constexpr std::size_t most_accesses = 4; // of a thread

/// What memory holds now, if it is no more than a number.
std::uint64_t value_at(std::uintptr_t address, unsigned bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), std::min<std::size_t>(bytes, 8));
  return value;
}

std::string value_text(std::uintptr_t address, unsigned bytes) {
  return bytes > sizeof(std::uint64_t) ? std::string{}
                                       : fmt::format(", which is {} now", value_at(address, bytes));
}

} // namespace

void busy_record::memory(const memory_event& e) {
  thread_record& t = threads_[e.thread->number];
  if (t.name.empty()) {
    t.name = fmt::format("{} of {}", e.thread->name(), e.thread->launch->kernel.name);
  }
  for (unsigned i = 0; i < e.count; ++i) {
    if (e.mask == nullptr || e.mask[i] != 0) {
      access_count& a = t.accesses[{e.site, e.addresses[i], e.bytes, e.reads, e.writes}];
      const std::uint64_t now = value_at(e.addresses[i], e.bytes);
      a.constant = a.constant && (a.times == 0 || a.value == now);
      a.value = now;
      a.polls = e.reads && e.how.order != machine::memory_order::weak;
      ++a.times;
      break; // one element tells which memory it is
    }
  }
}

bool busy_record::all_wait() const {
  constexpr std::size_t most_places = 64;
  constexpr std::uint64_t often = 32;
  return !threads_.empty() && std::ranges::all_of(threads_, [](const auto& numbered) {
    const auto& accesses = numbered.second.accesses;
    return accesses.size() <= most_places && std::ranges::any_of(accesses, [](const auto& a) {
             return a.second.polls && a.second.constant && a.second.times >= often;
           });
  });
}

std::vector<std::string> busy_record::lines() const {
  std::vector<std::string> text;
  for (const auto& [number, t] : threads_) {
    if (text.size() >= most_threads * (1 + most_accesses)) {
      text.push_back(fmt::format("and more: {} blocks or threads in all", threads_.size()));
      break;
    }
    text.push_back(t.name + " goes on and on:");
    std::vector<std::pair<std::uint64_t, decltype(t.accesses)::key_type>> often;
    for (const auto& [access, count] : t.accesses) {
      often.emplace_back(count.times, access);
    }
    std::ranges::stable_sort(often, std::greater{}, [](const auto& a) { return a.first; });
    for (std::size_t i = 0; i < std::min(often.size(), most_accesses); ++i) {
      const auto& [site, address, bytes, reads, writes] = often[i].second;
      text.push_back(fmt::format("    it {} {} at {}{}",
                                 reads && writes ? "updates"
                                 : reads         ? "reads"
                                                 : "writes",
                                 describe_address(context_, address),
                                 place(site),
                                 value_text(address, bytes)));
    }
  }
  return text;
}

} // namespace tilesim::sim
