// The examples of the reference's page of arithmetic operations, word for word, and arrays as pointers, as
// one program.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include <cmath>

#include "cuda_tile.h"

// Addition: an int scalar is converted to float and broadcast.
__tile_global__ void addition_of_a_scalar(float* out) {
  namespace ct = ::cuda::tiles;
  using i32x2x2 = ct::tile<int, ct::shape<2, 2>>;
  using f32x2x2 = ct::tile<float, ct::shape<2, 2>>;

  float data[2][2] = {
    {0.0, 1.5},
    {3.0, 3.5},
  };

  f32x2x2 x = ct::load(&data[0][0] + ct::iota<i32x2x2>());
  f32x2x2 result = 5 + x;

  ct::store(out + ct::iota<i32x2x2>(), result);
}

// Addition: rounded toward negative infinity.
__tile_global__ void addition_rounded_down(float* out) {
  namespace ct = ::cuda::tiles;
  float eps = 0x0.000002p0f;
  float result = ct::add(8.0f, 5 * eps, ct::round_toward_negative_t{});

  ct::store(out, result);
}

// Arithmetic promotion: char to int.
__tile_global__ void promotion_of_char(int* out) {
  namespace ct = ::cuda::tiles;
  using i8x2x2 = ct::tile<char, ct::shape<2, 2>>;
  using i32x2x2 = ct::tile<int, ct::shape<2, 2>>;

  char data[2][2] = {
    {0, 1},
    {2, 3},
  };

  i8x2x2 x = ct::load(&data[0][0] + ct::iota<i32x2x2>());
  i32x2x2 result = +x;

  ct::store(out + ct::iota<i32x2x2>(), result);
}

// Subtraction: flushed to zero.
__tile_global__ void subtraction_flushed(float* out) {
  namespace ct = ::cuda::tiles;
  float result = ct::sub(0x1.1p-126f, 0x1.0p-126f,
                         ct::round_ties_to_even_t{},
                         ct::round_subnormals_to_zero_t{});

  ct::store(out, result);
}

namespace ct = ::cuda::tiles;

// An array is a pointer wherever a tile of pointers may stand.
__tile_global__ void arrays(int* out) {
  int data[4] = {3, 1, 4, 1};
  ct::tile<int*, ct::shape<>> first = data;
  ct::store(data, 9);
  ct::store(out, ct::load(first));
  ct::store(out + 1, ct::element_cast<int>(ct::element_cast<bool>(data)));
  ct::store(out + 2, ct::atomic_add(data, 2, ct::memory_order_relaxed_t{}));
  ct::store(out + 3, ct::load(ct::select(true, data, data)) + ct::load_masked(data + 2, data));
}

int main() {
  device_array<float> floats(8);
  device_array<int> ints(8);
  addition_of_a_scalar<<<1, 1>>>(floats.data);
  addition_rounded_down<<<1, 1>>>(floats.data + 4);
  subtraction_flushed<<<1, 1>>>(floats.data + 5);
  promotion_of_char<<<1, 1>>>(ints.data);
  arrays<<<1, 1>>>(ints.data + 4);
  CHECK_LAUNCHES();
  const auto f = floats.host();
  const auto n = ints.host();
  EXPECT(f[0] == 5.0f && f[1] == 6.5f && f[2] == 8.0f && f[3] == 8.5f);
  EXPECT(f[4] == 8.0f);
  EXPECT(f[5] == 0.0f);
  EXPECT(n[0] == 0 && n[1] == 1 && n[2] == 2 && n[3] == 3);
  EXPECT(n[4] == 9 && n[5] == 1 && n[6] == 9 && n[7] == 15);
  return verdict("arithmetic_page");
}
