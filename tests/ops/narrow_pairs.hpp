// Runs the operations of half and bfloat16 on many operands, in every variant of their kernels, and
// holds each result against the independent reference.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "narrow_reference.hpp"
#include "sim/ops/tables.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace tilesim::test {

using machine::attributes;
using machine::opcode;

using cells16 = std::vector<std::uint16_t>;

/// An operation, its modes, and what it should give.
struct narrow_case {
  const char* name;
  opcode op;
  attributes modes;
  std::uint16_t (*want)(std::uint16_t, std::uint16_t, rounding);
};

/// The operations of two operands in the default modes.
template <class Format>
std::vector<narrow_case> default_cases() {
  using reference = narrow_arithmetic<Format>;
  constexpr attributes propagate{.propagate_nan = true};
  return {
      {"add", opcode::addf, {}, &reference::add},
      {"sub", opcode::subf, {}, &reference::sub},
      {"mul", opcode::mulf, {}, &reference::mul},
      {"div", opcode::divf, {}, &reference::div},
      {"remainder", opcode::remf, {}, &reference::rem},
      {"max", opcode::maxf, {}, &reference::template max<false>},
      {"max, propagating NaN", opcode::maxf, propagate, &reference::template max<true>},
      {"min", opcode::minf, {}, &reference::template min<false>},
      {"min, propagating NaN", opcode::minf, propagate, &reference::template min<true>},
  };
}

/// + - * / in the three directed modes.
template <class Format>
std::vector<narrow_case> directed_cases() {
  using reference = narrow_arithmetic<Format>;
  constexpr attributes zero{.round = rounding::zero};
  constexpr attributes down{.round = rounding::negative_inf};
  constexpr attributes up{.round = rounding::positive_inf};
  return {
      {"add toward zero", opcode::addf, zero, &reference::add},
      {"add downward", opcode::addf, down, &reference::add},
      {"add upward", opcode::addf, up, &reference::add},
      {"sub toward zero", opcode::subf, zero, &reference::sub},
      {"sub downward", opcode::subf, down, &reference::sub},
      {"sub upward", opcode::subf, up, &reference::sub},
      {"mul toward zero", opcode::mulf, zero, &reference::mul},
      {"mul downward", opcode::mulf, down, &reference::mul},
      {"mul upward", opcode::mulf, up, &reference::mul},
      {"div toward zero", opcode::divf, zero, &reference::div},
      {"div downward", opcode::divf, down, &reference::div},
      {"div upward", opcode::divf, up, &reference::div},
  };
}

/// Both variants of an operation's kernel.
class both_variants {
public:
  both_variants(opcode op, const attributes& modes, element result, element operand)
      : entry_(sim::ops::find_entry(op, modes, result, operand, sim::ops::arithmetic::page)) {}

  [[nodiscard]] bool exist() const { return entry_.baseline != nullptr; }

  /// Runs `check(name of the variant, the bool that the kernel returned)` after each has filled
  /// `result`; stops when it returns a text.
  template <class Check>
  std::string run(void* result,
                  const void* a,
                  const void* b,
                  const void* c,
                  std::size_t count,
                  const Check& check) const {
    const sim::ops::elementwise_args args{result, {a, b, c}, {}, count};
    std::string wrong = check("baseline", entry_.baseline(args));
    if (wrong.empty() && entry_.fast != nullptr && sim::ops::has_fast_kernels()) {
      wrong = check("fast", entry_.fast(args));
    }
    return wrong;
  }

  [[nodiscard]] sim::ops::undefined_reason why() const { return entry_.why; }

private:
  sim::ops::table_entry entry_;
};

/// The first i whose result is not want(i), with operands, expected and got; empty if there is none.
/// `got` and `expected` are room for as many results.
template <class Want>
std::string first_mismatch(const both_variants& kernel,
                           const cells16& a,
                           const cells16& b,
                           const cells16& c,
                           cells16& got,
                           cells16& expected,
                           const Want& want) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    expected[i] = want(i);
  }
  return kernel.run(
      got.data(), a.data(), b.data(), c.data(), a.size(), [&](const char* variant, bool undefined) {
        if (undefined) {
          return std::string("an element is called undefined");
        }
        for (std::size_t i = 0; i < a.size(); ++i) {
          if (got[i] != expected[i]) {
            return fmt::format("operands {:04x} {:04x} {:04x}: expected {:04x}, got {:04x} ({} variant)",
                               a[i],
                               b[i],
                               c[i],
                               expected[i],
                               got[i],
                               variant);
          }
        }
        return std::string();
      });
}

/// A case on pairs that are given.
inline std::string
first_mismatch(const narrow_case& test, element kind, const cells16& a, const cells16& b) {
  const both_variants kernel(test.op, test.modes, kind, kind);
  if (!kernel.exist()) {
    return "there is no such operation";
  }
  cells16 got(a.size());
  cells16 expected(a.size());
  return first_mismatch(kernel, a, b, a, got, expected, [&](std::size_t i) {
    return test.want(a[i], b[i], test.modes.round);
  });
}

/// A case on all 2^32 pairs. Says on standard error how far it is.
inline std::string first_mismatch_of_all(const narrow_case& test, element kind) {
  const both_variants kernel(test.op, test.modes, kind, kind);
  if (!kernel.exist()) {
    return "there is no such operation";
  }
  cells16 a(65536);
  cells16 b(65536);
  cells16 got(65536);
  cells16 expected(65536);
  for (unsigned i = 0; i < 65536; ++i) {
    b[i] = static_cast<std::uint16_t>(i);
  }
  for (unsigned first = 0; first < 65536; ++first) {
    if (first % 8192 == 0) {
      std::fprintf(stderr, "%s %s: %u/8\n", name(kind), test.name, first / 8192);
    }
    a.assign(a.size(), static_cast<std::uint16_t>(first));
    std::string wrong = first_mismatch(kernel, a, b, a, got, expected, [&](std::size_t i) {
      return test.want(a[i], b[i], test.modes.round);
    });
    if (!wrong.empty()) {
      return wrong;
    }
  }
  return "";
}

} // namespace tilesim::test
