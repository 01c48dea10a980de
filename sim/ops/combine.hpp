// Reductions and scans along one dimension.  [reductions and scans]
//
// Pure functions. A tile counts as outer × length × inner elements in row-major order, where length
// is the extent of the dimension. Shapes and element kinds are the caller's to check.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/elementwise.hpp"
#include "sim/ops/order.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tilesim::sim::ops {

/// The elements along dimension `dim` combined into one. Fixed order: element i with element i +
/// n/2 for each i < n/2 (of an odd n, the middle one waits), and so on with the n/2 results. Each
/// combination is the elementwise operation of `how`, rounding included; a single element is its
/// own result. Returns false if there is no such operation.
bool reduce(const machine::combination& how,
            machine::out result,
            machine::in operand,
            unsigned dim,
            combining_order order = {},
            arithmetic arith = arithmetic::page) noexcept;

/// result[0] = operand[0], result[k] = result[k - 1] combined with operand[k]; `reverse` counts
/// from the other end. A random order groups differently but keeps the elements' order. Returns
/// false if there is no such operation.
bool scan(const machine::combination& how,
          bool reverse,
          machine::out result,
          machine::in operand,
          unsigned dim,
          combining_order order = {},
          arithmetic arith = arithmetic::page) noexcept;

/// The index along `dim` of the largest element (body maxi, maxf) or of the smallest (mini, minf),
/// the first of equal ones. A NaN is passed over; all NaN gives 0. A random order goes through the
/// elements in that order as NVIDIA's body does, which may end at a NaN's index. Returns false if
/// there is no such operation.
bool reduce_index(const machine::combination& how,
                  machine::out index,
                  machine::in values,
                  unsigned dim,
                  combining_order order = {}) noexcept;

/// A partial result that some order of combining forms and that the signed type cannot hold.
struct partial_overflow {
  std::size_t first_element; ///< of the elements along the dimension: the linear index of number 0
  std::size_t stride;        ///< from one to the next
  std::uint32_t length;      ///< how many there are
  std::uint32_t from, to;    ///< a scan: the elements that overflow, in row-major order; else all
  bool above;                ///< beyond the largest value, else the smallest; of addi
};

/// Looks for one, exactly:
/// reduce, addi: the positive elements alone, or the negative ones, exceed the type.
/// reduce, muli: the elements but zeros do, in the best choice of signs.
/// scan: the same of a run of neighbours, for a scan keeps the order of elements.
/// Signed integers only; of other kinds and bodies there is none.
[[nodiscard]] std::optional<partial_overflow> find_partial_overflow(machine::opcode body,
                                                                    bool is_scan,
                                                                    machine::in operand,
                                                                    unsigned dim) noexcept;

} // namespace tilesim::sim::ops
