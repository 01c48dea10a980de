// Conversions to and from tf32, whose precision the reference leaves open ("10 or more" bits).
//
// The hardware rounds to 10 bits, integers and double by way of float.
// SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"
#include "casts.hpp"

using namespace gpu_test;

/// Operands near values that lie halfway between two of 10 fraction bits.
template <class From>
void near_ties() {
  constexpr format from = element<From>::layout;
  constexpr format ten_bits{19, true, 8, 10};
  operands::generator next(6);
  arrays values(1);
  while (values[0].size() < 4096) {
    operands::append(values, {operands::near_tie(from, ten_bits, next)});
  }
  launch<cast<__nv_tf32>, form::tile, From>(std::string("cast, ") + element<From>::name +
                                                " to tf32, near ties",
                                            values,
                                            std::index_sequence<0>{});
}

int main() {
  cast_all<which::defined>(list<__nv_tf32>{}, numbers{});
  cast_all<which::defined>(list<__nv_tf32>{}, floats{});
  cast_all<which::defined>(list<__nv_tf32>{}, small_floats{});
  cast_all<which::defined>(integers{}, list<__nv_tf32>{});
  cast_all<which::defined>(floats{}, list<__nv_tf32>{});
  cast_all<which::defined>(small_floats{}, list<__nv_tf32>{});
  for_each(
      list<std::int16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>{},
      []<class From>() { near_ties<From>(); });
  return done();
}
