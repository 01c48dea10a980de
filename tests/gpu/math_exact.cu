// Math functions with one right result: sqrt in every precise mode, ceil, floor, exp2 of whole numbers.
// SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"

using namespace gpu_test;

#define UNARY_MODAL(name, ...)                                                                     \
  template <class M, class S>                                                                      \
  struct name {                                                                                    \
    static std::string text() { return #name " " + mode_text<M>() + mode_text<S>(); }              \
    static constexpr demand demands = demand::nothing;                                             \
    template <class A>                                                                             \
    __tile__ static auto apply(A a) -> decltype(__VA_ARGS__) {                                     \
      return __VA_ARGS__;                                                                          \
    }                                                                                              \
  };
namespace op {
UNARY(ceil, nothing, ct::ceil(a))
UNARY(floor, nothing, ct::floor(a))
UNARY(sqrt, nothing, ct::sqrt(a))
UNARY(isnan, nothing, ct::isnan(a))
UNARY(isinf, nothing, ct::isinf(a))
UNARY_MODAL(sqrt_modal, ct::sqrt(a, M{}, S{}))
} // namespace op

int main() {
  using keep = ct::preserve_subnormals_t;
  using flush = ct::round_subnormals_to_zero_t;
  using modes = list<ct::round_ties_to_even_t,
                     ct::round_toward_zero_t,
                     ct::round_toward_negative_t,
                     ct::round_toward_positive_t>;
  for_each(floats{}, []<class T>() {
    using plain = list<op::ceil, op::floor, op::sqrt, op::isnan, op::isinf>;
    run_all<T, 1, form::tile>(plain{});
    run_all<T, 1, form::scalar>(plain{});
    for_each(modes{}, []<class M>() {
      run_all<T, 1, form::tile>(list<op::sqrt_modal<M, keep>>{});
      if constexpr (std::is_same_v<T, float>) {
        run_all<T, 1, form::tile>(list<op::sqrt_modal<M, flush>>{});
      }
    });
  });
  return done();
}
