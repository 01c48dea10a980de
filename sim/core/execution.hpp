// Launches and the blocks that run them.
//
// submit() is what the CUDA runtime calls. Blocks run eagerly, in the calling OS thread, until all
// are done or every one that is not waits for memory to change; a launch that waits stays suspended
// and goes on at the next run().
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/launch.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace tilesim::sim {

class context;
struct bad_access;
struct sim_thread;

using launch_id = std::uint64_t;

class execution {
public:
  explicit execution(context& c);
  ~execution();
  execution(const execution&) = delete;
  execution& operator=(const execution&) = delete;

  /// Starts a launch whose configuration the runtime has checked. It takes the kernel's closure.
  /// Nothing runs before run().
  launch_id submit(const detail::launch_config& config,
                   kernel_kind kind,
                   const detail::bound_kernel& kernel,
                   const void* site);

  /// Runs all submitted launches as far as they go. When every unfinished block waits, returns.
  void run();

  /// True once all blocks of the launch are done.
  [[nodiscard]] bool done(launch_id id) const noexcept;

  /// True if every submitted launch is done.
  [[nodiscard]] bool idle() const noexcept;

  /// run(); when blocks still wait and nobody is left to change what they wait for, that is a
  /// deadlock: reported, and the process ends. `id` 0: waits for all.
  void finish(launch_id id = 0);

  /// The simulated thread that this OS thread executes now; nullptr in host code.
  [[nodiscard]] static sim_thread* current() noexcept;
  /// A thread is about to make an access that it may not: whoever holds the reins is told.
  void refused(const bad_access& access);

  /// Tile operations performed since the start.
  [[nodiscard]] std::uint64_t operations() const noexcept;

  /// The kind of the kernel in which a block first gave up, after which the device does no more
  /// work; nothing: none has.
  [[nodiscard]] std::optional<kernel_kind> failure() const noexcept;
  /// Begins anew, as a device that was reset.
  void forget_failure() noexcept;

  /// Called in a simulated thread: ends it where it stands, without unwinding its frames. Its block
  /// counts as done, and its launch as failed.
  [[noreturn]] static void give_up() noexcept;
  /// The same, and the launch is as good as before: of a run that keeps going.
  [[noreturn]] static void leave() noexcept;

  /// Called in a simulated thread: lets others run.
  static void yield() noexcept;
  /// Called in a simulated thread: sleeps until what its spin detector watches changes.
  static void sleep() noexcept;

  struct impl;
  [[nodiscard]] impl& state() noexcept { return *impl_; }

private:
  std::unique_ptr<impl> impl_;
};

} // namespace tilesim::sim
