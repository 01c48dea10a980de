// What strong writes have overwritten, and who has seen what of it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/detect/write_history.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tilesim::sim::detect {

const write_histories::place* write_histories::find(std::uintptr_t address,
                                                    std::uint32_t bytes) const {
  const auto found = groups_.find(address >> 3U);
  if (found == groups_.end()) {
    return nullptr;
  }
  const auto at = std::ranges::find(found->second, address, &place::address);
  return at == found->second.end() || at->bytes != bytes || at->several_sizes ? nullptr : &*at;
}

bool write_histories::has_several_sizes(std::uintptr_t address, std::uint32_t bytes) const {
  const auto found = groups_.find(address >> 3U);
  return found != groups_.end() && std::ranges::any_of(found->second, [&](const place& p) {
           return p.several_sizes && p.address < address + bytes && address < p.address + p.bytes;
         });
}

older_bound write_histories::bound_of(const place& p,
                                      std::size_t first,
                                      const write_name* hides,
                                      const mark* seen) {
  older_bound b{.hidden = first};
  if (seen != nullptr) {
    const std::size_t number = seen->seen - p.dropped;
    b.why = older_bound::cause::read;
    b.by = seen->by;
    b.seen = number == p.older.size() ? p.newest : p.older[number].name;
  } else if (hides != nullptr) {
    b.why = older_bound::cause::write;
    b.by = *hides;
  } else if (p.dropped != 0) {
    b.why = older_bound::cause::forgotten;
  }
  return b;
}

/// A place that is a range's own, of which something is known or was: of several sizes, if it
/// overlaps others.
write_histories::place& write_histories::made(std::uintptr_t address, std::uint32_t bytes) {
  group& g = groups_[address >> 3U];
  if (const auto at = std::ranges::find_if(
          g, [&](const place& p) { return p.address == address && p.bytes == bytes; });
      at != g.end()) {
    return *at;
  }
  place fresh;
  fresh.address = address;
  fresh.bytes = bytes;
  for (place& p : g) {
    if (p.address < address + bytes && address < p.address + p.bytes) {
      drop(p);
      p.several_sizes = fresh.several_sizes = true;
    }
  }
  return g.emplace_back(std::move(fresh));
}

template <class F>
void write_histories::each_overlapping(std::uintptr_t begin, std::uintptr_t end, F f) {
  const auto look = [&](group& g) {
    std::erase_if(g,
                  [&](place& p) { return p.address < end && p.address + p.bytes > begin && f(p); });
  };
  if ((end - begin) >> 3U > groups_.size()) { // of much memory those that there are
    for (auto& [number, g] : groups_) {
      look(g);
    }
    return;
  }
  for (std::uintptr_t number = begin >> 3U; number <= (end - 1) >> 3U; ++number) {
    if (const auto found = groups_.find(number); found != groups_.end()) {
      look(found->second);
    }
  }
}

void write_histories::drop(place& p) {
  kept_ -= p.older.size();
  p.older.clear();
  p.readers.clear();
  if (!p.late.empty()) {
    forgotten_late_.add(p.late.back().second);
    p.late.clear();
    std::erase(late_places_, std::pair(p.address, p.bytes));
  }
}

/// Some writes behind those that reads took are kept no longer.
void write_histories::forget_late(place& p) {
  while (!p.late.empty() && p.late.front().first < p.dropped) {
    forgotten_late_.add(p.late.front().second);
    p.late.erase(p.late.begin());
    if (p.late.empty()) {
      std::erase(late_places_, std::pair(p.address, p.bytes));
    }
  }
}

bool write_histories::written(std::uintptr_t address,
                              std::uint32_t bytes,
                              write_name by,
                              std::uint64_t before) {
  place& p = made(address, bytes);
  if (p.several_sizes) {
    return true;
  }
  if (p.older.size() == most_older) {
    p.older.erase(p.older.begin());
    ++p.dropped;
    --kept_;
    for (auto& [agent, marks] : p.readers) {
      std::erase_if(marks, [&](const mark& m) { return m.seen <= p.dropped; });
    }
    forget_late(p);
  }
  p.older.push_back({p.newest, before});
  p.newest = by;
  return ++kept_ <= most_kept;
}

write_name write_histories::newest(std::uintptr_t address, std::uint32_t bytes) const {
  const place* const p = find(address, bytes);
  return p == nullptr ? write_name{} : p->newest;
}

void write_histories::observed(
    std::uintptr_t address, std::uint32_t bytes, agent_id agent, write_name by, write_name seen) {
  if (seen.operation == 0 || find(address, bytes) == nullptr) {
    return;
  }
  place& p = made(address, bytes);
  std::size_t number = p.dropped + p.older.size();
  if (seen != p.newest) {
    const auto at = std::ranges::find(p.older, seen, &older_value::name);
    if (at == p.older.end()) {
      return;
    }
    number = p.dropped + static_cast<std::size_t>(at - p.older.begin());
  }
  std::vector<mark>& marks = p.readers[agent];
  // Who comes after the later read comes after the earlier one; not so elements of one operation.
  if (marks.empty() || marks.back().by.operation == by.operation || marks.back().seen < number) {
    marks.push_back({by, number});
  }
}

void write_histories::read_behind_fences(std::uintptr_t address,
                                         std::uint32_t bytes,
                                         write_name source,
                                         const detect::place& by,
                                         const fence_clocks& past) {
  if (find(address, bytes) == nullptr) {
    return;
  }
  place& p = made(address, bytes);
  const auto at = std::ranges::find(p.older, source, &older_value::name);
  if (at == p.older.end()) {
    return;
  }
  const std::size_t number = p.dropped + static_cast<std::size_t>(at - p.older.begin());
  if (p.late.empty()) {
    late_places_.emplace_back(address, bytes);
  }
  auto from = std::ranges::lower_bound(p.late, number, {}, [](const auto& l) { return l.first; });
  if (from == p.late.end() || from->first != number) {
    from = p.late.insert(
        from, {number, from == p.late.begin() ? late_fences{} : std::prev(from)->second});
  }
  for (; from != p.late.end(); ++from) {
    from->second.add(by, past);
  }
}

late_fences write_histories::all_late_fences() const {
  late_fences all = forgotten_late_;
  for (const auto& [address, bytes] : late_places_) {
    all.add(find(address, bytes)->late.back().second);
  }
  return all;
}

void write_histories::accessed(std::uintptr_t address, std::uint32_t bytes) {
  static_cast<void>(made(address, bytes));
}

void write_histories::overwritten(std::uintptr_t address, std::size_t bytes) {
  each_overlapping(address, address + bytes, [&](place& p) {
    drop(p);
    // Where some bytes stay, who reads them all may still observe what was written before.
    const bool whole = p.address >= address && p.address + p.bytes <= address + bytes;
    p.several_sizes = p.several_sizes || !whole;
    return !p.several_sizes;
  });
}

void write_histories::forget(std::uintptr_t begin, std::uintptr_t end) {
  each_overlapping(begin, end, [&](place& p) {
    drop(p);
    return true;
  });
}

} // namespace tilesim::sim::detect
