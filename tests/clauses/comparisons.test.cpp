// Comparison Operators of the page of arithmetic operations: predicates, and the conversion of the
// operands, which is not that of arithmetic.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <tests/clauses/integers.hpp>

namespace tilesim::clauses {
namespace {

TILESIM_BINARY(equal, false, a == b)
TILESIM_BINARY(not_equal, false, a != b)
TILESIM_BINARY(less, false, a < b)
TILESIM_BINARY(less_equal, false, a <= b)
TILESIM_BINARY(greater, false, a > b)
TILESIM_BINARY(greater_equal, false, a >= b)

/// The six predicates on pairs of integers of two types.
template <class T, class U>
void check_predicates(const probe& p) {
  CAPTURE(type_name<T>(), type_name<U>());
  const auto check = [&]<class Op>(Op, bool (*holds)(wide, wide)) {
    CHECK(check_pairs<Op, bool>(p, edges<T>(), edges<U>(), [&](T a, U b) {
            return std::optional<bool>(holds(static_cast<wide>(a), static_cast<wide>(b)));
          }) == "");
  };
  check(equal{}, [](wide a, wide b) { return a == b; });
  check(not_equal{}, [](wide a, wide b) { return a != b; });
  check(less{}, [](wide a, wide b) { return a < b; });
  check(less_equal{}, [](wide a, wide b) { return a <= b; });
  check(greater{}, [](wide a, wide b) { return a > b; });
  check(greater_equal{}, [](wide a, wide b) { return a >= b; });
}

/// What each operator gives for a pair: == != < <= > >=.
struct outcomes {
  bool equal, not_equal, less, less_equal, greater, greater_equal;
  friend bool operator==(const outcomes&, const outcomes&) = default;
};
constexpr outcomes below{false, true, true, true, false, false};
constexpr outcomes above{false, true, false, false, true, true};
constexpr outcomes alike{true, false, false, true, false, true};
constexpr outcomes unordered{false, true, false, false, false, false};

template <class L, class R>
outcomes compared(const L& a, const R& b) {
  return {
      stored(a == b), stored(a != b), stored(a < b), stored(a <= b), stored(a > b), stored(a >= b)};
}

} // namespace

TEST_CASE("arithmetic operations / Comparison Operators / integers: the mathematical predicates",
          "[clauses]") {
  in_kernel([](const probe& p) {
    for_each_type(list<bool,
                       char,
                       unsigned char,
                       short,
                       char16_t,
                       int,
                       unsigned,
                       wchar_t,
                       long,
                       unsigned long>{},
                  [&]<class T>() { check_predicates<T, T>(p); });
  });
}

TEST_CASE("arithmetic operations / Comparison Operators / integers of two types, in their common "
          "type, scalars as well as tiles",
          "[clauses]") {
  in_kernel([](const probe& p) {
    check_predicates<char, int>(p);
    check_predicates<long, short>(p);
    check_predicates<unsigned char, int>(p);
    check_predicates<bool, signed char>(p);
    check_predicates<unsigned, long>(p);
    check_predicates<unsigned, unsigned long long>(p);
  });
}

// compareQuietEqual and compareQuietNotEqual, the others signaling; a NaN is unequal to everything.
TEST_CASE("arithmetic operations / Comparison Operators / floating point: IEEE 754's predicates",
          "[clauses]") {
  in_kernel([](const probe& p) {
    for_each_type(basic_floating_point_types{}, [&]<class T>() {
      CAPTURE(type_name<T>());
      const auto value = [](double x) { return tile<T>(static_cast<T>(static_cast<float>(x))); };
      const double infinity = std::numeric_limits<double>::infinity();
      const double nan = std::numeric_limits<double>::quiet_NaN();
      const double tiny = 0x1p-24; // subnormal in half
      CHECK(compared(value(1), value(2)) == below);
      CHECK(compared(value(2), value(-3)) == above);
      CHECK(compared(value(1.5), value(1.5)) == alike);
      CHECK(compared(value(0.0), value(-0.0)) == alike);
      CHECK(compared(value(-tiny), value(0.0)) == below);
      CHECK(compared(value(tiny), value(2 * tiny)) == below);
      CHECK(compared(value(infinity), value(infinity)) == alike);
      CHECK(compared(value(-infinity), value(-2)) == below);
      CHECK(compared(value(nan), value(1)) == unordered);
      CHECK(compared(value(-infinity), value(nan)) == unordered);
      CHECK(compared(value(nan), value(nan)) == unordered);
    });
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("arithmetic operations / Comparison Operators / mixed operands: converted to the common "
          "type, integers to floating point too",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const auto i = ct::iota<tile<int, 4>>();
    CHECK(stored(i < 1.5) == std::array{true, true, false, false});
    CHECK(stored(2.0F == i) == std::array{false, false, true, false});
    CHECK(stored(i >= 2L) == std::array{false, false, true, true});
    CHECK(stored(static_cast<short>(1) != i) == std::array{true, false, true, true});
    // A double scalar does not become float: the tile becomes double.
    CHECK(stored(tile<float>(0.1F) == 0.1) == false);
    CHECK(stored(tile<float>(0.1F) > 0.1) == true);
    CHECK(stored(tile<__half>(__half(0.1F)) == 0.1F) == false);
    // 2^24 + 1 is no float: rounded to even it is equal to 2^24.
    CHECK(stored(tile<int>(16777217) == 16777216.0F) == true);
    CHECK(stored(tile<int>(16777217) == 16777216.0) == false);
    CHECK(stored(tile<long>(std::numeric_limits<long>::max()) == 0x1p63) == true);
    // A column of short with a row of double.
    const auto r = loaded<2, 1>(std::array<short, 2>{1, 3}) <= loaded<1, 2>(std::array{1.0, 2.5});
    static_assert(std::is_same_v<decltype(r), const tile<bool, 2, 2>>);
    CHECK(stored(r) == std::array{true, true, false, false});
    CHECK(p.defects() == 0);
  });
}

} // namespace tilesim::clauses
