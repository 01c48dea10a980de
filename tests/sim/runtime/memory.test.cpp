// Allocate and free, right and wrong.
//
// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

#include <cstdlib>

TEST_CASE("cudaMalloc", "[runtime][memory]") {
  int* p = reinterpret_cast<int*>(8);
  expect({cudaSuccess}, [&] { return cudaMalloc(&p, 400); });
  CHECK(reinterpret_cast<std::uintptr_t>(p) % 256 == 0);
  expect({cudaSuccess}, [&] { return cudaFree(p); });

  expect({cudaSuccess}, [&] { return cudaMalloc(&p, 0); });
  CHECK(p == nullptr);
  expect({cudaErrorInvalidValue, "null pointer for the result"},
         [] { return cudaMalloc(static_cast<void**>(nullptr), 4); });
  // Out of memory is no defect of the program.
  expect({cudaErrorMemoryAllocation}, [&] { return cudaMalloc(&p, std::size_t{1} << 60); });
  CHECK(p == nullptr);
}

TEST_CASE("cudaFree", "[runtime][memory]") {
  int* p = nullptr;
  int* pinned = nullptr;
  int local = 0;
  REQUIRE(cudaMalloc(&p, 64) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 64) == cudaSuccess);
  expect({cudaSuccess}, [] { return cudaFree(nullptr); });
  expect({cudaErrorInvalidValue, "not allocated by the CUDA runtime"},
         [&] { return cudaFree(&local); });
  expect({cudaErrorInvalidValue, "not where the allocation begins"},
         [&] { return cudaFree(p + 1); });
  expect({cudaErrorInvalidValue, "not freed by this function"}, [&] { return cudaFree(pinned); });
  expect({cudaErrorInvalidValue, "not freed by this function"}, [&] { return cudaFreeHost(p); });
  expect({cudaSuccess}, [&] { return cudaFree(p); });
  expect({cudaErrorInvalidValue, "freed twice"}, [&] { return cudaFree(p); });
  expect({cudaSuccess}, [&] { return cudaFreeHost(pinned); });
}

TEST_CASE("cudaMallocManaged", "[runtime][memory]") {
  int* p = nullptr;
  expect({cudaSuccess}, [&] { return cudaMallocManaged(&p, 64); });
  p[3] = 4; // the host may
  CHECK(p[3] == 4);
  expect({cudaSuccess}, [&] {
    return cudaMemPrefetchAsync(p, 64, {cudaMemLocationTypeDevice, 0}, 0);
  });
  expect({cudaErrorInvalidValue, "run past the end"}, [&] {
    return cudaMemPrefetchAsync(p, 65, {cudaMemLocationTypeDevice, 0}, 0);
  });
  expect({cudaErrorInvalidValue, "flags are 0"}, [&] { return cudaMallocManaged(&p, 4, 0); });
  expect({cudaSuccess}, [&] { return cudaFree(p); });
}

TEST_CASE("cudaMallocPitch", "[runtime][memory]") {
  struct row {
    std::size_t width, height, pitch;
  };
  const auto r = GENERATE(values<row>({{100, 4, 512}, {512, 1, 512}, {513, 1, 1024}, {0, 4, 0}}));
  char* p = nullptr;
  std::size_t pitch = 99;
  expect({cudaSuccess}, [&] { return cudaMallocPitch(&p, &pitch, r.width, r.height); });
  CHECK(pitch == r.pitch);
  expect({cudaSuccess}, [&] { return cudaFree(p); });
}

TEST_CASE("cudaHostRegister", "[runtime][memory]") {
  void* page = std::aligned_alloc(4096, 8192);
  void* device = nullptr;
  expect({cudaSuccess}, [&] { return cudaHostRegister(page, 8192, 0); });
  expect({cudaErrorHostMemoryAlreadyRegistered, "registered already"},
         [&] { return cudaHostRegister(page, 4096, 0); });
  expect({cudaSuccess}, [&] { return cudaHostGetDevicePointer(&device, page, 0); });
  CHECK(device == page);
  expect({cudaSuccess}, [&] { return cudaHostUnregister(page); });
  expect({cudaErrorHostMemoryNotRegistered, "is not registered"},
         [&] { return cudaHostUnregister(page); });
  expect({cudaErrorInvalidValue, "neither pinned nor registered"},
         [&] { return cudaHostGetDevicePointer(&device, page, 0); });
  std::free(page);
}

TEST_CASE("cudaPointerGetAttributes names the kind of memory", "[runtime][memory]") {
  int* device = nullptr;
  int* managed = nullptr;
  int* pinned = nullptr;
  int local = 0;
  REQUIRE(cudaMalloc(&device, 64) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 64) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 64) == cudaSuccess);
  const auto type = [](const void* p) {
    cudaPointerAttributes a;
    CHECK(cudaPointerGetAttributes(&a, p) == cudaSuccess);
    return a.type;
  };
  CHECK(type(device + 1) == cudaMemoryTypeDevice);
  CHECK(type(managed) == cudaMemoryTypeManaged);
  CHECK(type(pinned) == cudaMemoryTypeHost);
  CHECK(type(&local) == cudaMemoryTypeUnregistered);
  CHECK(cudaFree(device) == cudaSuccess);
  CHECK(type(device) == cudaMemoryTypeUnregistered);
  CHECK(cudaFree(managed) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
}

TEST_CASE("cudaMemGetInfo counts what is allocated", "[runtime][memory]") {
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  char* p = nullptr;
  REQUIRE(cudaMemGetInfo(&before, &total) == cudaSuccess);
  REQUIRE(cudaMalloc(&p, 1 << 20) == cudaSuccess);
  REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
  CHECK(before - after == 1 << 20);
  CHECK(cudaFree(p) == cudaSuccess);
}

TEST_CASE("stream-ordered allocation", "[runtime][memory]") {
  cudaStream_t s = nullptr;
  int* p = nullptr;
  int local = 0;
  REQUIRE(cudaStreamCreate(&s) == cudaSuccess);
  expect({cudaSuccess}, [&] { return cudaMallocAsync(&p, 64, s); });
  expect({cudaSuccess}, [&] { return cudaMemsetAsync(p, 1, 64, s); });
  expect({cudaSuccess}, [&] { return cudaFreeAsync(p, s); });
  expect({cudaErrorInvalidValue, "freed twice"}, [&] { return cudaFreeAsync(p, s); });
  expect({cudaErrorInvalidValue, "not allocated"}, [&] { return cudaFreeAsync(&local, s); });
  CHECK(cudaStreamDestroy(s) == cudaSuccess);
}
