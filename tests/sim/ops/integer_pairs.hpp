// Integer operations on all pairs of narrow operands: the mathematical result in 64 bits decides
// both what comes out, modulo 2^n, and whether it is undefined. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "narrow_pairs.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace tilesim::test {

/// What an operation on a and b gives, before it is taken modulo 2^n.
struct exact_integer {
  std::int64_t value = 0;
  bool undefined = false; ///< whatever the type: a zero divisor, a shift by 2^n or more
};

template <class T>
struct integer_case {
  const char* name;
  opcode op;
  attributes modes;
  exact_integer (*exact)(std::int64_t a, std::int64_t b);
  bool must_fit; ///< undefined if the type does not have the value
};

// One function in spite of its length: a table, and the meanings that its rows name.
template <class T>
std::vector<integer_case<T>> integer_cases() {
  using machine::overflow;
  using machine::signedness;
  constexpr auto sign = std::is_signed_v<T> ? signedness::signed_ : signedness::unsigned_;
  constexpr auto no_wrap =
      std::is_signed_v<T> ? overflow::no_signed_wrap : overflow::no_unsigned_wrap;
  constexpr int bits = 8 * sizeof(T);
  constexpr std::int64_t all_ones = (std::int64_t{1} << bits) - 1;
  const auto add = [](std::int64_t a, std::int64_t b) -> exact_integer { return {a + b}; };
  const auto sub = [](std::int64_t a, std::int64_t b) -> exact_integer { return {a - b}; };
  const auto mul = [](std::int64_t a, std::int64_t b) -> exact_integer { return {a * b}; };
  // A double holds the quotient of 16-bit numbers well enough that no rounding moves it onto or
  // over an integer.
  const auto quotient = [](std::int64_t a, std::int64_t b) {
    return static_cast<double>(a) / static_cast<double>(b);
  };
  static_assert(bits <= 16);
  static const auto truncated = [quotient](std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(std::trunc(quotient(a, b)));
  };
  static const auto ceiling = [quotient](std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(std::ceil(quotient(a, b)));
  };
  static const auto floor = [quotient](std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(std::floor(quotient(a, b)));
  };
  const auto div = [](std::int64_t a, std::int64_t b) -> exact_integer {
    return b == 0 ? exact_integer{0, true} : exact_integer{truncated(a, b)};
  };
  const auto ceildiv = [](std::int64_t a, std::int64_t b) -> exact_integer {
    return b == 0 ? exact_integer{0, true} : exact_integer{ceiling(a, b)};
  };
  const auto floordiv = [](std::int64_t a, std::int64_t b) -> exact_integer {
    return b == 0 ? exact_integer{0, true} : exact_integer{floor(a, b)};
  };
  // Undefined where the quotient is, though the remainder would be 0.
  const auto rem = [](std::int64_t a, std::int64_t b) -> exact_integer {
    return b == 0 || truncated(a, b) > std::numeric_limits<T>::max()
               ? exact_integer{0, true}
               : exact_integer{a - truncated(a, b) * b};
  };
  const auto mulhi = [](std::int64_t a, std::int64_t b) -> exact_integer {
    return {((a & all_ones) * (b & all_ones)) >> bits};
  };
  const auto max = [](std::int64_t a, std::int64_t b) -> exact_integer { return {a > b ? a : b}; };
  const auto min = [](std::int64_t a, std::int64_t b) -> exact_integer { return {a < b ? a : b}; };
  const auto shl = [](std::int64_t a, std::int64_t b) -> exact_integer {
    return b < 0 || b >= bits ? exact_integer{0, true} : exact_integer{a * (std::int64_t{1} << b)};
  };
  const auto shr = [](std::int64_t a, std::int64_t b) -> exact_integer {
    return b < 0 || b >= bits ? exact_integer{0, true}
                              : exact_integer{static_cast<std::int64_t>(std::floor(
                                    static_cast<double>(a) / power_of_two(static_cast<int>(b))))};
  };
  const auto negation = [](std::int64_t a, std::int64_t) -> exact_integer { return {-a}; };
  const auto absolute = [](std::int64_t a, std::int64_t) -> exact_integer {
    return {a < 0 ? -a : a};
  };
  constexpr attributes wraps{.sign = sign};
  constexpr attributes checked{.sign = sign, .wrap = no_wrap};
  return {
      {"add", opcode::addi, wraps, add, false},
      {"sub", opcode::subi, wraps, sub, false},
      {"mul", opcode::muli, wraps, mul, false},
      {"add that must fit", opcode::addi, checked, add, true},
      {"sub that must fit", opcode::subi, checked, sub, true},
      {"mul that must fit", opcode::muli, checked, mul, true},
      {"mulhi", opcode::mulhii, wraps, mulhi, false},
      {"div", opcode::divi, {.sign = sign, .round = rounding::zero}, div, true},
      {"ceildiv", opcode::divi, {.sign = sign, .round = rounding::positive_inf}, ceildiv, true},
      {"floordiv", opcode::divi, {.sign = sign, .round = rounding::negative_inf}, floordiv, true},
      {"remainder", opcode::remi, wraps, rem, true},
      {"max", opcode::maxi, wraps, max, false},
      {"min", opcode::mini, wraps, min, false},
      {"left shift", opcode::shli, wraps, shl, false},
      {"right shift", opcode::shri, wraps, shr, false},
      {"negation", opcode::negi, wraps, negation, std::is_signed_v<T>},
      {"absolute value", opcode::absi, wraps, absolute, std::is_signed_v<T>},
  };
}

/// The first pair whose value, or whose being undefined, is wrong; empty if there is none. Of an
/// undefined quotient, remainder or shift the value is the hardware's affair (integer.test.cpp).
template <class T>
std::string first_mismatch_of_all(const integer_case<T>& test) {
  constexpr auto kind = sizeof(T) == 1 ? element::i8 : element::i16;
  const both_variants kernel(test.op, test.modes, kind, kind);
  if (!kernel.exist()) {
    return "there is no such operation";
  }
  constexpr int lowest = std::numeric_limits<T>::min();
  constexpr int highest = std::numeric_limits<T>::max();
  constexpr std::size_t count = std::size_t{1} << (8 * sizeof(T));
  std::vector<T> a(count);
  std::vector<T> b(count);
  std::vector<T> got(count);
  std::vector<exact_integer> want(count);
  std::iota(b.begin(), b.end(), static_cast<T>(lowest));
  for (int first = lowest; first <= highest; ++first) {
    a.assign(count, static_cast<T>(first));
    bool any_undefined = false;
    for (std::size_t i = 0; i < count; ++i) {
      want[i] = test.exact(a[i], b[i]);
      const bool fits = want[i].value >= lowest && want[i].value <= highest;
      const bool undefined = want[i].undefined || (test.must_fit && !fits);
      any_undefined |= undefined;
      if ((kernel.why()(&a[i], &b[i], nullptr) != sim::ops::undefined_kind::nothing) != undefined) {
        return fmt::format("{} of {} and {} should{} be undefined",
                           test.name,
                           int{a[i]},
                           int{b[i]},
                           undefined ? "" : " not");
      }
    }
    std::string wrong = kernel.run(
        got.data(), a.data(), b.data(), nullptr, count, [&](const char* variant, bool undefined) {
          for (std::size_t i = 0; i < count; ++i) {
            if (got[i] != static_cast<T>(want[i].value) && !want[i].undefined) {
              return fmt::format("{} of {} and {}: expected {}, got {} ({} variant)",
                                 test.name,
                                 int{a[i]},
                                 int{b[i]},
                                 want[i].value,
                                 int{got[i]},
                                 variant);
            }
          }
          return undefined == any_undefined
                     ? std::string()
                     : fmt::format(
                           "{} of {}: the {} variant forgets or invents that a pair is undefined",
                           test.name,
                           first,
                           variant);
        });
    if (!wrong.empty()) {
      return wrong;
    }
  }
  return "";
}

} // namespace tilesim::test
