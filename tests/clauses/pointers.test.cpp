// The clauses of the page of arithmetic operations on pointers, by their headings.
// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <tests/clauses/kernel.hpp>

namespace tilesim::clauses {
namespace {

template <class T>
constexpr std::uintptr_t address_of(T* p) {
  return reinterpret_cast<std::uintptr_t>(p);
}

/// ptr + offset, offset + ptr and ptr - offset for a pointee P and offsets of type I.
template <class P, class I>
void check_offsets() {
  CAPTURE(type_name<I>(), sizeof(P));
  static P object[16];
  P* const middle = object + 8;
  const bool has_sign = std::is_signed_v<I>;
  const auto last = std::is_same_v<I, bool> ? I(1) : I(7);
  const std::array<I, 4> offsets{I(0), I(1), last, has_sign ? static_cast<I>(-8) : I(1)};
  const auto i = loaded<4>(offsets);
  const auto sum = middle + i;
  static_assert(std::is_same_v<decltype(sum), const tile<P*, 4>>);
  static_assert(std::is_same_v<decltype(i + middle), tile<P*, 4>>);
  static_assert(std::is_same_v<decltype(middle - i), tile<P*, 4>>);
  const auto plus = stored(sum);
  const auto plus_swapped = stored(i + middle);
  const auto tile_plus = stored(ct::full<tile<P*, 4>>(middle) + i);
  const auto minus = stored(middle - i);
  const auto minus_swapped = stored(ct::full<tile<P*, 4>>(middle) - i);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(plus[k] == middle + static_cast<std::ptrdiff_t>(offsets[k]));
    CHECK(plus_swapped[k] == plus[k]);
    CHECK(tile_plus[k] == plus[k]);
    CHECK(minus[k] == middle - static_cast<std::ptrdiff_t>(offsets[k]));
    CHECK(minus_swapped[k] == minus[k]);
    // an offset that is a scalar
    CHECK(stored(tile<P*>(middle) + offsets[k]) == plus[k]);
    CHECK(stored(offsets[k] + tile<P*>(middle)) == plus[k]);
    CHECK(stored(tile<P*>(middle) - offsets[k]) == minus[k]);
  }
}

/// Runs body(met, a, b) as a tile block: two allocations of four ints, and how often a finding of a
/// kind was met, which is asked for.
template <class Body>
void with_two_allocations(finding_kind kind, Body body) {
  sim::options how;
  how.reported.set(static_cast<std::size_t>(kind));
  sim::context c{how};
  const auto allocate = [&] {
    return static_cast<int*>(c.mem.allocate(sim::memory_kind::managed, 4 * sizeof(int), nullptr));
  };
  int* const a = allocate();
  int* const b = allocate();
  const auto met = [&](auto operation) {
    const auto count = [&] {
      std::uint64_t total = 0;
      for (const finding& f : c.found.all().findings) {
        total += f.kind == kind ? f.count : 0;
      }
      return total;
    };
    const std::uint64_t before = count();
    operation();
    return count() != before;
  };
  sim::run_block(c, [&] { body(met, a, b); });
}

/// A pointer that lies `bytes` behind p.
int* bytes_behind(int* p, std::uintptr_t bytes) {
  return reinterpret_cast<int*>(reinterpret_cast<std::uintptr_t>(p) + bytes);
}

} // namespace

TEST_CASE("arithmetic operations / Pointer No-Op / the value as it is", "[clauses]") {
  in_kernel([](const probe& p) {
    int x[2] = {};
    const auto t = ct::full<tile<int*, 2>>(nullptr);
    const auto q = x + ct::iota<tile<int, 2>>();
    static_assert(std::is_same_v<decltype(+q), tile<int*, 2>>);
    CHECK(stored(+t) == std::array<int*, 2>{nullptr, nullptr});
    CHECK(stored(+q) == std::array{x, x + 1});
    const auto constant = ct::full<tile<const void*>>(x);
    static_assert(std::is_same_v<decltype(+constant), tile<const void*>>);
    CHECK(stored(+constant) == x);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("arithmetic operations / Pointer Addition, Pointer Subtraction / p + x, x + p, p - x for "
          "every integral type of x and size of *p",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const auto check = [&]<class I>() {
      check_offsets<int, I>();
      check_offsets<double, I>();
    };
    for_each_type(signed_types{}, check);
    for_each_type(unsigned_types{}, check);
    for_each_type(list<bool, signed char, __half, float, long>{},
                  []<class P>() { check_offsets<P, int>(); });
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("arithmetic operations / Pointer Addition / operands are mutually broadcast",
          "[clauses]") {
  in_kernel([](const probe&) {
    float x[64] = {};
    const auto rows = x + 8 * ct::reshape<ct::shape<8, 1>>(ct::iota<tile<int, 8>>());
    static_assert(std::is_same_v<decltype(rows), const tile<float*, 8, 1>>);
    const auto all = rows + ct::iota<tile<short, 8>>();
    static_assert(std::is_same_v<decltype(all), const tile<float*, 8, 8>>);
    const auto got = stored(all);
    int wrong = 0;
    for (std::size_t i = 0; i < 64; ++i) {
      wrong += got[i] != x + i;
    }
    CHECK(wrong == 0);
    const auto back = stored(all - ct::iota<tile<unsigned char, 1, 8>>());
    CHECK(back[63] == x + 56);
  });
}

// An offset keeps its value: of an unsigned type it is never negative, whatever its bits.
TEST_CASE("arithmetic operations / Pointer Addition / unsigned offsets have no sign", "[clauses]") {
  in_kernel([](const probe&) {
    static char x[1 << 16];
    CHECK((stored(x + tile<unsigned char>(static_cast<unsigned char>(200))) == x + 200));
    CHECK((stored(x + tile<unsigned short>(static_cast<unsigned short>(0xff00))) == x + 0xff00));
    CHECK((stored((x + 0xff00) - tile<char16_t>(char16_t{0xff00})) == x));
    CHECK((stored(x + 200 + tile<signed char>(static_cast<signed char>(-56))) == x + 144));
  });
}

TEST_CASE("arithmetic operations / Pointer Addition / a null pointer plus zero is null",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const auto null = ct::full<tile<int*>>(nullptr);
    CHECK(stored(null + 0) == nullptr);
    CHECK(stored(null - 0) == nullptr);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("arithmetic operations / Pointer Difference / in elements, of equal pointees up to cv",
          "[clauses]") {
  in_kernel([](const probe& p) {
    double x[8] = {};
    const auto at = x + ct::iota<tile<int, 8>>();
    const auto from_start = at - static_cast<double*>(x);
    static_assert(std::is_same_v<decltype(from_start), const tile<std::ptrdiff_t, 8>>);
    CHECK(stored(from_start) == std::array{0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L});
    CHECK(stored(static_cast<const double*>(x + 7) - at) ==
          std::array{7L, 6L, 5L, 4L, 3L, 2L, 1L, 0L});
    const auto square = at - ct::reshape<ct::shape<8, 1>>(at);
    static_assert(std::is_same_v<decltype(square), const tile<std::ptrdiff_t, 8, 8>>);
    const auto got = stored(square);
    int wrong = 0;
    for (std::size_t i = 0; i < 64; ++i) {
      wrong += got[i] != static_cast<long>(i % 8) - static_cast<long>(i / 8);
    }
    CHECK(wrong == 0);
    __half h[4] = {};
    CHECK(stored(tile<__half*>(h + 0) - tile<const __half*>(h + 3)) == -3);
    CHECK(stored(ct::full<tile<int*>>(nullptr) - ct::full<tile<int*>>(nullptr)) == 0);
    CHECK(p.defects() == 0);
  });
}

// "If this expression would yield undefined behavior for any pair …": beside each row the defined
// one.
TEST_CASE("arithmetic operations / Pointer Difference / undefined between allocations and between "
          "elements",
          "[clauses]") {
  with_two_allocations(finding_kind::pointer_difference, [](auto met, int* a, int* b) {
    const auto differ = [](int* l, int* r) {
      return [=] { static_cast<void>(tile<int*>(l) - tile<int*>(r)); };
    };
    CHECK_FALSE(met(differ(a + 4, a)));
    CHECK_FALSE(met(differ(a, a + 4)));
    CHECK(met(differ(a, b)));
    CHECK(met(differ(a, nullptr)));
    CHECK_FALSE(met(differ(nullptr, nullptr)));
    CHECK(met(differ(bytes_behind(a, 6), a)));
    CHECK_FALSE(met(differ(bytes_behind(a, 6), bytes_behind(a, 2))));
    // one element of many
    CHECK(met([&] { static_cast<void>(loaded<2>(std::array{a, b}) - a); }));
    CHECK_FALSE(met([&] { static_cast<void>(loaded<2>(std::array{a, a + 1}) - a); }));
  });
}

TEST_CASE(
    "arithmetic operations / Pointer Addition, Pointer Subtraction / undefined beyond the end "
    "and before the start",
    "[clauses]") {
  with_two_allocations(finding_kind::pointer_out_of_range, [](auto met, int* a, int*) {
    const auto p = tile<int*>(a);
    CHECK_FALSE(met([&] { static_cast<void>(p + 4); }));
    CHECK(met([&] { static_cast<void>(p + 5); }));
    CHECK(met([&] { static_cast<void>(5 + p); }));
    CHECK(met([&] { static_cast<void>(p + -1); }));
    CHECK_FALSE(met([&] { static_cast<void>((p + 4) - 4); }));
    CHECK(met([&] { static_cast<void>((p + 4) - 5); }));
    CHECK(met([&] { static_cast<void>(p - -5); }));
    CHECK(met([&] { static_cast<void>(p + ct::iota<tile<int, 8>>()); }));
    CHECK_FALSE(met([&] { static_cast<void>(p + ct::iota<tile<int, 4>>()); }));
    // An unsigned offset has no sign: this one is far beyond the end.
    CHECK(met([&] { static_cast<void>((p + 1) + tile<unsigned long>(~0UL)); }));
  });
}

// "may be unspecified if the pointer arguments are not appropriately arranged": == and != are not.
TEST_CASE(
    "arithmetic operations / Pointer Comparison / the order of pointers into two allocations is "
    "unspecified",
    "[clauses]") {
  with_two_allocations(finding_kind::pointer_order, [](auto met, int* a, int* b) {
    CHECK(met([&] { static_cast<void>(tile<int*>(a) < b); }));
    CHECK(met([&] { static_cast<void>(tile<int*>(a) >= b); }));
    CHECK_FALSE(met([&] { CHECK_FALSE(stored(tile<int*>(a) == b)); }));
    CHECK_FALSE(met([&] { CHECK(stored(tile<int*>(a) != b)); }));
    CHECK_FALSE(met([&] { CHECK(stored(tile<int*>(a) < a + 4)); }));
  });
}

TEST_CASE("arithmetic operations / Pointer Comparison / the builtin comparison of the addresses",
          "[clauses]") {
  in_kernel([](const probe& p) {
    int x[4] = {};
    const auto at = x + ct::iota<tile<int, 4>>();
    const auto one = tile<int*>(x + 1);
    static_assert(std::is_same_v<decltype(at == one), tile<bool, 4>>);
    CHECK(stored(at == one) == std::array{false, true, false, false});
    CHECK(stored(at != one) == std::array{true, false, true, true});
    CHECK(stored(at < one) == std::array{true, false, false, false});
    CHECK(stored(at <= one) == std::array{true, true, false, false});
    CHECK(stored(at > one) == std::array{false, false, true, true});
    CHECK(stored(at >= one) == std::array{false, true, true, true});
    CHECK(stored(one > at) == std::array{true, false, false, false});
    // A scalar pointer, another cv, a pointer to void.
    CHECK(stored(at == static_cast<const int*>(x + 2)) == std::array{false, false, true, false});
    CHECK(stored(static_cast<const void*>(x + 3) == at) == std::array{false, false, false, true});
    CHECK(stored(static_cast<void*>(x + 1) < at) == std::array{false, false, true, true});
    const auto square = at < ct::reshape<ct::shape<4, 1>>(at);
    static_assert(std::is_same_v<decltype(square), const tile<bool, 4, 4>>);
    CHECK(stored(square)[4]);
    CHECK_FALSE(stored(square)[1]);
    CHECK(p.defects() == 0);
  });
}

// Addresses are compared as unsigned numbers: one with its highest bit set is no negative one.
TEST_CASE("arithmetic operations / Pointer Comparison / null is below every address", "[clauses]") {
  in_kernel([](const probe&) {
    const auto high = ct::element_bitcast<int*>(tile<unsigned long>(~0UL - 7));
    const auto null = ct::full<tile<int*>>(nullptr);
    CHECK(stored(null < high));
    CHECK_FALSE(stored(high <= null));
  });
}

TEST_CASE("arithmetic operations / Null Pointer Equality / true where null", "[clauses]") {
  in_kernel([](const probe&) {
    int x = 0;
    const auto t = loaded<4>(std::array<int*, 4>{nullptr, &x, &x + 1, nullptr});
    static_assert(std::is_same_v<decltype(t == nullptr), tile<bool, 4>>);
    CHECK(stored(t == nullptr) == std::array{true, false, false, true});
    CHECK(stored(nullptr == t) == std::array{true, false, false, true});
    CHECK(stored(ct::full<tile<const void*>>(nullptr) == nullptr));
  });
}

TEST_CASE("arithmetic operations / Null Pointer Inequality / false where null", "[clauses]") {
  in_kernel([](const probe&) {
    int x = 0;
    const auto t = loaded<4>(std::array<int*, 4>{nullptr, &x, &x + 1, nullptr});
    static_assert(std::is_same_v<decltype(nullptr != t), tile<bool, 4>>);
    CHECK(stored(t != nullptr) == std::array{false, true, true, false});
    CHECK(stored(nullptr != t) == std::array{false, true, true, false});
    CHECK_FALSE(stored(ct::full<tile<float*>>(nullptr) != nullptr));
  });
}

} // namespace tilesim::clauses
