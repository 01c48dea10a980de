// Which sums and products of signed integers overflow in some order.
//
// The page leaves a whole reduction undefined if any order and grouping of it would be. So what one
// order forms decides nothing; what some order forms does, and that can be told exactly.
// [reductions and scans]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/combine.hpp"
#include "sim/ops/slices.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace tilesim::sim::ops {
namespace {

__extension__ using int128 = __int128;

/// Holds every sum of 2^24 elements of T.
template <class T>
using wide = std::conditional_t<sizeof(T) == 8, int128, std::int64_t>;

/// The elements along the dimension: number k.
template <class T>
struct strided {
  const T* first;
  std::size_t stride;
  std::uint32_t length;
  T operator[](std::uint32_t k) const noexcept { return first[k * stride]; }
};

struct run {
  std::uint32_t from, to;
  bool above;
};

template <class T>
inline constexpr wide<T> highest = std::numeric_limits<T>::max();
template <class T>
inline constexpr wide<T> lowest = -highest<T> - 1;

// Any subset may come together first, and the largest sum of a subset is that of its positive
// elements.
template <class T>
std::optional<run> overflowing_sum(const strided<T>& x) noexcept {
  wide<T> positive = 0;
  wide<T> negative = 0;
  for (std::uint32_t k = 0; k < x.length; ++k) {
    (x[k] > 0 ? positive : negative) += x[k];
  }
  if (positive > highest<T> || negative < lowest<T>) {
    return run{0, x.length - 1, positive > highest<T>};
  }
  return {};
}

// Any run of neighbours may come together first: the one with the largest sum, and with the
// smallest, found in one pass (Kadane).
template <class T>
std::optional<run> overflowing_run(const strided<T>& x) noexcept {
  // Of the best runs that end here.
  wide<T> above = 0;
  wide<T> below = 0;
  std::uint32_t above_from = 0;
  std::uint32_t below_from = 0;
  for (std::uint32_t k = 0; k < x.length; ++k) {
    if (above <= 0) {
      above = 0;
      above_from = k;
    }
    if (below >= 0) {
      below = 0;
      below_from = k;
    }
    above += x[k];
    below += x[k];
    if (above > highest<T>) {
      return run{above_from, k, true};
    }
    if (below < lowest<T>) {
      return run{below_from, k, false};
    }
  }
  return {};
}

/// A product of elements other than 0 and -1: its magnitude, up to the first that T cannot hold,
/// its sign, and whether an element -1 can turn that.
template <class T>
class factors {
public:
  void multiply(T x) noexcept {
    const std::uint64_t magnitude =
        x < 0 ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
    if (magnitude > 1) {
      too_large_ |= magnitude_ > limit / magnitude;
      magnitude_ *= magnitude;
      negative_ ^= x < 0;
    }
  }
  void turn() noexcept { negative_ = !negative_; }
  /// There is an element -1 to multiply by, or not, as one likes.
  void may_turn() noexcept { can_turn_ = true; }
  /// The type has -limit but not limit.
  [[nodiscard]] bool overflow() const noexcept {
    return too_large_ || (magnitude_ == limit && (!negative_ || can_turn_));
  }

private:
  static constexpr std::uint64_t limit = std::uint64_t{1} << (8 * sizeof(T) - 1);
  std::uint64_t magnitude_ = 1;
  bool too_large_ = false;
  bool negative_ = false;
  bool can_turn_ = false;
};

// Any subset: all elements of magnitude 2 and more, with a -1 or without.
template <class T>
std::optional<run> overflowing_product(const strided<T>& x) noexcept {
  factors<T> all;
  for (std::uint32_t k = 0; k < x.length; ++k) {
    if (x[k] == -1) {
      all.may_turn();
    } else if (x[k] != 0) {
      all.multiply(x[k]);
    }
  }
  return all.overflow() ? std::optional(run{0, x.length - 1, false}) : std::nullopt;
}

// Any run of neighbours: the longest ones without zeros, with the elements 1 and -1 at their ends
// or without.
template <class T>
std::optional<run> overflowing_product_run(const strided<T>& x) noexcept {
  for (std::uint32_t from = 0; from < x.length;) {
    std::uint32_t to = from;
    while (to < x.length && x[to] != 0) {
      ++to;
    }
    const auto is_large = [&](std::uint32_t k) { return x[k] != 1 && x[k] != -1; };
    std::uint32_t first = from; // of the large elements,
    std::uint32_t last = to;    // and one beyond
    while (first < to && !is_large(first)) {
      ++first;
    }
    while (last > first && !is_large(last - 1)) {
      --last;
    }
    factors<T> all;
    for (std::uint32_t k = from; k < to; ++k) {
      const bool inside = first <= k && k < last;
      if (x[k] == -1 && !inside) {
        all.may_turn();
      } else if (x[k] == -1) {
        all.turn();
      } else {
        all.multiply(x[k]);
      }
    }
    if (all.overflow()) {
      return run{from, to - 1, false};
    }
    from = to + 1;
  }
  return {};
}

/// True if no sum, or product, of so many elements of the tile can leave the type: most tiles.
template <class T>
bool is_harmless(bool sums, const T* cells, std::size_t count, std::size_t length) noexcept {
  T largest = 0;
  T smallest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    largest = std::max(largest, cells[i]);
    smallest = std::min(smallest, cells[i]);
  }
  const auto n = static_cast<wide<T>>(length);
  if (sums) {
    return largest * n <= highest<T> && smallest * n >= lowest<T>;
  }
  const wide<T> magnitude = std::max(wide<T>{largest}, -wide<T>{smallest});
  wide<T> product = 1;
  for (std::size_t k = 0; magnitude > 1 && k < length; ++k) {
    product *= magnitude;
    if (product > highest<T>) {
      return false;
    }
  }
  return true;
}

template <class T>
std::optional<partial_overflow>
find(bool sums, bool is_scan, machine::in operand, const lanes& l) noexcept {
  const auto* cells = static_cast<const T*>(operand.data);
  if (is_harmless(sums, cells, operand.type->count, l.length)) {
    return {};
  }
  for (std::size_t lane = 0; lane < l.outer * l.inner; ++lane) {
    const std::size_t first = (lane / l.inner * l.length * l.inner) + (lane % l.inner);
    const strided<T> x{cells + first, l.inner, static_cast<std::uint32_t>(l.length)};
    const std::optional<run> found = sums      ? is_scan ? overflowing_run(x) : overflowing_sum(x)
                                          : is_scan ? overflowing_product_run(x)
                                               : overflowing_product(x);
    if (found) {
      return partial_overflow{first, l.inner, x.length, found->from, found->to, found->above};
    }
  }
  return {};
}

} // namespace

std::optional<partial_overflow> find_partial_overflow(machine::opcode body,
                                                      bool is_scan,
                                                      machine::in operand,
                                                      unsigned dim) noexcept {
  const bool sums = body == machine::opcode::addi;
  if (!sums && body != machine::opcode::muli) {
    return {};
  }
  const lanes l(*operand.type, dim);
  switch (operand.type->elem) {
  case element::i8:
    return find<std::int8_t>(sums, is_scan, operand, l);
  case element::i16:
    return find<std::int16_t>(sums, is_scan, operand, l);
  case element::i32:
    return find<std::int32_t>(sums, is_scan, operand, l);
  case element::i64:
    return find<std::int64_t>(sums, is_scan, operand, l);
  default:
    return {};
  }
}

} // namespace tilesim::sim::ops
