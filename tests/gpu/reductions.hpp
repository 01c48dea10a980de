// Reductions and scans along a dimension as operations. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shaped.hpp"

namespace gpu_test {

#define ALONG(name, ...)                                                                           \
  template <int D>                                                                                 \
  struct name {                                                                                    \
    static std::string text() { return #name " along " + std::to_string(D); }                      \
    template <class A>                                                                             \
    __tile__ static auto apply(A a) -> decltype(__VA_ARGS__) {                                     \
      return __VA_ARGS__;                                                                          \
    }                                                                                              \
  };
namespace op {
ALONG(sum, ct::sum<D>(a))
ALONG(prod, ct::prod<D>(a))
ALONG(partial_sum, ct::partial_sum<D>(a))
ALONG(partial_prod, ct::partial_prod<D>(a))
ALONG(partial_sum_backward, ct::partial_sum<D, ct::scan_direction::backward>(a))
ALONG(partial_prod_backward, ct::partial_prod<D, ct::scan_direction::backward>(a))
} // namespace op

/// Runs Op along dimension D on tiles of shape S.
template <template <int> class Op, int D, class S, class T>
void run_along(const std::vector<bits>& values) {
  run_on_tiles<Op<D>, S, T>(Op<D>::text() + ", " + element<T>::name + " " + shape_text<S>::text(),
                            values);
}

/// Numbers to add up or to multiply: of all the bits of the format, of either sign.
template <class T>
std::vector<bits> to_sum() {
  return numbers_between(element<T>::layout, 4096, -4, 1, false, 30);
}
template <class T>
std::vector<bits> to_multiply() {
  return numbers_between(element<T>::layout, 4096, -1, 1, false, 31);
}

} // namespace gpu_test
