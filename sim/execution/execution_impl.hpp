// The state behind execution.hpp: the loop's own, for this room alone.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/ends.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/fiber.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/execution/frame_at_access.hpp"
#include "sim/execution/launch_taker.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/execution/signals.hpp"
#include "sim/execution/turn_clock.hpp"
#include "sim/execution/turn_queue.hpp"
#include "sim/memory/allocations.hpp"
#include "sim/memory/judging.hpp"

#include <tilesim/detail/device_warp.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilesim::sim {

class busy_record;

/// A fiber and the simulated thread that it runs now.
struct alignas(64) worker {
  enum class status : std::uint8_t { running, sleeping, meets, finished, gone, left };

  worker(execution::impl& in, stack_memory memory);

  /// It has its turn soon: what that looks at, but for the stack, is on its way to the caches.
  [[gnu::always_inline]] void fetch() const noexcept {
    __builtin_prefetch(this, 1);
    __builtin_prefetch(static_cast<const thread_place*>(&thread), 1);
    __builtin_prefetch(static_cast<const thread_origin*>(&thread));
    __builtin_prefetch(&thread.spin, 1);
  }

  // What each turn looks at stands together, and begins with a line: a block's threads do not fit
  // the nearest cache.
  status state = status::running;
  bool out_of_time = false; ///< its last turn ended by the clock, without an operation meanwhile
  bool goes_round = false;  ///< that turn, since it came back to the same registers and stack
  execution::impl* run;     ///< whose worker it is
  fiber stack;
  sim_thread thread;
  /// While its turns end so: what its registers and stack were when looked at, the last ones,
  std::array<std::uint64_t, 32> interrupted_at{};
  std::uint64_t interruptions = 0; ///< how many there were,
  std::uint64_t before_turn = 0;   ///< of them in earlier turns,
  unsigned recurrences = 0;        ///< and in how many turns it was the same as in an earlier one
  std::int64_t looked_at = 0;      ///< by the thread's processor time, in nanoseconds
};

/// What lasts as long as kernels run. A run that is left has its loop's frames left, too.
struct while_kernels_run {
  /// `here`: of the loop's own function.
  while_kernels_run(allocations& m, const stack_place& here)
      : waits(here)
      , device_memory(m) {}

  const waiting_host waits; // findings ask which variables of the host's hold what, from a block's
                            // stack
  const scoped_access device_memory;
  const judging::reason kernels_run;
  const turn_clock clock;
  const kernel_signals told;
};

/// The place of number `linear` in extents, x first.
[[nodiscard]] machine::index3 unravel(std::uint64_t linear, const dim3& extents);
/// Workers have their turns in this order. A block's do not fit the nearest caches, and each has
/// pages of its own: some turns ahead one is asked for, a few turns ahead its stack, of which it
/// knows where it was left. (Inlined, or g++ 12 takes it for a function without effect.)
template <class Iterator>
[[gnu::always_inline]] inline void fetch_ahead(Iterator next, Iterator end) noexcept {
  constexpr std::ptrdiff_t workers_ahead = 3;
  constexpr std::ptrdiff_t stacks_ahead = 2;
  if (end - next > workers_ahead) {
    next[workers_ahead]->fetch();
  }
  if (end - next > stacks_ahead) {
    next[stacks_ahead]->stack.fetch();
  }
}

/// The thread runs from now on: its indices are what the kernel's code reads.
void become(const sim_thread& t);
/// The same of one whose block is another than the one that ran.
void become_of_block(const sim_thread& t);

struct execution::impl final : run_desk {
  explicit impl(context& c);
  ~impl();
  impl(const impl&) = delete;
  impl& operator=(const impl&) = delete;

  worker& start_next();
  [[nodiscard]] bool can_start() const noexcept;
  [[nodiscard]] bool start_is_overdue(unsigned turns) const noexcept;
  [[nodiscard]] bool is_full() const noexcept;
  void make_runnable(worker& w);
  /// The worker's thread is the next one of its block from now on; or no longer.
  void join_block(worker& w);
  void leave_block(const sim_thread& t);
  void give_back_shared_memory(thread_block& b);
  /// All that are waited for are there: they go on.
  void open_barrier(thread_block& b);
  void open_grid(launch_state& l);
  /// Whether all of a part that have not ended have come.
  [[nodiscard]] static bool is_there(const thread_block& b, const part_barrier& p);
  void open_part(thread_block& b, part_barrier& p);
  /// A phase is over: those who wait for it go on. `last` has arrived last, or has ended.
  void end_phase(thread_block& b, phased_barrier& p, const sim_thread& last);
  /// A thread has ended: nobody waits for its arrivals.
  void leave_phases(thread_block& b, const sim_thread& t);
  void go_on_after_meeting(std::span<sim_thread* const> there);
  /// The same of the operations that lanes of a warp wait for.
  void open_warp(thread_block& b, std::uint32_t warp);
  void open_warp_operation(thread_block& b, std::uint32_t warp, const detail::warp_request& wanted);
  /// A thread of the warp has come to a stop: who asks which lanes are active may get to know.
  void open_active(thread_block& b, std::uint32_t warp);
  void come_to_a_stop(const sim_thread& t);
  void give_results(thread_block& b,
                    std::uint32_t warp,
                    const std::vector<sim_thread*>& who,
                    const void* site);
  [[nodiscard]] static bool
  all_lanes_there(const thread_block& b, std::uint32_t warp, const detail::warp_request& wanted);
  void turn(worker& w);
  /// What comes of a turn that is over.
  void after_turn(worker& w);
  /// Nothing is to be decided or seen between two turns: threads may follow one another without the
  /// loop, which is asked now and then all the same.
  [[nodiscard]] bool may_skip_loop() noexcept { return skips != 0 && --skips != 0; }
  /// Nobody looks at what the running thread does next, if that is no access of memory; and whoever
  /// follows it may do so without the loop.
  [[nodiscard]] bool nobody_looks() const noexcept {
    return skips > 1 && made < end_expected && !interrupt_requested();
  }
  /// The loop gives a turn: as many may follow. Whoever changes meanwhile what that depends on
  /// takes them back.
  void allow_skips() noexcept;
  /// It runs from now on.
  static void begin_turn(worker& w);
  void wait_for_others(sim_thread& t);
  /// The running thread waits for others of its block: the next one has its turn at once, if that
  /// is certain.
  void pass_on(worker& w);
  void pass_on_quickly(worker& w);
  /// Who that is, if the launch's thread leaves its turn; nullptr: it is not certain.
  [[nodiscard]] worker* next_without_loop(launch_state& l);
  /// The same, if nobody can go on: it starts.
  [[nodiscard]] worker* start_without_loop(launch_state& l);
  /// The worker's thread has ended, and was the last of those of its block that have begun: the
  /// worker has the block's next one, if that is certain and there is nothing else to it.
  [[nodiscard]] bool follows_at_once(worker& w) noexcept;
  /// The worker's thread has ended: it has the launch's next one, if that is certain.
  [[nodiscard]] bool goes_on_with_next(worker& w);
  /// The worker's thread has ended: the next one that can go on has its turn at once, if that is
  /// certain. Returns when the worker has another thread.
  void leave_for_next(worker& w);
  /// The strategy is about to be asked: it knows of all threads that have started.
  void tell_of_starts();
  void set_up(worker& w, launch_state& l);
  void end(worker& w);
  /// The same for one that will not return from its frames.
  void abandon(worker& w);
  /// Runs everyone until all are done or asleep; with `for_host`, also until all that can go on
  /// have run out of time: they may wait for the host in a way that nobody sees.
  void run_until_stalled(bool for_host);
  void run_turns(bool for_host);
  /// To the front of those that may go on, if it is one of them.
  void bring_forward(const worker* w);
  void wake_changed();
  /// Everyone sleeps: lets those poll on for a while of whom it is not certain that they wait for
  /// ever, and who have not polled long enough. False when there are none.
  bool wake_stalled();
  /// Wakes those that are wanted, to poll on for a while. False: none is.
  bool wake_if(const std::function<bool(const worker*)>& wanted);
  void wake_restless();
  /// How often one may poll while nothing changes, of those whose waiting is not certain.
  [[nodiscard]] std::uint64_t polls_each() const;
  /// Everyone sleeps and has been given all that it may have: reports what that is and ends the
  /// process; or returns, if memory was changed in a way that is not seen.
  void judge_the_waiting();
  /// `none`: everyone that can go on has run out of time, and made no operation meanwhile.
  void look_for_progress(bool none);
  /// All that can go on go round, and memory has been the same for a while.
  [[nodiscard]] bool nothing_changes();
  [[nodiscard]] std::uint64_t when_all_who_poll_sleep() const;
  void look_for_livelock(const void* site);
  /// Whether all that the blocks do has been seen, and nobody ends.
  void look_for_closed_rounds(const void* site);
  void follow(const void* site);
  /// The next time when it is looked for either.
  void expect_looks();
  void look_again_later();
  void stop_following();
  [[nodiscard]] std::uint64_t operations_without_end() const;
  [[noreturn]] void
  report_livelock(const void* site, const busy_record& shown, bool all_wait, std::uint64_t count);
  [[noreturn]] void report_no_progress(const std::string& what);
  void expect_an_end();
  void check_limits(unsigned turns);
  void check_timeout(const void* site);
  [[nodiscard]] bool out_of_time() const;
  /// Where every block stands: those of one kernel that wait at one place in one paragraph.
  [[nodiscard]] std::vector<std::string> standings() const;
  [[nodiscard]] std::vector<const worker*> those_that_meet() const;
  /// "thread" where all that are alive are threads of blocks of several, else "block".
  [[nodiscard]] const char* noun_of_alive() const;
  /// Somebody sleeps until memory changes that the host's threads can write.
  [[nodiscard]] bool waits_for_memory_of_host() const;
  [[nodiscard]] static bool host_has_other_threads();
  [[noreturn]] void report_deadlock();
  /// The same of threads that wait for others of their blocks, where nobody polls.
  [[noreturn]] void report_stuck_meeting();
  [[noreturn]] void report_vain_polling();
  /// The threads that sleep, in order, for a finding.
  [[nodiscard]] std::vector<sim::turn> sleeping_parties();
  [[noreturn]] void report_interrupt();

  /// Gives all launches to whoever takes them; they are over then.
  void hand_over();

  /// Whether anybody is told before each operation.
  void look_who_watches();
  watcher& attach(std::unique_ptr<watcher> w);
  void detach(const watcher& w);

  context& owner;
  launch_taker* taker = nullptr; ///< who runs launches in the loop's place; nullptr: nobody
  work_to_come to_come;          ///< of the host's; may be empty
  std::function<bool()> others_wait = [] { return false; }; ///< for their turn at the runtime
  bool makes_room = false; ///< turns have ended before their time, for those
  /// For a moment, while blocks wait for another thread of the host's.
  std::function<void()> let_others = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  /// Stacks of one size, and workers on some that have nothing to do.
  struct supply {
    std::size_t bytes; ///< of a stack
    stack_pool stacks{bytes};
    std::vector<worker*> idle;
  };
  supply for_tile_blocks;
  supply for_threads; ///< of `__global__` kernels: their locals are no tiles
  [[nodiscard]] supply& supply_for(kernel_kind kind) noexcept {
    return kind == kernel_kind::simt ? for_threads : for_tile_blocks;
  }
  std::chrono::steady_clock::time_point begun;
  launch_id last_launch = 0;
  std::optional<kernel_kind> failure;
  std::optional<while_kernels_run> kernels_run;
  std::optional<run_outcome> left; ///< a kernel has ended the run
  unsigned rounds = 0;             ///< that were made because of others, which are not seen
  bool unseen_changes = false;     ///< there are others: nothing is certain of who waits
  std::optional<std::chrono::steady_clock::time_point> idle_since; ///< no block does anything
  /// All of them come back to the same states, and memory was this when it was looked at.
  std::optional<std::chrono::steady_clock::time_point> round_since;
  std::chrono::steady_clock::time_point memory_seen;
  std::uint64_t memory_then = 0;
  bool look_often = false; ///< a turn has ended by the clock since a block ended
  std::optional<std::chrono::steady_clock::time_point> waiting_since;
  std::uint64_t waiting_changes = 0; ///< as many changes there were then
  std::uint64_t woken_at = 0;        ///< and when sleepers were looked at last, ruled
  std::uint64_t made_at_end = 0;     ///< as many there were when a block ended last
  std::uint64_t made_at_start = 0;   ///< when one started last
  std::uint64_t restless_until = ~std::uint64_t{0}; ///< by what count those that are may go on
  /// The count at which expect_an_end() has left what is said of looks as it is; else none.
  std::uint64_t expected_at = ~std::uint64_t{0};
  std::array<std::uint64_t, 4> looks{}; ///< behind so many operations, latest first
  busy_record* suspected = nullptr;     ///< while it looks like a livelock: what is done meanwhile
  std::uint64_t suspect_at = ~std::uint64_t{0}; ///< by what count it is looked at that
  bool handed_over = false;            ///< a closed livelock has been left to the host before
  closed_rounds* followed = nullptr;   ///< while it is looked whether that is certain
  closed_rounds* fair_turns = nullptr; ///< while one is suspected: everybody gets turns
  std::uint64_t follow_at = ~std::uint64_t{0}; ///< the same
  bool host_goes_on = false;                   ///< it waits for nobody, and may write meanwhile
  frame_at_access frame;                       ///< that was looked at last
  bool asks_before_compute = false; ///< the strategy, before operations without memory, too
  bool stuck = false;               ///< a kernel has computed for long, without an operation
  std::vector<std::unique_ptr<launch_state>> launches; ///< not yet done, in order of submission
  std::vector<std::unique_ptr<worker>> workers;
  turn_queue runnable;
  thread_number last_thread = 0;
  std::vector<worker*> sleeping;
  std::vector<std::unique_ptr<thread_block>> blocks; ///< of threads
  std::vector<thread_block*> idle_blocks;
  bool takes_the_oldest = false;    ///< the strategy, whatever else may go on or start
  unsigned skips = 0;               ///< turns that may follow without the loop
  std::uint64_t started_untold = 0; ///< threads that the strategy does not know of yet
  std::uint64_t last_block = 0;     ///< the serial number of the last one that has begun
  std::size_t meeting_count = 0;    ///< threads that wait for others of their blocks

  [[gnu::tls_model("initial-exec")]] static constinit thread_local sim_thread* running;
};

[[nodiscard]] inline execution::impl& impl_of(execution& e) noexcept {
  return static_cast<execution::impl&>(e.desk());
}

} // namespace tilesim::sim
