// Pages against hashes.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/held_memory.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <set>
#include <xxhash.h>

namespace tilesim::sim::compare {

void take_pages(const fed_pages& pages, held_memory& m) {
  const std::size_t end = pages.offset + pages.bytes;
  std::size_t begin = pages.offset;
  for (const std::uint64_t hash : pages.hashes) {
    const std::size_t behind = std::min<std::size_t>(end, begin + fed_pages::page_bytes);
    const auto page = m.now().subspan(begin, behind - begin);
    if (XXH64(page.data(), page.size(), 0) != hash) {
      m.unlike.push_back({begin, behind});
    }
    std::ranges::copy(page, m.expected.begin() + static_cast<std::ptrdiff_t>(begin));
    begin = behind;
  }
}

void unlike_memory::add(unsigned allocation, const byte_range& range) {
  settle(allocation, range);
  ranges_[allocation].push_back(range);
}

void unlike_memory::settle(unsigned allocation, const byte_range& range) {
  const auto it = ranges_.find(allocation);
  if (it == ranges_.end()) {
    return;
  }
  std::erase_if(it->second,
                [&](const byte_range& r) { return range.begin <= r.begin && r.end <= range.end; });
  if (it->second.empty()) {
    ranges_.erase(it);
  }
}

void unlike_memory::keep_live(const std::vector<const allocation*>& live) {
  if (ranges_.empty()) {
    return;
  }
  std::set<unsigned> ids;
  for (const allocation* a : live) {
    ids.insert(a->id);
  }
  std::erase_if(ranges_, [&](const auto& it) {
    return it.first < first_variable && !ids.contains(it.first);
  });
}

} // namespace tilesim::sim::compare
