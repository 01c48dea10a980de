// In front of Thrust's header of this name, which it includes: see assign_value.h.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if __has_include_next(<thrust/system/cuda/detail/iter_swap.h>)
// What it includes first: its function has its own name there.
#  include <thrust/detail/config.h>

#  include <thrust/system/cuda/config.h>

#  include <thrust/detail/raw_pointer_cast.h>
#  if CCCL_VERSION < 3005000
#    include <thrust/swap.h>
#  endif
#  include <thrust/system/cuda/detail/execution_policy.h>

#  include <cuda/std/utility>

#  include <nv/target>

#  include <tilesim/detail/device_sync.hpp>

#  define iter_swap tilesim_iter_swap_on_host
#  include_next <thrust/system/cuda/detail/iter_swap.h>
#  undef iter_swap

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
template <class Policy, class One, class Other>
void iter_swap(thrust::cuda::execution_policy<Policy>& policy, One one, Other other) {
  if (::tilesim::detail::in_kernel()) {
    using ::cuda::std::swap;
    swap(*thrust::raw_pointer_cast(one), *thrust::raw_pointer_cast(other));
  } else {
    cuda_cub::tilesim_iter_swap_on_host(policy, one, other);
  }
}
} // namespace cuda_cub
THRUST_NAMESPACE_END
#endif
