// Boxes: elements of a tile that stand in memory at fixed distances along each dimension.
//
// What a partition or strided view selects is a box. Weak accesses of a box are copies of whole
// rows, with no address per element. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilesim::sim {

/// Element (j0, j1, …) of a packed row-major tile stands at base + j0·strides[0] + j1·strides[1] +
/// … and is accessed if j_k < inside[k] for every k.
struct tile_box {
  /// A tile has at most 2^24 elements, and dimensions of one element are left out.
  static constexpr unsigned max_rank = 24;

  std::uintptr_t base = 0;
  unsigned rank = 0;
  bool empty = false; ///< nothing is accessed, whatever `inside` says
  std::uint32_t extents[max_rank];
  std::uint32_t inside[max_rank];  ///< at least 1 unless empty
  std::uint64_t strides[max_rank]; ///< bytes, modulo 2^64

  /// Appends a dimension, joined with the one before it where rows follow one another.
  void append(std::uint32_t extent, std::uint32_t within, std::uint64_t stride) noexcept;

  /// How many elements are accessed.
  [[nodiscard]] std::size_t active() const noexcept;

  /// Puts into `begin` and `end` the range of bytes that hold all accessed elements of this size.
  /// False if it leaves the address space; meaningless for an empty box.
  [[nodiscard]] bool
  range(unsigned bytes, std::uintptr_t& begin, std::uintptr_t& end) const noexcept;
};

/// Memory to tile: what is not accessed is left alone in `tile`.
void read_box(const tile_box& box, unsigned bytes, std::byte* tile) noexcept;
/// Tile to memory.
void write_box(const tile_box& box, unsigned bytes, const std::byte* tile) noexcept;

} // namespace tilesim::sim
