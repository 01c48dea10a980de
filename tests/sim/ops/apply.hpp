// One element through an operation: value and whether the page leaves it undefined.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/elementwise.hpp"

#include <cstring>
#include <string>
#include <vector>

namespace tilesim::test {

using machine::attributes;
using machine::opcode;
using sim::ops::arithmetic;

/// The kind in words; nothing for `nothing`.
inline const char* text(sim::ops::undefined_kind kind) {
  switch (kind) {
  case sim::ops::undefined_kind::nothing:
    return "";
  case sim::ops::undefined_kind::signed_overflow:
    return "signed overflow";
  case sim::ops::undefined_kind::unsigned_overflow:
    return "unsigned overflow";
  case sim::ops::undefined_kind::division_by_zero:
    return "division by zero";
  case sim::ops::undefined_kind::unrepresentable_quotient:
    return "quotient not representable";
  case sim::ops::undefined_kind::shift_count:
    return "shift count out of range";
  case sim::ops::undefined_kind::unrepresentable_integer:
    return "not representable";
  }
  return "?";
}

template <class R>
struct outcome {
  R value;
  std::string undefined; ///< the reason; empty if defined
  friend bool operator==(const outcome&, const outcome&) = default;
};

/// All elements of vectors of cells. Fails loudly (returns nothing) where there is no kernel.
template <class R, class A>
std::vector<R> apply_all(opcode op,
                         const attributes& modes,
                         element result,
                         element operand,
                         const std::vector<A>& a,
                         const void* b = nullptr,
                         const void* c = nullptr,
                         bool* undefined = nullptr,
                         arithmetic how = arithmetic::page) {
  const auto f = sim::ops::find_elementwise(op, modes, result, operand, how);
  if (f.run == nullptr) {
    return {};
  }
  std::vector<R> results(a.size());
  const bool bad = f.run({results.data(), {a.data(), b, c}, {false, false, false}, a.size()});
  if (undefined != nullptr) {
    *undefined = bad;
  }
  return results;
}

/// One element. The kernel's flag and the reason must agree: a disagreement shows as a reason of
/// its own.
template <class R, class A, class B = A, class C = A>
outcome<R> apply(opcode op,
                 const attributes& modes,
                 element result,
                 element operand,
                 A a,
                 B b = {},
                 C c = {},
                 arithmetic how = arithmetic::page) {
  const auto f = sim::ops::find_elementwise(op, modes, result, operand, how);
  if (f.run == nullptr) {
    return {R{}, "no such operation"};
  }
  R value{};
  const bool bad = f.run({&value, {&a, &b, &c}, {false, false, false}, 1});
  const std::string reason = text(f.why(&a, &b, &c));
  if (bad == reason.empty()) {
    return {value, "the kernel and the reason disagree"};
  }
  return {value, reason};
}

} // namespace tilesim::test
