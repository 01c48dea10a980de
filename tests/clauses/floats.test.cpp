// The floating-point clauses of the page of arithmetic operations, by their headings.
// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <tests/clauses/floats.hpp>

namespace tilesim::clauses {
namespace {

using ct::rounding_mode;
using ct::subnormals_rounding_mode;

template <rounding_mode M>
using with = ct::rounding_mode_constant<M>;
template <subnormals_rounding_mode S>
using subnormals = ct::subnormals_rounding_mode_constant<S>;
constexpr auto keep = subnormals_rounding_mode::preserve_subnormals;
constexpr auto flush = subnormals_rounding_mode::round_subnormals_to_zero;

/// Operations and their functions.
template <opcode Op>
struct function;
#define TILESIM_FUNCTION(op, name, sign)                                                           \
  template <>                                                                                      \
  struct function<opcode::op> {                                                                    \
    template <class L, class R, class... Modes>                                                    \
    static auto apply(const L& a, const R& b, Modes... modes) {                                    \
      return ct::name(a, b, modes...);                                                             \
    }                                                                                              \
    template <class L, class R>                                                                    \
    static auto by_operator(const L& a, const R& b) {                                              \
      return a sign b;                                                                             \
    }                                                                                              \
  };
TILESIM_FUNCTION(addf, add, +)
TILESIM_FUNCTION(subf, sub, -)
TILESIM_FUNCTION(mulf, mul, *)
TILESIM_FUNCTION(divf, div, /)

constexpr rounding machine_mode(rounding_mode m) {
  switch (m) {
  case rounding_mode::round_toward_zero:
    return rounding::zero;
  case rounding_mode::round_toward_negative:
    return rounding::negative_inf;
  case rounding_mode::round_toward_positive:
    return rounding::positive_inf;
  default:
    return rounding::nearest_even;
  }
}

/// Overload (3) in one precise mode: with the mode alone, with both, and flushing where T is float.
template <opcode Op, class T, rounding_mode M>
void check_mode(const probe& p) {
  CAPTURE(type_name<T>(), static_cast<int>(M));
  const auto f = [](const auto& a, const auto& b) {
    return function<Op>::apply(a, b, with<M>{}, subnormals<keep>{});
  };
  CHECK(check_all_pairs<T>(p, f, exactly<T>(Op, machine_mode(M))) == "");
  const auto values = telling_values<T>();
  const auto x = loaded<32, 1>(values);
  const auto y = loaded<1, 32>(values);
  const auto got = stored(function<Op>::apply(x, y, with<M>{}));
  const auto same = stored(f(x, y));
  CHECK(std::memcmp(&got, &same, sizeof got) == 0);
  if constexpr (std::is_same_v<T, float>) {
    const auto flushed = [](const auto& a, const auto& b) {
      return function<Op>::apply(a, b, with<M>{}, subnormals<flush>{});
    };
    CHECK(check_all_pairs<T>(p, flushed, exactly<T>(Op, machine_mode(M), true)) == "");
  }
}

/// Overloads (1), (2) and (3) of every basic floating-point type.
template <opcode Op>
void check_operation() {
  in_kernel([](const probe& p) {
    for_each_type(basic_floating_point_types{}, [&]<class T>() {
      check_mode<Op, T, rounding_mode::round_ties_to_even>(p);
      check_mode<Op, T, rounding_mode::round_toward_zero>(p);
      check_mode<Op, T, rounding_mode::round_toward_negative>(p);
      check_mode<Op, T, rounding_mode::round_toward_positive>(p);
      // (1) and (2): ties to even, subnormals preserved.
      CAPTURE(type_name<T>());
      const auto plain = [](const auto& a, const auto& b) { return function<Op>::apply(a, b); };
      CHECK(check_all_pairs<T>(p, plain, exactly<T>(Op, rounding::nearest_even)) == "");
      const auto values = telling_values<T>();
      const auto x = loaded<32, 1>(values);
      const auto y = loaded<1, 32>(values);
      const auto by_operator = stored(function<Op>::by_operator(x, y));
      const auto by_name = stored(plain(x, y));
      CHECK(std::memcmp(&by_operator, &by_name, sizeof by_name) == 0);
    });
  });
}

} // namespace

TEST_CASE("arithmetic operations / Addition / floating point: "
          "subround(addition(subround(a), subround(b))) in four modes",
          "[clauses][mpfr]") {
  check_operation<opcode::addf>();
}
TEST_CASE("arithmetic operations / Subtraction / floating point: "
          "subround(subtraction(subround(a), subround(b))) in four modes",
          "[clauses][mpfr]") {
  check_operation<opcode::subf>();
}
TEST_CASE("arithmetic operations / Multiplication / floating point: "
          "subround(multiplication(subround(a), subround(b))) in four modes",
          "[clauses][mpfr]") {
  check_operation<opcode::mulf>();
}
TEST_CASE("arithmetic operations / Division / floating point: "
          "subround(div(subround(a), subround(b))) in four modes",
          "[clauses][mpfr]") {
  check_operation<opcode::divf>();
}

// A fast approximation "using a multiplication by reciprocal", and one with better accuracy: within
// 2 units in the last place of the quotient, the former for divisors in [2^-126, 2^126].
TEST_CASE("arithmetic operations / Division / round approximate and round full",
          "[clauses][mpfr]") {
  in_kernel([](const probe& p) {
    const auto values = telling_values<float>();
    const auto x = loaded<32, 1>(values);
    const auto y = loaded<1, 32>(values);
    const auto check = [&](bool flushes, bool is_full, const auto& quotients) {
      CAPTURE(flushes, is_full);
      int wrong = 0;
      for (std::size_t i = 0; i < quotients.size(); ++i) {
        double a = value_of(values[i / 32]), b = value_of(values[i % 32]);
        if (flushes) {
          a = subround<float>(a);
          b = subround<float>(b);
        }
        if (!is_full && (std::fabs(b) < 0x1p-126 || std::fabs(b) > 0x1p126)) {
          continue;
        }
        double want = test::exact(opcode::divf, test::exact_double, rounding::nearest_even, a, b);
        const double got = value_of(quotients[i]);
        if (std::isnan(want) || std::isinf(want) || want == 0) {
          wrong += !test::same(got, want);
          continue;
        }
        const double unit = std::ldexp(1.0, std::max(std::ilogb(want) - 23, -149));
        const bool overflows = std::fabs(want) > 0x1.fffffep127 - 2 * unit;
        const bool underflows = flushes && std::fabs(want) < 0x1p-126 + 2 * unit;
        wrong += !(std::fabs(got - want) <= 2 * unit || (overflows && std::isinf(got)) ||
                   (underflows && got == 0));
      }
      CHECK(wrong == 0);
    };
    check(false, false, stored(ct::div(x, y, ct::round_approximate_t{})));
    check(true, false, stored(ct::div(x, y, ct::round_approximate_t{}, subnormals<flush>{})));
    check(false, true, stored(ct::div(x, y, ct::round_full_t{})));
    check(true, true, stored(ct::div(x, y, ct::round_full_t{}, subnormals<flush>{})));
    CHECK(p.defects() == 0);
  });
}

// Where it can be told: a product that rounds up to the smallest normal number stays by the page,
// which flushes the rounded result; the hardware was measured to decide when the result has 24 bits
// still.
TEST_CASE("arithmetic operations / Multiplication / subround applies to the rounded result",
          "[clauses]") {
  const auto product = [](sim::ops::arithmetic how) {
    sim::options o;
    o.arithmetic = how;
    float result = -1;
    in_kernel(
        [&](const probe&) {
          result =
              ct::mul(0x1.fffffep-1F, 0x1p-126F, ct::round_ties_to_even_t{}, subnormals<flush>{});
        },
        o);
    return result;
  };
  CHECK(product(sim::ops::arithmetic::page) == 0x1p-126F);
  CHECK(product(sim::ops::arithmetic::hardware) == 0.0F);
}

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Negation, Absolute Value / floating point: the sign bit and "
          "nothing else",
          "[clauses]") {
  in_kernel([](const probe& p) {
    for_each_type(basic_floating_point_types{}, [&]<class T>() {
      CAPTURE(type_name<T>());
      const auto values = telling_values<T>();
      const auto x = loaded<32>(values);
      static_assert(std::is_same_v<decltype(-x), tile<T, 32>>);
      static_assert(std::is_same_v<decltype(ct::abs(x)), tile<T, 32>>);
      const auto negated = stored(-x);
      const auto absolute = stored(ct::abs(x));
      for (std::size_t i = 0; i < 32; ++i) {
        const double v = value_of(values[i]);
        CAPTURE(v);
        CHECK(test::same(value_of(negated[i]), -v));
        CHECK(test::same(value_of(absolute[i]), std::fabs(v)));
        CHECK(test::same(value_of(stored(-tile<T>(values[i]))), -v));
        CHECK(test::same(value_of(T{ct::abs(values[i])}), std::fabs(v)));
      }
    });
    CHECK(p.defects() == 0);
  });
}

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Remainder / floating point: a - trunc(a / b) * b",
          "[clauses][mpfr]") {
  in_kernel([](const probe& p) {
    for_each_type(basic_floating_point_types{}, [&]<class T>() {
      CAPTURE(type_name<T>());
      const auto f = [](const auto& a, const auto& b) { return ct::remainder(a, b); };
      // "If a and b are both infinite, the behavior is unspecified."
      CHECK(check_all_pairs<T>(
                p, f, exactly<T>(opcode::remf, rounding::nearest_even), [](double a, double b) {
                  return !std::isinf(a) || !std::isinf(b);
                }) == "");
    });
  });
}

TEST_CASE("arithmetic operations / Remainder / floating point, sentence by sentence", "[clauses]") {
  in_kernel([](const probe& p) {
    const float inf = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto rest = [](float a, float b) {
      return double{stored(ct::remainder(tile<float>(a), b))};
    };
    CHECK(rest(5.5F, 2) == 1.5);
    CHECK(rest(-5.5F, 2) == -1.5);
    CHECK(rest(5.5F, -2) == 1.5);
    CHECK(rest(7, 4) == 3); // not -1, which std::remainder gives
    // "If the resulting value is 0, the sign shall match the sign of a."
    CHECK(test::same(rest(6, -2), 0.0));
    CHECK(test::same(rest(-6, 2), -0.0));
    CHECK(test::same(rest(-0.0F, 2), -0.0));
    // "If b is zero the result is NaN."
    CHECK(std::isnan(rest(1, 0)));
    CHECK(std::isnan(rest(0, -0.0F)));
    // "If either a or b is NaN, the result is NaN."
    CHECK(std::isnan(rest(nan, 1)));
    CHECK(std::isnan(rest(1, nan)));
    CHECK(std::isnan(rest(nan, inf)));
    // "If a is infinite and b is finite, the result is NaN."
    CHECK(std::isnan(rest(inf, 1)));
    CHECK(std::isnan(rest(-inf, 1)));
    // "If a is finite and b is infinite, the result is a."
    CHECK(rest(1.5F, inf) == 1.5);
    CHECK(test::same(rest(-0.0F, -inf), -0.0));
    CHECK(rest(0x1p-149F, inf) == 0x1p-149);
    CHECK(p.defects() == 0);
  });
}

// ------------------------------------------------------------------------------------------------
namespace {

// IEEE 754-2019, 9.6. maximum: NaN if either is; maximumNumber: the number if one is NaN.
double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
}
double maximum_number(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : maximum(a, b);
}
double minimum(double a, double b) {
  return -maximum(-a, -b);
}
double minimum_number(double a, double b) {
  return -maximum_number(-a, -b);
}

template <class T, class F>
void check_extremes(const probe& p,
                    F with_modes,
                    double (*number)(double, double),
                    double (*propagated)(double, double)) {
  CAPTURE(type_name<T>());
  const auto check = [&](exact_result want, auto... modes) {
    CHECK(check_all_pairs<T>(
              p, [&](const auto& a, const auto& b) { return with_modes(a, b, modes...); }, want) ==
          "");
  };
  check(number);
  check(number, ct::suppress_nan_t{});
  check(number, ct::suppress_nan_t{}, ct::preserve_subnormals_t{});
  check(propagated, ct::propagate_nan_t{});
  if constexpr (std::is_same_v<T, float>) {
    // subround(maximum(a, b)): the result alone.
    check([=](double a, double b) { return subround<T>(number(a, b)); },
          ct::suppress_nan_t{},
          ct::round_subnormals_to_zero_t{});
    check([=](double a, double b) { return subround<T>(propagated(a, b)); },
          ct::propagate_nan_t{},
          ct::round_subnormals_to_zero_t{});
  }
}

} // namespace

TEST_CASE("arithmetic operations / Maximum / floating point: subround(maximum(a, b)) by NaN mode",
          "[clauses]") {
  in_kernel([](const probe& p) {
    for_each_type(basic_floating_point_types{}, [&]<class T>() {
      check_extremes<T>(
          p,
          [](const auto& a, const auto& b, auto... modes) { return ct::max(a, b, modes...); },
          maximum_number,
          maximum);
    });
  });
}

TEST_CASE("arithmetic operations / Minimum / floating point: subround(minimum(a, b)) by NaN mode",
          "[clauses]") {
  in_kernel([](const probe& p) {
    for_each_type(basic_floating_point_types{}, [&]<class T>() {
      check_extremes<T>(
          p,
          [](const auto& a, const auto& b, auto... modes) { return ct::min(a, b, modes...); },
          minimum_number,
          minimum);
    });
  });
}

// The operands of maximum and minimum are not subrounded: with them flushed, max of a subnormal
// and -0 would be -0 or 0 by the order of zeros, and the smaller of two subnormals would be lost.
TEST_CASE("arithmetic operations / Maximum, Minimum / only the result is subrounded", "[clauses]") {
  in_kernel([](const probe&) {
    const auto suppress = ct::suppress_nan_t{};
    const auto to_zero = ct::round_subnormals_to_zero_t{};
    const float tiny = 0x1p-149F;
    CHECK(test::same(ct::max(-tiny, -2 * tiny, suppress, to_zero), -0.0));
    CHECK(test::same(ct::max(-tiny, 0.0F, suppress, to_zero), 0.0));
    CHECK(test::same(ct::min(tiny, 0.0F, suppress, to_zero), 0.0));
    CHECK(test::same(ct::min(-tiny, 0.0F, suppress, to_zero), -0.0));
    CHECK(test::same(ct::max(tiny, -1.0F, suppress), double{tiny}));
  });
}

// ------------------------------------------------------------------------------------------------
namespace {

/// fma of all pairs of telling values with some addends, as tiles and scalars.
template <class T, rounding_mode M, subnormals_rounding_mode S>
std::string check_fma(const probe& p) {
  mistakes wrong;
  const auto sub = [](double x) { return S == flush ? subround<T>(x) : x; };
  const auto values = telling_values<T>();
  const std::uint64_t before = p.defects();
  for (const std::size_t c : {0U, 1U, 2U, 5U, 9U, 16U, 18U, 20U, 23U, 27U, 29U, 30U}) {
    const double addend = value_of(values[c]);
    const auto acc = ct::full<tile<T, 32, 32>>(values[c]);
    const auto r =
        ct::fma(loaded<32, 1>(values), loaded<32>(values), acc, with<M>{}, subnormals<S>{});
    static_assert(std::is_same_v<decltype(r), const tile<T, 32, 32>>);
    const auto got = stored(r);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double a = value_of(values[i / 32]), b = value_of(values[i % 32]);
      const double want = sub(test::exact(
          opcode::fma, format_of<T>::exact, machine_mode(M), sub(a), sub(b), sub(addend)));
      if (!test::same(value_of(got[i]), want)) {
        wrong.add(type_name<T>(),
                  std::hexfloat,
                  ": fma(",
                  a,
                  ", ",
                  b,
                  ", ",
                  addend,
                  ") gives ",
                  value_of(got[i]),
                  ", not ",
                  want);
      }
    }
    const auto of_scalars = ct::fma<M, S>(values[c], values[11], values[24]);
    const double want = sub(test::exact(opcode::fma,
                                        format_of<T>::exact,
                                        machine_mode(M),
                                        sub(addend),
                                        sub(value_of(values[11])),
                                        sub(value_of(values[24]))));
    if (!test::same(value_of(of_scalars), want)) {
      wrong.add(type_name<T>(), " of scalars");
    }
  }
  if (p.defects() != before) {
    wrong.add(type_name<T>(), ": something was called undefined, and nothing is");
  }
  return wrong.text();
}

} // namespace

TEST_CASE("arithmetic operations / Fused Multiply Add / "
          "subround(fusedMultiplyAdd(subround(a), subround(b), subround(c))) in four modes",
          "[clauses][mpfr]") {
  in_kernel([](const probe& p) {
    for_each_type(basic_floating_point_types{}, [&]<class T>() {
      CHECK(check_fma<T, rounding_mode::round_ties_to_even, keep>(p) == "");
      CHECK(check_fma<T, rounding_mode::round_toward_zero, keep>(p) == "");
      CHECK(check_fma<T, rounding_mode::round_toward_negative, keep>(p) == "");
      CHECK(check_fma<T, rounding_mode::round_toward_positive, keep>(p) == "");
      if constexpr (std::is_same_v<T, float>) {
        CHECK(check_fma<T, rounding_mode::round_ties_to_even, flush>(p) == "");
        CHECK(check_fma<T, rounding_mode::round_toward_zero, flush>(p) == "");
        CHECK(check_fma<T, rounding_mode::round_toward_negative, flush>(p) == "");
        CHECK(check_fma<T, rounding_mode::round_toward_positive, flush>(p) == "");
      }
    });
  });
}

TEST_CASE("arithmetic operations / Fused Multiply Add / one rounding, unlike a * b + c",
          "[clauses]") {
  in_kernel([](const probe&) {
    const float a = 1 + 0x1p-12F;
    CHECK(ct::fma(a, a, -1.0F) == 0x1.0008p-11F);
    CHECK(stored(ct::add(ct::mul(tile<float>(a), a), -1.0F)) == 0x1p-11F);
  });
}

TEST_CASE("arithmetic operations / Fused Multiply Add / factors are broadcast to the shape of acc "
          "and converted to its type",
          "[clauses]") {
  in_kernel([](const probe&) {
    const auto column = loaded<2, 1>(std::array{__half(2.0F), __half(3.0F)});
    const auto row = loaded<2>(std::array{0.5, 0.25});
    const auto acc = loaded<2, 2>(std::array{1.0, 2.0, 3.0, 4.0});
    const auto r = ct::fma(column, row, acc);
    static_assert(std::is_same_v<decltype(r), const tile<double, 2, 2>>);
    CHECK(stored(r) == std::array{2.0, 2.5, 4.5, 4.75});
    const auto s =
        ct::fma(__nv_bfloat16(3.0F), __half(2.0F), tile<float, 1>(ct::full<tile<float, 1>>(1.0F)));
    static_assert(std::is_same_v<decltype(s), const tile<float, 1>>);
    CHECK(stored(s)[0] == 7.0F);
    CHECK(ct::fma(__half(3.0F), 2.0F, 1.0F) == 7.0F);
  });
}

// ------------------------------------------------------------------------------------------------
TEST_CASE("arithmetic operations / Addition / mixed operands: one is converted to the type of the "
          "other",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const auto i = ct::iota<tile<int, 4>>();
    const auto h = loaded<4>(std::array{__half(0.5F), __half(1.0F), __half(1.5F), __half(2048.0F)});
    // integer scalar, float tile; integer tile, float tile; half tile, float tile; int, long
    CHECK(stored(loaded<4>(std::array{0.5F, 1.5F, 2.5F, 3.5F}) + 1) ==
          std::array{1.5F, 2.5F, 3.5F, 4.5F});
    CHECK(stored(i + loaded<4, 1>(std::array{0.5, 1.5, 2.5, 3.5}))[5] == 2.5);
    const auto wide = h + loaded<4>(std::array{0.25F, 0.25F, 0.25F, 0.25F});
    static_assert(std::is_same_v<decltype(wide), const tile<float, 4>>);
    CHECK(stored(wide) == std::array{0.75F, 1.25F, 1.75F, 2048.25F});
    const auto longer = i + loaded<4>(std::array{1L << 40, 1L, 2L, 3L});
    static_assert(std::is_same_v<decltype(longer), const tile<long, 4>>);
    CHECK(stored(longer) == std::array{1L << 40, 2L, 4L, 6L});
    // An integer scalar becomes half before the addition: 2049 is no half, ties to even.
    const auto narrow = stored(h + 2049);
    CHECK(value_of(narrow[1]) == 2048); // 2048 + 1 ties to 2048
    CHECK(value_of(narrow[3]) == 4096);
    // two scalars
    const double d = ct::add(1, 2.5);
    const float f = ct::mul(__half(1.5F), 2.0F);
    CHECK(d == 3.5);
    CHECK(f == 3.0F);
    CHECK(p.defects() == 0);
  });
}

} // namespace tilesim::clauses
