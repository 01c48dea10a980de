// Kernel launches: what `kernel<<<grid, block>>>(args)` becomes.
//
// The driver rewrites a launch into
//     ::tilesim::detail::launch(::tilesim::detail::configure(grid, block),
//                               ::tilesim::kernel_kind::tile, "kernel",
//                               [=](auto... a) { kernel(a...); })(args)
// so that arguments are evaluated once, in the host's thread, and overloads, deduction and
// dependent names are the compiler's business. sim/launch.cpp runs the call, once per block.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <type_traits>
#include <vector_types.h>

struct CUstream_st; // the CUDA runtime's own name of a stream's type

namespace tilesim {

/// What kind of kernel a launch names, as far as the source shows it.
enum class kernel_kind : std::uint8_t { unknown, tile, simt };

namespace detail {

/// The four operands between <<< and >>>.
struct launch_config {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  CUstream_st* stream;
};

TILESIM_API launch_config configure(dim3 grid,
                                    dim3 block = 1,
                                    std::size_t shared_bytes = 0,
                                    CUstream_st* stream = nullptr) {
  return {grid, block, shared_bytes, stream};
}

/// A kernel with its arguments bound, as the simulator stores it until the launch runs.
struct bound_kernel {
  const char* name;                ///< as the source writes it
  void* closure;                   ///< owned by the launch
  void (*invoke)(const void*);     ///< runs the kernel for the current block and thread
  void (*destroy)(void*) noexcept; ///< frees the closure
  std::size_t closure_bytes;       ///< its size: the kernel's arguments, private to each thread
};

/// Enqueues a launch. Errors are the CUDA runtime's: see cudaGetLastError.
TILESIM_EXPORT void
enqueue(const launch_config& config, kernel_kind kind, const bound_kernel& kernel) noexcept;

/// Stands for a literal 0 or NULL among a launch's arguments: as a pointer or as a number.
struct literal_zero {
  template <class T>
  requires(std::is_pointer_v<T> || std::is_arithmetic_v<T> || std::is_null_pointer_v<T>) constexpr
  operator T() const noexcept {
    return T{};
  }
};

/// The argument with a literal zero as the number that it is.
template <class T>
constexpr const T& plain(const T& argument) noexcept {
  return argument;
}
constexpr int plain(literal_zero) noexcept {
  return 0;
}

/// The argument with a literal zero as what the parameter makes of it: a number or a null pointer.
template <class T>
constexpr const T& as_null(const T& argument) noexcept {
  return argument;
}
constexpr literal_zero as_null(literal_zero zero) noexcept {
  return zero;
}

template <class Call>
struct launcher {
  launch_config config;
  kernel_kind kind;
  const char* name;
  Call call;

  // By value: a bit-field or a static constant may be an argument.
  template <class... Args>
  TILESIM_API void operator()(Args... args) const {
    auto bound = [call = call, ... bound_args = static_cast<Args&&>(args)] { call(bound_args...); };
    using closure = decltype(bound);
    enqueue(config,
            kind,
            {name,
             new closure(static_cast<closure&&>(bound)),
             [](const void* c) { (*static_cast<const closure*>(c))(); },
             [](void* c) noexcept { delete static_cast<closure*>(c); },
             sizeof(closure)});
  }
};

template <class Call>
TILESIM_API launcher<Call>
launch(const launch_config& config, kernel_kind kind, const char* name, Call call) {
  return {config, kind, name, call};
}

} // namespace detail
} // namespace tilesim
