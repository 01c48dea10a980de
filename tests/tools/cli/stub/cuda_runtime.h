// A stand-in for the API: enough of it to compile and run rewritten launches, nothing more.
//
// Launches run at once, on the host, and print their configuration. tests/tools compiles with it,
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

/// The launch that is under way; a kernel that is called outside of one runs.
struct launching {
  launching(const launch_config& c, const char* n) : config(c), name(n), around(innermost) {
    innermost = this;
  }
  ~launching() { innermost = around; }
  explicit operator bool() const { return false; }

  launch_config config;
  const char* name;
  launching* around;
  bool taken = false;
  static inline launching* innermost = nullptr;
};

inline bool entering = false;
inline bool enter_kernel() {
  const bool yes = entering;
  entering = false;
  return yes;
}

template <kernel_kind Kind>
void announce() {
  static constexpr const char* kinds[] = {"unknown", "tile", "simt"};
  auto* l = launching::innermost;
  while (l->taken)
    l = l->around;
  l->taken = true;
  std::printf("%s %s<%u,%u,%zu>: ",
              kinds[static_cast<int>(Kind)],
              l->name,
              l->config.grid.x,
              l->config.block.x,
              l->config.shared_bytes);
  entering = true;
}

template <class T>
struct unrestricted {
  using type = T;
};
template <class T>
struct unrestricted<T* __restrict__> {
  using type = T*;
};
template <class T>
using parameter_type = typename unrestricted<T>::type;

template <kernel_kind Kind, class... P, class... V>
void bind_kernel(const char* /*name*/, void (*kernel)(P...), V&... parameters) {
  announce<Kind>();
  kernel(parameters...);
}

template <kernel_kind Kind, class Body>
void run_or_bind(const char* /*name*/, Body body) {
  if (!enter_kernel()) {
    announce<Kind>();
    entering = false;
  }
  body();
}

template <class P>
inline constexpr bool unsupported_parameter = std::is_class_v<P>;
template <class P>
inline constexpr bool unique_parameter = false;

} // namespace detail
} // namespace tilesim
