// CUDA arrays, textures and surfaces: declared, so that a program that names them compiles; each
// call reports that they are not simulated.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/call_chain.hpp"
#include "sim/runtime/entry.hpp"

#include <tilesim/detail/textures.hpp>

#include <fmt/format.h>

using namespace tilesim::sim;

#define TILESIM_TEXTURES(function, ...)                                                            \
  cudaError_t function(__VA_ARGS__) {                                                              \
    TILESIM_ENTRY(call)                                                                            \
    call.sim.found.add(                                                                            \
        with_callers(call.site),                                                                   \
        {.kind = finding_kind::unsupported,                                                        \
         .message = #function ": CUDA arrays, textures and surfaces are not simulated",            \
         .details = {"the call returns cudaErrorNotSupported"},                                    \
         .remedy = "read and write the memory through a pointer"});                                \
    return call.error(cudaErrorNotSupported);                                                      \
  }

TILESIM_TEXTURES(cudaCreateTextureObject,
                 cudaTextureObject_t*,
                 const cudaResourceDesc*,
                 const cudaTextureDesc*,
                 const cudaResourceViewDesc*)
TILESIM_TEXTURES(cudaDestroyTextureObject, cudaTextureObject_t)
TILESIM_TEXTURES(cudaCreateSurfaceObject, cudaSurfaceObject_t*, const cudaResourceDesc*)
TILESIM_TEXTURES(cudaDestroySurfaceObject, cudaSurfaceObject_t)
TILESIM_TEXTURES(
    cudaMallocArray, cudaArray_t*, const cudaChannelFormatDesc*, size_t, size_t, unsigned int)
TILESIM_TEXTURES(
    cudaMalloc3DArray, cudaArray_t*, const cudaChannelFormatDesc*, cudaExtent, unsigned int)
TILESIM_TEXTURES(cudaFreeArray, cudaArray_t)
TILESIM_TEXTURES(cudaMemcpy2DToArray,
                 cudaArray_t,
                 size_t,
                 size_t,
                 const void*,
                 size_t,
                 size_t,
                 size_t,
                 cudaMemcpyKind)
TILESIM_TEXTURES(cudaMemcpy2DFromArray,
                 void*,
                 size_t,
                 cudaArray_const_t,
                 size_t,
                 size_t,
                 size_t,
                 size_t,
                 cudaMemcpyKind)
TILESIM_TEXTURES(
    cudaMemcpyToArray, cudaArray_t, size_t, size_t, const void*, size_t, cudaMemcpyKind)
