// What is unspecified where a mask is false: the result of a load without padding, and the old value
// of an atomic operation. All places hold other values than zero.
// SPDX-License-Identifier: Apache-2.0
#include "memory_operations.hpp"

using namespace gpu_test;

namespace {

namespace call {

struct load_masked {
  static std::string text() { return "load_masked"; }
  template <class P, class V, class M>
  __tile__ static auto apply(P p, V, M m) {
    return ct::load_masked(p, m);
  }
};
struct atomic_load_masked {
  static std::string text() { return "atomic_load_masked"; }
  template <class P, class V, class M>
  __tile__ static auto apply(P p, V, M m) {
    return ct::atomic_load_masked<ct::memory_order::relaxed>(p, m);
  }
};
#define RMW(name)                                                                                  \
  struct name {                                                                                    \
    static std::string text() { return #name; }                                                    \
    template <class P, class V, class M>                                                           \
    __tile__ static auto apply(P p, V v, M m) {                                                    \
      return ct::name##_masked<ct::memory_order::relaxed>(p, v, m);                                \
    }                                                                                              \
  };
RMW(atomic_add)
RMW(atomic_sub)
RMW(atomic_and)
RMW(atomic_or)
RMW(atomic_xor)
RMW(atomic_max)
RMW(atomic_min)
RMW(atomic_xchg)

} // namespace call

/// Some masked out, then all.
template <class Form, class T>
__tile_global__ void partly(T* out, T* memory, const T* value, const bool* mask) {
  const int b = static_cast<int>(ct::bid().x);
  const auto i = places(b);
  auto m = ct::load(mask + i);
  ct::store(out + i, Form::apply(memory + i, ct::load(value + i), m && b < 3));
}

template <class T, class... Form>
void run_forms(list<Form...>) {
  constexpr format f = element<T>::layout;
  const bool is_bool = f.width == 1;
  const device_array<T> value(whole_numbers(f, size, 1, is_bool ? 1 : 3, 90));
  const device_array<bool> mask(any_mask());
  (
      [&] {
        const device_array<T> out(size), memory(whole_numbers(f, size, 1, is_bool ? 1 : 9, 91));
        partly<Form, T><<<4, 1>>>(out.data(), memory.data(), value.data(), mask.data());
        finish(Form::text() + ", " + element<T>::name, out);
      }(),
      ...);
}

} // namespace

int main() {
  for_each(and_numbers<bool, __nv_fp8_e4m3, __half, __nv_bfloat16, float, double>{}, []<class T>() {
    run_forms<T>(list<call::load_masked, call::atomic_load_masked>{});
  });
  for_each(list<std::int32_t, std::uint64_t>{}, []<class T>() {
    run_forms<T>(list<call::atomic_and, call::atomic_or, call::atomic_xor, call::atomic_max, call::atomic_min>{});
  });
  for_each(list<std::int32_t, std::uint64_t, __half, __nv_bfloat16, float, double>{},
           []<class T>() { run_forms<T>(list<call::atomic_add, call::atomic_sub>{}); });
  for_each(list<std::int32_t, std::uint64_t, float, double>{},
           []<class T>() { run_forms<T>(list<call::atomic_xchg>{}); });
  return done();
}
