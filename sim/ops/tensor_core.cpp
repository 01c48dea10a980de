// Groups of products, aligned, cut off and added up exactly: in double, which holds all of it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/tensor_core.hpp"

#include "sim/fp/cells.hpp"
#include "sim/fp/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace tilesim::sim::ops {
namespace {

/// Far below the exponent of any product: of zeros, which any other term cuts off.
constexpr int of_zero = -4096;
constexpr int least_of_half = -14;
constexpr int least_of_float = -126;

int exponent_of(double x, int least) noexcept {
  return x == 0 ? of_zero : std::max(std::ilogb(x), least);
}

/// Toward zero, to so many bits after the first one.
double cut_to_bits(double x, int bits, int least) noexcept {
  const int last = x == 0 ? 0 : exponent_of(x, least) - bits;
  return std::ldexp(std::trunc(std::ldexp(x, -last)), last);
}

double rounded(const tensor_core& how, double sum) noexcept {
  switch (how.keeps) {
  case tensor_core::sum::float_cut: {
    const double cut = cut_to_bits(sum, 23, least_of_float);
    const double infinity = std::numeric_limits<double>::infinity();
    return std::fabs(cut) < 0x1p128 ? cut : std::copysign(infinity, cut);
  }
  case tensor_core::sum::half_nearest:
    return double{fp::widen(fp::narrow<fp::f16>(sum))};
  case tensor_core::sum::cut:
    break;
  }
  return cut_to_bits(sum, how.fraction_bits, of_zero);
}

/// One row of a and one column of b, with the exponents of their elements.
struct factors {
  const float* a;
  const int* a_exponent;
  const float* b;
  const int* b_exponent;
};

/// The products of numbers first to last - 1 and the accumulator.
double group_sum(const tensor_core& how,
                 const factors& f,
                 std::size_t first,
                 std::size_t last,
                 double acc) noexcept {
  int greatest = exponent_of(
      acc, how.keeps == tensor_core::sum::half_nearest ? least_of_half : least_of_float);
  double plain = acc; // what infinities and NaNs make
  for (std::size_t k = first; k < last; ++k) {
    greatest = std::max(greatest, f.a_exponent[k] + f.b_exponent[k]);
    plain += double{f.a[k]} * double{f.b[k]};
  }
  if (!std::isfinite(plain)) {
    return plain;
  }
  if (greatest <= of_zero / 2) {
    return 0;
  }
  const double scale = std::ldexp(1.0, how.fraction_bits - greatest);
  double sum = std::trunc(acc * scale);
  for (std::size_t k = first; k < last; ++k) {
    sum += std::trunc(double{f.a[k]} * double{f.b[k]} * scale);
  }
  const double result = rounded(how, std::ldexp(sum, greatest - how.fraction_bits));
  return result == 0 ? 0 : result; // no -0
}

float element_of(const tensor_core& how, const factors& f, std::size_t depth, float acc) noexcept {
  const bool acc_last = how.keeps == tensor_core::sum::cut;
  double sum = acc_last ? 0 : double{acc};
  for (std::size_t k = 0; k < depth; k += how.group) {
    sum = group_sum(how, f, k, std::min(k + how.group, depth), sum);
  }
  return acc_last ? static_cast<float>(sum) + acc : static_cast<float>(sum);
}

/// Factors as the tensor core reads them, and their exponents.
void read(const tensor_core& how,
          const float* from,
          std::size_t stride,
          std::size_t count,
          float* to,
          int* exponents) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const float x = from[i * stride];
    const bool finite = std::isfinite(x);
    to[i] = finite ? static_cast<float>(cut_to_bits(double{x}, how.factor_bits, how.least_exponent))
                   : x;
    exponents[i] = finite ? exponent_of(double{to[i]}, how.least_exponent) : 0;
  }
}

} // namespace

std::optional<tensor_core> find_tensor_core(element operands,
                                            element result,
                                            std::size_t batches,
                                            std::size_t rows,
                                            std::size_t depth,
                                            std::size_t columns) noexcept {
  // A tensor core makes 16 x 8 elements of the result from 8 products each or more, and there are
  // four of them to a block.
  const bool fills = rows >= 16 && columns >= 8 && depth >= 8;
  if (!fills || batches * rows * columns < std::size_t{4} * 16 * 8) {
    return std::nullopt;
  }
  const bool to_half = result == element::f16;
  const auto keeps = to_half ? tensor_core::sum::half_nearest : tensor_core::sum::float_cut;
  switch (operands) {
  case element::f8e4m3:
  case element::f8e5m2:
    if (rows >= 64 && batches == 1) { // in its own format; else as half
      const int least = operands == element::f8e4m3 ? -6 : least_of_half;
      return tensor_core{32, 13, least, 3, to_half ? keeps : tensor_core::sum::cut};
    }
    [[fallthrough]];
  case element::f16:
    return tensor_core{16, 25, least_of_half, 10, keeps};
  case element::bf16:
    return tensor_core{16, 25, least_of_float, 7, keeps};
  case element::tf32:
    return tensor_core{8, 25, least_of_float, 10, keeps};
  default:
    return std::nullopt;
  }
}

void multiply_add(const tensor_core& how,
                  const float* a,
                  const float* b,
                  float* c,
                  std::size_t rows,
                  std::size_t depth,
                  std::size_t columns) noexcept {
  const auto row = std::make_unique_for_overwrite<float[]>(depth);
  const auto row_exponents = std::make_unique_for_overwrite<int[]>(depth);
  const auto turned = std::make_unique_for_overwrite<float[]>(depth * columns); // b by columns
  const auto exponents = std::make_unique_for_overwrite<int[]>(depth * columns);
  for (std::size_t j = 0; j < columns; ++j) {
    read(how, b + j, columns, depth, turned.get() + j * depth, exponents.get() + j * depth);
  }
  for (std::size_t i = 0; i < rows; ++i) {
    read(how, a + i * depth, 1, depth, row.get(), row_exponents.get());
    for (std::size_t j = 0; j < columns; ++j) {
      const factors f{
          row.get(), row_exponents.get(), turned.get() + j * depth, exponents.get() + j * depth};
      c[i * columns + j] = element_of(how, f, depth, c[i * columns + j]);
    }
  }
}

} // namespace tilesim::sim::ops
