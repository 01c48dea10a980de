// printf in kernels: C's function, overloaded for what tile code may print beyond C's types.
//
// A tile kernel's printf is an operation of the machine (Tile IR's print_tko): it takes tiles and
// the small floating-point types, and formats as a device does. Host code and __global__ kernels
// get C's.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/device_sync.hpp>
#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <stdio.h>
#include <type_traits>

namespace tilesim::detail {

/// A class whose values a kernel may print, and C's printf may not take: specialised for tiles.
template <class T>
inline constexpr bool is_printed_tile = false;

/// The small floating-point types, which are printed as the double of their value.
template <class T>
concept printed_as_double = ::std::is_class_v<T> && !is_printed_tile<T> && requires(const T& x) {
  static_cast<float>(x);
};

/// An argument as the machine takes it: promoted as C does, floating-point numbers to double.
template <class T>
TILESIM_API auto promoted(const T& x) noexcept {
  if constexpr (is_printed_tile<T>) {
    return &x;
  } else if constexpr (printed_as_double<T>) {
    return static_cast<double>(static_cast<float>(x));
  } else if constexpr (::std::is_floating_point_v<T>) {
    return static_cast<double>(x);
  } else if constexpr (::std::is_enum_v<T>) {
    return +static_cast<::std::underlying_type_t<T>>(x);
  } else if constexpr (::std::is_integral_v<T>) {
    return +x;
  } else if constexpr (::std::is_pointer_v<T>) {
    return x;
  } else { // nullptr, or a class that nobody prints
    return static_cast<const void*>(nullptr);
  }
}

template <class Printed>
constexpr machine::tile_type describe_promoted(bool nameless) noexcept {
  machine::tile_type t{};
  t.is_scalar = true;
  t.count = nameless ? 0 : 1; // nothing that can be printed
  if constexpr (::std::is_pointer_v<Printed>) {
    using pointee = ::std::remove_cv_t<::std::remove_pointer_t<Printed>>;
    t.elem = element::ptr;
    t.pointee = element::i8;
    if constexpr (::std::is_same_v<pointee, char> || ::std::is_same_v<pointee, signed char> ||
                  ::std::is_same_v<pointee, unsigned char>) {
      t.pointee_size = 1;
    } else if constexpr (!::std::is_void_v<pointee> && !::std::is_function_v<pointee>) {
      t.pointee = element::i64; // of whatever size: no string
      t.pointee_size = 8;
    }
  } else {
    t.elem = ::std::is_floating_point_v<Printed> ? element::f64
             : sizeof(Printed) == 4            ? element::i32
                                               : element::i64;
    t.is_unsigned = ::std::is_unsigned_v<Printed>;
  }
  return t;
}

/// The machine's description of an argument of type T that is no tile.
template <class T>
inline constexpr machine::tile_type printed_type =
    describe_promoted<decltype(promoted(::std::declval<const T&>()))>(::std::is_class_v<T> &&
                                                                    !printed_as_double<T>);

/// Specialised for tiles.
template <class T>
struct as_operand {
  template <class Printed>
  TILESIM_API static machine::in of(const Printed& value) noexcept {
    return {&printed_type<T>, &value};
  }
};

template <class... A, class... Printed>
TILESIM_API int print_promoted(const char* format, const Printed&... values) noexcept {
  const machine::in operands[] = {as_operand<A>::of(values)...};
  return machine::print_tko(format, operands, sizeof...(A));
}

/// True if C's printf takes all of them, whatever it makes of them.
template <class... A>
inline constexpr bool known_to_c = !(... || (is_printed_tile<A> || printed_as_double<A>));

} // namespace tilesim::detail

/// Prints to standard output. In a tile kernel: %d %i %u %o %x %X with no length, hh, h, l or ll,
/// %c, %f %F %e %E %g %G %a %A, %s, %p, %%, with flags, width and precision; a tile is printed as
/// its elements, in brackets. A conversion that does not fit its argument is a finding. Returns the
/// number of arguments in kernels; elsewhere what C's returns.
template <class... A>
requires(sizeof...(A) > 0) TILESIM_API int printf(const char* format, A... arguments) {
  if constexpr (tilesim::detail::known_to_c<A...>) {
    if (!tilesim::machine::in_tile_kernel()) {
      const int characters = static_cast<int (*)(const char*, ...)>(&::printf)(format, arguments...);
      const bool counts = tilesim::detail::in_kernel() && characters >= 0;
      return counts ? static_cast<int>(sizeof...(A)) : characters;
    }
  }
  return tilesim::detail::print_promoted<A...>(format, tilesim::detail::promoted(arguments)...);
}

namespace std {
using ::printf;
} // namespace std
