// The inner loop of products of matrices: a few rows times a panel of columns, in vector registers.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/matrix.hpp"

#include <cstddef>

namespace tilesim::sim::ops {

inline constexpr std::size_t most_rows = 8;
inline constexpr std::size_t most_columns = 32;

/// sums[i][j] = the chain over p of a[i][p] · panel[p][j], begun with sums[i][j]; each product is
/// rounded, and each sum: `rows` pointers a
/// to `depth` elements each, `columns` elements in a row of panel and sums, which are aligned
/// to 64.
template <class T>
struct matrix_kernel {
  std::size_t rows;
  std::size_t columns;
  void (*run)(const T* const* a, const T* panel, std::size_t depth, T* sums) noexcept;
};

template <class T>
matrix_kernel<T> find_matrix_kernel(vectors width) noexcept; // float, double, uint32_t

} // namespace tilesim::sim::ops
