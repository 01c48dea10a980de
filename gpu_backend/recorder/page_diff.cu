// Comparing memory on the device, at its own bandwidth.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/page_diff.hpp"

#include <cuda_runtime.h>

namespace tilesim::gpu {

namespace {

constexpr unsigned lanes = 32;
constexpr unsigned warps = 4;

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

/// Whether a lane sees a difference in its share of a whole page at addresses that allow loads of 16
/// bytes: all loads are under way before the first is looked at, since this is bound by memory alone.
__device__ bool whole_page_differs(const unsigned char* a, const unsigned char* b, unsigned lane) {
  constexpr unsigned loads = page_bytes / sizeof(uint4) / lanes;
  uint4 x[loads];
  uint4 y[loads];
#pragma unroll
  for (unsigned i = 0; i < loads; ++i) {
    x[i] = __ldcs(reinterpret_cast<const uint4*>(a) + (i * lanes) + lane);
    y[i] = __ldcs(reinterpret_cast<const uint4*>(b) + (i * lanes) + lane);
  }
  unsigned differs = 0;
#pragma unroll
  for (unsigned i = 0; i < loads; ++i) {
    differs |= (x[i].x ^ y[i].x) | (x[i].y ^ y[i].y) | (x[i].z ^ y[i].z) | (x[i].w ^ y[i].w);
  }
  return differs != 0;
}

/// A warp compares one page after the other.
__global__ void
diff_pages(const compared_memory* memories, unsigned count, std::uint64_t pages, unsigned* found) {
  const unsigned lane = threadIdx.x % lanes;
  const std::uint64_t step = std::uint64_t{gridDim.x} * warps;
  for (std::uint64_t page = (std::uint64_t{blockIdx.x} * warps) + (threadIdx.x / lanes);
       page < pages; page += step) {
    const compared_memory m = memory_of(memories, count, page);
    const std::uint64_t begin = (page - m.first_page) * page_bytes;
    const std::uint64_t size = m.bytes - begin < page_bytes ? m.bytes - begin : page_bytes;
    const unsigned char* const a = static_cast<const unsigned char*>(m.live) + begin;
    const unsigned char* const b = static_cast<const unsigned char*>(m.shadow) + begin;
    bool differs = false;
    if (size == page_bytes &&
        (reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b)) % sizeof(uint4) == 0) {
      differs = whole_page_differs(a, b, lane);
    } else {
      for (std::uint64_t i = lane; i < size; i += lanes) {
        differs |= a[i] != b[i];
      }
    }
    if (__any_sync(~0U, differs) != 0 && lane == 0) {
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
  const std::uint64_t needed = (pages + warps - 1) / warps;
  const auto blocks = static_cast<unsigned>(needed < 16384 ? needed : 16384);
  auto* const in = static_cast<cudaStream_t>(stream);
  if (const cudaError_t error = cudaMemsetAsync(found, 0, sizeof(*found), in);
      error != cudaSuccess) {
    return static_cast<int>(error);
  }
  diff_pages<<<blocks, lanes * warps, 0, in>>>(memories, count, pages, found);
  return static_cast<int>(cudaPeekAtLastError());
}

} // namespace tilesim::gpu
