// Pointer arithmetic.  [arithmetic operations: pointer addition, pointer subtraction]
//
// Whether the pointer formed is a valid one is not known here: the machine asks the memory
// registry.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/elementwise.hpp"
#include "sim/ops/loop.hpp"

#include <cstdint>

namespace tilesim::sim::ops {
namespace {

// An index of this size or more leaves any address space whatever it is multiplied by.
constexpr std::uint64_t far = std::uint64_t{1} << 58U;

// p + i * 2^Shift modulo 2^64. True if some result is no address of a user's: those are below 2^63.
// Collected without a branch, so that the loop vectorises.
template <class Index, unsigned Shift, bool OnePointer, bool OneIndex>
[[gnu::always_inline]] inline bool offset_loop(std::uint64_t* __restrict results,
                                               const std::uint64_t* __restrict pointers,
                                               const Index* __restrict indices,
                                               std::size_t count) noexcept {
  std::uint64_t high = 0;
  std::uint64_t bad = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto index = static_cast<std::uint64_t>(std::int64_t{indices[OneIndex ? 0 : i]});
    if constexpr (sizeof(Index) == sizeof(std::uint64_t)) {
      bad |= (index + far) & ~(2 * far - 1);
    }
    results[i] = pointers[OnePointer ? 0 : i] + (index << Shift);
    high |= results[i];
  }
  return ((high >> 63U) | bad) != 0;
}

template <class Index, unsigned Shift>
struct offset_kernel {
  template <bool OnePointer, bool OneIndex>
  [[gnu::always_inline]] static bool loop(const elementwise_args& args) noexcept {
    return offset_loop<Index, Shift, OnePointer, OneIndex>(
        static_cast<std::uint64_t*>(args.result),
        static_cast<const std::uint64_t*>(args.operand[0]),
        static_cast<const Index*>(args.operand[1]),
        args.count);
  }
  [[gnu::always_inline]] static bool any(const elementwise_args& args) noexcept {
    if (args.splat[0]) {
      return args.splat[1] ? loop<true, true>(args) : loop<true, false>(args);
    }
    return args.splat[1] ? loop<false, true>(args) : loop<false, false>(args);
  }
  static bool plain(const elementwise_args& args) noexcept { return any(args); }
  TILESIM_OPS_FAST static bool fast(const elementwise_args& args) noexcept { return any(args); }
  static bool run(const elementwise_args& args) noexcept {
    static const bool use_fast = has_fast_kernels();
    return use_fast ? fast(args) : plain(args);
  }
};

template <class Index>
bool offset_by(const elementwise_args& args, unsigned pointee_size) noexcept {
  switch (pointee_size) {
  case 1:
    return offset_kernel<Index, 0>::run(args);
  case 2:
    return offset_kernel<Index, 1>::run(args);
  case 4:
    return offset_kernel<Index, 2>::run(args);
  default:
    return offset_kernel<Index, 3>::run(args);
  }
}

} // namespace

bool offset_pointers(const elementwise_args& args, element index, unsigned pointee_size) noexcept {
  switch (index) {
  case element::i1:
    return offset_by<std::uint8_t>(args, pointee_size);
  case element::i8:
    return offset_by<std::int8_t>(args, pointee_size);
  case element::i16:
    return offset_by<std::int16_t>(args, pointee_size);
  case element::i32:
    return offset_by<std::int32_t>(args, pointee_size);
  default:
    return offset_by<std::int64_t>(args, pointee_size);
  }
}

} // namespace tilesim::sim::ops
