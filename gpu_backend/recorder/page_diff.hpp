// Which pages of memory on the device differ from a copy of it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilesim::gpu {

inline constexpr std::size_t page_bytes = 4096;

/// Sets flags[i] to 1 where page i of `live` differs from that of `shadow`, else to 0; the last
/// page may be shorter. All of them are on the device. Starts it in the stream; cudaSuccess is 0.
int start_page_diff(const void* live,
                    const void* shadow,
                    std::size_t bytes,
                    std::uint8_t* flags,
                    unsigned* count,
                    void* stream);

} // namespace tilesim::gpu
