// The integer clauses of the page of arithmetic operations, by their headings.
// SPDX-License-Identifier: Apache-2.0
#include <tests/clauses/integers.hpp>

namespace tilesim::clauses {
namespace {

TILESIM_BINARY(plus, false, a + b)
TILESIM_BINARY(add, true, ct::add(a, b))
TILESIM_BINARY(minus, false, a - b)
TILESIM_BINARY(sub, true, ct::sub(a, b))
TILESIM_BINARY(times, false, a* b)
TILESIM_BINARY(mul, true, ct::mul(a, b))
TILESIM_BINARY(over, false, a / b)
TILESIM_BINARY(div, true, ct::div(a, b))
TILESIM_BINARY(ceildiv, true, ct::ceildiv(a, b))
TILESIM_BINARY(floordiv, true, ct::floordiv(a, b))
TILESIM_BINARY(percent, false, a % b)
TILESIM_BINARY(remainder, true, ct::remainder(a, b))
TILESIM_BINARY(maximum, true, ct::max(a, b))
TILESIM_BINARY(minimum, true, ct::min(a, b))
TILESIM_BINARY(mulhi, true, ct::mulhi(a, b))
TILESIM_UNARY(negative, false, -a)
TILESIM_UNARY(absolute, true, ct::abs(a))

constexpr int min32 = std::numeric_limits<int>::min();
constexpr int max32 = std::numeric_limits<int>::max();
constexpr auto undefined = std::nullopt;

const auto sum = []<class T>(wide a, wide b) { return representable<T>(a + b); };
const auto sum_modulo = []<class T>(wide a, wide b) { return modulo<T>(a + b); };
const auto difference = []<class T>(wide a, wide b) { return representable<T>(a - b); };
const auto difference_modulo = []<class T>(wide a, wide b) { return modulo<T>(a - b); };
const auto product = []<class T>(wide a, wide b) { return representable<T>(a * b); };

/// a * b modulo 2^n; the product of two 64-bit unsigned numbers is cut before it overflows.
const auto product_modulo = []<class T>(wide a, wide b) {
  __extension__ using unsigned_wide = unsigned __int128;
  const auto r = static_cast<unsigned_wide>(a) * static_cast<unsigned_wide>(b);
  return static_cast<T>(r & static_cast<unsigned_wide>(largest<T>));
};

/// Undefined where the divisor is zero or the quotient is no T.
template <class T>
std::optional<T> quotient(wide a, wide b, wide (*rounded)(wide, wide)) {
  return b == 0 ? undefined : representable<T>(rounded(a, b));
}
const auto truncated_quotient = []<class T>(wide a, wide b) {
  return quotient<T>(a, b, truncated);
};
const auto ceiling_quotient = []<class T>(wide a, wide b) { return quotient<T>(a, b, ceiling); };
const auto floor_quotient = []<class T>(wide a, wide b) { return quotient<T>(a, b, floored); };
const auto rest = []<class T>(wide a, wide b) {
  return quotient<T>(a, b, truncated).has_value() ? representable<T>(a - truncated(a, b) * b)
                                                  : std::optional<T>{};
};

const auto higher = []<class T>(wide a, wide b) { return static_cast<T>(a > b ? a : b); };
const auto lower = []<class T>(wide a, wide b) { return static_cast<T>(a > b ? b : a); };

/// floor(a * b / 2^N) of the operands modulo 2^N, as a T.
const auto high_product = []<class T>(wide a, wide b) {
  __extension__ using unsigned_wide = unsigned __int128;
  const auto mask = static_cast<unsigned_wide>(modulus<T> - 1);
  const auto r = (static_cast<unsigned_wide>(a) & mask) * (static_cast<unsigned_wide>(b) & mask);
  return modulo<T>(static_cast<wide>(r >> static_cast<unsigned>(bits_of<T>)));
};

} // namespace

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Addition / rows", "[clauses]") {
  check_rows<add>({row<int>{"sum", 2, 3, 5},
                   {"of opposite ends", min32, max32, -1},
                   {"up to the maximum", max32 - 1, 1, max32},
                   {"beyond the maximum", max32, 1, undefined},
                   {"down to the minimum", min32 + 1, -1, min32},
                   {"below the minimum", min32, -1, undefined}});
  check_rows<add>({row<unsigned>{"wraps", 0xffffffffU, 2, 1}, {"to zero", 1, 0xffffffffU, 0}});
  check_rows<add>({row<signed char>{"not promoted: stays in range", 100, 27, 127},
                   {"not promoted: leaves it", 100, 28, undefined}});
  check_rows<add>({row<unsigned char>{"not promoted: wraps", 200, 100, 44}});
  check_rows<add>({row<bool>{"modulo 2", true, true, false}, {"", true, false, true}});
}

TEST_CASE("arithmetic operations / Addition / unsigned: a + b mod 2^n", "[clauses]") {
  check_types<plus>(unsigned_types{}, sum_modulo);
  check_types<add>(list<bool, unsigned char, char16_t, unsigned, unsigned long>{}, sum_modulo);
}

TEST_CASE("arithmetic operations / Addition / signed: a + b, undefined if not representable",
          "[clauses]") {
  check_types<plus>(signed_types{}, sum);
  check_types<add>(list<signed char, short, int, long>{}, sum);
}

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Subtraction / rows", "[clauses]") {
  check_rows<sub>({row<int>{"difference", 2, 3, -1},
                   {"down to the minimum", -1, max32, min32},
                   {"below the minimum", -2, max32, undefined},
                   {"up to the maximum", -1, min32, max32},
                   {"beyond the maximum", 0, min32, undefined}});
  check_rows<sub>({row<unsigned>{"wraps", 0, 1, 0xffffffffU}});
  check_rows<sub>({row<bool>{"modulo 2", false, true, true}});
}

TEST_CASE("arithmetic operations / Subtraction / unsigned: a - b mod 2^n", "[clauses]") {
  check_types<minus>(unsigned_types{}, difference_modulo);
  check_types<sub>(list<bool, unsigned char, unsigned, unsigned long long>{}, difference_modulo);
}

TEST_CASE("arithmetic operations / Subtraction / signed: a - b, undefined if not representable",
          "[clauses]") {
  check_types<minus>(signed_types{}, difference);
  check_types<sub>(list<signed char, short, int, long long>{}, difference);
}

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Negation / unsigned: 2^n - a, no promotion", "[clauses]") {
  in_kernel([](const probe& p) {
    for_each_type(unsigned_types{}, [&]<class T>() {
      CHECK(check_values<negative, T>(p, edges<T>(), [](T a) {
              return std::optional<T>(modulo<T>(modulus<T> - static_cast<wide>(a)));
            }) == "");
    });
  });
}

TEST_CASE("arithmetic operations / Negation / signed: -a, undefined for the minimum", "[clauses]") {
  in_kernel([](const probe& p) {
    for_each_type(signed_types{}, [&]<class T>() {
      CHECK(check_values<negative, T>(
                p, edges<T>(), [](T a) { return representable<T>(-static_cast<wide>(a)); }) == "");
    });
  });
}

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Multiplication / rows", "[clauses]") {
  check_rows<mul>({row<int>{"product", -7, 6, -42},
                   {"just fits", 65536, -32768, min32},
                   {"just does not", 65536, 32768, undefined},
                   {"of the minimum and -1", min32, -1, undefined}});
  check_rows<mul>({row<unsigned>{"wraps", 0x80000001U, 2, 2}});
  check_rows<mul>({row<unsigned short>{"not promoted to int", 0xffff, 0xffff, 1}});
  check_rows<mul>({row<bool>{"", true, true, true}, {"", true, false, false}});
}

TEST_CASE("arithmetic operations / Multiplication / unsigned: a * b mod 2^n", "[clauses]") {
  check_types<times>(unsigned_types{}, product_modulo);
  check_types<mul>(list<bool, unsigned short, unsigned long>{}, product_modulo);
}

TEST_CASE("arithmetic operations / Multiplication / signed: a * b, undefined if not representable",
          "[clauses]") {
  check_types<times>(signed_types{}, product);
  check_types<mul>(list<signed char, int, long>{}, product);
}

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Division / rows", "[clauses]") {
  check_rows<div>({row<int>{"toward zero", 7, 2, 3},
                   {"toward zero from below", -7, 2, -3},
                   {"by a negative", 7, -2, -3},
                   {"of two negatives", -7, -2, 3},
                   {"by zero", 7, 0, undefined},
                   {"zero by zero", 0, 0, undefined},
                   {"of the minimum by -1", min32, -1, undefined},
                   {"of its neighbour by -1", min32 + 1, -1, max32}});
  check_rows<div>({row<unsigned>{"of large numbers", 0xfffffffeU, 0xffffffffU, 0},
                   {"", 0xffffffffU, 0xfffffffeU, 1},
                   {"by zero", 1, 0, undefined}});
  check_rows<div>({row<bool>{"", true, true, true}, {"by false", true, false, undefined}});
}

TEST_CASE("arithmetic operations / Division / integers: trunc(a / b), undefined by zero or if not "
          "representable",
          "[clauses]") {
  check_types<over>(signed_types{}, truncated_quotient);
  check_types<over>(unsigned_types{}, truncated_quotient);
  check_types<div>(list<bool, char, unsigned short, int, unsigned long>{}, truncated_quotient);
}

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Ceiling Integer Division / rows", "[clauses]") {
  check_rows<ceildiv>({row<int>{"up", 7, 2, 4},
                       {"up from below", -7, 2, -3},
                       {"of two negatives", -7, -2, 4},
                       {"exact", -8, 2, -4},
                       {"by zero", 7, 0, undefined},
                       {"of the minimum by -1", min32, -1, undefined},
                       {"of the maximum by 1", max32, 1, max32}});
  check_rows<ceildiv>(
      {row<unsigned char>{"of the maximum", 255, 2, 128}, {"by zero", 1, 0, undefined}});
}

TEST_CASE("arithmetic operations / Ceiling Integer Division / ceil(a / b), undefined by zero or if "
          "not representable",
          "[clauses]") {
  check_types<ceildiv>(signed_types{}, ceiling_quotient);
  check_types<ceildiv>(unsigned_types{}, ceiling_quotient);
}

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Floor Integer Division / rows", "[clauses]") {
  check_rows<floordiv>({row<int>{"down", 7, 2, 3},
                        {"down from below", -7, 2, -4},
                        {"by a negative", 7, -2, -4},
                        {"exact", -8, 2, -4},
                        {"by zero", 7, 0, undefined},
                        {"of the minimum by -1", min32, -1, undefined}});
  check_rows<floordiv>(
      {row<unsigned char>{"of the maximum", 255, 2, 127}, {"by zero", 1, 0, undefined}});
}

TEST_CASE("arithmetic operations / Floor Integer Division / floor(a / b), undefined by zero or if "
          "not representable",
          "[clauses]") {
  check_types<floordiv>(signed_types{}, floor_quotient);
  check_types<floordiv>(unsigned_types{}, floor_quotient);
}

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Remainder / integer rows", "[clauses]") {
  check_rows<remainder>(
      {row<int>{"has the dividend's sign", -7, 2, -1},
       {"whatever the divisor's", 7, -2, 1},
       {"integral, not to the nearest", 7, 4, 3},
       {"by zero", 7, 0, undefined},
       {"of the minimum by -1: the quotient is not representable", min32, -1, undefined},
       {"of the minimum by 1", min32, 1, 0}});
  check_rows<remainder>({row<unsigned>{"", 0xffffffffU, 10, 5}, {"by zero", 0, 0, undefined}});
  check_rows<remainder>({row<bool>{"", true, true, false}, {"by false", false, false, undefined}});
}

TEST_CASE("arithmetic operations / Remainder / integers: a - trunc(a / b) * b, undefined where the "
          "quotient is",
          "[clauses]") {
  check_types<percent>(signed_types{}, rest);
  check_types<percent>(unsigned_types{}, rest);
  check_types<remainder>(list<bool, signed char, short, unsigned, long long>{}, rest);
}

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Maximum / integers: a if a > b, else b", "[clauses]") {
  check_rows<maximum>({row<int>{"by sign", -1, 1, 1}, {"", min32, max32, max32}});
  check_rows<maximum>({row<unsigned>{"without sign", 0xffffffffU, 1, 0xffffffffU}});
  check_types<maximum>(signed_types{}, higher);
  check_types<maximum>(unsigned_types{}, higher);
}

TEST_CASE("arithmetic operations / Minimum / integers: b if a > b, else a", "[clauses]") {
  check_rows<minimum>({row<int>{"by sign", -1, 1, -1}, {"", min32, max32, min32}});
  check_rows<minimum>({row<unsigned>{"without sign", 0xffffffffU, 1, 1}});
  check_types<minimum>(signed_types{}, lower);
  check_types<minimum>(unsigned_types{}, lower);
}

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Absolute Value / integers: |a|, undefined for the minimum",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const auto check = [&]<class T>() {
      CHECK(check_values<absolute, T>(p, edges<T>(), [](T a) {
              return representable<T>(a < T{} ? -static_cast<wide>(a) : static_cast<wide>(a));
            }) == "");
    };
    for_each_type(signed_types{}, check);
    for_each_type(unsigned_types{}, check);
  });
}

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Multiply High Bits / unsigned: floor(a * b / 2^N)",
          "[clauses]") {
  check_rows<mulhi>(
      {row<unsigned>{"", 0x10000, 0x30000, 3}, {"largest", 0xffffffffU, 0xffffffffU, 0xfffffffeU}});
  check_rows<mulhi>({row<bool>{"of one bit there is none", true, true, false}});
  check_types<mulhi>(unsigned_types{}, high_product);
}

TEST_CASE("arithmetic operations / Multiply High Bits / signed: operands read as unsigned",
          "[clauses]") {
  check_rows<mulhi>({row<int>{"-1 is 2^32 - 1", -1, -1, -2},
                     {"-1 * 1 has no sign to extend", -1, 1, 0},
                     {"", -1171259281, -1170105035, -2022270762}});
  check_types<mulhi>(signed_types{}, high_product);
}

} // namespace tilesim::clauses
