// In front of CUB's header of this name, which it includes: blocks that look back at one another wait
// and take what they find as they do on devices from 7.0 on (docs/cccl.md).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if __has_include_next(<cub/agent/single_pass_scan_operators.cuh>)
#  include <cub/detail/strong_load.cuh>
#  include <cub/detail/strong_store.cuh>
#  include <cub/detail/uninitialized_copy.cuh>
#  include <cub/thread/thread_load.cuh>
#  include <cub/thread/thread_store.cuh>
#  include <cub/util_temporary_storage.cuh>
#  include <cub/warp/warp_reduce.cuh>

#  include <cuda/std/type_traits>

#  include <nv/target>

#  undef _NV_TARGET_BOOL___NV_PROVIDES_SM_70
#  define _NV_TARGET_BOOL___NV_PROVIDES_SM_70 1
#  include_next <cub/agent/single_pass_scan_operators.cuh>
#  undef _NV_TARGET_BOOL___NV_PROVIDES_SM_70
#  define _NV_TARGET_BOOL___NV_PROVIDES_SM_70 0
#endif
