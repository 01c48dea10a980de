// In front of Thrust's header of this name, which it includes: kernels take the tuning that the host
// takes them to have, that of the simulated device. For a host's compiler it would be another one.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if __has_include_next(<thrust/system/cuda/detail/core/util.h>)
// All that it includes first: they are to see no architecture.
#  include <thrust/detail/config.h>

#  include <thrust/system/cuda/config.h>

#  include <cub/block/block_load.cuh>
#  include <cub/block/block_scan.cuh>
#  include <cub/block/block_store.cuh>
#  include <cub/util_temporary_storage.cuh>

#  include <thrust/detail/raw_pointer_cast.h>
#  if __has_include(<thrust/detail/type_traits/has_nested_type.h>)
#    include <thrust/detail/type_traits/has_nested_type.h>
#  endif
#  if __has_include(<thrust/system/cuda/detail/core/make_load_iterator.h>)
#    include <thrust/system/cuda/detail/core/load_iterator.h>
#    include <thrust/system/cuda/detail/core/make_load_iterator.h>
#  endif
#  include <thrust/system/cuda/detail/util.h>
#  include <thrust/type_traits/is_contiguous_iterator.h>

#  if __has_include(<cuda/__memory/uninitialized_array.h>)
#    include <cuda/__memory/uninitialized_array.h>
#  endif
#  include <cuda/std/cstdint>
#  include <cuda/std/type_traits>

#  include <nv/target>

// It asks for the one or, in later releases, the other.
#  define __CUDA_ARCH__ 900
#  pragma push_macro("_CCCL_PTX_ARCH")
#  undef _CCCL_PTX_ARCH
#  define _CCCL_PTX_ARCH() 900
#  include_next <thrust/system/cuda/detail/core/util.h>
#  pragma pop_macro("_CCCL_PTX_ARCH")
#  undef __CUDA_ARCH__
#endif
