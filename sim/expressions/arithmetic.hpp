// What operators and functions of the stepper's expressions compute, element by element.
//
// As in C++: small integers become int, the wider type wins, signed overflow wraps. Half, bfloat16,
// tf32 and fp8 compute as double. One operand of a binary operator may be a single element; else
// the shapes are equal.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/operators.hpp"
#include "sim/expressions/value.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilesim::sim::step {

/// "int", "unsigned long", "__half" of a basic type.
[[nodiscard]] value_type basic_type(element kind, bool is_unsigned);
/// A pointer to elements of a basic type.
[[nodiscard]] value_type pointer_to(const value_type& elements);

[[nodiscard]] value make_bool(bool x);
[[nodiscard]] value make_integer(std::int64_t x, element kind, bool is_unsigned);
[[nodiscard]] value make_double(double x);
[[nodiscard]] value make_float(float x);
/// A pointer of type `type`.
[[nodiscard]] value make_pointer(std::uintptr_t address, value_type type);

/// "8", "4x8"; "one element" without dimensions.
[[nodiscard]] std::string shape_text(const value& v);

/// All of these throw expression_error at `column` for operands that they do not take. Their
/// operands have been read.

/// `+ - ! ~`; the two that need memory are not for here.
[[nodiscard]] value apply_unary(unary_operator op, const value& x, std::size_t column);
/// Every binary operator; `&&` and `||` without their shortcut.
[[nodiscard]] value
apply_binary(binary_operator op, const value& a, const value& b, std::size_t column);
/// A C cast. Floats to integers truncate; beyond the type's range its nearest end, of a NaN 0.
[[nodiscard]] value apply_cast(const value_type& to, const value& x, std::size_t column);

/// sum, min, max, any, all, size, isnan.
[[nodiscard]] bool is_function(std::string_view name) noexcept;
[[nodiscard]] value apply_function(std::string_view name, const value& x, std::size_t column);

/// Is it a number that is not 0? Throws expression_error for a value of several elements.
[[nodiscard]] bool is_true(const value& v);

/// The number of a single integer; nothing for anything else.
[[nodiscard]] std::optional<std::int64_t> as_index(const value& v) noexcept;

} // namespace tilesim::sim::step
