// What plain C++ code of a kernel computes from scalars that may be off.
//
// Such code is the host compiler's: no operation tells of it. So where a thread holds a scalar that
// may be off, its code is stepped through, instruction by instruction (x86-64's trap flag, from the
// end of one call of the library to the begin of the next), and every instruction that computes
// with floating-point numbers, compares or converts them is told to the analysis. Values are known
// by their bits, so those that only move them need no attention.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/process/segments.hpp"

#include <tilesim/element.hpp>

#include <csignal>
#include <vector>

namespace tilesim::sim::errors {

class error_analysis;

class scalar_code {
public:
  explicit scalar_code(error_analysis& analysis)
      : analysis_(analysis) {}
  ~scalar_code() { end(); }
  scalar_code(const scalar_code&) = delete;
  scalar_code& operator=(const scalar_code&) = delete;

  /// Can code be followed that computes with scalars of this kind?
  [[nodiscard]] static bool follows(element kind) noexcept;

  /// From the next end of a call of the library on.
  void begin();
  void end();

  /// The instruction that comes next, of a thread that is stepped through: does it go on so?
  bool step(ucontext_t& at);

private:
  error_analysis& analysis_;
  bool active_ = false;
  std::vector<segment> code_;    ///< the program's
  std::vector<segment> library_; ///< all other
};

} // namespace tilesim::sim::errors
