// Two threads set and copy the same bytes, by operations of every size that a compiler may put in line: memset, memcpy,
// their __builtin_ names, std::fill and std::copy, whole structures. Repaired: each has a place of its own.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <algorithm>
#include <array>
#include <cstring>

template <int N>
struct bytes {
  char values[N];
};
struct pair_of_doubles {
  double x, y;
};

constexpr int room = 8192; // for one operation

/// The n-th range: the same for both threads if racy.
__device__ char* range(char* data, int n) {
#ifdef RACY
  return data + n * 2 * room;
#else
  return data + n * 2 * room + blockIdx.x * room;
#endif
}

template <class T>
__device__ T* as(char* p) {
  return reinterpret_cast<T*>(p);
}

__global__ void write(char* data, const char* from, int size) {
  memset(range(data, 0), 0, 8);                                                       // race: data-race
  memset(range(data, 1), 1, 16);                                                      // race: data-race
  memset(range(data, 2), 2, 24);                                                      // race: data-race
  std::memset(range(data, 3), 0, 64);                                                 // race: data-race
  memset(range(data, 4), 0, 4096);                                                    // race: data-race
  memset(range(data, 5), 0, size);                                                    // race: data-race
  __builtin_memset(range(data, 6), 0, 24);                                            // race: data-race
  memcpy(range(data, 7), from, 8);                                                    // race: data-race
  memcpy(range(data, 8), from, 24);                                                   // race: data-race
  std::memcpy(range(data, 9), from, 64);                                              // race: data-race
  memcpy(range(data, 10), from, 4096);                                                // race: data-race
  memcpy(range(data, 11), from, size);                                                // race: data-race
  __builtin_memcpy(range(data, 12), from, 40);                                        // race: data-race
  memmove(range(data, 13), from, 16);                                                 // race: data-race
  *as<bytes<8>>(range(data, 14)) = *reinterpret_cast<const bytes<8>*>(from);          // race: data-race
  *as<pair_of_doubles>(range(data, 15)) = *as<pair_of_doubles>(const_cast<char*>(from)); // race: data-race
  as<bytes<24>>(range(data, 16))[2] = reinterpret_cast<const bytes<24>*>(from)[1];    // race: data-race
  *as<bytes<64>>(range(data, 17)) = *reinterpret_cast<const bytes<64>*>(from);        // race: data-race
  *as<bytes<4096>>(range(data, 18)) = *reinterpret_cast<const bytes<4096>*>(from);    // race: data-race
  *as<bytes<64>>(range(data, 19)) = {};                                               // race: data-race
  *as<std::array<int, 64>>(range(data, 20)) = *reinterpret_cast<const std::array<int, 64>*>(from); // race: data-race
  *as<float4>(range(data, 21)) = make_float4(1, 2, 3, 4);                             // race: data-race
  std::fill(range(data, 22), range(data, 22) + 32, char(3));                          // race: data-race
  std::fill_n(as<int>(range(data, 23)), 8, 3);                                        // race: data-race
  std::copy(from, from + 48, range(data, 24));                                        // race: data-race
}

/// What the first thread copies from, the second one writes.
__global__ void read(char* data, char* to) {
  if (blockIdx.x == 0) {
    memcpy(to, range(data, 0), 24);              // race: data-race with @first
    memcpy(to, range(data, 1), 64);              // race: data-race with @second
    bytes<40> copy = *as<bytes<40>>(range(data, 2)); // race: data-race with @third
    memcpy(to, &copy, sizeof copy);
    *to = memcmp(range(data, 3), to, 8) == 0; // race: data-race with @fourth
  } else {
    range(data, 0)[23] = 1; // @first
    range(data, 1)[63] = 1; // @second
    range(data, 2)[39] = 1; // @third
    range(data, 3)[7] = 1;  // @fourth
  }
}

int main() {
  write<<<2, 1>>>(zeros<char>(25 * 2 * room), zeros<char>(room), 100);
  read<<<2, 1>>>(zeros<char>(4 * 2 * room), zeros<char>(room));
  return finish();
}
