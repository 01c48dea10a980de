// Reductions and scans whose result is the same in every order: integers, extrema, bits, indices, and
// floating-point sums of small whole numbers. SPDX-License-Identifier: Apache-2.0
#include "reductions.hpp"

using namespace gpu_test;

namespace gpu_test::op {
ALONG(reduce_max, ct::reduce_max<D>(a))
ALONG(reduce_min, ct::reduce_min<D>(a))
ALONG(reduce_max_nan, ct::reduce_max(a, ct::integral_constant<D>{}, ct::propagate_nan_t{}))
ALONG(reduce_min_nan, ct::reduce_min(a, ct::integral_constant<D>{}, ct::propagate_nan_t{}))
ALONG(reduce_bitand, ct::reduce_bitand<D>(a))
ALONG(reduce_bitor, ct::reduce_bitor<D>(a))
ALONG(reduce_bitxor, ct::reduce_bitxor<D>(a))
ALONG(max_element, ct::max_element<D>(a))
ALONG(min_element, ct::min_element<D>(a))
ALONG(all_of, ct::all_of<D>(a))
ALONG(any_of, ct::any_of<D>(a))
} // namespace gpu_test::op

/// Whole numbers of which no sum of 1024 leaves the type; of bool and unsigned types, any.
template <class T>
std::vector<bits> summands() {
  constexpr format f = element<T>::layout;
  if (!f.is_float() && !f.is_signed) {
    return operands::singles(f, 4096)[0];
  }
  // Of 8 bits, 127 / 1024 is 0: mostly zeros then, at most 64 ones of each sign in 1024.
  std::vector<bits> made = whole_numbers(f, 4096, -1, 1, 20);
  if (f.width == 8 || f.fraction == 7) {
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i] = i % 16 == (i / 64) % 16 ? made[i] : 0;
    }
  } else if (f.fraction > 10 || f.width > 16) {
    made = whole_numbers(f, 4096, -1000, 1000, 21);
  }
  return made;
}

/// Factors of which no product of 1024 leaves the type: ones of both signs, few twos, few zeros.
template <class T>
std::vector<bits> factors() {
  constexpr format f = element<T>::layout;
  if (!f.is_float() && !f.is_signed) {
    return operands::singles(f, 4096)[0];
  }
  std::vector<bits> made(4096);
  operands::generator next(22);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const int sign = next() % 2 == 0 ? 1 : -1;
    made[i] = whole(f, i % 1024 == 700 ? 0 : i % 256 == 70 ? 2 * sign : sign);
  }
  return made;
}

/// Any elements; of floats without NaN, or with.
template <class T>
std::vector<bits> anything(bool nan) {
  constexpr format f = element<T>::layout;
  std::vector<bits> made = operands::singles(f, 4096)[0];
  for (std::size_t i = 0; f.is_float() && i < made.size(); ++i) {
    const bool is_nan = (made[i] & (f.mask() >> 1)) > f.top() << f.fraction;
    if (is_nan && (!nan || i % 3 == 0)) {
      made[i] = whole(f, static_cast<int>(i % 7));
    }
  }
  return made;
}

template <class T, class S, int D>
void every_reduction() {
  constexpr format f = element<T>::layout;
  run_along<op::sum, D, S, T>(summands<T>());
  run_along<op::prod, D, S, T>(factors<T>());
  run_along<op::partial_sum, D, S, T>(summands<T>());
  run_along<op::partial_prod, D, S, T>(factors<T>());
  run_along<op::partial_sum_backward, D, S, T>(summands<T>());
  run_along<op::partial_prod_backward, D, S, T>(factors<T>());
  run_along<op::reduce_max, D, S, T>(anything<T>(true));
  run_along<op::reduce_min, D, S, T>(anything<T>(true));
  run_along<op::max_element, D, S, T>(anything<T>(false));
  run_along<op::min_element, D, S, T>(anything<T>(false));
  run_along<op::all_of, D, S, T>(anything<T>(true));
  run_along<op::any_of, D, S, T>(anything<T>(true));
  if constexpr (f.is_float()) {
    run_along<op::reduce_max_nan, D, S, T>(anything<T>(true));
    run_along<op::reduce_min_nan, D, S, T>(anything<T>(true));
  } else {
    run_along<op::reduce_bitand, D, S, T>(anything<T>(true));
    run_along<op::reduce_bitor, D, S, T>(anything<T>(true));
    run_along<op::reduce_bitxor, D, S, T>(anything<T>(true));
  }
}

int main() {
  for_each(list<bool, std::int8_t, std::uint8_t, std::int32_t, std::uint32_t, __half, float>{},
           []<class T>() {
             every_reduction<T, shape<1024>, 0>();
             every_reduction<T, shape<8, 16>, 0>();
           });
  for_each(list<std::int16_t, std::uint16_t, std::int64_t, std::uint64_t, __nv_bfloat16, double>{},
           []<class T>() { every_reduction<T, shape<4, 32>, 1>(); });
  every_reduction<std::int32_t, shape<4, 2, 8>, 1>();
  return done();
}
