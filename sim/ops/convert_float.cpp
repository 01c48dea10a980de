// Conversions between floating-point formats and from integers to them.  [general: scalar
// conversion]
//
// Each rounds once. To half, bfloat16 and tf32 a value too large becomes infinity, to fp8 the
// largest finite value (infinities too, a NaN stays one): the page leaves fp8 unspecified there,
// this is measured.
//
// SPDX-License-Identifier: Apache-2.0
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

// ------------------------------------------------------------------------ as the hardware does

/// Of a float format, as bits: those of the fraction.
template <class Cell>
constexpr int fraction_bits = std::is_same_v<Cell, double>     ? 52
                              : std::is_same_v<Cell, float>    ? 23
                              : std::is_same_v<Cell, fp::f16>  ? 10
                              : std::is_same_v<Cell, fp::bf16> ? 7
                                                               : 0;

// A NaN keeps its sign and as much of its payload as fits, and becomes quiet.
template <class To>
struct convert_keeping_payload {
  template <class From>
  static To apply(From x) noexcept {
    if (const auto value = fp::widen(x); value == value) {
      return convert<To>::apply(x);
    }
    using from = word<sizeof(From)>;
    using to = word<sizeof(To)>;
    constexpr int less = fraction_bits<From> - fraction_bits<To>;
    const auto bits = std::bit_cast<from>(x);
    const auto payload = std::uint64_t{bits} & ((std::uint64_t{1} << fraction_bits<From>)-1);
    const auto sign = std::uint64_t{bits} >> (8 * sizeof(From) - 1) << (8 * sizeof(To) - 1);
    constexpr std::uint64_t below_sign = (std::uint64_t{1} << (8 * sizeof(To) - 1)) - 1;
    constexpr std::uint64_t quiet = below_sign >> (fraction_bits<To> - 1)
                                                      << (fraction_bits<To> - 1);
    return std::bit_cast<To>(
        static_cast<to>(sign | quiet | (less > 0 ? payload >> less : payload << -less)));
  }
};

// The bits moved: a signalling NaN stays one.
struct moved_to_float {
  static float apply(fp::bf16 x) noexcept { return fp::widen(x); }
};

// By way of half: 7ffffc0000000000 whatever the NaN.
struct small_to_double {
  template <class From>
  static double apply(From x) noexcept {
    return convert_keeping_payload<double>::apply(convert<fp::f16>::apply(x));
  }
};

// By way of another format: two roundings.
template <class Middle, class To>
struct convert_by_way_of {
  template <class From>
  static To apply(From x) noexcept {
    return convert<To>::apply(convert<Middle>::apply(x));
  }
};
template <class Middle, class To>
struct from_integer_by_way_of {
  template <class Integer>
  static To apply(Integer x) noexcept {
    return convert<To>::apply(from_integer<Middle>::apply(x));
  }
};

/// The pairs that the hardware converts otherwise than `convert`; of all others nothing.
template <class To, class From>
constexpr table_entry measured_entry() noexcept {
  constexpr bool from_double =
      std::is_same_v<From, double> && (fraction_bits<To> != 0 && fraction_bits<To> != 52);
  constexpr bool to_double = std::is_same_v<To, double> && std::is_same_v<From, fp::f16>;
  if constexpr (from_double || to_double) {
    return plain_entry<convert_keeping_payload<To>, To, From>();
  } else if constexpr (std::is_same_v<To, float> && std::is_same_v<From, fp::bf16>) {
    return plain_entry<moved_to_float, float, fp::bf16>();
  } else if constexpr (std::is_same_v<To, double> && sizeof(From) == 1) {
    return plain_entry<small_to_double, double, From>();
  } else if constexpr (std::is_same_v<From, double> && !std::is_same_v<To, double>) {
    return plain_entry<convert_by_way_of<float, To>, To, double>(); // 8-bit floats and tf32
  } else {
    return {};
  }
}

template <class Middle, class To, class Integer>
constexpr table_entry measured_integer_entry() noexcept {
  return plain_entry<from_integer_by_way_of<Middle, To>, To, Integer>();
}
template <class Middle, class To>
constexpr integer_row measured_from_unsigned{measured_integer_entry<Middle, To, std::uint8_t>(),
                                             measured_integer_entry<Middle, To, std::uint8_t>(),
                                             measured_integer_entry<Middle, To, std::uint16_t>(),
                                             measured_integer_entry<Middle, To, std::uint32_t>(),
                                             measured_integer_entry<Middle, To, std::uint64_t>()};
template <class Middle, class To>
constexpr integer_row measured_from_signed{measured_integer_entry<Middle, To, std::uint8_t>(),
                                           measured_integer_entry<Middle, To, std::int8_t>(),
                                           measured_integer_entry<Middle, To, std::int16_t>(),
                                           measured_integer_entry<Middle, To, std::int32_t>(),
                                           measured_integer_entry<Middle, To, std::int64_t>()};

} // namespace

table_entry find_ftof(const machine::attributes& modes,
                      element result,
                      element source,
                      arithmetic how) noexcept {
  return with_float_cell(result, table_entry{}, [&]<class To>() {
    return with_float_cell(source, table_entry{}, [&]<class From>() {
      const table_entry measured =
          how == arithmetic::hardware ? measured_entry<To, From>() : table_entry{};
      return measured.baseline != nullptr && modes.round == rounding::nearest_even
                 ? measured
                 : float_entry<To, From>(modes.round);
    });
  });
}

table_entry find_itof(const machine::attributes& modes,
                      element result,
                      element source,
                      arithmetic how) noexcept {
  const bool is_signed = modes.sign == signedness::signed_;
  if (how == arithmetic::hardware && result == element::f8e5m2) {
    return at(is_signed ? measured_from_signed<fp::f16, fp::e5m2>
                        : measured_from_unsigned<fp::f16, fp::e5m2>,
              source);
  }
  if (how == arithmetic::hardware && result == element::tf32) {
    return at(is_signed ? measured_from_signed<float, fp::tf32>
                        : measured_from_unsigned<float, fp::tf32>,
              source);
  }
  return with_float_cell(result, table_entry{}, [&]<class To>() {
    return at(is_signed ? from_signed<To> : from_unsigned<To>, source);
  });
}

} // namespace tilesim::sim::ops
