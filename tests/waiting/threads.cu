// Threads of a block that wait for one another for ever: threads MODE [BLOCKS THREADS].
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cuda/atomic>

#include <cstdlib>
#include <cstring>

using flag_ref = cuda::atomic_ref<int, cuda::thread_scope_device>;

// Thread 0 waits for a flag that is raised behind a barrier, which waits for thread 0.
__global__ void in_part(int* flag) {
  if (threadIdx.x == 0) {
    while (flag_ref(*flag).load() == 0) { // @spin
    }
  }
  __syncthreads(); // @barrier
  if (threadIdx.x == 1) {
    flag_ref(*flag).store(1);
  }
}

__global__ void spin(int* flag) {
  while (flag_ref(*flag).load() == 0) { // @all
  }
}

__global__ void shuffles_and_meets(int* out) {
  if (threadIdx.x < 2) {
    out[threadIdx.x] = __any_sync(0xfU, 1); // @vote
  } else {
    __syncthreads(); // @meet
  }
}

// Goes on writing while it waits.
__global__ void counts(int* flag) {
  while (flag_ref(*flag).load() == 0) {
    flag_ref(flag[1]).fetch_add(1);
  }
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  int* p = nullptr;
  cudaMalloc(&p, 16 * sizeof(int));
  cudaMemset(p, 0, 16 * sizeof(int));
  if (std::strcmp(mode, "in_part") == 0) {
    in_part<<<1, 4>>>(p);
  } else if (std::strcmp(mode, "spin") == 0) {
    spin<<<argc > 3 ? std::atoi(argv[2]) : 2, argc > 3 ? std::atoi(argv[3]) : 4>>>(p);
  } else if (std::strcmp(mode, "votes") == 0) {
    shuffles_and_meets<<<1, 4>>>(p);
  } else {
    counts<<<1, 4>>>(p);
  }
  cudaDeviceSynchronize();
  cudaFree(p);
}
