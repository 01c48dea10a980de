// Which operations are approximate, and by how much: what a comparison with a GPU allows for.
//
// An operation that is not in the table of accuracy.cpp has one right result, bit for bit. One that
// is there is computed here too as one particular function of its operands, the same on every
// machine; a GPU may give another result within the documented bound.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <limits>

namespace tilesim::sim::ops {

/// How far one element's result may lie from the exact one, x: by at most
/// ulps * ulp(x) + relative * |x| + absolute, where ulp(x) is the spacing of the format at x (that
/// of its subnormals below its smallest normal number).
struct error_bound {
  double ulps = 0;
  double relative = 0;
  double absolute = 0;

  /// The documentation promises nothing of such operands.
  static constexpr error_bound none() noexcept {
    return {.absolute = std::numeric_limits<double>::infinity()};
  }
};

/// What is documented of an operation.
struct accuracy {
  error_bound bound = {};          ///< its general bound; all zero: exact
  const char* source = "";         ///< who says so
  bool flushes_subnormals = false; ///< a result that may be subnormal may also be 0

  /// For an operation whose bound depends on the operands (read as numbers, after flushing):
  /// otherwise nullptr.
  error_bound (*bound_at)(const double* operands) noexcept = nullptr;
  /// For an operation of which, at some operands, another result than the exact one is documented:
  /// that one there, elsewhere `exact`. An implementation may give either. Otherwise nullptr.
  long double (*instead_of)(long double exact, const double* operands) noexcept = nullptr;

  [[nodiscard]] bool approximate() const noexcept {
    return bound.ulps != 0 || bound.relative != 0 || bound.absolute != 0;
  }
};

/// The accuracy of an operation with these modes whose result has elements of `kind`.
[[nodiscard]] accuracy
accuracy_of(machine::opcode op, const machine::attributes& modes, element kind) noexcept;

/// True if `result` is one that an implementation of the operation may give. `exact` is the result
/// before rounding, or so close to it that the difference does not matter (for float, computed in
/// double); `operands` are as many as the operation has, subnormal ones flushed if the modes say
/// so. A NaN must be a NaN; an infinity must be one that the bound reaches; a zero's sign does not
/// count. `how` must be approximate, and `kind` one of f16, bf16, f32, f64.
[[nodiscard]] bool within(const accuracy& how,
                          element kind,
                          long double exact,
                          const double* operands,
                          double result) noexcept;

// ------------------------------------------------------------------------- order of combining

// Reductions, scans and products of matrices combine in an order that is left open. What any order
// gives lies within a bound of the exact value (Higham, Accuracy and Stability of Numerical
// Algorithms, 3.1 and 4.2; overflow, and underflow of products, apart).

/// True if reductions and scans with `how` may give another result in another order.
[[nodiscard]] bool depends_on_order(const machine::combination& how) noexcept;

/// A sum of n elements lies within this times the sum of their magnitudes; a product of n elements
/// within this times its own magnitude. `kind`, with the modes' rounding, is what each step is
/// rounded to.
[[nodiscard]] double
error_of_order(element kind, const machine::attributes& modes, std::size_t n) noexcept;

/// An element of lhs · rhs + acc lies within this times (|acc| + the sum of |lhs · rhs|), where
/// `depth` products are added up: in any order, and on tensor cores, which cut off what does not
/// fit when they align summands (tensor_core.hpp). tf32 operands are such as conversions make: with
/// ten bits after the first one.
[[nodiscard]] double error_of_mma(element operands, element result, std::size_t depth) noexcept;

} // namespace tilesim::sim::ops
