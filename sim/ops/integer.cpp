// Integer arithmetic but division.  [arithmetic operations]
//
// Every result is the mathematical one modulo 2^n. Where the page calls it undefined because a
// signed type cannot represent it, the hardware wraps too.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/integer_types.hpp"
#include "sim/ops/tables.hpp"

namespace tilesim::sim::ops {
namespace {

using machine::opcode;
using machine::overflow;
using machine::signedness;

// a + b mod 2^n.  [arithmetic operations: addition]
template <class T>
struct add {
  static T apply(T a, T b) noexcept { return static_cast<T>(modular<T>(a) + modular<T>(b)); }
};

// a - b mod 2^n.  [arithmetic operations: subtraction]
template <class T>
struct sub {
  static T apply(T a, T b) noexcept { return static_cast<T>(modular<T>(a) - modular<T>(b)); }
};

// a * b mod 2^n.  [arithmetic operations: multiplication]
template <class T>
struct mul {
  static T apply(T a, T b) noexcept { return static_cast<T>(modular<T>(a) * modular<T>(b)); }
};

template <class T>
constexpr undefined_kind overflow_kind() noexcept {
  return std::is_signed_v<T> ? undefined_kind::signed_overflow : undefined_kind::unsigned_overflow;
}

// The same, undefined where the result is not representable: T signed is what Tile IR calls
// no_signed_wrap (the page's rule for signed types), T unsigned its no_unsigned_wrap.
template <class T>
struct add_no_wrap : add<T> {
  static bool undefined(T a, T b) noexcept {
    const T sum = add<T>::apply(a, b);
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>((a ^ sum) & (b ^ sum)) < 0;
    } else {
      return sum < a;
    }
  }
  static undefined_kind why(T, T) noexcept { return overflow_kind<T>(); }
};

template <class T>
struct sub_no_wrap : sub<T> {
  static bool undefined(T a, T b) noexcept {
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>((a ^ b) & (a ^ sub<T>::apply(a, b))) < 0;
    } else {
      return a < b;
    }
  }
  static undefined_kind why(T, T) noexcept { return overflow_kind<T>(); }
};

template <class T>
struct mul_no_wrap : mul<T> {
  using twice_as_wide =
      std::conditional_t<sizeof(T) == 1,
                         std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>,
                         std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>;
  static bool undefined(T a, T b) noexcept {
    if constexpr (sizeof(T) == 8) {
      T product;
      return __builtin_mul_overflow(a, b, &product);
    } else if constexpr (sizeof(T) == 4) {
      using wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
      const wide product = wide{a} * wide{b};
      return product != wide{static_cast<T>(product)};
    } else { // vectors have the high half of such a product
      const auto product = static_cast<twice_as_wide>(twice_as_wide{a} * twice_as_wide{b});
      const auto low = static_cast<T>(product);
      const auto high = static_cast<T>(product >> bits_in<T>);
      return high != (std::is_signed_v<T> ? static_cast<T>(low >> (bits_in<T> - 1)) : T{0});
    }
  }
  static undefined_kind why(T, T) noexcept { return overflow_kind<T>(); }
};

// Both flags of Tile IR at once: undefined where either reading overflows. T is signed.
template <template <class> class NoWrap>
struct both {
  template <class T>
  struct of : NoWrap<T> {
    using unsigned_reading = NoWrap<unsigned_of<T>>;
    static bool undefined(T a, T b) noexcept {
      return NoWrap<T>::undefined(a, b) ||
             unsigned_reading::undefined(static_cast<unsigned_of<T>>(a),
                                         static_cast<unsigned_of<T>>(b));
    }
    static undefined_kind why(T a, T b) noexcept {
      return NoWrap<T>::undefined(a, b) ? undefined_kind::signed_overflow
                                        : undefined_kind::unsigned_overflow;
    }
  };
};

// 2^n - a, or -a, which no signed type has for its minimum.  [arithmetic operations: negation]
template <class T>
struct negate {
  static T apply(T a) noexcept { return static_cast<T>(modular<T>{0} - modular<T>(a)); }
};
template <class T>
struct negate_signed : negate<T> {
  static bool undefined(T a) noexcept { return std::is_signed_v<T> && a == lowest_of<T>; }
  static undefined_kind why(T) noexcept { return undefined_kind::signed_overflow; }
};

// |a|.  [arithmetic operations: absolute value]
template <class T>
struct absolute {
  static T apply(T a) noexcept { return a; }
};
template <class T>
struct absolute_signed {
  static T apply(T a) noexcept { return a < 0 ? negate<T>::apply(a) : a; }
  static bool undefined(T a) noexcept { return std::is_signed_v<T> && a == lowest_of<T>; }
  static undefined_kind why(T) noexcept { return undefined_kind::signed_overflow; }
};

// floor(a * b / 2^n) of the operands read as unsigned, also when they are signed.
// [arithmetic operations: multiply high bits]
template <class T>
struct multiply_high {
  static T apply(T a, T b) noexcept {
    if constexpr (sizeof(T) == 8) {
      __extension__ using wide = unsigned __int128;
      return static_cast<T>((wide{a} * wide{b}) >> 64);
    } else {
      return static_cast<T>((std::uint64_t{a} * std::uint64_t{b}) >> bits_in<T>);
    }
  }
};

// a > b ? a : b.  [arithmetic operations: maximum]
template <class T>
struct maximum {
  static T apply(T a, T b) noexcept { return a > b ? a : b; }
};

// a > b ? b : a.  [arithmetic operations: minimum]
template <class T>
struct minimum {
  static T apply(T a, T b) noexcept { return a > b ? b : a; }
};

/// The row for an overflow attribute: modulo 2^n, or with either or both reports.
template <template <class> class Wraps, template <class> class NoWrap>
const integer_row& by_overflow(overflow wrap) noexcept {
  switch (wrap) {
  case overflow::none:
    break;
  case overflow::no_signed_wrap:
    return signed_binary<NoWrap>;
  case overflow::no_unsigned_wrap:
    return unsigned_binary<NoWrap>;
  case overflow::no_wrap:
    return signed_binary<both<NoWrap>::template of>;
  }
  return unsigned_binary<Wraps>;
}

/// i1 is modulo 2 whatever the attribute says.
template <template <class> class Wraps, template <class> class NoWrap>
table_entry find_wrapping(overflow wrap, element kind) noexcept {
  return at(by_overflow<Wraps, NoWrap>(kind == element::i1 ? overflow::none : wrap), kind);
}

} // namespace

table_entry find_integer(opcode op, const machine::attributes& modes, element kind) noexcept {
  const bool is_signed = modes.sign == signedness::signed_;
  switch (op) {
  case opcode::addi:
    return find_wrapping<add, add_no_wrap>(modes.wrap, kind);
  case opcode::subi:
    return find_wrapping<sub, sub_no_wrap>(modes.wrap, kind);
  case opcode::muli:
    return find_wrapping<mul, mul_no_wrap>(modes.wrap, kind);
  case opcode::negi:
    return at(is_signed ? signed_unary<negate_signed> : unsigned_unary<negate>, kind);
  case opcode::absi:
    return at(is_signed ? signed_unary<absolute_signed> : unsigned_unary<absolute>, kind);
  case opcode::mulhii:
    return at(unsigned_binary<multiply_high>, kind);
  case opcode::maxi:
    return at(is_signed ? signed_binary<maximum> : unsigned_binary<maximum>, kind);
  case opcode::mini:
    return at(is_signed ? signed_binary<minimum> : unsigned_binary<minimum>, kind);
  default:
    return {};
  }
}

} // namespace tilesim::sim::ops
