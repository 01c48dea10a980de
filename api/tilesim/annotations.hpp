// CUDA's annotations as a host compiler takes them: nothing, or the attribute of the same meaning.
//
// The tool reads `__global__` and `__tile_global__` before macros are expanded, so they may
// vanish here. Where it has to expand macros first they stay, and the tool takes them out. A leaf: cuda_tile.h and host_defines.h both include it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where a function runs.
#define __host__
#define __device__
#define __tile__
#ifndef TILESIM_KEEP_SPECIFIERS // the tool reads them in text whose macros are expanded
#define __global__
#define __tile_global__
// The tool makes references of such variables (detail/shared_memory.hpp): what it could not read
// is refused.
#define __shared__ tilesim_cannot_read_this_shared_declaration
#endif

// Where a variable lives.
// The simulator knows such variables by their alignment: it is in the debug information.
#define TILESIM_CONSTANT_ALIGNMENT 2048
#define __constant__ __attribute__((aligned(TILESIM_CONSTANT_ALIGNMENT)))
#define TILESIM_MANAGED_ALIGNMENT 512
#define __managed__ __attribute__((aligned(TILESIM_MANAGED_ALIGNMENT)))
#define __grid_constant__

// Lambdas with such annotations are lambdas like others here.
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false

// How a function is compiled.
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__
// libstdc++ writes __attribute__((__noinline__)) itself: with the macro that becomes an unknown
// attribute with an argument, which compilers ignore as long as the argument names something.
enum tilesim_noinline_argument { __noinline__ };
#define __noinline__ __attribute__((__noinline__))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __launch_bounds__(...)
#define __cluster_dims__(...)
// Clusters are not simulated: what asks for one in the kernel is told.
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)
#define __nv_pure__ __attribute__((pure))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB

// What the tool makes of the operand of alignas beside __shared__, which is a number or a type.
namespace tilesim::detail {
template <auto Bytes>
constexpr decltype(sizeof 0) alignment() {
  return Bytes;
}
template <class T>
constexpr decltype(sizeof 0) alignment() {
  return alignof(T);
}
} // namespace tilesim::detail
