// Arithmetic of the stepper's expressions.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/expressions/arithmetic.hpp"

#include "sim/expressions/arithmetic_cells.hpp"
#include "sim/fp/rounding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>

namespace tilesim::sim::step {

namespace {

// ------------------------------------------------------------------------------------------ errors

void require_elements(const value& v, std::string_view op, std::size_t column) {
  if (!v.missing.empty()) {
    throw expression_error(fmt::format("'{}' takes values, and one is missing: {}", op, v.missing),
                           column);
  }
  if (!v.members.empty()) {
    throw expression_error(
        fmt::format("'{}' takes numbers, not {}",
                    op,
                    v.type.spelling.empty() ? "a struct" : fmt::format("'{}'", v.type.spelling)),
        column);
  }
}

[[noreturn]] void refuse_types(std::string_view op,
                               std::string_view takes,
                               const value& a,
                               const value& b,
                               std::size_t column) {
  throw expression_error(
      fmt::format("'{}' takes {}, not {} and {}", op, takes, a.type.spelling, b.type.spelling),
      column);
}

// --------------------------------------------------------------------------------- binary, mapped

/// Calls action(i of a, i of b) for every element of the result.
template <class Action>
void for_each_pair(const value& a, const value& b, const Action& action) {
  const std::size_t n = std::max(a.count(), b.count());
  for (std::size_t i = 0; i < n; ++i) {
    action(a.count() == 1 ? 0 : i, b.count() == 1 ? 0 : i);
  }
}

std::vector<std::size_t>
result_shape(binary_operator op, const value& a, const value& b, std::size_t column) {
  if (a.shape == b.shape || b.shape.empty()) {
    return a.shape;
  }
  if (a.shape.empty()) {
    return b.shape;
  }
  if (a.count() == 1 || b.count() == 1) {
    return a.count() == 1 ? b.shape : a.shape;
  }
  throw expression_error(
      fmt::format(
          "'{}' takes equal shapes, or a single number on one side: one is {}, the other {}",
          spelling(op),
          shape_text(a),
          shape_text(b)),
      column);
}

template <class T>
using wrapping = std::make_unsigned_t<T>;

template <class T>
T divided(bool remainder, T x, T y, std::size_t column) {
  if constexpr (std::is_floating_point_v<T>) {
    return x / y;
  } else {
    if (y == 0) {
      throw expression_error("division by zero", column);
    }
    if (std::is_signed_v<T> && y == static_cast<T>(-1)) { // the lowest number's quotient wraps
      return remainder ? T{0} : static_cast<T>(wrapping<T>{0} - static_cast<wrapping<T>>(x));
    }
    return remainder ? static_cast<T>(x % y) : static_cast<T>(x / y);
  }
}

template <class T>
T arithmetic(binary_operator op, T x, T y, std::size_t column) {
  if constexpr (std::is_floating_point_v<T>) {
    switch (op) {
    case binary_operator::multiply:
      return x * y;
    case binary_operator::add:
      return x + y;
    case binary_operator::subtract:
      return x - y;
    default:
      return x / y;
    }
  } else {
    using u = wrapping<T>;
    const u a = static_cast<u>(x);
    const u b = static_cast<u>(y);
    switch (op) {
    case binary_operator::multiply:
      return static_cast<T>(a * b);
    case binary_operator::add:
      return static_cast<T>(a + b);
    case binary_operator::subtract:
      return static_cast<T>(a - b);
    case binary_operator::bit_and:
      return static_cast<T>(a & b);
    case binary_operator::bit_or:
      return static_cast<T>(a | b);
    case binary_operator::bit_xor:
      return static_cast<T>(a ^ b);
    default:
      return divided(op == binary_operator::remainder, x, y, column);
    }
  }
}

bool takes_integers_only(binary_operator op) {
  switch (op) {
  case binary_operator::remainder:
  case binary_operator::shift_left:
  case binary_operator::shift_right:
  case binary_operator::bit_and:
  case binary_operator::bit_or:
  case binary_operator::bit_xor:
    return true;
  default:
    return false;
  }
}

value arithmetic_of(binary_operator op, const value& a, const value& b, std::size_t column) {
  const computed type = common(a, b);
  if (takes_integers_only(op) && is_floating_type(type)) {
    refuse_types(spelling(op), "integers", a, b, column);
  }
  std::vector<std::size_t> shape = result_shape(op, a, b, column);
  return with_type(type, [&]<class T>() {
    const std::vector<T> x = cells<T>(a);
    const std::vector<T> y = cells<T>(b);
    std::vector<T> r;
    for_each_pair(a, b, [&](std::size_t i, std::size_t j) {
      r.push_back(arithmetic<T>(op, x[i], y[j], column));
    });
    return make_cells(r, std::move(shape));
  });
}

template <class T>
T shifted(bool left, T x, std::int64_t by, std::size_t column) {
  constexpr int bits = static_cast<int>(sizeof(T) * 8);
  if (by < 0 || by >= bits) {
    throw expression_error(
        fmt::format("a shift of {} bits takes 0 to {}, not {}", bits, bits - 1, by), column);
  }
  return left ? static_cast<T>(static_cast<wrapping<T>>(x) << by) : static_cast<T>(x >> by);
}

/// The type is that of the left side alone.
value shift_of(binary_operator op, const value& a, const value& b, std::size_t column) {
  if (is_floating_type(common(a, b))) {
    refuse_types(spelling(op), "integers", a, b, column);
  }
  std::vector<std::size_t> shape = result_shape(op, a, b, column);
  return with_type(computed_in(a.type), [&]<class T>() {
    std::vector<T> r;
    if constexpr (std::is_integral_v<T>) {
      const std::vector<T> x = cells<T>(a);
      const std::vector<std::int64_t> y = cells<std::int64_t>(b);
      for_each_pair(a, b, [&](std::size_t i, std::size_t j) {
        r.push_back(shifted(op == binary_operator::shift_left, x[i], y[j], column));
      });
    }
    return make_cells(r, std::move(shape));
  });
}

template <class T>
bool compared(binary_operator op, T x, T y) {
  switch (op) {
  case binary_operator::less:
    return x < y;
  case binary_operator::less_equal:
    return x <= y;
  case binary_operator::greater:
    return x > y;
  case binary_operator::greater_equal:
    return x >= y;
  case binary_operator::equal:
    return x == y;
  default:
    return x != y;
  }
}

value comparison_of(binary_operator op, const value& a, const value& b, std::size_t column) {
  const computed type = common(a, b);
  const bool has_pointer = a.type.kind == element::ptr || b.type.kind == element::ptr;
  if (has_pointer && is_floating_type(type)) {
    refuse_types(spelling(op), "two pointers or two numbers", a, b, column);
  }
  std::vector<std::size_t> shape = result_shape(op, a, b, column);
  return with_type(type, [&]<class T>() {
    const std::vector<T> x = cells<T>(a);
    const std::vector<T> y = cells<T>(b);
    std::vector<std::uint8_t> r;
    for_each_pair(
        a, b, [&](std::size_t i, std::size_t j) { r.push_back(compared(op, x[i], y[j]) ? 1 : 0); });
    return make_bools(r, std::move(shape));
  });
}

value logical_of(binary_operator op, const value& a, const value& b, std::size_t column) {
  std::vector<std::size_t> shape = result_shape(op, a, b, column);
  const std::vector<std::uint8_t> x = truths(a);
  const std::vector<std::uint8_t> y = truths(b);
  std::vector<std::uint8_t> r;
  for_each_pair(a, b, [&](std::size_t i, std::size_t j) {
    const int both = op == binary_operator::logical_and ? (x[i] & y[j]) : (x[i] | y[j]);
    r.push_back(static_cast<std::uint8_t>(both));
  });
  return make_bools(r, std::move(shape));
}

// ---------------------------------------------------------------------------------------- pointers

std::size_t pointee_bytes(const value& pointer, std::string_view op, std::size_t column) {
  if (pointer.type.points_to != nullptr && pointer.type.points_to->bytes != 0) {
    return pointer.type.points_to->bytes;
  }
  if (pointer.type.pointee) {
    return size_of(pointer.type.pointee->first);
  }
  throw expression_error(fmt::format("'{}' on a '{}' needs to know what it points to; cast it",
                                     op,
                                     pointer.type.spelling),
                         column);
}

/// pointer + integer, pointer - integer, pointer - pointer.
value pointer_arithmetic(binary_operator op, const value& a, const value& b, std::size_t column) {
  const bool left = a.type.kind == element::ptr;
  const bool right = b.type.kind == element::ptr;
  const bool subtracts = op == binary_operator::subtract;
  const value& pointer = left ? a : b;
  const value& other = left ? b : a;
  const bool allowed = left && right ? subtracts
                                     : (op == binary_operator::add || (subtracts && left)) &&
                                           is_integer(other.type.kind);
  if (!allowed) {
    refuse_types(spelling(op), "numbers", a, b, column);
  }
  const auto bytes = static_cast<std::int64_t>(pointee_bytes(pointer, spelling(op), column));
  std::vector<std::size_t> shape = result_shape(op, a, b, column);
  const std::vector<std::int64_t> x = cells<std::int64_t>(pointer);
  const std::vector<std::int64_t> y = cells<std::int64_t>(other);
  std::vector<std::int64_t> r;
  // Addresses wrap, as those of the machine: an offset that nobody meant is an address all the
  // same.
  const auto wrapped = [](std::int64_t v) { return static_cast<std::uint64_t>(v); };
  for_each_pair(pointer, other, [&](std::size_t i, std::size_t j) {
    const std::uint64_t offset = wrapped(y[j]) * (left && right ? 1 : wrapped(bytes));
    const std::uint64_t result = subtracts ? wrapped(x[i]) - offset : wrapped(x[i]) + offset;
    r.push_back(static_cast<std::int64_t>(result) / (left && right ? bytes : 1));
  });
  value v = make_cells(r, std::move(shape));
  if (!(left && right)) {
    v.type = pointer.type;
  }
  return v;
}

// ------------------------------------------------------------------------------------------- casts

template <class Cell>
std::vector<std::uint8_t> narrowed(const value& from) {
  std::vector<std::uint8_t> bytes;
  for (const double x : cells<double>(from)) {
    put(bytes, fp::narrow<Cell>(x));
  }
  return bytes;
}

template <class T>
std::vector<std::uint8_t> stored(const value& from) {
  std::vector<std::uint8_t> bytes;
  for (const T x : cells<T>(from)) {
    put(bytes, x);
  }
  return bytes;
}

std::vector<std::uint8_t> cast_bytes(const value_type& to, const value& x) {
  const bool u = to.is_unsigned;
  switch (to.kind) {
  case element::i1:
    return truths(x);
  case element::i8:
    return u ? stored<std::uint8_t>(x) : stored<std::int8_t>(x);
  case element::i16:
    return u ? stored<std::uint16_t>(x) : stored<std::int16_t>(x);
  case element::i32:
    return u ? stored<std::uint32_t>(x) : stored<std::int32_t>(x);
  case element::i64:
    return u ? stored<std::uint64_t>(x) : stored<std::int64_t>(x);
  case element::ptr:
    return stored<std::uint64_t>(x);
  case element::f16:
    return narrowed<fp::f16>(x);
  case element::bf16:
    return narrowed<fp::bf16>(x);
  case element::tf32:
    return narrowed<fp::tf32>(x);
  case element::f32:
    return stored<float>(x);
  case element::f64:
    return stored<double>(x);
  case element::f8e4m3:
    return narrowed<fp::e4m3>(x);
  case element::f8e5m2:
    return narrowed<fp::e5m2>(x);
  }
  return {};
}

// --------------------------------------------------------------------------------------- functions

value total(const value& x) {
  // Integers of any width add up in 64 bits, floats in double.
  const computed type = computed_in(x.type);
  const computed wide = is_floating_type(type)                           ? computed::f64
                        : type == computed::u32 || type == computed::u64 ? computed::u64
                                                                         : computed::i64;
  return with_type(wide, [&]<class T>() {
    T r = 0;
    for (const T e : cells<T>(x)) {
      r = arithmetic<T>(binary_operator::add, r, e, 0);
    }
    return make_cells<T>({r}, {});
  });
}

/// The least or greatest element, in its own kind; a NaN if there is one.
value extreme(const value& x, bool greatest) {
  std::size_t best = 0;
  static_cast<void>(with_type(computed_in(x.type), [&]<class T>() {
    const std::vector<T> e = cells<T>(x);
    for (std::size_t i = 1; i < e.size() && e[best] == e[best]; ++i) {
      if (e[i] != e[i] || (greatest ? e[i] > e[best] : e[i] < e[best])) {
        best = i;
      }
    }
    return value{};
  }));
  const std::size_t size = size_of(x.type.kind);
  value v;
  v.type = x.type;
  v.bytes.assign(x.bytes.begin() + static_cast<std::ptrdiff_t>(best * size),
                 x.bytes.begin() + static_cast<std::ptrdiff_t>((best + 1) * size));
  return v;
}

value nans(const value& x) {
  std::vector<std::uint8_t> r;
  for (const double e : cells<double>(x)) {
    r.push_back(e != e ? 1 : 0);
  }
  return make_bools(r, x.shape);
}

constexpr std::array<std::string_view, 7> functions = {
    "sum", "min", "max", "any", "all", "size", "isnan"};

} // namespace

value_type basic_type(element kind, bool is_unsigned) {
  value_type t;
  t.kind = kind;
  t.is_unsigned = is_unsigned;
  switch (kind) {
  case element::i1:
    t.spelling = "bool";
    break;
  case element::i8:
    t.spelling = is_unsigned ? "unsigned char" : "signed char";
    break;
  case element::i16:
    t.spelling = is_unsigned ? "unsigned short" : "short";
    break;
  case element::i32:
    t.spelling = is_unsigned ? "unsigned int" : "int";
    break;
  case element::i64:
    t.spelling = is_unsigned ? "unsigned long" : "long";
    break;
  case element::f16:
    t.spelling = "__half";
    break;
  case element::bf16:
    t.spelling = "__nv_bfloat16";
    break;
  case element::tf32:
    t.spelling = "__nv_tf32";
    break;
  case element::f32:
    t.spelling = "float";
    break;
  case element::f64:
    t.spelling = "double";
    break;
  case element::f8e4m3:
    t.spelling = "__nv_fp8_e4m3";
    break;
  case element::f8e5m2:
    t.spelling = "__nv_fp8_e5m2";
    break;
  case element::ptr:
    t.spelling = "void*";
    break;
  }
  return t;
}

value_type pointer_to(const value_type& elements) {
  value_type t;
  t.kind = element::ptr;
  t.pointee = {elements.kind, elements.is_unsigned};
  t.spelling = elements.spelling + "*";
  return t;
}

value make_bool(bool x) {
  return make_bools({static_cast<std::uint8_t>(x ? 1 : 0)}, {});
}

value make_integer(std::int64_t x, element kind, bool is_unsigned) {
  return apply_cast(basic_type(kind, is_unsigned), make_cells<std::int64_t>({x}, {}), 0);
}

value make_double(double x) {
  return make_cells<double>({x}, {});
}

value make_float(float x) {
  return make_cells<float>({x}, {});
}

value make_pointer(std::uintptr_t address, value_type type) {
  value v = make_cells<std::uint64_t>({address}, {});
  v.type = std::move(type);
  return v;
}

std::string shape_text(const value& v) {
  return v.shape.empty() ? "one element" : fmt::format("{}", fmt::join(v.shape, "x"));
}

value apply_unary(unary_operator op, const value& x, std::size_t column) {
  require_elements(x, spelling(op), column);
  if (op == unary_operator::logical_not) {
    std::vector<std::uint8_t> r = truths(x);
    for (std::uint8_t& b : r) {
      b ^= 1U;
    }
    return make_bools(r, x.shape);
  }
  const computed type = computed_in(x.type);
  if (x.type.kind == element::ptr || (op == unary_operator::complement && is_floating_type(type))) {
    throw expression_error(fmt::format("'{}' takes {}, not {}",
                                       spelling(op),
                                       op == unary_operator::complement ? "integers" : "numbers",
                                       x.type.spelling),
                           column);
  }
  return with_type(type, [&]<class T>() {
    std::vector<T> r = cells<T>(x);
    for (T& e : r) {
      if constexpr (std::is_floating_point_v<T>) {
        e = op == unary_operator::minus ? -e : e;
      } else if (op == unary_operator::complement) {
        e = static_cast<T>(~e);
      } else if (op == unary_operator::minus) {
        e = static_cast<T>(wrapping<T>{0} - static_cast<wrapping<T>>(e));
      }
    }
    return make_cells(r, x.shape);
  });
}

value apply_binary(binary_operator op, const value& a, const value& b, std::size_t column) {
  require_elements(a, spelling(op), column);
  require_elements(b, spelling(op), column);
  switch (op) {
  case binary_operator::logical_and:
  case binary_operator::logical_or:
    return logical_of(op, a, b, column);
  case binary_operator::less:
  case binary_operator::less_equal:
  case binary_operator::greater:
  case binary_operator::greater_equal:
  case binary_operator::equal:
  case binary_operator::not_equal:
    return comparison_of(op, a, b, column);
  default:
    break;
  }
  if (a.type.kind == element::ptr || b.type.kind == element::ptr) {
    return pointer_arithmetic(op, a, b, column);
  }
  return op == binary_operator::shift_left || op == binary_operator::shift_right
             ? shift_of(op, a, b, column)
             : arithmetic_of(op, a, b, column);
}

value apply_cast(const value_type& to, const value& x, std::size_t column) {
  require_elements(x, fmt::format("({})", to.spelling), column);
  const bool pointer = to.kind == element::ptr || x.type.kind == element::ptr;
  if (pointer && (is_floating(to.kind) || is_floating(x.type.kind))) {
    throw expression_error(fmt::format("{} cannot become {}", x.type.spelling, to.spelling),
                           column);
  }
  value v;
  v.type = to;
  v.shape = x.shape;
  v.bytes = cast_bytes(to, x);
  return v;
}

bool is_function(std::string_view name) noexcept {
  return std::find(functions.begin(), functions.end(), name) != functions.end();
}

value apply_function(std::string_view name, const value& x, std::size_t column) {
  if (name == "size") {
    return make_integer(static_cast<std::int64_t>(x.count()), element::i64, true);
  }
  require_elements(x, name, column);
  if (name == "isnan") {
    return nans(x);
  }
  if (name == "any" || name == "all") {
    const std::vector<std::uint8_t> t = truths(x);
    const auto is = [](std::uint8_t b) { return b != 0; };
    return make_bool(name == "any" ? std::any_of(t.begin(), t.end(), is)
                                   : std::all_of(t.begin(), t.end(), is));
  }
  if (name == "sum" && x.type.kind == element::ptr) {
    throw expression_error(fmt::format("'sum' takes numbers, not {}", x.type.spelling), column);
  }
  if (name == "sum") {
    return total(x);
  }
  if (x.count() == 0) {
    throw expression_error(fmt::format("'{}' of no elements is nothing", name), column);
  }
  return extreme(x, name == "max");
}

bool is_true(const value& v) {
  if (!v.missing.empty()) {
    throw expression_error(fmt::format("a condition needs a value, and this is {}", v.missing), 0);
  }
  if (!v.members.empty()) {
    throw expression_error("a condition is one number, not a struct", 0);
  }
  if (v.count() != 1) {
    throw expression_error(
        fmt::format("a condition is one number, not {} elements; any(...) and all(...) make one",
                    v.count()),
        0);
  }
  return apply_cast(basic_type(element::i1, true), v, 0).bytes.front() != 0;
}

std::optional<std::int64_t> as_index(const value& v) noexcept {
  if (!v.members.empty() || !v.shape.empty() || !is_integer(v.type.kind) ||
      v.bytes.size() != size_of(v.type.kind)) {
    return std::nullopt;
  }
  return cells<std::int64_t>(v).front();
}

} // namespace tilesim::sim::step
