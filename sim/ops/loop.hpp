// From the meaning of an operation (a struct with apply and, if need be, undefined) to kernels.
//
//   struct meaning {
//     static R apply(A a, B b);                  what an element of the result is
//     static bool undefined(A a, B b);           optional: the page leaves it undefined
//     static undefined_kind why(A a, B b);       with `undefined`: which of the kinds
//     static R apply_defined(A a, B b);          optional, for one that is much quicker where
//     defined:
//   };                                           there it is apply, elsewhere anything
//
// Each kernel is compiled for the baseline of the machine and, on x86-64, again for AVX2, FMA and
// F16C; both from the same always-inlined loop. (Attributes rather than flags of a file: with
// flags, an inline function that both variants share might survive in its AVX2 form and run on a
// machine without.)
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/elementwise_kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__x86_64__)
#  define TILESIM_OPS_HAS_FAST 1
#  define TILESIM_OPS_FAST [[gnu::target("avx2,fma,f16c")]]
#else
#  define TILESIM_OPS_HAS_FAST 0
#  define TILESIM_OPS_FAST
#endif

namespace tilesim::sim::ops {

/// A loop over `count` packed elements of every operand. Returns whether one was undefined.
using packed_loop =
    bool (*)(void* result, const void* a, const void* b, const void* c, std::size_t count) noexcept;

/// Bytes per element of the result and the operands; 0 for an operand that does not exist.
struct cell_sizes {
  unsigned result;
  unsigned operand[3];
};

/// Runs `loop` on the operands; those that are splats are spread into a small buffer first, and the
/// loop then runs in pieces of that buffer's length. So there is one loop, with no choice inside
/// it.
bool run_in_pieces(const elementwise_args& args,
                   packed_loop loop,
                   const cell_sizes& sizes) noexcept;

/// True if this machine runs what TILESIM_OPS_FAST compiles.
[[nodiscard]] bool has_fast_kernels() noexcept;

template <class Meaning, class... Operands>
concept may_be_undefined = requires(Operands... x) {
  Meaning::undefined(x...);
};

template <class Meaning, class... Operands>
concept has_quicker_way = requires(Operands... x) {
  Meaning::apply_defined(x...);
};

template <std::size_t Size>
using word = std::conditional_t<
    Size == 1,
    std::uint8_t,
    std::conditional_t<Size == 2,
                       std::uint16_t,
                       std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>>;

/// A meaning that is only right where the page defines it.
template <class Meaning>
struct where_defined {
  template <class... Operands>
  static auto apply(Operands... x) noexcept {
    return Meaning::apply_defined(x...);
  }
  template <class... Operands>
  static bool undefined(Operands... x) noexcept {
    return Meaning::undefined(x...);
  }
};

template <class Meaning, class Result, class First, class... Rest>
[[gnu::always_inline]] inline bool map_elements(std::size_t count,
                                                Result* __restrict result,
                                                const First* __restrict first,
                                                const Rest* __restrict... rest) noexcept {
  if constexpr (has_quicker_way<Meaning, First, Rest...>) {
    if (!map_elements<where_defined<Meaning>>(count, result, first, rest...)) {
      return false;
    }
  }
  // As wide as an element, so that the vectoriser need not change widths to collect it.
  word<sizeof(First)> bad = 0;
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = Meaning::apply(first[i], rest[i]...);
    if constexpr (may_be_undefined<Meaning, First, Rest...>) {
      bad = static_cast<word<sizeof(First)>>(bad |
                                             (Meaning::undefined(first[i], rest[i]...) ? 1U : 0U));
    }
  }
  return bad != 0;
}

template <class Meaning, class Result, class... Operands>
struct kernel_of;

template <class Meaning, class Result, class A>
struct kernel_of<Meaning, Result, A> {
  static constexpr cell_sizes sizes{sizeof(Result), {sizeof(A), 0, 0}};
  [[gnu::always_inline]] static bool
  loop(void* r, const void* a, const void* /*b*/, const void* /*c*/, std::size_t n) noexcept {
    return map_elements<Meaning>(n, static_cast<Result*>(r), static_cast<const A*>(a));
  }
};

template <class Meaning, class Result, class A, class B>
struct kernel_of<Meaning, Result, A, B> {
  static constexpr cell_sizes sizes{sizeof(Result), {sizeof(A), sizeof(B), 0}};
  [[gnu::always_inline]] static bool
  loop(void* r, const void* a, const void* b, const void* /*c*/, std::size_t n) noexcept {
    return map_elements<Meaning>(
        n, static_cast<Result*>(r), static_cast<const A*>(a), static_cast<const B*>(b));
  }
};

template <class Meaning, class Result, class A, class B, class C>
struct kernel_of<Meaning, Result, A, B, C> {
  static constexpr cell_sizes sizes{sizeof(Result), {sizeof(A), sizeof(B), sizeof(C)}};
  [[gnu::always_inline]] static bool
  loop(void* r, const void* a, const void* b, const void* c, std::size_t n) noexcept {
    return map_elements<Meaning>(n,
                                 static_cast<Result*>(r),
                                 static_cast<const A*>(a),
                                 static_cast<const B*>(b),
                                 static_cast<const C*>(c));
  }
};

template <class Kernel>
bool baseline_loop(void* r, const void* a, const void* b, const void* c, std::size_t n) noexcept {
  return Kernel::loop(r, a, b, c, n);
}
template <class Kernel>
TILESIM_OPS_FAST bool
fast_loop(void* r, const void* a, const void* b, const void* c, std::size_t n) noexcept {
  return Kernel::loop(r, a, b, c, n);
}

template <class Kernel>
bool run_baseline(const elementwise_args& args) noexcept {
  return run_in_pieces(args, &baseline_loop<Kernel>, Kernel::sizes);
}
template <class Kernel>
bool run_fast(const elementwise_args& args) noexcept {
  return run_in_pieces(args, &fast_loop<Kernel>, Kernel::sizes);
}

template <class T>
T read_cell(const void* cell) noexcept {
  T value{};
  std::memcpy(&value, cell, sizeof value);
  return value;
}

inline undefined_kind never_undefined(const void*, const void*, const void*) noexcept {
  return undefined_kind::nothing;
}

template <class Meaning, class A>
undefined_kind why_unary(const void* a, const void*, const void*) noexcept {
  const A x = read_cell<A>(a);
  return Meaning::undefined(x) ? Meaning::why(x) : undefined_kind::nothing;
}
template <class Meaning, class A, class B>
undefined_kind why_binary(const void* a, const void* b, const void*) noexcept {
  const A x = read_cell<A>(a);
  const B y = read_cell<B>(b);
  return Meaning::undefined(x, y) ? Meaning::why(x, y) : undefined_kind::nothing;
}

template <class Meaning, class... Operands>
constexpr undefined_reason reason() noexcept {
  if constexpr (!may_be_undefined<Meaning, Operands...>) {
    return &never_undefined;
  } else if constexpr (sizeof...(Operands) == 1) {
    return &why_unary<Meaning, Operands...>;
  } else {
    return &why_binary<Meaning, Operands...>;
  }
}

/// One place of a table: the variants of a kernel.
struct table_entry {
  elementwise_kernel baseline = nullptr;
  elementwise_kernel fast = nullptr;
  undefined_reason why = &never_undefined;

  [[nodiscard]] elementwise_operation pick() const noexcept {
    return {fast != nullptr && has_fast_kernels() ? fast : baseline, why};
  }
};

/// A kernel in both variants.
template <class Meaning, class Result, class... Operands>
constexpr table_entry entry() noexcept {
  using kernel = kernel_of<Meaning, Result, Operands...>;
  return {&run_baseline<kernel>,
          TILESIM_OPS_HAS_FAST ? &run_fast<kernel> : nullptr,
          reason<Meaning, Operands...>()};
}

/// A kernel that wider vectors would not speed up.
template <class Meaning, class Result, class... Operands>
constexpr table_entry plain_entry() noexcept {
  return {&run_baseline<kernel_of<Meaning, Result, Operands...>>,
          nullptr,
          reason<Meaning, Operands...>()};
}

} // namespace tilesim::sim::ops
