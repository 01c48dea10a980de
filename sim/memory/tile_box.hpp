// Boxes: elements of a tile that stand in memory at fixed distances along each dimension.
//
// What a partition or strided view selects is a box. Weak accesses of a box are copies of whole
// rows, with no address per element.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilesim::sim {

/// Element (j0, j1, …) of a packed row-major tile stands at base + j0·strides[0] + j1·strides[1] +
/// … and is accessed if j_k < inside[k] for every k.
// Of the arrays, `rank` elements mean something: zeroing all would cost more than a small access.
struct tile_box { // NOLINT(cppcoreguidelines-pro-type-member-init)
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

/// Calls row(tile offset in elements, address) for every accessed row: the accessed elements that
/// differ in the last dimension only.
template <class Row>
void for_each_row(const tile_box& box, Row&& row) {
  if (box.empty) {
    return;
  }
  if (box.rank <= 1) {
    row(std::size_t{0}, box.base);
    return;
  }
  const unsigned outer = box.rank - 1;
  std::size_t pitch[tile_box::max_rank]; // elements of the tile per step of each dimension
  pitch[outer] = 1;
  for (unsigned k = outer; k-- > 0;) {
    pitch[k] = pitch[k + 1] * box.extents[k + 1];
  }
  std::uint32_t index[tile_box::max_rank] = {};
  std::size_t offset = 0;
  std::uintptr_t address = box.base;
  while (true) {
    row(offset, address);
    unsigned k = outer - 1;
    while (++index[k] == box.inside[k]) {
      offset -= pitch[k] * (box.inside[k] - 1);
      address -= box.strides[k] * (box.inside[k] - 1);
      index[k] = 0;
      if (k-- == 0) {
        return;
      }
    }
    offset += pitch[k];
    address += box.strides[k];
  }
}

/// Calls run(tile offset in elements, address, elements) for every accessed run of elements that
/// lie one behind the other: whole rows, or, where those of a row lie apart, each element.
template <class Run>
void for_each_run(const tile_box& box, unsigned bytes, Run&& run) {
  const std::size_t length = box.rank == 0 ? 1 : box.inside[box.rank - 1];
  const std::uint64_t stride = box.rank == 0 ? bytes : box.strides[box.rank - 1];
  for_each_row(box, [&](std::size_t offset, std::uintptr_t at) {
    if (stride == bytes) {
      run(offset, at, length);
      return;
    }
    for (std::size_t i = 0; i < length; ++i, at += stride) {
      run(offset + i, at, std::size_t{1});
    }
  });
}

/// Memory to tile: what is not accessed is left alone in `tile`.
void read_box(const tile_box& box, unsigned bytes, std::byte* tile) noexcept;
/// Tile to memory.
void write_box(const tile_box& box, unsigned bytes, const std::byte* tile) noexcept;

} // namespace tilesim::sim
