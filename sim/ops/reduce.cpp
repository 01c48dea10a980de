// Reductions: trees of elementwise operations on slices, and the index of an extremum.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "sim/fp/cells.hpp"
#include "sim/ops/combine.hpp"
#include "sim/ops/preconditions.hpp"
#include "sim/ops/rng.hpp"
#include "sim/ops/slices.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace tilesim::sim::ops {
namespace {

using machine::combination;
using machine::in;
using machine::opcode;
using machine::out;

std::vector<std::uint32_t> random_permutation(std::size_t length, rng& draw) {
  std::vector<std::uint32_t> order(length);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = length; i > 1; --i) {
    std::swap(order[i - 1], order[draw.below(i)]);
  }
  return order;
}

/// How many threads of an H200's 128 hold the elements along a dimension, and how many of a warp.
struct thread_counts {
  std::size_t threads, warp;

  /// Threads hold the elements in row-major order, those of small tiles in column-major order.
  explicit thread_counts(const lanes& l) noexcept {
    constexpr std::size_t all = 128;
    constexpr std::size_t of_a_warp = 32;
    TILESIM_ASSERT(l.outer != 0 && l.inner != 0, l.outer, l.inner);
    const bool small = l.outer * l.length * l.inner < all;
    const std::size_t between = std::bit_floor(small ? l.outer : l.inner);
    threads = std::max<std::size_t>(1, all / between);
    warp = std::max<std::size_t>(1, of_a_warp / between);
  }
};

/// The fixed order: combines `length` slices of `inner` cells each into one, as an H200 does.
/// Threads take the slices in turn and each combines its own; then those of a warp are combined,
/// halves first, and then the warps.
template <class Op>
class as_threads {
public:
  as_threads(const Op& op, std::size_t length, std::size_t inner, thread_counts c)
      : op_(op)
      , length_(length)
      , inner_(inner)
      , threads_(c.threads)
      , warp_(c.warp)
      , first_(make_scratch(std::min(length, threads_) * bytes()))
      , second_(make_scratch(std::min(length, threads_) * bytes())) {}

  void operator()(std::byte* result, const std::byte* slices) const {
    std::byte* spare[]{first_.get(), second_.get()};
    const std::byte* from = slices;
    for (std::size_t next = threads_; next < length_; next += threads_) {
      const std::size_t count = std::min(threads_, length_ - next);
      op_(spare[0], from, slices + (next * bytes()), count * inner_);
      std::memcpy(
          spare[0] + (count * bytes()), from + (count * bytes()), (threads_ - count) * bytes());
      from = spare[0];
      std::swap(spare[0], spare[1]);
    }
    std::size_t left = std::min(length_, threads_);
    for (std::size_t group = left % warp_ == 0 ? warp_ : left; left > 1;) {
      // Each group of slices becomes one half as long.
      const std::size_t half = (group + 1) / 2;
      const std::size_t pairs = group - half;
      const std::size_t groups = left / group;
      std::byte* const to = spare[0];
      for (std::size_t g = 0; g < groups; ++g) {
        const std::byte* const first = from + (g * group * bytes());
        std::byte* const out = to + (g * half * bytes());
        op_(out, first, first + (half * bytes()), pairs * inner_);
        if (pairs != half) {
          std::memcpy(out + (pairs * bytes()), first + (pairs * bytes()), bytes());
        }
      }
      from = to;
      left = groups * half;
      group = half == 1 ? left : half;
      std::swap(spare[0], spare[1]);
    }
    std::memcpy(result, from, bytes());
  }

private:
  [[nodiscard]] std::size_t bytes() const noexcept { return inner_ * op_.cell(); }
  const Op& op_;
  std::size_t length_, inner_, threads_, warp_;
  scratch first_, second_;
};

/// The slices in random order go to so many partial results, in turn, from one (a chain) to
/// `length` (none is long); each of these is then combined with a random one that is left.
template <class Op>
class random_tree {
public:
  random_tree(const Op& op, std::size_t length, std::size_t inner, std::uint64_t seed)
      : op_(op)
      , inner_(inner)
      , draw_(seed)
      , order_(random_permutation(length, draw_))
      , width_(std::size_t{1} << draw_.below(static_cast<std::uint64_t>(std::bit_width(length))))
      , partial_(make_scratch((width_ + 1) * bytes())) {}

  void operator()(std::byte* result, const std::byte* slices) {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::byte* next = slices + (order_[i] * bytes());
      if (i < width_) {
        std::memcpy(partial(i), next, bytes());
      } else {
        combine(i % width_, next);
      }
    }
    for (std::size_t last = width_ - 1; last > 0; --last) {
      combine(draw_.below(last), partial(last));
    }
    std::memcpy(result, partial(0), bytes());
  }

private:
  [[nodiscard]] std::size_t bytes() const noexcept { return inner_ * op_.cell(); }
  [[nodiscard]] std::byte* partial(std::size_t i) const noexcept {
    return partial_.get() + (i * bytes());
  }
  void combine(std::size_t i, const std::byte* next) const {
    op_(partial(width_), partial(i), next, inner_);
    std::memcpy(partial(i), partial(width_), bytes());
  }

  const Op& op_;
  std::size_t inner_;
  rng draw_;
  std::vector<std::uint32_t> order_;
  std::size_t width_;
  scratch partial_; ///< width_ partial results, and room for one more
};

/// The tree of every group of slices, one for each outer index.
template <class Tree>
void combine_groups(
    Tree&& tree, out result, const std::byte* cells, const lanes& l, std::size_t cell) noexcept {
  for (std::size_t o = 0; o < l.outer; ++o) {
    tree(static_cast<std::byte*>(result.data) + (o * l.inner * cell),
         cells + (o * l.length * l.inner * cell));
  }
}

// ------------------------------------------------------------------------- index of an extremum

/// An element as a number that compares.
template <class T>
auto key(T x) noexcept {
  if constexpr (fp::narrow_cell<T>) {
    return fp::widen(x);
  } else {
    return x;
  }
}

template <bool Largest, class T>
bool better(T a, T b) noexcept {
  return Largest ? a > b : a < b;
}

template <bool Largest, class T>
void index_in_order(out index, in values, const lanes& l) noexcept {
  const auto* cells = static_cast<const T*>(values.data);
  auto* to = static_cast<std::uint32_t*>(index.data);
  for (std::size_t lane = 0; lane < l.outer * l.inner; ++lane) {
    const T* first = cells + (lane / l.inner * l.length * l.inner) + (lane % l.inner);
    auto best = key(*first);
    std::uint32_t at = 0;
    for (std::uint32_t k = 1; k < l.length; ++k) {
      const auto x = key(first[k * l.inner]);
      if (better<Largest>(x, best) || (best != best && x == x)) {
        best = x;
        at = k;
      }
    }
    to[lane] = best == best ? at : 0;
  }
}

// As NVIDIA's body has it: the later of the two stays unless the other is better, or equal and
// first. So a NaN that comes first stays.
template <bool Largest, class T>
void index_in_random_order(out index, in values, const lanes& l, std::uint64_t seed) {
  rng draw(seed);
  const std::vector<std::uint32_t> order = random_permutation(l.length, draw);
  const auto* cells = static_cast<const T*>(values.data);
  auto* to = static_cast<std::uint32_t*>(index.data);
  for (std::size_t lane = 0; lane < l.outer * l.inner; ++lane) {
    const T* first = cells + (lane / l.inner * l.length * l.inner) + (lane % l.inner);
    std::uint32_t at = order[0];
    for (const std::uint32_t k : order) {
      const auto x = key(first[k * l.inner]);
      const auto best = key(first[at * l.inner]);
      if (better<Largest>(x, best) || (x == best && k < at)) {
        at = k;
      }
    }
    to[lane] = at;
  }
}

template <class T>
bool find_index(bool largest, out index, in values, const lanes& l, combining_order order) {
  if (order.random) {
    largest ? index_in_random_order<true, T>(index, values, l, order.seed)
            : index_in_random_order<false, T>(index, values, l, order.seed);
  } else {
    largest ? index_in_order<true, T>(index, values, l)
            : index_in_order<false, T>(index, values, l);
  }
  return true;
}

template <class Signed>
bool find_integer_index(
    const combination& how, out index, in values, const lanes& l, combining_order order) {
  const bool largest = how.body == opcode::maxi;
  return how.modes.sign == machine::signedness::signed_
             ? find_index<Signed>(largest, index, values, l, order)
             : find_index<std::make_unsigned_t<Signed>>(largest, index, values, l, order);
}

} // namespace

bool reduce(const combination& how,
            out result,
            in operand,
            unsigned dim,
            combining_order order,
            arithmetic arith) noexcept {
  const combiner op(how, operand.type->elem, arith);
  if (!op) {
    return false;
  }
  TILESIM_ASSERT(dim < operand.type->rank, dim, operand.type->rank);
  TILESIM_ASSERT(is_consistent(*operand.type), operand.type->count);
  TILESIM_ASSERT(same_kind(*result.type, *operand.type), result.type->elem, operand.type->elem);
  TILESIM_ASSERT(apart(result, operand));
  lanes l(*operand.type, dim);
  TILESIM_ASSERT(result.type->count == l.outer * l.inner, result.type->count, l.outer, l.inner);
  const thread_counts counts(l);
  const auto* cells = static_cast<const std::byte*>(operand.data);
  scratch turned;
  // Many short groups: turned so that each operation covers all of them.
  constexpr std::size_t worth_a_call = 256; // cells
  if (l.outer > 1 && l.length > 1 && l.length / 2 * l.inner < worth_a_call) {
    turned = make_scratch(operand.type->count * op.cell());
    swap_outer(turned.get(), cells, operand.type->elem, l.outer, l.length, l.inner);
    cells = turned.get();
    l.inner *= l.outer;
    l.outer = 1;
  }
  if (order.random) {
    combine_groups(random_tree(op, l.length, l.inner, order.seed), result, cells, l, op.cell());
  } else {
    combine_groups(as_threads(op, l.length, l.inner, counts), result, cells, l, op.cell());
  }
  return true;
}

void reduce(const combining_body& body,
            const out* results,
            const in* operands,
            unsigned values,
            unsigned dim,
            combining_order order) {
  TILESIM_ASSERT(dim < operands[0].type->rank, dim, operands[0].type->rank);
  const body_combiner op(body, operands, values);
  lanes l(*operands[0].type, dim);
  const thread_counts counts(l);
  for (unsigned v = 0; v < values; ++v) {
    TILESIM_ASSERT(lanes(*operands[v].type, dim).length == l.length, v, l.length);
    TILESIM_ASSERT(results[v].type->count == l.outer * l.inner, v, results[v].type->count);
    TILESIM_ASSERT(same_kind(*results[v].type, *operands[v].type), v, results[v].type->elem);
  }
  const scratch cells = zipped(op, operands, values, l);
  const std::size_t inner = l.outer * l.inner;
  const scratch reduced = make_scratch(inner * op.cell());
  if (order.random) {
    random_tree(op, l.length, inner, order.seed)(reduced.get(), cells.get());
  } else {
    as_threads(op, l.length, inner, counts)(reduced.get(), cells.get());
  }
  for (unsigned v = 0; v < values; ++v) {
    op.take(v, static_cast<std::byte*>(results[v].data), reduced.get(), inner, false);
  }
}

bool reduce_index(
    const combination& how, out index, in values, unsigned dim, combining_order order) noexcept {
  TILESIM_ASSERT(dim < values.type->rank, dim, values.type->rank);
  TILESIM_ASSERT(apart(index, values));
  const lanes l(*values.type, dim);
  TILESIM_ASSERT(index.type->count == l.outer * l.inner, index.type->count, l.outer, l.inner);
  const element kind = values.type->elem;
  if (how.body == opcode::maxi || how.body == opcode::mini) {
    switch (kind) {
    case element::i1: // 0 or 1, unsigned
      return find_index<std::uint8_t>(how.body == opcode::maxi, index, values, l, order);
    case element::i8:
      return find_integer_index<std::int8_t>(how, index, values, l, order);
    case element::i16:
      return find_integer_index<std::int16_t>(how, index, values, l, order);
    case element::i32:
      return find_integer_index<std::int32_t>(how, index, values, l, order);
    case element::i64:
      return find_integer_index<std::int64_t>(how, index, values, l, order);
    default:
      return false;
    }
  }
  const bool largest = how.body == opcode::maxf;
  if (!largest && how.body != opcode::minf) {
    return false;
  }
  switch (kind) {
  case element::f16:
    return find_index<fp::f16>(largest, index, values, l, order);
  case element::bf16:
    return find_index<fp::bf16>(largest, index, values, l, order);
  case element::f32:
    return find_index<float>(largest, index, values, l, order);
  case element::f64:
    return find_index<double>(largest, index, values, l, order);
  default:
    return false;
  }
}

} // namespace tilesim::sim::ops
