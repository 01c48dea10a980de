// Products of matrices.  [matrix multiplication]
//
// Pure functions.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/elementwise.hpp"
#include "sim/ops/order.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstdint>

namespace tilesim::sim::ops {

/// What the inner loop is compiled for. All give the same bits: every element of the result is one
/// chain of operations in index order, and the columns of a row share a vector.
enum class vectors : std::uint8_t { baseline, avx2, avx512 };

/// The widest that this machine runs.
[[nodiscard]] vectors widest_vectors() noexcept;

/// result = lhs · rhs + acc, as machine::mma describes it. Fixed order: lhs(m, k) · rhs(k, n) for
/// k = 0, 1, 2, … are added up, one after the other, and acc(m, n) is added to the sum.
///   f64, and all to f32   each product rounded, each sum rounded
///   f16, fp8 to f16       the same in f32, acc added in f32, and that rounded to half
///   i8, i1                modulo 2^32
/// Sums begin with +0. A NaN is the canonical one, in double fff8000000000000. A random order adds
/// the products up in any order to several partial sums, and these and acc in any order.
/// `arithmetic::hardware` adds up as the tensor cores of an H200, where those are used:
/// tensor_core.hpp. Returns false if there is no such combination of kinds.
bool mma(machine::opcode op,
         machine::signedness lhs_sign,
         machine::signedness rhs_sign,
         machine::out result,
         machine::in lhs,
         machine::in rhs,
         machine::in acc,
         combining_order order = {},
         arithmetic arith = arithmetic::page,
         vectors width = widest_vectors()) noexcept;

} // namespace tilesim::sim::ops
