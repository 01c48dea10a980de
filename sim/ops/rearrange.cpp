// Rearranging: every operation but cat and reshape is a walk over the result in row-major order
// with a stride into the source for each of its dimensions (0 where the source repeats).
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/rearrange.hpp"

#include "sim/ops/preconditions.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace tilesim::sim::ops {
namespace {

using machine::in;
using machine::out;
using machine::tile_type;

/// A tile has at most 2^24 elements, so at most 24 dimensions are longer than 1.
constexpr unsigned most_dimensions = 24;

struct dimension {
  std::size_t extent;
  std::size_t stride; ///< in elements of the source
};

/// A walk over the result: its dimensions longer than 1, outermost first, neighbours merged where
/// one stride serves both.
class walk {
public:
  void append(std::size_t extent, std::size_t stride) noexcept {
    if (extent == 1) {
      return;
    }
    if (rank_ > 0 && dimensions_[rank_ - 1].stride == stride * extent) {
      dimensions_[rank_ - 1] = {dimensions_[rank_ - 1].extent * extent, stride};
    } else if (rank_ < most_dimensions) {
      dimensions_[rank_++] = {extent, stride};
    }
  }
  [[nodiscard]] unsigned rank() const noexcept { return rank_; }
  [[nodiscard]] const dimension& operator[](unsigned k) const noexcept { return dimensions_[k]; }

private:
  dimension dimensions_[most_dimensions]{};
  unsigned rank_ = 0;
};

template <class Word>
void copy_row(Word* __restrict target,
              const Word* __restrict source,
              const dimension& row) noexcept {
  if (row.stride == 1) {
    std::memcpy(target, source, row.extent * sizeof(Word));
  } else if (row.stride == 0) {
    std::fill_n(target, row.extent, *source);
  } else {
    for (std::size_t i = 0; i < row.extent; ++i) {
      target[i] = source[i * row.stride];
    }
  }
}

template <class Word>
void copy(Word* target, const Word* source, const walk& way, unsigned depth) noexcept {
  if (way.rank() == 0) {
    *target = *source;
    return;
  }
  if (depth + 1 == way.rank()) {
    copy_row(target, source, way[depth]);
    return;
  }
  std::size_t inner = 1;
  for (unsigned k = depth + 1; k < way.rank(); ++k) {
    inner *= way[k].extent;
  }
  for (std::size_t i = 0; i < way[depth].extent; ++i) {
    copy(target + i * inner, source + i * way[depth].stride, way, depth + 1);
  }
}

/// A transposition: rows of the result are columns of the source. In blocks that fit the cache.
template <class Word>
void copy_transposed(Word* target,
                     const Word* source,
                     const dimension& rows,
                     const dimension& columns) noexcept {
  constexpr std::size_t block = 32;
  for (std::size_t i0 = 0; i0 < rows.extent; i0 += block) {
    const std::size_t i1 = std::min(rows.extent, i0 + block);
    for (std::size_t j0 = 0; j0 < columns.extent; j0 += block) {
      const std::size_t j1 = std::min(columns.extent, j0 + block);
      for (std::size_t i = i0; i < i1; ++i) {
        for (std::size_t j = j0; j < j1; ++j) {
          target[i * columns.extent + j] = source[i * rows.stride + j * columns.stride];
        }
      }
    }
  }
}

template <class Word>
void copy(out result, const void* source, std::size_t first, const walk& way) noexcept {
  auto* to = static_cast<Word*>(result.data);
  const auto* from = static_cast<const Word*>(source) + first;
  if (way.rank() == 2 && way[1].stride > 1) {
    copy_transposed(to, from, way[0], way[1]);
  } else {
    copy(to, from, way, 0);
  }
}

/// Follows `way` through the source, beginning at its element `first`.
void follow(out result, in source, std::size_t first, const walk& way) noexcept {
  switch (size_of(result.type->elem)) {
  case 1:
    return copy<std::uint8_t>(result, source.data, first, way);
  case 2:
    return copy<std::uint16_t>(result, source.data, first, way);
  case 4:
    return copy<std::uint32_t>(result, source.data, first, way);
  default:
    return copy<std::uint64_t>(result, source.data, first, way);
  }
}

/// Elements of the source between neighbours along dimension `dim`.
std::size_t stride_of(const tile_type& type, unsigned dim) noexcept {
  std::size_t stride = 1;
  for (unsigned k = dim + 1U; k < type.rank; ++k) {
    stride *= type.extents[k];
  }
  return stride;
}

template <class Integer>
void count_up(out result) noexcept {
  auto* cells = static_cast<Integer*>(result.data);
  for (std::uint32_t i = 0; i < result.type->count; ++i) {
    cells[i] = static_cast<Integer>(i);
  }
}

} // namespace

void constant(out result, in cell) noexcept {
  TILESIM_ASSERT(cell.type->count == 1, cell.type->count);
  TILESIM_ASSERT(same_kind(*result.type, *cell.type), result.type->elem, cell.type->elem);
  TILESIM_ASSERT(apart(result, cell));
  walk way;
  way.append(result.type->count, 0);
  follow(result, cell, 0, way);
}

void iota(out result) noexcept {
  switch (result.type->elem) {
  case element::i1: {
    auto* cells = static_cast<std::uint8_t*>(result.data);
    for (std::uint32_t i = 0; i < result.type->count; ++i) {
      cells[i] = static_cast<std::uint8_t>(i & 1U);
    }
    return;
  }
  case element::i8:
    return count_up<std::uint8_t>(result);
  case element::i16:
    return count_up<std::uint16_t>(result);
  case element::i32:
    return count_up<std::uint32_t>(result);
  default:
    return count_up<std::uint64_t>(result);
  }
}

void reshape(out result, in source) noexcept {
  TILESIM_ASSERT(bytes_of(*result.type) == bytes_of(*source.type),
                 bytes_of(*result.type),
                 bytes_of(*source.type));
  TILESIM_ASSERT(apart(result, source));
  std::memcpy(result.data, source.data, bytes_of(*result.type));
}

void broadcast(out result, in source) noexcept {
  const tile_type& to = *result.type;
  const tile_type& from = *source.type;
  TILESIM_ASSERT(from.rank <= to.rank, from.rank, to.rank);
  TILESIM_ASSERT(same_kind(to, from), to.elem, from.elem);
  TILESIM_ASSERT(apart(result, source));
  const unsigned missing = to.rank - from.rank;
  walk way;
  for (unsigned k = 0; k < to.rank; ++k) {
    const bool repeats = k < missing || from.extents[k - missing] == 1;
    TILESIM_ASSERT(repeats || from.extents[k - missing] == to.extents[k], k, to.extents[k]);
    way.append(to.extents[k], repeats ? 0 : stride_of(from, k - missing));
  }
  follow(result, source, 0, way);
}

void permute(out result, in source, const std::int64_t* permutation) noexcept {
  TILESIM_ASSERT(result.type->rank == source.type->rank, result.type->rank, source.type->rank);
  TILESIM_ASSERT(is_permutation(permutation, result.type->rank), result.type->rank);
  TILESIM_ASSERT(same_kind(*result.type, *source.type), result.type->elem, source.type->elem);
  TILESIM_ASSERT(result.type->count == source.type->count, result.type->count, source.type->count);
  TILESIM_ASSERT(apart(result, source));
  walk way;
  for (unsigned k = 0; k < result.type->rank; ++k) {
    way.append(result.type->extents[k],
               stride_of(*source.type, static_cast<unsigned>(permutation[k])));
  }
  follow(result, source, 0, way);
}

void cat(out result, in first, in second, unsigned dim) noexcept {
  TILESIM_ASSERT(same_extents_but(*result.type, *first.type, dim), dim, result.type->rank);
  TILESIM_ASSERT(same_extents_but(*result.type, *second.type, dim), dim, result.type->rank);
  TILESIM_ASSERT(result.type->extents[dim] == first.type->extents[dim] + second.type->extents[dim],
                 result.type->extents[dim],
                 first.type->extents[dim],
                 second.type->extents[dim]);
  TILESIM_ASSERT(same_kind(*result.type, *first.type), result.type->elem, first.type->elem);
  TILESIM_ASSERT(same_kind(*result.type, *second.type), result.type->elem, second.type->elem);
  TILESIM_ASSERT(apart(result, first));
  TILESIM_ASSERT(apart(result, second));
  const std::size_t size = size_of(result.type->elem);
  const std::size_t inner = stride_of(*result.type, dim) * size; // bytes per step along dim
  const std::size_t first_bytes = first.type->extents[dim] * inner;
  const std::size_t second_bytes = second.type->extents[dim] * inner;
  const auto* a = static_cast<const unsigned char*>(first.data);
  const auto* b = static_cast<const unsigned char*>(second.data);
  auto* to = static_cast<unsigned char*>(result.data);
  auto* const end = to + std::size_t{result.type->count} * size;
  while (to != end) {
    std::memcpy(to, a, first_bytes);
    std::memcpy(to + first_bytes, b, second_bytes);
    to += first_bytes + second_bytes;
    a += first_bytes;
    b += second_bytes;
  }
}

bool extract(out result, in source, const std::int64_t* number) noexcept {
  TILESIM_ASSERT(result.type->rank == source.type->rank, result.type->rank, source.type->rank);
  TILESIM_ASSERT(same_kind(*result.type, *source.type), result.type->elem, source.type->elem);
  TILESIM_ASSERT(apart(result, source));
  walk way;
  std::size_t first = 0;
  for (unsigned k = 0; k < result.type->rank; ++k) {
    const std::size_t extent = result.type->extents[k];
    TILESIM_ASSERT(
        extent != 0 && source.type->extents[k] % extent == 0, k, extent, source.type->extents[k]);
    const std::size_t parts = source.type->extents[k] / extent;
    if (number[k] < 0 || static_cast<std::uint64_t>(number[k]) >= parts) {
      std::memset(result.data, 0, bytes_of(*result.type));
      return true;
    }
    const std::size_t stride = stride_of(*source.type, k);
    first += static_cast<std::size_t>(number[k]) * extent * stride;
    way.append(extent, stride);
  }
  follow(result, source, first, way);
  return false;
}

bool rearrange(machine::opcode op,
               out result,
               const in* operands,
               const std::int64_t* params) noexcept {
  using machine::opcode;
  switch (op) {
  case opcode::constant:
    constant(result, operands[0]);
    return false;
  case opcode::iota:
    iota(result);
    return false;
  case opcode::reshape:
    reshape(result, operands[0]);
    return false;
  case opcode::broadcast:
    broadcast(result, operands[0]);
    return false;
  case opcode::permute:
    permute(result, operands[0], params);
    return false;
  case opcode::cat:
    cat(result, operands[0], operands[1], static_cast<unsigned>(params[0]));
    return false;
  case opcode::extract:
    return extract(result, operands[0], params);
  default:
    return false;
  }
}

} // namespace tilesim::sim::ops
