// In front of CUB's header of this name, which it includes: what its functions are for devices from
// 7.0 on, st.relaxed.gpu and st.release.gpu. For a host's compiler they are what devices before had,
// st.cg, which is weak.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if __has_include_next(<cub/detail/strong_store.cuh>)
#  include <cub/config.cuh>
#  include <cub/util_ptx.cuh>
#  include <cub/util_type.cuh>

#  include <nv/target>

#  undef _NV_TARGET_BOOL___NV_PROVIDES_SM_70
#  define _NV_TARGET_BOOL___NV_PROVIDES_SM_70 1
#  include_next <cub/detail/strong_store.cuh>
#  undef _NV_TARGET_BOOL___NV_PROVIDES_SM_70
#  define _NV_TARGET_BOOL___NV_PROVIDES_SM_70 0
#endif
