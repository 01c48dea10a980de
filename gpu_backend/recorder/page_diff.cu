// Comparing memory on the device, at its own bandwidth.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/page_diff.hpp"

#include <cuda_runtime.h>

namespace tilesim::gpu {

namespace {

constexpr unsigned threads = 128;

/// A block compares one page after the other: by 16 bytes a thread where both allow it.
__global__ void diff_pages(const unsigned char* live,
                           const unsigned char* shadow,
                           std::size_t bytes,
                           std::uint8_t* flags,
                           unsigned* count,
                           std::size_t pages) {
  for (std::size_t page = blockIdx.x; page < pages; page += gridDim.x) {
    const std::size_t begin = page * page_bytes;
    const std::size_t size = bytes - begin < page_bytes ? bytes - begin : page_bytes;
    const unsigned char* const a = live + begin;
    const unsigned char* const b = shadow + begin;
    int differs = 0;
    std::size_t at = 0;
    if ((reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b)) % 16 == 0) {
      for (std::size_t i = threadIdx.x; i < size / 16; i += threads) {
        const uint4 x = reinterpret_cast<const uint4*>(a)[i];
        const uint4 y = reinterpret_cast<const uint4*>(b)[i];
        differs |= x.x != y.x || x.y != y.y || x.z != y.z || x.w != y.w ? 1 : 0;
      }
      at = size / 16 * 16;
    }
    for (std::size_t i = at + threadIdx.x; i < size; i += threads) {
      differs |= a[i] != b[i] ? 1 : 0;
    }
    const int any = __syncthreads_or(differs);
    if (threadIdx.x == 0) {
      flags[page] = static_cast<std::uint8_t>(any != 0);
      if (any != 0) {
        atomicAdd(count, 1U);
      }
    }
  }
}

} // namespace

int start_page_diff(const void* live,
                    const void* shadow,
                    std::size_t bytes,
                    std::uint8_t* flags,
                    unsigned* count,
                    void* stream) {
  const std::size_t pages = (bytes + page_bytes - 1) / page_bytes;
  const auto blocks = static_cast<unsigned>(pages < 16384 ? pages : 16384);
  auto* const in = static_cast<cudaStream_t>(stream);
  if (const cudaError_t error = cudaMemsetAsync(count, 0, sizeof(*count), in);
      error != cudaSuccess) {
    return static_cast<int>(error);
  }
  diff_pages<<<blocks, threads, 0, in>>>(static_cast<const unsigned char*>(live),
                                         static_cast<const unsigned char*>(shadow),
                                         bytes,
                                         flags,
                                         count,
                                         pages);
  return static_cast<int>(cudaPeekAtLastError());
}

} // namespace tilesim::gpu
