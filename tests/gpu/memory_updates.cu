// Atomic read-modify-writes through tiles of pointers: masked, of converted values, in every order and
// scope, and compare-exchanges, one address an element; then many elements at one address, where what
// is recorded does not depend on their order. Without a mask: atomic_arithmetic.
// SPDX-License-Identifier: Apache-2.0
#include "memory_operations.hpp"

using namespace gpu_test;

namespace {

// ------------------------------------------------------------------------------------ atomics

#define RMW(name, needs)                                                                           \
  struct name {                                                                                    \
    static std::string text() { return #name; }                                                    \
    static constexpr demand demands = demand::needs;                                               \
    template <ct::memory_order O, ct::thread_scope S, class P, class V>                            \
    __tile__ static auto apply(P p, V v) {                                                         \
      return ct::name<O, S>(p, v);                                                                 \
    }                                                                                              \
    template <ct::memory_order O, ct::thread_scope S, class P, class V, class M>                   \
    __tile__ static auto apply_masked(P p, V v, M m) {                                             \
      return ct::name##_masked<O, S>(p, v, m);                                                     \
    }                                                                                              \
  };
namespace op {
RMW(atomic_add, sum)
RMW(atomic_sub, plus_minus)
RMW(atomic_and, nothing)
RMW(atomic_or, nothing)
RMW(atomic_xor, nothing)
RMW(atomic_max, nothing)
RMW(atomic_min, nothing)
RMW(atomic_xchg, nothing)
} // namespace op

using sums = list<op::atomic_add, op::atomic_sub>;
using bitwise = list<op::atomic_and, op::atomic_or, op::atomic_xor, op::atomic_max, op::atomic_min>;
using atomic_integers = list<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;

/// Where masked out, the old value is unspecified: there 1 stands.
template <class Op, ct::memory_order O, ct::thread_scope S, class T, class V>
__tile_global__ void update_masked(T* old, T* memory, const V* value, const bool* mask) {
  const int b = static_cast<int>(ct::bid().x);
  const auto i = places(b);
  auto m = ct::load(mask + i);
  auto was = Op::template apply_masked<O, S>(memory + i, ct::load(value + i), m);
  ct::store(old + i,
            ct::select(m, was, ct::element_cast<T>(ct::full<ct::tile<int, shape<16, 16>>>(1))));
}
template <class Op, ct::memory_order O, ct::thread_scope S, class T>
__tile_global__ void update(T* old, T* memory, const T* value) {
  const auto i = places(static_cast<int>(ct::bid().x));
  ct::store(old + i, Op::template apply<O, S>(memory + i, ct::load(value + i)));
}

template <class Op, class T>
arrays operands_of() {
  constexpr format f = element<T>::layout;
  if (f.is_float() &&
      Op::demands != demand::nothing) { // sums that are exact: see atomic_arithmetic
    return {whole_numbers(f, size, -100, 100, 79), whole_numbers(f, size, -20, 20, 80)};
  }
  arrays values{any_values<T>(79), any_values<T>(80)};
  operands::make_defined(Op::demands, f, values);
  return values;
}

template <class T, ct::memory_order O, ct::thread_scope S, class... Op>
void run_masked_updates(list<Op...>) {
  const device_array<bool> mask(any_mask());
  (
      [&] {
        const arrays values = operands_of<Op, T>();
        const device_array<T> memory(values[0]), value(values[1]), old(size);
        update_masked<Op, O, S, T, T>
            <<<4, 1>>>(old.data(), memory.data(), value.data(), mask.data());
        const std::string label =
            Op::text() + "_masked" + strength_text<O, S>() + ", " + element<T>::name;
        finish(label + ", old value", old);
        retrieve_bits(memory, label + ", new value");
      }(),
      ...);
}

/// Every order and scope.
template <ct::thread_scope S>
void run_orders() {
  const auto run = []<ct::memory_order O>() {
    using Op = op::atomic_add;
    const arrays values = operands_of<Op, int>();
    const device_array<int> memory(values[0]), value(values[1]), old(size);
    update<Op, O, S, int><<<4, 1>>>(old.data(), memory.data(), value.data());
    finish("atomic_add" + strength_text<O, S>() + ", old value", old);
    retrieve_bits(memory, "atomic_add" + strength_text<O, S>() + ", new value");
    run_masked_updates<int, O, S>(list<op::atomic_xchg>{});
  };
  run.template operator()<ct::memory_order::relaxed>();
  run.template operator()<ct::memory_order::acquire>();
  run.template operator()<ct::memory_order::release>();
  run.template operator()<ct::memory_order::acq_rel>();
}

/// Values of a narrower type.
template <class Op, class T, class V>
void run_converted_update() {
  const device_array<bool> mask(any_mask());
  const device_array<T> memory(whole_numbers(element<T>::layout, size, -100, 100, 81)), old(size);
  const device_array<V> value(whole_numbers(element<V>::layout, size, 0, 1, 82));
  update_masked<Op, ct::memory_order::relaxed, ct::thread_scope::device, T, V>
      <<<4, 1>>>(old.data(), memory.data(), value.data(), mask.data());
  const std::string label = Op::text() + ", " + element<V>::name + " to " + element<T>::name;
  finish(label + ", old value", old);
  retrieve_bits(memory, label + ", new value");
}

template <class T>
__tile_global__ void exchange(T* old, T* memory, const T* expected, const T* value) {
  const auto i = places(static_cast<int>(ct::bid().x));
  ct::store(old + i,
            ct::atomic_compare_exchange<ct::memory_order::acq_rel>(
                memory + i, ct::load(expected + i), ct::load(value + i)));
}
template <class T>
__tile_global__ void
exchange_masked(T* old, T* memory, const T* expected, const T* value, const bool* mask) {
  const auto i = places(static_cast<int>(ct::bid().x));
  ct::store(old + i,
            ct::atomic_compare_exchange_masked(memory + i,
                                               ct::load(expected + i),
                                               ct::load(value + i),
                                               ct::load(mask + i),
                                               ct::memory_order_relaxed_t{},
                                               ct::thread_scope_device_t{}));
}

/// Half of them succeed. Others differ by the sign of zero, or by a NaN's bits: all pairs of
/// specials with the same exponent are among them.
template <class T>
void run_exchanges() {
  constexpr format f = element<T>::layout;
  std::vector<bits> memory, expected;
  for (const bits x : operands::specials(f)) {
    for (const bits y : operands::specials(f)) {
      if (x == y || ((x ^ y) & (f.top() << f.fraction)) == 0) {
        memory.push_back(x);
        expected.push_back(y);
      }
    }
  }
  const std::vector<bits> any = any_values<T>(83);
  while (memory.size() < size) {
    memory.push_back(any[memory.size()]);
    expected.push_back(memory.size() % 3 == 0 ? any[memory.size() - 2] : any[memory.size() - 1]);
  }
  memory.resize(size);
  expected.resize(size);
  const device_array<T> cmp(expected), value(any_values<T>(84)), old(size);
  const std::string type = std::string(", ") + element<T>::name;
  {
    const device_array<T> m(memory);
    exchange<T><<<4, 1>>>(old.data(), m.data(), cmp.data(), value.data());
    finish("atomic_compare_exchange" + type + ", old value", old);
    retrieve_bits(m, "atomic_compare_exchange" + type + ", new value");
  }
  const device_array<T> m(memory);
  const device_array<bool> mask(any_mask());
  exchange_masked<T><<<4, 1>>>(old.data(), m.data(), cmp.data(), value.data(), mask.data());
  finish("atomic_compare_exchange_masked" + type + ", old value, or what was compared with", old);
  retrieve_bits(m, "atomic_compare_exchange_masked" + type + ", new value");
}

// ------------------------------------------------------------------- many elements at one address

/// All 1024 elements at three addresses.
template <class Op, class T>
__tile_global__ void contended(T* memory, const T* value) {
  const auto i = places(static_cast<int>(ct::bid().x));
  Op::template apply<ct::memory_order::relaxed, ct::thread_scope::device>(memory + i % 3,
                                                                          ct::load(value + i));
}
template <class T, class... Op>
void run_contended(list<Op...>) {
  (
      [] {
        constexpr format f = element<T>::layout;
        const bool sum = Op::demands != demand::nothing;
        // Of sums, also the partial ones are exact in every type.
        const device_array<T> value(sum ? whole_numbers(f, size, f.is_signed ? -1 : 0, 1, 85)
                                        : any_values<T>(85));
        const device_array<T> memory(sum ? whole_numbers(f, size, 2, 9, 86) : any_values<T>(86));
        contended<Op, T><<<4, 1>>>(memory.data(), value.data());
        finish(Op::text() + " at three addresses, " + element<T>::name, memory);
      }(),
      ...);
}

/// What each element found: every number once, whoever found it.
__tile_global__ void tickets(int* seen, int* counter) {
  const auto one = ct::full<ct::tile<int, shape<16, 16>>>(1);
  auto old = ct::atomic_add<ct::memory_order::relaxed>(counter + (one - 1), one);
  ct::atomic_add<ct::memory_order::relaxed>(seen + old, one);
}
/// Exchanges hand on values: each comes out once, or is the last.
__tile_global__ void handed_on(int* seen, int* place) {
  const auto i = places(static_cast<int>(ct::bid().x));
  auto old = ct::atomic_xchg<ct::memory_order::relaxed>(place + i * 0, i + 1);
  ct::atomic_add<ct::memory_order::relaxed>(seen + old, ct::full<ct::tile<int, shape<16, 16>>>(1));
}
__tile_global__ void see(int* seen, const int* place) {
  ct::atomic_add<ct::memory_order::relaxed>(seen + ct::load(place), 1);
}
/// One exchange finds a zero; all others find what that one put there.
__tile_global__ void one_wins(int* found_zero, int* place) {
  const auto i = places(static_cast<int>(ct::bid().x));
  auto old = ct::atomic_compare_exchange<ct::memory_order::acq_rel>(
      place + i * 0, ct::full<ct::tile<int, shape<16, 16>>>(0), i + 1);
  ct::atomic_add_masked<ct::memory_order::relaxed>(
      found_zero + i * 0, ct::full<ct::tile<int, shape<16, 16>>>(1), old == 0);
}

void run_together() {
  const device_array<int> seen(size), handed(size + 1), won(size), counter(size), place(size),
      contest(size);
  tickets<<<4, 1>>>(seen.data(), counter.data());
  finish("tickets", seen);
  handed_on<<<4, 1>>>(handed.data(), place.data());
  see<<<1, 1>>>(handed.data(), place.data());
  finish("values handed on", handed);
  one_wins<<<4, 1>>>(won.data(), contest.data());
  finish("one compare-exchange wins", won);
}

} // namespace

int main() {
  using enum ct::memory_order;
  using enum ct::thread_scope;
  for_each(atomic_integers{}, []<class T>() {
    run_masked_updates<T, acq_rel, device>(bitwise{});
    run_masked_updates<T, relaxed, system>(sums{});
    run_masked_updates<T, relaxed, device>(list<op::atomic_xchg>{});
  });
  for_each(floats{}, []<class T>() { run_masked_updates<T, relaxed, device>(sums{}); });
  for_each(list<float, double>{},
           []<class T>() { run_masked_updates<T, acquire, device>(list<op::atomic_xchg>{}); });
  run_orders<block>();
  run_orders<device>();
  run_orders<system>();
  run_converted_update<op::atomic_add, std::int64_t, std::int16_t>();
  run_converted_update<op::atomic_sub, std::int32_t, bool>();
  run_converted_update<op::atomic_add, float, __half>();
  run_converted_update<op::atomic_add, double, float>();
  run_converted_update<op::atomic_sub, float, __nv_bfloat16>();
  run_converted_update<op::atomic_xchg, double, float>();
  run_converted_update<op::atomic_or, std::uint64_t, std::uint8_t>();
  run_converted_update<op::atomic_max, std::int32_t, std::int8_t>();
  for_each(list<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>{},
           []<class T>() { run_exchanges<T>(); });

  for_each(atomic_integers{}, []<class T>() {
    run_contended<T>(bitwise{});
    run_contended<T>(sums{});
  });
  for_each(floats{}, []<class T>() { run_contended<T>(sums{}); });
  run_together();
  return done();
}
