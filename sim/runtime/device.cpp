// The simulated device: its properties, attributes and limits.
//
// An H200's answers (tests/sim/runtime/probe/behaviour.txt), but for its name, its memory and the
// number of multiprocessors, which options set.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/device.hpp"

#include "sim/runtime/capture_rules.hpp"
#include "sim/runtime/entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cuda_profiler_api.h>
#include <optional>

namespace tilesim::sim {

namespace {

struct answer {
  cudaDeviceAttr attribute;
  int value;
};

// Attributes that have no member in cudaDeviceProp, or none that holds a plain int.
constexpr answer answers[] = {
    {cudaDevAttrMaxThreadsPerBlock, limits::threads_per_block},
    {cudaDevAttrMaxBlockDimX, limits::block_x},
    {cudaDevAttrMaxBlockDimY, limits::block_y},
    {cudaDevAttrMaxBlockDimZ, limits::block_z},
    {cudaDevAttrMaxGridDimX, limits::grid_x},
    {cudaDevAttrMaxGridDimY, limits::grid_y},
    {cudaDevAttrMaxGridDimZ, limits::grid_z},
    {cudaDevAttrMaxSharedMemoryPerBlock, limits::shared_per_block},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, limits::shared_per_block_optin},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, limits::shared_per_multiprocessor},
    {cudaDevAttrReservedSharedMemoryPerBlock, limits::shared_reserved},
    {cudaDevAttrMaxThreadsPerMultiProcessor, limits::threads_per_multiprocessor},
    {cudaDevAttrMaxBlocksPerMultiprocessor, limits::blocks_per_multiprocessor},
    {cudaDevAttrMaxRegistersPerBlock, 65536},
    {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
    {cudaDevAttrTotalConstantMemory, 65536},
    {cudaDevAttrWarpSize, 32},
    {cudaDevAttrMaxPitch, 2147483647},
    {cudaDevAttrClockRate, 1980000},
    {cudaDevAttrMemoryClockRate, 3201000},
    {cudaDevAttrGlobalMemoryBusWidth, 6016},
    {cudaDevAttrL2CacheSize, 62914560},
    {cudaDevAttrMaxPersistingL2CacheSize, 39321600},
    {cudaDevAttrMaxAccessPolicyWindowSize, 134217728},
    {cudaDevAttrTextureAlignment, 512},
    {cudaDevAttrTexturePitchAlignment, 32},
    {cudaDevAttrSurfaceAlignment, 512},
    {cudaDevAttrGpuOverlap, 1},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrConcurrentKernels, 1},
    {cudaDevAttrAsyncEngineCount, 3},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrComputeCapabilityMajor, 9},
    {cudaDevAttrComputeCapabilityMinor, 0},
    {cudaDevAttrStreamPrioritiesSupported, 1},
    {cudaDevAttrGlobalL1CacheSupported, 1},
    {cudaDevAttrLocalL1CacheSupported, 1},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrComputePreemptionSupported, 1},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    {cudaDevAttrCooperativeLaunch, 1},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrHostRegisterReadOnlySupported, 1},
    {cudaDevAttrMemoryPoolsSupported, 1},
    {cudaDevAttrClusterLaunch, 1},
    {cudaDevAttrMemSyncDomainCount, 4},
    {cudaDevAttrNumaId, -1},
};

/// The attribute's value; nothing for a number that is no attribute. What the simulated device does
/// not have (textures, peers, graphics) is 0.
std::optional<int> attribute_value(const context& c, cudaDeviceAttr attribute) {
  if (attribute == cudaDevAttrMultiProcessorCount) {
    return multiprocessors(c);
  }
  for (const answer& a : answers) {
    if (a.attribute == attribute) {
      return a.value;
    }
  }
  return attribute > 0 && attribute < cudaDevAttrMax ? std::optional<int>(0) : std::nullopt;
}

} // namespace

int multiprocessors(const context& c) noexcept {
  // Public programs halve this number for their grid.
  return static_cast<int>(std::max(2U, c.opts.multiprocessors));
}

cudaDeviceProp device_properties(const context& c) {
  cudaDeviceProp p{};
  std::strcpy(p.name, "tilesim");
  std::memcpy(p.uuid.bytes, "tilesim-device-0", sizeof p.uuid.bytes);
  p.totalGlobalMem = c.mem.capacity();
  p.sharedMemPerBlock = limits::shared_per_block;
  p.sharedMemPerBlockOptin = limits::shared_per_block_optin;
  p.sharedMemPerMultiprocessor = limits::shared_per_multiprocessor;
  p.reservedSharedMemPerBlock = limits::shared_reserved;
  p.regsPerBlock = 65536;
  p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = limits::threads_per_block;
  p.maxThreadsPerMultiProcessor = limits::threads_per_multiprocessor;
  p.maxBlocksPerMultiProcessor = limits::blocks_per_multiprocessor;
  p.maxThreadsDim[0] = limits::block_x;
  p.maxThreadsDim[1] = limits::block_y;
  p.maxThreadsDim[2] = limits::block_z;
  p.maxGridSize[0] = limits::grid_x;
  p.maxGridSize[1] = limits::grid_y;
  p.maxGridSize[2] = limits::grid_z;
  p.totalConstMem = 65536;
  p.major = 9;
  p.minor = 0;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.surfaceAlignment = 512;
  p.multiProcessorCount = multiprocessors(c);
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.asyncEngineCount = 3;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = 6016;
  p.l2CacheSize = 62914560;
  p.persistingL2CacheMaxSize = 39321600;
  p.accessPolicyMaxWindowSize = 134217728;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.computePreemptionSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.cooperativeLaunch = 1;
  p.hostRegisterSupported = 1;
  p.hostRegisterReadOnlySupported = 1;
  p.memoryPoolsSupported = 1;
  p.clusterLaunch = 1;
  p.deviceNumaId = -1;
  return p;
}

cudaError_t check_device(entry& call, int device, const char* function) {
  if (device == 0) {
    return cudaSuccess;
  }
  return call.misuse(cudaErrorInvalidDevice,
                     fmt::format("{}: device {} does not exist; the simulator has device 0 alone",
                                 function,
                                 device));
}

} // namespace tilesim::sim

using namespace tilesim::sim;

#define TILESIM_RESULT(call, pointer, function)                                                    \
  if ((pointer) == nullptr) {                                                                      \
    return (call).misuse(cudaErrorInvalidValue, function ": null pointer for the result");         \
  }
#define TILESIM_DEVICE(call, device, function)                                                     \
  if (const cudaError_t wrong = check_device(call, device, function)) {                            \
    return wrong;                                                                                  \
  }

cudaError_t cudaGetDeviceCount(int* count) {
  TILESIM_ENTRY(call)
  TILESIM_RESULT(call, count, "cudaGetDeviceCount")
  *count = 1;
  return cudaSuccess; // also of a device that is lost
}

cudaError_t cudaGetDevice(int* device) {
  TILESIM_ENTRY(call)
  TILESIM_RESULT(call, device, "cudaGetDevice")
  *device = 0;
  return call.ok();
}

cudaError_t cudaSetDevice(int device) {
  TILESIM_ENTRY(call)
  TILESIM_DEVICE(call, device, "cudaSetDevice")
  return call.ok();
}

cudaError_t cudaInitDevice(int device, unsigned int /*deviceFlags*/, unsigned int /*flags*/) {
  TILESIM_ENTRY(call)
  TILESIM_DEVICE(call, device, "cudaInitDevice")
  return call.ok();
}

cudaError_t cudaSetValidDevices(int* device_arr, int len) {
  TILESIM_ENTRY(call)
  for (int i = 0; device_arr != nullptr && i < len; ++i) {
    TILESIM_DEVICE(call, device_arr[i], "cudaSetValidDevices")
  }
  return call.ok();
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* prop) {
  TILESIM_ENTRY(call)
  TILESIM_RESULT(call, device, "cudaChooseDevice")
  TILESIM_RESULT(call, prop, "cudaChooseDevice")
  *device = 0;
  return call.ok();
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  TILESIM_ENTRY(call)
  if ((flags & ~static_cast<unsigned>(cudaDeviceMask)) != 0) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("cudaSetDeviceFlags: {:#x} has bits that are no flags", flags));
  }
  call.state.device_flags = flags;
  return call.ok();
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  TILESIM_ENTRY(call)
  TILESIM_RESULT(call, flags, "cudaGetDeviceFlags")
  *flags = call.state.device_flags | cudaDeviceMapHost;
  return call.ok();
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* prop, int device) {
  TILESIM_ENTRY(call)
  TILESIM_RESULT(call, prop, "cudaGetDeviceProperties")
  TILESIM_DEVICE(call, device, "cudaGetDeviceProperties")
  *prop = device_properties(call.sim);
  return call.ok();
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attr, int device) {
  TILESIM_ENTRY(call)
  TILESIM_RESULT(call, value, "cudaDeviceGetAttribute")
  TILESIM_DEVICE(call, device, "cudaDeviceGetAttribute")
  const auto answer = attribute_value(call.sim, attr);
  if (!answer) {
    return call.misuse(
        cudaErrorInvalidValue,
        fmt::format("cudaDeviceGetAttribute: {} is no attribute", static_cast<int>(attr)));
  }
  *value = *answer;
  return call.ok();
}

cudaError_t cudaDeviceSynchronize() {
  TILESIM_ENTRY(call)
  if (const cudaError_t e = refuse_waiting_for_all(call, "cudaDeviceSynchronize")) {
    return e;
  }
  call.state.work.finish_all();
  return call.ok();
}

cudaError_t cudaProfilerStart() {
  TILESIM_ENTRY(call)
  return call.ok();
}

cudaError_t cudaProfilerStop() {
  TILESIM_ENTRY(call)
  return call.ok();
}

cudaError_t cudaDeviceReset() {
  TILESIM_ENTRY(call)
  call.state.work.finish_all();
  for (const allocation* a : call.sim.mem.live()) {
    call.sim.mem.release(reinterpret_cast<const void*>(a->begin), call.site);
  }
  call.state.host_flags.clear();
  call.state.functions.clear();
  call.state.last_error.clear();
  call.state.work.recover();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t* pValue, cudaLimit limit) {
  TILESIM_ENTRY(call)
  TILESIM_RESULT(call, pValue, "cudaDeviceGetLimit")
  if (limit < 0 || limit > cudaLimitPersistingL2CacheSize) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("cudaDeviceGetLimit: {} is no limit", static_cast<int>(limit)));
  }
  if (limit == cudaLimitDevRuntimeSyncDepth) {
    return call.error(cudaErrorUnsupportedLimit);
  }
  *pValue = call.state.limits[static_cast<std::size_t>(limit)];
  return call.ok();
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  TILESIM_ENTRY(call)
  if (limit < 0 || limit > cudaLimitPersistingL2CacheSize) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("cudaDeviceSetLimit: {} is no limit", static_cast<int>(limit)));
  }
  if (limit == cudaLimitDevRuntimeSyncDepth) {
    return call.error(cudaErrorUnsupportedLimit);
  }
  call.state.limits[static_cast<std::size_t>(limit)] = value;
  return call.ok();
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* pCacheConfig) {
  TILESIM_ENTRY(call)
  TILESIM_RESULT(call, pCacheConfig, "cudaDeviceGetCacheConfig")
  *pCacheConfig = call.state.cache_config;
  return call.ok();
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache cacheConfig) {
  TILESIM_ENTRY(call)
  call.state.cache_config = cacheConfig;
  return call.ok();
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* pConfig) {
  TILESIM_ENTRY(call)
  TILESIM_RESULT(call, pConfig, "cudaDeviceGetSharedMemConfig")
  *pConfig = cudaSharedMemBankSizeFourByte;
  return call.ok();
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig /*config*/) {
  TILESIM_ENTRY(call)
  return call.ok();
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  TILESIM_ENTRY(call)
  if (leastPriority != nullptr) {
    *leastPriority = limits::least_priority;
  }
  if (greatestPriority != nullptr) {
    *greatestPriority = limits::greatest_priority;
  }
  return call.ok();
}

cudaError_t cudaDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice) {
  TILESIM_ENTRY(call)
  TILESIM_RESULT(call, canAccessPeer, "cudaDeviceCanAccessPeer")
  TILESIM_DEVICE(call, device, "cudaDeviceCanAccessPeer")
  TILESIM_DEVICE(call, peerDevice, "cudaDeviceCanAccessPeer")
  *canAccessPeer = 0;
  return call.ok();
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int /*flags*/) {
  TILESIM_ENTRY(call)
  TILESIM_DEVICE(call, peerDevice, "cudaDeviceEnablePeerAccess")
  return call.error(cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice) {
  TILESIM_ENTRY(call)
  TILESIM_DEVICE(call, peerDevice, "cudaDeviceDisablePeerAccess")
  return call.error(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetPCIBusId(char* pciBusId, int len, int device) {
  TILESIM_ENTRY(call)
  TILESIM_RESULT(call, pciBusId, "cudaDeviceGetPCIBusId")
  TILESIM_DEVICE(call, device, "cudaDeviceGetPCIBusId")
  if (len < 13) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("cudaDeviceGetPCIBusId: {} characters are too few for 13", len));
  }
  std::snprintf(pciBusId, static_cast<std::size_t>(len), "0000:00:00.0");
  return call.ok();
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* pciBusId) {
  TILESIM_ENTRY(call)
  TILESIM_RESULT(call, device, "cudaDeviceGetByPCIBusId")
  TILESIM_RESULT(call, pciBusId, "cudaDeviceGetByPCIBusId")
  if (std::strcmp(pciBusId, "0000:00:00.0") != 0) {
    return call.error(cudaErrorInvalidDevice);
  }
  *device = 0;
  return call.ok();
}

cudaError_t cudaRuntimeGetVersion(int* runtimeVersion) {
  TILESIM_ENTRY(call)
  TILESIM_RESULT(call, runtimeVersion, "cudaRuntimeGetVersion")
  *runtimeVersion = CUDART_VERSION;
  return call.ok();
}

cudaError_t cudaDriverGetVersion(int* driverVersion) {
  TILESIM_ENTRY(call)
  TILESIM_RESULT(call, driverVersion, "cudaDriverGetVersion")
  *driverVersion = CUDART_VERSION;
  return call.ok();
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  TILESIM_ENTRY(call)
  return call.ok();
}
