// Comparing memory on the device, at its own bandwidth.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/page_diff.hpp"

#include <cuda_runtime.h>

namespace tilesim::gpu {

namespace {

constexpr unsigned threads = 128;

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

/// A block compares one page after the other: by 16 bytes a thread where both allow it.
__global__ void
diff_pages(const compared_memory* memories, unsigned count, std::uint64_t pages, unsigned* found) {
  for (std::uint64_t page = blockIdx.x; page < pages; page += gridDim.x) {
    const compared_memory m = memory_of(memories, count, page);
    const std::uint64_t begin = (page - m.first_page) * page_bytes;
    const std::uint64_t size = m.bytes - begin < page_bytes ? m.bytes - begin : page_bytes;
    const unsigned char* const a = static_cast<const unsigned char*>(m.live) + begin;
    const unsigned char* const b = static_cast<const unsigned char*>(m.shadow) + begin;
    int differs = 0;
    std::uint64_t at = 0;
    if ((reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b)) % 16 == 0) {
      for (std::uint64_t i = threadIdx.x; i < size / 16; i += threads) {
        const uint4 x = reinterpret_cast<const uint4*>(a)[i];
        const uint4 y = reinterpret_cast<const uint4*>(b)[i];
        differs |= x.x != y.x || x.y != y.y || x.z != y.z || x.w != y.w ? 1 : 0;
      }
      at = size / 16 * 16;
    }
    for (std::uint64_t i = at + threadIdx.x; i < size; i += threads) {
      differs |= a[i] != b[i] ? 1 : 0;
    }
    if (__syncthreads_or(differs) != 0 && threadIdx.x == 0) {
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
  const auto blocks = static_cast<unsigned>(pages < 16384 ? pages : 16384);
  auto* const in = static_cast<cudaStream_t>(stream);
  if (const cudaError_t error = cudaMemsetAsync(found, 0, sizeof(*found), in);
      error != cudaSuccess) {
    return static_cast<int>(error);
  }
  diff_pages<<<blocks, threads, 0, in>>>(memories, count, pages, found);
  return static_cast<int>(cudaPeekAtLastError());
}

} // namespace tilesim::gpu
