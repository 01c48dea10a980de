// Tiles of a given shape in and out of memory, and operands for operations on whole tiles.
//
// Block b of a kernel takes the b-th tile of each array. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arithmetic.hpp"

namespace gpu_test {

using namespace ct::literals;

template <int... N>
using shape = ct::shape<static_cast<std::size_t>(N)...>;

/// "16x32".
template <class S>
struct shape_text;
template <std::size_t... N>
struct shape_text<ct::shape<N...>> {
  static std::string text() {
    std::string t;
    ((t += (t.empty() ? "" : "x") + std::to_string(N)), ...);
    return t;
  }
  static constexpr int size = (1 * ... * static_cast<int>(N));
};

/// The b-th tile of shape S of an array.
template <class S, class T>
__tile__ auto load_tile(const T* from, int b) {
  return ct::load(from + (ct::iota<ct::tile<int, S>>() + b * shape_text<S>::size));
}

/// The place of the b-th tile of R's shape in an array.
template <class R, class T>
__tile__ auto place_of_tile(T* to, int b) {
  using index = ct::tile_with_element_t<R, int>;
  return to + (ct::iota<index>() + b * shape_text<ct::tile_shape_t<R>>::size);
}

template <class Op, class S, class R, class A>
__tile_global__ void on_one(R* result, const A* a) {
  const int b = static_cast<int>(ct::bid().x);
  auto r = Op::apply(load_tile<S>(a, b));
  ct::store(place_of_tile<decltype(r)>(result, b), r);
}

/// Runs Op on `blocks` tiles of shape S, one after the other in the array.
template <class Op, class S, class T>
void run_on_tiles(const std::string& label, const std::vector<bits>& values) {
  using result_tile = decltype(Op::apply(std::declval<ct::tile<T, S>>()));
  using R = ct::tile_element_t<result_tile>;
  constexpr std::size_t size = shape_text<S>::size;
  const std::size_t blocks = values.size() / size;
  const device_array<T> in(values);
  const device_array<R> out(blocks * shape_text<ct::tile_shape_t<result_tile>>::size);
  on_one<Op, S, R, T><<<static_cast<unsigned>(blocks), 1>>>(out.data(), in.data());
  check(cudaGetLastError(), label.c_str());
  out.retrieve(label);
  ++operations;
}

// -------------------------------------------------------------------------------------- operands

/// The pattern of a small whole number in a format.
inline bits whole(const format& f, int n) {
  return f.is_float() ? operands::pattern_of(f, n < 0, static_cast<bits>(n < 0 ? -n : n), 0)
                      : static_cast<bits>(n) & f.mask();
}

/// Whole numbers from least to most.
inline std::vector<bits>
whole_numbers(const format& f, std::size_t count, int least, int most, bits seed) {
  operands::generator next(seed);
  std::vector<bits> made(count);
  for (bits& x : made) {
    x = whole(f, least + static_cast<int>(next() % static_cast<bits>(most - least + 1)));
  }
  return made;
}

using operands::numbers_between;

} // namespace gpu_test
