// Conversions among integers.  [general: scalar conversion]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/integer_types.hpp"
#include "sim/ops/tables.hpp"

namespace tilesim::sim::ops {
namespace {

using machine::opcode;
using machine::overflow;
using machine::signedness;

// To a wider integer: the value stays. From i1: 0 or 1.
template <class To>
struct extend {
  template <class From>
  static To apply(From a) noexcept {
    return static_cast<To>(a);
  }
};

// To a narrower integer: the low bits.
template <class To>
struct truncate {
  template <class From>
  static To apply(From a) noexcept {
    return static_cast<To>(a);
  }
};
struct truncate_to_bit {
  template <class From>
  static std::uint8_t apply(From a) noexcept {
    return static_cast<std::uint8_t>(a & 1);
  }
};

// The same, undefined where it changes the value. Tile IR: no_signed_wrap (To signed) wants the
// dropped bits to equal the new sign bit, no_unsigned_wrap (To unsigned) wants them to be zero.
template <class To>
struct truncate_no_wrap : truncate<To> {
  template <class From>
  static bool undefined(From a) noexcept {
    return static_cast<From>(static_cast<To>(a)) != a;
  }
  template <class From>
  static undefined_kind why(From) noexcept {
    return undefined_kind::unrepresentable_integer;
  }
};
template <class To>
struct truncate_neither_wraps : truncate<To> { // To is signed
  template <class From>
  static bool undefined(From a) noexcept {
    return truncate_no_wrap<To>::undefined(a) || static_cast<To>(a) < 0;
  }
  template <class From>
  static undefined_kind why(From) noexcept {
    return undefined_kind::unrepresentable_integer;
  }
};
template <bool SignedFits, bool UnsignedFits>
struct truncate_to_bit_no_wrap : truncate_to_bit {
  template <class From>
  static bool undefined(From a) noexcept { // From is signed
    const bool as_signed = a == 0 || a == From{-1};
    const bool as_unsigned = a == 0 || a == From{1};
    return (SignedFits && !as_signed) || (UnsignedFits && !as_unsigned);
  }
  template <class From>
  static undefined_kind why(From) noexcept {
    return undefined_kind::unrepresentable_integer;
  }
};

template <class From, class To>
constexpr table_entry extended() noexcept {
  return sizeof(From) < sizeof(To) ? entry<extend<To>, To, From>() : table_entry{};
}
template <class To>
constexpr integer_row extend_unsigned{entry<extend<To>, To, std::uint8_t>(),
                                      extended<std::uint8_t, To>(),
                                      extended<std::uint16_t, To>(),
                                      extended<std::uint32_t, To>(),
                                      table_entry{}};
template <class To>
constexpr integer_row extend_signed{entry<extend<To>, To, std::uint8_t>(),
                                    extended<std::int8_t, To>(),
                                    extended<std::int16_t, To>(),
                                    extended<std::int32_t, To>(),
                                    table_entry{}};

table_entry find_exti(bool is_signed, element result, element source) noexcept {
  switch (result) {
  case element::i8:
    return at(is_signed ? extend_signed<std::int8_t> : extend_unsigned<std::uint8_t>, source);
  case element::i16:
    return at(is_signed ? extend_signed<std::int16_t> : extend_unsigned<std::uint16_t>, source);
  case element::i32:
    return at(is_signed ? extend_signed<std::int32_t> : extend_unsigned<std::uint32_t>, source);
  case element::i64:
    return at(is_signed ? extend_signed<std::int64_t> : extend_unsigned<std::uint64_t>, source);
  default:
    return {};
  }
}

template <class Meaning, class To, class From>
constexpr table_entry truncated() noexcept {
  return sizeof(To) < sizeof(From) ? entry<Meaning, To, From>() : table_entry{};
}

template <class To, class From>
table_entry truncate_entry(overflow wrap) noexcept {
  using unsigned_to = unsigned_of<To>;
  using unsigned_from = unsigned_of<From>;
  switch (wrap) {
  case overflow::none:
    break;
  case overflow::no_signed_wrap:
    return truncated<truncate_no_wrap<To>, To, From>();
  case overflow::no_unsigned_wrap:
    return truncated<truncate_no_wrap<unsigned_to>, unsigned_to, unsigned_from>();
  case overflow::no_wrap:
    return truncated<truncate_neither_wraps<To>, To, From>();
  }
  return truncated<truncate<unsigned_to>, unsigned_to, unsigned_from>();
}

template <class From>
table_entry bit_entry(overflow wrap) noexcept {
  switch (wrap) {
  case overflow::none:
    break;
  case overflow::no_signed_wrap:
    return entry<truncate_to_bit_no_wrap<true, false>, std::uint8_t, From>();
  case overflow::no_unsigned_wrap:
    return entry<truncate_to_bit_no_wrap<false, true>, std::uint8_t, From>();
  case overflow::no_wrap:
    // NVIDIA's compiler puts this flag on bool operands that are 0 or 1: the unsigned reading.
    return entry<truncate_to_bit_no_wrap<false, true>, std::uint8_t, From>();
  }
  return entry<truncate_to_bit, std::uint8_t, From>();
}

template <class From>
table_entry truncate_from(overflow wrap, element result) noexcept {
  switch (result) {
  case element::i1:
    return bit_entry<From>(wrap);
  case element::i8:
    return truncate_entry<std::int8_t, From>(wrap);
  case element::i16:
    return truncate_entry<std::int16_t, From>(wrap);
  case element::i32:
    return truncate_entry<std::int32_t, From>(wrap);
  default:
    return {};
  }
}

table_entry find_trunci(overflow wrap, element result, element source) noexcept {
  switch (source) {
  case element::i8:
    return truncate_from<std::int8_t>(wrap, result);
  case element::i16:
    return truncate_from<std::int16_t>(wrap, result);
  case element::i32:
    return truncate_from<std::int32_t>(wrap, result);
  case element::i64:
    return truncate_from<std::int64_t>(wrap, result);
  default:
    return {};
  }
}

} // namespace

table_entry find_integer_cast(opcode op,
                              const machine::attributes& modes,
                              element result,
                              element source) noexcept {
  return op == opcode::exti ? find_exti(modes.sign == signedness::signed_, result, source)
                            : find_trunci(modes.wrap, result, source);
}

} // namespace tilesim::sim::ops
