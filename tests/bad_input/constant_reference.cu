// What an atomic_ref to a const object does not have, and what only libcu++ could say where it is used. (-DMEMBER=…)
// SPDX-License-Identifier: Apache-2.0
#include <cuda/atomic>

#ifndef MEMBER
#  define MEMBER store(1)
#endif

__global__ void change(const int* p) {
  const cuda::atomic_ref<const int, cuda::thread_scope_device> r(*p);
  r.MEMBER;
}

int main() {
  change<<<1, 1>>>(nullptr);
}
