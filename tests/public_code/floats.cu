// Floating-point types of other widths, on host and device: `__half` in braces and parentheses,
// std::vector of it, bfloat16, fp8 and tf32, arithmetic through float.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

#include <cmath>
#include <vector>

namespace ct = cuda::tiles;
using i32x16 = ct::tile<int, ct::shape<16>>;

// y = a * x + y in the element type, or through float and back.
template <typename T>
__tile_global__ void axpy(T* __restrict__ y, const T* __restrict__ x, T a, float b) {
  auto i = static_cast<int>(ct::bid().x) * 16 + ct::iota<i32x16>();
  auto xs = ct::load(x + i);
  auto ys = ct::load(y + i);
  auto sum = a * xs + ys;
  auto wide = ct::element_cast<float>(sum) * b;
  ct::store(y + i, ct::element_cast<T>(wide));
}

template <typename T>
void check_axpy() {
  std::vector<T> x(32), y(32, T(1.0f));
  for (int i = 0; i < 32; ++i) {
    x[i] = T(i * 0.5f);
  }
  device_array<T> dx(x), dy(y);
  axpy<<<2, 1>>>(dy.data, dx.data, T(2.0f), 0.5f);
  CHECK_LAUNCHES();
  const std::vector<T> got = dy.host();
  int different = 0;
  for (int i = 0; i < 32; ++i) {
    different += static_cast<float>(got[i]) != (i + 1.0f) * 0.5f;
  }
  EXPECT(different == 0);
}

// Halves as plain numbers in a tile kernel, made in every way.
__tile_global__ void half_numbers(__half* out, const __half* in, __half h) {
  using vec = ct::tile<__half, ct::shape<4>>;
  auto i = ct::iota<ct::tile<int, ct::shape<4>>>();
  ct::store(out + i, ct::full<vec>(__half{1.5f}) + __half(0.25f));
  ct::store(out + 4 + i, ct::select(i < 2, ct::full<vec>(h), ct::zeros<vec>()));
  float f = static_cast<float>(in[1]) * 2.0f;
  out[8] = __half{f};
  out[9] = h;
  out[10] = __float2half(__half2float(h) + 1.0f);
  auto single = ct::load(in + 1);
  ct::store(out + 11, ct::max(single, h));
}

// fp8 and tf32: loads, stores and casts only.
__tile_global__ void small_floats(__nv_fp8_e4m3* e4, __nv_fp8_e5m2* e5, float* out) {
  auto i = ct::iota<i32x16>();
  auto x = ct::element_cast<float>(i) * 0.75f;
  ct::store(e4 + i, ct::element_cast<__nv_fp8_e4m3>(x));
  ct::store(e5 + i, ct::element_cast<__nv_fp8_e5m2>(x));
  auto back = ct::element_cast<float>(ct::load(e4 + i));
  ct::store(out + i, back);
  ct::store(out + 16 + i, ct::element_cast<float>(ct::element_cast<__nv_tf32>(x)));
  ct::store(out + 32 + i, ct::load(e5 + i)); // widens as it is stored
}

__global__ void simt_halves(__half* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] = __hadd(data[i], __float2half(1.0f)) * __half(2.0f);
  }
}

int main() {
  check_axpy<__half>();
  check_axpy<__nv_bfloat16>();
  check_axpy<float>();

  std::vector<__half> in{__half{0.5}, __half{-3.5f}, __half{7}, __half(8.25f)};
  EXPECT(float(in[0]) == 0.5f && float(in[2]) == 7.0f && in[1] != in[2] && in[3] > in[2]);
  device_array<__half> h(in), out(12);
  half_numbers<<<1, 1>>>(out.data, h.data, __half{0.125});
  simt_halves<<<1, 32>>>(h.data, 4);
  CHECK_LAUNCHES();
  const auto o = out.host();
  EXPECT(float(o[0]) == 1.75f && float(o[5]) == 0.125f && float(o[6]) == 0 && float(o[8]) == -7.0f);
  EXPECT(float(o[9]) == 0.125f && float(o[10]) == 1.125f && float(o[11]) == 0.125f);
  EXPECT(float(h.host()[1]) == -5.0f && float(h.host()[3]) == 18.5f);

  device_array<__nv_fp8_e4m3> e4(16);
  device_array<__nv_fp8_e5m2> e5(16);
  device_array<float> reals(48);
  small_floats<<<1, 1>>>(e4.data, e5.data, reals.data);
  CHECK_LAUNCHES();
  for (int i = 0; i < 16; ++i) {
    const float x = i * 0.75f;
    EXPECT(reals.host()[i] == float(__nv_fp8_e4m3(x)) &&
           float(e5.host()[i]) == float(__nv_fp8_e5m2(x)));
    EXPECT(reals.host()[16 + i] == x && reals.host()[32 + i] == float(e5.host()[i]));
  }
  return verdict("floats");
}
