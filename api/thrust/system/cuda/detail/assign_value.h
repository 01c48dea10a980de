// In front of Thrust's header of this name, which it includes: an element of device memory is written by a copy of
// the runtime's on the host, and as it stands in a kernel. Thrust decides that as it is compiled, and
// here one compilation is both.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if __has_include_next(<thrust/system/cuda/detail/assign_value.h>)
// What it includes first: its function has its own name there.
#  include <thrust/detail/config.h>

#  include <thrust/system/cuda/config.h>

#  include <thrust/detail/raw_pointer_cast.h>
#  include <thrust/iterator/iterator_traits.h>
#  if CCCL_VERSION < 3005000
#    include <thrust/system/cuda/detail/copy.h>
#  endif
#  include <thrust/system/cuda/detail/cross_system.h>
#  include <thrust/system/cuda/detail/execution_policy.h>
#  include <thrust/system/cuda/detail/util.h>

#  include <nv/target>

#  include <tilesim/detail/device_sync.hpp>

#  define assign_value tilesim_assign_value_on_host
#  include_next <thrust/system/cuda/detail/assign_value.h>
#  undef assign_value

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
template <class Policy, class To, class From>
void assign_value(execution_policy<Policy>& policy, To to, From from) {
  if (::tilesim::detail::in_kernel()) {
    *thrust::raw_pointer_cast(to) = *thrust::raw_pointer_cast(from);
  } else {
    cuda_cub::tilesim_assign_value_on_host(policy, to, from);
  }
}
template <class ToSystem, class FromSystem, class To, class From>
void assign_value(cross_system<ToSystem, FromSystem>& systems, To to, From from) {
  if (::tilesim::detail::in_kernel()) {
    *thrust::raw_pointer_cast(to) = *thrust::raw_pointer_cast(from);
  } else {
    cuda_cub::tilesim_assign_value_on_host(systems, to, from);
  }
}
} // namespace cuda_cub
THRUST_NAMESPACE_END
#endif
