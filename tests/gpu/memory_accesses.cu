// Loads and stores through tiles of pointers: masks, paddings, conversions of values and masks, orders
// and scopes. Recorded as bits: NaNs keep theirs. SPDX-License-Identifier: Apache-2.0
#include "memory_operations.hpp"

using namespace gpu_test;

namespace {

namespace call {

struct load {
  static std::string text() { return "load"; }
  template <class P, class M, class T>
  __tile__ static auto apply(P p, M, T) {
    return ct::load(p);
  }
};
struct load_masked {
  static std::string text() { return "load_masked with padding"; }
  template <class P, class M, class T>
  __tile__ static auto apply(P p, M m, T padding) {
    return ct::load_masked(p, m, padding);
  }
};
struct load_masked_selected {
  static std::string text() { return "load_masked, selected"; }
  template <class P, class M, class T>
  __tile__ static auto apply(P p, M m, T padding) {
    return ct::select(m, ct::load_masked(p, m), padding);
  }
};
struct load_masked_rows {
  static std::string text() { return "load_masked, mask and padding broadcast"; }
  template <class P, class M, class T>
  __tile__ static auto apply(P p, M, T padding) {
    return ct::load_masked(p,
                           ct::iota<ct::tile<int, shape<16, 1>>>() < 11,
                           ct::extract(padding, shape<1, 16>{}, 3, 0));
  }
};
struct load_masked_never {
  static std::string text() { return "load_masked, no place"; }
  template <class P, class M, class T>
  __tile__ static auto apply(P p, M, T padding) {
    return ct::load_masked(p, false, padding);
  }
};
template <ct::memory_order O, ct::thread_scope S>
struct atomic_load {
  static std::string text() { return "atomic_load" + strength_text<O, S>(); }
  template <class P, class M, class T>
  __tile__ static auto apply(P p, M, T) {
    return ct::atomic_load<O, S>(p);
  }
};
template <ct::memory_order O, ct::thread_scope S>
struct atomic_load_masked {
  static std::string text() { return "atomic_load_masked with padding" + strength_text<O, S>(); }
  template <class P, class M, class T>
  __tile__ static auto apply(P p, M m, T padding) {
    return ct::atomic_load_masked<O, S>(p, m, padding);
  }
};

struct store {
  static std::string text() { return "store"; }
  template <class P, class V, class M>
  __tile__ static void apply(P p, V v, M) {
    ct::store(p, v);
  }
};
struct store_masked {
  static std::string text() { return "store_masked"; }
  template <class P, class V, class M>
  __tile__ static void apply(P p, V v, M m) {
    ct::store_masked(p, v, m);
  }
};
struct store_masked_rows {
  static std::string text() { return "store_masked, mask broadcast"; }
  template <class P, class V, class M>
  __tile__ static void apply(P p, V v, M) {
    ct::store_masked(p, v, ct::iota<ct::tile<int, shape<16>>>() % 3 < 2);
  }
};
template <ct::memory_order O, ct::thread_scope S>
struct atomic_store {
  static std::string text() { return "atomic_store" + strength_text<O, S>(); }
  template <class P, class V, class M>
  __tile__ static void apply(P p, V v, M) {
    ct::atomic_store<O, S>(p, v);
  }
};
template <ct::memory_order O, ct::thread_scope S>
struct atomic_store_masked {
  static std::string text() { return "atomic_store_masked" + strength_text<O, S>(); }
  template <class P, class V, class M>
  __tile__ static void apply(P p, V v, M m) {
    ct::atomic_store_masked<O, S>(p, v, m);
  }
};

} // namespace call

// --------------------------------------------------------------------------- loads and stores

template <class Form, class T>
__tile_global__ void loads(T* out, const T* in, const bool* mask, const T* padding) {
  const int b = static_cast<int>(ct::bid().x);
  const auto i = places(b);
  ct::store(out + i, Form::apply(in + other_places(b), ct::load(mask + i), ct::load(padding + i)));
}
template <class Form, class T>
__tile_global__ void stores(T* out, const T* in, const bool* mask) {
  const int b = static_cast<int>(ct::bid().x);
  const auto i = places(b);
  Form::apply(out + other_places(b), ct::load(in + i), ct::load(mask + i));
}

template <class T, class... Form>
void run_loads(list<Form...>) {
  const device_array<T> in(any_values<T>(71)), padding(any_values<T>(72));
  const device_array<bool> mask(any_mask());
  (
      [&] {
        const device_array<T> out(size);
        loads<Form, T><<<4, 1>>>(out.data(), in.data(), mask.data(), padding.data());
        finish(Form::text() + ", " + element<T>::name, out);
      }(),
      ...);
}
template <class T, class... Form>
void run_stores(list<Form...>) {
  const device_array<T> in(any_values<T>(73));
  const device_array<bool> mask(any_mask());
  (
      [&] {
        const device_array<T> out(any_values<T>(74));
        stores<Form, T><<<4, 1>>>(out.data(), in.data(), mask.data());
        finish(Form::text() + ", " + element<T>::name, out);
      }(),
      ...);
}

/// One pointer, and a tile of one.
template <class T>
__tile_global__ void single(T* out, const T* in) {
  const int b = static_cast<int>(ct::bid().x);
  for (int k = b * 256; k < b * 256 + 128; ++k) {
    ct::store(out + k, ct::load(in + k));
  }
  for (int k = b * 256 + 128; k < b * 256 + 256; ++k) {
    ct::store(
        ct::full<ct::tile<T*, shape<>>>(out + k),
        ct::load_masked(ct::full<ct::tile<const T*, shape<>>>(in + k), k % 3 != 0, ct::load(in)));
  }
}

// -------------------------------------------------------------------------------- conversions

/// Values and paddings of another type than the memory's.
template <class T, class V>
__tile_global__ void
converted(T* stored, T* atomically, T* loaded, const T* in, const V* value, const bool* mask) {
  const int b = static_cast<int>(ct::bid().x);
  const auto i = places(b);
  auto v = ct::load(value + i);
  auto m = ct::load(mask + i);
  ct::store(stored + i, v);
  ct::atomic_store_masked<ct::memory_order::relaxed>(atomically + i, v, m);
  ct::store(loaded + i, ct::load_masked(in + i, m, v));
}
template <class T, class V>
void run_converted() {
  const std::string types = std::string(", ") + element<V>::name + " to " + element<T>::name;
  const device_array<T> in(any_values<T>(75));
  const device_array<V> value(any_values<V>(76));
  const device_array<bool> mask(any_mask());
  const device_array<T> stored(size), atomically(size), loaded(size);
  converted<T, V><<<4, 1>>>(
      stored.data(), atomically.data(), loaded.data(), in.data(), value.data(), mask.data());
  check(cudaGetLastError(), types.c_str());
  stored.retrieve("stored" + types);
  atomically.retrieve("stored atomically where the mask is true" + types);
  loaded.retrieve("padding" + types);
  ++operations;
}

/// Masks of any type.
template <class M>
__tile_global__ void masked_by(int* out, const int* in, const M* mask) {
  const int b = static_cast<int>(ct::bid().x);
  const auto i = places(b);
  ct::store_masked(
      out + i, ct::load_masked(in + i, ct::load(mask + i), -1), ct::load(mask + other_places(b)));
}
template <class M>
void run_masked_by() {
  const device_array<int> in(any_values<int>(77)), out(size);
  std::vector<bits> values = any_values<M>(78);
  for (std::size_t i = 0; i < values.size(); i += 3) {
    values[i] = 0;
  }
  const device_array<M> mask(values);
  masked_by<M><<<4, 1>>>(out.data(), in.data(), mask.data());
  finish(std::string("mask of ") + element<M>::name, out);
}

/// F with each of these orders and each scope.
template <template <ct::memory_order, ct::thread_scope> class F,
          ct::memory_order First,
          ct::memory_order Second>
using everyhow = list<F<First, ct::thread_scope::block>,
                      F<First, ct::thread_scope::device>,
                      F<First, ct::thread_scope::system>,
                      F<Second, ct::thread_scope::block>,
                      F<Second, ct::thread_scope::device>,
                      F<Second, ct::thread_scope::system>>;

} // namespace

int main() {
  using enum ct::memory_order;
  using enum ct::thread_scope;
  using system_acquire = call::atomic_load_masked<acquire, system>;
  using device_relaxed = call::atomic_store_masked<relaxed, device>;
  for_each(and_numbers<bool,
                       __nv_fp8_e4m3,
                       __nv_fp8_e5m2,
                       __half,
                       __nv_bfloat16,
                       __nv_tf32,
                       float,
                       double>{},
           []<class T>() {
             run_loads<T>(list<call::load, call::load_masked, system_acquire>{});
             run_stores<T>(list<call::store_masked, device_relaxed>{});
           });
  for_each(list<bool, std::int32_t, __half, double>{}, []<class T>() {
    run_loads<T>(list<call::load_masked_selected,
                      call::load_masked_rows,
                      call::load_masked_never,
                      call::atomic_load<relaxed, device>>{});
    run_stores<T>(list<call::store, call::store_masked_rows, call::atomic_store<release, system>>{});
  });
  run_loads<int>(everyhow<call::atomic_load, relaxed, acquire>{});
  run_loads<double>(everyhow<call::atomic_load_masked, relaxed, acquire>{});
  run_stores<float>(everyhow<call::atomic_store, relaxed, release>{});
  run_stores<std::int64_t>(everyhow<call::atomic_store_masked, relaxed, release>{});

  for_each(list<std::int8_t, float, double>{}, []<class T>() {
    const device_array<T> from(any_values<T>(88)), to(size);
    single<T><<<4, 1>>>(to.data(), from.data());
    finish(std::string("single pointers, ") + element<T>::name, to);
  });

  run_converted<std::int32_t, std::int16_t>();
  run_converted<std::int32_t, bool>();
  run_converted<std::int64_t, std::uint32_t>();
  run_converted<std::uint16_t, std::uint8_t>();
  run_converted<__half, __nv_fp8_e4m3>();
  run_converted<__nv_bfloat16, __nv_fp8_e5m2>();
  run_converted<float, __half>();
  run_converted<float, __nv_bfloat16>();
  run_converted<double, float>();
  run_converted<double, __half>();
  for_each(list<bool,
                std::int8_t,
                std::uint16_t,
                std::int32_t,
                std::uint64_t,
                __half,
                __nv_bfloat16,
                float,
                double>{},
           []<class M>() { run_masked_by<M>(); });

  return done();
}
