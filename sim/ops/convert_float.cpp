// Conversions between floating-point formats and from integers to them.  [general: scalar
// conversion]
//
// Each rounds once. To half, bfloat16 and tf32 a value too large becomes infinity, to fp8 the
// largest finite value (infinities too, a NaN stays one): the page leaves fp8 unspecified there,
// this is measured. SPDX-License-Identifier: Apache-2.0
#include "sim/fp/rounding.hpp"
#include "sim/ops/float_meanings.hpp"
#include "sim/ops/float_types.hpp"
#include "sim/ops/half_blocks.hpp"
#include "sim/ops/integer_types.hpp"
#include "sim/ops/tables.hpp"

namespace tilesim::sim::ops {
namespace {

using fp::direction;
using fp::narrow_cell;
using machine::rounding;
using machine::signedness;

// -------------------------------------------------------------------------------- float to float

// The source's value, rounded once to nearest even. Every source but double is a float first,
// exactly.
template <class To>
struct convert {
  template <class From>
  static To apply(From x) noexcept {
    const auto value = fp::widen(x);
    if constexpr (std::is_same_v<To, double>) {
      return static_cast<double>(value); // float's NaN payload stays
    } else if constexpr (std::is_same_v<To, float>) {
      return canonical(static_cast<float>(value));
    } else {
      return fp::narrow<To>(value);
    }
  }
};

// The same where every half is a float: what is to become half is left a float, to odd if it was
// wider.
template <class To>
struct convert_values {
  template <class From>
  static auto apply(From x) noexcept {
    const auto value = fp::widen(x);
    if constexpr (!is_half<To>) {
      return convert<To>::apply(canonical(value));
    } else if constexpr (std::is_same_v<From, double>) {
      return fp::to_odd(value);
    } else {
      return value;
    }
  }
};

template <class To, direction Mode>
struct convert_directed {
  template <class From>
  static To apply(From x) noexcept {
    const auto value = fp::widen(x);
    if constexpr (std::is_same_v<To, float>) {
      return fp::as_float(detail::encode<detail::float32_format>(value, Mode));
    } else {
      return fp::narrow<To>(value, Mode);
    }
  }
};

template <class To, class From, direction Mode>
constexpr table_entry directed_entry() noexcept {
  if constexpr (std::is_same_v<To, double>) {
    return entry<convert<double>, double, From>(); // exact
  } else {
    return plain_entry<convert_directed<To, Mode>, To, From>();
  }
}

template <class To, class From>
table_entry float_entry(rounding mode) noexcept {
  constexpr bool slow = sizeof(To) == 1 || sizeof(From) == 1;
  switch (mode) {
  case rounding::nearest_even:
    return slow ? plain_entry<convert<To>, To, From>()
                : half_entry<convert<To>, convert_values<To>, To, From>();
  case rounding::zero:
    return directed_entry<To, From, direction::zero>();
  case rounding::negative_inf:
    return directed_entry<To, From, direction::negative_inf>();
  case rounding::positive_inf:
    return directed_entry<To, From, direction::positive_inf>();
  case rounding::nearest_away:
    return directed_entry<To, From, direction::nearest_away>();
  case rounding::approx:
  case rounding::full:
  case rounding::nearest_int_to_zero:
    break;
  }
  return {};
}

// ------------------------------------------------------------------------------ integer to float

// The integer's value, rounded once to nearest even; too large is infinite, in fp8 the largest
// value.
template <class To>
struct from_integer {
  template <class Integer>
  static To apply(Integer x) noexcept {
    if constexpr (narrow_cell<To>) {
      return fp::narrow<To>(fp::integer_to_odd(x));
    } else {
      return static_cast<To>(x);
    }
  }
};

// The same where every half is a float.
struct from_integer_to_odd {
  template <class Integer>
  static float apply(Integer x) noexcept {
    return fp::to_odd(fp::integer_to_odd(x));
  }
};

template <class To, class Integer>
constexpr table_entry integer_entry() noexcept {
  return sizeof(To) == 1 ? plain_entry<from_integer<To>, To, Integer>()
                         : half_entry<from_integer<To>, from_integer_to_odd, To, Integer>();
}
template <class To>
constexpr integer_row from_unsigned{integer_entry<To, std::uint8_t>(),
                                    integer_entry<To, std::uint8_t>(),
                                    integer_entry<To, std::uint16_t>(),
                                    integer_entry<To, std::uint32_t>(),
                                    integer_entry<To, std::uint64_t>()};
template <class To>
constexpr integer_row from_signed{integer_entry<To, std::uint8_t>(),
                                  integer_entry<To, std::int8_t>(),
                                  integer_entry<To, std::int16_t>(),
                                  integer_entry<To, std::int32_t>(),
                                  integer_entry<To, std::int64_t>()};

} // namespace

table_entry find_ftof(const machine::attributes& modes, element result, element source) noexcept {
  return with_float_cell(result, table_entry{}, [&]<class To>() {
    return with_float_cell(
        source, table_entry{}, [&]<class From>() { return float_entry<To, From>(modes.round); });
  });
}

table_entry find_itof(const machine::attributes& modes, element result, element source) noexcept {
  return with_float_cell(result, table_entry{}, [&]<class To>() {
    return at(modes.sign == signedness::signed_ ? from_signed<To> : from_unsigned<To>, source);
  });
}

} // namespace tilesim::sim::ops
