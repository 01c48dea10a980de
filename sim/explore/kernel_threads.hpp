// The threads of launches as what is explored: each runs in a fiber, alone, and its reads are given
// what an exploration says.
//
// What a thread does is kept as a tree of steps, so that it is run again only where its reads take
// what they have not taken before in that order: from its start, with the answers that it had, and
// it has to do the same again.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/threads.hpp"
#include "memmodel/graph/graph.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/turn_progress.hpp"
#include "sim/detect/token_order.hpp"
#include "sim/execution/lone_runs.hpp"
#include "sim/explore/prints.hpp"
#include "sim/explore/private_memory.hpp"
#include "sim/explore/sharing.hpp"
#include "sim/explore/step.hpp"
#include "sim/memory/engine.hpp"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilesim::sim {
class context;
}

namespace tilesim::sim::exploring {

/// A thread that makes more of them is none to be explored.
inline constexpr std::size_t most_steps = 10'000;
/// Nor one that makes more at one place of the program: with each, an execution takes longer.
inline constexpr std::size_t most_rounds = 1'000;

/// Thrown where places are shared that were not taken for it: what was recorded is gone.
struct begin_anew {};

/// Thrown where time is over, or Ctrl-C has been pressed.
struct over {
  std::string where; ///< a thread that computes there without an end in sight, in words; or empty
};

/// What an element of an update that is about to be made does to a value.
class update_rule {
public:
  update_rule() = default;
  update_rule(const update_rule&) = delete;
  update_rule& operator=(const update_rule&) = delete;

  /// False: it writes nothing.
  virtual bool apply(std::size_t element, void* value) const = 0;

protected:
  ~update_rule() = default;
};

/// A thread's run, from its start up to where it stands.
struct live_run {
  bool begun = false;
  step* at = nullptr;                 ///< its last step
  std::vector<std::uint64_t> values;  ///< what its reads are given, one after the other
  std::size_t next = 0;               ///< so many of them have been
  std::size_t given = 0;              ///< so many of those by the last step
  bool waits = false;                 ///< for a value
  std::optional<std::string> refused; ///< it does what is not explored
  const update_rule* rule = nullptr;  ///< of the update that it stands before
  private_memory own;
  std::uint64_t private_writes = 0;
  std::uint64_t strong_reads = 0;
  std::map<std::uint64_t, std::uint64_t> exchanges; ///< so many there have been, by point

  // Additions to sums.
  std::vector<std::vector<std::uint64_t>> possible; ///< by addition: what it may find
  std::map<std::uintptr_t, std::uint32_t> sums;     ///< to these it has added: how large they are
  std::vector<std::uint64_t> found; ///< what additions find; behind them, what it alone would
  const step* verifies = nullptr;   ///< it is run to see whether it comes there with `found`
  bool differs = false;             ///< it does not

  // Order within a block that is by tokens.
  struct token_access {
    detect::token by = 0;
    bool writes = false;
  };
  detect::token_order tokens;
  std::vector<detect::token> of_step; ///< by step: what waits for it; 0: all that comes behind
  /// By word of memory: accesses that a later one could meet.
  std::unordered_map<std::uintptr_t, std::vector<token_access>> accesses;

  std::unordered_map<std::uintptr_t, unsigned> read_alone; ///< how often, since it wrote last
  std::uint64_t written_then = 0;                          ///< so much had it

  std::uint32_t copies = 0;     ///< asynchronous ones that it has asked for
  std::vector<copy_note> notes; ///< since its last step

  turn_progress made; ///< as turns count it
  turn_point point;   ///< before the access under way
};

class kernel_threads final : public memmodel::explore::threads {
public:
  /// `expired` is asked now and then whether to go on.
  kernel_threads(context& c, lone_runs& runs, sharing& shared, std::function<bool()> expired);

  // --- As what is explored.

  [[nodiscard]] std::vector<memmodel::place> places() const override;
  [[nodiscard]] std::uint64_t initial(const memmodel::byte_range& bytes) const override;
  [[nodiscard]] std::shared_ptr<const instruction> next(memmodel::thread_id thread,
                                                        std::span<const std::uint64_t> values,
                                                        std::size_t performed) override;
  [[nodiscard]] std::optional<written> modified(memmodel::thread_id thread,
                                                std::span<const std::uint64_t> values,
                                                std::size_t performed,
                                                const instruction& i,
                                                std::size_t element,
                                                std::uint64_t old) override;
  [[nodiscard]] std::vector<std::uint64_t> promises(memmodel::thread_id thread,
                                                    memmodel::thread_id from,
                                                    const instruction& i,
                                                    const memmodel::explore::element& e) override;
  /// Of blocks of one thread, without a grid's barrier.
  [[nodiscard]] bool only_reads() const override;
  [[nodiscard]] std::uint32_t most_writes(memmodel::thread_id writer,
                                          const memmodel::byte_range& bytes,
                                          std::optional<std::uint64_t> value) override;

  /// One thread of each block, of those of one launch that have not read their index.
  [[nodiscard]] std::vector<std::uint32_t> alike() const override;

  // --- What came of it.

  /// Runs each thread once, alone, to find what it shares with others.
  void scout();
  /// The step of a thread behind so many, whose reads have taken these.
  [[nodiscard]] const step&
  at(memmodel::thread_id thread, std::span<const std::uint64_t> values, std::size_t performed);
  [[nodiscard]] std::size_t count() const noexcept { return live_.size(); }
  [[nodiscard]] const lone_runs& runs() const noexcept { return runs_; }
  /// There are asynchronous copies.
  [[nodiscard]] bool some_copies() const noexcept { return some_copies_; }
  /// Some run has come upon something, or has left what is told at its end alone.
  [[nodiscard]] bool some_beside_steps() const noexcept { return some_beside_steps_; }
  /// How many steps are known.
  [[nodiscard]] std::size_t known() const noexcept { return known_; }
  /// In words: who has made the most steps, and where the last of them is; empty: nobody any.
  [[nodiscard]] std::string longest_run();
  /// The writes of an execution that have a read of their thread's before them: others may be
  /// promised them. True if some are new.
  bool note_promises(const memmodel::graph& g);
  [[nodiscard]] bool some_alike() const;
  /// What threads that are alike have come to all of them might: runs, and writes to be promised.
  void share_among_alike();
  /// Several threads have made such, or one whose order is partial, and some place may be on a
  /// circle, as far as the steps that are known tell: only then may reads take from their own
  /// future.
  [[nodiscard]] bool some_promised();
  /// Another exploration begins. `dependencies`: steps say which reads settle what they write, as
  /// far as the steps that are known tell, and writes are promised.
  void explored_anew(bool dependencies);

  // --- For other processes that explore parts of the same.

  struct news {
    std::vector<std::uint64_t> shared; ///< sharing::take_news()
    /// Runs that were not known: the thread, its last step's number, and what its reads have taken.
    std::vector<std::tuple<std::size_t, std::size_t, std::vector<std::uint64_t>>> runs;
    /// By thread: address, size and value of writes that may be promised, and how many of them an
    /// execution has at most; address, size and number of them at a place.
    std::vector<std::pair<std::size_t, std::array<std::uint64_t, 4>>> promises;
    std::vector<std::pair<std::size_t, std::array<std::uint64_t, 3>>> written;
  };
  void add_promises(std::size_t thread, news& to) const;
  /// What this process has come to know since it was asked last.
  [[nodiscard]] news take_news();
  /// All that it knows, in an order that does not depend on what it came to know first.
  [[nodiscard]] news all_known() const;
  /// A number for where memory lies: what is known of one process holds in others alike.
  [[nodiscard]] std::uint64_t memory_mark() const;
  /// True if there is some write among it that may be promised and was not known.
  /// @throws begin_anew
  bool learn(const news& n);

  // --- For the engine, in a thread that runs.

  [[nodiscard]] live_run& live(std::size_t thread) noexcept { return live_[thread]; }
  [[nodiscard]] sharing& shared() noexcept { return shared_; }
  [[nodiscard]] const sharing& shared() const noexcept { return shared_; }
  /// As that one's: of a thread, or of its asynchronous copies, which are somebody else.
  bool touch(const sim_thread& t, const plain_access& a, bool writes, std::size_t piece) {
    const std::size_t agent = t.number + (t.copies ? live_.size() : 0);
    return shared_.touch(agent, a.address, a.bytes, writes, piece);
  }
  /// What waits for the operation that the thread begins; 0: all that comes behind it.
  detect::token begin_operation(sim_thread& t, const machine::ordered_after* after);
  /// It accesses bytes: where it meets an access of the thread's own that no token orders, there is
  /// a choice, whoever else accesses them.
  void meets_own(
      std::size_t thread, detect::token by, std::uintptr_t address, std::size_t bytes, bool writes);
  /// The step is performed by the operation of that token: which steps it does not come behind.
  void order_step(std::size_t thread, detect::token by, instruction& i);
  /// The thread makes a step; gives what its reads take. `polls_at`: of a read, the return address
  /// where its own state can be looked at.
  std::span<const std::uint64_t> perform(sim_thread& t,
                                         std::unique_ptr<step> s,
                                         const update_rule* rule = nullptr,
                                         const void* polls_at = nullptr);
  /// The thread updates an element of a sum; `old` is what it finds. False: it is none after all.
  bool add(sim_thread& t,
           std::uintptr_t address,
           std::size_t bytes,
           const std::function<bool(void*)>& f,
           std::uint64_t& old);
  /// The thread strongly reads what it shares with nobody, as far as is known, or updates it and
  /// leaves it as it is.
  void read_alone(const sim_thread& t, std::uintptr_t address, std::size_t bytes);
  /// It does what is not explored, and goes no further; returns outside of it.
  void refuse(sim_thread& t, std::string what);
  /// It does not what it did when it was run before.
  void refuse_otherwise(sim_thread& t, const step& s);
  /// It has made more steps, or additions to sums, than a thread does that comes to its end.
  void refuse_endless(sim_thread& t, const void* site, bool one_place);

private:
  /// Whether the thread, of such reads, has now made enough of this place.
  static bool polls(live_run& l, std::uintptr_t address);

  struct reached {
    step* what;
    std::size_t before; ///< so many values have its predecessors taken
  };
  struct path {
    std::vector<reached> steps;
    std::vector<std::uint64_t> taken;
  };
  step& find(std::size_t thread, std::span<const std::uint64_t> values, std::size_t performed);
  [[nodiscard]] step*
  child(std::size_t thread, const step* of, std::span<const std::uint64_t> given);
  step& adopt(std::size_t thread, std::unique_ptr<step> s);
  void run_again(std::size_t thread, std::size_t last, std::span<const std::uint64_t> values);
  /// Lets the thread run on with these values, until it stands behind all of them.
  void run_on(std::size_t thread, const step* from, std::span<const std::uint64_t> values);
  void finish(std::size_t thread, lone_runs::stop how);
  [[nodiscard]] std::unique_ptr<step> end_of(std::size_t thread, lone_runs::stop how);
  lone_runs::stop resume(std::size_t thread);
  void verify(std::size_t thread, const step& reached);
  [[nodiscard]] bool comes_to(std::size_t thread, const step& reached);
  std::span<const std::uint64_t> stand(sim_thread& t);
  void drop_told();
  [[nodiscard]] std::vector<std::vector<std::size_t>> alike_blocks() const; // alike.cpp
  [[nodiscard]] std::size_t compared_thread(std::size_t first) const;
  [[nodiscard]] std::optional<std::uint64_t>
  in_block(std::uint64_t value, std::size_t of, std::size_t other) const;
  void share_runs(std::size_t of, std::size_t other);
  void share_promises(std::size_t of, std::size_t other);
  void note_address(std::size_t thread, const memmodel::byte_range& to, std::uint64_t value);
  [[nodiscard]] static std::size_t round_of(const live_run& l, const step& s);
  [[nodiscard]] static const step* begin_of_round(const live_run& l, const step& s);
  void refresh(const step& first, step& s);

  context& context_;
  lone_runs& runs_;
  sharing& shared_;
  std::function<bool()> expired_;
  std::vector<live_run> live_;
  std::vector<std::unique_ptr<step>> first_;
  std::vector<path> paths_;
  std::size_t known_ = 0;
  std::uint64_t asked_ = 0;
  std::pair<std::size_t, const step*> longest_{0, nullptr};
  const step* newest_ = nullptr; ///< the last step that was adopted
  bool with_dependencies_ = false;
  std::set<memmodel::instruction_set> beside_; ///< instruction::beside
  std::vector<bool> partly_ordered_;           ///< by thread: it has such
  bool scouting_ = false;
  bool some_copies_ = false;
  bool some_beside_steps_ = false;
  kernel_prints prints_;
  /// Writes that others may be promised, and how many of them an execution has at most.
  struct seen_writes {
    std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>, std::uint32_t>
        of_value;                                                            ///< at a place,
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> of_any; ///< and all there
    [[nodiscard]] bool empty() const noexcept { return of_value.empty(); }
    /// True if there are some that were not known.
    bool add(const seen_writes& other);
  };
  std::vector<seen_writes> promises_; ///< by thread
  void find_circles();                // circles.cpp
  [[nodiscard]] bool on_circle(std::uint64_t address, std::uint32_t size) const {
    return !circles_ || circles_->contains({address, size});
  }
  /// Address and size of the places whose reads may be promised writes; nothing: all.
  std::optional<std::set<std::pair<std::uint64_t, std::uint32_t>>> circles_;
  std::vector<std::pair<std::size_t, const step*>> adopted_; ///< since take_news()
};

/// What an update that has read `old` writes, as the step knows; nothing: it does not write, or
/// nobody has asked before.
[[nodiscard]] std::optional<std::uint64_t>
known_write(const step& s, std::size_t element, std::uint64_t old);

} // namespace tilesim::sim::exploring
