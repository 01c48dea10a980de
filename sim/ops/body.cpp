// Bodies of reductions and scans: several values that are combined together.
//
// The trees of reduce.cpp and scan.cpp work on packed cells, so the values of one element stand
// side by side there; the body gets each of them as a tile of its own.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/preconditions.hpp"
#include "sim/ops/slices.hpp"

#include <cstddef>

namespace tilesim::sim::ops {

body_combiner::body_combiner(const combining_body& body,
                             const machine::in* operands,
                             unsigned values)
    : body_(body)
    , values_(values) {
  TILESIM_ASSERT(values != 0 && values <= most, values);
  for (unsigned v = 0; v < values; ++v) {
    TILESIM_ASSERT(is_consistent(*operands[v].type), v, operands[v].type->count);
    TILESIM_ASSERT(operands[v].type->count == operands[0].type->count,
                   v,
                   operands[v].type->count,
                   operands[0].type->count);
    types_[v] = *operands[v].type;
    types_[v].is_scalar = false;
    types_[v].rank = 1;
    at_[v] = cell_;
    cell_ += size_of(types_[v].elem);
  }
}

void body_combiner::take(
    unsigned v, std::byte* to, const std::byte* cells, std::size_t count, bool repeat) const {
  const std::size_t size = size_of(types_[v].elem);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(to + (i * size), cells + at_[v] + (repeat ? 0 : i * cell_), size);
  }
}

void body_combiner::put(unsigned v,
                        std::byte* cells,
                        const std::byte* from,
                        std::size_t count) const {
  const std::size_t size = size_of(types_[v].elem);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(cells + at_[v] + (i * cell_), from + (i * size), size);
  }
}

void body_combiner::operator()(std::byte* result,
                               const std::byte* a,
                               const std::byte* b,
                               std::size_t count,
                               bool a_is_one) const {
  if (count == 0) {
    return;
  }
  const auto extent = static_cast<std::uint32_t>(count);
  // Each of them aligned, for a body that reads it as an array.
  constexpr std::size_t alignment = alignof(std::max_align_t);
  const auto room = [count](const machine::tile_type& t) {
    return (count * size_of(t.elem) + alignment - 1) / alignment * alignment;
  };
  std::size_t all = 0;
  for (unsigned v = 0; v < values_; ++v) {
    all += 3 * room(types_[v]);
  }
  const scratch memory = make_scratch(all);
  std::byte* at = memory.get();
  machine::tile_type types[most];
  machine::out results[most];
  machine::in accumulators[most];
  machine::in elements[most];
  for (unsigned v = 0; v < values_; ++v) {
    types[v] = types_[v];
    types[v].count = extent;
    types[v].extents = &extent;
    const std::size_t bytes = room(types_[v]);
    take(v, at, a, count, a_is_one);
    take(v, at + bytes, b, count, false);
    accumulators[v] = {&types[v], at};
    elements[v] = {&types[v], at + bytes};
    results[v] = {&types[v], at + (2 * bytes)};
    at += 3 * bytes;
  }
  body_.apply(body_.self, results, accumulators, elements, values_);
  for (unsigned v = 0; v < values_; ++v) {
    put(v, result, static_cast<const std::byte*>(results[v].data), count);
  }
}

scratch
zipped(const body_combiner& op, const machine::in* operands, unsigned values, const lanes& l) {
  const std::size_t count = operands[0].type->count;
  scratch cells = make_scratch(count * op.cell());
  const scratch turned = make_scratch(count * op.cell());
  for (unsigned v = 0; v < values; ++v) {
    swap_outer(turned.get(),
               static_cast<const std::byte*>(operands[v].data),
               operands[v].type->elem,
               l.outer,
               l.length,
               l.inner);
    op.put(v, cells.get(), turned.get(), count);
  }
  return cells;
}

} // namespace tilesim::sim::ops
