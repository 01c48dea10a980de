// Threads keep what they have drawn or seen, each in places of its own. Called with the name of one of the kernels.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <cuda/atomic>
#include <cuda_runtime.h>

using shared_int = cuda::atomic_ref<int, cuda::thread_scope_device>;

__device__ int own_number() {
  return static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
}

// Two tickets, one after the other, of one counter.
__global__ void twice(int* m) {
  const int first = atomicAdd(m, 1);
  const int second = atomicAdd(m, 1);
  m[8 + own_number() * 2] = first;
  m[9 + own_number() * 2] = second;
}

// … of two counters.
__global__ void both(int* m) {
  const int first = atomicAdd(m, 1);
  const int second = atomicAdd(m + 1, 1);
  m[8 + own_number() * 2] = first;
  m[9 + own_number() * 2] = second;
}

// Whoever is not the first thread keeps what it has seen of a message: its flag, then what it says.
__global__ void message(int* m) {
  m[8 + atomicAdd(m, 1)] = own_number() + 1;
  const shared_int says(m[1]);
  const shared_int flag(m[2]);
  if (own_number() == 0) {
    says.store(1, cuda::memory_order_relaxed);
    flag.store(1, cuda::memory_order_release);
  } else {
    const int seen = flag.load(cuda::memory_order_acquire);
    m[64 + own_number()] = seen * 2 + says.load(cuda::memory_order_relaxed) + 1;
  }
}

// Pairs of threads, each of which sets a flag and then looks at the other's.
__global__ void pairs(int* m) {
  const int own = own_number();
  shared_int(m[own]).store(1, cuda::memory_order_relaxed);
  m[128 + own] = shared_int(m[own ^ 1]).load(cuda::memory_order_relaxed) + 10;
}

// A ticket, and beside it a number of which its drawer computes no exact one.
__global__ void powers(int* m) {
  reinterpret_cast<float*>(m)[8 + atomicAdd(m, 1)] = expf(0.1F * static_cast<float>(own_number()));
}

// Where threads read weakly what others add to.
__global__ void looks(int* m) {
  m[64 + own_number()] = m[0];
  atomicAdd(m, 1 + own_number() % 2 * 2);
}

__global__ void tickets(int* m, int more) {
  m[8 + atomicAdd(m, 1)] = own_number() + 1 + more;
}

int main(int argc, char** argv) {
  constexpr int words = 256;
  int* m = nullptr;
  cudaMalloc(&m, words * sizeof(int));
  cudaMemset(m, 0, words * sizeof(int));
  const char* const which = argc > 1 ? argv[1] : "";
  const auto is = [which](const char* name) { return std::strcmp(which, name) == 0; };
  if (is("twice")) {
    twice<<<4, 4>>>(m);
  } else if (is("both")) {
    both<<<4, 8>>>(m);
  } else if (is("message")) {
    message<<<4, 8>>>(m);
  } else if (is("pairs")) {
    pairs<<<64, 1>>>(m);
  } else if (is("powers")) {
    powers<<<4, 8>>>(m);
  } else if (is("looks")) {
    looks<<<2, 4>>>(m);
  } else {
    tickets<<<4, 4>>>(m, 0);
    tickets<<<4, 4>>>(m, 100);
  }
  cudaDeviceSynchronize();
  cudaFree(m);
}
