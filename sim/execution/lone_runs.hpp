// Threads of the submitted launches, each run alone, and again from its start.
//
// A thread that is begun anew loses the stack of its last run as it stands: frames are not unwound.
// What it has changed besides its stack is not set back: who answers its reads sees to that.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/fiber.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tilesim::sim {

class context;
struct launch_state;
struct sim_thread;
struct thread_block;
struct worker;

class lone_runs {
public:
  /// Of the launches that are submitted and not over.
  explicit lone_runs(context& c);
  ~lone_runs();
  lone_runs(const lone_runs&) = delete;
  lone_runs& operator=(const lone_runs&) = delete;

  /// Of all launches, one launch after the other.
  [[nodiscard]] std::size_t count() const noexcept { return threads_.size(); }
  [[nodiscard]] const launch_state& launch(std::size_t thread) const noexcept {
    return *threads_[thread].launch;
  }
  /// Its number in its launch.
  [[nodiscard]] std::uint64_t linear(std::size_t thread) const noexcept {
    return threads_[thread].linear;
  }
  /// Its block, of a SIMT kernel: whose shared memory is, and who meets. Else nullptr.
  [[nodiscard]] const thread_block* team(std::size_t thread) const noexcept {
    return threads_[thread].team;
  }
  /// As it stands. Begun at least once.
  [[nodiscard]] sim_thread& thread(std::size_t thread) noexcept;

  /// It is at its start again.
  void begin(std::size_t thread);

  enum class stop : std::uint8_t {
    paused, ///< it has called pause(), or let others go on
    waits,  ///< it polls what nobody else changes, and is sure to do so for ever
    ended,
    left ///< it has given up where it stands
  };
  /// Runs it on.
  stop resume(std::size_t thread);
  /// Called in the running thread: resume() returns.
  static void pause() noexcept;

private:
  struct lone_thread {
    launch_state* launch = nullptr;
    std::uint64_t linear = 0;
    std::unique_ptr<worker> runs; ///< nullptr: not begun
    thread_block* team = nullptr; ///< of a SIMT kernel
  };

  [[nodiscard]] stack_pool& supply_for(const lone_thread& t) const noexcept;

  context& context_;
  std::vector<std::unique_ptr<thread_block>> blocks_;
  std::vector<lone_thread> threads_;
};

} // namespace tilesim::sim
