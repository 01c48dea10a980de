// Reductions and scans along one dimension.  [reductions and scans]
//
// Pure functions. A tile counts as outer × length × inner elements in row-major order, where length
// is the extent of the dimension. Shapes and element kinds are the caller's to check.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/elementwise.hpp"
#include "sim/ops/order.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tilesim::sim::ops {

/// The elements along dimension `dim` combined into one. Fixed order, an H200's for a tile of one
/// dimension: of more than 128 elements first element i with those 128, 256, 384, … after it, one
/// after the other. What is left is cut into groups of 32; in each, element i is combined with the
/// one half a group later, and so on with the results; the groups' results are combined likewise.
/// Each combination is the elementwise operation of `how`, rounding included; a single element is
/// its own result. Returns false if there is no such operation.
bool reduce(const machine::combination& how,
            machine::out result,
            machine::in operand,
            unsigned dim,
            combining_order order = {},
            arithmetic arith = arithmetic::page) noexcept;

/// result[k] = operand[0] … operand[k] combined; `reverse` counts from the other end. Fixed order,
/// an H200's for a tile of one dimension: in each group of 32, every element is combined with the
/// one before it, of what that gave with the one 2 before, then 4, 8 and 16; then with what all
/// groups before make together, combined one group after the other. A random order groups
/// differently but keeps the elements' order. Returns false if there is no such operation.
bool scan(const machine::combination& how,
          bool reverse,
          machine::out result,
          machine::in operand,
          unsigned dim,
          combining_order order = {},
          arithmetic arith = arithmetic::page) noexcept;

/// A body of a reduction or scan that is more than one operation: several values that are combined
/// together, as in a region of Tile IR. It has no effect but its results, and is asked for as many
/// pairs as it likes to be at once.
struct combining_body {
  /// results[v][i], for each value v of an element: what becomes of accumulators[0…][i] and
  /// elements[0…][i], in this order. Tiles of rank 1, packed, aligned as
  /// std::max_align_t; results overlap no operand.
  void (*apply)(const void* self,
                const machine::out* results,
                const machine::in* accumulators,
                const machine::in* elements,
                unsigned values);
  const void* self;
};

/// reduce() of `values` operands of one shape by a body. The order is reduce()'s own, fixed or
/// random: neither keeps the elements' order, so the body has to be associative and commutative for
/// one result in all orders.
void reduce(const combining_body& body,
            const machine::out* results,
            const machine::in* operands,
            unsigned values,
            unsigned dim,
            combining_order order = {});

/// scan() likewise. The elements' order is kept: the body has to be associative, no more.
void scan(const combining_body& body,
          bool reverse,
          const machine::out* results,
          const machine::in* operands,
          unsigned values,
          unsigned dim,
          combining_order order = {});

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
