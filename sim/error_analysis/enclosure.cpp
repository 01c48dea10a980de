// Enclosures, and the numbers of formats.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/error_analysis/enclosure.hpp"

#include "sim/fp/cells.hpp"
#include "sim/ops/number_format.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tilesim::sim::errors {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Cell>
Cell cell_at(const void* from) noexcept {
  Cell c{};
  std::memcpy(&c, from, sizeof c);
  return c;
}

template <class Cell>
void put_cell(Cell c, void* to) noexcept {
  std::memcpy(to, &c, sizeof c);
}

/// The greatest finite number of a format.
long double greatest(const ops::number_format& f) noexcept {
  return std::ldexp(1.0L, f.end) - std::ldexp(1.0L, f.end - f.precision);
}

/// x as a multiple of the spacing there.
template <class Round>
double rounded(element kind, long double x, const Round& round) noexcept {
  const long double unit = ops::unit_at(ops::format_of(kind), x);
  return static_cast<double>(std::copysign(round(x / unit) * unit, x));
}

} // namespace

// A NaN beside a number is nothing that ends could say; callers keep them apart.
void enclosure::include(const enclosure& other) noexcept {
  open = open != 0 ? open : other.open;
  if (std::isnan(lo) || std::isnan(other.lo)) {
    return;
  }
  // -0 lies below +0.
  if (other.lo < lo || (other.lo == lo && std::signbit(other.lo))) {
    lo = other.lo;
  }
  if (other.hi > hi || (other.hi == hi && !std::signbit(other.hi))) {
    hi = other.hi;
  }
}

bool enclosed_tile::is_exact() const noexcept {
  return products.empty() && std::ranges::all_of(cells, &enclosure::is_point);
}

double number_at(element kind, const void* cell) noexcept {
  switch (kind) {
  case element::f16:
    return static_cast<double>(fp::widen(cell_at<fp::f16>(cell)));
  case element::bf16:
    return static_cast<double>(fp::widen(cell_at<fp::bf16>(cell)));
  case element::tf32:
  case element::f32:
    return static_cast<double>(cell_at<float>(cell));
  case element::f64:
    return cell_at<double>(cell);
  case element::f8e4m3:
    return static_cast<double>(fp::widen(cell_at<fp::e4m3>(cell)));
  case element::f8e5m2:
    return static_cast<double>(fp::widen(cell_at<fp::e5m2>(cell)));
  default:
    return 0;
  }
}

void put_number(element kind, double x, void* cell) noexcept {
  const auto narrow = static_cast<float>(x);
  switch (kind) {
  case element::f16:
    put_cell(fp::narrow<fp::f16>(narrow), cell);
    break;
  case element::bf16:
    put_cell(fp::narrow<fp::bf16>(narrow), cell);
    break;
  case element::tf32:
  case element::f32:
    put_cell(narrow, cell);
    break;
  case element::f64:
    put_cell(x, cell);
    break;
  case element::f8e4m3:
    put_cell(fp::narrow<fp::e4m3>(narrow), cell);
    break;
  case element::f8e5m2:
    put_cell(fp::narrow<fp::e5m2>(narrow), cell);
    break;
  default:
    break;
  }
}

double another(element kind, double x, const enclosure& e, rng& random) noexcept {
  if (e.open != 0 || !is_floating(kind) || !(e.lo < e.hi)) {
    return x; // a NaN, too
  }
  const bool narrow =
      kind == element::f16 || kind == element::bf16 || kind == element::f32 || kind == element::f64;
  constexpr std::uint64_t parts = std::uint64_t{1} << 53U;
  const long double part = static_cast<long double>(random.below(parts)) / parts;
  // Of a short format, and where an end is infinite, one of the ends will do.
  double y = narrow && std::isfinite(e.lo) && std::isfinite(e.hi)
                 ? nearest_to(kind, e.lo + (part * (static_cast<long double>(e.hi) - e.lo)))
             : part < 0.5L ? e.lo
                           : e.hi;
  if (y == x || !std::isfinite(y)) {
    y = x != e.lo && std::isfinite(e.lo) ? e.lo : x != e.hi && std::isfinite(e.hi) ? e.hi : x;
  }
  return y;
}

enclosure known_operand::at(std::size_t i) const noexcept {
  const machine::tile_type& type = *tile->type;
  const std::size_t at = type.count == 1 ? 0 : i;
  if (known != nullptr) {
    return known->cells[at];
  }
  return is_floating(type.elem) ? point(number_at(type.elem,
                                                  static_cast<const std::byte*>(tile->data) +
                                                      (at * size_of(type.elem))))
                                : enclosure{};
}

enclosed_tile points_of(const machine::in& tile) {
  enclosed_tile all{.kind = tile.type->elem, .cells = {}, .products = {}};
  all.cells.resize(tile.type->count);
  const known_operand operand{&tile, nullptr};
  for (std::size_t i = 0; i < all.cells.size(); ++i) {
    all.cells[i] = operand.at(i);
  }
  return all;
}

enclosed_tile with_open_nans(enclosed_tile known, const machine::in& tile) {
  const element kind = tile.type->elem;
  const auto* const cells = static_cast<const std::byte*>(tile.data);
  for (std::size_t i = 0; is_floating(kind) && i < tile.type->count; ++i) {
    if (std::isnan(number_at(kind, cells + (i * size_of(kind))))) {
      known = known.empty() ? points_of(tile) : std::move(known);
      known.cells[i] = known.cells[i].is_point() ? some_nan() : known.cells[i];
    }
  }
  return known;
}

double down_to(element kind, long double x) noexcept {
  const ops::number_format f = ops::format_of(kind);
  if (std::isnan(x) || std::isinf(x)) {
    return static_cast<double>(x);
  }
  if (std::fabs(x) > greatest(f)) {
    return x < 0                         ? -infinity
           : x < std::ldexp(1.0L, f.end) ? static_cast<double>(greatest(f))
                                         : infinity;
  }
  return rounded(kind, x, [](long double y) { return std::floor(y); });
}

double up_to(element kind, long double x) noexcept {
  return -down_to(kind, -x);
}

double nearest_to(element kind, long double x) noexcept {
  const ops::number_format f = ops::format_of(kind);
  if (std::isnan(x) || std::isinf(x)) {
    return static_cast<double>(x);
  }
  if (std::fabs(x) >= std::ldexp(1.0L, f.end) - std::ldexp(1.0L, f.end - f.precision - 1)) {
    return std::copysign(infinity, static_cast<double>(x));
  }
  return rounded(kind, x, [](long double y) { return std::nearbyint(y); });
}

} // namespace tilesim::sim::errors
