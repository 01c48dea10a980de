// What each read-modify-write mode does to a cell.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/rmw.hpp"

#include "sim/ops/float_meanings.hpp"
#include "sim/ops/loop.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace tilesim::sim::ops {
namespace {

using machine::rmw_mode;
using machine::signedness;

/// cell = Op(cell, argument)
template <class Op, class T>
void update(void* cell, const void* argument) noexcept {
  const T value = Op::apply(read_cell<T>(cell), read_cell<T>(argument));
  std::memcpy(cell, &value, sizeof value);
}

struct take_argument {
  template <class T>
  static T apply(T, T b) noexcept {
    return b;
  }
};
struct conjunction {
  template <class T>
  static T apply(T a, T b) noexcept {
    return a & b;
  }
};
struct disjunction {
  template <class T>
  static T apply(T a, T b) noexcept {
    return a | b;
  }
};
struct exclusive {
  template <class T>
  static T apply(T a, T b) noexcept {
    return a ^ b;
  }
};
struct wrapping_sum {
  template <class T>
  static T apply(T a, T b) noexcept {
    return a + b;
  } // T is unsigned
};
struct larger {
  template <class T>
  static T apply(T a, T b) noexcept {
    return std::max(a, b);
  }
};
struct smaller {
  template <class T>
  static T apply(T a, T b) noexcept {
    return std::min(a, b);
  }
};

struct float_sum {
  static float apply(float a, float b) noexcept { return canonical(a + b); }
  static double apply(double a, double b) noexcept { return a + b; }
  template <fp::narrow_cell Cell>
  static Cell apply(Cell a, Cell b) noexcept {
    return fp::narrow<Cell>(fp::widen(a) + fp::widen(b)); // one rounding: see half.cpp
  }
};

// The measured hardware: subnormals go in and come out as zeros of their sign.
struct float_sum_flushed {
  static float apply(float a, float b) noexcept {
    return subround(canonical(subround(a) + subround(b)));
  }
};

/// A function on 32-bit or 64-bit integers, read as `Narrow` or `Wide`.
template <class Op, class Narrow, class Wide>
rmw_function on_integer(element kind) noexcept {
  return kind == element::i32   ? &update<Op, Narrow>
         : kind == element::i64 ? &update<Op, Wide>
                                : nullptr;
}
template <class Op>
rmw_function on_unsigned(element kind) noexcept {
  return on_integer<Op, std::uint32_t, std::uint64_t>(kind);
}
template <class Op>
rmw_function on_signed(element kind) noexcept {
  return on_integer<Op, std::int32_t, std::int64_t>(kind);
}

rmw_function find_float_add(element kind, arithmetic how) noexcept {
  switch (kind) {
  case element::f32:
    return how == arithmetic::hardware ? &update<float_sum_flushed, float>
                                       : &update<float_sum, float>;
  case element::f64:
    return &update<float_sum, double>;
  case element::f16:
    return &update<float_sum, fp::f16>;
  case element::bf16:
    return &update<float_sum, fp::bf16>;
  default:
    return nullptr;
  }
}

rmw_function find_exchange(element kind) noexcept {
  switch (size_of(kind)) {
  case 1:
    return &update<take_argument, std::uint8_t>;
  case 2:
    return &update<take_argument, std::uint16_t>;
  case 4:
    return &update<take_argument, std::uint32_t>;
  default:
    return &update<take_argument, std::uint64_t>;
  }
}

} // namespace

rmw_function find_rmw(rmw_mode mode, element kind, signedness sign, arithmetic how) noexcept {
  const bool is_signed = sign == signedness::signed_;
  switch (mode) {
  case rmw_mode::and_:
    return on_unsigned<conjunction>(kind);
  case rmw_mode::or_:
    return on_unsigned<disjunction>(kind);
  case rmw_mode::xor_:
    return on_unsigned<exclusive>(kind);
  case rmw_mode::add:
    return on_unsigned<wrapping_sum>(kind);
  case rmw_mode::addf:
    return find_float_add(kind, how);
  case rmw_mode::max:
    return is_signed ? on_signed<larger>(kind) : on_unsigned<larger>(kind);
  case rmw_mode::min:
    return is_signed ? on_signed<smaller>(kind) : on_unsigned<smaller>(kind);
  case rmw_mode::umax:
    return on_unsigned<larger>(kind);
  case rmw_mode::umin:
    return on_unsigned<smaller>(kind);
  case rmw_mode::xchg:
    return find_exchange(kind);
  }
  return nullptr;
}

bool add_overflows(element kind, signedness sign, const void* a, const void* b) noexcept {
  if (sign == signedness::unsigned_) {
    return false;
  }
  if (kind == element::i32) {
    std::int32_t sum = 0;
    return __builtin_add_overflow(read_cell<std::int32_t>(a), read_cell<std::int32_t>(b), &sum);
  }
  if (kind == element::i64) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(read_cell<std::int64_t>(a), read_cell<std::int64_t>(b), &sum);
  }
  return false;
}

} // namespace tilesim::sim::ops
