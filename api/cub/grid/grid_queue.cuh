// In front of CUB's header of this name, which it includes: a queue's counters are set by the
// runtime on the host, and as they stand in a kernel. CUB decides that as it is compiled, and here
// one compilation is both.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if __has_include_next(<cub/grid/grid_queue.cuh>)
#  include <cub/config.cuh>
#  include <cub/util_debug.cuh>

#  include <nv/target>

#  include <tilesim/detail/device_sync.hpp>

// NV_IF_TARGET(NV_IS_DEVICE, (…), (…)) asks as it runs.
#  define _NV_IF_tilesim_kernel(kernel, host)                                                      \
    if (::tilesim::detail::in_kernel()) {                                                          \
      _NV_STRIP_PAREN2 kernel                                                                      \
    } else {                                                                                       \
      _NV_STRIP_PAREN2 host                                                                        \
    }
#  undef _NV_TARGET_BOOL___NV_IS_DEVICE
#  define _NV_TARGET_BOOL___NV_IS_DEVICE tilesim_kernel
#  include_next <cub/grid/grid_queue.cuh>
#  undef _NV_TARGET_BOOL___NV_IS_DEVICE
#  define _NV_TARGET_BOOL___NV_IS_DEVICE 0
#  undef _NV_IF_tilesim_kernel
#endif
