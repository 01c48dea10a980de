// The clauses on atomic read-modify-writes and compare-exchanges: values, conversions, masks,
// element types, orders and scopes. Whom an access meets is memmodel's; here one block is alone.
//
// Every operation is held against one line of C++ on all pairs of special numbers.
//
// One file in spite of its length: one chapter of the reference, whose operations all go through
// the same pairs of numbers.
//
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <tests/clauses/kernel.hpp>
#include <vector>

namespace tilesim::clauses {
namespace {

using namespace ct::literals;
using order = ct::memory_order;
using scope = ct::thread_scope;

/// All integral scalars of 32 and 64 bits.
using atomic_integers =
    list<int, unsigned, long, unsigned long, long long, unsigned long long, wchar_t, char32_t>;
using summed_floats = list<__half, __nv_bfloat16, float, double>;

constexpr std::size_t count = 256; ///< all pairs of sixteen
template <class T>
using numbers = std::array<T, count>;

/// The operands of a binary operation, and whether the reference defines the result.
template <class T>
struct operands {
  numbers<T> memory{}, values{};
};

template <class T>
constexpr std::array<T, 16> special_integers() {
  constexpr T least = std::numeric_limits<T>::min();
  constexpr T most = std::numeric_limits<T>::max();
  return {T(0),
          T(1),
          T(2),
          T(3),
          T(10),
          T(0x55555555),
          T(most / 2),
          T(most - 1),
          most,
          least,
          T(least + 1),
          T(most / 2 + 1),
          T(~T(0)),
          T(~T(4)),
          T(0x0f0f0f0f),
          T(T(1) << (sizeof(T) * 4))};
}
template <class T>
std::array<T, 16> special_floats() {
  std::array<T, 16> made{};
  const float values[] = {0,
                          -0.0F,
                          1,
                          -1,
                          1.5F,
                          -2.25F,
                          3,
                          1024,
                          -1023,
                          0x1p-14F,
                          -0x1p-10F,
                          65504,
                          0.0999755859375F,
                          2049,
                          __builtin_inff(),
                          7};
  std::transform(std::begin(values), std::end(values), made.begin(), [](float x) {
    return static_cast<T>(x);
  });
  return made;
}

template <class T>
operands<T> all_pairs(const std::array<T, 16>& of) {
  operands<T> made;
  for (std::size_t i = 0; i < count; ++i) {
    made.memory[i] = of[i / 16];
    made.values[i] = of[i % 16];
  }
  return made;
}

template <class T>
auto pointers_to(numbers<T>& x) {
  return x.data() + ct::iota<tile<int, count>>();
}

bool is_masked_in(std::size_t i) {
  return i % 3 != 1;
}
tile<bool, count> mask_of_thirds() {
  return ct::iota<tile<int, count>>() % 3 != 1;
}

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// -------------------------------------------------------------------------------- the operations

#define RMW(name, ...)                                                                             \
  struct name {                                                                                    \
    template <order O, scope S, class P, class V>                                                  \
    static auto on(P p, V v) {                                                                     \
      return ct::name<O, S>(p, v);                                                                 \
    }                                                                                              \
    template <order O, scope S, class P, class V, class M>                                         \
    static auto on_some(P p, V v, M m) {                                                           \
      return ct::name##_masked<O, S>(p, v, m);                                                     \
    }                                                                                              \
    template <class P, class V, class... Tag>                                                      \
    static auto tagged(P p, V v, Tag... tag) {                                                     \
      return ct::name(p, v, tag...);                                                               \
    }                                                                                              \
    template <class P, class V, class M, class... Tag>                                             \
    static auto tagged_on_some(P p, V v, M m, Tag... tag) {                                        \
      return ct::name##_masked(p, v, m, tag...);                                                   \
    }                                                                                              \
    static constexpr const char* text = #name;                                                     \
    /** What is stored where k was.  */                                                            \
    template <class T>                                                                             \
    static T stored_for(T k, T v) {                                                                \
      return __VA_ARGS__;                                                                          \
    }                                                                                              \
  };
RMW(atomic_and, static_cast<T>(k& v))
RMW(atomic_or, static_cast<T>(k | v))
RMW(atomic_xor, static_cast<T>(k ^ v))
RMW(atomic_max, k > v ? k : v)
RMW(atomic_min, k < v ? k : v)
RMW(atomic_xchg, (static_cast<void>(k), v))
RMW(atomic_add, static_cast<T>(k + v))
RMW(atomic_sub, static_cast<T>(k - v))
#undef RMW

using on_bits = list<atomic_and, atomic_or, atomic_xor, atomic_max, atomic_min>;
using on_integers = list<atomic_and,
                         atomic_or,
                         atomic_xor,
                         atomic_max,
                         atomic_min,
                         atomic_xchg,
                         atomic_add,
                         atomic_sub>;

template <class... Op, class F>
void for_each_operation(list<Op...>, F f) {
  (f.template operator()<Op>(), ...);
}

/// Whether the reference defines the sum or difference: of signed integers not all are.
template <class Op, class T>
bool is_defined(T k, T v) {
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    T result{};
    if constexpr (std::is_same_v<Op, atomic_add>) {
      return !__builtin_add_overflow(k, v, &result);
    } else if constexpr (std::is_same_v<Op, atomic_sub>) {
      T opposite{};
      return !__builtin_sub_overflow(T(0), v, &opposite) &&
             !__builtin_add_overflow(k, opposite, &result);
    }
  }
  return true;
}

template <class Op, class T>
operands<T> defined_pairs(const std::array<T, 16>& of) {
  operands<T> made = all_pairs(of);
  for (std::size_t i = 0; i < count; ++i) {
    made.values[i] = is_defined<Op>(made.memory[i], made.values[i]) ? made.values[i] : T(0);
  }
  return made;
}

/// The oracle's number for the same operation: of half and bfloat16 through double, rounded once.
template <class Op, class T>
T expected(T k, T v) {
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    using U = std::make_unsigned_t<T>;
    if constexpr (std::is_same_v<Op, atomic_add> || std::is_same_v<Op, atomic_sub>) {
      return static_cast<T>(Op::template stored_for<U>(static_cast<U>(k), static_cast<U>(v)));
    } else {
      return Op::template stored_for<T>(k, v);
    }
  } else if constexpr (std::is_class_v<T>) {
    return static_cast<T>(static_cast<float>(
        Op::template stored_for<double>(static_cast<float>(k), static_cast<float>(v))));
  } else {
    return Op::template stored_for<T>(k, v);
  }
}

/// Old values and memory of one call over all pairs.
template <class T>
struct outcome {
  numbers<T> old{}, memory{};
};

template <class T>
bool is_nan(T x) {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else {
    return std::isnan(static_cast<double>(static_cast<float>(x)));
  }
}

template <class Op, class T>
void hold_against_oracle(const operands<T>& x,
                         const outcome<T>& whole,
                         const outcome<T>& part,
                         mistakes& wrong) {
  for (std::size_t i = 0; i < count; ++i) {
    const T want = expected<Op>(x.memory[i], x.values[i]);
    const auto is_want = [&](T got) {
      return same_bits(got, want) || (is_nan(got) && is_nan(want));
    };
    if (!same_bits(whole.old[i], x.memory[i]) || !is_want(whole.memory[i])) {
      wrong.add(Op::text, " of ", type_name<T>(), ", pair ", i);
    }
    const bool in = is_masked_in(i);
    if (in && (!same_bits(part.old[i], x.memory[i]) || !is_want(part.memory[i]))) {
      wrong.add(Op::text, "_masked of ", type_name<T>(), ", pair ", i);
    }
    if (!in && !same_bits(part.memory[i], x.memory[i])) {
      wrong.add(Op::text, "_masked of ", type_name<T>(), " wrote where masked out, pair ", i);
    }
  }
}

template <class Op, class T>
void check_pairs(const operands<T>& x, mistakes& wrong) {
  outcome<T> whole{{}, x.memory};
  outcome<T> part{{}, x.memory};
  const auto v = loaded<count>(x.values);
  const auto old = Op::template on<order::relaxed, scope::device>(pointers_to(whole.memory), v);
  const auto some = Op::template on_some<order::acq_rel, scope::system>(
      pointers_to(part.memory), v, mask_of_thirds());
  static_assert(std::is_same_v<decltype(old), const tile<T, count>>);
  static_assert(std::is_same_v<decltype(some), const tile<T, count>>);
  whole.old = stored(old);
  part.old = stored(some);
  hold_against_oracle<Op>(x, whole, part, wrong);
}

} // namespace

// ----------------------------------------------------------------------------- read-modify-writes

TEST_CASE(
    "memory operations / atomic_and, or, xor, max, min, add, sub, xchg / old value and memory "
    "for every integral scalar of 32 and 64 bits, also masked",
    "[clauses]") {
  in_kernel([](const probe& p) {
    mistakes wrong;
    for_each_type(atomic_integers{}, [&]<class T>() {
      for_each_operation(on_integers{}, [&]<class Op>() {
        check_pairs<Op>(defined_pairs<Op>(special_integers<T>()), wrong);
      });
    });
    CHECK(wrong.text() == "");
    CHECK(p.defects() == 0);
  });
}

TEST_CASE(
    "memory operations / atomic_add, atomic_sub / of floating-point numbers: rounded once, to "
    "nearest, ties to even",
    "[clauses]") {
  in_kernel([](const probe& p) {
    mistakes wrong;
    for_each_type(summed_floats{}, [&]<class T>() {
      check_pairs<atomic_add>(all_pairs(special_floats<T>()), wrong);
      check_pairs<atomic_sub>(all_pairs(special_floats<T>()), wrong);
    });
    CHECK(wrong.text() == "");
    float x = 0x1p24F;
    CHECK(ct::atomic_add<order::relaxed>(&x, 1.0F) == 0x1p24F); // a tie, to even
    CHECK(x == 0x1p24F);
    CHECK(ct::atomic_add<order::relaxed>(&x, 3.0F) == 0x1p24F);
    CHECK(x == 0x1p24F + 4);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("memory operations / atomic_xchg / of float and double: the bits, of NaNs too",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const auto signalling = std::bit_cast<float>(0x7f800001U);
    const auto payload = std::bit_cast<double>(0xfff0000000000123UL);
    float f = signalling;
    double d = payload;
    CHECK(same_bits(ct::atomic_xchg<order::acquire>(&f, -0.0F), signalling));
    CHECK(same_bits(f, -0.0F));
    CHECK(same_bits(ct::atomic_xchg<order::acquire>(&d, 2.5F), payload));
    CHECK(d == 2.5);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("memory operations / atomic_max, atomic_min / the sign of the type decides",
          "[clauses]") {
  in_kernel([](const probe&) {
    int s = -1;
    unsigned u = 0xffffffffU;
    CHECK(ct::atomic_max<order::relaxed>(&s, 1) == -1);
    CHECK(s == 1);
    CHECK(ct::atomic_max<order::relaxed>(&u, 1U) == 0xffffffffU);
    CHECK(u == 0xffffffffU);
    CHECK(ct::atomic_min<order::relaxed>(&s, -1) == 1);
    CHECK(s == -1);
    CHECK(ct::atomic_min<order::relaxed>(&u, 1U) == 0xffffffffU);
    CHECK(u == 1);
  });
}

TEST_CASE(
    "memory operations / atomic_add, atomic_sub / signed overflow of any element is undefined, "
    "unsigned wraps, what is masked out computes nothing",
    "[clauses]") {
  in_kernel([](const probe& p) {
    constexpr auto kind = finding_kind::atomic_overflow;
    constexpr int most = std::numeric_limits<int>::max();
    constexpr int least = std::numeric_limits<int>::min();
    std::array memory{0, most - 1, least, 5};
    const auto at = memory.data() + ct::iota<tile<int, 4>>();
    const auto relaxed = ct::memory_order_relaxed_t{};
    CHECK(p.meets(kind, [&] { ct::atomic_add(at, ct::full<tile<int, 4>>(2), relaxed); }));
    memory = {0, most - 1, least, 5};
    CHECK_FALSE(p.is_undefined([&] { // the second is at the end, the third masked out
      ct::atomic_add(at, ct::full<tile<int, 4>>(1), relaxed);
      ct::atomic_sub_masked(at, ct::full<tile<int, 4>>(1), ct::iota<tile<int, 4>>() != 2, relaxed);
      ct::atomic_add_masked(
          at, ct::full<tile<int, 4>>(most), ct::iota<tile<int, 4>>() == 0, relaxed);
    }));
    CHECK(memory == std::array{most, most - 1, least + 1, 5});
    // The negation overflows although the difference would fit.
    int x = -5;
    CHECK(p.meets(kind, [&] { ct::atomic_sub(&x, least, relaxed); }));
    x = -5;
    CHECK_FALSE(p.is_undefined([&] { ct::atomic_sub_masked(&x, least, false, relaxed); }));
    CHECK(x == -5);
    CHECK_FALSE(p.is_undefined([&] { ct::atomic_sub(&x, least + 1, relaxed); }));
    CHECK(x == most - 5);
    unsigned u = 0xffffffffU;
    unsigned long l = 3;
    CHECK_FALSE(p.is_undefined([&] {
      ct::atomic_add(&u, 3U, relaxed);
      ct::atomic_sub(&l, 5UL, relaxed);
    }));
    CHECK(u == 2);
    CHECK(l == ~0UL - 1);
  });
}

TEST_CASE(
    "memory operations / atomic_add / whether subnormals are kept is unspecified: kept by the "
    "page, float's flushed by the hardware",
    "[clauses]") {
  const auto sums = [](sim::ops::arithmetic a) {
    sim::options how;
    how.arithmetic = a;
    std::array<double, 4> got{};
    in_kernel(
        [&](const probe&) {
          float f = 0x1p-149F;
          double d = 0x1p-1074;
          auto h = static_cast<__half>(0x1p-24F);
          auto b = static_cast<__nv_bfloat16>(0x1p-133F);
          ct::atomic_add<order::relaxed>(&f, 0x1p-149F);
          ct::atomic_add<order::relaxed>(&d, 0x1p-1074);
          ct::atomic_add<order::relaxed>(&h, static_cast<__half>(0x1p-24F));
          ct::atomic_sub<order::relaxed>(&b, static_cast<__nv_bfloat16>(-0x1p-133F));
          got = {f, d, static_cast<float>(h), static_cast<float>(b)};
        },
        how);
    return got;
  };
  CHECK(sums(sim::ops::arithmetic::page) ==
        std::array<double, 4>{0x1p-148, 0x1p-1073, 0x1p-23, 0x1p-132});
  CHECK(sums(sim::ops::arithmetic::hardware) ==
        std::array<double, 4>{0, 0x1p-1073, 0x1p-23, 0x1p-132});
}

// ---------------------------------------------------------------------- conversions of arguments

TEST_CASE("memory operations / atomics / values undergo tile conversion, masks bool conversion and "
          "broadcast",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const auto relaxed = ct::memory_order_relaxed_t{};
    std::array<long, 8> memory{};
    const auto at = memory.data() + ct::iota<tile<int, 2, 4>>();
    ct::atomic_add(at, ct::iota<tile<signed char, 2, 4>>() - static_cast<signed char>(2), relaxed);
    CHECK(memory == std::array{-2L, -1L, 0L, 1L, 2L, 3L, 4L, 5L});
    ct::atomic_or(at, ct::full<tile<bool, 2, 4>>(true), relaxed);
    CHECK(memory == std::array{-1L, -1L, 1L, 1L, 3L, 3L, 5L, 5L});
    // a row, a column, a scalar; numbers, pointers and NaN as truth
    ct::atomic_xchg_masked(at, ct::zeros<tile<int, 2, 4>>(), ct::iota<tile<int, 4>>() % 2, relaxed);
    CHECK(memory == std::array{-1L, 0L, 1L, 0L, 3L, 0L, 5L, 0L});
    ct::atomic_add_masked(
        at, ct::ones<tile<int, 2, 4>>(), ct::full<tile<float, 2, 1>>(__builtin_nanf("")), relaxed);
    CHECK(memory == std::array{0L, 1L, 2L, 1L, 4L, 1L, 6L, 1L});
    ct::atomic_add_masked(at, ct::ones<tile<int, 2, 4>>(), -0.0, relaxed);
    CHECK(memory == std::array{0L, 1L, 2L, 1L, 4L, 1L, 6L, 1L});
    ct::atomic_max_masked(at, ct::full<tile<int, 2, 4>>(3), memory.data(), relaxed);
    CHECK(memory == std::array{3L, 3L, 3L, 3L, 4L, 3L, 6L, 3L});
    float f = 1;
    CHECK(ct::atomic_add(&f, static_cast<__half>(0.5F), relaxed) == 1);
    CHECK(f == 1.5F);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE(
    "memory operations / atomics / scalar pointers give scalars, rank-0 tiles of pointers rank-0 "
    "tiles",
    "[clauses]") {
  in_kernel([](const probe& p) {
    int x = 6;
    static_assert(std::is_same_v<decltype(ct::atomic_and<order::relaxed>(&x, 3)), int>);
    static_assert(
        std::is_same_v<decltype(ct::atomic_and<order::relaxed>(ct::full<tile<int*>>(&x), 3)),
                       tile<int>>);
    CHECK(ct::atomic_and<order::relaxed>(&x, 3) == 6);
    CHECK(stored(ct::atomic_or<order::relaxed>(ct::full<tile<int*>>(&x), 8)) == 2);
    CHECK(ct::atomic_compare_exchange<order::relaxed>(&x, 10, 11) == 10);
    CHECK(x == 11);
    CHECK(p.defects() == 0);
  });
}

// ------------------------------------------------------------------------------- compare-exchange

namespace {

/// compare-exchange of one place: what it returned, and what the place holds then, as bits.
template <class T, class U>
std::array<U, 2> exchanged(U memory, U expected, U value) {
  T place = std::bit_cast<T>(memory);
  const T old = ct::atomic_compare_exchange<order::acq_rel>(
      &place, std::bit_cast<T>(expected), std::bit_cast<T>(value));
  return {std::bit_cast<U>(old), std::bit_cast<U>(place)};
}

} // namespace

TEST_CASE(
    "memory operations / atomic_compare_exchange / bitwise identical values are exchanged, and no "
    "others; the result is what was found",
    "[clauses]") {
  in_kernel([](const probe& p) {
    using floats = std::array<std::uint32_t, 2>;
    using doubles = std::array<std::uint64_t, 2>;
    // two zeros that compare equal, and a NaN that does not compare equal to itself
    CHECK(exchanged<float, std::uint32_t>(0x80000000U, 0, 7) == floats{0x80000000U, 0x80000000U});
    CHECK(exchanged<float, std::uint32_t>(0x80000000U, 0x80000000U, 7) == floats{0x80000000U, 7});
    CHECK(exchanged<float, std::uint32_t>(0x7fc00001U, 0x7fc00001U, 7) == floats{0x7fc00001U, 7});
    CHECK(exchanged<float, std::uint32_t>(0x7f800001U, 0x7f800001U, 7) == floats{0x7f800001U, 7});
    CHECK(exchanged<float, std::uint32_t>(0x7fc00001U, 0x7fc00002U, 7) ==
          floats{0x7fc00001U, 0x7fc00001U});
    CHECK(exchanged<double, std::uint64_t>(1UL << 63, 0, 7) == doubles{1UL << 63, 1UL << 63});
    CHECK(exchanged<double, std::uint64_t>(0x7ff8000000000001UL, 0x7ff8000000000001UL, 7) ==
          doubles{0x7ff8000000000001UL, 7});
    mistakes wrong;
    for_each_type(atomic_integers{}, [&]<class T>() {
      const operands<T> x = all_pairs(special_integers<T>());
      numbers<T> memory = x.memory;
      const auto old = stored(ct::atomic_compare_exchange<order::relaxed, scope::device>(
          pointers_to(memory), loaded<count>(x.values), ct::full<tile<T, count>>(T(42))));
      for (std::size_t i = 0; i < count; ++i) {
        if (old[i] != x.memory[i] ||
            memory[i] != (x.memory[i] == x.values[i] ? T(42) : x.memory[i])) {
          wrong.add(type_name<T>(), ", pair ", i);
        }
      }
    });
    CHECK(wrong.text() == "");
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("memory operations / atomic_compare_exchange_masked / where masked out nothing is "
          "accessed, and "
          "the result is the comparison value",
          "[clauses]") {
  in_kernel([](const probe& p) {
    std::array<long, 4> memory{1, 2, 3, 4};
    const auto at = memory.data() + ct::iota<tile<int, 4>>();
    const auto in = ct::iota<tile<int, 4>>() < 2;
    // cmp and val are converted each from a type of its own
    const auto old =
        ct::atomic_compare_exchange_masked(at,
                                           loaded<4>(std::array<short, 4>{1, -7, 3, -9}),
                                           loaded<4>(std::array<unsigned, 4>{10, 20, 30, 40}),
                                           in,
                                           ct::memory_order_acquire_t{},
                                           ct::thread_scope_block_t{});
    CHECK(stored(old) == std::array{1L, 2L, 3L, -9L});
    CHECK(memory == std::array{10L, 2L, 3L, 4L});
    // not even a null pointer
    const auto some = ct::select(in, at, ct::full<tile<long*, 4>>(nullptr));
    CHECK(stored(ct::atomic_compare_exchange_masked<order::release>(
              some, ct::zeros<tile<long, 4>>(), ct::ones<tile<long, 4>>(), in)) ==
          std::array{10L, 2L, 0L, 0L});
    CHECK(p.defects() == 0);
  });
}

// -------------------------------------------------------------------------- orders and scopes

namespace {

template <class Op, order O, scope S>
int check_spellings() {
  int x = 12;
  int wrong = 0;
  const int want = expected<Op>(12, 5);
  const auto as_wanted = [&](int old) {
    wrong += old == 12 && x == want ? 0 : 1;
    x = 12;
  };
  const ct::memory_order_constant<O> o{};
  const ct::thread_scope_constant<S> s{};
  as_wanted(Op::template on<O, S>(&x, 5));
  as_wanted(Op::tagged(&x, 5, o, s));
  as_wanted(Op::template on_some<O, S>(&x, 5, true));
  as_wanted(Op::tagged_on_some(&x, 5, true, o, s));
  if constexpr (S == ct::default_thread_scope()) {
    as_wanted(Op::tagged(&x, 5, o));
    as_wanted(Op::tagged_on_some(&x, 5, true, o));
  }
  return wrong;
}

template <class Op, order O>
int check_scopes() {
  return check_spellings<Op, O, scope::block>() + check_spellings<Op, O, scope::device>() +
         check_spellings<Op, O, scope::system>();
}

} // namespace

TEST_CASE(
    "memory operations / atomics / every order and scope, as template arguments and as constants; "
    "the scope is system unless given",
    "[clauses]") {
  static_assert(ct::default_thread_scope() == scope::system);
  in_kernel([](const probe& p) {
    int wrong = 0;
    for_each_operation(on_integers{}, [&]<class Op>() {
      wrong += check_scopes<Op, order::relaxed>() + check_scopes<Op, order::acquire>() +
               check_scopes<Op, order::release>() + check_scopes<Op, order::acq_rel>();
    });
    CHECK(wrong == 0);
    CHECK(p.defects() == 0);
  });
}

// ------------------------------------------------------------------ many elements at one address

TEST_CASE(
    "memory operations / atomics / each element is one update: at one address they follow one "
    "another in some order",
    "[clauses]") {
  in_kernel([](const probe& p) {
    const auto relaxed = ct::memory_order_relaxed_t{};
    int sum = 100;
    const auto old = stored(
        ct::atomic_add(ct::full<tile<int*, 64>>(&sum), ct::iota<tile<int, 64>>() + 1, relaxed));
    CHECK(sum == 100 + 64 * 65 / 2);
    // From each old value an element leads on to the next.
    std::array<std::pair<int, int>, 64> steps{};
    for (int i = 0; i < 64; ++i) {
      steps[static_cast<std::size_t>(i)] = {old[static_cast<std::size_t>(i)], i + 1};
    }
    std::sort(steps.begin(), steps.end());
    int reached = 100;
    for (const auto& [from, by] : steps) {
      CHECK(from == reached);
      reached = from + by;
    }
    // An exchange hands on each value once.
    int place = 0;
    auto handed = stored(
        ct::atomic_xchg(ct::full<tile<int*, 64>>(&place), ct::iota<tile<int, 64>>() + 1, relaxed));
    std::vector<int> seen(handed.begin(), handed.end());
    seen.push_back(place);
    std::sort(seen.begin(), seen.end());
    std::vector<int> all(65);
    std::iota(all.begin(), all.end(), 0);
    CHECK(seen == all);
    // One compare-exchange finds the zero, the others what that one stored.
    int contest = 0;
    const auto found = stored(ct::atomic_compare_exchange(ct::full<tile<int*, 64>>(&contest),
                                                          ct::zeros<tile<int, 64>>(),
                                                          ct::iota<tile<int, 64>>() + 1,
                                                          relaxed));
    CHECK(std::count(found.begin(), found.end(), 0) == 1);
    CHECK(std::count(found.begin(), found.end(), contest) == 63);
    CHECK(p.defects() == 0);
  });
}

} // namespace tilesim::clauses
