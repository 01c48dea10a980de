// The body of a reduction or scan, for many pairs at once.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/combine_body.hpp"

#include <cstring>
#include <deque>

namespace tilesim::interpreter {
namespace {

/// Cells, aligned as the machine likes them.
struct alignas(slot_alignment) line {
  std::byte bytes[slot_alignment];
};

class body_run {
public:
  body_run(const running_body& r, const machine::in* accumulators, const machine::in* elements)
      : running_(r)
      , accumulators_(accumulators)
      , elements_(elements)
      , count_(elements[0].type->count) {}

  void perform() {
    for (const body_instruction& i : running_.what.instructions) {
      machine::in operands[3];
      for (std::size_t k = 0; k < i.operands.size(); ++k) {
        operands[k] = value(i.operands[k]);
      }
      const machine::out result{many(*i.result), memory(size_of(i.result->elem))};
      machine::perform::elementwise(i.op,
                                    i.modes,
                                    result,
                                    operands,
                                    static_cast<unsigned>(i.operands.size()),
                                    {&running_.thread, i.site});
      inner_.push_back({result.type, result.data});
    }
  }

  void hand_on(const machine::out& to, const body_value& v) const {
    const machine::in from = value(v);
    const std::size_t width = size_of(to.type->elem);
    if (from.type->count == count_) {
      std::memcpy(to.data, from.data, count_ * width);
      return;
    }
    for (std::size_t i = 0; i < count_; ++i) {
      std::memcpy(static_cast<std::byte*>(to.data) + i * width, from.data, width);
    }
  }

private:
  [[nodiscard]] machine::in value(const body_value& v) const {
    switch (v.what) {
    case body_value::kind::element:
      return elements_[v.number];
    case body_value::kind::accumulator:
      return accumulators_[v.number];
    case body_value::kind::inner:
      return inner_[v.number];
    case body_value::kind::outer:
      break;
    }
    return running_.values.read(v.outside);
  }

  const machine::tile_type* many(const machine::tile_type& one) {
    machine::tile_type t = one;
    t.is_scalar = false;
    t.rank = 1;
    t.count = count_;
    t.extents = &count_;
    return &types_.emplace_back(t);
  }

  void* memory(std::size_t width) {
    return cells_.emplace_back((count_ * width + slot_alignment - 1) / slot_alignment).data();
  }

  const running_body& running_;
  const machine::in* accumulators_;
  const machine::in* elements_;
  std::uint32_t count_;
  std::deque<machine::tile_type> types_;
  std::deque<std::vector<line>> cells_;
  std::vector<machine::in> inner_;
};

} // namespace

void running_body::apply(const void* self,
                         const machine::out* results,
                         const machine::in* accumulators,
                         const machine::in* elements,
                         unsigned values) {
  const auto& running = *static_cast<const running_body*>(self);
  body_run run(running, accumulators, elements);
  run.perform();
  for (unsigned v = 0; v < values; ++v) {
    run.hand_on(results[v], running.what.results[v]);
  }
}

} // namespace tilesim::interpreter
