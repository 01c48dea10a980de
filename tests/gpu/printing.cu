// What printf prints in a tile kernel: every conversion, flag and length, scalars and tiles.
//
// One block: what several print comes in any order. SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = ::cuda::tiles;

enum color { red = 5 };
enum class wide : long { value = 7 };

template <class T, int... N>
using tile = ct::tile<T, ct::shape<static_cast<std::size_t>(N)...>>;

__tile_global__ void integers(int n) {
  printf("[%d] [%i] [%u] [%o] [%x] [%X]\n", -n, -n, n, n, n, n);
  printf("[%d] [%d] [%u] [%x] [%o] [%X]\n", 2147483647, -2147483647 - 1, 4294967295U, -1, -1, -255);
  printf("[%ld] [%lld] [%lu] [%llu] [%lx] [%llX] [%lo] [%li]\n",
         -1L << 40, -(1LL << 60), ~0UL, ~0ULL, ~0UL, ~0ULL, 511UL, 1L);
  printf("[%hd] [%hu] [%hx] [%hi]\n", static_cast<short>(-n), static_cast<unsigned short>(n), 70000, 70000);
  printf("[%5d|%-5d|%05d|%+d|% d|%+5d|%-+6d|%+05d]\n", n, n, n, n, n, n, n, n);
  printf("[%#x] [%#X] [%#o] [%#10x] [%#010x] [%-#10x|]\n", n, n, n, n, n, n);
  printf("[%5.3d] [%.5x] [%#.5x] [%+.3d] [%08.3d] [%.0d] [%.d] [%5.d]\n", n, n, n, n, n, 0, n, n);
  printf("[%-05d] [%+ d] [% +d] [%--5d] [%##x] [%00005d]\n", n, n, n, n, n, n);
  printf("[%100d] [%.60d]\n", n, n);
  printf("[%d] [%d] [%d] [%d] [%ld]\n", true, false, 'c', red, wide::value);
  printf("[%d] [%d] [%u] [%u]\n", static_cast<signed char>(-1), static_cast<short>(-1),
         static_cast<unsigned char>(255), static_cast<unsigned short>(65535));
  printf("[%c] [%5c] [%-5c|] [%lc] [%c%c]\n", 'a', 'b', 'c', 'd', 65, 66);
  printf("[%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d]\n",
         n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n);
}

__tile_global__ void numbers(float f, double d, float zero) {
  printf("[%f] [%F] [%e] [%E] [%g] [%G] [%a] [%A]\n", f, f, f, f, f, f, f, f);
  printf("[%lf] [%le] [%lg] [%la]\n", d, d, d, d);
  printf("[%10.3f|%-10.3e|%+g|%#g|%.0f|%#.0f|%010.2f|% f]\n", f, f, f, f, f, f, -f, f);
  printf("[%.10g] [%.17g] [%.20f] [%.40e] [%.0e] [%#.0e] [%.3a] [%.0a]\n", d, d, d, d, d, d, d, d);
  printf("[%G] [%g] [%g] [%g]\n", 1e-5 * d, 100000.0 * d, 1e6 * d, 1e300 * d);
  printf("[%f] [%F] [%g] [%5.1f] [%-8f|] [%08f] [%+f]\n",
         1 / zero, 1 / zero, -1 / zero, 1 / zero, 1 / zero, 1 / zero, 1 / zero);
  printf("[%g] [%e] [%a]\n", -zero, 1e-310, 5e-324);
  printf("[%f] [%f] [%f]\n", __half(65504.0F), __half(1.0F) / __half(3.0F), __nv_bfloat16(1.5F));
  printf("[%hf]\n", f);
}

__tile_global__ void texts(int n, int* p) {
  const char* chosen = n > 3 ? "yes" : "no";
  printf("[%s] [%10s] [%-10s] [%.2s] [%10.4s|] [%-10.4s|] [%s] [%hs]\n",
         "text", "abc", "abc", "abc", "abcdefgh", "abcdefgh", "", "short");
  printf("[%s] [%s] [%s]\n", chosen, "with %d inside", __func__);
  char made[3];
  made[0] = 'h';
  made[1] = 'i';
  made[2] = 0;
  printf("[%s] [%%] [%d%%%s%c]\n", made, 5, "x", 'y');
  printf("[%p] [%p] [%20p] [%-20p|]\n",
         static_cast<void*>(nullptr), reinterpret_cast<void*>(0x1234), reinterpret_cast<void*>(0x10),
         reinterpret_cast<void*>(0x10));
  printf("tab\t quote\" backslash\\ hex\x41 octal\101 utf8 \u00e9\n");
  printf("no newline, ");
  printf("");
  printf("then one\n");
  printf("[%d] [%d]\n", p[0], p[1]);
  const int result = printf("[%d] [%d]\n", 1, 2);
  printf("printf gave %d\n", result);
}

__tile_global__ void tiles(int n, int* p) {
  printf("[%d] [%d]\n", ct::full<tile<int>>(n), ct::full<tile<int, 1>>(n));
  printf("[%d]\n", ct::iota<tile<int, 4>>());
  printf("[%5d|%-3d|%x|%c]\n", ct::iota<tile<int, 4>>(), ct::iota<tile<int, 2>>(), ct::iota<tile<int, 2>>() + 250,
         ct::iota<tile<int, 4>>() + 65);
  printf("[%d] and [%d]\n", ct::iota<tile<int, 2, 4>>(), ct::iota<tile<int, 2, 2, 2>>());
  printf("[%d] [%f]\n", ct::full<tile<int, 1, 1>>(3), ct::full<tile<double, 1, 2, 1>>(2.5));
  printf("[%f] [%.1f]\n", ct::full<tile<float>>(1.5F), ct::element_cast<float>(ct::iota<tile<int, 2, 2>>()) / 2.0F);
  printf("[%f] [%g]\n", ct::full<tile<__half, 2>>(__half(1.5F)), ct::full<tile<double, 2>>(0.1));
  printf("[%d]\n", ct::iota<tile<int, 4>>() < 2);
  printf("[%ld] [%lx]\n", ct::iota<tile<long, 2>>() - 1L, ct::iota<tile<long, 2>>() - 1L);
  printf("[%d] [%d] [%u]\n", ct::iota<tile<short, 2>>() - static_cast<short>(1),
         ct::iota<tile<signed char, 2>>() - static_cast<signed char>(1),
         ct::iota<tile<unsigned char, 4>>() + static_cast<unsigned char>(254));
  printf("[%p]\n", reinterpret_cast<int*>(0x1000) + ct::iota<tile<int, 2>>());
  printf("[%d]\n", ct::load(p + ct::iota<tile<int, 4>>()));
  printf("[%d]\n", ct::iota<tile<int, 64>>());
}

int main() {
  int* p = nullptr;
  cudaMalloc(&p, 64);
  cudaMemset(p, 1, 64);
  integers<<<1, 1>>>(42);
  numbers<<<1, 1>>>(3.14159265F, 1.0 / 3, 0.0F);
  texts<<<1, 1>>>(42, p);
  tiles<<<1, 1>>>(42, p);
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(status));
  return status != cudaSuccess;
}
