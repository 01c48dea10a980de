// Numbers of 8 bits and fewer that the machine has no element for: f8E8M0FNU, fnv8E5M3FNU,
// f4E2M1FN. A tile of them is a byte each, moved as such; what they are worth is a double.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/interpreter/code.hpp"
#include "sim/interpreter/frame.hpp"
#include "sim/tileir/module.hpp"

#include <cstdint>

namespace tilesim::interpreter {

[[nodiscard]] constexpr bool is_small(tileir::number n) noexcept {
  return n == tileir::number::f8e8m0fnu || n == tileir::number::fnv8e5m3fnu ||
         n == tileir::number::f4e2m1fn;
}

/// A number as one of them: what lies outside of their range becomes the end of it that is next,
/// also below zero where they have no sign; what is no number, the largest where they have none
/// that is no number. [Tile IR, ftof, which says so of f8]
[[nodiscard]] std::uint8_t
to_small(tileir::number n, double value, machine::rounding round) noexcept;

/// What an instruction's `params` mean to step::widen: kinds of numbers, as tileir::number.
enum widening : unsigned { of_kind, scale_kind, elements_a_scale, along, widening_params };

/// Doubles of them, which is exact: each times its scale, if there are scales, one for so many
/// elements, of which the next in a row is `along` elements further.
void widen(const instruction& i, const frame& f);
/// Small numbers, of which kind `params` says, of doubles.
void narrow(const instruction& i, const frame& f);
/// Two elements of 4 bits out of each byte, the low ones first; and back.
void unpack_halves(const instruction& i, const frame& f);
void pack_halves(const instruction& i, const frame& f);

} // namespace tilesim::interpreter
