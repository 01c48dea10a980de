// In front of Thrust's header of this name, which it includes: see assign_value.h.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if __has_include_next(<thrust/system/cuda/detail/get_value.h>)
// What it includes first: its function has its own name there.
#  include <thrust/detail/config.h>

#  include <thrust/system/cuda/config.h>

#  include <thrust/detail/raw_pointer_cast.h>
#  include <thrust/iterator/iterator_traits.h>
#  include <thrust/system/cuda/detail/assign_value.h>
#  include <thrust/system/cuda/detail/cross_system.h>

#  include <nv/target>

#  include <tilesim/detail/device_sync.hpp>

#  define get_value tilesim_get_value_on_host
#  include_next <thrust/system/cuda/detail/get_value.h>
#  undef get_value

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
template <class Policy, class Pointer>
auto get_value(execution_policy<Policy>& policy, Pointer from)
    -> decltype(cuda_cub::tilesim_get_value_on_host(policy, from)) {
  return ::tilesim::detail::in_kernel() ? *thrust::raw_pointer_cast(from)
                                        : cuda_cub::tilesim_get_value_on_host(policy, from);
}
} // namespace cuda_cub
THRUST_NAMESPACE_END
#endif
