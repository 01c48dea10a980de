// BLOCKS blocks add to one number. KIND: what else there is to it.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

using shared_float = cuda::atomic_ref<float, cuda::thread_scope_device>;

// One function in spite of its length: a list of cases.
__global__ void add(int* x, int* y, float* f, int* out) {
  const int me = static_cast<int>(blockIdx.x);
#if KIND == 0 // nothing
  shared(*x).fetch_add(me + 1, relaxed);
#elif KIND == 1 // the last one is told from the others
  if (shared(*x).fetch_add(1, relaxed) == BLOCKS - 1) {
    *out = 1 + me;
  }
#elif KIND == 2 // it orders other accesses
  *out = 0;
  shared(*x).fetch_add(1, cuda::memory_order_acq_rel);
#elif KIND == 3 // so does a fence
  shared(*x).fetch_add(1, relaxed);
  cuda::atomic_thread_fence(acq_rel, cuda::thread_scope_device);
#elif KIND == 4 // somebody reads it
  shared(*x).fetch_add(1, relaxed);
  if (me == 0) {
    *out = shared(*x).load(relaxed);
  }
#elif KIND == 5 // an exchange adds nothing
  if (me == 0) {
    shared(*x).exchange(5, relaxed);
  } else {
    shared(*x).fetch_add(1, relaxed);
  }
#elif KIND == 6 // sums of floats depend on the order
  const float numbers[] = {1e8F, -1e8F, 1.0F};
  shared_float(*f).fetch_add(numbers[me % 3], relaxed);
#elif KIND == 7 // what is added depends on what is read
  if (me == 0) {
    shared(*y).store(1, relaxed);
    shared(*x).fetch_add(4, relaxed);
  } else {
    shared(*x).fetch_add(shared(*y).load(relaxed) == 1 ? 2 : 1, relaxed);
  }
#elif KIND == 8 // two results tell something together, and neither alone
  if (me == 0) {
    const int a = shared(*x).fetch_add(1, relaxed);
    const int b = shared(*y).fetch_add(1, relaxed);
    *out = a == 1 && b == 0 ? 1 : 0;
  } else {
    shared(*x).fetch_add(1, relaxed);
    shared(*y).fetch_add(1, relaxed);
  }
#elif KIND == 9 // at the end of something that others see in any order
  shared(x[1 + me]).store(1, relaxed);
  *out = 0;
  if (shared(x[1 + (me + 1) % BLOCKS]).load(relaxed) == 1) {
    shared(*x).fetch_add(1, relaxed);
  }
#elif KIND == 10 // not all blocks see each other's
  cuda::atomic_ref<int, cuda::thread_scope_block>(*x).fetch_add(1, relaxed);
#elif KIND == 11 // minima are no sums
  shared(*x).fetch_min(-1 - me, relaxed);
  shared(*y).fetch_add(1, relaxed);
#elif KIND == 12 // threads of a block meet: that orders additions, and other accesses
  shared(*x).fetch_add(1, relaxed);
  if (threadIdx.x == 0) {
    shared(*y).store(2, relaxed);
  }
  __syncthreads();
  shared(*x).fetch_add(shared(*y).load(relaxed), relaxed);
#elif KIND == 13 // what an addition behind the meeting finds is used: it has found both before it
  shared(*x).fetch_add(1, relaxed);
  __syncthreads();
  shared(out[threadIdx.x]).store(shared(*x).fetch_add(1, relaxed), relaxed);
#elif KIND == 14 // a thread's last instruction writes what an addition has found, where others write, too
  *out = shared(*x).fetch_add(1, relaxed);
#endif
}

int main() {
  int* const x = zeros(1 + BLOCKS);
  int* const y = zeros(1);
  float* const f = reinterpret_cast<float*>(zeros(1));
  int* const out = zeros(BLOCKS);
#if KIND == 12 || KIND == 13
  add<<<1, BLOCKS>>>(x, y, f, out);
#else
  add<<<BLOCKS, 1>>>(x, y, f, out);
#endif
  cudaDeviceSynchronize();
}
