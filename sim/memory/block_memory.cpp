// Regions of shared memory, one behind the other.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/block_memory.hpp"

#include "memmodel/assertion.hpp"
#include "sim/memory/judging.hpp"
#include "sim/memory/round_up.hpp"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace tilesim::sim {

namespace {

constexpr std::size_t most_aligned = 16; ///< what nobody asks for more than, as a rule
/// In front of the first variable.
constexpr std::size_t lead = std::size_t{16} << 10U;

/// Behind a variable: so much of what an index that leaves it may reach is no other one's. All of
/// the largest block's with these gaps fit a region.
std::size_t gap_behind(std::size_t bytes) {
  constexpr std::size_t least = 256;
  constexpr std::size_t most = std::size_t{8} << 10U;
  return std::clamp(bytes, least, most);
}

} // namespace

block_memories::~block_memories() {
  if (begin_ != 0) {
    munmap(reinterpret_cast<void*>(begin_), region_bytes * most_regions);
  }
}

block_memory* block_memories::take(std::uint64_t block, std::string owner) {
  if (begin_ == 0) {
    void* const at = mmap(nullptr,
                          region_bytes * most_regions,
                          PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                          -1,
                          0);
    if (at == MAP_FAILED) {
      return nullptr;
    }
    begin_ = reinterpret_cast<std::uintptr_t>(at);
  }
  // Where accesses are seen, a region stays nobody's for a while: stale pointers are told by that.
  const std::size_t kept = code_is_hooked() ? 64 : 0;
  if (free_.empty() || (free_.size() <= kept && regions_.size() < most_regions)) {
    if (regions_.size() == most_regions) {
      return nullptr;
    }
    regions_.push_back({.begin = begin_ + (regions_.size() * region_bytes),
                        .mapped = 0,
                        .used = 0,
                        .block = 0,
                        .owner = {},
                        .fixed_bytes = 0,
                        .objects = {}});
    free_.push_front(&regions_.back());
  }
  block_memory& m = *free_.front();
  free_.pop_front();
  m.block = block;
  m.owner = std::move(owner);
  m.used = lead;
  m.fixed_bytes = 0;
  m.objects.clear();
  return &m;
}

void block_memories::give_back(block_memory& m) noexcept {
  TILESIM_ASSERT(m.block != 0, m.begin);
  m.block = 0;
  free_.push_back(&m); // the objects stay, for those who still point to them
}

shared_object block_memories::add(block_memory& m,
                                  const detail::shared_variable& v,
                                  std::size_t bytes,
                                  bool dynamic,
                                  const void* site) {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t alignment = std::max(v.alignment, most_aligned);
  const std::size_t from = round_up(m.used, alignment);
  const std::size_t gap = gap_behind(bytes);
  const std::size_t needed = round_up(from + bytes + gap, page);
  if (from + bytes < bytes || needed > region_bytes - page) { // a page that is nobody's behind it
    return {};
  }
  if (needed > m.mapped) {
    if (mprotect(reinterpret_cast<void*>(m.begin), needed, PROT_READ | PROT_WRITE) != 0) {
      return {};
    }
    m.mapped = needed;
  }
  m.used = from + bytes + gap;
  m.fixed_bytes += dynamic ? 0 : bytes;
  const shared_object made{m.begin + from, bytes, &v, site, dynamic};
  std::memset(reinterpret_cast<void*>(made.begin), static_cast<int>(fresh), bytes);
  m.objects.push_back(made);
  return made;
}

const block_memory* block_memories::region(std::uintptr_t address) const noexcept {
  if (!holds(address)) {
    return nullptr;
  }
  const std::size_t n = (address - begin_) / region_bytes;
  return n < regions_.size() ? &regions_[n] : nullptr;
}

const shared_object* block_memories::find(std::uintptr_t address) const noexcept {
  const block_memory* const m = region(address);
  if (m == nullptr || m->block == 0) {
    return nullptr;
  }
  const auto at = std::ranges::find_if(
      m->objects, [address](const shared_object& o) { return o.contains(address); });
  return at == m->objects.end() ? nullptr : &*at;
}

} // namespace tilesim::sim
