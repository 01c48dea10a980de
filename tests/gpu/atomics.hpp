// Atomic read-modify-writes, one an address: the old values and the memory after.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arithmetic.hpp"

namespace gpu_test {

#define ATOMIC(name, needs)                                                                        \
  struct name {                                                                                    \
    static std::string text() { return #name; }                                                    \
    static constexpr demand demands = demand::needs;                                               \
    template <class P, class V>                                                                    \
    __tile__ static auto apply(P p, V v) {                                                         \
      return ct::name<ct::memory_order::relaxed>(p, v);                                            \
    }                                                                                              \
  };
namespace op {
ATOMIC(atomic_add, sum)
ATOMIC(atomic_sub, plus_minus)
ATOMIC(atomic_and, nothing)
ATOMIC(atomic_or, nothing)
ATOMIC(atomic_xor, nothing)
ATOMIC(atomic_max, nothing)
ATOMIC(atomic_min, nothing)
ATOMIC(atomic_xchg, nothing)
} // namespace op

template <class Op, class T>
__tile_global__ void update(T* old, T* memory, const T* value) {
  const auto i =
      ct::iota<ct::tile<int, ct::shape<block>>>() + static_cast<int>(ct::bid().x) * block;
  ct::store(old + i, Op::apply(memory + i, ct::load(value + i)));
}

template <class T, class Op>
void run_atomic(which w) {
  constexpr format f = element<T>::layout;
  arrays values = operands::pairs(f, f.is_float() ? 8192 : 4096);
  if (w == which::defined) {
    operands::make_defined(Op::demands, f, values);
  }
  const device_array<T> memory(values[0]);
  const device_array<T> value(values[1]);
  const device_array<T> old(values[0].size());
  update<Op, T><<<static_cast<unsigned>(values[0].size() / block), 1>>>(
      old.data(), memory.data(), value.data());
  const std::string label = Op::text() + ", " + element<T>::name;
  check(cudaGetLastError(), label.c_str());
  old.retrieve(label + ", old value");
  memory.retrieve(label + ", new value");
  ++operations;
}

template <class T, class... Op>
void run_atomics(list<Op...>, which w = which::defined) {
  (run_atomic<T, Op>(w), ...);
}

} // namespace gpu_test
