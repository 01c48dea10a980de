// Operands that a parameter by value would change: __restrict__ pointers, arrays, cv, references.
//
// SPDX-License-Identifier: Apache-2.0
#include <cuda_tile.h>
#include <tests/api/other_machine.hpp>
#include <tests/support/catch.hpp>
#include <type_traits>

namespace ct = cuda::tiles;
using recording::calls;
using recording::lines;

namespace {

using i32 = ct::tile<int, ct::shape<8>>;
using f32 = ct::tile<float, ct::shape<8>>;

template <class T>
void through_restrict(const T* __restrict__ x, T* const __restrict__ y, int n) {
  const auto i = ct::iota<i32>();
  const auto in = i < n;
  const auto v = ct::load_masked(x + i, in);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(v)>, ct::tile<T, ct::shape<8>>>);
  ct::store(y + i, v);
  ct::store(y, ct::load(x));
  static_assert(std::is_same_v<decltype(ct::assume_aligned<16>(x)), const T*>);
  static_assert(std::is_same_v<decltype(i + y), ct::tile<T*, ct::shape<8>>>);
  static_assert(std::is_same_v<decltype(y == y + i), ct::tile<bool, ct::shape<8>>>);
  const ct::tile<const T*, ct::shape<>> rank0 = x;
  static_cast<void>(rank0);
}

} // namespace

TEST_CASE("pointers with __restrict__ are pointers", "[api][operands]") {
  float x[8] = {};
  float y[8] = {};
  CHECK(calls([&] { through_restrict(x, y, 3); }) == lines{"iota -> i32[8]",
                                                           "cmpi lt i32[8] i32 -> i1[8]",
                                                           "offset ptr i32[8] -> ptr[8]",
                                                           "load weak ptr[8] mask i1[8] -> f32[8]",
                                                           "offset ptr i32[8] -> ptr[8]",
                                                           "store weak ptr[8] f32[8]",
                                                           "load weak ptr -> f32",
                                                           "store weak ptr f32"});
}

TEST_CASE("arrays are pointers, and know const", "[api][operands]") {
  int a[8] = {};
  const int c[8] = {};
  const i32 i{};
  static_assert(std::is_same_v<decltype(a + i), ct::tile<int*, ct::shape<8>>>);
  static_assert(std::is_same_v<decltype(i + c), ct::tile<const int*, ct::shape<8>>>);
  static_assert(std::is_same_v<decltype(ct::load(c)), int>);
  static_assert(ct::storeable_tile<decltype(a + i)> && !ct::storeable_tile<decltype(c + i)>);
  CHECK(calls([&] { ct::store(a, ct::load(c)); }) ==
        lines{"load weak ptr -> i32", "store weak ptr i32"});
}

TEST_CASE("cv scalars are values", "[api][operands]") {
  volatile int v = 3;
  const int c = 4;
  const i32 i{};
  CHECK(calls([&] {
          static_cast<void>(i + v);
          static_cast<void>(c * i);
        }) == lines{"addi nsw i32[8] i32 -> i32[8]", "muli nsw i32 i32[8] -> i32[8]"});
}
