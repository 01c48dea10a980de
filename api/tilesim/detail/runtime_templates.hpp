// The runtime's C++ overloads: typed pointers, typed kernels, cudaMemcpyToSymbol on variables.
//
// Thin and always inlined, so that the C function beneath sees the user's line as its caller.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>
#include <tilesim/detail/kernel_pointer.hpp>
#include <tilesim/detail/machine.hpp>
#include <tilesim/detail/symbols.hpp>

#include <type_traits>

template <class T>
TILESIM_API cudaError_t cudaMalloc(T** devPtr, size_t size) {
  return ::cudaMalloc(reinterpret_cast<void**>(devPtr), size);
}
template <class T>
TILESIM_API cudaError_t cudaMallocPitch(T** devPtr, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch(reinterpret_cast<void**>(devPtr), pitch, width, height);
}
template <class T>
TILESIM_API cudaError_t
cudaMallocManaged(T** devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(reinterpret_cast<void**>(devPtr), size, flags);
}
template <class T>
TILESIM_API cudaError_t cudaMallocHost(T** ptr, size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(ptr), size, flags);
}
template <class T>
TILESIM_API cudaError_t cudaHostAlloc(T** ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(ptr), size, flags);
}
template <class T>
TILESIM_API cudaError_t cudaHostGetDevicePointer(T** pDevice, void* pHost, unsigned int flags) {
  return ::cudaHostGetDevicePointer(reinterpret_cast<void**>(pDevice), pHost, flags);
}
template <class T>
TILESIM_API cudaError_t cudaMallocAsync(T** ptr, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync(reinterpret_cast<void**>(ptr), size, stream);
}
template <class T>
TILESIM_API cudaError_t
cudaMallocAsync(T** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(ptr), size, memPool, stream);
}
template <class T>
TILESIM_API cudaError_t
cudaMallocFromPoolAsync(T** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(ptr), size, memPool, stream);
}
// Older forms, which CUDA's C++ interface still has.
TILESIM_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* pGraphExec,
                                             cudaGraph_t graph,
                                             cudaGraphNode_t* pErrorNode,
                                             char* pLogBuffer,
                                             size_t bufferSize) {
  if (pErrorNode != nullptr) {
    *pErrorNode = nullptr;
  }
  if (pLogBuffer != nullptr && bufferSize != 0) {
    *pLogBuffer = '\0';
  }
  return ::cudaGraphInstantiate(pGraphExec, graph, 0);
}
TILESIM_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec,
                                            cudaGraph_t hGraph,
                                            cudaGraphNode_t* hErrorNode_out,
                                            cudaGraphExecUpdateResult* updateResult_out) {
  cudaGraphExecUpdateResultInfo told{};
  const cudaError_t status = ::cudaGraphExecUpdate(hGraphExec, hGraph, &told);
  if (hErrorNode_out != nullptr) {
    *hErrorNode_out = told.errorNode;
  }
  if (updateResult_out != nullptr) {
    *updateResult_out = told.result;
  }
  return status;
}

/// An object that is deleted with its last reference.
template <class T>
TILESIM_API cudaError_t cudaUserObjectCreate(cudaUserObject_t* object_out,
                                             T* objectToWrap,
                                             unsigned int initialRefcount,
                                             unsigned int flags) {
  return ::cudaUserObjectCreate(
      object_out,
      objectToWrap,
      [](void* object) { delete static_cast<T*>(object); },
      initialRefcount,
      flags);
}

template <class T>
TILESIM_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream,
                                                 T* devPtr,
                                                 size_t length = 0,
                                                 unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(
      stream, const_cast<void*>(static_cast<const void*>(devPtr)), length, flags);
}

TILESIM_API cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

// Variables by name. The address of a variable stands for it.
template <class T>
TILESIM_API cudaError_t cudaGetSymbolAddress(void** devPtr, const T& symbol) {
  return ::tilesim::detail::symbol_address(devPtr, ::tilesim::detail::symbol_of(symbol));
}
template <class T>
TILESIM_API cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return ::tilesim::detail::symbol_size(size, ::tilesim::detail::symbol_of(symbol));
}
template <class T>
TILESIM_API cudaError_t cudaMemcpyToSymbol(const T& symbol,
                                           const void* src,
                                           size_t count,
                                           size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::tilesim::detail::copy_to_symbol(::tilesim::detail::symbol_of(symbol), src, count, offset, kind);
}
template <class T>
TILESIM_API cudaError_t cudaMemcpyToSymbolAsync(const T& symbol,
                                                const void* src,
                                                size_t count,
                                                size_t offset = 0,
                                                cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                cudaStream_t stream = nullptr) {
  return ::tilesim::detail::copy_to_symbol_async(
      ::tilesim::detail::symbol_of(symbol), src, count, offset, kind, stream);
}
template <class T>
TILESIM_API cudaError_t cudaMemcpyFromSymbol(void* dst,
                                             const T& symbol,
                                             size_t count,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::tilesim::detail::copy_from_symbol(dst, ::tilesim::detail::symbol_of(symbol), count, offset, kind);
}
template <class T>
TILESIM_API cudaError_t cudaMemcpyFromSymbolAsync(void* dst,
                                                  const T& symbol,
                                                  size_t count,
                                                  size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                  cudaStream_t stream = nullptr) {
  return ::tilesim::detail::copy_from_symbol_async(
      dst, ::tilesim::detail::symbol_of(symbol), count, offset, kind, stream);
}

// Kernels by pointer.
template <class T>
TILESIM_API cudaError_t cudaLaunchKernel(T* func,
                                         dim3 grid,
                                         dim3 block,
                                         void** args,
                                         size_t sharedMem = 0,
                                         cudaStream_t stream = nullptr) {
  const cudaLaunchConfig_t config{grid, block, sharedMem, stream, nullptr, 0};
  return ::tilesim::detail::launch_with_pointers(config, func, args);
}
template <class T>
TILESIM_API cudaError_t cudaLaunchCooperativeKernel(T* func,
                                                    dim3 grid,
                                                    dim3 block,
                                                    void** args,
                                                    size_t sharedMem = 0,
                                                    cudaStream_t stream = nullptr) {
  cudaLaunchAttribute cooperative{cudaLaunchAttributeCooperative, {}, {}};
  cooperative.val.cooperative = 1;
  const cudaLaunchConfig_t config{grid, block, sharedMem, stream, &cooperative, 1};
  return ::tilesim::detail::launch_with_pointers(config, func, args);
}
template <class... Params, class... Args>
TILESIM_API cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                           void (*kernel)(Params...),
                                           Args&&... args) {
  return ::tilesim::detail::launch_with_values(config, kernel, static_cast<Args&&>(args)...);
}

template <class T>
TILESIM_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attr, T* entry) {
  return ::cudaFuncGetAttributes(attr, reinterpret_cast<const void*>(entry));
}
template <class T>
TILESIM_API cudaError_t cudaFuncSetAttribute(T* func, cudaFuncAttribute attr, int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void*>(func), attr, value);
}
template <class T>
TILESIM_API cudaError_t cudaFuncSetCacheConfig(T* func, cudaFuncCache cacheConfig) {
  return ::cudaFuncSetCacheConfig(reinterpret_cast<const void*>(func), cacheConfig);
}
template <class T>
TILESIM_API cudaError_t cudaFuncGetName(const char** name, T* func) {
  return ::cudaFuncGetName(name, reinterpret_cast<const void*>(func));
}
template <class T>
TILESIM_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks,
                                                                      T func,
                                                                      int blockSize,
                                                                      size_t dynamicSMemSize) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      numBlocks, reinterpret_cast<const void*>(func), blockSize, dynamicSMemSize);
}
template <class T>
TILESIM_API cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks,
                                                       T func,
                                                       int blockSize,
                                                       size_t dynamicSMemSize,
                                                       unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      numBlocks, reinterpret_cast<const void*>(func), blockSize, dynamicSMemSize, flags);
}
template <class T>
TILESIM_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize,
                                                                  T* func,
                                                                  int numBlocks,
                                                                  int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(
      dynamicSmemSize, reinterpret_cast<const void*>(func), numBlocks, blockSize);
}
template <class T>
TILESIM_API cudaError_t cudaOccupancyMaxActiveClusters(int* numClusters,
                                                       T* func,
                                                       const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxActiveClusters(
      numClusters, reinterpret_cast<const void*>(func), config);
}
template <class T>
TILESIM_API cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize,
                                                             T* func,
                                                             const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxPotentialClusterSize(
      clusterSize, reinterpret_cast<const void*>(func), config);
}

/// The block size that fills a multiprocessor, when a block's shared memory depends on its size:
/// every multiple of a warp is tried, largest first.
template <class UnaryFunction, class T>
cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* minGridSize,
                                                        int* blockSize,
                                                        T func,
                                                        UnaryFunction blockSizeToDynamicSMemSize,
                                                        int blockSizeLimit = 0,
                                                        unsigned int flags = 0) {
  if (minGridSize == nullptr || blockSize == nullptr) {
    return cudaErrorInvalidValue;
  }
  int device = 0;
  int multiprocessors = 0;
  cudaFuncAttributes attributes;
  cudaError_t status = ::cudaGetDevice(&device);
  if (status == cudaSuccess) {
    status = ::cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  }
  if (status == cudaSuccess) {
    status = ::cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(func));
  }
  if (status != cudaSuccess) {
    return status;
  }
  const int most = blockSizeLimit > 0 && blockSizeLimit < attributes.maxThreadsPerBlock
                       ? blockSizeLimit
                       : attributes.maxThreadsPerBlock;
  int best_threads = 0;
  for (int tried = (most + 31) / 32 * 32; tried > 0; tried -= 32) {
    const int size = tried < most ? tried : most;
    int blocks = 0;
    status = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks,
        reinterpret_cast<const void*>(func),
        size,
        static_cast<size_t>(blockSizeToDynamicSMemSize(size)),
        flags);
    if (status != cudaSuccess) {
      return status;
    }
    if (blocks * size > best_threads) {
      best_threads = blocks * size;
      *blockSize = size;
      *minGridSize = blocks * multiprocessors;
    }
  }
  return cudaSuccess;
}
template <class UnaryFunction, class T>
cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize,
                                               int* blockSize,
                                               T func,
                                               UnaryFunction blockSizeToDynamicSMemSize,
                                               int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, func, blockSizeToDynamicSMemSize, blockSizeLimit);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize,
                                                        int* blockSize,
                                                        T func,
                                                        size_t dynamicSMemSize = 0,
                                                        int blockSizeLimit = 0,
                                                        unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, func, [=](int) { return dynamicSMemSize; }, blockSizeLimit, flags);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize,
                                               int* blockSize,
                                               T func,
                                               size_t dynamicSMemSize = 0,
                                               int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(
      minGridSize, blockSize, func, dynamicSMemSize, blockSizeLimit);
}

// Small structures by their parts.
constexpr cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) {
  return cudaExtent{w, h, d};
}
constexpr cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  return cudaPos{x, y, z};
}
constexpr cudaPitchedPtr make_cudaPitchedPtr(void* d, size_t p, size_t xsz, size_t ysz) {
  return cudaPitchedPtr{d, p, xsz, ysz};
}
