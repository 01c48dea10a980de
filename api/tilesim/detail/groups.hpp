// Groups of threads: a thread, lanes of a warp, a block, a grid.
//
// A group of lanes is its mask, and does what it does by the functions of a warp (device_warp.hpp);
// its ranks count the lanes of the mask. A block meets at its barrier, a grid by grid_barrier().
// [CUDA C++ Programming Guide: Cooperative Groups]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/device_intrinsics.hpp>
#include <tilesim/detail/device_sync.hpp>
#include <tilesim/detail/device_warp.hpp>
#include <tilesim/detail/thread_index.hpp>
#include <tilesim/detail/tiles_of_warps.hpp>
#include <vector_types.h>

#include <type_traits>
#include <utility>

namespace cooperative_groups {

namespace tilesim_detail = ::tilesim::detail;

/// Any group, by what it is.
class thread_group {
public:
  TILESIM_API void sync() const {
    if (kind_ == kind::grid) {
      tilesim_detail::grid_barrier();
    } else if (kind_ == kind::block) {
      __syncthreads();
    } else if (kind_ == kind::lanes) {
      __syncwarp(mask_);
    }
  }
  TILESIM_API unsigned long long size() const {
    return kind_ == kind::grid
               ? tilesim_detail::threads_of_grid()
           : kind_ == kind::block ? tilesim_detail::threads_of_block()
                                  : static_cast<unsigned>(__popc(mask_));
  }
  TILESIM_API unsigned long long num_threads() const { return size(); }
  TILESIM_API unsigned long long thread_rank() const {
    return kind_ == kind::grid ? tilesim_detail::rank_in_grid()
           : kind_ == kind::block ? tilesim_detail::rank_in_block()
                                  : lanes_before();
  }
  TILESIM_API unsigned get_type() const { return static_cast<unsigned>(kind_); }

protected:
  enum class kind : unsigned { one = 1, lanes = 2, block = 3, grid = 4 };

  TILESIM_API explicit thread_group(kind k, unsigned mask = 1)
      : kind_(k)
      , mask_(mask) {}

  [[nodiscard]] TILESIM_API unsigned lanes_before() const {
    return kind_ == kind::one
               ? 0
               : static_cast<unsigned>(__popc(mask_ & ((1U << tilesim_detail::lane()) - 1)));
  }

  kind kind_;
  unsigned mask_; ///< of lanes

  friend thread_group tiled_partition(const thread_group& parent, unsigned size);
};

class thread_block;
class grid_group;
class cluster_group;
class coalesced_group;
thread_block this_thread_block();
grid_group this_grid();
cluster_group this_cluster();
coalesced_group coalesced_threads();

/// The threads of a block.
class thread_block : public thread_group {
public:
  /// Of an arrival: what it is to wait for.
  struct arrival_token {
    unsigned long long tilesim_phase;
  };

  TILESIM_API static void sync() { __syncthreads(); }
  TILESIM_API static unsigned thread_rank() { return tilesim_detail::rank_in_block(); }
  TILESIM_API static unsigned size() { return tilesim_detail::threads_of_block(); }
  TILESIM_API static unsigned num_threads() { return size(); }
  TILESIM_API static dim3 group_index() {
    return {tilesim_detail::block_index.x, tilesim_detail::block_index.y, tilesim_detail::block_index.z};
  }
  TILESIM_API static dim3 thread_index() {
    return {tilesim_detail::thread_index.x,
            tilesim_detail::thread_index.y,
            tilesim_detail::thread_index.z};
  }
  TILESIM_API static dim3 group_dim() { return tilesim_detail::block_dim; }
  TILESIM_API static dim3 dim_threads() { return tilesim_detail::block_dim; }
  TILESIM_API static arrival_token barrier_arrive() {
    return {tilesim_detail::arrive_at_barrier(false)};
  }
  TILESIM_API static void barrier_wait(arrival_token&& token) {
    tilesim_detail::wait_at_barrier(false, token.tilesim_phase);
  }

private:
  TILESIM_API thread_block()
      : thread_group(kind::block) {}
  friend thread_block this_thread_block();
};

TILESIM_API thread_block this_thread_block() {
  return {};
}

/// What tiles of several warps keep their barriers in.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  unsigned unused[2];
};
template <unsigned MaxBlockSize>
TILESIM_API thread_block this_thread_block(block_tile_memory<MaxBlockSize>& /*memory*/) {
  return this_thread_block();
}
namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
} // namespace experimental

/// The threads of a cluster, which are not simulated: whatever is asked of them ends the run.
class cluster_group : public thread_group {
public:
  struct arrival_token {};
  TILESIM_API static void sync() { refuse(); }
  TILESIM_API static arrival_token barrier_arrive() { refuse(); }
  TILESIM_API static void barrier_wait() { refuse(); }
  TILESIM_API static void barrier_wait(arrival_token&& /*token*/) { refuse(); }
  TILESIM_API static unsigned query_shared_rank(const void* /*at*/) { refuse(); }
  template <class T>
  TILESIM_API static T* map_shared_rank(T* /*at*/, int /*rank*/) {
    refuse();
  }
  TILESIM_API static dim3 block_index() { refuse(); }
  TILESIM_API static unsigned block_rank() { refuse(); }
  TILESIM_API static dim3 thread_index() { refuse(); }
  TILESIM_API static unsigned thread_rank() { refuse(); }
  TILESIM_API static dim3 dim_blocks() { refuse(); }
  TILESIM_API static unsigned num_blocks() { refuse(); }
  TILESIM_API static dim3 dim_threads() { refuse(); }
  TILESIM_API static unsigned num_threads() { refuse(); }
  TILESIM_API static unsigned size() { refuse(); }

private:
  [[noreturn]] TILESIM_API static void refuse() {
    ::tilesim::detail::no_cluster("a cluster of blocks (cooperative_groups::cluster_group)");
  }
  TILESIM_API cluster_group()
      : thread_group(kind::grid) {}
  friend cluster_group this_cluster();
};

TILESIM_API cluster_group this_cluster() {
  return {};
}

/// The threads of a launch by cudaLaunchCooperativeKernel; of any other it may be asked for ranks.
class grid_group : public thread_group {
public:
  TILESIM_API static bool is_valid() { return tilesim_detail::launch_is_cooperative(); }
  TILESIM_API static void sync() { tilesim_detail::grid_barrier(); }
  TILESIM_API static unsigned long long size() { return tilesim_detail::threads_of_grid(); }
  TILESIM_API static unsigned long long num_threads() { return size(); }
  TILESIM_API static unsigned long long thread_rank() { return tilesim_detail::rank_in_grid(); }
  TILESIM_API static dim3 group_dim() { return tilesim_detail::grid_dim; }
  TILESIM_API static dim3 dim_blocks() { return tilesim_detail::grid_dim; }
  TILESIM_API static unsigned long long num_blocks() { return tilesim_detail::blocks_of_grid(); }
  TILESIM_API static unsigned long long block_rank() { return tilesim_detail::rank_of_block(); }
  TILESIM_API static dim3 block_index() { return thread_block::group_index(); }
  TILESIM_API static dim3 dim_threads() {
    const dim3& grid = tilesim_detail::grid_dim;
    const dim3& block = tilesim_detail::block_dim;
    return {grid.x * block.x, grid.y * block.y, grid.z * block.z};
  }
  TILESIM_API static dim3 thread_index() {
    const dim3 at = block_index();
    const dim3 in = thread_block::thread_index();
    const dim3& block = tilesim_detail::block_dim;
    return {(at.x * block.x) + in.x, (at.y * block.y) + in.y, (at.z * block.z) + in.z};
  }
  using arrival_token = unsigned;
  TILESIM_API static arrival_token barrier_arrive() {
    return static_cast<unsigned>(tilesim_detail::arrive_at_barrier(true));
  }
  TILESIM_API static void barrier_wait(arrival_token&& token) {
    tilesim_detail::wait_at_barrier(true, token);
  }

private:
  TILESIM_API grid_group()
      : thread_group(kind::grid) {}
  friend grid_group this_grid();
};

TILESIM_API grid_group this_grid() {
  return {};
}

/// Lanes of a warp, whichever.
class coalesced_group : public thread_group, public group_part {
public:
  TILESIM_API void sync() const { __syncwarp(mask_); }
  TILESIM_API unsigned size() const { return static_cast<unsigned>(__popc(mask_)); }
  TILESIM_API unsigned num_threads() const { return size(); }
  TILESIM_API unsigned thread_rank() const { return lanes_before(); }

  template <class T>
  TILESIM_API T shfl(T value, int rank) const {
    return from(value, tilesim_detail::lane_of_rank(mask_, static_cast<unsigned>(rank)));
  }
  /// A lane that has none so far before or behind it is given its own.
  template <class T>
  TILESIM_API T shfl_up(T value, int delta) const {
    const unsigned rank = thread_rank();
    return shfl(value, static_cast<int>(static_cast<unsigned>(delta) <= rank ? rank - delta : rank));
  }
  template <class T>
  TILESIM_API T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(value, static_cast<int>(delta < size() - rank ? rank + delta : rank));
  }
  TILESIM_API int any(int predicate) const { return __any_sync(mask_, predicate); }
  TILESIM_API int all(int predicate) const { return __all_sync(mask_, predicate); }
  TILESIM_API unsigned ballot(int predicate) const {
    return tilesim_detail::by_rank(__ballot_sync(mask_, predicate), mask_);
  }
  template <class T>
  TILESIM_API unsigned match_any(T value) const {
    return tilesim_detail::by_rank(__match_any_sync(mask_, value), mask_);
  }
  template <class T>
  TILESIM_API unsigned match_all(T value, int& predicate) const {
    return tilesim_detail::by_rank(__match_all_sync(mask_, value, &predicate), mask_);
  }

private:
  TILESIM_API explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : thread_group(kind::lanes, mask)
      , group_part(meta_rank, meta_size) {}

  template <class T>
  TILESIM_API T from(const T& value, unsigned lane) const {
    return tilesim_detail::shuffle_words(
        tilesim_detail::warp_operation::shuffle, mask_, value, lane, 32);
  }

  friend coalesced_group coalesced_threads();
  friend coalesced_group tiled_partition(const coalesced_group& parent, unsigned size);
  friend struct group_parts;
};

TILESIM_API coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

/// 1, 2, 4, 8, 16 or 32 threads that follow one another, whatever they are a part of.
template <unsigned Size>
class thread_block_tile<Size, void> : public thread_group, public tile_part<Size> {
public:
  using tile_part<Size>::size;
  using tile_part<Size>::num_threads;

  TILESIM_API void sync() const {
    if constexpr (Size > 1) {
      __syncwarp(mask_);
    }
  }
  TILESIM_API unsigned thread_rank() const { return lanes_before(); }

  template <class T>
  TILESIM_API T shfl(T value, int rank) const {
    return move(tilesim_detail::warp_operation::shuffle, value, static_cast<unsigned>(rank));
  }
  template <class T>
  TILESIM_API T shfl_up(T value, unsigned delta) const {
    return move(tilesim_detail::warp_operation::shuffle_up, value, delta);
  }
  template <class T>
  TILESIM_API T shfl_down(T value, unsigned delta) const {
    return move(tilesim_detail::warp_operation::shuffle_down, value, delta);
  }
  template <class T>
  TILESIM_API T shfl_xor(T value, unsigned lanes) const {
    return move(tilesim_detail::warp_operation::shuffle_xor, value, lanes);
  }
  TILESIM_API int any(int predicate) const { return __any_sync(mask(), predicate); }
  TILESIM_API int all(int predicate) const { return __all_sync(mask(), predicate); }
  TILESIM_API unsigned ballot(int predicate) const {
    return tilesim_detail::by_rank(__ballot_sync(mask(), predicate), mask());
  }
  template <class T>
  TILESIM_API unsigned match_any(T value) const {
    return tilesim_detail::by_rank(__match_any_sync(mask(), value), mask());
  }
  template <class T>
  TILESIM_API unsigned match_all(T value, int& predicate) const {
    return tilesim_detail::by_rank(__match_all_sync(mask(), value, &predicate), mask());
  }

protected:
  TILESIM_API thread_block_tile(unsigned mask, unsigned meta_rank, unsigned meta_size)
      : thread_group(Size == 1 ? kind::one : kind::lanes, mask)
      , tile_part<Size>(meta_rank, meta_size) {}

private:
  [[nodiscard]] TILESIM_API unsigned mask() const { return mask_; }

  /// The mask of a part of coalesced threads has holes: ranks are lanes of it.
  template <class T>
  TILESIM_API T move(tilesim_detail::warp_operation o, const T& value, unsigned operand) const {
    if (mask_ == tilesim_detail::mask_of_tile(Size)) {
      return tilesim_detail::shuffle_words(o, mask_, value, operand, static_cast<int>(Size));
    }
    const unsigned rank = thread_rank();
    unsigned to = rank;
    switch (o) {
    case tilesim_detail::warp_operation::shuffle_up:
      to = operand <= rank ? rank - operand : rank;
      break;
    case tilesim_detail::warp_operation::shuffle_down:
      to = operand < Size - rank ? rank + operand : rank;
      break;
    case tilesim_detail::warp_operation::shuffle_xor:
      to = (rank ^ operand) < Size ? rank ^ operand : rank;
      break;
    default:
      to = operand % Size;
    }
    return tilesim_detail::shuffle_words(tilesim_detail::warp_operation::shuffle,
                                         mask_,
                                         value,
                                         tilesim_detail::lane_of_rank(mask_, to),
                                         32);
  }
};

/// The same, of a group that is known.
template <unsigned Size, class Parent>
class thread_block_tile : public thread_block_tile<Size, void> {
  TILESIM_API thread_block_tile(unsigned mask, unsigned meta_rank, unsigned meta_size)
      : thread_block_tile<Size, void>(mask, meta_rank, meta_size) {}
  friend struct group_parts;
};

/// Makes groups of parts of others.
struct group_parts {
  /// The mask's lanes of ranks n * i … n * (i + 1) - 1 that the running one is among.
  TILESIM_API static unsigned among(unsigned mask, unsigned n) {
    const unsigned rank =
        static_cast<unsigned>(__popc(mask & ((1U << tilesim_detail::lane()) - 1)));
    const unsigned first = rank / n * n;
    unsigned part = 0;
    for (unsigned i = first; i < first + n; ++i) {
      const unsigned at = tilesim_detail::lane_of_rank(mask, i);
      part |= at < 32 ? 1U << at : 0;
    }
    return part;
  }
  template <unsigned Size, class Parent>
  TILESIM_API static thread_block_tile<Size, Parent>
  tile(unsigned mask, unsigned meta_rank, unsigned meta_size) {
    return {mask, meta_rank, meta_size};
  }
  TILESIM_API static coalesced_group
  some(unsigned mask, unsigned meta_rank, unsigned meta_size) {
    return coalesced_group(mask, meta_rank, meta_size);
  }
  TILESIM_API static unsigned mask(const coalesced_group& g) { return g.mask_; }
  template <unsigned Size, class T, class Operation>
  TILESIM_API static T
  of_all(const thread_block_tile<Size, void>& g, const T& warps, const Operation& op) {
    return g.of_all(warps, op);
  }
  template <unsigned Size, class T, class Operation>
  TILESIM_API static T
  up_to(const thread_block_tile<Size, void>& g, const T& lanes, const Operation& op) {
    return g.up_to(lanes, op);
  }
  template <unsigned Size, class T>
  TILESIM_API static T from_before(const thread_block_tile<Size, void>& g, const T& value) {
    return g.from_before(value);
  }
  template <unsigned Size>
  TILESIM_API static unsigned mask(const thread_block_tile<Size, void>& /*tile*/) {
    static_assert(Size <= 32, "a tile of several warps is not divided by what its threads say");
    return tilesim_detail::mask_of_tile(Size);
  }
};

template <unsigned Size>
TILESIM_API thread_block_tile<Size, thread_block> tiled_partition(const thread_block& g) {
  return group_parts::tile<Size, thread_block>(tilesim_detail::mask_of_tile(Size),
                                               g.thread_rank() / Size,
                                               (g.size() + Size - 1) / Size);
}
template <unsigned Size, unsigned ParentSize, class Parent>
TILESIM_API thread_block_tile<Size, thread_block_tile<ParentSize, Parent>>
tiled_partition(const thread_block_tile<ParentSize, Parent>& g) {
  static_assert(Size <= ParentSize, "a part is no larger than the whole");
  return group_parts::tile<Size, thread_block_tile<ParentSize, Parent>>(
      tilesim_detail::mask_of_tile(Size), g.thread_rank() / Size, ParentSize / Size);
}
template <unsigned Size>
TILESIM_API thread_block_tile<Size, coalesced_group> tiled_partition(const coalesced_group& g) {
  return group_parts::tile<Size, coalesced_group>(group_parts::among(group_parts::mask(g), Size),
                                                  g.thread_rank() / Size,
                                                  (g.size() + Size - 1) / Size);
}
TILESIM_API thread_group tiled_partition(const thread_group& parent, unsigned size) {
  return thread_group(thread_group::kind::lanes,
                      parent.kind_ == thread_group::kind::block
                          ? tilesim_detail::mask_of_tile(size)
                          : group_parts::among(parent.mask_, size));
}
TILESIM_API coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  return coalesced_group(group_parts::among(parent.mask_, size),
                         parent.thread_rank() / size,
                         (parent.size() + size - 1) / size);
}

TILESIM_API thread_block_tile<1> this_thread() {
  return group_parts::tile<1, thread_block>(1U << tilesim_detail::lane(), 0, 1);
}

/// Those of a group whose label is the same; in the order of the first lane of each.
template <class Group, class Label>
TILESIM_API coalesced_group labeled_partition(const Group& g, Label label) {
  const unsigned all = group_parts::mask(g);
  const unsigned mine = __match_any_sync(all, label);
  unsigned firsts = __ballot_sync(all, static_cast<unsigned>(__ffs(static_cast<int>(mine))) ==
                                           tilesim_detail::lane() + 1);
  const unsigned first = static_cast<unsigned>(__ffs(static_cast<int>(mine))) - 1;
  return group_parts::some(mine,
                           static_cast<unsigned>(__popc(firsts & ((1U << first) - 1))),
                           static_cast<unsigned>(__popc(firsts)));
}
template <class Group>
TILESIM_API coalesced_group binary_partition(const Group& g, bool predicate) {
  const unsigned all = group_parts::mask(g);
  const unsigned yes = __ballot_sync(all, predicate ? 1 : 0);
  const bool both = yes != 0 && yes != all;
  return group_parts::some(predicate ? yes : all & ~yes, both && predicate ? 1 : 0, both ? 2 : 1);
}

template <class Group>
TILESIM_API void sync(const Group& g) {
  g.sync();
}
template <class Group>
TILESIM_API auto thread_rank(const Group& g) {
  return g.thread_rank();
}
template <class Group>
TILESIM_API auto group_size(const Group& g) {
  return g.size();
}

/// One thread of the group calls; the others do not wait for it.
template <class Group, class F, class... Args>
TILESIM_API void invoke_one(const Group& g, F&& f, Args&&... args) {
  if (g.thread_rank() == 0) {
    static_cast<F&&>(f)(static_cast<Args&&>(args)...);
  }
}
/// All are given what it returns.
template <class Group, class F, class... Args>
TILESIM_API auto invoke_one_broadcast(const Group& g, F&& f, Args&&... args) {
  using result = ::std::remove_cvref_t<decltype(static_cast<F&&>(f)(static_cast<Args&&>(args)...))>;
  result value{};
  if (g.thread_rank() == 0) {
    value = static_cast<F&&>(f)(static_cast<Args&&>(args)...);
  }
  return g.shfl(value, 0);
}

} // namespace cooperative_groups
