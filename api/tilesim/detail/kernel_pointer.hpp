// Launches through a pointer to a kernel: cudaLaunchKernel, cudaLaunchKernelEx.
//
// Where the pointer still has its type, the kernel is called here, as a launch by <<<…>>> calls it; a
// `const void*` is resolved through debug information by sim/runtime/erased_call.cpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>
#include <tilesim/detail/machine.hpp>
#include <tilesim/launch.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tilesim::detail {

/// What is wrong with a launch by pointer before its kernel is called; `api`: the function's name.
TILESIM_EXPORT cudaError_t check_launch(const cudaLaunchConfig_t* config,
                                        const void* function,
                                        const char* api) noexcept;
/// What the launch came to, whose kernel has been called.
TILESIM_EXPORT cudaError_t launched(const launching& l, const char* api) noexcept;

/// What <<<…>>> would say, and whether the launch is cooperative.
TILESIM_API launch_config configured(const cudaLaunchConfig_t& c) {
  launch_config made{c.gridDim, c.blockDim, c.dynamicSmemBytes, c.stream};
  for (unsigned i = 0; c.attrs != nullptr && i < c.numAttrs; ++i) {
    made.cooperative |=
        c.attrs[i].id == cudaLaunchAttributeCooperative && c.attrs[i].val.cooperative != 0;
  }
  return made;
}

/// `call` calls the kernel, which takes the launch.
template <class Call>
TILESIM_API cudaError_t launch_by_pointer(const cudaLaunchConfig_t* config,
                                          const void* function,
                                          const char* api,
                                          const Call& call) {
  if (const cudaError_t wrong = check_launch(config, function, api)) {
    return wrong;
  }
  launching l(configured(*config), nullptr);
  l.function = function;
  call();
  return launched(l, api);
}

/// Each argument is converted to the parameter's type here, as for a call of the kernel.
template <class... Params, class... Args>
TILESIM_API cudaError_t launch_with_values(const cudaLaunchConfig_t* config,
                                           void (*kernel)(Params...),
                                           Args&&... args) {
  static_assert(sizeof...(Params) == sizeof...(Args), "as many arguments as the kernel takes");
  return launch_by_pointer(config,
                           reinterpret_cast<const void*>(kernel),
                           "cudaLaunchKernelEx",
                           [&] { kernel(static_cast<Args&&>(args)...); });
}

/// args[i] points to the i-th argument, whose type the kernel's own type tells; copied here.
template <class... Params, ::std::size_t... I>
TILESIM_API cudaError_t launch_typed(const cudaLaunchConfig_t& config,
                                     void (*kernel)(Params...),
                                     void** args,
                                     ::std::index_sequence<I...>) {
  return launch_by_pointer(
      &config, reinterpret_cast<const void*>(kernel), "cudaLaunchKernel", [&] {
        kernel(*static_cast<::std::remove_reference_t<Params>*>(args[I])...);
      });
}
template <class... Params>
TILESIM_API cudaError_t launch_with_pointers(const cudaLaunchConfig_t& config,
                                             void (*kernel)(Params...),
                                             void** args) {
  if (kernel == nullptr || (args == nullptr && sizeof...(Params) > 0)) {
    return ::cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), args);
  }
  return launch_typed(config, kernel, args, ::std::index_sequence_for<Params...>{});
}
TILESIM_API cudaError_t launch_with_pointers(const cudaLaunchConfig_t& config,
                                             const void* kernel,
                                             void** args) {
  return ::cudaLaunchKernelExC(&config, kernel, args);
}

} // namespace tilesim::detail
