// Which NaN an operation gives: results as bits, over operands of which one is a NaN or the result
// is. The reference leaves patterns open, and recordings make every NaN one pattern; here they are
// integers. SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"

using namespace gpu_test;

template <class T>
using bits_of = std::conditional_t<
    sizeof(T) == 1,
    std::uint8_t,
    std::conditional_t<sizeof(T) == 2,
                       std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

// The bits of the result; `T` is the element type of the result.
#define NAN_UNARY(name, T, ...)                                                                    \
  struct name {                                                                                    \
    static std::string text() { return "bits of " #name; }                                         \
    template <class A>                                                                             \
    __tile__ static auto apply(A a) -> ct::tile_with_element_t<A, bits_of<T>> {                    \
      return ct::element_bitcast<bits_of<T>>(__VA_ARGS__);                                         \
    }                                                                                              \
  };
#define NAN_BINARY(name, ...)                                                                      \
  struct name {                                                                                    \
    static std::string text() { return "bits of " #name; }                                         \
    template <class A, class B>                                                                    \
    __tile__ static auto apply(A a, B b)                                                           \
        -> ct::tile_with_element_t<A, bits_of<ct::tile_element_t<A>>> {                            \
      return ct::element_bitcast<bits_of<ct::tile_element_t<A>>>(__VA_ARGS__);                     \
    }                                                                                              \
  };
#define NAN_TERNARY(name, ...)                                                                     \
  struct name {                                                                                    \
    static std::string text() { return "bits of " #name; }                                         \
    template <class A, class B, class C>                                                           \
    __tile__ static auto apply(A a, B b, C c)                                                      \
        -> ct::tile_with_element_t<A, bits_of<ct::tile_element_t<A>>> {                            \
      return ct::element_bitcast<bits_of<ct::tile_element_t<A>>>(__VA_ARGS__);                     \
    }                                                                                              \
  };
namespace op {
NAN_UNARY(negated, ct::tile_element_t<A>, -a)
NAN_UNARY(abs, ct::tile_element_t<A>, ct::abs(a))
NAN_UNARY(to_half, __half, ct::element_cast<__half>(a))
NAN_UNARY(to_bf16, __nv_bfloat16, ct::element_cast<__nv_bfloat16>(a))
NAN_UNARY(to_float, float, ct::element_cast<float>(a))
NAN_UNARY(to_double, double, ct::element_cast<double>(a))
NAN_UNARY(to_e4m3, __nv_fp8_e4m3, ct::element_cast<__nv_fp8_e4m3>(a))
NAN_UNARY(to_e5m2, __nv_fp8_e5m2, ct::element_cast<__nv_fp8_e5m2>(a))
NAN_BINARY(add, a + b)
NAN_BINARY(sub, a - b)
NAN_BINARY(mul, a* b)
NAN_BINARY(div, a / b)
NAN_BINARY(remainder, ct::remainder(a, b))
NAN_BINARY(max, ct::max(a, b))
NAN_BINARY(min, ct::min(a, b))
NAN_BINARY(max_propagating, ct::max(a, b, ct::propagate_nan_t{}))
NAN_BINARY(min_propagating, ct::min(a, b, ct::propagate_nan_t{}))
NAN_TERNARY(fma, ct::fma(a, b, c))
} // namespace op

/// NaNs of many payloads, and infinities and zeros, which make new ones.
template <class T>
std::vector<bits> patterns(bits seed) {
  constexpr format f = element<T>::layout;
  operands::generator next(seed);
  std::vector<bits> made;
  while (made.size() < 1024) {
    const bits x = next() & f.mask();
    const bits kind = next() % 4;
    made.push_back(kind < 2    ? x | (f.top() << f.fraction)
                   : kind == 2 ? x & ~((bits{1} << f.fraction) - 1) | (f.top() << f.fraction)
                               : x & (bits{1} << (f.width - 1)));
  }
  return made;
}

template <class T, class... Op>
void run_unary(list<Op...>) {
  const arrays values{patterns<T>(7)};
  (launch<Op, form::tile, T>(
       Op::text() + ", " + element<T>::name, values, std::index_sequence<0>{}),
   ...);
}
template <class T, class... Op>
void run_binary(list<Op...>) {
  const arrays values{patterns<T>(7), patterns<T>(8)};
  (launch<Op, form::tile, T, T>(
       Op::text() + ", " + element<T>::name, values, std::index_sequence<0, 1>{}),
   ...);
}

template <class T>
void run_fma() {
  const arrays values{patterns<T>(7), patterns<T>(8), patterns<T>(9)};
  launch<op::fma, form::tile, T, T, T>(
      op::fma::text() + ", " + element<T>::name, values, std::make_index_sequence<3>{});
}

int main() {
  using casts =
      list<op::to_half, op::to_bf16, op::to_float, op::to_double, op::to_e4m3, op::to_e5m2>;
  for_each(floats{}, []<class T>() {
    run_unary<T>(list<op::negated, op::abs>{});
    run_unary<T>(casts{});
    run_binary<T>(list<op::add,
                       op::sub,
                       op::mul,
                       op::div,
                       op::remainder,
                       op::max,
                       op::min,
                       op::max_propagating,
                       op::min_propagating>{});
    run_fma<T>();
  });
  for_each(small_floats{}, []<class T>() { run_unary<T>(casts{}); });
  return done();
}
