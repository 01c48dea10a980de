// Runs the operations of half and bfloat16 on many operands, in every variant of their kernels, and
// holds each result against the independent reference.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "narrow_reference.hpp"
#include "sim/ops/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
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
  /// What it should give for each pair.
  void (*fill)(cells16& want, const cells16& a, const cells16& b, rounding mode);
};

/// From one pair to many: the reference is inlined into the loop.
template <auto Operation>
void fill_with(cells16& want, const cells16& a, const cells16& b, rounding mode) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    want[i] = Operation(a[i], b[i], mode);
  }
}

/// The operations of two operands in the default modes.
template <class Format>
std::vector<narrow_case> default_cases() {
  using reference = narrow_arithmetic<Format>;
  constexpr attributes propagate{.propagate_nan = true};
  return {
      {"add", opcode::addf, {}, &fill_with<&reference::add>},
      {"sub", opcode::subf, {}, &fill_with<&reference::sub>},
      {"mul", opcode::mulf, {}, &fill_with<&reference::mul>},
      {"div", opcode::divf, {}, &fill_with<&reference::div>},
      {"remainder", opcode::remf, {}, &fill_with<&reference::rem>},
      {"max", opcode::maxf, {}, &fill_with<&reference::template max<false>>},
      {"max, propagating NaN", opcode::maxf, propagate, &fill_with<&reference::template max<true>>},
      {"min", opcode::minf, {}, &fill_with<&reference::template min<false>>},
      {"min, propagating NaN", opcode::minf, propagate, &fill_with<&reference::template min<true>>},
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
      {"add toward zero", opcode::addf, zero, &fill_with<&reference::add>},
      {"add downward", opcode::addf, down, &fill_with<&reference::add>},
      {"add upward", opcode::addf, up, &fill_with<&reference::add>},
      {"sub toward zero", opcode::subf, zero, &fill_with<&reference::sub>},
      {"sub downward", opcode::subf, down, &fill_with<&reference::sub>},
      {"sub upward", opcode::subf, up, &fill_with<&reference::sub>},
      {"mul toward zero", opcode::mulf, zero, &fill_with<&reference::mul>},
      {"mul downward", opcode::mulf, down, &fill_with<&reference::mul>},
      {"mul upward", opcode::mulf, up, &fill_with<&reference::mul>},
      {"div toward zero", opcode::divf, zero, &fill_with<&reference::div>},
      {"div downward", opcode::divf, down, &fill_with<&reference::div>},
      {"div upward", opcode::divf, up, &fill_with<&reference::div>},
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

/// The first i whose result is not want[i], with operands, expected and got; empty if there is
/// none. `got` is room for as many results.
inline std::string first_mismatch(const both_variants& kernel,
                                  const cells16& a,
                                  const cells16& b,
                                  const cells16& c,
                                  cells16& got,
                                  const cells16& want) {
  return kernel.run(
      got.data(), a.data(), b.data(), c.data(), a.size(), [&](const char* variant, bool undefined) {
        if (undefined) {
          return std::string("an element is called undefined");
        }
        const auto at = std::mismatch(got.begin(), got.end(), want.begin());
        if (at.first == got.end()) {
          return std::string();
        }
        const auto i = static_cast<std::size_t>(at.first - got.begin());
        return fmt::format(
            "operands {:04x} {:04x} {:04x}: expected {:04x}, got {:04x} ({} variant)",
            a[i],
            b[i],
            c[i],
            want[i],
            got[i],
            variant);
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
  cells16 want(a.size());
  test.fill(want, a, b, test.modes.round);
  return first_mismatch(kernel, a, b, a, got, want);
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
  cells16 want(65536);
  std::iota(b.begin(), b.end(), std::uint16_t{0});
  for (unsigned first = 0; first < 65536; ++first) {
    if (first % 8192 == 0) {
      std::fprintf(stderr, "%s %s: %u/8\n", name(kind), test.name, first / 8192);
    }
    a.assign(a.size(), static_cast<std::uint16_t>(first));
    test.fill(want, a, b, test.modes.round);
    std::string wrong = first_mismatch(kernel, a, b, a, got, want);
    if (!wrong.empty()) {
      return wrong;
    }
  }
  return "";
}

} // namespace tilesim::test
