// Conversions as operations: element_cast and element_bitcast over one operand.
//
// NVIDIA's compiler 13.4.92 stops with an internal error at 8-bit floats and tf32 that become bool,
// and at tf32 reinterpreted: those are left out. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arithmetic.hpp"

namespace gpu_test {

template <class To>
struct cast {
  template <class A>
  __tile__ static auto apply(A a) -> decltype(ct::element_cast<To>(a)) {
    return ct::element_cast<To>(a);
  }
};
template <class To>
struct reinterpretation {
  template <class A>
  __tile__ static auto apply(A a) -> decltype(ct::element_bitcast<To>(a)) {
    return ct::element_bitcast<To>(a);
  }
};

/// Converts From to To: values that the reference defines, or all. Only a float that leaves the
/// integers of To is not defined; such a one becomes 1.
template <which Which, class From, class To>
void convert() {
  constexpr format from = element<From>::layout;
  constexpr format to = element<To>::layout;
  constexpr bool to_integer = from.is_float() && !to.is_float() && to.width > 1;
  if (Which == which::all && !to_integer) {
    return;
  }
  arrays values = operands::to_convert(from, to, 8192);
  for (bits& x : values[0]) {
    if (to_integer && Which == which::defined && !operands::truncates_to(from, x, to)) {
      x = from.bias() << from.fraction;
    }
  }
  const std::string label =
      std::string("cast, ") + element<From>::name + " to " + element<To>::name;
  launch<cast<To>, form::tile, From>(label, values, std::index_sequence<0>{});
}

template <which Which, class... From, class To>
void cast_all(list<From...>, To targets) {
  for_each(list<From...>{},
           [&]<class F>() { for_each(targets, []<class T>() { convert<Which, F, T>(); }); });
}

template <class From, class To>
void bitcast() {
  launch<reinterpretation<To>, form::tile, From>(std::string("bitcast, ") + element<From>::name +
                                                     " to " + element<To>::name,
                                                 operands::singles(element<From>::layout, 1024),
                                                 std::index_sequence<0>{});
}

/// Between all types of one size, itself included.
template <class... T>
void bitcast_all(list<T...> types) {
  for_each(types, [&]<class From>() { for_each(types, []<class To>() { bitcast<From, To>(); }); });
}

} // namespace gpu_test
