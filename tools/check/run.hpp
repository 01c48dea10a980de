// Runs of the checked program, several at once: streams, input replayed, reports, ends.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/check/children.hpp"
#include "tools/check/line_bag.hpp"
#include "tools/cli/interrupts.hpp"
#include "tools/cli/process.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools {

/// Standard input as far as it has been read: every run gets it from the beginning.
struct recorded_input {
  std::string bytes;
  bool ended = false;
};

struct program_run {
  int status = 0;      ///< the exit status; 128 + n when signal n ended it
  int signal = 0;      ///< that ended it; 0: none
  bool killed = false; ///< by the check: time was over, or Ctrl-C
  line_bag printed;    ///< on both streams
  line_bag output;     ///< on standard output alone
  line_bag errors;     ///< on standard error alone
  nlohmann::json
      report; ///< [sim/contract/report_members.hpp]; null: the program did not use the device
  std::vector<child_run> children; ///< of processes that the program has made
  bool waited_in_vain = false;     ///< one of them was stopped, and the program did not end
  std::uint64_t memory = 0;        ///< bytes that were resident at most
};

/// How a body in this process has ended.
struct body_end {
  int status = 0;           ///< as of a process
  int signal = 0;           ///< SIGABRT: it has called abort(); 0: none
  bool interrupted = false; ///< by Ctrl-C
};

struct run_request {
  std::string program;
  /// What runs in a process of its own instead of a program, and gives its exit status; it is told
  /// the simulator's options and where the report is to go, as JSON.
  std::function<int(const std::string& options)> body;
  /// Or what runs in this process itself, likewise.
  std::function<body_end(const std::string& options)> body_here;
  command_line words;     ///< with the name that the program sees as its own
  nlohmann::json options; ///< of the simulator
  bool show = false;      ///< pass on what the program prints
  std::optional<std::chrono::steady_clock::time_point> deadline;
  /// Of one that stops by itself where it is to end, and then writes down what it has come to:
  /// whether it does that. It is asked to as by Ctrl-C, and not ended meanwhile, unless Ctrl-C is
  /// pressed again.
  std::function<bool()> tells;
};

/// So many seconds from now.
[[nodiscard]] inline std::chrono::steady_clock::time_point deadline_in(double seconds) {
  using clock = std::chrono::steady_clock;
  return clock::now() +
         std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
}

class running_program;      // of the pool
class runs_in_this_process; // tools/check/here.hpp

/// Programs that run side by side, each in a process of its own; one thread looks after all. Bodies
/// that run in this process have done so when start() returns.
class run_pool {
public:
  /// All get the same input from its beginning; what they read of this process's own is recorded.
  explicit run_pool(recorded_input& input);
  /// Ends those that still run.
  ~run_pool();
  run_pool(const run_pool&) = delete;
  run_pool& operator=(const run_pool&) = delete;

  using number = std::uint64_t;

  /// Throws failure when it cannot be started.
  [[nodiscard]] number start(run_request request);
  /// Waits for its end. `tick` is called a few times a second while nothing happens, `turned` after
  /// everything that has.
  [[nodiscard]] program_run
  finish(number which, const std::function<void()>& tick, const std::function<void()>& turned = {});
  /// Waits until fewer than so many run.
  void await_room(std::size_t most, const std::function<void()>& tick);
  /// Nobody wants to know: ends it, if it still runs.
  void drop(number which);
  /// How many have not ended.
  [[nodiscard]] std::size_t running() const;

private:
  /// Waits for something to happen and deals with it. False if nothing has.
  bool turn(int wait_ms);
  void read_input();

  recorded_input& input_;
  std::map<number, std::unique_ptr<running_program>> programs_;
  std::unique_ptr<runs_in_this_process> here_; ///< made by the first
  std::map<number, program_run> done_here_;
  number last_ = 0;
};

/// Runs one program to its end.
[[nodiscard]] program_run
run_checked(const run_request& request, recorded_input& input, const std::function<void()>& tick);

/// While one lives, Ctrl-C and SIGTERM do not end this process; the running program gets them.
class interrupt_watch {
public:
  interrupt_watch();

  [[nodiscard]] static bool requested() noexcept;
  /// As if it had been pressed.
  static void request() noexcept;

  /// While one lives, these signals do what they did before the watch.
  class off {
  public:
    off();

  private:
    signal_action interrupt_;
    signal_action terminate_;
  };

private:
  signal_action interrupt_;
  signal_action terminate_;
  signal_action pipe_;
};

} // namespace tilesim::tools
