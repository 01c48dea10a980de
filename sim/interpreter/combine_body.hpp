// The body of a reduction or scan that is more than one operation, for many pairs at once: its
// elements become tiles of as many as there are pairs.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/interpreter/frame.hpp"
#include "sim/machine/perform.hpp"
#include "sim/ops/combine.hpp"

namespace tilesim::interpreter {

struct running_body {
  const frame& values;
  const body& what;
  sim::sim_thread& thread;

  [[nodiscard]] sim::ops::combining_body as_body() const { return {&apply, this}; }

private:
  static void apply(const void* self,
                    const machine::out* results,
                    const machine::in* accumulators,
                    const machine::in* elements,
                    unsigned values);
};

} // namespace tilesim::interpreter
