// In front of CUB's header of this name, which it includes: kernels are tuned for the same device as
// the host takes them to be. For a host's compiler CUB takes kernels to be tuned for none, and what
// the host computes of the tuning (how many elements a block takes) does not fit them. It is that
// of cudaFuncGetAttributes.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if __has_include_next(<cub/util_arch.cuh>)
#  define current_tuning_cc tilesim_no_device
#  define current_policy tilesim_policy_of_no_device
#  include_next <cub/util_arch.cuh>
#  undef current_policy
#  undef current_tuning_cc

#  include <cuda/std/type_traits>

#  if CCCL_VERSION >= 3005000
CUB_NAMESPACE_BEGIN
struct TransformPolicy;
namespace detail {
[[nodiscard]] _CCCL_HOST_DEVICE constexpr ::cuda::compute_capability current_tuning_cc() noexcept {
  return ::cuda::compute_capability{90};
}
/// Of transformations the form for any device, whose blocks take as many elements as they are told:
/// that for this one copies by an instruction that a host's compiler leaves out.
template <class PolicySelector>
[[nodiscard]] _CCCL_HOST_DEVICE constexpr auto current_policy() {
  using policy = decltype(select_policy<PolicySelector>(current_tuning_cc()));
  if constexpr (::cuda::std::is_same_v<policy, TransformPolicy>) {
    return select_policy<PolicySelector>(::cuda::compute_capability{});
  } else {
    return select_policy<PolicySelector>(current_tuning_cc());
  }
}
} // namespace detail
CUB_NAMESPACE_END
#  endif
#endif
