// Function attributes and occupancy.
//
// A kernel here has no registers and no static shared memory that anybody could count: threads,
// blocks and dynamic shared memory are what limit it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/functions.hpp"

#include "sim/debug_info/source_site.hpp"
#include "sim/process/segments.hpp"
#include "sim/runtime/device.hpp"
#include "sim/runtime/entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

using namespace tilesim::sim;

namespace tilesim::sim {

namespace {

/// True if the address lies in code of the program or one of its libraries.
bool is_code(const void* address) {
  // Asked anew each time: the program may have loaded a library since.
  const std::vector<segment> all = loaded_segments();
  return std::any_of(all.begin(), all.end(), [address](const segment& s) {
    return s.executable && s.contains(reinterpret_cast<std::uintptr_t>(address));
  });
}

} // namespace

const char* kernel_name(const void* function, const char* unknown) {
  if (function == nullptr) {
    return unknown;
  }
  static std::map<const void*, std::string> names;
  const auto [it, fresh] = names.try_emplace(function);
  if (fresh) {
    // A site is a return address: the function's second byte stands for its first instruction.
    const auto frames = resolve(static_cast<const char*>(function) + 1);
    if (!frames.empty() && !frames.back().function.empty()) {
      it->second = frames.back().function;
    }
  }
  return it->second.empty() ? unknown : it->second.c_str();
}

cudaError_t check_function(entry& call, const void* function, const char* api) {
  if (function == nullptr) {
    return call.misuse(cudaErrorInvalidDeviceFunction,
                       fmt::format("{}: null pointer for the kernel", api));
  }
  if (!is_code(function)) {
    return call.misuse(cudaErrorInvalidResourceHandle,
                       fmt::format("{}: {} is no function", api, describe_pointer(call, function)));
  }
  return cudaSuccess;
}

} // namespace tilesim::sim

#define TILESIM_FUNCTION(call, function, api)                                                      \
  if (const cudaError_t wrong = check_function(call, function, api)) {                             \
    return wrong;                                                                                  \
  }

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attr, const void* func) {
  TILESIM_ENTRY(call)
  TILESIM_FUNCTION(call, func, "cudaFuncGetAttributes")
  if (attr == nullptr) {
    return call.misuse(cudaErrorInvalidValue, "cudaFuncGetAttributes: null pointer for the result");
  }
  const function_settings& settings = call.state.functions[func];
  *attr = {};
  attr->maxThreadsPerBlock = limits::threads_per_block;
  attr->numRegs = 32;
  attr->ptxVersion = 90;
  attr->binaryVersion = 90;
  attr->maxDynamicSharedSizeBytes = settings.max_dynamic_shared;
  attr->preferredShmemCarveout = settings.carveout;
  return call.ok();
}

cudaError_t cudaFuncSetAttribute(const void* func, cudaFuncAttribute attr, int value) {
  TILESIM_ENTRY(call)
  TILESIM_FUNCTION(call, func, "cudaFuncSetAttribute")
  function_settings& settings = call.state.functions[func];
  switch (attr) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize:
    if (value < 0 || value > limits::shared_per_block_optin) {
      return call.misuse(
          cudaErrorInvalidValue,
          fmt::format("cudaFuncSetAttribute: {} bytes of dynamic shared memory; a block "
                      "has at most {}",
                      value,
                      limits::shared_per_block_optin));
    }
    settings.max_dynamic_shared = value;
    return call.ok();
  case cudaFuncAttributePreferredSharedMemoryCarveout:
    if (value < -1 || value > 100) {
      return call.misuse(
          cudaErrorInvalidValue,
          fmt::format("cudaFuncSetAttribute: a carveout of {} is not within -1 and 100", value));
    }
    settings.carveout = value;
    return call.ok();
  case cudaFuncAttributeClusterDimMustBeSet:
  case cudaFuncAttributeRequiredClusterWidth:
  case cudaFuncAttributeRequiredClusterHeight:
  case cudaFuncAttributeRequiredClusterDepth:
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
  case cudaFuncAttributeClusterSchedulingPolicyPreference:
    return call.ok(); // hints
  case cudaFuncAttributeMax:
    break;
  }
  return call.misuse(
      cudaErrorInvalidValue,
      fmt::format("cudaFuncSetAttribute: {} is no attribute", static_cast<int>(attr)));
}

cudaError_t cudaFuncSetCacheConfig(const void* func, cudaFuncCache /*cacheConfig*/) {
  TILESIM_ENTRY(call)
  TILESIM_FUNCTION(call, func, "cudaFuncSetCacheConfig")
  return call.ok();
}

cudaError_t cudaFuncSetSharedMemConfig(const void* func, cudaSharedMemConfig /*config*/) {
  TILESIM_ENTRY(call)
  TILESIM_FUNCTION(call, func, "cudaFuncSetSharedMemConfig")
  return call.ok();
}

cudaError_t cudaFuncGetName(const char** name, const void* func) {
  TILESIM_ENTRY(call)
  TILESIM_FUNCTION(call, func, "cudaFuncGetName")
  if (name == nullptr) {
    return call.misuse(cudaErrorInvalidValue, "cudaFuncGetName: null pointer for the result");
  }
  *name = kernel_name(func);
  return call.ok();
}

namespace {

cudaError_t occupancy(entry& call,
                      int* blocks,
                      const void* func,
                      int block_size,
                      std::size_t shared,
                      const char* api) {
  TILESIM_FUNCTION(call, func, api)
  if (blocks == nullptr || block_size <= 0) {
    return call.misuse(cudaErrorInvalidValue,
                       blocks == nullptr
                           ? fmt::format("{}: null pointer for the result", api)
                           : fmt::format("{}: a block of {} threads", api, block_size));
  }
  *blocks = blocks_per_multiprocessor(block_size, shared);
  return call.ok();
}

} // namespace

int tilesim::sim::blocks_per_multiprocessor(int threads, std::size_t shared) {
  const int warps = (threads + 31) / 32;
  const auto needed = shared + limits::shared_reserved;
  return threads > limits::threads_per_block
             ? 0
             : std::min({limits::blocks_per_multiprocessor,
                         limits::threads_per_multiprocessor / 32 / warps,
                         static_cast<int>(limits::shared_per_multiprocessor / needed)});
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks,
                                                          const void* func,
                                                          int blockSize,
                                                          size_t dynamicSMemSize) {
  TILESIM_ENTRY(call)
  return occupancy(call,
                   numBlocks,
                   func,
                   blockSize,
                   dynamicSMemSize,
                   "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks,
                                                                   const void* func,
                                                                   int blockSize,
                                                                   size_t dynamicSMemSize,
                                                                   unsigned int /*flags*/) {
  TILESIM_ENTRY(call)
  return occupancy(call,
                   numBlocks,
                   func,
                   blockSize,
                   dynamicSMemSize,
                   "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags");
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize,
                                                      const void* func,
                                                      int numBlocks,
                                                      int blockSize) {
  TILESIM_ENTRY(call)
  TILESIM_FUNCTION(call, func, "cudaOccupancyAvailableDynamicSMemPerBlock")
  if (dynamicSmemSize == nullptr || numBlocks <= 0 || blockSize <= 0) {
    return call.misuse(
        cudaErrorInvalidValue,
        fmt::format("cudaOccupancyAvailableDynamicSMemPerBlock: {} blocks of {} threads",
                    numBlocks,
                    blockSize));
  }
  const int each = limits::shared_per_multiprocessor / numBlocks - limits::shared_reserved;
  *dynamicSmemSize = static_cast<std::size_t>(std::clamp(each, 0, limits::shared_per_block_optin));
  return call.ok();
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize,
                                                 const void* func,
                                                 const cudaLaunchConfig_t* /*launchConfig*/) {
  TILESIM_ENTRY(call)
  TILESIM_FUNCTION(call, func, "cudaOccupancyMaxPotentialClusterSize")
  if (clusterSize == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       "cudaOccupancyMaxPotentialClusterSize: null pointer for the result");
  }
  *clusterSize = 8;
  return call.ok();
}

cudaError_t cudaOccupancyMaxActiveClusters(int* numClusters,
                                           const void* func,
                                           const cudaLaunchConfig_t* launchConfig) {
  TILESIM_ENTRY(call)
  TILESIM_FUNCTION(call, func, "cudaOccupancyMaxActiveClusters")
  if (numClusters == nullptr || launchConfig == nullptr) {
    return call.misuse(cudaErrorInvalidValue, "cudaOccupancyMaxActiveClusters: null pointer");
  }
  *numClusters = multiprocessors(call.sim);
  return call.ok();
}
