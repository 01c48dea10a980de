// Copying between a packed tile and a box in memory, row by row.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/tile_box.hpp"

#include <cstring>
#include <type_traits>

namespace tilesim::sim {

namespace {

/// Rows of a tile in a large matrix lie on pages of their own, so that the processor does not see
/// the next one coming. It is told of the row some rows ahead; an address that is none does no
/// harm.
class row_prefetch {
public:
  row_prefetch(const tile_box& box, std::size_t row_bytes) noexcept
      : bytes_(row_bytes)
      , ahead_(box.rank > 1 && row_bytes <= worth ? rows_ahead * box.strides[box.rank - 2] : 0) {}

  template <bool Write>
  void operator()(std::uintptr_t row, std::bool_constant<Write> /*write*/) const noexcept {
    if (ahead_ != 0) {
      for (std::size_t i = 0; i < bytes_; i += line) {
        __builtin_prefetch(reinterpret_cast<const void*>(row + ahead_ + i), Write ? 1 : 0);
      }
    }
  }

private:
  static constexpr std::size_t line = 64;
  static constexpr std::size_t worth = 1024; ///< longer rows are foreseen by themselves
  static constexpr std::size_t rows_ahead = 6;
  std::size_t bytes_;
  std::uintptr_t ahead_; ///< bytes from a row to the one that is fetched; 0: none
};

/// Between memory and a tile's elements, one after the other.
template <unsigned Bytes, bool Writes>
void copy_rows(const tile_box& box,
               std::conditional_t<Writes, const std::byte*, std::byte*> tile) noexcept {
  const auto copy = [](auto* of_tile, std::uintptr_t at, std::size_t bytes) {
    if constexpr (Writes) {
      std::memcpy(reinterpret_cast<void*>(at), of_tile, bytes);
    } else {
      std::memcpy(of_tile, reinterpret_cast<const void*>(at), bytes);
    }
  };
  const std::size_t n = box.rank == 0 ? 1 : box.inside[box.rank - 1];
  const std::uint64_t stride = box.rank == 0 ? Bytes : box.strides[box.rank - 1];
  if (stride == Bytes) {
    const row_prefetch prefetch(box, n * Bytes);
    for_each_row(box, [&](std::size_t offset, std::uintptr_t at) {
      prefetch(at, std::bool_constant<Writes>{});
      copy(tile + (offset * Bytes), at, n * Bytes);
    });
    return;
  }
  for_each_row(box, [&](std::size_t offset, std::uintptr_t at) {
    auto* element = tile + (offset * Bytes);
    for (std::size_t i = 0; i < n; ++i, element += Bytes, at += stride) {
      copy(element, at, Bytes);
    }
  });
}

} // namespace

void tile_box::append(std::uint32_t extent, std::uint32_t within, std::uint64_t stride) noexcept {
  if (within == 0) {
    empty = true;
  }
  if (extent == 1) {
    return;
  }
  if (rank != 0 && within == extent && strides[rank - 1] == stride * extent) {
    extents[rank - 1] *= extent;
    inside[rank - 1] *= extent;
    strides[rank - 1] = stride;
    return;
  }
  extents[rank] = extent;
  inside[rank] = within;
  strides[rank] = stride;
  ++rank;
}

std::size_t tile_box::active() const noexcept {
  std::size_t n = empty ? 0 : 1;
  for (unsigned k = 0; k < rank; ++k) {
    n *= inside[k];
  }
  return n;
}

bool tile_box::range(unsigned bytes, std::uintptr_t& begin, std::uintptr_t& end) const noexcept {
  begin = base;
  end = base;
  for (unsigned k = 0; k < rank; ++k) {
    std::uintptr_t reach = 0;
    if (__builtin_mul_overflow(strides[k], std::uint64_t{inside[k]} - 1, &reach) ||
        __builtin_add_overflow(end, reach, &end)) {
      return false;
    }
  }
  return !__builtin_add_overflow(end, std::uintptr_t{bytes}, &end);
}

void read_box(const tile_box& box, unsigned bytes, std::byte* tile) noexcept {
  switch (bytes) {
  case 1:
    return copy_rows<1, false>(box, tile);
  case 2:
    return copy_rows<2, false>(box, tile);
  case 4:
    return copy_rows<4, false>(box, tile);
  default:
    return copy_rows<8, false>(box, tile);
  }
}

void write_box(const tile_box& box, unsigned bytes, const std::byte* tile) noexcept {
  switch (bytes) {
  case 1:
    return copy_rows<1, true>(box, tile);
  case 2:
    return copy_rows<2, true>(box, tile);
  case 4:
    return copy_rows<4, true>(box, tile);
  default:
    return copy_rows<8, true>(box, tile);
  }
}

} // namespace tilesim::sim
