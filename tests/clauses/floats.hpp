// Floating-point clauses: pairs of telling values of a format in every mode, against MPFR and
// subround as the page defines it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstring>
#include <functional>
#include <iomanip>
#include <tests/clauses/kernel.hpp>
#include <tests/sim/ops/reference.hpp>

namespace tilesim::clauses {

using machine::opcode;
using machine::rounding;
using test::exact_format;

/// A basic floating-point type: MPFR's numbers for it, and its fields.
template <class T>
struct format_of;
template <>
struct format_of<__half> {
  static constexpr exact_format exact = test::exact_half;
  static constexpr int exponent_bits = 5, fraction_bits = 10;
  using bits = std::uint16_t;
};
template <>
struct format_of<__nv_bfloat16> {
  static constexpr exact_format exact = test::exact_bfloat16;
  static constexpr int exponent_bits = 8, fraction_bits = 7;
  using bits = std::uint16_t;
};
template <>
struct format_of<float> {
  static constexpr exact_format exact = test::exact_float;
  static constexpr int exponent_bits = 8, fraction_bits = 23;
  using bits = std::uint32_t;
};
template <>
struct format_of<double> {
  static constexpr exact_format exact = test::exact_double;
  static constexpr int exponent_bits = 11, fraction_bits = 52;
  using bits = std::uint64_t;
};

template <class T>
T from_bits(std::uint64_t pattern) {
  const auto bits = static_cast<typename format_of<T>::bits>(pattern);
  T x{};
  std::memcpy(static_cast<void*>(&x), &bits, sizeof bits);
  return x;
}

/// The number in x, decoded without the library under test.
template <class T>
double value_of(const T& x) {
  typename format_of<T>::bits bits{};
  std::memcpy(&bits, &x, sizeof bits);
  return test::decode(bits, format_of<T>::exponent_bits, format_of<T>::fraction_bits);
}

/// Zeros, subnormals and the smallest normal numbers, numbers near 1 whose sums and quotients are
/// no numbers of the format, the largest, infinities, a NaN.
template <class T>
std::array<T, 32> telling_values() {
  using f = format_of<T>;
  const auto make = [](std::uint64_t exponent, std::uint64_t fraction) {
    return (exponent << f::fraction_bits) | fraction;
  };
  const std::uint64_t all = (std::uint64_t{1} << f::fraction_bits) - 1;
  const std::uint64_t bias = (std::uint64_t{1} << (f::exponent_bits - 1)) - 1;
  const std::uint64_t top = 2 * bias + 1;
  std::array<T, 32> values{};
  std::size_t i = 0;
  for (const std::uint64_t pattern : {make(0, 0),
                                      make(0, 1),
                                      make(0, all / 2 + 1),
                                      make(0, all),
                                      make(1, 0),
                                      make(1, 1),
                                      make(2, all),
                                      make(bias - static_cast<unsigned>(f::fraction_bits) - 1, 1),
                                      make(bias - 1, all),
                                      make(bias, 0),
                                      make(bias, 1),
                                      make(bias, all / 3),
                                      make(bias + 1, all / 2 + 1),
                                      make(top - 1, all),
                                      make(top, 0),
                                      make(top, all / 2 + 1)}) {
    values[i++] = from_bits<T>(pattern);
    values[i++] =
        from_bits<T>(pattern | (std::uint64_t{1} << (f::exponent_bits + f::fraction_bits)));
  }
  return values;
}

/// A subnormal of T becomes a zero of its sign.  [general principles: subnormals rounding modes]
template <class T>
double subround(double x) {
  const double smallest_normal =
      std::ldexp(1.0, format_of<T>::exact.emin + format_of<T>::exact.precision - 2);
  return std::fabs(x) < smallest_normal ? std::copysign(0.0, x) : x;
}

/// What the page says of two elements.
using exact_result = std::function<double(double, double)>;

/// op rounded once to T in a mode, operands and result subrounded if `flush`.
template <class T>
exact_result exactly(opcode op, rounding mode, bool flush = false) {
  return [=](double a, double b) {
    const auto sub = [flush](double x) { return flush ? subround<T>(x) : x; };
    return sub(test::exact(op, format_of<T>::exact, mode, sub(a), sub(b)));
  };
}

/// f on all pairs of telling values, in every form of operands. NaN in `want` of an unspecified
/// result cannot be told from NaN: such pairs are for the caller to allow by `is_specified`.
template <class T, class F>
std::string check_all_pairs(
    const probe& p,
    F f,
    const exact_result& want,
    bool (*is_specified)(double, double) = [](double, double) { return true; }) {
  mistakes wrong;
  const auto values = telling_values<T>();
  const auto compare = [&](const char* form, std::size_t i, std::size_t k, const T& result) {
    const double a = value_of(values[i]), b = value_of(values[k]);
    const double got = value_of(result), expected = want(a, b);
    if (!test::same(got, expected) && is_specified(a, b)) {
      wrong.add(type_name<T>(),
                " ",
                form,
                std::hexfloat,
                ": (",
                a,
                ", ",
                b,
                ") gives ",
                got,
                ", not ",
                expected);
    }
  };
  const std::uint64_t before = p.defects();
  const auto all = f(loaded<32, 1>(values), loaded<1, 32>(values));
  static_assert(std::is_same_v<decltype(all), const tile<T, 32, 32>>);
  const auto got = stored(all);
  for (std::size_t i = 0; i < got.size(); ++i) {
    compare("column, row", i / 32, i % 32, got[i]);
  }
  for (std::size_t k = 0; k < 32; ++k) {
    const auto r = stored(f(loaded<32>(values), values[k]));
    const auto l = stored(f(values[k], loaded<32>(values)));
    for (std::size_t i = 0; i < 32; ++i) {
      compare("tile, scalar", i, k, r[i]);
      compare("scalar, tile", k, i, l[i]);
      compare("scalar, scalar", i, k, f(values[i], values[k]));
    }
  }
  if (p.defects() != before) {
    wrong.add(type_name<T>(), ": something was called undefined, and nothing is");
  }
  return wrong.text();
}

} // namespace tilesim::clauses
