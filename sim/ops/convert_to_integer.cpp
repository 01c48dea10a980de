// Conversions from floating point to integers.  [general: scalar conversion]
//
// Truncation; undefined if the integer type does not have the truncated value. What the hardware
// then gives (measured): the nearest end of the type's range; to 8 bits, the low byte of what 16
// bits would give; of a NaN 0, or the sign bit alone where the source is double or the target has
// 64 bits.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/float_types.hpp"
#include "sim/ops/half_blocks.hpp"
#include "sim/ops/integer_types.hpp"
#include "sim/ops/tables.hpp"

#include <cmath>

namespace tilesim::sim::ops {
namespace {

using machine::signedness;

/// 2^n for the number n of value bits of an integer type: the first value beyond its maximum.
template <class Integer, class V>
constexpr V end_of() noexcept {
  return static_cast<V>(static_cast<std::uint64_t>(1) << (bits_in<Integer> - 1)) *
         (std::is_signed_v<Integer> ? 1 : 2);
}

// No `&&` or `||` below: loops over these vectorise if there is no branch in them.

/// True if the truncated value is below the type's range: at lowest - 1 and less. For the wider
/// types lowest - 1 is no V, and there is none between it and lowest.
template <class Integer, class V>
[[gnu::always_inline]] inline bool is_below(V x) noexcept {
  constexpr V lowest = std::is_signed_v<Integer> ? -end_of<Integer, V>() : V{0};
  constexpr bool has_below = lowest - V{1} != lowest;
  return has_below ? x <= lowest - V{1} : x < lowest;
}

/// True if it is above. (Not the opposite of is_inside: there are NaNs.)
template <class Integer, class V>
[[gnu::always_inline]] inline bool is_above(V x) noexcept {
  return x >= end_of<Integer, V>();
}

/// True if the type has the truncated value.
template <class Integer, class V>
[[gnu::always_inline]] inline bool is_inside(V x) noexcept {
  constexpr V lowest = std::is_signed_v<Integer> ? -end_of<Integer, V>() : V{0};
  constexpr bool has_below = lowest - V{1} != lowest;
  const bool not_below = has_below ? x > lowest - V{1} : x >= lowest;
  const bool not_above = x < end_of<Integer, V>();
  return (static_cast<unsigned>(not_below) & static_cast<unsigned>(not_above)) != 0;
}

/// The truncated value where the type has it, else 0. The narrow types by way of int, to which
/// vectors convert.
template <class Integer, class V>
[[gnu::always_inline]] inline Integer truncated_inside(V x) noexcept {
  using vector_target = std::conditional_t<sizeof(Integer) < 4, std::int32_t, Integer>;
  return static_cast<Integer>(static_cast<vector_target>(is_inside<Integer>(x) ? x : V{0}));
}

/// The truncated value, or the end of the range that it lies beyond. A NaN gives `of_nan`.
template <class Integer, class V>
[[gnu::always_inline]] inline Integer saturated(V x, Integer of_nan) noexcept {
  auto value = truncated_inside<Integer>(x);
  value = is_below<Integer>(x) ? lowest_of<Integer> : value;
  value = is_above<Integer>(x) ? std::numeric_limits<Integer>::max() : value;
  return x == x ? value : of_nan;
}

template <class Integer>
struct to_integer {
  template <class From>
  static Integer apply(From cell) noexcept {
    const auto x = fp::widen(cell);
    using value = std::remove_const_t<decltype(x)>;
    // To 8 bits by way of 16.
    using target = std::conditional_t<
        sizeof(Integer) == 1,
        std::conditional_t<std::is_signed_v<Integer>, std::int16_t, std::uint16_t>,
        Integer>;
    constexpr bool nan_is_sign_bit = sizeof(value) == 8 || sizeof(Integer) == 8;
    constexpr auto of_nan = static_cast<target>(
        nan_is_sign_bit ? static_cast<target>(modular<target>{1} << (bits_in<target> - 1))
                        : target{0});
    return static_cast<Integer>(saturated<target>(x, of_nan));
  }
  template <class From>
  static Integer apply_defined(From cell) noexcept {
    return truncated_inside<Integer>(fp::widen(cell));
  }
  template <class From>
  static bool undefined(From cell) noexcept {
    return !is_inside<Integer>(fp::widen(cell)); // a NaN is not
  }
  template <class From>
  static undefined_kind why(From) noexcept {
    return undefined_kind::unrepresentable_integer;
  }
};

// Anything but a zero is true, a NaN too. (The API compares with 0 instead.)
struct to_bool {
  template <class From>
  static std::uint8_t apply(From cell) noexcept {
    return fp::widen(cell) != 0 ? 1 : 0;
  }
};

template <class Integer, class From>
constexpr table_entry entry_to() noexcept {
  return sizeof(From) == 1 ? plain_entry<to_integer<Integer>, Integer, From>()
                           : half_entry<to_integer<Integer>, to_integer<Integer>, Integer, From>();
}
template <class From>
constexpr integer_row to_unsigned{plain_entry<to_bool, std::uint8_t, From>(),
                                  entry_to<std::uint8_t, From>(),
                                  entry_to<std::uint16_t, From>(),
                                  entry_to<std::uint32_t, From>(),
                                  entry_to<std::uint64_t, From>()};
template <class From>
constexpr integer_row to_signed{plain_entry<to_bool, std::uint8_t, From>(),
                                entry_to<std::int8_t, From>(),
                                entry_to<std::int16_t, From>(),
                                entry_to<std::int32_t, From>(),
                                entry_to<std::int64_t, From>()};

} // namespace

table_entry find_ftoi(const machine::attributes& modes, element result, element source) noexcept {
  return with_float_cell(source, table_entry{}, [&]<class From>() {
    return at(modes.sign == signedness::signed_ ? to_signed<From> : to_unsigned<From>, result);
  });
}

} // namespace tilesim::sim::ops
