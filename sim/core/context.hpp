// The simulator of one process or one check: memory, findings, options, and what is running.
//
// What a run is lies in its context; a check inside a test makes one of its own (run_here.hpp).
// Global in sim/ are only: which context and which thread is current; what there is once in a
// process (signal handlers, symbols of what is loaded, pools, whether Ctrl-C was pressed); and what
// generated code reads by name (a thread's indices).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/options.hpp"
#include "sim/contract/run_counts.hpp"
#include "sim/detect/work_order.hpp"
#include "sim/findings/findings.hpp"
#include "sim/findings/host_copies.hpp"
#include "sim/memory/allocations.hpp"
#include "sim/memory/block_memory.hpp"
#include "sim/memory/judging.hpp"
#include "sim/process/segments.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <thread>
#include <unordered_map>
#include <vector>

namespace tilesim::sim {

class end_policy;    // sim/core/ends.hpp
class kernel_source; // sim/core/kernel_source.hpp
struct run_outcome;  // likewise
class execution;     // sim/core/execution.hpp: launches, blocks, scheduler
class other_threads; // sim/access/host_threads.hpp
class runtime_state; // sim/runtime/: streams, events, errors

/// A host function of a stream, as reports name it.
struct host_function {
  const void* code = nullptr;
  const void* stream_site =
      nullptr; ///< of the call that created the stream; nullptr: a default one
  const void* object_site = nullptr; ///< of the user object that it destroys, if it does
};

class context {
public:
  explicit context(options o);
  ~context();
  context(const context&) = delete;
  context& operator=(const context&) = delete;

  /// The context that the calling OS thread's CUDA calls and kernels use: the process's own, made
  /// on first use from $TILESIM_OPTIONS, unless a scope of a check has set another.
  [[nodiscard]] static context& current();
  /// The same without making it; nullptr: there is none yet.
  [[nodiscard]] static context* existing() noexcept;
  /// Another one is the current one from now on; nullptr: none. Gives what was.
  static context* make_current(context* c) noexcept;

  /// The process's run has been left in the midst of a kernel, and nobody unwound it: from now on
  /// another one's, with the same options, is the current one, and what was found until now is
  /// told at the process's end with what it finds. False, and nothing is done: of such a run
  /// something is written down that a second one would write over.
  [[nodiscard]] static bool begin_anew();

  /// The run is over although its code is not, and has been reported: what follows is its owner's
  /// affair, not the caller's.
  [[noreturn]] void leave(const run_outcome& outcome) const noexcept;
  /// The exit status of a process that is about to end with this one: 69 where something that
  /// nobody else tells was to be told on standard error and could not be written.
  [[nodiscard]] int told_status(int status) const noexcept;
  /// Whoever began the run, if not the process.
  end_policy* ends;

  const options opts;
  /// Where the work stands that is being started, and the host's own code.
  work_order current_work;
  work_order host_order;
  /// Where the host's code that runs stands: host_order, or the place of a stream's host function.
  const work_order* host_place = &host_order;
  /// The host function that runs, if one does.
  std::optional<host_function> running_function;
  /// Places of host functions that have released something to the host.
  std::vector<work_order> released;
  /// The host's thread that uses the runtime, and what the others access.
  std::atomic<std::thread::id> host_thread = std::this_thread::get_id();
  const std::unique_ptr<other_threads> others;
  findings found;
  /// For whoever started the run, if it asked for them.
  run_counts own_counts;
  run_counts* counts;
  /// Where this process writes its report down.
  struct {
    std::string path;   ///< empty: nowhere
    pid_t process = 0;  ///< of another one it is none of its business
    bool child = false; ///< that the program has made: there is a first one with another report
    run_counts before;  ///< what had been done when it was forked
  } told;
  host_copies copied;
  sim::allocations mem;
  block_memories shared; ///< of blocks of threads
  /// Where a `cuda::barrier` keeps its phase and, in the lower half, how many arrivals are missing;
  /// the launch that arrived there last.
  std::unordered_map<std::uintptr_t, std::uint64_t> barriers;
  /// The program's `__managed__` variables, once a kernel has been launched whose races are looked
  /// for; threads of the host that began before then look, too.
  std::atomic<const std::vector<address_range>*> managed = nullptr;
  std::optional<judging::reason> judges_managed;
  std::unique_ptr<execution> exec;
  /// Whose tile kernels are run in the place of the program's; nullptr: its own.
  std::unique_ptr<kernel_source> tile_kernels;
  /// Made by sim/runtime on first use; its deleter comes with it.
  std::shared_ptr<runtime_state> runtime;
};

} // namespace tilesim::sim
