// In front of CUB's header of this name, which it includes: a block's threads copy to shared memory
// element by element, as on devices before 8.0. For a host's compiler they would copy nothing.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if __has_include_next(<cub/block/block_load_to_shared.cuh>)
// All that it includes: that is to stay what a host's compiler is given.
#  include <cub/config.cuh>
#  include <cub/util_device.cuh>
#  include <cub/util_ptx.cuh>
#  include <cub/util_type.cuh>

#  include <thrust/type_traits/is_trivially_relocatable.h>

#  include <cuda/cmath>
#  include <cuda/memory>
#  include <cuda/ptx>
#  include <cuda/std/algorithm>
#  include <cuda/std/cstdint>
#  include <cuda/std/iterator>
#  include <cuda/std/span>

#  include <nv/target>

#  undef _NV_TARGET_BOOL___NV_IS_DEVICE
#  define _NV_TARGET_BOOL___NV_IS_DEVICE 1
#  include_next <cub/block/block_load_to_shared.cuh>
#  undef _NV_TARGET_BOOL___NV_IS_DEVICE
#  define _NV_TARGET_BOOL___NV_IS_DEVICE 0
#endif
