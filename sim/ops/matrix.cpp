// Products of matrices: operands widened to the type that is computed in, then blocks of rows times
// panels of columns.
//
// Half, bfloat16, tf32 and fp8 numbers are floats; so widening is exact, and so are products of
// half and fp8 in float.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/matrix.hpp"

#include "sim/fp/cells.hpp"
#include "sim/fp/rounding.hpp"
#include "sim/ops/elementwise.hpp"
#include "sim/ops/matrix_kernel.hpp"
#include "sim/ops/preconditions.hpp"
#include "sim/ops/rng.hpp"
#include "sim/ops/tensor_core.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace tilesim::sim::ops {
namespace {

using machine::in;
using machine::opcode;
using machine::out;
using machine::signedness;
using machine::tile_type;

template <class T>
using buffer = std::unique_ptr<T[]>;
template <class T>
buffer<T> make_buffer(std::size_t count) {
  return std::make_unique_for_overwrite<T[]>(count);
}

template <class T>
inline constexpr element kind_of = std::is_same_v<T, float>    ? element::f32
                                   : std::is_same_v<T, double> ? element::f64
                                                               : element::i32;

/// The lengths of lhs, M×K, and of rhs, K×N, in as many batches.
struct lengths {
  std::size_t batches, rows, depth, columns;
};

/// The matrix of number `batch`: the only one, or one of as many as the result has.
template <class T>
const T*
matrix_at(const T* first, const tile_type& type, std::size_t batch, std::size_t size) noexcept {
  return type.rank == 3 && type.extents[0] != 1 ? first + (batch * size) : first;
}

/// An operand in the type T that is computed in: converted, or where it stands.
template <class T>
class widened {
public:
  widened(const in& x, signedness sign) noexcept {
    const element from = x.type->elem;
    if (from == kind_of<T>) {
      cells_ = static_cast<const T*>(x.data);
      return;
    }
    own_ = make_buffer<T>(x.type->count);
    cells_ = own_.get();
    const bool integer = is_integer(from);
    const opcode op = integer ? opcode::exti : opcode::ftof;
    find_elementwise(
        op, {.sign = from == element::i1 ? signedness::unsigned_ : sign}, kind_of<T>, from)
        .run({own_.get(), {x.data, nullptr, nullptr}, {}, x.type->count});
  }
  [[nodiscard]] const T* cells() const noexcept { return cells_; }

private:
  const T* cells_;
  buffer<T> own_;
};

constexpr std::size_t panel_depth = 256;

/// As aligned as the kernels want it.
template <class T>
struct alignas(64) line {
  T cells[64 / sizeof(T)];
};

/// c += a · b for matrices whose rows follow one another; those of a are `a_stride` apart.
template <class T>
void multiply_add(const matrix_kernel<T>& kernel,
                  const T* a,
                  std::size_t a_stride,
                  const T* b,
                  T* c,
                  std::size_t rows,
                  std::size_t depth,
                  std::size_t columns) noexcept {
  const std::size_t panel_bytes = std::min(panel_depth, depth) * kernel.columns * sizeof(T);
  const auto lines = std::make_unique_for_overwrite<line<T>[]>(panel_bytes / sizeof(line<T>) + 1);
  T* const panel = lines[0].cells;
  alignas(line<T>) T sums[most_rows * most_columns] = {};
  for (std::size_t p = 0; p < depth; p += panel_depth) {
    const std::size_t deep = std::min(panel_depth, depth - p);
    for (std::size_t j = 0; j < columns; j += kernel.columns) {
      const std::size_t wide = std::min(kernel.columns, columns - j);
      for (std::size_t k = 0; k < deep; ++k) {
        T* const row = panel + (k * kernel.columns);
        std::fill(std::copy_n(b + ((p + k) * columns) + j, wide, row), row + kernel.columns, T{});
      }
      for (std::size_t i = 0; i < rows; i += kernel.rows) {
        const std::size_t high = std::min(kernel.rows, rows - i);
        const T* from[most_rows];
        for (std::size_t r = 0; r < kernel.rows; ++r) {
          const std::size_t row = std::min(r, high - 1); // rows too many: what they give is dropped
          from[r] = a + ((i + row) * a_stride) + p;
        }
        T* const corner = c + (i * columns) + j;
        for (std::size_t r = 0; r < high; ++r) {
          std::copy_n(corner + (r * columns), wide, sums + (r * kernel.columns));
        }
        kernel.run(from, panel, deep, sums);
        for (std::size_t r = 0; r < high; ++r) {
          std::copy_n(sums + (r * kernel.columns), wide, corner + (r * columns));
        }
      }
    }
  }
}

/// c += the product of one matrix by one matrix, in the fixed order: the products one after the
/// other, then c.
template <class T>
struct in_index_order {
  void operator()(const matrix_kernel<T>& kernel,
                  const T* a,
                  const T* b,
                  T* c,
                  const lengths& l) const noexcept {
    if constexpr (std::is_integral_v<T>) { // the same sum in any order
      multiply_add(kernel, a, l.depth, b, c, l.rows, l.depth, l.columns);
    } else {
      const std::size_t size = l.rows * l.columns;
      const buffer<T> products = make_buffer<T>(size);
      std::fill_n(products.get(), size, T{0});
      multiply_add(kernel, a, l.depth, b, products.get(), l.rows, l.depth, l.columns);
      for (std::size_t i = 0; i < size; ++i) {
        c[i] = products[i] + c[i];
      }
    }
  }
};

/// … or as tensor cores do it.
struct on_tensor_core {
  tensor_core how;

  void operator()(const matrix_kernel<float>& /*kernel*/,
                  const float* a,
                  const float* b,
                  float* c,
                  const lengths& l) const noexcept {
    multiply_add(how, a, b, c, l.rows, l.depth, l.columns);
  }
};

/// … or in a random order: products in random order, cut into several partial sums; these, and what
/// c holds, added up in random order.
template <class T>
class in_random_order {
public:
  in_random_order(std::size_t depth, std::uint64_t seed)
      : draw_(seed)
      , order_(depth) {
    std::iota(order_.begin(), order_.end(), 0U);
    for (std::size_t i = depth; i > 1; --i) {
      std::swap(order_[i - 1], order_[draw_.below(i)]);
    }
    const std::uint64_t parts = 1 + draw_.below(most_parts);
    for (std::uint64_t i = 0; i < parts; ++i) {
      cuts_.push_back(draw_.below(depth + 1));
    }
    cuts_.push_back(0);
    cuts_.push_back(depth);
    std::sort(cuts_.begin(), cuts_.end());
    cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
  }

  void operator()(
      const matrix_kernel<T>& kernel, const T* a, const T* b, T* c, const lengths& l) noexcept {
    const buffer<T> left = make_buffer<T>(l.rows * l.depth);
    const buffer<T> right = make_buffer<T>(l.depth * l.columns);
    for (std::size_t k = 0; k < l.depth; ++k) {
      for (std::size_t i = 0; i < l.rows; ++i) {
        left[i * l.depth + k] = a[i * l.depth + order_[k]];
      }
      std::copy_n(b + (order_[k] * l.columns), l.columns, right.get() + (k * l.columns));
    }
    const std::size_t size = l.rows * l.columns;
    std::vector<buffer<T>> partial;
    for (std::size_t part = 0; part + 1 < cuts_.size(); ++part) {
      partial.push_back(make_buffer<T>(size));
      std::fill_n(partial.back().get(), size, T{0});
      multiply_add(kernel,
                   left.get() + cuts_[part],
                   l.depth,
                   right.get() + (cuts_[part] * l.columns),
                   partial.back().get(),
                   l.rows,
                   cuts_[part + 1] - cuts_[part],
                   l.columns);
    }
    partial.push_back(make_buffer<T>(size));
    std::copy_n(c, size, partial.back().get());
    while (partial.size() > 1) {
      std::swap(partial[draw_.below(partial.size())], partial.back());
      const buffer<T> last = std::move(partial.back());
      partial.pop_back();
      T* const to = partial[draw_.below(partial.size())].get();
      for (std::size_t i = 0; i < size; ++i) {
        to[i] += last[i];
      }
    }
    std::copy_n(partial.front().get(), size, c);
  }

private:
  static constexpr std::uint64_t most_parts = 8;
  rng draw_;
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> cuts_; ///< where the partial sums begin, and the end
};

template <class T>
void make_nans_canonical(T* cells, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<T, float>) {
      cells[i] = cells[i] == cells[i] ? cells[i] : fp::as_float(0x7fffffffU);
    } else if constexpr (std::is_same_v<T, double>) {
      cells[i] = cells[i] == cells[i] ? cells[i] : fp::as_double(0xfff8000000000000U);
    }
  }
}

/// The product computed in T.
template <class T, class Order>
void multiply(vectors width,
              Order&& order,
              out result,
              const widened<T>& lhs,
              const tile_type& lhs_type,
              const widened<T>& rhs,
              const tile_type& rhs_type,
              in acc,
              const lengths& l) noexcept {
  const matrix_kernel<T> kernel = find_matrix_kernel<T>(width);
  const std::size_t count = result.type->count;
  const bool in_place = result.type->elem == kind_of<T>;
  buffer<T> own;
  if (!in_place) {
    own = make_buffer<T>(count);
  }
  T* const sums = in_place ? static_cast<T*>(result.data) : own.get();
  const widened<T> start(acc, signedness::signed_);
  if (acc.type->count == count) {
    std::copy_n(start.cells(), count, sums);
  } else {
    std::fill_n(sums, count, *start.cells());
  }
  for (std::size_t batch = 0; batch < l.batches; ++batch) {
    order(kernel,
          matrix_at(lhs.cells(), lhs_type, batch, l.rows * l.depth),
          matrix_at(rhs.cells(), rhs_type, batch, l.depth * l.columns),
          sums + (batch * l.rows * l.columns),
          l);
  }
  make_nans_canonical(sums, count);
  if (!in_place) { // one rounding
    find_elementwise(opcode::ftof, {}, result.type->elem, kind_of<T>)
        .run({result.data, {sums, nullptr, nullptr}, {}, count});
  }
}

template <class T>
bool multiply(vectors width,
              combining_order order,
              arithmetic arith,
              signedness lhs_sign,
              signedness rhs_sign,
              out result,
              in lhs,
              in rhs,
              in acc) noexcept {
  const unsigned first = result.type->rank - 2U; // dimensions of a matrix
  const lengths l{first == 0 ? 1 : result.type->extents[0],
                  result.type->extents[first],
                  lhs.type->extents[first + 1],
                  result.type->extents[first + 1]};
  const widened<T> left(lhs, lhs_sign);
  const widened<T> right(rhs, rhs_sign);
  if constexpr (std::is_same_v<T, float>) {
    const auto core =
        find_tensor_core(lhs.type->elem, result.type->elem, l.batches, l.rows, l.depth, l.columns);
    if (core && !order.random && arith == arithmetic::hardware) {
      multiply(width, on_tensor_core{*core}, result, left, *lhs.type, right, *rhs.type, acc, l);
      return true;
    }
  }
  if (order.random && !std::is_integral_v<T>) { // integers wrap to the same sum in any order
    multiply(width,
             in_random_order<T>(l.depth, order.seed),
             result,
             left,
             *lhs.type,
             right,
             *rhs.type,
             acc,
             l);
  } else {
    multiply(width, in_index_order<T>{}, result, left, *lhs.type, right, *rhs.type, acc, l);
  }
  return true;
}

bool is_byte(element e) noexcept {
  return e == element::i8 || e == element::i1;
}

} // namespace

bool mma(opcode op,
         signedness lhs_sign,
         signedness rhs_sign,
         out result,
         in lhs,
         in rhs,
         in acc,
         combining_order order,
         arithmetic arith,
         vectors width) noexcept {
  const element l = lhs.type->elem;
  const element r = rhs.type->elem;
  const element to = result.type->elem;
  const unsigned rank = result.type->rank;
  TILESIM_ASSERT(rank >= 2 && rank <= 3 && lhs.type->rank == rank && rhs.type->rank == rank,
                 rank,
                 lhs.type->rank,
                 rhs.type->rank);
  TILESIM_ASSERT(lhs.type->extents[rank - 2] == result.type->extents[rank - 2],
                 lhs.type->extents[rank - 2],
                 result.type->extents[rank - 2]);
  TILESIM_ASSERT(rhs.type->extents[rank - 1] == result.type->extents[rank - 1],
                 rhs.type->extents[rank - 1],
                 result.type->extents[rank - 1]);
  TILESIM_ASSERT(lhs.type->extents[rank - 1] == rhs.type->extents[rank - 2],
                 lhs.type->extents[rank - 1],
                 rhs.type->extents[rank - 2]);
  TILESIM_ASSERT(acc.type->count == 1 || acc.type->count == result.type->count,
                 acc.type->count,
                 result.type->count);
  TILESIM_ASSERT(apart(result, lhs));
  TILESIM_ASSERT(apart(result, rhs));
  const auto run = [&]<class T>() {
    return multiply<T>(width, order, arith, lhs_sign, rhs_sign, result, lhs, rhs, acc);
  };
  if (op == opcode::mmai) {
    return is_byte(l) && is_byte(r) && to == element::i32 &&
           run.template operator()<std::uint32_t>();
  }
  if (l != r || acc.type->elem != to) {
    return false;
  }
  switch (l) {
  case element::f32:
    return to == l && run.template operator()<float>();
  case element::f64:
    return to == l && run.template operator()<double>();
  case element::bf16:
  case element::tf32:
    return to == element::f32 && run.template operator()<float>();
  case element::f16:
  case element::f8e4m3:
  case element::f8e5m2:
    return (to == element::f32 || to == element::f16) && run.template operator()<float>();
  default:
    return false;
  }
}

} // namespace tilesim::sim::ops
