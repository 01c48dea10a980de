// Runs operations of `__global__` kernels over arrays of operands, a thread for each element, and
// copies the results to the host. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../arithmetic.hpp"

namespace gpu_test {

// An intrinsic: what it gives, what it takes, and the call itself. (The compiler knows most of them
// in device code alone.)
#define THREAD_UNARY(name, R, A, ...)                                                              \
  struct name {                                                                                    \
    static std::string text() { return #name; }                                                    \
    __device__ static R apply(A a) { return __VA_ARGS__; }                                         \
  };
#define THREAD_BINARY(name, R, A, B, ...)                                                          \
  struct name {                                                                                    \
    static std::string text() { return #name; }                                                    \
    __device__ static R apply(A a, B b) { return __VA_ARGS__; }                                    \
  };
#define THREAD_TERNARY(name, R, A, B, C, ...)                                                      \
  struct name {                                                                                    \
    static std::string text() { return #name; }                                                    \
    __device__ static R apply(A a, B b, C c) { return __VA_ARGS__; }                               \
  };

template <class Op, class R, class... A>
__global__ void each_thread(R* results, std::size_t count, const A*... operands) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < count) {
    results[i] = Op::apply(operands[i]...);
  }
}

/// Runs one operation on these operands, and copies the results.
template <class Op, class R, class... A, std::size_t... K>
void run_threads(R (*)(A...),
                 const std::string& label,
                 const arrays& values,
                 std::index_sequence<K...>) {
  const std::size_t count = values[0].size();
  const std::tuple<device_array<A>...> operand(values[K]...);
  const device_array<R> results(count);
  each_thread<Op, R, A...><<<static_cast<unsigned>((count + 127) / 128), 128>>>(
      results.data(), count, std::get<K>(operand).data()...);
  check(cudaGetLastError(), label.c_str());
  results.retrieve(label);
  ++operations;
}

/// Special operands and random ones, for a call of so many of type T.
template <class T, int Operands>
arrays thread_operands() {
  constexpr format f = element<T>::layout;
  if constexpr (Operands == 1) {
    return operands::singles(f, 4096);
  } else if constexpr (Operands == 2) {
    return operands::pairs(f, 8192);
  } else if constexpr (f.is_float()) {
    return operands::triples(f, 8192);
  } else {
    arrays values = operands::pairs(f, 4096);
    values.push_back(operands::singles(f, 4096)[0]);
    return values;
  }
}

template <class Op, class R, class First, class... Rest>
void run_special(R (*call)(First, Rest...)) {
  run_threads<Op>(call,
                  Op::text() + ", " + element<First>::name,
                  thread_operands<First, 1 + sizeof...(Rest)>(),
                  std::make_index_sequence<1 + sizeof...(Rest)>{});
}

/// Every operation of a list, on operands of its own types.
template <class... Op>
void run_each(list<Op...>) {
  (run_special<Op>(&Op::apply), ...);
}

} // namespace gpu_test
