// A stand-in for the API: enough of it to compile and run rewritten launches, nothing more.
//
// Launches run at once, on the host, and print their configuration. tests/driver compiles with it,
// so that the rewriter is tested alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdio>
#include <type_traits>

#define __tile_global__
#define __global__
#define __launch_bounds__(...)

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
};
using cudaStream_t = struct CUstream_st*;

namespace tilesim {

enum class kernel_kind : unsigned char { unknown, tile, simt };

namespace detail {

struct launch_config {
  dim3 grid, block;
  std::size_t shared_bytes;
  cudaStream_t stream;
};

inline launch_config
configure(dim3 grid, dim3 block = 1, std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  return {grid, block, shared_bytes, stream};
}

struct literal_zero {
  template <class T>
    requires(std::is_pointer_v<T> || std::is_arithmetic_v<T> || std::is_null_pointer_v<T>)
  constexpr operator T() const noexcept {
    return T{};
  }
};

template <class T>
constexpr const T& plain(const T& argument) noexcept {
  return argument;
}
constexpr int plain(literal_zero) noexcept {
  return 0;
}
template <class T>
constexpr const T& as_null(const T& argument) noexcept {
  return argument;
}
constexpr literal_zero as_null(literal_zero) noexcept {
  return {};
}

template <class Call>
struct launcher {
  launch_config config;
  kernel_kind kind;
  const char* name;
  Call call;

  template <class... Args>
  void operator()(Args&&... args) const {
    auto bound = [call = call, ... bound_args = static_cast<Args&&>(args)] { call(bound_args...); };
    static constexpr const char* kinds[] = {"unknown", "tile", "simt"};
    std::printf("%s %s<%u,%u,%zu>: ",
                kinds[static_cast<int>(kind)],
                name,
                config.grid.x,
                config.block.x,
                config.shared_bytes);
    bound();
  }
};

template <class Call>
launcher<Call>
launch(const launch_config& config, kernel_kind kind, const char* name, Call call) {
  return {config, kind, name, call};
}

} // namespace detail
} // namespace tilesim
