// Watching a program: what the stepper, traces, statistics and checkers hang onto.
//
// A watcher is told what a run does, changes nothing of it, and knows no other watcher: any number
// of them stand in a list (execution::attach). Who has to hold a run up as well is a run_control
// (control.hpp). A run without watchers pays one branch per operation.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/report_members.hpp"
#include "sim/core/step_kind.hpp"
#include "sim/memory/access_kind.hpp"
#include "sim/ops/accuracy.hpp"

#include <tilesim/detail/machine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tilesim::sim {

struct allocation;
struct finding_text;
struct launch_state;
struct meeting;
struct sim_thread;
struct thread_block;
struct tile_box;

/// One performed tile operation. Pointers are valid during the call only.
struct operation_event {
  const sim_thread* thread = nullptr;
  const void* site = nullptr; ///< return address into the user's code
  machine::opcode op = {};
  const machine::attributes* modes = nullptr; ///< elementwise, reductions, scans; else nullptr
  const machine::access* access = nullptr;    ///< memory operations; else nullptr
  const machine::out* result = nullptr;       ///< nullptr if there is none
  const machine::in* operands = nullptr;
  unsigned operand_count = 0;
  const machine::combination* combined = nullptr; ///< reductions and scans: how

  /// Whether the result is one of several that the documentation allows, and which.
  [[nodiscard]] ops::accuracy accuracy() const noexcept {
    return modes == nullptr ? ops::accuracy{} : ops::accuracy_of(op, *modes, result->type->elem);
  }
  /// What the program calls it, where it says; else nullptr.
  [[nodiscard]] const char* spelling() const noexcept {
    return modes != nullptr    ? modes->written.spelling
           : access != nullptr ? access->written.spelling
                               : nullptr;
  }
  /// Whether the result may be another in another order of combining, which is left open.
  [[nodiscard]] bool depends_on_order() const noexcept {
    return op == machine::opcode::mmaf || (combined != nullptr && ops::depends_on_order(*combined));
  }
};

/// Accesses of one operation of a kernel's: every active element. Of a raw access it comes before
/// the program's own instruction makes it; of others, when they have been made.
struct memory_event {
  const sim_thread* thread = nullptr;
  const void* site = nullptr;
  machine::access how = {};
  bool reads = false;
  bool writes = false;
  unsigned bytes = 0; ///< per element
  unsigned count = 0;
  const std::uintptr_t* addresses = nullptr;
  const std::uint8_t* mask = nullptr; ///< one byte per element, 0: not accessed; nullptr: all are
  bool contiguous = false;            ///< unmasked, addresses[i] == addresses[0] + i * bytes
  /// What a view accesses, where nobody wants its elements one by one: addresses is nullptr then.
  const tile_box* box = nullptr;
  bool raw = false;         ///< no tile operation: consecutive bytes, in one piece
  bool sums_floats = false; ///< … an atomic addition of floating-point numbers
  bool commutes = false;    ///< … an atomic update of a whole number, which comes to the same in
                            ///< every order of several by the same operation
};

/// An element of a strong read that has been given an older write than the newest.
struct stale_event {
  const sim_thread* thread = nullptr;
  std::size_t element = 0; ///< of the operation
  std::uintptr_t address = 0;
  unsigned bytes = 0;
  std::uint64_t value = 0;  ///< that it was given: its low bytes
  std::uint64_t newest = 0; ///< and the one that it passed over
  // The operations that wrote them, as memory_engine::performed() had them; 0: none that wrote
  // strongly.
  std::uint64_t given = 0;
  std::uint64_t passed = 0;
};

/// An access by others than kernels: code of the host, to memory that kernels can use, or a fill.
struct host_event {
  const void* site = nullptr;
  const char* by = nullptr; ///< "cudaMemset"; nullptr: code of the host
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  bool reads = false;
  bool writes = false;
  bool other_thread = false; ///< than the one that uses the runtime
};

/// A copy that has been made.
struct copy_event {
  const void* site = nullptr;
  const char* by = nullptr; ///< "cudaMemcpy"
  const unsigned char* to = nullptr;
  std::size_t to_pitch = 0;
  const unsigned char* from = nullptr;
  std::size_t from_pitch = 0;
  std::size_t width = 0; ///< bytes of a row
  std::size_t height = 1;
  bool to_shared = false; ///< kernels can use the destination, an allocation or a variable
  bool to_host = false;   ///< from an allocation to memory that is none

  /// Calls f(to, from) for each row.
  template <class F>
  void each_row(F&& f) const {
    for (std::size_t row = 0; row < height; ++row) {
      f(to + (row * to_pitch), from + (row * from_pitch));
    }
  }
};

/// How a run is over.
enum class run_end : std::uint8_t {
  ended,      ///< the program ends, with its status
  stopped,    ///< a finding, a limit or a deadlock ends it
  interrupted ///< Ctrl-C
};

/// As the run's report says it.
[[nodiscard]] constexpr const char* word(run_end how) noexcept {
  return how == run_end::ended     ? in_report::how_ended
         : how == run_end::stopped ? in_report::how_stopped
                                   : in_report::how_interrupted;
}

/// What a watcher wants to be told of: what nobody wants costs nothing.
struct wanted_events {
  bool operations = true; ///< operation()
  bool accesses = true;   ///< memory()
  bool elements = true;   ///< the same with every element's address, of views, too
  bool before = false;    ///< before(), before_access()
  /// Between two turns nobody's thread runs: so threads do not end, or begin, in another one's
  /// turn.
  bool turns = true;
};

inline constexpr wanted_events nothing{
    .operations = false, .accesses = false, .elements = false, .before = false, .turns = false};

class watcher {
public:
  watcher() = default;
  virtual ~watcher() = default;
  watcher(const watcher&) = delete;
  watcher& operator=(const watcher&) = delete;

  [[nodiscard]] virtual wanted_events wants() const { return {}; }

  // --- Launches and threads. In the order of what happens.

  virtual void launch_begins(const launch_state& /*l*/) {}
  /// The thread begins to run its kernel. Its block's number in the order of starts is t.number.
  virtual void thread_begins(const sim_thread& /*t*/) {}
  virtual void thread_ends(const sim_thread& /*t*/) {}
  /// A block of threads is over, and its shared memory with it.
  virtual void block_ends(const thread_block& /*b*/) {}
  /// A thread comes to where it waits for others of its block: t.meets_at and t.meets_by tell.
  virtual void comes_to_meet(const sim_thread& /*t*/) {}
  /// Threads of a block have met, and are about to go on.
  virtual void met(const meeting& /*m*/) {}
  virtual void launch_ends(const launch_state& /*l*/) {}

  // --- What the running thread does.

  /// It is about to begin the operation that t.next_site, t.next_operation and t.next_kind tell;
  /// t.site still names the one before. Nobody else runs before it is made.
  virtual void before(const sim_thread& /*t*/) {}
  /// That is a raw access of bytes that may be accessed.
  virtual void
  before_access(const sim_thread& /*t*/, std::uintptr_t /*address*/, std::size_t /*bytes*/) {}
  /// It accesses memory that it may not: the run ends. `bytes`: 0 if nobody knows.
  virtual void refused(const bad_access& /*a*/) {}
  /// The operation under way leaves this element of its result unspecified.
  virtual void left_unspecified(std::size_t /*element*/) {}
  /// What the operation under way reads is an older write; memory() follows.
  virtual void took_older(const stale_event& /*e*/) {}
  virtual void memory(const memory_event& /*e*/) {}
  virtual void operation(const operation_event& /*e*/) {}

  // --- What others do to memory.

  virtual void host_access(const host_event& /*e*/) {}
  virtual void copied(const copy_event& /*e*/) {}
  /// Memory has come into being; it ceases to be.
  virtual void allocated(const allocation& /*a*/) {}
  virtual void freed(const allocation& /*a*/) {}

  // --- The run.

  /// There is a new finding: the last one of context::found. Of what it was told by, places and
  /// parties are there still, texts are not.
  virtual void finding_added(const void* /*site*/, const finding_text& /*text*/) {}
  /// This process goes on in the place of one that may have gone further: a checkpoint of the
  /// stepper's.
  virtual void resumed() {}
  virtual void run_ends(run_end /*how*/, int /*status*/) {}
};

/// The watchers of a run. Who was attached last is told first: the others still hold what was so
/// before.
class watcher_list {
public:
  watcher& add(std::unique_ptr<watcher> w);
  /// Destroys it.
  void remove(const watcher& w);

  template <class F>
  void tell(F&& f) const {
    for (const auto& w : all_) {
      f(*w);
    }
  }
  /// The other way round: who was attached last is told last, as it may hold the run up.
  template <class F>
  void tell_first_to_last(F&& f) const {
    for (auto w = all_.rbegin(); w != all_.rend(); ++w) {
      f(**w);
    }
  }
  /// That of this type, if there is one.
  template <class W>
  [[nodiscard]] W* find() const {
    for (const auto& w : all_) {
      if (auto* const it = dynamic_cast<W*>(w.get())) {
        return it;
      }
    }
    return nullptr;
  }

  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  /// What at least one of them wants.
  [[nodiscard]] const wanted_events& wanted() const noexcept { return wanted_; }

private:
  void ask_all();

  std::vector<std::unique_ptr<watcher>> all_;
  wanted_events wanted_ = nothing;
};

} // namespace tilesim::sim
