// What the stepper knows of the run so far.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/context.hpp"
#include "sim/expressions/value.hpp"
#include "sim/step/turn_recorder.hpp"
#include "sim/watch/buffers.hpp"
#include "sim/watch/definedness.hpp"
#include "sim/watch/journal.hpp"
#include "sim/watch/strong_writes.hpp"

#include <cstdint>
#include <optional>

namespace tilesim::sim::step {

struct run_record {
  explicit run_record(context& c);

  /// The operation that wrote the value's place in simulated memory last, 0 if the host did;
  /// nothing for other places.
  [[nodiscard]] std::optional<std::uint32_t> last_writer(const value& v) const;

  context& in;
  buffers known;
  journal operations;
  last_writers writers;
  written_memory& written;
  turn_recorder threads;
  std::uint64_t begun = 0; ///< operations: the position
  /// Strong writes, where reads may be given older ones: the engine's number of each, and ours.
  step::strong_writes strong_writes = {};
  bool over = false; ///< nothing more happens, but reports may be made
};

} // namespace tilesim::sim::step
