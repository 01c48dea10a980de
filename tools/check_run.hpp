// One run of the checked program: its streams, its input replayed, its report, its end.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/line_bag.hpp"
#include "tools/process.hpp"

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tilesim::driver {

/// Standard input as far as it has been read: every run gets it from the beginning.
struct recorded_input {
  std::string bytes;
  bool ended = false;
};

struct program_run {
  int status = 0;        ///< the exit status; 128 + n when signal n ended it
  int signal = 0;        ///< that ended it; 0: none
  bool killed = false;   ///< by the check: time was over, or Ctrl-C
  line_bag printed;      ///< on both streams
  nlohmann::json report; ///< [sim/report_json.hpp]; null: the program did not use the device
};

struct run_request {
  std::string program;
  /// What runs in a process of its own instead of a program, and gives its exit status; it is told
  /// the simulator's options and where the report is to go, as JSON.
  std::function<int(const std::string& options)> body;
  command_line words;     ///< with the name that the program sees as its own
  nlohmann::json options; ///< of the simulator
  bool show = false;      ///< pass on what the program prints
  std::optional<std::chrono::steady_clock::time_point> deadline;
};

/// Runs the program to its end. `tick` is called a few times a second. Throws failure when it
/// cannot be started.
[[nodiscard]] program_run
run_checked(const run_request& request, recorded_input& input, const std::function<void()>& tick);

/// While one lives, Ctrl-C and SIGTERM do not end this process; the running program gets them.
class interrupt_watch {
public:
  interrupt_watch();
  ~interrupt_watch();
  interrupt_watch(const interrupt_watch&) = delete;
  interrupt_watch& operator=(const interrupt_watch&) = delete;

  [[nodiscard]] static bool requested() noexcept;
};

} // namespace tilesim::driver
