// Spin loops: a thread that polls sleeps until what it polls changes.
//
// A thread polls when an operation at the same place sees the same values again and it has changed
// nothing in memory since. The values that it saw since then are what it waits for. A loop that
// counts its polls would end by itself, so a sleeper is given more patience each time that everyone
// sleeps; only when that is spent is it a deadlock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tilesim::sim {

/// One element that a poll read.
struct watched_cell {
  std::uintptr_t address;
  std::uint64_t value; ///< the bytes seen, zero-extended
  std::uint8_t size;

  /// True if memory now holds something else.
  [[nodiscard]] bool changed() const noexcept;
};

class spin_detector {
public:
  /// Records a poll: what an operation at `site` read without changing memory. Returns true if the
  /// thread should sleep on watched().
  bool polled(const void* site, const watched_cell* cells, std::size_t count);

  /// The thread has changed memory: whatever it polls next is new.
  void progressed() noexcept {
    trail_.clear();
    repeats_ = 0;
    patience_ = first_patience;
  }

  /// What the sleeping thread waits for.
  [[nodiscard]] const std::vector<watched_cell>& watched() const noexcept { return watched_; }
  [[nodiscard]] bool value_changed() const noexcept;

  /// Ends a sleep. `stalled`: nothing has changed, but everyone sleeps.
  void wake(bool stalled) noexcept;

  /// A loop that counts its polls may be expected to end within so many.
  static constexpr unsigned last_patience = 1U << 20U;

  /// True if the thread has polled so often since memory changed.
  [[nodiscard]] bool exhausted(unsigned most = last_patience) const noexcept {
    return patience_ >= (most < last_patience ? most : last_patience);
  }
  /// True if it sleeps for the first time since it, or somebody else, changed memory.
  [[nodiscard]] bool just_asleep() const noexcept { return patience_ == first_patience; }

private:
  struct observation {
    const void* site;
    std::uint64_t hash;
    std::uint64_t last_seen; ///< poll number
    std::vector<watched_cell> cells;
  };

  static constexpr unsigned first_patience = 2;
  static constexpr std::size_t longest_cycle = 16;

  std::vector<observation> trail_;
  std::vector<watched_cell> watched_;
  std::uint64_t polls_ = 0;
  unsigned repeats_ = 0;
  unsigned patience_ = first_patience;
};

} // namespace tilesim::sim
