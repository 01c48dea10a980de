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
  const char* reason = f.why(&a, &b, &c);
  if (bad != (reason != nullptr)) {
    return {value, "the kernel and the reason disagree"};
  }
  return {value, reason == nullptr ? "" : reason};
}

} // namespace tilesim::test
