// Loops over half on machines that convert eight of them at once (F16C).
//
// A loop over cells becomes three over a block that stays in the first-level cache: widen the
// operands to float, apply the meaning to floats, narrow the result. Compilers do not vectorise the
// conversions by themselves. The baseline kernels do the same one by one (sim/fp/cells.hpp).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/float_meanings.hpp"
#include "sim/ops/loop.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#if TILESIM_OPS_HAS_FAST
#  include <immintrin.h>
#endif

namespace tilesim::sim::ops {

template <class Cell>
inline constexpr bool is_half = std::is_same_v<Cell, fp::f16>;

#if TILESIM_OPS_HAS_FAST

namespace half_blocks {

/// Elements of a block: three buffers of floats are 3 KiB. A multiple of the 8 of a vector.
constexpr std::size_t block = 256;

/// The halves as floats, exactly. NaNs keep sign and payload, quietened. Neither direction heeds
/// the control register's rounding, flushing or denormals-are-zero.
TILESIM_OPS_FAST inline void widen(float* to, const fp::f16* from, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i cells = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(cells));
  }
  if (i < count) {
    __m128i cells = _mm_setzero_si128();
    std::memcpy(&cells, from + i, (count - i) * sizeof *from);
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(cells)); // `to` has room for whole vectors
  }
}

/// The floats as halves, rounded to nearest even; NaNs become 7fff.
TILESIM_OPS_FAST inline void narrow(fp::f16* to, const float* from, std::size_t count) noexcept {
  const __m128i all_ones = _mm_set1_epi16(0x7fff);
  const __m128i infinity = _mm_set1_epi16(0x7c00);
  for (std::size_t i = 0; i < count; i += 8) {
    const __m256 values = _mm256_loadu_ps(from + i); // `from` is initialised in whole vectors
    __m128i cells = _mm256_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __m128i is_nan = _mm_cmpgt_epi16(_mm_and_si128(cells, all_ones), infinity);
    cells = _mm_blendv_epi8(cells, all_ones, is_nan);
    if (i + 8 <= count) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), cells);
    } else {
      std::memcpy(to + i, &cells, (count - i) * sizeof *to);
    }
  }
}

/// What a cell is inside of a block: float for half, else itself. And room for a block of it, where
/// it is not used in place.
template <class Cell>
using value_of = std::conditional_t<is_half<Cell>, float, Cell>;
template <class Cell>
struct alignas(32) buffer {
  value_of<Cell> values[is_half<Cell> ? block : 1];
};

template <class Cell>
TILESIM_OPS_FAST inline const value_of<Cell>*
values_of(const void* cells, std::size_t from, std::size_t count, buffer<Cell>& room) noexcept {
  const auto* first = static_cast<const Cell*>(cells) + from;
  if constexpr (is_half<Cell>) {
    widen(room.values, first, count);
    return room.values;
  } else {
    return first;
  }
}

/// Where a block's results go first.
template <class Cell>
value_of<Cell>* place_for(void* cells, std::size_t from, buffer<Cell>& room) noexcept {
  if constexpr (is_half<Cell>) {
    return room.values;
  } else {
    return static_cast<Cell*>(cells) + from;
  }
}

/// And then.
template <class Cell>
TILESIM_OPS_FAST inline void
put(void* cells, std::size_t from, std::size_t count, buffer<Cell>& room) noexcept {
  if constexpr (is_half<Cell>) {
    std::fill(room.values + count, room.values + (count + 7) / 8 * 8, 0.0F);
    narrow(static_cast<Cell*>(cells) + from, room.values, count);
  }
}

// NOLINTBEGIN(cppcoreguidelines-pro-type-member-init): what is read of a buffer has been written;
// zeros would cost as much as the operation.
template <class Meaning, class Result, class A, class... Rest>
struct loop;

template <class Meaning, class Result, class A>
struct loop<Meaning, Result, A> {
  TILESIM_OPS_FAST static bool
  run(void* r, const void* a, const void* /*b*/, const void* /*c*/, std::size_t count) noexcept {
    buffer<Result> results;
    buffer<A> as;
    bool bad = false;
    for (std::size_t from = 0; from < count; from += block) {
      const std::size_t n = std::min(block, count - from);
      bad |= map_elements<Meaning>(n, place_for(r, from, results), values_of(a, from, n, as));
      put(r, from, n, results);
    }
    return bad;
  }
};

template <class Meaning, class Result, class A, class B>
struct loop<Meaning, Result, A, B> {
  TILESIM_OPS_FAST static bool
  run(void* r, const void* a, const void* b, const void* /*c*/, std::size_t count) noexcept {
    buffer<Result> results;
    buffer<A> as;
    buffer<B> bs;
    bool bad = false;
    for (std::size_t from = 0; from < count; from += block) {
      const std::size_t n = std::min(block, count - from);
      bad |= map_elements<Meaning>(
          n, place_for(r, from, results), values_of(a, from, n, as), values_of(b, from, n, bs));
      put(r, from, n, results);
    }
    return bad;
  }
};

template <class Meaning, class Result, class A, class B, class C>
struct loop<Meaning, Result, A, B, C> {
  TILESIM_OPS_FAST static bool
  run(void* r, const void* a, const void* b, const void* c, std::size_t count) noexcept {
    buffer<Result> results;
    buffer<A> as;
    buffer<B> bs;
    buffer<C> cs;
    bool bad = false;
    for (std::size_t from = 0; from < count; from += block) {
      const std::size_t n = std::min(block, count - from);
      bad |= map_elements<Meaning>(n,
                                   place_for(r, from, results),
                                   values_of(a, from, n, as),
                                   values_of(b, from, n, bs),
                                   values_of(c, from, n, cs));
      put(r, from, n, results);
    }
    return bad;
  }
};
// NOLINTEND(cppcoreguidelines-pro-type-member-init)

template <class Meaning, class Result, class... Operands>
bool run(const elementwise_args& args) noexcept {
  return run_in_pieces(args,
                       &loop<Meaning, Result, Operands...>::run,
                       kernel_of<Meaning, Result, Operands...>::sizes);
}

} // namespace half_blocks
#endif

/// A kernel that applies Meaning to cells one by one, and its fast variant, which applies OnFloats
/// to blocks in which every half is a float. Where there is no half, both apply Meaning.
template <class Meaning, class OnFloats, class Result, class... Operands>
constexpr table_entry half_entry() noexcept {
  table_entry found = entry<Meaning, Result, Operands...>();
#if TILESIM_OPS_HAS_FAST
  if constexpr (is_half<Result> || (is_half<Operands> || ...)) {
    found.fast = &half_blocks::run<OnFloats, Result, Operands...>;
  }
#endif
  return found;
}

} // namespace tilesim::sim::ops
