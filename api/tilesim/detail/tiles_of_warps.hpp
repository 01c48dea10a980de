// Tiles of several warps: they meet at a barrier of their own, and hand values round in memory of the
// block, a value for each warp.  [CUDA C++ Programming Guide: thread block tile]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/device_intrinsics.hpp>
#include <tilesim/detail/device_sync.hpp>
#include <tilesim/detail/device_warp.hpp>
#include <tilesim/detail/shared_memory.hpp>
#include <tilesim/detail/thread_index.hpp>
#include <vector_types.h>

#include <type_traits>

namespace tilesim::detail {

TILESIM_API unsigned rank_in_block() {
  return thread_index.x + (block_dim.x * (thread_index.y + (block_dim.y * thread_index.z)));
}
TILESIM_API unsigned threads_of_block() {
  return block_dim.x * block_dim.y * block_dim.z;
}
TILESIM_API unsigned lane() {
  return rank_in_block() & 31U;
}
TILESIM_API unsigned long long blocks_of_grid() {
  return static_cast<unsigned long long>(grid_dim.x) * grid_dim.y * grid_dim.z;
}
TILESIM_API unsigned long long rank_of_block() {
  return block_index.x +
         (static_cast<unsigned long long>(grid_dim.x) *
          (block_index.y + (static_cast<unsigned long long>(grid_dim.y) * block_index.z)));
}

TILESIM_API unsigned long long threads_of_grid() {
  return blocks_of_grid() * threads_of_block();
}
TILESIM_API unsigned long long rank_in_grid() {
  return (rank_of_block() * threads_of_block()) + rank_in_block();
}

/// The lane of a mask that `rank` others come before; 32: there is none.
TILESIM_API unsigned lane_of_rank(unsigned mask, unsigned rank) {
  for (; rank != 0; --rank) {
    mask &= mask - 1;
  }
  return mask == 0 ? 32 : static_cast<unsigned>(__builtin_ctz(mask));
}
/// Bit r of what is given: that of lane r of the mask.
TILESIM_API unsigned by_rank(unsigned lanes, unsigned mask) {
  unsigned packed = 0;
  for (unsigned rank = 0; mask != 0; ++rank, mask &= mask - 1) {
    packed |= (lanes >> __builtin_ctz(mask) & 1U) << rank;
  }
  return packed;
}
/// The n lanes from the first of this lane's own n, which divide a warp.
TILESIM_API unsigned mask_of_tile(unsigned n) {
  return n >= 32 ? 0xffffffffU : ((1U << n) - 1) << (lane() & ~(n - 1));
}

/// What warps of a tile give one another: a value each, by the warp's number, in memory of the block.
template <class T>
class values_of_warps {
  static_assert(::std::is_trivially_copyable_v<T>, "a value that is given to others is copied by its bytes");
  static_assert(sizeof(T) <= 8, "threads of several warps hand round at most 8 bytes each");
  struct cell {
    alignas(T) unsigned char bytes[sizeof(T)];
  };

public:
  TILESIM_API void put(unsigned warp, const T& value) {
    __builtin_memcpy(cells_[warp].bytes, &value, sizeof(T));
  }
  TILESIM_API T get(unsigned warp) const {
    cell copy;
    __builtin_memcpy(copy.bytes, cells_[warp].bytes, sizeof(T));
    return *reinterpret_cast<T*>(copy.bytes);
  }

private:
  cell (&cells_)[32] = shared<0, false>([] { return "tiles of several warps"; });
};

/// A shuffle of a value of any size, by words.
template <class T>
TILESIM_API T
shuffle_words(warp_operation o, unsigned mask, const T& value, unsigned lane, int width) {
  static_assert(::std::is_trivially_copyable_v<T>, "a value that is shuffled is copied by its bytes");
  if constexpr (sizeof(T) <= 8) {
    return shuffle<T>(o, mask, value, lane, width);
  } else {
    constexpr unsigned words = (sizeof(T) + 7) / 8;
    unsigned long long bits[words] = {};
    __builtin_memcpy(bits, &value, sizeof(T));
    for (unsigned long long& word : bits) {
      word = shuffle(o, mask, word, lane, width);
    }
    T result = value;
    __builtin_memcpy(&result, bits, sizeof(T));
    return result;
  }
}

} // namespace tilesim::detail

namespace cooperative_groups {

namespace tilesim_detail = ::tilesim::detail;

struct group_parts;

/// What a group is a part of has been divided into so many; this is one of them.
class group_part {
public:
  TILESIM_API unsigned meta_group_rank() const { return meta_rank_; }
  TILESIM_API unsigned meta_group_size() const { return meta_size_; }

protected:
  TILESIM_API group_part(unsigned meta_rank, unsigned meta_size)
      : meta_rank_(meta_rank)
      , meta_size_(meta_size) {}

private:
  unsigned meta_rank_;
  unsigned meta_size_;
};

/// The same, each of so many threads.
template <unsigned Size>
class tile_part : public group_part {
  static_assert(Size != 0 && (Size & (Size - 1)) == 0 && Size <= 1024,
                "a tile has a power of two of threads");

public:
  TILESIM_API static constexpr unsigned size() { return Size; }
  TILESIM_API static constexpr unsigned num_threads() { return Size; }

protected:
  TILESIM_API tile_part(unsigned meta_rank, unsigned meta_size)
      : group_part(meta_rank, meta_size) {}
};

template <unsigned Size>
concept several_warps = Size > 32;

template <unsigned Size, class Parent = void>
class thread_block_tile;

/// 64, 128, 256, 512 or 1024 threads that follow one another: several warps.
template <unsigned Size>
  requires several_warps<Size>
class thread_block_tile<Size, void> : public tile_part<Size> {
public:
  TILESIM_API void sync() const { tilesim_detail::part_barrier(first(), Size); }
  TILESIM_API unsigned thread_rank() const { return tilesim_detail::rank_in_block() & (Size - 1); }

  template <class T>
  TILESIM_API T shfl(T value, int rank) const {
    tilesim_detail::values_of_warps<T> values;
    const unsigned warp = first() / 32;
    if (thread_rank() == (static_cast<unsigned>(rank) & (Size - 1))) {
      values.put(warp, value);
    }
    sync();
    const T result = values.get(warp);
    sync();
    return result;
  }
  TILESIM_API int any(int predicate) const {
    return of_all(__any_sync(0xffffffffU, predicate), [](int a, int b) { return a | b; });
  }
  TILESIM_API int all(int predicate) const {
    return of_all(__all_sync(0xffffffffU, predicate), [](int a, int b) { return a & b; });
  }

protected:
  TILESIM_API thread_block_tile(unsigned /*mask*/, unsigned meta_rank, unsigned meta_size)
      : tile_part<Size>(meta_rank, meta_size) {}

private:
  friend struct group_parts;

  /// The tile's first thread, by its number in the block.
  TILESIM_API static unsigned first() { return tilesim_detail::rank_in_block() & ~(Size - 1); }
  /// The number behind its last warp's: a block may end within a tile.
  TILESIM_API static unsigned end() {
    const unsigned last = first() + Size;
    const unsigned threads = tilesim_detail::threads_of_block();
    return ((last < threads ? last : threads) + 31) / 32;
  }

  /// Of a value of each warp, all of whose lanes have it.
  template <class T, class Operation>
  TILESIM_API T of_all(const T& warps, const Operation& op) const {
    tilesim_detail::values_of_warps<T> values;
    if (tilesim_detail::lane() == 0) {
      values.put(tilesim_detail::rank_in_block() / 32, warps);
    }
    sync();
    T result = values.get(first() / 32);
    for (unsigned warp = (first() / 32) + 1; warp < end(); ++warp) {
      result = op(result, values.get(warp));
    }
    sync();
    return result;
  }
  /// Of a value up to each lane, the same of those up to each thread of the tile.
  template <class T, class Operation>
  TILESIM_API T up_to(T value, const Operation& op) const {
    tilesim_detail::values_of_warps<T> values;
    const unsigned own = tilesim_detail::rank_in_block() / 32;
    if (tilesim_detail::lane() == 31) {
      values.put(own, value);
    }
    sync();
    for (unsigned warp = own; warp-- > first() / 32;) {
      value = op(values.get(warp), value);
    }
    sync();
    return value;
  }
  /// The value of the thread before; the first one's own.
  template <class T>
  TILESIM_API T from_before(const T& value) const {
    tilesim_detail::values_of_warps<T> values;
    const unsigned own = tilesim_detail::rank_in_block() / 32;
    const T within = tilesim_detail::shuffle_words(
        tilesim_detail::warp_operation::shuffle_up, 0xffffffffU, value, 1, 32);
    if (tilesim_detail::lane() == 31) {
      values.put(own, value);
    }
    sync();
    const T result =
        tilesim_detail::lane() == 0 && own != first() / 32 ? values.get(own - 1) : within;
    sync();
    return result;
  }
};

} // namespace cooperative_groups
