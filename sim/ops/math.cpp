// Mathematical functions, rounded correctly in every format but double.
//
// float, half and bfloat16: sim/fp/elementary computes in double, in a loop that vectorises, and
// both ends of the error's interval are rounded to the cell. Where they agree, that is the
// correctly rounded result (Ziv's test); where they differ, a calculation to 100 bits decides.
// double is rounded from the 100 bits at once. Square root, ceil and floor are IEEE 754's own: see
// float32_64.cpp and half.cpp.  [math operations]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/fp/elementary/fast.hpp"
#include "sim/ops/float_meanings.hpp"
#include "sim/ops/tables.hpp"

#include <algorithm>

namespace tilesim::sim::ops {
namespace {

using namespace fp::elementary;
using fp::bf16;
using fp::f16;
using machine::opcode;
using machine::rounding;

// ------------------------------------------------------------------------------- cells and doubles

[[gnu::always_inline]] inline float from_double(float /*cell*/, double x) noexcept {
  return static_cast<float>(x);
}
template <class Cell>
[[gnu::always_inline]] inline Cell from_double(Cell /*cell*/, double x) noexcept {
  return fp::narrow<Cell>(x);
}

[[gnu::always_inline]] inline bool same(float a, float b) noexcept {
  return a == b;
}
template <class Cell>
[[gnu::always_inline]] inline bool same(Cell a, Cell b) noexcept {
  return a.bits == b.bits && (a.bits & 0x7fffU) <= Cell::format::infinity;
}

/// NaN results are canonical.
inline float canonical_cell(float x) noexcept {
  return canonical(x);
}
template <class Cell>
Cell canonical_cell(Cell x) noexcept {
  return x;
}

/// What happens to the subnormal floats among operands and results.
struct preserving {
  template <class Cell>
  [[gnu::always_inline]] static Cell apply(Cell x) noexcept {
    return x;
  }
};
struct flushing {
  [[gnu::always_inline]] static float apply(float x) noexcept { return subround(x); }
};

// ---------------------------------------------------------------------------- narrow formats,
// float

/// The two ends of the interval that holds the exact result, rounded.
template <class Cell>
struct candidates {
  Cell low, high;
};
template <class F, class Cell, class... V>
[[gnu::always_inline]] inline candidates<Cell> estimate(V... x) noexcept {
  constexpr double error = 1.0 / static_cast<double>(std::uint64_t{1} << F::doubtful);
  const double y = F::fast(fp::widen(x)...);
  return {from_double(Cell{}, y * (1 - error)), from_double(Cell{}, y * (1 + error))};
}

template <class F, class... V>
[[gnu::always_inline]] inline void estimate_block(std::size_t count,
                                                  float* __restrict low,
                                                  float* __restrict high,
                                                  const V* __restrict... x) noexcept {
  constexpr double error = 1.0 / static_cast<double>(std::uint64_t{1} << F::doubtful);
  for (std::size_t i = 0; i < count; ++i) {
    const double y = F::fast(x[i]...);
    low[i] = fp::to_odd(y * (1 - error));
    high[i] = fp::to_odd(y * (1 + error));
  }
}

/// Decides the elements whose candidates differ.
template <class F, class Subnormals, class Cell, class... Cells>
[[gnu::noinline]] void settle(std::size_t count, Cell* result, const Cells*... x) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const candidates<Cell> c = estimate<F, Cell>(Subnormals::apply(x[i])...);
    if (!same(c.low, c.high)) {
      const double y =
          round_to_odd(F::accurate(static_cast<double>(fp::widen(Subnormals::apply(x[i])))...));
      result[i] = Subnormals::apply(canonical_cell(from_double(Cell{}, y)));
    }
  }
}

constexpr std::size_t block = 256; // few enough that one doubtful element costs little

/// A block of floats; returns whether candidates differ.
template <class F, class Subnormals, class... V>
[[gnu::always_inline]] inline bool
map_block(std::size_t count, float* __restrict result, const V* __restrict... x) noexcept {
  std::uint32_t doubt = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const candidates<float> c = estimate<F, float>(Subnormals::apply(x[i])...);
    result[i] = Subnormals::apply(c.low);
    doubt |= same(c.low, c.high) ? 0U : 1U;
  }
  return doubt != 0;
}

struct floats {
  float values[block];
};
template <class Cell>
[[gnu::always_inline]] inline floats widened(const Cell* x, std::size_t count) noexcept {
  floats f; // NOLINT(cppcoreguidelines-pro-type-member-init): written at once
  for (std::size_t i = 0; i < count; ++i) {
    f.values[i] = fp::widen(x[i]);
  }
  return f;
}

/// The same for narrower cells, whose candidates stop at float, rounded to odd: one width a loop.
template <class F, class Subnormals, class Cell, class... V>
[[gnu::always_inline]] inline bool
map_block(std::size_t count, Cell* __restrict result, const V*... x) noexcept {
  float low[block];
  float high[block];
  estimate_block<F>(count, low, high, widened(x, count).values...);
  word<sizeof(Cell)> doubt = 0;
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = fp::narrow<Cell>(low[i]);
    const bool agree = same(result[i], fp::narrow<Cell>(high[i]));
    doubt = static_cast<word<sizeof(Cell)>>(doubt | (agree ? 0U : 1U));
  }
  return doubt != 0;
}

template <class F, class Subnormals, class Cell, class... Cells>
[[gnu::always_inline]] inline void
map_function(std::size_t count, Cell* result, const Cells*... x) noexcept {
  for (std::size_t start = 0; start < count; start += block) {
    const std::size_t now = std::min(count - start, block);
    if (map_block<F, Subnormals>(now, result + start, (x + start)...)) {
      settle<F, Subnormals>(now, result + start, (x + start)...);
    }
  }
}

template <class F, class Subnormals, class Cell>
struct unary_kernel {
  static constexpr cell_sizes sizes{sizeof(Cell), {sizeof(Cell), 0, 0}};
  [[gnu::always_inline]] static bool
  loop(void* r, const void* a, const void* /*b*/, const void* /*c*/, std::size_t n) noexcept {
    map_function<F, Subnormals>(n, static_cast<Cell*>(r), static_cast<const Cell*>(a));
    return false;
  }
};
template <class F, class Cell>
struct binary_kernel {
  static constexpr cell_sizes sizes{sizeof(Cell), {sizeof(Cell), sizeof(Cell), 0}};
  [[gnu::always_inline]] static bool
  loop(void* r, const void* a, const void* b, const void* /*c*/, std::size_t n) noexcept {
    map_function<F, preserving>(
        n, static_cast<Cell*>(r), static_cast<const Cell*>(a), static_cast<const Cell*>(b));
    return false;
  }
};

template <class Kernel>
table_entry both() noexcept {
  return {&run_baseline<Kernel>, TILESIM_OPS_HAS_FAST ? &run_fast<Kernel> : nullptr};
}

// ------------------------------------------------------------------------------------------ double

template <class F>
struct on_double {
  template <class... V>
  static double apply(V... x) noexcept {
    const double result = round_to_double(F::accurate(x...));
    return result == result ? result : nan_of(x...);
  }
};

// -------------------------------------------------------------------------------------- the tables

template <class F>
table_entry unary(element kind) noexcept {
  switch (kind) {
  case element::f16:
    return both<unary_kernel<F, preserving, f16>>();
  case element::bf16:
    return both<unary_kernel<F, preserving, bf16>>();
  case element::f32:
    return both<unary_kernel<F, preserving, float>>();
  case element::f64:
    return plain_entry<on_double<F>, double, double>();
  default:
    return {};
  }
}

template <class F>
table_entry binary(element kind) noexcept {
  switch (kind) {
  case element::f16:
    return both<binary_kernel<F, f16>>();
  case element::bf16:
    return both<binary_kernel<F, bf16>>();
  case element::f32:
    return both<binary_kernel<F, float>>();
  case element::f64:
    return plain_entry<on_double<F>, double, double, double>();
  default:
    return {};
  }
}

/// Only float flushes.
template <class F>
table_entry flushable(element kind, bool flush) noexcept {
  if (flush) {
    return kind == element::f32 ? both<unary_kernel<F, flushing, float>>() : table_entry{};
  }
  return unary<F>(kind);
}

/// Only float has an approximate form; the correctly rounded result lies within its bound.
template <class F>
table_entry approximable(element kind, rounding mode) noexcept {
  const bool known = mode == rounding::full || (mode == rounding::approx && kind == element::f32);
  return known ? unary<F>(kind) : table_entry{};
}

} // namespace

table_entry find_math(opcode op, const machine::attributes& modes, element kind) noexcept {
  switch (op) {
  case opcode::exp:
    return approximable<exp_function>(kind, modes.round);
  case opcode::exp2:
    return flushable<exp2_function>(kind, modes.flush_to_zero);
  case opcode::log:
    return unary<log_function>(kind);
  case opcode::log2:
    return unary<log2_function>(kind);
  case opcode::rsqrt:
    return flushable<rsqrt_function>(kind, modes.flush_to_zero);
  case opcode::sin:
    return unary<sin_function>(kind);
  case opcode::cos:
    return unary<cos_function>(kind);
  case opcode::tan:
    return unary<tan_function>(kind);
  case opcode::sinh:
    return unary<sinh_function>(kind);
  case opcode::cosh:
    return unary<cosh_function>(kind);
  case opcode::tanh:
    return approximable<tanh_function>(kind, modes.round);
  case opcode::fpowf:
    return binary<pow_function>(kind);
  case opcode::atan2:
    return binary<atan2_function>(kind);
  default:
    return {};
  }
}

} // namespace tilesim::sim::ops
