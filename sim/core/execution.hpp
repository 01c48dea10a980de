// Launches and the blocks that run them.
//
// submit() is what the CUDA runtime calls. Blocks run eagerly, in the calling OS thread, until all
// are done or every one that is not waits for memory to change; a launch that waits stays suspended
// and goes on at the next run().
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/launch.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::sim {

class context;
struct bad_access;
struct launch_state;
class memory_engine;
class run_control;
class watcher;
class watcher_list;
struct run_desk;
struct run_outcome;
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
  /// The same behind a new launch: unless launches begin where the host waits [options].
  void run_the_submitted();

  /// True once all blocks of the launch are done.
  [[nodiscard]] bool done(launch_id id) const noexcept;

  /// True if every submitted launch is done.
  [[nodiscard]] bool idle() const noexcept;

  /// run(); when blocks still wait and nobody is left to change what they wait for, that is a
  /// deadlock: reported, and the process ends. `id` 0: waits for all.
  void finish(launch_id id = 0);
  /// What finish() does for a moment while blocks wait for another thread of the host's: it sleeps
  /// unless told. Launches may be made meanwhile, and end. `wanted`: whether one waits for that;
  /// then blocks that poll by plain reads, which nobody sees, are taken for such.
  void let_others_by(std::function<bool()> wanted, std::function<void()> pause);

  /// The simulated thread that this OS thread executes now; nullptr in host code.
  [[nodiscard]] static sim_thread* current() noexcept;
  /// A thread is about to make an access that it may not: the watchers are told.
  void refused(const bad_access& access);

  /// What every access of memory goes through.
  [[nodiscard]] memory_engine& memory() noexcept { return *memory_; }
  /// Another engine than the direct one: before the first launch.
  void use(std::unique_ptr<memory_engine> engine);

  /// Who looks on from now on, for as long as the run lasts or until he is detached.
  watcher& attach(std::unique_ptr<watcher> w);
  void detach(const watcher& w);
  [[nodiscard]] const watcher_list& watchers() const noexcept;
  /// Who holds the reins from now on. He outlives the run.
  void steer(run_control& control);

  [[nodiscard]] bool is_steered() const noexcept;

  /// What operations look at while they are under way.  [sim/execution/run_desk.hpp]
  [[nodiscard]] run_desk& desk() noexcept { return *desk_; }

  /// Where every block stands, a paragraph for those of one kernel that wait at one place.
  [[nodiscard]] std::vector<std::string> standings() const;
  /// A thread that has started and not ended.
  struct thread_view {
    const sim_thread* thread = nullptr;
    bool sleeps = false; ///< until what it polls changes
    bool meets = false;  ///< it waits for others of its block
  };
  /// In no order.
  [[nodiscard]] std::vector<thread_view> threads() const;
  /// That are not done, in the order of their submission.
  [[nodiscard]] std::vector<const launch_state*> launches() const;
  /// The running operation, at `site`: ends the run if --timeout is over.
  void check_timeout(const void* site);
  /// Ctrl-C: tells how the blocks stand, and ends the run.
  [[noreturn]] void report_interrupt();

  /// How many stacks blocks have: each of those that wait has one, the others take turns on few.
  [[nodiscard]] std::size_t stacks() const noexcept;

  /// Tile operations performed since the start.
  [[nodiscard]] std::uint64_t operations() const noexcept;

  /// The kind of the kernel in which a block first gave up, after which the device does no more
  /// work; nothing: none has.
  [[nodiscard]] std::optional<kernel_kind> failure() const noexcept;
  /// Begins anew, as a device that was reset.
  void forget_failure() noexcept;

  /// Called in a simulated thread when the run is over: leaves its stack and has the context go on
  /// with leave() on the host's.
  [[noreturn]] void leave_run(const run_outcome& outcome) noexcept;
  /// The run has been left, however deep it was in here: what lasts as long as kernels run is over.
  void abandon() noexcept;

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

private:
  std::unique_ptr<memory_engine> memory_;
  std::unique_ptr<impl> impl_;
  run_desk* desk_; ///< of impl_
};

} // namespace tilesim::sim
