// Products of matrices that are the same in every order: 8-bit integers, and small whole numbers of
// every floating-point type. SPDX-License-Identifier: Apache-2.0
#include "matrices.hpp"

using namespace gpu_test;

std::vector<bits> small_numbers(const format& f, std::size_t count, bits seed) {
  return whole_numbers(f, count, f.is_float() || f.is_signed ? -3 : 0, f.width == 1 ? 1 : 3, seed);
}
std::vector<bits> any_number(const format& f, std::size_t count, bits seed) {
  operands::generator next(seed);
  std::vector<bits> made(count);
  for (bits& x : made) {
    x = next() & f.mask();
  }
  return made;
}

template <class A, class C, int M, int N, int K>
void small() {
  multiply<A, A, C, shape<M, K>, shape<K, N>, shape<M, N>>(
      "small whole numbers", 2, small_numbers, small_numbers);
}

template <class A, class B>
void bytes() {
  multiply<A, B, std::int32_t, shape<16, 32>, shape<32, 16>, shape<16, 16>>(
      "any", 4, any_number, any_number);
  multiply<A, B, std::int32_t, shape<64, 64>, shape<64, 32>, shape<64, 32>>(
      "any", 1, any_number, any_number);
}

int main() {
  for_each_float_product([]<class A, class C>() {
    small<A, C, 16, 16, 16>();
    small<A, C, 64, 32, 64>();
    small<A, C, 1, 16, 32>();
    multiply<A, A, C, shape<2, 16, 16>, shape<2, 16, 16>, shape<2, 16, 16>>(
        "small whole numbers", 1, small_numbers, small_numbers);
    multiply<A, A, C, shape<4, 16, 16>, shape<1, 16, 16>, shape<4, 16, 16>>(
        "small whole numbers", 1, small_numbers, small_numbers);
  });
  bytes<std::int8_t, std::int8_t>();
  bytes<std::uint8_t, std::uint8_t>();
  bytes<std::int8_t, std::uint8_t>();
  bytes<std::uint8_t, std::int8_t>();
  bytes<bool, std::int8_t>();
  multiply_alone<__nv_fp8_e4m3, __nv_fp8_e4m3, __half, shape<16, 32>, shape<32, 16>, shape<16, 16>>(
      "small whole numbers", 2, small_numbers);
  multiply_alone<__half, __half, __half, shape<16, 32>, shape<32, 16>, shape<16, 16>>(
      "small whole numbers", 2, small_numbers);
  multiply_alone<__nv_bfloat16, __nv_bfloat16, float, shape<16, 32>, shape<32, 16>, shape<16, 16>>(
      "small whole numbers", 2, small_numbers);
  multiply_alone<float, float, float, shape<2, 16, 8>, shape<1, 8, 16>, shape<2, 16, 16>>(
      "small whole numbers", 2, small_numbers);
  multiply_alone<std::int8_t, std::int8_t, std::int32_t, shape<16, 32>, shape<32, 16>, shape<16, 16>>(
      "any", 2, any_number);
  return done();
}
