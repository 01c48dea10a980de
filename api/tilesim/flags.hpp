// Flags: rounding modes, subnormal modes, NaN propagation, view padding and scan direction.
//
// Each is an enumeration, a wrapper that carries an enumerator as a type, an alias per enumerator
// and a function that names the default.  [constant wrappers and flags]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cuda::tiles::inline __1 {

/// How a floating-point result is rounded. The first four are the precise modes (IEEE 754); the
/// last two are fast approximations.
enum class rounding_mode : ::std::uint8_t {
  round_ties_to_even = 0,
  round_toward_zero = 1,
  round_toward_negative = 2,
  round_toward_positive = 3,
  round_approximate = 4,
  round_full = 5,
};

/// Whether subnormal operands and results are replaced by a zero of the same sign.
enum class subnormals_rounding_mode : ::std::uint8_t {
  preserve_subnormals = 0,
  round_subnormals_to_zero = 1,
};

/// Whether max and min give NaN when one operand is NaN.
enum class nan_propagation_mode : ::std::uint8_t { suppress_nan = 0, propagate_nan = 1 };

/// What a masked view load gives outside the span.
enum class view_padding : ::std::uint8_t {
  zero = 0,
  negative_zero = 1,
  positive_inf = 2,
  negative_inf = 3,
  nan = 4,
};

/// From which end a scan starts.
enum class scan_direction : ::std::uint8_t { forward = 0, backward = 1 };

namespace detail {

// Switches, because == and < on an enumeration of this namespace would look up the operators of
// tiles. What is no enumerator was cast into the enumeration.

/// The four modes of IEEE 754, which every basic floating-point type takes.
constexpr bool is_precise(rounding_mode m) noexcept {
  switch (m) {
  case rounding_mode::round_ties_to_even:
  case rounding_mode::round_toward_zero:
  case rounding_mode::round_toward_negative:
  case rounding_mode::round_toward_positive:
    return true;
  default:
    return false;
  }
}
constexpr bool is_approximate(rounding_mode m) noexcept {
  switch (m) {
  case rounding_mode::round_approximate:
  case rounding_mode::round_full:
    return true;
  default:
    return false;
  }
}
constexpr bool is_full(rounding_mode m) noexcept {
  switch (m) {
  case rounding_mode::round_full:
    return true;
  default:
    return false;
  }
}
constexpr bool is_flushing(subnormals_rounding_mode m) noexcept {
  switch (m) {
  case subnormals_rounding_mode::round_subnormals_to_zero:
    return true;
  default:
    return false;
  }
}
constexpr bool is_propagating(nan_propagation_mode m) noexcept {
  switch (m) {
  case nan_propagation_mode::propagate_nan:
    return true;
  default:
    return false;
  }
}

constexpr bool is_backward(scan_direction d) noexcept {
  switch (d) {
  case scan_direction::backward:
    return true;
  default:
    return false;
  }
}

constexpr bool is_enumerator(rounding_mode m) noexcept {
  return is_precise(m) || is_approximate(m);
}
constexpr bool is_enumerator(subnormals_rounding_mode m) noexcept {
  switch (m) {
  case subnormals_rounding_mode::preserve_subnormals:
  case subnormals_rounding_mode::round_subnormals_to_zero:
    return true;
  }
  return false;
}
constexpr bool is_enumerator(nan_propagation_mode m) noexcept {
  switch (m) {
  case nan_propagation_mode::suppress_nan:
  case nan_propagation_mode::propagate_nan:
    return true;
  }
  return false;
}
constexpr bool is_enumerator(view_padding p) noexcept {
  switch (p) {
  case view_padding::zero:
  case view_padding::negative_zero:
  case view_padding::positive_inf:
  case view_padding::negative_inf:
  case view_padding::nan:
    return true;
  }
  return false;
}
constexpr bool is_enumerator(scan_direction d) noexcept {
  switch (d) {
  case scan_direction::forward:
  case scan_direction::backward:
    return true;
  }
  return false;
}

} // namespace detail

// One wrapper template per enumeration.
// clang-format off
#define TILESIM_FLAG_CONSTANT(name, enumeration)                                                   \
  template <enumeration Value>                                                                     \
    requires(detail::is_enumerator(Value))                                                         \
  struct name {                                                                                    \
    using value_type = enumeration;                                                                \
    using type = name;                                                                             \
    static constexpr enumeration value = Value;                                                    \
    constexpr operator enumeration() const noexcept { return Value; }                              \
    constexpr enumeration operator()() const noexcept { return Value; }                            \
  };
TILESIM_FLAG_CONSTANT(rounding_mode_constant, rounding_mode)
TILESIM_FLAG_CONSTANT(subnormals_rounding_mode_constant, subnormals_rounding_mode)
TILESIM_FLAG_CONSTANT(nan_propagation_mode_constant, nan_propagation_mode)
TILESIM_FLAG_CONSTANT(view_padding_constant, view_padding)
TILESIM_FLAG_CONSTANT(scan_direction_constant, scan_direction)
#undef TILESIM_FLAG_CONSTANT
// clang-format on

using round_ties_to_even_t = rounding_mode_constant<rounding_mode::round_ties_to_even>;
using round_toward_zero_t = rounding_mode_constant<rounding_mode::round_toward_zero>;
using round_toward_negative_t = rounding_mode_constant<rounding_mode::round_toward_negative>;
using round_toward_positive_t = rounding_mode_constant<rounding_mode::round_toward_positive>;
using round_approximate_t = rounding_mode_constant<rounding_mode::round_approximate>;
using round_full_t = rounding_mode_constant<rounding_mode::round_full>;

using preserve_subnormals_t =
    subnormals_rounding_mode_constant<subnormals_rounding_mode::preserve_subnormals>;
using round_subnormals_to_zero_t =
    subnormals_rounding_mode_constant<subnormals_rounding_mode::round_subnormals_to_zero>;

using suppress_nan_t = nan_propagation_mode_constant<nan_propagation_mode::suppress_nan>;
using propagate_nan_t = nan_propagation_mode_constant<nan_propagation_mode::propagate_nan>;

using view_padding_zero_t = view_padding_constant<view_padding::zero>;
using view_padding_negative_zero_t = view_padding_constant<view_padding::negative_zero>;
using view_padding_positive_inf_t = view_padding_constant<view_padding::positive_inf>;
using view_padding_negative_inf_t = view_padding_constant<view_padding::negative_inf>;
using view_padding_nan_t = view_padding_constant<view_padding::nan>;

using scan_forward_t = scan_direction_constant<scan_direction::forward>;
using scan_backward_t = scan_direction_constant<scan_direction::backward>;

constexpr rounding_mode default_rounding_mode() noexcept {
  return rounding_mode::round_ties_to_even;
}
constexpr subnormals_rounding_mode default_subnormals_rounding_mode() noexcept {
  return subnormals_rounding_mode::preserve_subnormals;
}
constexpr nan_propagation_mode default_nan_propagation_mode() noexcept {
  return nan_propagation_mode::suppress_nan;
}
constexpr view_padding default_view_padding() noexcept {
  return view_padding::zero;
}

} // namespace cuda::tiles::inline __1
