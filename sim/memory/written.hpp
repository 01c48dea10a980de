// Which bytes of device memory have been written since they were allocated.
//
// cudaMalloc's memory holds anything at all until something is written to it.  [CUDA Runtime API:
// cudaMalloc] So does shared memory when a block begins. Managed, pinned and registered memory is
// not followed: host code writes there, partly where nobody sees it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/memory/allocations.hpp"
#include "sim/memory/block_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tilesim::sim {

class written_memory {
public:
  written_memory(const allocations& m, const block_memories& shared)
      : memory_(m)
      , shared_(shared) {}

  /// The bytes have been written. Those that are not followed are ignored.
  void write(std::uintptr_t address, std::size_t bytes);
  /// The bytes at `to` are now what those at `from` are, written or not.
  void copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);
  /// An allocation ceases to be.
  void forget(std::uintptr_t begin);

  /// The first byte of a range, within one allocation, that nothing has written.
  [[nodiscard]] std::optional<std::uintptr_t> first_unwritten(std::uintptr_t address,
                                                              std::size_t bytes);
  /// How many bytes from here on nothing has written, within one allocation and up to `most`.
  [[nodiscard]] std::size_t unwritten_from(std::uintptr_t address, std::size_t most);
  /// Whether a range has not a single byte that something has written.
  [[nodiscard]] bool all_unwritten(std::uintptr_t address, std::size_t bytes);
  /// Whether this allocation has bytes that nothing is known to have written and that hold
  /// something else than at first, `own_bytes` from `own` on apart, which an access that is being
  /// told may have changed. Then there are stores that no hook reports (g++'s of what a call
  /// returns), and all of it counts as written. Device memory is open (allocations::open).
  [[nodiscard]] bool
  written_unseen(std::uintptr_t address, std::uintptr_t own = 0, std::size_t own_bytes = 0);
  /// Whether an address is known to be in an allocation that has been written to its last byte.
  [[nodiscard]] bool settled(std::uintptr_t address) const noexcept {
    return last_ != nullptr && address - last_->begin < last_->end - last_->begin &&
           last_->unwritten == 0;
  }
  /// Whether an address is in memory that is followed.
  [[nodiscard]] bool follows(std::uintptr_t address) { return find(address) != nullptr; }

private:
  struct bitmap {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::size_t unwritten = 0;       ///< bytes; 0: nothing left to follow
    std::vector<std::uint64_t> bits; ///< one per byte, 1: written
    std::byte fresh{};               ///< what each byte holds at first

    [[nodiscard]] bool has(std::size_t byte) const noexcept {
      return (bits[byte / 64] >> (byte % 64) & 1U) != 0;
    }
    void set(std::size_t from, std::size_t to);
    void clear(std::size_t byte);
  };

  /// The bitmap of followed memory; nullptr for other memory.
  [[nodiscard]] bitmap* find(std::uintptr_t address);
  [[nodiscard]] bitmap* find_before_last(std::uintptr_t address);
  [[nodiscard]] bitmap* find_allocation(std::uintptr_t address);

  const allocations& memory_;
  const block_memories& shared_;
  std::map<std::uintptr_t, bitmap> maps_; ///< by the allocation's begin
  bitmap* last_ = nullptr;
  bitmap* before_last_ = nullptr; ///< kernels read here and write there in turn
};

} // namespace tilesim::sim
