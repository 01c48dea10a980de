// Host code that accesses, through helpers, what a kernel or a copy writes.
//
// SPDX-License-Identifier: Apache-2.0
#include "helpers.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <thread>

namespace ct = cuda::tiles;

__tile_global__ void fill(int* values) {
  const auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  ct::store(values + i, i);
}

[[gnu::noinline]] int sum_of(const int* p) {
  return total(p, 8);
}

[[gnu::noinline]] void clear(int* p) {
  std::memset(p, 0, 32);
}

[[gnu::noinline]] void launch_it(int* p) {
  fill<<<1, 1>>>(p);
}

/// Recursion: the same frame at another depth is another chain.
[[gnu::noinline]] int deep(const int* p, int n) {
  return n == 0 ? p[0] : deep(p, n - 1) + 1;
}

[[gnu::noinline]] bool less(const int* p, int a, int b) {
  return p[a] < p[b];
}

/// The library calls back.
[[gnu::noinline]] int by_library(const int* p) {
  int order[] = {1, 0};
  std::qsort(order, 2, sizeof(int), [](const void*, const void*) { return 0; });
  std::sort(order, order + 2, [p](int a, int b) { return less(p, a, b); });
  return order[0]; // a sort that nobody looks at may be left out by the compiler
}

void in_stream(void* p) {
  clear(static_cast<int*>(p));
}

int main(int argc, char** argv) {
  const std::string way = argc == 2 ? argv[1] : "";
  int* managed = nullptr;
  int* pinned = nullptr;
  cudaMallocManaged(&managed, 32);
  cudaHostAlloc(&pinned, 32, cudaHostAllocDefault);
  std::fill_n(managed, 8, 0);
  std::fill_n(pinned, 8, 0);
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  int result = deep(managed, 2) + sum_of(managed); // nothing runs yet
  if (way == "copy") {
    start_copy(pinned, managed, 8, stream);
    result += sum_of(pinned); // copied early
  } else if (way == "function") {
    launch_it(managed);
    cudaLaunchHostFunc(stream, in_stream, managed);
  } else {
    launch_it(managed);
  }
  if (way == "read") {
    result += sum_of(managed); // read early
  } else if (way == "write") {
    clear(managed); // written early
  } else if (way == "deep") {
    result += deep(managed, 3); // deep early
  } else if (way == "library") {
    result += by_library(managed); // compared early
  } else if (way == "thread") {
    std::thread([&] { result += sum_of(managed); }).join(); // read in a thread
  }
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
  cudaFree(managed);
  cudaFreeHost(pinned);
  return result == 1000 ? 1 : 0;
}
