// What the runtime returns for right and wrong calls, a row each: the error's name, then what
// cudaGetLastError says afterwards.
//
// Built by NVIDIA's compiler and run on a device it wrote behaviour.txt; built by tilesim it must
// print the same.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void nothing() {}
__global__ void add(int* p, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x < 1) {
    *p += n;
  }
}
__tile_global__ void tile_nothing() {}
__device__ int device_variable[4];
__constant__ int constant_variable;

static void row(const char* name, cudaError_t e) {
  const cudaError_t last = cudaGetLastError();
  std::printf("%-46s %s / %s\n", name, cudaGetErrorName(e), cudaGetErrorName(last));
}
// A row with <<<…>>> spells its name out: tilesim rewrites launches before macros are expanded.
#define ROW(...) row(#__VA_ARGS__, (__VA_ARGS__))

int main() {
  int* d = nullptr;
  int* m = nullptr;
  int* h = nullptr;
  void* v = nullptr;
  int* null = nullptr;
  void** nullptr_out = nullptr;
  static int host[64];
  size_t pitch = 0;
  int i = 0;

  std::puts("# allocate");
  ROW(cudaMalloc(&d, 256));
  ROW(cudaMalloc(&v, 0));
  std::printf("malloc(0) gives %s\n", v == nullptr ? "null" : "memory");
  ROW(cudaMalloc(nullptr_out, 16));
  ROW(cudaMalloc(&v, size_t{1} << 60));
  std::printf("failed malloc gives %s\n", v == nullptr ? "null" : "something");
  ROW(cudaMallocManaged(&m, 256));
  ROW(cudaMallocManaged(&v, 0));
  ROW(cudaMallocManaged(&v, 16, 0));
  ROW(cudaMallocManaged(&v, 16, 77));
  ROW(cudaMallocHost(&h, 256));
  ROW(cudaMallocHost(&v, 0));
  ROW(cudaHostAlloc(&v, 16, 0x100));
  ROW(cudaMallocPitch(&v, &pitch, 100, 4));
  std::printf("pitch %zu\n", pitch);
  ROW(cudaFree(v));
  ROW(cudaMallocPitch(&v, &pitch, 0, 4));
  std::printf("pitch %zu\n", pitch);
  ROW(cudaMallocPitch(&v, &pitch, 513, 1));
  std::printf("pitch %zu\n", pitch);

  std::puts("# free");
  ROW(cudaFree(nullptr));
  ROW(cudaFreeHost(nullptr));
  ROW(cudaFree(host));
  ROW(cudaFree(d + 1));
  ROW(cudaFree(v));
  ROW(cudaMemcpy(v, host, 4, cudaMemcpyHostToDevice));
  ROW(cudaMemset(v, 0, 4));
  ROW(cudaFree(v));
  ROW(cudaFreeHost(d));
  ROW(cudaFree(h));
  ROW(cudaMallocHost(&h, 256));
  ROW(cudaFreeHost(host));
  ROW(cudaFreeHost(m));

  std::puts("# register");
  void* page = std::aligned_alloc(4096, 8192);
  ROW(cudaHostRegister(page, 8192, 0));
  ROW(cudaHostRegister(page, 8192, 0));
  ROW(cudaHostRegister(nullptr, 8192, 0));
  ROW(cudaHostRegister(page, 0, 0));
  ROW(cudaHostRegister(host, sizeof host, 0x100));
  ROW(cudaHostGetDevicePointer(&v, page, 0));
  std::printf("device pointer %s\n", v == page ? "same" : "other");
  ROW(cudaHostGetDevicePointer(&v, page, 1));
  ROW(cudaHostGetDevicePointer(&v, h, 0));
  ROW(cudaHostGetDevicePointer(&v, host, 0));
  ROW(cudaHostUnregister(page));
  ROW(cudaHostUnregister(page));
  ROW(cudaHostUnregister(h));
  unsigned flags = 99;
  ROW(cudaHostGetFlags(&flags, h));
  std::printf("flags %u\n", flags);
  ROW(cudaHostGetFlags(&flags, host));

  std::puts("# pointers");
  cudaPointerAttributes a;
  for (void* p : {static_cast<void*>(d), static_cast<void*>(d + 1), static_cast<void*>(m),
                  static_cast<void*>(h), static_cast<void*>(host), static_cast<void*>(nullptr)}) {
    std::memset(&a, 0x55, sizeof a);
    ROW(cudaPointerGetAttributes(&a, p));
    std::printf("type %d device %d device pointer %s host pointer %s\n", a.type, a.device,
                a.devicePointer == p ? "same" : a.devicePointer == nullptr ? "null" : "other",
                a.hostPointer == p ? "same" : a.hostPointer == nullptr ? "null" : "other");
  }

  std::puts("# copy");
  ROW(cudaMemcpy(d, host, 256, cudaMemcpyHostToDevice));
  ROW(cudaMemcpy(host, d, 256, cudaMemcpyDeviceToHost));
  ROW(cudaMemcpy(host, d, 256, cudaMemcpyDefault));
  ROW(cudaMemcpy(d, host, 256, cudaMemcpyDefault));
  ROW(cudaMemcpy(d, host, 0, cudaMemcpyHostToDevice));
  ROW(cudaMemcpy(null, host, 0, cudaMemcpyHostToDevice));
  ROW(cudaMemcpy(null, host, 4, cudaMemcpyHostToDevice));
  ROW(cudaMemcpy(d, null, 4, cudaMemcpyHostToDevice));
  ROW(cudaMemcpy(d, host, 4, cudaMemcpyDeviceToHost));
  ROW(cudaMemcpy(host, d, 4, cudaMemcpyHostToDevice));
  ROW(cudaMemcpy(d, host, 4, cudaMemcpyDeviceToDevice));
  ROW(cudaMemcpy(host, host + 4, 4, cudaMemcpyDeviceToDevice));
  ROW(cudaMemcpy(d, d + 4, 4, cudaMemcpyDeviceToDevice));
  ROW(cudaMemcpy(d, d + 4, 4, cudaMemcpyHostToHost));
  ROW(cudaMemcpy(d, d + 4, 4, cudaMemcpyHostToDevice));
  ROW(cudaMemcpy(host, host + 4, 4, cudaMemcpyHostToHost));
  ROW(cudaMemcpy(d, host, 4, static_cast<cudaMemcpyKind>(9)));
  ROW(cudaMemcpy(m, host, 4, cudaMemcpyHostToDevice));
  ROW(cudaMemcpy(m, host, 4, cudaMemcpyHostToHost));
  ROW(cudaMemcpy(m, d, 4, cudaMemcpyDeviceToHost));
  ROW(cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost));
  ROW(cudaMemcpy(h, d, 4, cudaMemcpyDeviceToDevice));
  ROW(cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice));
  ROW(cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice, reinterpret_cast<cudaStream_t>(0x2)));
  ROW(cudaMemcpy(d, host, size_t{1} << 40, cudaMemcpyHostToDevice));
  ROW(cudaMemcpy(d, host, 260, cudaMemcpyHostToDevice));
  ROW(cudaMemcpy(h, d, 260, cudaMemcpyDeviceToHost));
  ROW(cudaMemcpy(host, m, 260, cudaMemcpyDeviceToHost));
  ROW(cudaMemcpy2D(d, 16, host, 16, 16, 4, cudaMemcpyHostToDevice));
  ROW(cudaMemcpy2D(d, 8, host, 16, 16, 1, cudaMemcpyHostToDevice));
  ROW(cudaMemcpy2D(d, 8, host, 16, 16, 4, cudaMemcpyHostToDevice));
  ROW(cudaMemcpy2D(d, 16, host, 8, 16, 4, cudaMemcpyHostToDevice));
  ROW(cudaMemcpy2D(d, 16, host, 16, 0, 4, cudaMemcpyHostToDevice));
  ROW(cudaMemcpy2D(d, 16, host, 16, 16, 0, cudaMemcpyHostToDevice));
  ROW(cudaMemcpyPeer(d, 0, d + 4, 0, 4));
  ROW(cudaMemcpyPeer(d, 0, d + 4, 99, 4));

  std::puts("# fill");
  ROW(cudaMemset(d, 0, 256));
  ROW(cudaMemset(d, 0, 0));
  ROW(cudaMemset(null, 0, 4));
  ROW(cudaMemset(null, 0, 0));
  ROW(cudaMemset(host, 0, 4));
  ROW(cudaMemset(m, 0, 4));
  ROW(cudaMemset(d, 0, 260));
  ROW(cudaMemset(h, 0, 4));
  ROW(cudaMemset(d, 0, size_t{1} << 40));
  ROW(cudaMemset2D(d, 16, 0, 16, 4));
  ROW(cudaMemset2D(d, 8, 0, 16, 4));
  ROW(cudaMemsetAsync(d, 0, 4, reinterpret_cast<cudaStream_t>(0x1)));

  std::puts("# symbols");
  ROW(cudaMemcpyToSymbol(device_variable, host, 16));
  ROW(cudaMemcpyToSymbol(device_variable, host, 17));
  ROW(cudaMemcpyToSymbol(device_variable, host, 8, 12));
  ROW(cudaMemcpyToSymbol(device_variable, host, 4, 0, cudaMemcpyDeviceToHost));
  ROW(cudaMemcpyFromSymbol(host, device_variable, 16));
  ROW(cudaMemcpyToSymbol(constant_variable, host, 4));
  ROW(cudaMemcpyToSymbol(host, host, 4));
  ROW(cudaGetSymbolAddress(&v, device_variable));
  ROW(cudaGetSymbolAddress(&v, host));
  size_t bytes = 0;
  ROW(cudaGetSymbolSize(&bytes, device_variable));
  std::printf("size %zu\n", bytes);

  std::puts("# streams");
  cudaStream_t s = nullptr;
  ROW(cudaStreamCreate(&s));
  ROW(cudaStreamCreate(nullptr));
  ROW(cudaStreamCreateWithFlags(&s, 7));
  ROW(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  ROW(cudaStreamGetFlags(s, &flags));
  std::printf("flags %u\n", flags);
  ROW(cudaStreamCreateWithPriority(&s, cudaStreamDefault, -99));
  ROW(cudaStreamGetPriority(s, &i));
  std::printf("priority %d\n", i);
  ROW(cudaStreamQuery(s));
  ROW(cudaStreamQuery(nullptr));
  ROW(cudaStreamSynchronize(s));
  ROW(cudaStreamSynchronize(nullptr));
  ROW(cudaStreamSynchronize(cudaStreamLegacy));
  ROW(cudaStreamSynchronize(cudaStreamPerThread));
  ROW(cudaStreamDestroy(nullptr));
  ROW(cudaStreamDestroy(s));
  ROW(cudaStreamCreate(&s));
  ROW(cudaLaunchHostFunc(s, nullptr, nullptr));
  ROW(cudaLaunchHostFunc(s, [](void* p) { *static_cast<int*>(p) = 7; }, &i));
  ROW(cudaStreamAddCallback(s, nullptr, nullptr, 0));
  ROW(cudaStreamAddCallback(s, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 3));
  ROW(cudaStreamSynchronize(s));
  std::printf("host function ran: %d\n", i);

  std::puts("# events");
  cudaEvent_t e = nullptr;
  cudaEvent_t f = nullptr;
  cudaEvent_t untimed = nullptr;
  float ms = -1;
  ROW(cudaEventCreate(nullptr));
  ROW(cudaEventCreate(&e));
  ROW(cudaEventCreate(&f));
  ROW(cudaEventCreateWithFlags(&untimed, 0x100));
  ROW(cudaEventCreateWithFlags(&untimed, cudaEventInterprocess));
  ROW(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  ROW(cudaEventQuery(e));
  ROW(cudaEventSynchronize(e));
  ROW(cudaEventElapsedTime(&ms, e, f));
  ROW(cudaEventRecord(e));
  ROW(cudaEventRecord(f, s));
  ROW(cudaEventSynchronize(f));
  ROW(cudaEventElapsedTime(&ms, e, f));
  std::printf("elapsed %s\n", ms >= 0 ? "some" : "negative");
  ROW(cudaEventElapsedTime(nullptr, e, f));
  ROW(cudaEventRecord(untimed));
  ROW(cudaEventElapsedTime(&ms, e, untimed));
  ROW(cudaStreamWaitEvent(s, e));
  ROW(cudaStreamWaitEvent(s, e, 7));
  ROW(cudaStreamWaitEvent(s, nullptr));
  ROW(cudaEventRecord(nullptr));
  ROW(cudaEventQuery(nullptr));
  ROW(cudaEventSynchronize(nullptr));
  ROW(cudaEventDestroy(e));
  ROW(cudaEventDestroy(nullptr));
  ROW(cudaEventElapsedTime(&ms, nullptr, f));

  std::puts("# devices");
  ROW(cudaSetDevice(0));
  ROW(cudaSetDevice(-1));
  ROW(cudaSetDevice(99));
  ROW(cudaGetDevice(nullptr));
  ROW(cudaGetDeviceCount(nullptr));
  cudaDeviceProp prop;
  ROW(cudaGetDeviceProperties(&prop, 0));
  ROW(cudaGetDeviceProperties(&prop, 99));
  ROW(cudaGetDeviceProperties(nullptr, 0));
  ROW(cudaDeviceGetAttribute(&i, cudaDevAttrWarpSize, 0));
  ROW(cudaDeviceGetAttribute(&i, static_cast<cudaDeviceAttr>(9999), 0));
  ROW(cudaDeviceGetAttribute(&i, cudaDevAttrWarpSize, 99));
  ROW(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  ROW(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  ROW(cudaDeviceGetLimit(&bytes, static_cast<cudaLimit>(99)));
  ROW(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  ROW(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 4096));
  ROW(cudaDeviceCanAccessPeer(&i, 0, 0));
  std::printf("peer %d\n", i);
  ROW(cudaDeviceEnablePeerAccess(0, 0));
  ROW(cudaDeviceEnablePeerAccess(99, 0));
  ROW(cudaSetDeviceFlags(cudaDeviceScheduleAuto));
  ROW(cudaSetDeviceFlags(0x7000));
  ROW(cudaDriverGetVersion(nullptr));
  ROW(cudaMemGetInfo(&bytes, &pitch));
  ROW(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));

  std::puts("# launches");
  int n = 5;
  void* arguments[] = {&d, &n};
  row("(nothing<<<1, 1>>>(), cudaPeekAtLastError())", (nothing<<<1, 1>>>(), cudaPeekAtLastError()));
  row("(nothing<<<0, 1>>>(), cudaPeekAtLastError())", (nothing<<<0, 1>>>(), cudaPeekAtLastError()));
  row("(nothing<<<1, 0>>>(), cudaPeekAtLastError())", (nothing<<<1, 0>>>(), cudaPeekAtLastError()));
  row("(nothing<<<1, 1025>>>(), cudaPeekAtLastError())", (nothing<<<1, 1025>>>(), cudaPeekAtLastError()));
  row("(nothing<<<1, dim3(1, 1, 65)>>>(), cudaPeekAtLastError())", (nothing<<<1, dim3(1, 1, 65)>>>(), cudaPeekAtLastError()));
  row("(nothing<<<dim3(1, 65536, 1), 1>>>(), cudaPeekAtLastError())", (nothing<<<dim3(1, 65536, 1), 1>>>(), cudaPeekAtLastError()));
  row("(nothing<<<dim3(0x80000000u, 1, 1), 1>>>(), cudaPeekAtLastError())", (nothing<<<dim3(0x80000000u, 1, 1), 1>>>(), cudaPeekAtLastError()));
  row("(nothing<<<1, 1, 1 << 20>>>(), cudaPeekAtLastError())", (nothing<<<1, 1, 1 << 20>>>(), cudaPeekAtLastError()));
  row("(nothing<<<1, 1, 50000>>>(), cudaPeekAtLastError())", (nothing<<<1, 1, 50000>>>(), cudaPeekAtLastError()));
  ROW(cudaLaunchKernel(add, dim3(1), dim3(1), arguments));
  ROW(cudaLaunchKernel(reinterpret_cast<const void*>(add), dim3(1), dim3(1), arguments, 0, nullptr));
  ROW(cudaDeviceSynchronize());
  ROW(cudaMemcpy(host, d, 4, cudaMemcpyDeviceToHost));
  std::printf("added %d\n", host[0]);
  ROW(cudaLaunchKernel(nullptr, dim3(1), dim3(1), arguments, 0, nullptr));
  ROW(cudaLaunchKernel(static_cast<const void*>(host), dim3(1), dim3(1), arguments, 0, nullptr));
  ROW(cudaLaunchKernel(add, dim3(0), dim3(1), arguments));
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 1;
  ROW(cudaLaunchKernelEx(&config, add, d, 2));
  ROW(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(add), arguments));
  config.gridDim = 0;
  ROW(cudaLaunchKernelEx(&config, nothing));
  cudaFuncAttributes fa;
  ROW(cudaFuncGetAttributes(&fa, add));
  ROW(cudaFuncGetAttributes(&fa, static_cast<const void*>(host)));
  ROW(cudaFuncGetAttributes(&fa, static_cast<const void*>(nullptr)));
  ROW(cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  ROW(cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
  ROW(cudaFuncSetAttribute(add, static_cast<cudaFuncAttribute>(99), 1));
  ROW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&i, nothing, 256, 0));
  std::printf("blocks %d\n", i);
  ROW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&i, nothing, 32, 0));
  std::printf("blocks %d\n", i);
  ROW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&i, nothing, 2000, 0));
  ROW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&i, nothing, 0, 0));
  ROW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, nothing, 32, 0));
  int grid = 0;
  ROW(cudaOccupancyMaxPotentialBlockSize(&grid, &i, nothing, 0, 0));
  std::printf("block size %d\n", i);

  std::puts("# tile launches");
  row("(tile_nothing<<<1, 1>>>(), cudaPeekAtLastError())", (tile_nothing<<<1, 1>>>(), cudaPeekAtLastError()));
  row("(tile_nothing<<<0, 1>>>(), cudaPeekAtLastError())", (tile_nothing<<<0, 1>>>(), cudaPeekAtLastError()));
  row("(tile_nothing<<<1, 2>>>(), cudaPeekAtLastError())", (tile_nothing<<<1, 2>>>(), cudaPeekAtLastError()));
  row("(tile_nothing<<<1, 0>>>(), cudaPeekAtLastError())", (tile_nothing<<<1, 0>>>(), cudaPeekAtLastError()));
  row("(tile_nothing<<<dim3(1, 65536, 1), 1>>>(), cudaPeekAtLastError())", (tile_nothing<<<dim3(1, 65536, 1), 1>>>(), cudaPeekAtLastError()));
  row("(tile_nothing<<<1, 1, 16>>>(), cudaPeekAtLastError())", (tile_nothing<<<1, 1, 16>>>(), cudaPeekAtLastError()));
  ROW(cudaLaunchKernel(tile_nothing, dim3(2), dim3(1), nullptr));
  ROW(cudaLaunchKernel(tile_nothing, dim3(2), dim3(2), nullptr));
  ROW(cudaFuncGetAttributes(&fa, tile_nothing));
  std::printf("max threads %d\n", fa.maxThreadsPerBlock);
  ROW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&i, tile_nothing, 1, 0));
  ROW(cudaDeviceSynchronize());

  std::puts("# asynchronous memory");
  ROW(cudaMallocAsync(&v, 64, s));
  ROW(cudaMemsetAsync(v, 0, 64, s));
  ROW(cudaFreeAsync(v, s));
  ROW(cudaStreamSynchronize(s));
  ROW(cudaFreeAsync(nullptr, s));
  ROW(cudaFreeAsync(host, s));
  ROW(cudaMallocAsync(&v, 0, s));
  ROW(cudaMallocAsync(&v, 64, s));
  ROW(cudaFree(v));
  const cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  ROW(cudaMemPrefetchAsync(m, 256, here, 0));
  ROW(cudaMemPrefetchAsync(d, 256, here, 0));
  ROW(cudaMemPrefetchAsync(host, 256, here, 0));
  ROW(cudaMemAdvise(m, 256, cudaMemAdviseSetReadMostly, here));
  ROW(cudaMemAdvise(d, 256, cudaMemAdviseSetReadMostly, here));

  std::puts("# errors");
  ROW(cudaMalloc(nullptr_out, 16));
  (void)cudaMalloc(nullptr_out, 16);
  ROW(cudaPeekAtLastError());
  ROW(cudaGetLastError());
  (void)cudaMalloc(nullptr_out, 16);
  (void)cudaDeviceSynchronize();
  ROW(cudaGetLastError());
  std::printf("%s\n", cudaGetErrorString(static_cast<cudaError_t>(7777)));
  ROW(cudaDeviceReset());
  return 0;
}
