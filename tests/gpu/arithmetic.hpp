// Runs operations of `cuda::tiles` over arrays of operands and copies the results to the host.
//
// One kernel an operation and type: the tile form over blocks of `block` elements, and the scalar
// form, element by element. What comes back is for the recorder (tilesim gpu build): the
// program itself prints nothing but the number of operations. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operands.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ct = ::cuda::tiles;

namespace gpu_test {

using operands::arrays;
using operands::bits;
using operands::demand;
using operands::format;

// ---------------------------------------------------------------------------- element types

template <class... T>
struct list {};

template <class T>
struct element; // name and format
#define ELEMENT(type, text, ...)                                                                   \
  template <>                                                                                      \
  struct element<type> {                                                                           \
    static constexpr const char* name = text;                                                      \
    static constexpr format layout{__VA_ARGS__};                                                   \
  };
ELEMENT(bool, "bool", 1)
ELEMENT(std::int8_t, "int8", 8, true)
ELEMENT(std::uint8_t, "uint8", 8)
ELEMENT(std::int16_t, "int16", 16, true)
ELEMENT(std::uint16_t, "uint16", 16)
ELEMENT(std::int32_t, "int32", 32, true)
ELEMENT(std::uint32_t, "uint32", 32)
ELEMENT(std::int64_t, "int64", 64, true)
ELEMENT(std::uint64_t, "uint64", 64)
ELEMENT(__nv_fp8_e4m3, "e4m3", 8, true, 4, 3, false)
ELEMENT(__nv_fp8_e5m2, "e5m2", 8, true, 5, 2)
ELEMENT(__half, "half", 16, true, 5, 10)
ELEMENT(__nv_bfloat16, "bf16", 16, true, 8, 7)
ELEMENT(__nv_tf32, "tf32", 32, true, 8, 23)
ELEMENT(float, "float", 32, true, 8, 23)
ELEMENT(double, "double", 64, true, 11, 52)
#undef ELEMENT

template <class... First>
using and_numbers = list<First...,
                         std::int8_t,
                         std::uint8_t,
                         std::int16_t,
                         std::uint16_t,
                         std::int32_t,
                         std::uint32_t,
                         std::int64_t,
                         std::uint64_t>;
using numbers = and_numbers<>;
using integers = and_numbers<bool>;
using floats = list<__half, __nv_bfloat16, float, double>;
using small_floats = list<__nv_fp8_e4m3, __nv_fp8_e5m2>;

// ------------------------------------------------------------------------------- operations

// An operation has a text, what it demands of its operands, and apply, the call itself.
#define UNARY(name, needs, ...)                                                                    \
  struct name {                                                                                    \
    static std::string text() { return #name; }                                                    \
    static constexpr demand demands = demand::needs;                                               \
    template <class A>                                                                             \
    __tile__ static auto apply(A a) -> decltype(__VA_ARGS__) {                                     \
      return __VA_ARGS__;                                                                          \
    }                                                                                              \
  };
#define BINARY(name, needs, ...)                                                                   \
  struct name {                                                                                    \
    static std::string text() { return #name; }                                                    \
    static constexpr demand demands = demand::needs;                                               \
    template <class A, class B>                                                                    \
    __tile__ static auto apply(A a, B b) -> decltype(__VA_ARGS__) {                                \
      return __VA_ARGS__;                                                                          \
    }                                                                                              \
  };
// … with a mode M and a subnormals mode S, both as the tags that the call takes.
#define BINARY_MODAL(name, needs, ...)                                                             \
  template <class M, class S>                                                                      \
  struct name {                                                                                    \
    static std::string text() { return #name " " + mode_text<M>() + mode_text<S>(); }              \
    static constexpr demand demands = demand::needs;                                               \
    template <class A, class B>                                                                    \
    __tile__ static auto apply(A a, B b) -> decltype(__VA_ARGS__) {                                \
      return __VA_ARGS__;                                                                          \
    }                                                                                              \
  };
#define TERNARY_MODAL(name, ...)                                                                   \
  template <class M, class S>                                                                      \
  struct name {                                                                                    \
    static std::string text() { return #name " " + mode_text<M>() + mode_text<S>(); }              \
    static constexpr demand demands = demand::nothing;                                             \
    template <class A, class B, class C>                                                           \
    __tile__ static auto apply(A a, B b, C c) -> decltype(__VA_ARGS__) {                           \
      return __VA_ARGS__;                                                                          \
    }                                                                                              \
  };

template <class M>
std::string mode_text();
#define MODE(tag, text)                                                                            \
  template <>                                                                                      \
  inline std::string mode_text<ct::tag>() {                                                        \
    return text;                                                                                   \
  }
MODE(round_ties_to_even_t, "ties_to_even")
MODE(round_toward_zero_t, "toward_zero")
MODE(round_toward_negative_t, "toward_negative")
MODE(round_toward_positive_t, "toward_positive")
MODE(round_approximate_t, "approximate")
MODE(round_full_t, "full")
MODE(suppress_nan_t, "suppress_nan")
MODE(propagate_nan_t, "propagate_nan")
MODE(preserve_subnormals_t, "")
MODE(round_subnormals_to_zero_t, " flush")
#undef MODE

// ---------------------------------------------------------------------------------- kernels

constexpr int block = 256;

/// The tile form: block x computes elements 256 x and following.
template <class Op, class R, class... A>
__tile_global__ void tile_form(R* result, const A*... operand) {
  const auto i =
      ct::iota<ct::tile<int, ct::shape<block>>>() + static_cast<int>(ct::bid().x) * block;
  ct::store(result + i, Op::apply(ct::load(operand + i)...));
}

/// The scalar form, for the same elements.
template <class Op, class R, class... A>
__tile_global__ void scalar_form(R* result, const A*... operand) {
  for (int k = 0; k < block; ++k) {
    const int i = static_cast<int>(ct::bid().x) * block + k;
    ct::store(result + i, static_cast<R>(Op::apply(ct::load(operand + i)...)));
  }
}

template <class T>
using tile_of = ct::tile<T, ct::shape<block>>;
template <class Op, class... A>
using result_of = typename decltype(Op::apply(std::declval<tile_of<A>>()...))::element_type;

// ------------------------------------------------------------------------------------- host

inline void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(1);
  }
}

/// An array on the device, freed with its owner.
template <class T>
class device_array {
public:
  explicit device_array(std::size_t count)
      : count_(count) {
    check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
    check(cudaMemset(data_, 0, count * sizeof(T)), "cudaMemset");
  }
  explicit device_array(const std::vector<bits>& values)
      : device_array(values.size()) {
    std::vector<unsigned char> bytes(values.size() * sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::memcpy(&bytes[i * sizeof(T)], &values[i], sizeof(T));
    }
    check(cudaMemcpy(data_, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  ~device_array() { cudaFree(data_); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  T* data() const { return data_; }
  std::size_t count() const { return count_; }

  /// Copies it to the host; `label` is said where that fails.
  void retrieve(const std::string& label) const {
    std::vector<unsigned char> bytes(count_ * sizeof(T));
    check(
        cudaMemcpy(reinterpret_cast<T*>(bytes.data()), data_, bytes.size(), cudaMemcpyDeviceToHost),
        label.c_str());
  }

private:
  std::size_t count_;
  T* data_ = nullptr;
};

inline int operations = 0; ///< how many were run

enum class form { tile, scalar };

/// Runs one operation on these operands, and copies the results. The scalar form takes the first
/// 1024 elements: a sample, since they are shuffled.
template <class Op, form Form, class... A, std::size_t... K>
void launch(const std::string& label, const arrays& values, std::index_sequence<K...>) {
  using R = result_of<Op, A...>;
  const std::size_t count = Form == form::tile ? values[0].size() : 1024;
  const std::tuple<device_array<A>...> operand(values[K]...);
  const device_array<R> result(count);
  const unsigned blocks = static_cast<unsigned>(count / block);
  if constexpr (Form == form::tile) {
    tile_form<Op, R, A...><<<blocks, 1>>>(result.data(), std::get<K>(operand).data()...);
  } else {
    scalar_form<Op, R, A...><<<blocks, 1>>>(result.data(), std::get<K>(operand).data()...);
  }
  check(cudaGetLastError(), label.c_str());
  result.retrieve(label);
  ++operations;
}

/// The label of a copy: operation and mode, operand type, form.
template <class Op, form Form, class T>
std::string label_of() {
  return Op::text() + ", " + element<T>::name + (Form == form::scalar ? ", scalar" : "");
}

enum class which { defined, all }; ///< operands: those that the reference defines, or all

/// Runs an operation of `Operands` operands of type T.
template <class Op, form Form, class T, int Operands>
void run(which w) {
  constexpr format f = element<T>::layout;
  constexpr std::size_t count = f.is_float() ? 8192 : 4096;
  arrays values = Operands == 1   ? operands::singles(f, count)
                  : Operands == 2 ? operands::pairs(f, count)
                                  : operands::triples(f, count);
  if (w == which::defined) {
    operands::make_defined(Op::demands, f, values);
  }
  if constexpr (Operands == 1) {
    launch<Op, Form, T>(label_of<Op, Form, T>(), values, std::index_sequence<0>{});
  } else if constexpr (Operands == 2) {
    launch<Op, Form, T, T>(label_of<Op, Form, T>(), values, std::index_sequence<0, 1>{});
  } else {
    launch<Op, Form, T, T, T>(label_of<Op, Form, T>(), values, std::index_sequence<0, 1, 2>{});
  }
}

/// Runs every operation of a list on one type.
template <class T, int Operands, form Form, class... Op>
void run_all(list<Op...>, which w = which::defined) {
  (run<Op, Form, T, Operands>(w), ...);
}

/// Calls action.operator()<T>() for every type of a list.
template <class... T, class Action>
void for_each(list<T...>, Action action) {
  (action.template operator()<T>(), ...);
}

/// How a program ends: it says what it did.
inline int done() {
  std::printf("%d operations\n", operations);
  return 0;
}

} // namespace gpu_test
