// Several runs of a program in one recording.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/events.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace tilesim::gpu {

/// Runs the program so often as --runs or $TILESIM_RECORD_RUNS says, and does not come back in the
/// process that has been started, but in those of the runs; once: comes back.
void run_several(char** words);

/// Which run this is, from 0.
[[nodiscard]] std::uint64_t run_number();

/// What the first run's pages were, for the later ones: of large memory they record what differs.
class first_run {
public:
  first_run();
  /// Of memory so large: pages of the first run are noted, those of later ones held against them.
  [[nodiscard]] bool concerns(std::size_t bytes) const noexcept;
  /// In the first run: what it records there, page by page.
  void note(content_event::when is,
            std::uint64_t launches,
            std::uint64_t memory,
            std::uint64_t offset,
            std::span<const std::byte> content);
  /// In a later one: had the first run, after as many launches, the same page there?
  [[nodiscard]] bool had(content_event::when is,
                         std::uint64_t launches,
                         std::uint64_t memory,
                         std::uint64_t offset,
                         std::uint64_t bytes,
                         std::uint64_t hash) const;
  [[nodiscard]] static bool is_first() noexcept { return run_number() == 0; }
  /// The first run is over: others may read what it was.
  void save();

private:
  struct page {
    std::uint64_t is, launches, memory, offset, bytes;

    friend bool operator==(const page&, const page&) = default;
  };
  struct page_hash {
    std::size_t operator()(const page& p) const noexcept;
  };
  struct noted {
    page at;
    std::uint64_t hash;
  };

  int file_ = -1; ///< in memory, for all runs
  std::vector<noted> noted_;
  std::unordered_map<page, std::uint64_t, page_hash> pages_;
};

} // namespace tilesim::gpu
