// Volatile accesses of 1, 2, 4 and 8 bytes, each with one of the same size: no race. Racy: with one of another size, so
// that neither is morally strong with the other.  [PTX: morally strong operations]
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

template <class T>
__device__ void put(void* p) {
  *static_cast<volatile T*>(p) = T{1}; // @put
}
template <class T>
__device__ T get(const void* p) {
  return *static_cast<const volatile T*>(p); // race: mixed-size-race with @put
}

__global__ void mix(char* data, int* out) {
  if (blockIdx.x == 0) {
    put<char>(data);
    put<short>(data + 8);
    put<int>(data + 16);
    put<long long>(data + 24);
  } else {
#ifdef RACY
    *out = get<short>(data) + get<int>(data + 8) + static_cast<int>(get<long long>(data + 16)) + get<char>(data + 31);
#else
    *out = get<char>(data) + get<short>(data + 8) + get<int>(data + 16) + static_cast<int>(get<long long>(data + 24));
#endif
  }
}

int main() {
  mix<<<2, 1>>>(zeros<char>(32), zeros(1));
  return finish();
}
