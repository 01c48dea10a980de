// Views of arrays in memory, and parts of tiles.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/views.hpp"

#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/tileir/module.hpp"

#include <fmt/format.h>

#include <cstring>

namespace tilesim::interpreter {
namespace {

using kind = tileir::type::kind;

void connect(held_view& v, std::size_t rank) {
  v.tensor.rank = static_cast<std::uint8_t>(rank);
  v.tensor.extents = v.extents;
  v.tensor.strides = v.strides;
}

} // namespace

void make_tensor_view(const instruction& i, const frame& f) {
  held_view& v = f.view(i.results[0]);
  const tileir::type& t = *i.view_type;
  connect(v, t.shape.size());
  std::memcpy(static_cast<void*>(&v.tensor.base), f.cells(i.operands[0]), sizeof v.tensor.base);
  std::size_t extent = 1;
  std::size_t stride = i.first_stride;
  for (std::size_t d = 0; d < t.shape.size(); ++d) {
    v.extents[d] =
        t.shape[d] != tileir::dynamic ? t.shape[d] : f.number(i.operands[extent++], true);
    v.strides[d] =
        t.strides[d] != tileir::dynamic ? t.strides[d] : f.number(i.operands[stride++], true);
  }
}

void make_tile_view(const instruction& i, const frame& f) {
  const held_view& tensor = f.view(i.operands[0]);
  held_view& v = f.view(i.results[0]);
  const tileir::type& t = *i.view_type;
  connect(v, t.shape.size());
  v.tensor.base = tensor.tensor.base;
  for (std::size_t k = 0; k < t.shape.size(); ++k) {
    const std::size_t d = t.dim_map.empty() ? k : static_cast<std::size_t>(t.dim_map[k]);
    v.extents[k] = tensor.extents[d];
    v.strides[k] = tensor.strides[d];
  }
}

void tell_shape(const instruction& i, const frame& f) {
  const held_view& v = f.view(i.operands[0]);
  const tileir::type& t = *i.view_type;
  for (std::size_t d = 0; d < t.shape.size(); ++d) {
    auto extent = static_cast<std::uint64_t>(v.extents[d]);
    if (i.what == step::index_space_shape && t.what != kind::gather_scatter_view) {
      const auto by =
          static_cast<std::uint64_t>(t.what == kind::strided_view ? t.strides[d] : t.shape[d]);
      extent = extent / by + (extent % by != 0 ? 1 : 0);
    }
    std::memcpy(f.cells(i.results[d]), &extent, size_of(i.results[d].type->elem));
  }
}

machine::tile_view view_of(const instruction& i, const held_view& tensor) {
  const tileir::type& t = *i.view_type;
  machine::tile_view v{};
  v.what = t.what == kind::partition_view ? machine::tile_view::kind::partition
           : t.what == kind::strided_view ? machine::tile_view::kind::strided
                                          : machine::tile_view::kind::gather_scatter;
  v.tensor = &tensor.tensor;
  v.tile = i.view_tile;
  v.traversal = t.strides.data();
  v.sparse_dim = static_cast<std::uint8_t>(t.sparse_dim);
  v.masked = i.masked;
  v.pad = static_cast<machine::padding>(t.pad.value_or(tileir::padding::zero));
  return v;
}

void insert_part(const instruction& i, const frame& f, sim::sim_thread& t) {
  const machine::in part = f.read(i.operands[0]);
  const machine::in whole = f.read(i.operands[1]);
  const machine::out result = f.write(i.results[0]);
  const std::size_t width = size_of(result.type->elem);
  std::memcpy(result.data, whole.data, result.type->count * width);
  const unsigned rank = result.type->rank;
  std::uint64_t first[held_view::most] = {};
  for (unsigned d = 0; d < rank; ++d) {
    const auto number = static_cast<std::uint64_t>(f.number(i.operands[2 + d], true));
    const std::uint64_t parts = result.type->extents[d] / part.type->extents[d];
    if (number >= parts) {
      t.owner->found.add(
          i.site,
          {.kind = finding_kind::extract_index,
           .message = fmt::format("insert index out of range: sub-tile {} along dimension {}, "
                                  "where there are {} of this shape",
                                  number,
                                  d,
                                  parts),
           .details = {fmt::format("by {} of {}", t.name(), t.launch->kernel.name)},
           .remedy = "indices of insert count sub-tiles, not elements"});
      return;
    }
    first[d] = number * part.type->extents[d];
  }
  const auto* from = static_cast<const std::byte*>(part.data);
  auto* to = static_cast<std::byte*>(result.data);
  for (std::uint32_t k = 0; k < part.type->count; ++k) {
    std::uint64_t rest = k;
    std::uint64_t at = 0;
    std::uint64_t unit = 1;
    for (unsigned d = rank; d-- > 0;) {
      at += (first[d] + rest % part.type->extents[d]) * unit;
      rest /= part.type->extents[d];
      unit *= result.type->extents[d];
    }
    std::memcpy(to + at * width, from + k * width, width);
  }
}

} // namespace tilesim::interpreter
