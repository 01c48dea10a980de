// Memory engines: what an access of memory does, whoever makes it.
//
// `direct` goes straight to memory; a detector or an explorer stands behind the same interface.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"
#include "sim/memory/access_kind.hpp"
#include "sim/memory/read_offers.hpp"
#include "sim/memory/tile_box.hpp"
#include "sim/ops/rmw.hpp"

#include <tilesim/detail/machine.hpp>
#include <tilesim/report.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::sim {

class context;
struct launch_state;
struct done_before; // sim/core/thread_block.hpp
struct meeting;
struct sim_thread;
struct work_order;

/// The accesses of one tile operation. Its elements have no order among themselves.
struct tile_access {
  const void* site = nullptr;
  machine::access how = {};
  unsigned bytes = 0; ///< per element
  std::size_t count = 0;
  const std::uintptr_t* addresses = nullptr; ///< all checked where the mask is set
  const std::uint8_t* mask = nullptr;        ///< one byte per element, 0: no access; nullptr: all
  bool contiguous = false; ///< unmasked, and addresses[i] == addresses[0] + i * bytes
  /// What a view accesses, where the engine takes boxes and the access is weak; addresses and mask
  /// are then nullptr. Else nullptr.
  const tile_box* box = nullptr;
  bool dropped = false; ///< some elements were left out since they were bad: they read zero
};

/// Who accesses memory, and where that stands in the order of the host's work.
struct accessor {
  sim_thread* thread = nullptr;   ///< nullptr: host code, a copy, a fill
  const work_order* at = nullptr; ///< a thread's is its launch's
  const char* by = nullptr;       ///< who, if no thread: "cudaMemcpy"; nullptr: host code
  bool other_thread = false;      ///< of the host's, than the one that uses the runtime
};

/// An access that is no tile operation: consecutive bytes.
struct plain_access {
  const void* site = nullptr;
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  memmodel::memory_order order = memmodel::memory_order::weak; ///< as it was asked for
  memmodel::scope scope = memmodel::scope::sys;
  bool by_reference = false; ///< by an atomic_ref
  bool is_volatile = false;  ///< strong for that alone
};

/// What an update of one object does: turns the value at `value` into the one that it writes.
struct object_change {
  void (*apply)(void* value, const void* argument);
  const void* argument;

  void operator()(void* value) const { apply(value, argument); }
};

/// One side of a copy or a fill. Memory that no kernel can use concerns nobody who judges.
struct byte_place {
  void* at = nullptr;
  bool shared = true; ///< kernels can use it
};

/// A phase of a barrier that is made of atomics, or of a pipeline.
struct phase_name {
  std::uintptr_t object = 0;
  std::uint64_t number = 0;
};

/// The arrival that has ended a phase.
struct phase_end {
  std::string who;
  std::uint64_t thread = 0; ///< its number in the launch
  const void* site = nullptr;
};

/// Everything that accesses memory goes through here, and is given what it reads; only raw accesses
/// of programs without hooks, of which nobody knows, do not. Who calls has checked that the bytes
/// exist and may be accessed.
///
/// All of a run's calls come from one thread at a time.
class memory_engine {
public:
  memory_engine() = default;
  virtual ~memory_engine() = default;
  memory_engine(const memory_engine&) = delete;
  memory_engine& operator=(const memory_engine&) = delete;

  // --- Tile operations.

  /// True if load and store understand tile_access::box. An engine that does not is given the
  /// address of every element of a view, as of a tile of pointers.
  [[nodiscard]] virtual bool takes_boxes() const noexcept { return false; }

  /// True if the operations of a block may be ordered by what they wait for
  /// (machine::access::after) instead of as they are performed. Such an engine leaves in
  /// sim_thread::token what waits for the operation; 0 waits for nothing.
  [[nodiscard]] virtual bool takes_tokens() const noexcept { return false; }
  /// The bytes of the largest object that it reads and writes at once; larger vectors are accessed
  /// element by element.
  [[nodiscard]] virtual std::size_t widest_object() const noexcept { return 16; }
  /// What waits for all that these wait for.
  [[nodiscard]] virtual std::uint64_t join(const machine::ordered_after& /*all*/) { return 0; }

  /// out[i] = *addresses[i] where active; other elements of out are left alone.
  virtual void load(sim_thread& t, const tile_access& a, void* out) = 0;
  /// *addresses[i] = values[i] where active.
  virtual void store(sim_thread& t, const tile_access& a, const void* values) = 0;
  /// old[i] = *addresses[i]; *addresses[i] = f(old[i], arguments[i]), atomically per element.
  /// Returns true if memory changed.
  virtual bool update(sim_thread& t,
                      const tile_access& a,
                      ops::rmw_function f,
                      const void* arguments,
                      void* old) = 0;
  /// old[i] = *addresses[i]; if old[i] == expected[i] bit for bit, *addresses[i] = desired[i].
  /// Returns true if memory changed.
  virtual bool compare_exchange(sim_thread& t,
                                const tile_access& a,
                                const void* expected,
                                const void* desired,
                                void* old) = 0;

  // --- Atomic objects: cuda::atomic_ref, atomicAdd, std::atomic. Of 1, 2, 4, 8 or more bytes.

  /// *out = *address.
  virtual void load(const accessor& who, const plain_access& a, void* out) = 0;
  /// *address = *value. Returns true if memory changed.
  virtual bool store(const accessor& who, const plain_access& a, const void* value) = 0;
  /// *old = *address; *address = f(*old). Returns true if memory changed.
  virtual bool
  update(const accessor& who, const plain_access& a, const object_change& f, void* old) = 0;
  /// Bit for bit: *address = *desired and true; or *expected = *address and false, where nothing is
  /// written.  [PTX: atomic operations that result in a write]
  virtual bool compare_exchange(const accessor& who,
                                const plain_access& a,
                                void* expected,
                                const void* desired) = 0;

  // --- Raw accesses, `p[i]`.

  /// The program's own instruction, or a function of libc's, makes the access as soon as this
  /// returns: what it is to read lies there then, what it writes is there by the next call.
  /// `same_call`: of the function of libc's that made the one before, whose bytes have to be there
  /// still, or again if another thread has had its turn since.
  virtual void raw(const accessor& /*who*/,
                   const plain_access& /*a*/,
                   access_kind /*kind*/,
                   bool /*same_call*/ = false) {}
  /// Memory has to hold what was written last: whoever runs now looks at it by himself. Called
  /// before a thread leaves its turn and before a tile operation looks at what is there.
  void settle() {
    if (holds_) [[unlikely]] {
      put_back();
    }
  }

  // --- Order.

  /// A fence.
  virtual void fence(const accessor& /*who*/,
                     const void* /*site*/,
                     memmodel::memory_order /*order*/,
                     memmodel::scope /*scope*/) {}

  /// Threads of a block have met at a barrier.  [PTX: barrier; memory-model: A.8]
  virtual void barrier(const meeting& /*m*/) {}

  /// A thread arrives at a barrier and need not wait there: all that it and `others`, who have
  /// arrived before it, have done. nullptr: nobody has to know.
  [[nodiscard]] virtual std::shared_ptr<const done_before>
  arrives(sim_thread& /*t*/, const std::shared_ptr<const done_before>& /*others*/) {
    return {};
  }
  /// A thread has waited for those who had done that.
  virtual void comes_behind(sim_thread& /*t*/, const done_before& /*others*/) {}

  /// A thread is about to arrive at a barrier: the last arrival that the phase before expected, if
  /// nothing orders the thread behind it.
  [[nodiscard]] virtual std::optional<phase_end> unordered_phase_end(sim_thread& /*t*/,
                                                                     std::uintptr_t /*barrier*/) {
    return {};
  }
  /// The thread's last atomic access was a phase's last arrival.
  virtual void phase_ended(sim_thread& /*t*/, std::uintptr_t /*barrier*/) {}

  /// What the thread accesses plainly from now on is accessed by an asynchronous copy of its own,
  /// which what it has done so far comes before.
  virtual void copy_begins(sim_thread& /*t*/) {}
  /// No longer. Who has waited for that phase comes behind it.
  virtual void copy_ends(sim_thread& /*t*/, phase_name /*awaits*/) {}
  /// The thread has waited for all phases up to that one.
  virtual void copies_awaited(sim_thread& /*t*/, phase_name /*end*/) {}
  /// What awaits copies of the phases up to `end` is the phase `to`, as well.
  virtual void copies_handed_on(sim_thread& /*t*/, phase_name /*end*/, phase_name /*to*/) {}

  // --- Copies, fills, and memory that comes and goes.

  /// The bytes may overlap.
  virtual void copy(const accessor& who,
                    const void* site,
                    const byte_place& to,
                    const byte_place& from,
                    std::size_t bytes) = 0;
  virtual void fill(const accessor& who,
                    const void* site,
                    const byte_place& to,
                    unsigned char value,
                    std::size_t bytes) = 0;

  /// A launch starts.
  virtual void begin(launch_state& /*l*/) {}

  /// Memory comes into being, or ceases to be: who accesses it has to come after the one and before
  /// the other.  [CUDA: stream ordered memory allocator]
  virtual void lifetime(const accessor& /*who*/,
                        const void* /*site*/,
                        std::uintptr_t /*begin*/,
                        std::size_t /*bytes*/) {}

  /// Memory has ceased to be: what happened there concerns nobody any more.
  virtual void freed(std::uintptr_t /*begin*/, std::size_t /*bytes*/) {}

  // --- What it has to say.

  /// What `--stats` prints of the engine; empty: nothing.
  [[nodiscard]] virtual std::string statistics() const { return {}; }

  /// Strong reads so far that took an older write than the newest, as a schedule names them.
  [[nodiscard]] virtual std::string stale_reads() const { return {}; }
  /// The same for a person, the last so many.
  [[nodiscard]] virtual std::vector<stale_read> explained_stale_reads(std::size_t /*most*/) const {
    return {};
  }
  /// The number of the operation that was performed last, while what strong writes overwrite is
  /// kept; else 0. When watchers are told of an access, it is that one's.
  [[nodiscard]] virtual std::uint64_t performed() const { return 0; }

  // --- Choosing by hand what strong reads take.

  /// True if that can be done.
  [[nodiscard]] virtual bool lets_choose() const noexcept { return false; }
  /// What the elements of a strong read that a thread is about to make may be given, and which of
  /// it they would be. Nothing is changed by asking.
  [[nodiscard]] virtual std::vector<offered_read> offers(sim_thread& /*t*/,
                                                         const coming_read& /*r*/) {
    return {};
  }
  /// The same of a thread's operation of this number in the run, if it was its last strong read.
  [[nodiscard]] virtual std::vector<offered_read> were_offered(const sim_thread& /*t*/,
                                                               std::uint64_t /*operation*/) const {
    return {};
  }
  /// These reads are to take that write; `back` is 0 for the newest. Replaces all that were chosen.
  virtual void choose(const std::vector<chosen_read>& /*all*/) {}

  /// A stale read that was asked for and has not happened: "read 3 of block 1: …". With `over` the
  /// run has ended by itself.
  [[nodiscard]] virtual std::optional<std::string> unfollowed(bool /*over*/) const { return {}; }

  /// Elements whose accesses were judged: nobody's, in the direct engine.
  [[nodiscard]] virtual std::uint64_t judged() const noexcept { return 0; }

protected:
  /// What settle() does, for an engine that ever `holds_` anything.
  virtual void put_back() {}
  bool holds_ = false;
};

/// Straight to memory, one operation after the other: sequentially consistent.
[[nodiscard]] std::unique_ptr<memory_engine> make_direct_engine();

/// A direct engine of the process's, for accesses that concern no run: by host code while no kernel
/// can use what it accesses, and of a thread's own stack.
[[nodiscard]] memory_engine& unwatched_memory() noexcept;

} // namespace tilesim::sim
