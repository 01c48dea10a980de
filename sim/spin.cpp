// Recognising spin loops.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/spin.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tilesim::sim {

namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) noexcept {
  hash ^= value + 0x9e3779b97f4a7c15U + (hash << 6U) + (hash >> 2U);
  return hash * 0xff51afd7ed558ccdU;
}

} // namespace

bool watched_cell::changed() const noexcept {
  // Another thread of the host may write it meanwhile.
  switch (size) {
  case 1:
    return __atomic_load_n(reinterpret_cast<const std::uint8_t*>(address), __ATOMIC_SEQ_CST) !=
           value;
  case 2:
    return __atomic_load_n(reinterpret_cast<const std::uint16_t*>(address), __ATOMIC_SEQ_CST) !=
           value;
  case 4:
    return __atomic_load_n(reinterpret_cast<const std::uint32_t*>(address), __ATOMIC_SEQ_CST) !=
           value;
  case 8:
    return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(address), __ATOMIC_SEQ_CST) !=
           value;
  default: {
    std::uint64_t now = 0;
    std::memcpy(&now, reinterpret_cast<const void*>(address), size);
    return now != value;
  }
  }
}

bool spin_detector::value_changed() const noexcept {
  return std::any_of(
      watched_.begin(), watched_.end(), [](const watched_cell& c) { return c.changed(); });
}

bool spin_detector::polled(const void* site, const watched_cell* cells, std::size_t count) {
  ++polls_;
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(site);
  for (std::size_t i = 0; i < count; ++i) {
    hash = mix(mix(hash, cells[i].address), cells[i].value);
  }
  const auto seen = std::find_if(trail_.begin(), trail_.end(), [&](const observation& o) {
    return o.site == site && o.hash == hash;
  });
  if (seen == trail_.end()) {
    if (trail_.size() == longest_cycle) {
      trail_.erase(trail_.begin());
    }
    trail_.push_back({site, hash, polls_, {cells, cells + count}});
    repeats_ = 0;
    return false;
  }
  const std::uint64_t before = std::exchange(seen->last_seen, polls_);
  if (++repeats_ < patience_) {
    return false;
  }
  // Once around: the loop's polls are those made since this one was made the last time.
  watched_.clear();
  for (const observation& o : trail_) {
    if (o.last_seen > before) {
      watched_.insert(watched_.end(), o.cells.begin(), o.cells.end());
    }
  }
  return !value_changed();
}

void spin_detector::wake(bool stalled) noexcept {
  repeats_ = 0;
  if (stalled) {
    patience_ = std::min(patience_ * 8, last_patience);
  } else {
    trail_.clear();
    patience_ = first_patience;
  }
}

} // namespace tilesim::sim
