// The clauses of the page of arithmetic operations that are about bits and truth, by their
// headings. SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <tests/clauses/integers.hpp>

namespace tilesim::clauses {
namespace {

TILESIM_BINARY(bit_and, false, a& b)
TILESIM_BINARY(bit_or, false, a | b)
TILESIM_BINARY(bit_xor, false, a ^ b)
TILESIM_BINARY(shift_left, false, a << b)
TILESIM_BINARY(shift_right, false, a >> b)
TILESIM_UNARY(complement, false, ~a)
TILESIM_UNARY(negation, false, !a)

constexpr auto undefined = std::nullopt;

/// Bit by bit, by a truth table of two columns: table[x][y].
template <class T>
T by_table(wide a, wide b, const int (&table)[2][2]) {
  wide r = 0;
  for (int i = 0; i < bits_of<T>; ++i) {
    const auto bit = [i](wide x) { return static_cast<int>((x >> i) & 1); };
    r |= static_cast<wide>(table[bit(a)][bit(b)]) << i;
  }
  return modulo<T>(r);
}
const auto exact_and = []<class T>(wide a, wide b) { return by_table<T>(a, b, {{0, 0}, {0, 1}}); };
const auto exact_or = []<class T>(wide a, wide b) { return by_table<T>(a, b, {{0, 1}, {1, 1}}); };
const auto exact_xor = []<class T>(wide a, wide b) { return by_table<T>(a, b, {{0, 1}, {1, 0}}); };

/// Shift counts of a type: inside, at and beyond the width N of the shifted type, negative ones,
/// and ones that would seem to be inside if cut to N bits.
template <class Count>
std::array<Count, 16> counts(int width) {
  std::array<Count, 16> values{};
  std::size_t i = 0;
  for (const wide x : {wide{0},
                       wide{1},
                       wide{2},
                       wide{3},
                       wide{width / 2},
                       wide{width} - 1,
                       wide{width},
                       wide{width} + 1,
                       wide{2 * width},
                       wide{-1},
                       wide{-2},
                       wide{256},
                       wide{257},
                       wide{1} << 32,
                       smallest<Count>,
                       largest<Count>}) {
    values[i++] = modulo<Count>(x);
  }
  return values;
}

/// Both shifts of T by all counts of the types of a list.
template <class T, class Counts>
void check_shifts(const probe& p, Counts types) {
  for_each_type(types, [&]<class Count>() {
    CAPTURE(type_name<T>(), type_name<Count>());
    const auto outside = [](Count b) {
      return static_cast<wide>(b) < 0 || static_cast<wide>(b) >= bits_of<T>;
    };
    CHECK(check_pairs<shift_left, T>(
              p, edges<T>(), counts<Count>(bits_of<T>), [&](T a, Count b) -> std::optional<T> {
                return outside(b) ? undefined
                                  : std::optional<T>(modulo<T>(static_cast<wide>(a) *
                                                               (wide{1} << static_cast<int>(b))));
              }) == "");
    CHECK(check_pairs<shift_right, T>(
              p, edges<T>(), counts<Count>(bits_of<T>), [&](T a, Count b) -> std::optional<T> {
                return outside(b) ? undefined
                                  : std::optional<T>(modulo<T>(floored(
                                        static_cast<wide>(a), wide{1} << static_cast<int>(b))));
              }) == "");
  });
}

} // namespace

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Bitwise And / the truth table, bit by bit", "[clauses]") {
  check_rows<bit_and>({row<int>{"", 12, 10, 8}, {"of a negative", -1, 7, 7}});
  check_rows<bit_and>(
      {row<bool>{"", false, true, false}, {"", true, false, false}, {"", true, true, true}});
  check_types<bit_and>(signed_types{}, exact_and);
  check_types<bit_and>(unsigned_types{}, exact_and);
}

TEST_CASE("arithmetic operations / Bitwise Or / the truth table, bit by bit", "[clauses]") {
  check_rows<bit_or>({row<int>{"", 12, 10, 14}, {"of a negative", -8, 7, -1}});
  check_rows<bit_or>(
      {row<bool>{"", false, false, false}, {"", true, false, true}, {"", true, true, true}});
  check_types<bit_or>(signed_types{}, exact_or);
  check_types<bit_or>(unsigned_types{}, exact_or);
}

TEST_CASE("arithmetic operations / Bitwise Xor / the truth table, bit by bit", "[clauses]") {
  check_rows<bit_xor>({row<int>{"", 12, 10, 6}, {"of a negative", -1, 7, -8}});
  check_rows<bit_xor>(
      {row<bool>{"", false, false, false}, {"", true, false, true}, {"", true, true, false}});
  check_types<bit_xor>(signed_types{}, exact_xor);
  check_types<bit_xor>(unsigned_types{}, exact_xor);
}

// The page excludes bool; NVIDIA's compiler accepts it from 13.4 on: its only bit is inverted.
TEST_CASE("arithmetic operations / Bitwise Complement / every bit inverted, no promotion",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const auto check = [&]<class T>() {
      CHECK(check_values<complement, T>(p, edges<T>(), [](T a) {
              return std::optional<T>(modulo<T>(-static_cast<wide>(a) - 1));
            }) == "");
    };
    for_each_type(signed_types{}, check);
    for_each_type(unsigned_types{}, check);
  });
}

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Left Bitshift / rows", "[clauses]") {
  check_rows<shift_left>({row<int>{"", 3, 4, 48},
                          {"into the sign: congruent modulo 2^N", 1, 31, -2147483647 - 1},
                          {"bits fall off", -1, 31, -2147483647 - 1},
                          {"of a negative", -3, 2, -12},
                          {"by the width", 1, 32, undefined},
                          {"by a negative count", 1, -1, undefined}});
  check_rows<shift_left>(
      {row<unsigned char>{"not promoted", 200, 1, 144}, {"by the width", 1, 8, undefined}});
}

TEST_CASE("arithmetic operations / Left Bitshift, Right Bitshift / every type by counts of every "
          "width, undefined if negative or not below the bitwidth",
          "[clauses]") {
  using some_counts =
      list<bool, signed char, unsigned char, short, int, unsigned, long, unsigned long>;
  in_kernel([](const probe& p) {
    check_shifts<int>(p, some_counts{});
    check_shifts<unsigned char>(p, some_counts{});
    check_shifts<long long>(p, some_counts{});
    check_shifts<bool>(p, list<bool, char, int, unsigned long>{});
    for_each_type(signed_types{}, [&]<class T>() { check_shifts<T>(p, list<T>{}); });
    for_each_type(unsigned_types{}, [&]<class T>() { check_shifts<T>(p, list<T, int>{}); });
  });
}

TEST_CASE("arithmetic operations / Right Bitshift / rows", "[clauses]") {
  check_rows<shift_right>({row<int>{"floor of a negative", -7, 1, -4},
                           {"to the sign", -2147483647 - 1, 31, -1},
                           {"by the width", -1, 32, undefined},
                           {"by a negative count", 1, -1, undefined}});
  check_rows<shift_right>({row<unsigned>{"without sign", 0xffffffffU, 28, 15}});
}

// ------------------------------------------------------------------------------------------------
namespace {

/// Elements that are false or true as bool, of every class of types.
template <class T>
void check_truth(const std::array<T, 4>& x, const std::array<bool, 4>& truth) {
  const std::array<bool, 4> other{false, true, true, false};
  const auto t = loaded<4>(x);
  const auto o = loaded<4>(other);
  const auto conjunction = stored(t && o);
  const auto conjunction_swapped = stored(o && t);
  const auto disjunction = stored(t || o);
  const auto disjunction_swapped = stored(o || t);
  const auto with_scalar = stored(t && true);
  const auto or_scalar = stored(false || t);
  const auto of_column = stored(loaded<4, 1>(x) && loaded<1, 4>(other));
  const auto negated = !t;
  static_assert(std::is_same_v<decltype(negated), const tile<bool, 4>>);
  const auto n = stored(negated);
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    CHECK(conjunction[i] == (truth[i] && other[i]));
    CHECK(conjunction_swapped[i] == (truth[i] && other[i]));
    CHECK(disjunction[i] == (truth[i] || other[i]));
    CHECK(disjunction_swapped[i] == (truth[i] || other[i]));
    CHECK(with_scalar[i] == truth[i]);
    CHECK(or_scalar[i] == truth[i]);
    CHECK(n[i] == !truth[i]);
    for (std::size_t k = 0; k < 4; ++k) {
      CHECK(of_column[4 * i + k] == (truth[i] && other[k]));
    }
  }
}

} // namespace

TEST_CASE("arithmetic operations / Logical Conjunction, Disjunction, Negation / the truth tables",
          "[clauses]") {
  in_kernel([](const probe& p) {
    check_truth<bool>({false, true, false, true}, {false, true, false, true});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("arithmetic operations / Logical Conjunction, Disjunction, Negation / operands are bool "
          "tile converted - every integer, float and pointer",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const auto integers = [&]<class T>() {
      check_truth<T>({T{0}, std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), T{1}},
                     {false, true, std::numeric_limits<T>::min() != T{0}, true});
    };
    for_each_type(signed_types{}, integers);
    for_each_type(unsigned_types{}, integers);
    // Only zeros are false: a subnormal, an infinity and a NaN are true.
    const double nan = std::numeric_limits<double>::quiet_NaN();
    check_truth<float>({0.0F, -0.0F, 0x1p-149F, static_cast<float>(nan)},
                       {false, false, true, true});
    check_truth<double>({-0.0, 0x1p-1074, nan, -std::numeric_limits<double>::infinity()},
                        {false, true, true, true});
    check_truth<__half>({__half(0.0F), __half(-0.0F), __half(0x1p-24F), __half(nan)},
                        {false, false, true, true});
    check_truth<__nv_bfloat16>(
        {__nv_bfloat16(-0.0F), __nv_bfloat16(0x1p-133F), __nv_bfloat16(nan), __nv_bfloat16(0.0F)},
        {false, true, true, false});
    int x = 0;
    check_truth<int*>({nullptr, &x, nullptr, &x + 1}, {false, true, false, true});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("arithmetic operations / Logical Conjunction, Disjunction / operands of different types "
          "and shapes",
          "[clauses]") {
  in_kernel([](const probe&) {
    const auto zero_one = ct::iota<tile<int, 2>>();
    const auto r = zero_one && loaded<2, 1>(std::array{0.5, 0.0});
    static_assert(std::is_same_v<decltype(r), const tile<bool, 2, 2>>);
    CHECK(stored(r) == std::array{false, true, false, false});
    int x = 0;
    const auto q = static_cast<int*>(nullptr) || (&x + zero_one) || 0.0F;
    static_assert(std::is_same_v<decltype(q), const tile<bool, 2>>);
    CHECK(stored(q) == std::array{true, true});
  });
}

// "elementwise": both operands are evaluated, as of every overloaded operator.
TEST_CASE("arithmetic operations / Logical Conjunction, Disjunction / there is no short circuit",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const auto one = tile<int>(1);
    const auto no = tile<bool>(false);
    bool result = true;
    CHECK(p.is_undefined([&] { result = stored(no && (one / 0 == 1)); }));
    CHECK_FALSE(result);
    CHECK_FALSE(p.is_undefined([&] { result = stored(!no || (one / 1 == 1)); }));
    CHECK(result);
    CHECK(p.is_undefined([&] { result = stored(!no || (one / 0 == 1)); }));
    CHECK(result);
  });
}

} // namespace tilesim::clauses
