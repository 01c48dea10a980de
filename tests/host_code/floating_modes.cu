// How the host rounds, flushes and traps is not how its kernels do, and what a thread sets is its own.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cfenv>
#include <cstdio>
#if defined(__x86_64__)
#  include <xmmintrin.h>
#endif

namespace ct = cuda::tiles;

constexpr int results = 4;

__device__ void compute(float* out, float one, float tiny, float zero) {
  const volatile float operands[] = {one, tiny, zero}; // it is computed where it stands
  out[0] = operands[0] / 3.0F;
  out[1] = -operands[0] / 3.0F;
  out[2] = operands[1] / 2.0F;
  out[3] = operands[0] / operands[2];
}

__global__ void threads(float* out, float one, float tiny, float zero) {
  if (threadIdx.x == 1) {
    std::fesetround(FE_TOWARDZERO); // which no GPU's compiler takes
  }
  __syncthreads();
  compute(out + (results * threadIdx.x), one, tiny, zero);
}

__tile_global__ void tiles(float* out, float one, float tiny, float zero) {
  ct::store(out, ct::full<ct::tile<float, ct::shape<>>>(one) / 3.0F);
  ct::store(out + 1, ct::full<ct::tile<float, ct::shape<>>>(-one) / 3.0F);
  ct::store(out + 2, ct::full<ct::tile<float, ct::shape<>>>(tiny) / 2.0F);
  ct::store(out + 3, ct::full<ct::tile<float, ct::shape<>>>(one) / zero);
}

int failures = 0;

void expect(bool as_expected, const char* what, const float* got) {
  if (!as_expected) {
    std::printf("%s: %a %a %a %a\n", what, got[0], got[1], got[2], got[3]);
    ++failures;
  }
}

bool to_nearest(const float* got) {
  return got[0] == 0x1.555556p-2F && got[1] == -0x1.555556p-2F && got[2] == 0x1p-127F && got[3] == HUGE_VALF;
}

int main() {
  float* out = nullptr;
  cudaMallocManaged(&out, 4 * results * sizeof(float));
  const float tiny = 0x1p-126F;
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040); // flushes
#endif
  feenableexcept(FE_DIVBYZERO);
  std::fesetround(FE_UPWARD);
  threads<<<1, 3>>>(out, 1, tiny, 0);
  tiles<<<1, 1>>>(out + (3 * results), 1, tiny, 0);
  cudaDeviceSynchronize();
  const bool kept = std::fegetround() == FE_UPWARD;
  std::fesetround(FE_TONEAREST);
#if defined(__x86_64__)
  const bool flushes = (_mm_getcsr() & 0x8040) == 0x8040 && (_mm_getcsr() & 0x200) == 0; // and traps
  _mm_setcsr(0x1f80);
#else
  const bool flushes = true;
#endif
  fedisableexcept(FE_DIVBYZERO);
  expect(kept && flushes, "the host's modes", out);
  expect(to_nearest(out), "thread 0", out);
  const float* const second = out + results;
  expect(second[0] == 0x1.555554p-2F && second[1] == -0x1.555554p-2F, "thread 1", second);
  expect(to_nearest(out + (2 * results)), "thread 2", out + (2 * results));
  expect(to_nearest(out + (3 * results)), "tile block", out + (3 * results));
  std::printf("%d wrong\n", failures);
  return failures == 0 ? 0 : 1;
}
