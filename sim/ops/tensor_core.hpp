// Products of matrices as the tensor cores of an H200 compute them.
//
// Found from recordings (tests/gpu/matrices_order.cu) and held against them bit for bit; what is
// documented is no more than that the order of additions is open. docs/order.md describes it for
// users.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/element.hpp>

#include <cstddef>
#include <optional>

namespace tilesim::sim::ops {

/// How a tensor core adds up products. The products of a group, and the accumulator, are cut off
/// below 2^(e - fraction_bits), where 2^e is the power of two of the largest of them (the exponents
/// of a product's factors added up; a subnormal number has the least exponent of its format), and
/// then added up exactly. A zero sum is +0; one beyond the format is infinite.
struct tensor_core {
  std::size_t group; ///< so many products at once
  int fraction_bits;
  int least_exponent; ///< of the factors
  int factor_bits;    ///< after the first one; further ones are cut off
  /// What the sum of each group becomes, and the next group starts with.
  enum class sum : unsigned char {
    float_cut,    ///< a float, cut off
    half_nearest, ///< a half, to nearest even
    cut ///< fraction_bits after the first one, cut off; the accumulator comes last, added to
        ///< nearest
  } keeps;
};

/// The tensor core that multiplies `batches` matrices of these elements, rows × depth by depth ×
/// columns; nothing if the H200 uses its ordinary arithmetic: for float and double, and for small
/// matrices.
[[nodiscard]] std::optional<tensor_core> find_tensor_core(element operands,
                                                          element result,
                                                          std::size_t batches,
                                                          std::size_t rows,
                                                          std::size_t depth,
                                                          std::size_t columns) noexcept;

/// c += a · b for matrices whose rows follow one another; c holds values of the result's element
/// kind.
void multiply_add(const tensor_core& how,
                  const float* a,
                  const float* b,
                  float* c,
                  std::size_t rows,
                  std::size_t depth,
                  std::size_t columns) noexcept;

} // namespace tilesim::sim::ops
