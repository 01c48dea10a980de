// Splat operands and the choice of a kernel's variant.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/loop.hpp"

#include <algorithm>
#include <cstring>

#if TILESIM_OPS_HAS_FAST
#  include <cpuid.h>
#endif

namespace tilesim::sim::ops {
namespace {

constexpr std::size_t piece = 512; // elements; three buffers of it are 12 KiB of stack

template <class Word>
void fill(void* target, const void* cell, std::size_t count) noexcept {
  std::fill_n(static_cast<Word*>(target), count, read_cell<Word>(cell));
}

void spread(void* target, const void* cell, unsigned size, std::size_t count) noexcept {
  switch (size) {
  case 1:
    return fill<std::uint8_t>(target, cell, count);
  case 2:
    return fill<std::uint16_t>(target, cell, count);
  case 4:
    return fill<std::uint32_t>(target, cell, count);
  default:
    return fill<std::uint64_t>(target, cell, count);
  }
}

[[gnu::noinline]] bool
run_splats(const elementwise_args& args, packed_loop loop, const cell_sizes& sizes) noexcept {
  alignas(64) unsigned char spread_cells[3][piece * 8];
  const std::size_t step = std::min(piece, args.count);
  const unsigned char* from[3];
  std::size_t stride[3]; // bytes per element, 0 for a splat
  for (unsigned k = 0; k < 3; ++k) {
    from[k] = static_cast<const unsigned char*>(args.operand[k]);
    stride[k] = sizes.operand[k];
    if (sizes.operand[k] != 0 && args.splat[k]) {
      spread(spread_cells[k], args.operand[k], sizes.operand[k], step);
      from[k] = spread_cells[k];
      stride[k] = 0;
    }
  }
  bool bad = false;
  auto* result = static_cast<unsigned char*>(args.result);
  for (std::size_t done = 0; done < args.count; done += step) {
    const std::size_t count = std::min(step, args.count - done);
    bad |= loop(result + done * sizes.result,
                from[0] + done * stride[0],
                stride[1] == 0 ? from[1] : from[1] + done * stride[1],
                stride[2] == 0 ? from[2] : from[2] + done * stride[2],
                count);
  }
  return bad;
}

/// How many elements lie before the first whole vector. A tile is a variable of the program's, of
/// which 16 bytes of alignment are certain: with every second vector across two lines of the cache
/// a loop takes up to half as long again, and by how many bytes frames are off changes with every
/// frame below. Small tiles are done before it matters.
std::size_t before_vectors(const elementwise_args& args, const cell_sizes& sizes) noexcept {
  constexpr std::uintptr_t vector = 32;
  constexpr std::size_t worth = 1024; // bytes
  const bool by_result = sizes.result >= sizes.operand[0];
  const unsigned size = by_result ? sizes.result : sizes.operand[0];
  const auto at = reinterpret_cast<std::uintptr_t>(by_result ? args.result : args.operand[0]);
  return args.count * size < worth ? 0 : (-at % vector) / size;
}

} // namespace

bool run_in_pieces(const elementwise_args& args,
                   packed_loop loop,
                   const cell_sizes& sizes) noexcept {
  const bool any_splat = args.splat[0] || (sizes.operand[1] != 0 && args.splat[1]) ||
                         (sizes.operand[2] != 0 && args.splat[2]);
  if (any_splat && args.count > 1) {
    return run_splats(args, loop, sizes);
  }
  const std::size_t head = before_vectors(args, sizes);
  if (head == 0) {
    return loop(args.result, args.operand[0], args.operand[1], args.operand[2], args.count);
  }
  const auto behind = [head](const void* cells, unsigned size) {
    return static_cast<const unsigned char*>(cells) + head * size;
  };
  const bool bad = loop(args.result, args.operand[0], args.operand[1], args.operand[2], head);
  return loop(static_cast<unsigned char*>(args.result) + head * sizes.result,
              behind(args.operand[0], sizes.operand[0]),
              behind(args.operand[1], sizes.operand[1]),
              behind(args.operand[2], sizes.operand[2]),
              args.count - head) ||
         bad;
}

bool has_fast_kernels() noexcept {
#if TILESIM_OPS_HAS_FAST
  // Asked once: cpuid is slow on virtual machines. Not every compiler knows F16C by name.
  static const bool has = [] {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
           __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
  }();
  return has;
#else
  return false;
#endif
}

} // namespace tilesim::sim::ops
