// Whose turns a run consists of so far, and who its threads are.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/schedule_string.hpp"
#include "sim/core/step_kind.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/turn_progress.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tilesim::sim::step {

inline constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// Who a thread number was.
struct known_thread {
  std::uint64_t launch = 0;
  std::uint64_t block = 0;  ///< linear
  std::uint64_t linear = 0; ///< in its launch
  std::string name;
  std::uint64_t first = never;    ///< the position before its first operation
  bool stands = false;            ///< before an operation that it is about to begin
  step_kind next{};               ///< of that kind
  std::uint64_t values_known = 0; ///< its watched variables have been seen since
  turn_progress progress = {};

  /// Where it stands.
  [[nodiscard]] turn_point point() const { return progress.before(next); }
};

class turn_recorder {
public:
  /// The thread comes to its next operation. True: it is its first.
  bool comes(const sim_thread& t);
  /// The thread runs. It `comes` to its next operation, or it stood there before.
  void take_turn(const sim_thread& t, bool comes);
  /// It begins that operation.
  void begins(const sim_thread& t, step_kind kind);

  [[nodiscard]] bool knows(std::uint64_t number) const noexcept {
    return number < threads_.size() && !threads_[number].name.empty();
  }
  [[nodiscard]] known_thread& operator[](std::uint64_t number) { return threads_.at(number); }
  [[nodiscard]] const known_thread& operator[](std::uint64_t number) const {
    return threads_.at(number);
  }

  /// As a replay string has them; empty where there were too many.
  [[nodiscard]] std::string turns() const { return lost_ ? "" : to_string(turns_); }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return threads_.capacity() * sizeof(known_thread);
  }

private:
  std::vector<known_thread> threads_; ///< by number
  std::uint64_t turn_of_ = never;     ///< whose turn it is
  bool moved_ = false;                ///< it has, in this turn
  std::vector<turn> turns_;
  bool lost_ = false;
};

} // namespace tilesim::sim::step
