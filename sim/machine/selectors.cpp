// What selects addresses, checked; what the reference leaves undefined of views.
//
// The geometry is view_selection's.  [partition view] [strided view] [gather scatter view]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/machine/selectors.hpp"

#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/watcher.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/machine/machine_checks.hpp"
#include "sim/machine/origins.hpp"

#include <tilesim/detail/machine.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace tilesim::sim {

namespace {

using machine::access;
using machine::in;
using machine::memory_order;
using machine::opcode;
using machine::out;
using machine::padding;
using machine::tile_type;
using machine::tile_view;
using view_kind = tile_view::kind;

const char* name(view_kind what) noexcept {
  switch (what) {
  case view_kind::partition:
    return "partition view";
  case view_kind::strided:
    return "strided view";
  case view_kind::gather_scatter:
    return "gather-scatter view";
  }
  return "view";
}

std::string who(const sim_thread& t) {
  return fmt::format("by {} of {}", t.name(), t.launch->kernel.name);
}

std::string shapes(const tile_view& view) {
  return fmt::format("{} of a tensor {}",
                     type_text(*view.tile),
                     sizes_text(view.tensor->extents, view.tensor->rank));
}

/// The value of an index as it was written, and as it is read where that differs.
std::string index_text(const in& index) {
  const unsigned size = size_of(index.type->elem);
  std::uint64_t value = 0;
  std::memcpy(&value, index.data, size);
  const unsigned unused = 64 - (8 * size);
  const auto as_signed = static_cast<std::int64_t>(value << unused) >> unused;
  return as_signed < 0 && !index.type->is_unsigned
             ? fmt::format("{} (read as {})", as_signed, value)
             : fmt::format("{}", value);
}

/// Finds something of indices, which the first of them that depends on an unspecified value
/// explains; `only`: that one, if it does.
void add_of_indices(sim_thread& t,
                    const view_selection& selected,
                    finding_text text,
                    std::optional<unsigned> only = {}) {
  for (unsigned k = 0; k < selected.view().tensor->rank; ++k) {
    if (only && k != *only) {
      continue;
    }
    if (const dependence d = dependence_of(t, selected.index(k)); d.any()) {
      tell_origin(text, fmt::format("the index along dimension {} depends", k), d);
      break;
    }
  }
  t.owner->found.add(t.site, std::move(text));
}

// An index outside the index space is undefined, masked or not.
[[gnu::cold]] void report_index(sim_thread& t, const view_selection& selected) {
  const tile_view& view = selected.view();
  const auto [dimension, space] = *selected.outside();
  const bool tiles = view.what != view_kind::gather_scatter;
  add_of_indices(
      t,
      selected,
      {.kind = finding_kind::view_index,
       .message = fmt::format("index {} along dimension {} of a {} with {} {} there",
                              index_text(selected.index(dimension)),
                              dimension,
                              name(view.what),
                              space,
                              tiles ? (space == 1 ? "tile" : "tiles")
                                    : (space == 1 ? "element" : "elements")),
       .details = {who(t), fmt::format("it takes {}", shapes(view))},
       .remedy = tiles
                     ? "indices of this view count tiles, not elements; masks do not make an index "
                       "outside the index space good"
                     : "the tile must begin inside the tensor, with masks, too"},
      static_cast<unsigned>(dimension));
}

[[gnu::cold]] void report_bounds(sim_thread& t, const view_selection& selected, access_kind what) {
  std::vector<std::uintptr_t> addresses;
  std::vector<std::uint8_t> inside;
  selected.expand(addresses, inside);
  const auto first = static_cast<std::size_t>(
      std::find(inside.begin(), inside.end(), std::uint8_t{0}) - inside.begin());
  add_of_indices(
      t,
      selected,
      {.kind = finding_kind::view_bounds,
       .message = fmt::format("unmasked {} of a tile that lies partly outside its tensor",
                              what == access_kind::read    ? "load"
                              : what == access_kind::write ? "store"
                                                           : "atomic update"),
       .details = {who(t),
                   element_place(selected, first),
                   fmt::format("{} of its {} elements {} outside",
                               selected.count() - selected.active(),
                               selected.count(),
                               selected.count() - selected.active() == 1 ? "lies" : "lie")},
       .remedy = what == access_kind::read ? "load_masked gives such elements a padding"
                 : what == access_kind::write
                     ? "store_masked leaves such elements out"
                     : "use atomics through a tile of pointers with a mask"});
}

// The elements of one call have no order among themselves, so weak writes to one place race, even
// of equal values.
[[gnu::cold]] void
report_overlap(sim_thread& t, const view_selection& selected, std::size_t a, std::size_t b) {
  add_of_indices(
      t,
      selected,
      {.kind = finding_kind::overlapping_store,
       .message = "one store writes two elements of its tile to the same place",
       .details = {who(t),
                   element_place(selected, a),
                   element_place(selected, b),
                   fmt::format(
                       "strides of the tensor: {}",
                       sizes_text(selected.view().tensor->strides, selected.view().tensor->rank))},
       .remedy =
           selected.box() == nullptr
               ? "list every element once, or use atomic_store"
               : "give the tensor strides that keep its elements apart, or use atomic_store"});
}

/// What the reference leaves undefined of an access, before it is performed.
void check(sim_thread& t, const view_selection& selected, const access& how, access_kind what) {
  const options& o = t.owner->opts;
  if (selected.outside()) {
    if (o.reports(finding_kind::view_index)) {
      report_index(t, selected);
    }
  } else if (!selected.view().masked && selected.active() != selected.count() &&
             o.reports(finding_kind::view_bounds)) {
    report_bounds(t, selected, what);
  }
  if (what == access_kind::write && how.order == memory_order::weak &&
      o.reports(finding_kind::overlapping_store)) {
    if (const auto twice = selected.overlap()) {
      report_overlap(t, selected, twice->first, twice->second);
    }
  }
}

/// The bits of a padding. A NaN is the one that the hardware's operations give.
std::uint64_t padding_bits(element e, padding pad) noexcept {
  struct floating {
    std::uint64_t sign;
    std::uint64_t infinity;
    std::uint64_t nan;
  };
  floating f{};
  switch (e) {
  case element::f16:
    f = {0x8000, 0x7c00, 0x7fff};
    break;
  case element::bf16:
    f = {0x8000, 0x7f80, 0x7fff};
    break;
  case element::f32:
    f = {0x80000000, 0x7f800000, 0x7fffffff};
    break;
  case element::f64:
    f = {0x8000000000000000, 0x7ff0000000000000, 0x7ff8000000000000};
    break;
  default:
    break;
  }
  switch (pad) {
  case padding::zero:
    return 0;
  case padding::neg_zero:
    return f.sign;
  case padding::nan:
    return f.nan;
  case padding::pos_inf:
    return f.infinity;
  case padding::neg_inf:
    return f.sign | f.infinity;
  }
  return 0;
}

} // namespace

void pointer_tile::fill(sim_thread& t, const out& result, const tile_access& a, const in* padding) {
  fill_masked(t, result, a, padding);
}

void pointer_tile::tell(sim_thread& t,
                        opcode op,
                        const access& how,
                        const out* result,
                        const in* values,
                        unsigned count) const {
  if (!t.owner->exec->desk().watchers.wanted().operations) {
    return;
  }
  // Without memory of its own: where operations are told, it comes behind each.
  std::array<in, 4> operands{ptrs_};
  unsigned filled = 1;
  const bool pads = op == load && count != 0;
  TILESIM_ASSERT(count + 2 <= operands.size(), count);
  if (!pads) {
    std::copy_n(values, count, operands.begin() + 1);
    filled += count;
  }
  if (mask_ != nullptr || pads) {
    operands[filled++] = mask_ != nullptr ? *mask_ : ptrs_;
  }
  if (pads) {
    operands[filled++] = *values;
  }
  sim::tell(t, op, nullptr, &how, result, operands.data(), filled);
}

void indexed_view::tell_selection(value_follower& values,
                                  const sim_thread& t,
                                  const tile_access& /*a*/,
                                  const out* /*result*/) const {
  values.indexed(t, indices_, selected_.view().tensor->rank);
}

void pointer_tile::elements(std::vector<std::uintptr_t>& addresses,
                            std::vector<std::uint8_t>& active) const {
  const auto* const first = static_cast<const std::uintptr_t*>(ptrs_.data);
  addresses.assign(first, first + ptrs_.type->count);
  active.clear();
  if (mask_ != nullptr) {
    const auto* const bits = static_cast<const std::uint8_t*>(mask_->data);
    if (mask_->type->count == 1) {
      active.assign(addresses.size(), bits[0]); // one element for all
    } else {
      active.assign(bits, bits + mask_->type->count);
    }
  }
}

void indexed_view::elements(std::vector<std::uintptr_t>& addresses,
                            std::vector<std::uint8_t>& active) const {
  addresses.clear();
  active.clear();
  if (!selected_.outside()) {
    selected_.expand(addresses, active);
  }
}

memory_operation indexed_view::operation(sim_thread& t, const access& how, access_kind kind) const {
  check(t, selected_, how, kind);
  return {t, how, selected_, kind};
}

void indexed_view::fill(sim_thread& t,
                        const out& result,
                        const tile_access& a,
                        const in* /*padding*/) const {
  const tile_view& view = selected_.view();
  const std::uint64_t bits = padding_bits(result.type->elem, view.pad);
  if (!view.masked) {
    fill_masked(t, result, a, nullptr, left_open::outside);
  } else if (bits == 0) {
    std::memset(result.data, 0, std::size_t{size_of(result.type->elem)} * result.type->count);
  } else {
    tile_type one = *result.type;
    one.count = 1;
    const in padding{&one, &bits};
    fill_masked(t, result, a, &padding);
  }
}

void indexed_view::tell(sim_thread& t,
                        opcode op,
                        const access& how,
                        const out* result,
                        const in* values,
                        unsigned count) const {
  if (!t.owner->exec->desk().watchers.wanted().operations) {
    return;
  }
  std::vector<in> operands(values, values + count);
  operands.insert(operands.end(), indices_, indices_ + selected_.view().tensor->rank);
  sim::tell(t, op, nullptr, &how, result, operands.data(), static_cast<unsigned>(operands.size()));
}

} // namespace tilesim::sim
