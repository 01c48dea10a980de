// Runs tile litmus tests on a GPU: what their kernels share. A block is a thread of the test, and takes
// it through some instances one after another.
//
// A tile kernel takes no structures: what `launch_args` holds comes as parameters.
//
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

namespace {

namespace ct = cuda::tiles;

#define TILE_PARAMETERS                                                                            \
  unsigned char *cells, u64 *regs, unsigned *meet, unsigned *cut, unsigned *scratch,               \
      const unsigned *unit_of, u64 stride, u64 instances, unsigned groups, unsigned slots,         \
      unsigned test_units, unsigned shift, unsigned spins, unsigned stress_rounds,                 \
      unsigned stress_pattern, u64 base0, u64 base1, u64 base2, u64 base3, u64 base4, u64 base5,   \
      u64 base6, u64 base7, u64 mul0, u64 mul1, u64 mul2, u64 mul3, u64 mul4, u64 mul5, u64 mul6,  \
      u64 mul7, u64 off0, u64 off1, u64 off2, u64 off3, u64 off4, u64 off5, u64 off6, u64 off7

/// A register of the test.
template <std::size_t Lanes> using lanes = ct::tile<long long, ct::shape<Lanes>>;

template <std::size_t Lanes> __tile__ lanes<Lanes> lane() { return ct::iota<lanes<Lanes>>(); }

template <std::size_t Lanes> __tile__ lanes<Lanes> every(long long v) {
  return ct::full<lanes<Lanes>>(v);
}

/// Elements of a variable.
template <class T, std::size_t Lanes> __tile__ auto places(unsigned char* m, lanes<Lanes> index) {
  return reinterpret_cast<T*>(m) + index;
}

template <std::size_t Width, std::size_t Lanes>
__tile__ void keep_lanes(u64* regs, u64 instances, u64 instance, int first, lanes<Lanes> r) {
  const auto at = regs + (lane<Lanes>() + first) * static_cast<long long>(instances) +
                  static_cast<long long>(instance);
  ct::store_masked(at, ct::element_cast<u64>(r), lane<Lanes>() < static_cast<long long>(Width));
}

/// The instance of a block's turn: the threads of one meet in the same turn.
__tile__ u64 tile_instance(unsigned unit, unsigned part, unsigned slot, unsigned slots,
                           unsigned groups, unsigned shift) {
  const unsigned turn = slot * part * shift % groups;
  const unsigned group = (unit % groups + groups - turn) % groups;
  return static_cast<u64>(group) * slots + slot;
}

/// An instance's threads wait for each other, for a while: nothing depends on it that they meet.
__tile__ void tile_meet(unsigned* here, unsigned threads, unsigned spins) {
  unsigned come =
      ct::atomic_add<ct::memory_order::relaxed, ct::thread_scope::device>(here, 1u) + 1u;
  for (unsigned i = 0; i < spins; ++i) {
    if (come >= threads) {
      break;
    }
    come = ct::atomic_load<ct::memory_order::relaxed, ct::thread_scope::device>(here);
  }
}

/// Blocks that are left hammer scratch memory, a tile at a time.
__tile__ void tile_stress(unsigned* scratch, unsigned rounds, unsigned pattern) {
  using words = ct::tile<unsigned, ct::shape<128>>;
  constexpr auto relaxed = ct::memory_order::relaxed;
  constexpr auto device = ct::thread_scope::device;
  unsigned at = ct::bid().x * 2654435761u;
  words seen = ct::zeros<words>();
  for (unsigned i = 0; i < rounds; ++i) {
    const auto here = scratch + at % (scratch_words - 128) + ct::iota<words>();
    if (pattern == 0) {
      ct::atomic_store<relaxed, device>(here, seen + i);
      seen = seen + ct::atomic_load<relaxed, device>(here);
    } else if (pattern == 1) {
      ct::atomic_store<relaxed, device>(here, seen + i);
    } else if (pattern == 2) {
      seen = seen + ct::atomic_load<relaxed, device>(here);
    } else {
      ct::atomic_add<relaxed, device>(here, ct::ones<words>());
    }
    at = at * 747796405u + 2891336453u;
  }
  ct::store_masked(scratch + ct::iota<words>(), seen, seen == 0xdeadbeefu); // so that the reads stay
}

} // namespace
