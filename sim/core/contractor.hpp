// Fusing products and sums, as a compiler may: one rounding where the source has two.
//
// The machine asks for each sum of floating-point tiles, if there is somebody to ask, and tells of
// each product. What operations mean knows nothing of it: a fused sum is performed as an fma.
// fused_sums (sim/contraction) is one.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstdint>

namespace tilesim::sim {

struct sim_thread;

class contractor {
public:
  enum class answer : std::uint8_t {
    apart, ///< two roundings
    fused, ///< one
    open   ///< nobody knows: two here
  };

  contractor() = default;
  virtual ~contractor() = default;
  contractor(const contractor&) = delete;
  contractor& operator=(const contractor&) = delete;

  /// A product has been computed, of two operands.
  virtual void multiplied(const sim_thread& t,
                          const machine::attributes& modes,
                          const machine::out& result,
                          const machine::in* operands) = 0;

  /// A sum, or a difference, is about to be computed. If it is fused, `of_fma` are the three
  /// operands to compute it from, which are good until the thread's next operation.
  [[nodiscard]] virtual answer adds(const sim_thread& t,
                                    machine::opcode op,
                                    const machine::attributes& modes,
                                    const machine::out& result,
                                    const machine::in* operands,
                                    machine::in* of_fma) = 0;
};

} // namespace tilesim::sim
