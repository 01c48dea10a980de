// What gpu_backend/recorder/page_diff.cu does on a GPU, on the device that is none.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/page_diff.hpp"

#include "gpu/fake_runtime/device.hpp"

#include <algorithm>
#include <cstring>
#include <cuda_runtime_api.h>

namespace tilesim::gpu {

int start_page_diff(const compared_memory* memories,
                    unsigned count,
                    std::uint64_t pages,
                    unsigned* found,
                    void* stream) {
  fake::device& d = fake::device::one();
  static_cast<void>(d.put(*static_cast<fake::stream*>(stream), [=] {
    found[0] = 0;
    for (unsigned i = 0; i < count; ++i) {
      const compared_memory& m = memories[i];
      for (std::uint64_t at = 0; at < m.bytes; at += page_bytes) {
        if (std::memcmp(static_cast<const char*>(m.live) + at,
                        static_cast<const char*>(m.shadow) + at,
                        std::min(page_bytes, m.bytes - at)) != 0) {
          found[++found[0]] = static_cast<unsigned>(m.first_page + (at / page_bytes));
        }
      }
    }
    std::reverse(found + 1, found + 1 + found[0]); // a GPU finds them in any order
    if (found[0] > pages) {
      std::abort();
    }
  }));
  return cudaSuccess;
}

} // namespace tilesim::gpu
