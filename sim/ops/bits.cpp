// Bitwise operations, shifts and choice.  [arithmetic operations: bitwise and … right bitshift]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/integer_types.hpp"
#include "sim/ops/tables.hpp"

namespace tilesim::sim::ops {
namespace {

using machine::opcode;
using machine::signedness;

template <class T>
struct bit_and {
  static T apply(T a, T b) noexcept { return static_cast<T>(a & b); }
};
template <class T>
struct bit_or {
  static T apply(T a, T b) noexcept { return static_cast<T>(a | b); }
};
template <class T>
struct bit_xor {
  static T apply(T a, T b) noexcept { return static_cast<T>(a ^ b); }
};

// The count is read as unsigned, so that one comparison finds the negative and the too large ones.
template <class T, unsigned Width>
struct undefined_count {
  static bool undefined(T, T count) noexcept { return static_cast<unsigned_of<T>>(count) >= Width; }
  static undefined_kind why(T, T) noexcept { return undefined_kind::shift_count; }
};

// What the hardware takes for the count: of 64-bit ones the low half.
template <class T>
unsigned measured_count(T count) noexcept {
  return static_cast<unsigned>(static_cast<unsigned_of<T>>(count));
}

// a * 2^b mod 2^n; the hardware gives 0 for a count out of range, and leaves a bool as it is.
// [arithmetic operations: left bitshift]
template <class T, unsigned Width = bits_in<T>>
struct shift_left : undefined_count<T, Width> {
  static T apply(T a, T count) noexcept {
    const unsigned places = measured_count(count);
    const auto shifted = static_cast<T>(modular<T>(a) << (places & (Width - 1)));
    return places >= Width && Width > 1 ? T{0} : shifted;
  }
};

// floor(a / 2^b); for a count out of range the hardware gives what b = infinity would.
// [arithmetic operations: right bitshift]
template <class T, unsigned Width = bits_in<T>>
struct shift_right : undefined_count<T, Width> {
  static T apply(T a, T count) noexcept {
    const unsigned places = measured_count(count);
    const auto shifted = static_cast<T>(a >> (places & (Width - 1)));
    return places >= Width ? static_cast<T>(a < 0 ? -1 : 0) : shifted;
  }
};

template <template <class, unsigned> class Shift, class T>
constexpr table_entry shift_entry() noexcept {
  return binary_entry<Shift<T, bits_in<T>>, T>();
}

// bool has one bit: a count of 1 is out of range already.
template <template <class, unsigned> class Shift>
constexpr integer_row unsigned_shift{binary_entry<Shift<std::uint8_t, 1>, std::uint8_t>(),
                                     shift_entry<Shift, std::uint8_t>(),
                                     shift_entry<Shift, std::uint16_t>(),
                                     shift_entry<Shift, std::uint32_t>(),
                                     shift_entry<Shift, std::uint64_t>()};
template <template <class, unsigned> class Shift>
constexpr integer_row signed_shift{binary_entry<Shift<std::uint8_t, 1>, std::uint8_t>(),
                                   shift_entry<Shift, std::int8_t>(),
                                   shift_entry<Shift, std::int16_t>(),
                                   shift_entry<Shift, std::int32_t>(),
                                   shift_entry<Shift, std::int64_t>()};

// cond ? a : b.  [tile operations: select]
template <class Word>
struct choose {
  static Word apply(std::uint8_t condition, Word a, Word b) noexcept {
    return condition != 0 ? a : b;
  }
};

// The cell, unchanged.  [tile operations: element_bitcast]
template <class Word>
struct same {
  static Word apply(Word a) noexcept { return a; }
};

// A byte that becomes a bool: cells of i1 are 0 or 1, so that every other operation may rely on it.
struct is_nonzero {
  static std::uint8_t apply(std::uint8_t a) noexcept { return a != 0 ? 1 : 0; }
};

} // namespace

table_entry find_bits(opcode op, const machine::attributes& modes, element kind) noexcept {
  switch (op) {
  case opcode::andi:
    return at(unsigned_binary<bit_and>, kind);
  case opcode::ori:
    return at(unsigned_binary<bit_or>, kind);
  case opcode::xori:
    return at(unsigned_binary<bit_xor>, kind);
  case opcode::shli:
    return at(unsigned_shift<shift_left>, kind);
  case opcode::shri:
    return at(modes.sign == signedness::signed_ ? signed_shift<shift_right>
                                                : unsigned_shift<shift_right>,
              kind);
  default:
    return {};
  }
}

table_entry find_select(element result, element condition) noexcept {
  if (condition != element::i1) {
    return {};
  }
  switch (size_of(result)) {
  case 1:
    return entry<choose<std::uint8_t>, std::uint8_t, std::uint8_t, std::uint8_t, std::uint8_t>();
  case 2:
    return entry<choose<std::uint16_t>,
                 std::uint16_t,
                 std::uint8_t,
                 std::uint16_t,
                 std::uint16_t>();
  case 4:
    return entry<choose<std::uint32_t>,
                 std::uint32_t,
                 std::uint8_t,
                 std::uint32_t,
                 std::uint32_t>();
  default:
    return entry<choose<std::uint64_t>,
                 std::uint64_t,
                 std::uint8_t,
                 std::uint64_t,
                 std::uint64_t>();
  }
}

table_entry find_copy(element result, element source) noexcept {
  if (size_of(result) != size_of(source)) {
    return {};
  }
  if (result == element::i1 && source != element::i1) {
    return entry<is_nonzero, std::uint8_t, std::uint8_t>();
  }
  switch (size_of(result)) {
  case 1:
    return entry<same<std::uint8_t>, std::uint8_t, std::uint8_t>();
  case 2:
    return entry<same<std::uint16_t>, std::uint16_t, std::uint16_t>();
  case 4:
    return entry<same<std::uint32_t>, std::uint32_t, std::uint32_t>();
  default:
    return entry<same<std::uint64_t>, std::uint64_t, std::uint64_t>();
  }
}

} // namespace tilesim::sim::ops
