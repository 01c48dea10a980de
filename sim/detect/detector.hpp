// The race detector: follows one execution, on programs of any size.
//
// Exact for the execution that it sees: it reports the set of bytes on which two accesses conflict
// that are neither morally strong nor related in causality order (memmodel/race.hpp is the same
// definition on small executions, and the tests hold the two against each other), and one true pair
// of accesses for each byte.
//
// How it forgets without missing anything. Until a byte is racy all its conflicting accesses are
// ordered or morally strong, so a weak write stands for everything before it: who is not ordered
// after what came before is not ordered after it. Since the last weak write a byte has weak readers
// and strong accesses. Of an agent's weak reads the last stands for all. Strong accesses are kept
// in order (history.hpp), because observing one of them orders what comes after the observation,
// also without synchronisation. A racy byte is not followed any more; what it synchronises is.
//
// What an agent does is ordered as it is performed, as in C++, unless its operations say by tokens
// what they wait for (Tile IR): then that alone is its order, and two of its own operations may
// race.
//
// It knows agents, operations and addresses: no fiber, no machine, no text. What synchronises is in
// synchronization.hpp, what is kept of a byte in shadow.hpp and history.hpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"
#include "sim/detect/clock.hpp"
#include "sim/detect/token_order.hpp"
#include "sim/detect/work_order.hpp"
#include "sim/detect/write_history.hpp"
#include "sim/memory/access_kind.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tilesim::sim::detect {

using memmodel::memory_order;
using memmodel::scope;
using sim::access_kind; // `any` comes from no operation

using task_id = std::uint32_t;

/// A task is work that the host gave to a device, or the host itself between two calls: agents that
/// are ordered as one with other work.
using task_order = work_order;

/// Who meets at a barrier.
enum class meeting_of : std::uint8_t {
  block, ///< all agents of a block, but for those that have ended
  warp,  ///< all of a warp, likewise
  some,  ///< of a warp, or of a block
  grid,  ///< one of each block of a grid, whose others have met it before and will do so again
};

enum class task_kind : std::uint8_t {
  tile, ///< blocks of one agent that perform no fences; copies and fills, too
  simt, ///< blocks of threads, which may perform fences
  host, ///< code on the host, which may perform fences
};

/// Elements of an operation that lie one behind the other.
struct row {
  std::uintptr_t address = 0; ///< of the first
  std::uint32_t element = 0;  ///< its number
  std::uint32_t count = 0;
};

/// One operation: an access of `count` elements that have no order among themselves.
struct operation {
  agent_id agent = 0;
  const void* site = nullptr;
  access_kind kind = access_kind::read;
  memory_order order = memory_order::weak;
  memmodel::scope scope = memmodel::scope::sys;
  std::uint32_t bytes = 0; ///< per element: 1, 2, 4, 8; of a range any number, with count 1
  std::size_t count = 0;
  const std::uintptr_t* addresses = nullptr; ///< of each element; nullptr: `rows` say it
  const std::uint8_t* mask = nullptr;        ///< one byte per element, 0: no access; nullptr: all
  bool consecutive = false;                  ///< each element is known to lie behind the one before
  /// Its place is known to race: its races hide no others. See detector::passes_over.
  bool known = false;
  bool by_reference = false;   ///< by an atomic_ref
  bool is_volatile = false;    ///< strong for that alone
  std::span<const row> rows{}; ///< of a weak access, instead of addresses and mask
  /// Of a strong read, by element: the write that it was given; nullptr: the newest, everywhere.
  const write_name* sources = nullptr;
  /// Its agent's operations are ordered by tokens, and this one waits for these alone. All
  /// operations of an agent have tokens, or none has.
  bool by_tokens = false;
  std::span<const token> after{};
};

/// What is kept of an operation for reports. Of several that a thread performs from one place, and
/// that everybody else is ordered with alike, it is what is known of the first.
struct operation_record {
  agent_id agent = 0;
  task_id task = 0;
  const void* site = nullptr;
  std::uintptr_t first = 0; ///< address of element 0
  std::uint32_t bytes = 0;
  access_kind kind = access_kind::read;
  memory_order order = memory_order::weak;
  memmodel::scope scope = memmodel::scope::sys;
  bool consecutive = false; ///< element i lies at first + i * bytes
  bool by_reference = false;
  bool is_volatile = false;
  bool single = false; ///< one element
  token waited = 0; ///< what waits for it holds this; 0: its agent's order is that of its program
};

/// What is kept of a fence for reports.
struct fence_record {
  agent_id agent = 0;
  operation_id after = 0; ///< the last operation before it, of anybody
  memory_order order{};
  memmodel::scope scope = memmodel::scope::sys;
  const void* site = nullptr;
};

/// One side of a race.
struct race_side {
  operation_id operation = 0;
  std::uint32_t element = 0;
  bool element_known = true;
};

enum class race_kind : std::uint8_t {
  duplicate,  ///< two elements of one weak store
  weak,       ///< at least one side is weak
  scope,      ///< both are strong, and a scope does not include the other side's thread
  mixed_size, ///< both are strong, and they overlap in part
  references, ///< no race: references of two scopes, which nothing orders
  lockstep,   ///< no race: volatile accesses, one of them a write, which nothing orders
};

/// A range of bytes that became racy at once.
struct race {
  race_kind kind{};
  std::uintptr_t address = 0;
  std::uint32_t bytes = 0;
  race_side earlier; ///< in the order of the execution
  race_side later;
};

class detector {
public:
  detector();
  ~detector();
  detector(const detector&) = delete;
  detector& operator=(const detector&) = delete;

  /// Called for every range of bytes that becomes racy, and once more where elements of one store
  /// meet at bytes that race otherwise, too.
  std::function<void(const race&)> on_race;

  /// Asked about a race of an operation that is `known`, or at bytes that one has accessed: whether
  /// it is one that may be passed over. Its bytes are then not racy by it, but by the next one that
  /// may not. Of the weak accesses at one place in the source those of the last few agents are
  /// kept.
  std::function<bool(const race&)> passes_over;

  /// Registers work with `blocks` blocks of `threads` agents each; returns the number of the first
  /// agent.
  agent_id begin_task(task_order order,
                      std::uint64_t blocks,
                      std::uint64_t threads = 1,
                      task_kind kind = task_kind::tile);

  /// An operation happens.
  operation_id perform(const operation& o);
  /// What waits for all that these wait for.
  [[nodiscard]] token join(std::span<const token> all);
  /// The number that the next one gets.
  [[nodiscard]] operation_id next() const;

  /// A fence that acquires, releases, or both; agents of tile tasks have none. That fences of the
  /// order sc have an order among themselves synchronises nothing: happens-before does not know it.
  /// [CUDA C++: atomic_thread_fence]
  void fence(agent_id agent, memory_order order, memmodel::scope scope, const void* site = nullptr);

  /// Agents of one block meet, all of a kind: what each has done comes before what any does after.
  /// Who has ended counts as one who came.  [PTX: barrier; memory-model: A.8]
  void meet(std::span<const agent_id> who, meeting_of kind);

  /// All that an agent has done so far, and what it knows.
  [[nodiscard]] knowledge done_by(agent_id agent);
  /// What comes before what an agent does from now on.
  void learn(agent_id agent, const knowledge& more);
  /// Whether an operation comes before what an agent does next.
  [[nodiscard]] bool comes_before(operation_id earlier, agent_id later);

  // --- Older writes, which strong reads may be given.

  /// What strong writes overwrite is kept from now on, or no longer. From the beginning, if ever:
  /// fences are ordered only meanwhile.
  void keep_writes(bool keep);
  [[nodiscard]] bool keeps_writes() const;
  /// An element of the last operation has overwritten `before` at its place.
  void overwrote(std::uint32_t element,
                 std::uintptr_t address,
                 std::uint32_t bytes,
                 std::uint64_t before);
  /// What a strong read that is about to be performed may be given instead of the newest write, the
  /// newest of these first. Of the operation its agent and what it waits for are asked. [PTX:
  /// causality] `bound`: gets to know why there is nothing older.
  void readable(const operation& o,
                std::uintptr_t address,
                std::uint32_t bytes,
                std::vector<older_value>& out,
                older_bound* bound = nullptr);
  /// The same behind a sequentially consistent fence that the agent is about to perform.
  void readable_behind_fence(const operation& o,
                             memmodel::scope fence,
                             std::uintptr_t address,
                             std::uint32_t bytes,
                             std::vector<older_value>& out,
                             older_bound* bound = nullptr);
  /// What was written last to a place that somebody has strongly written, while that is kept.
  [[nodiscard]] write_name newest(std::uintptr_t address, std::uint32_t bytes) const;

  /// A range of memory comes into being or ceases to exist: what happened there before concerns
  /// nobody.
  void forget(std::uintptr_t begin, std::size_t bytes);

  [[nodiscard]] const operation_record& record(operation_id o) const;
  [[nodiscard]] const std::vector<fence_record>& fences() const;
  /// Whether a scope of the agent of one operation holds that of another.
  [[nodiscard]] bool scope_holds(memmodel::scope s, operation_id of, operation_id other) const;
  [[nodiscard]] task_id task_of(agent_id a) const;
  [[nodiscard]] agent_id first_agent(task_id t) const;

  struct usage {
    std::size_t covered = 0;  ///< bytes of memory that was accessed, in whole pages
    std::size_t shadow = 0;   ///< bytes of cells
    std::size_t tables = 0;   ///< bytes that say where the cells of a page are
    std::size_t overflow = 0; ///< bytes of concurrent readers and histories
    std::size_t operations = 0;
    std::uint64_t accesses = 0; ///< elements that were checked
  };
  [[nodiscard]] usage used() const;

private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace tilesim::sim::detect
