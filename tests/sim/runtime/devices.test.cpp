// The simulated device.
//
// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

TEST_CASE("one device, a plausible one", "[runtime][device]") {
  int count = 0;
  int device = 9;
  cudaDeviceProp p;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK((count == 1 && device == 0));
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  CHECK(std::string(p.name) == "tilesim");
  CHECK((p.major == 9 && p.minor == 0 && p.warpSize == 32));
  CHECK(p.multiProcessorCount >= 2);
  CHECK(p.computePreemptionSupported == 1);
}

TEST_CASE("attributes and properties agree", "[runtime][device]") {
  cudaDeviceProp p;
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  const auto attribute = [](cudaDeviceAttr a) {
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, a, 0) == cudaSuccess);
    return value;
  };
  CHECK(attribute(cudaDevAttrMultiProcessorCount) == p.multiProcessorCount);
  CHECK(attribute(cudaDevAttrMaxThreadsPerBlock) == p.maxThreadsPerBlock);
  CHECK(attribute(cudaDevAttrMaxGridDimY) == p.maxGridSize[1]);
  CHECK(attribute(cudaDevAttrWarpSize) == p.warpSize);
  CHECK(attribute(cudaDevAttrL2CacheSize) == p.l2CacheSize);
  CHECK(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) ==
        static_cast<int>(p.sharedMemPerBlockOptin));
  CHECK(attribute(cudaDevAttrComputeCapabilityMajor) == p.major);
  CHECK(attribute(cudaDevAttrComputeMode) == cudaComputeModeDefault);
}

TEST_CASE("devices that do not exist", "[runtime][device]") {
  cudaDeviceProp p;
  int value = 0;
  expect({cudaSuccess}, [] { return cudaSetDevice(0); });
  expect({cudaErrorInvalidDevice, "device 1 does not exist"}, [] { return cudaSetDevice(1); });
  expect({cudaErrorInvalidDevice, "device -1 does not exist"}, [] { return cudaSetDevice(-1); });
  expect({cudaErrorInvalidDevice, "does not exist"},
         [&] { return cudaGetDeviceProperties(&p, 99); });
  expect({cudaErrorInvalidValue, "is no attribute"},
         [&] { return cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0); });
  expect({cudaErrorInvalidValue, "null pointer"}, [] { return cudaGetDeviceCount(nullptr); });
}

TEST_CASE("versions and limits", "[runtime][device]") {
  int version = 0;
  std::size_t limit = 0;
  CHECK(cudaRuntimeGetVersion(&version) == cudaSuccess);
  CHECK(version == CUDART_VERSION);
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize) == cudaSuccess);
  CHECK(limit == 4096);
  expect({cudaErrorInvalidValue, "99 is no limit"},
         [] { return cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1); });
}
