// Comparing memory on the device, at its own bandwidth.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/page_diff.hpp"

#include <cuda_runtime.h>

namespace tilesim::gpu {

namespace {

constexpr unsigned lanes = 32;
constexpr unsigned warps = 8;                                    // of a block
constexpr unsigned vectors = page_bytes / sizeof(uint4) / lanes; // that a lane takes of a page
constexpr unsigned all_lanes = 0xffffffffU;

/// The memory that a page is of: the last one that begins before it.
const __device__ compared_memory&
memory_of(const compared_memory* memories, unsigned count, std::uint64_t page) {
  unsigned begin = 0;
  unsigned end = count;
  while (end - begin > 1) {
    const unsigned middle = begin + ((end - begin) / 2);
    if (memories[middle].first_page <= page) {
      begin = middle;
    } else {
      end = middle;
    }
  }
  return memories[begin];
}

/// This lane's part of the page's first `count` vectors. All its loads are under way before the
/// first of them is looked at; what is read once is not kept in the caches.
__device__ bool vectors_differ(const uint4* a, const uint4* b, unsigned count, unsigned lane) {
  uint4 x[vectors];
  uint4 y[vectors];
#pragma unroll
  for (unsigned i = 0; i < vectors; ++i) {
    const unsigned at = (i * lanes) + lane;
    x[i] = at < count ? __ldcs(a + at) : make_uint4(0, 0, 0, 0);
    y[i] = at < count ? __ldcs(b + at) : make_uint4(0, 0, 0, 0);
  }
  unsigned differs = 0;
#pragma unroll
  for (unsigned i = 0; i < vectors; ++i) {
    differs |= (x[i].x ^ y[i].x) | (x[i].y ^ y[i].y) | (x[i].z ^ y[i].z) | (x[i].w ^ y[i].w);
  }
  return differs != 0;
}

/// Likewise, by bytes: behind the last vector, and of memory that begins anywhere.
__device__ bool bytes_differ(
    const unsigned char* a, const unsigned char* b, unsigned begin, unsigned end, unsigned lane) {
  bool differs = false;
  for (unsigned i = begin + lane; i < end; i += lanes) {
    differs = differs || a[i] != b[i];
  }
  return differs;
}

/// A warp compares one page after the other.
__global__ void __launch_bounds__(warps* lanes) diff_pages(const compared_memory* memories,
                                                           unsigned count,
                                                           std::uint64_t pages,
                                                           unsigned* found) {
  const unsigned lane = threadIdx.x % lanes;
  const std::uint64_t step = std::uint64_t{gridDim.x} * warps;
  for (std::uint64_t page = (std::uint64_t{blockIdx.x} * warps) + (threadIdx.x / lanes);
       page < pages;
       page += step) {
    const compared_memory m = memory_of(memories, count, page);
    const std::uint64_t begin = (page - m.first_page) * page_bytes;
    const auto* const a = static_cast<const unsigned char*>(m.live) + begin;
    const auto* const b = static_cast<const unsigned char*>(m.shadow) + begin;
    const auto addresses =
        reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b);
    const std::uint64_t left = m.bytes - begin;
    const auto size = static_cast<unsigned>(left < page_bytes ? left : page_bytes);
    const unsigned whole = addresses % sizeof(uint4) == 0 ? size / sizeof(uint4) : 0;
    const bool differs =
        vectors_differ(
            reinterpret_cast<const uint4*>(a), reinterpret_cast<const uint4*>(b), whole, lane) ||
        bytes_differ(a, b, whole * sizeof(uint4), size, lane);
    if (__any_sync(all_lanes, differs ? 1 : 0) != 0 && lane == 0) {
      found[1 + atomicAdd(found, 1U)] = static_cast<unsigned>(page);
    }
  }
}

} // namespace

int start_page_diff(const compared_memory* memories,
                    unsigned count,
                    std::uint64_t pages,
                    unsigned* found,
                    void* stream) {
  constexpr std::uint64_t most_blocks = 32768;
  const std::uint64_t blocks = (pages + warps - 1) / warps;
  diff_pages<<<static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks),
               warps * lanes,
               0,
               static_cast<cudaStream_t>(stream)>>>(memories, count, pages, found);
  return static_cast<int>(cudaPeekAtLastError());
}

} // namespace tilesim::gpu
