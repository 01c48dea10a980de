// Comparisons.  [arithmetic operations: comparison operators]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/fp/cells.hpp"
#include "sim/ops/integer_types.hpp"
#include "sim/ops/tables.hpp"

namespace tilesim::sim::ops {
namespace {

using machine::opcode;
using machine::ordering;
using machine::predicate;
using machine::signedness;

template <predicate Predicate, class V>
[[gnu::always_inline]] inline bool holds(V a, V b) noexcept {
  switch (Predicate) {
  case predicate::equal:
    return a == b;
  case predicate::not_equal:
    return a != b;
  case predicate::less_than:
    return a < b;
  case predicate::less_than_or_equal:
    return a <= b;
  case predicate::greater_than:
    return a > b;
  case predicate::greater_than_or_equal:
    return a >= b;
  }
  return false;
}

template <predicate Predicate>
struct integers {
  template <class T>
  struct compare {
    static std::uint8_t apply(T a, T b) noexcept { return holds<Predicate>(a, b) ? 1 : 0; }
  };
};

// Ordered: false when an operand is a NaN; unordered: true then.
template <predicate Predicate, ordering Order>
struct compare_floats {
  template <class T>
  static std::uint8_t apply(T x, T y) noexcept {
    const auto a = fp::widen(x);
    const auto b = fp::widen(y);
    const bool has_nan = a != a || b != b;
    return (Order == ordering::ordered ? holds<Predicate>(a, b) && !has_nan
                                       : holds<Predicate>(a, b) || has_nan)
               ? 1
               : 0;
  }
};

// The same on half and bfloat16, by the cells: sign and magnitude as an integer.
template <predicate Predicate, ordering Order>
struct compare_halves {
  template <class Cell>
  static std::uint8_t apply(Cell a, Cell b) noexcept {
    const bool found = holds<Predicate>(number(a), number(b));
    const unsigned has_nan = static_cast<unsigned>(is_nan(a)) | static_cast<unsigned>(is_nan(b));
    return static_cast<std::uint8_t>(Order == ordering::ordered
                                         ? static_cast<unsigned>(found) & ~has_nan
                                         : static_cast<unsigned>(found) | has_nan);
  }

private:
  template <class Cell>
  static std::int16_t number(Cell a) noexcept {
    const int magnitude = a.bits & 0x7fff;
    return static_cast<std::int16_t>((a.bits & 0x8000) != 0 ? -magnitude : magnitude);
  }
  template <class Cell>
  static bool is_nan(Cell a) noexcept {
    return (a.bits & 0x7fff) > Cell::format::infinity;
  }
};

template <predicate P>
table_entry integer_entry(signedness sign, element kind) noexcept {
  const element as = kind == element::ptr ? element::i64 : kind;
  const bool is_signed = sign == signedness::signed_ && kind != element::ptr;
  return at(is_signed ? signed_binary<integers<P>::template compare>
                      : unsigned_binary<integers<P>::template compare>,
            as);
}

template <predicate P, ordering Order>
table_entry ordered_entry(element kind) noexcept {
  using meaning = compare_floats<P, Order>;
  switch (kind) {
  case element::f32:
    return entry<meaning, std::uint8_t, float, float>();
  case element::f64:
    return entry<meaning, std::uint8_t, double, double>();
  case element::f16:
    return entry<compare_halves<P, Order>, std::uint8_t, fp::f16, fp::f16>();
  case element::bf16:
    return entry<compare_halves<P, Order>, std::uint8_t, fp::bf16, fp::bf16>();
  case element::tf32:
    return plain_entry<meaning, std::uint8_t, fp::tf32, fp::tf32>();
  case element::f8e4m3:
    return plain_entry<meaning, std::uint8_t, fp::e4m3, fp::e4m3>();
  case element::f8e5m2:
    return plain_entry<meaning, std::uint8_t, fp::e5m2, fp::e5m2>();
  case element::i1:
  case element::i8:
  case element::i16:
  case element::i32:
  case element::i64:
  case element::ptr:
    break;
  }
  return {};
}

template <predicate P>
table_entry entry_of(opcode op, const machine::attributes& modes, element kind) noexcept {
  if (op == opcode::cmpi) {
    return integer_entry<P>(modes.sign, kind);
  }
  return modes.order == ordering::ordered ? ordered_entry<P, ordering::ordered>(kind)
                                          : ordered_entry<P, ordering::unordered>(kind);
}

} // namespace

table_entry find_compare(opcode op, const machine::attributes& modes, element kind) noexcept {
  switch (modes.pred) {
  case predicate::equal:
    return entry_of<predicate::equal>(op, modes, kind);
  case predicate::not_equal:
    return entry_of<predicate::not_equal>(op, modes, kind);
  case predicate::less_than:
    return entry_of<predicate::less_than>(op, modes, kind);
  case predicate::less_than_or_equal:
    return entry_of<predicate::less_than_or_equal>(op, modes, kind);
  case predicate::greater_than:
    return entry_of<predicate::greater_than>(op, modes, kind);
  case predicate::greater_than_or_equal:
    return entry_of<predicate::greater_than_or_equal>(op, modes, kind);
  }
  return {};
}

} // namespace tilesim::sim::ops
