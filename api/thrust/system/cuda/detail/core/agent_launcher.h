// In front of Thrust's header of this name, which it includes: its kernels have their bodies, which
// Thrust leaves out where the host's code is compiled.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if __has_include_next(<thrust/system/cuda/detail/core/agent_launcher.h>)
#  include <thrust/detail/config.h>

#  include <thrust/system/cuda/detail/core/triple_chevron_launch.h>
#  include <thrust/system/cuda/detail/core/util.h>

#  include <cuda/std/cassert>

#  include <nv/target>

#  include <cassert>

#  define _NVHPC_CUDA
#  ifdef _CCCL_DEVICE_COMPILATION
#    undef _CCCL_DEVICE_COMPILATION
#    define _CCCL_DEVICE_COMPILATION() 1
#  endif
#  include_next <thrust/system/cuda/detail/core/agent_launcher.h>
#  ifdef _CCCL_DEVICE_COMPILATION
#    undef _CCCL_DEVICE_COMPILATION
#    define _CCCL_DEVICE_COMPILATION() 0
#  endif
#  undef _NVHPC_CUDA
#endif
