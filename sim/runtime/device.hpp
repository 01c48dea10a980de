// The simulated device's limits: what launches, occupancy and attributes share.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <driver_types.h>

namespace tilesim::sim {

class context;
class entry;

/// An H200's.
namespace limits {
inline constexpr int threads_per_block = 1024;
inline constexpr int block_x = 1024;
inline constexpr int block_y = 1024;
inline constexpr int block_z = 64;
inline constexpr int grid_x = 2147483647;
inline constexpr int grid_y = 65535;
inline constexpr int grid_z = 65535;
inline constexpr int shared_per_block = 49152;
inline constexpr int shared_per_block_optin = 232448;
inline constexpr int shared_per_multiprocessor = 233472;
inline constexpr int shared_reserved = 1024;
inline constexpr int threads_per_multiprocessor = 2048;
inline constexpr int blocks_per_multiprocessor = 32;
inline constexpr int least_priority = 0;
inline constexpr int greatest_priority = -5;
} // namespace limits

[[nodiscard]] int multiprocessors(const context& c) noexcept;
[[nodiscard]] cudaDeviceProp device_properties(const context& c);

/// cudaErrorInvalidDevice with its finding, unless `device` is the one that exists.
cudaError_t check_device(entry& call, int device, const char* function);

} // namespace tilesim::sim
