// A kernel is given a static variable of host code; with -DDEVICE only such as kernels may use.
#include "cuda_tile.h"
#include <cstdio>
namespace ct = cuda::tiles;

#define MANAGED __managed__
// of the device
__device__ int of_device = 3;
__managed__ int managed = 4;
MANAGED int by_macro = 5;
static __constant__ int constant = 6;
// of the host
static int table[64];
struct settings {
  static int table[64];
  inline static int more[64];
  static int* own() {
    static int values[64];
    return values;
  }
};
int settings::table[64];
static int* of_function() {
  static int values[64];
  return values;
}
template <class T>
inline T* of_template() {
  static T values[64];
  return values;
}

__tile_global__ void read(int* p, int* out) {
  ct::store(out, ct::load(p));
}
__tile_global__ void read_device(int* out) {
  static int own = 7;
  ct::store(out, ct::load(&of_device));
  ct::store(out + 3, ct::load(&constant));
  ct::store(out + 4, ct::load(&own));
}
__device__ int* of_device_function() {
  static int values[4] = {8};
  return values;
}
int main() {
  int* out = nullptr;
  cudaMallocManaged(&out, 6 * sizeof(int));
#ifdef DEVICE
  struct local {
    static __device__ int* own() {
      static int values[4] = {9};
      return values;
    }
  };
  const auto lambda = []() __attribute__((noinline)) -> int* { // as a macro with __device__ could have it
    static int values[4] = {10};
    return values;
  };
  read<<<1, 1>>>(local::own(), out);
  read<<<1, 1>>>(lambda(), out);
  read_device<<<1, 1>>>(out);
  read<<<1, 1>>>(&managed, out + 1);
  read<<<1, 1>>>(&by_macro, out + 2);
  read<<<1, 1>>>(of_device_function(), out + 5);
#else
  static int of_main[64];
  struct local {
    static int* own() {
      static int values[64];
      return values;
    }
  };
  int* const all[] = {table, of_main, settings::table, settings::more, settings::own(), of_function(), of_template<int>(), local::own()};
  read<<<1, 1>>>(all[WHICH], out);
#endif
  cudaDeviceSynchronize();
  std::printf("%d %d %d %d %d %d\n", out[0], out[1], out[2], out[3], out[4], out[5]);
}
