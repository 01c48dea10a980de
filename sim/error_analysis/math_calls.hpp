// Mathematical functions that plain C++ code of a kernel calls.
//
// They are the host library's: no operation tells of them, and inside of them no code is followed.
// So while somebody asks how far values may be off, the program's calls of them come by here: its
// global offset table holds functions of ours, which call them and tell the analysis of operands
// and result.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace tilesim::sim {
struct sim_thread;
} // namespace tilesim::sim

namespace tilesim::sim::errors {

/// A function of one or two numbers, in double and in float.
struct math_function {
  enum class rule : std::uint8_t {
    operation,  ///< what may be computed is known of the operation
    monotone,   ///< it rises or falls everywhere where it is defined
    wave,       ///< a sine or a cosine: near the exact ones, between -1 and 1
    hypotenuse, ///< it rises with the magnitude of each operand
    tangent,    ///< made of a sine and a cosine: `parts`
    power,      ///< 2 to the power of y times a logarithm of x: `parts`
    unknown
  };
  const char* name = ""; ///< of the one of double; that of float has an f behind
  rule is = rule::unknown;
  machine::opcode op = {};
  machine::rounding round = {};
  long double (*exact)(long double) = nullptr; ///< of one that is monotone, or a wave
  /// By how many units in the last place it may be off from what is rounded correctly.
  /// [CUDA C++ Programming Guide, Mathematical Functions]
  double ulps_of_float = 0;
  double ulps_of_double = 0;
  double ulps_per_unit = 0; ///< and by so many more, rounded down, for each unit of the operand
  double absolute = 0;      ///< instead of units, while the operand lies in the range that follows
  double from = 0;
  double to = 0;
  const math_function* parts[2]{}; ///< of one whose error is documented by what it is made of
};

/// A call of one, by a simulated thread.
struct math_call {
  const sim_thread& thread;
  const void* site; ///< its return address
  const math_function& function;
  element kind; ///< of operands and result, which follow as bits
  std::span<const std::uint64_t> operands;
  std::uint64_t result;
};

class math_calls {
public:
  /// `take`: is told of a call, and gives what the program gets of it.
  explicit math_calls(std::function<std::uint64_t(const math_call&)> take)
      : take_(std::move(take)) {}
  ~math_calls() { end(); }
  math_calls(const math_calls&) = delete;
  math_calls& operator=(const math_calls&) = delete;

  void begin();
  void end();

private:
  std::function<std::uint64_t(const math_call&)> take_;
  std::vector<std::pair<std::uintptr_t*, std::uintptr_t>> replaced_; ///< slots, and what they held
};

} // namespace tilesim::sim::errors
