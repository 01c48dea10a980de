// From a command line to a program that stands before main: compiled, started, with a prompt.
//
// What `tilesim step` and `tilesim dap` have in common.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/schedule_string.hpp"
#include "tools/check/selector.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/step/debugger.hpp"
#include "tools/step/prompt.hpp"
#include "tools/step/session.hpp"

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools::step {

struct program_request {
  tools::arguments arguments;
  std::string test_program = {}; ///< a program with tilesim::check, instead of sources; its
                                 ///< arguments are those of `arguments`
  std::size_t check = 0;         ///< which call of that to stand in, from 1
  nlohmann::json simulator = nlohmann::json::object(); ///< options that were given
  std::string replay;                                  ///< a replay string, or a file with one
  std::string finding;                                 ///< its name [tools/check/selector.hpp]
  std::string model; ///< "ptx": what strong reads take can be chosen; "sc": the newest write; else
                     ///< as the schedule is
  std::string input = "/dev/null";
  std::string trace = {}; ///< as of session_options
  std::size_t history_megabytes = 512;
  bool verbose = false;
  style looks;
  // As of session_options.
  bool show_output = true;
  std::function<void()> while_running;
  int wake_for = -1;
};

class program {
public:
  /// Compiles and starts it. Throws failure; printed_failure if a source is at fault.
  explicit program(program_request request);
  ~program() = default;
  program(const program&) = delete;
  program& operator=(const program&) = delete;

  [[nodiscard]] step::session& session() { return *session_; }
  [[nodiscard]] step::debugger& debugger() { return *debugger_; }
  [[nodiscard]] step::prompt& prompt() { return *prompt_; }

  /// Follows the replayed schedule: to where it was saved, or else before the operation that leads
  /// to the finding that is wanted, or, if none does, where it comes up; without a name that is the
  /// first one. Returns what was found.
  std::vector<protocol::finding> stand_at_replayed();

  /// A finding was wanted by name, and neither it nor one like it came up.
  [[nodiscard]] bool misses_finding() const noexcept { return misses_finding_; }

  /// Does what is replayed lead to a finding, rather than to where it was saved?
  [[nodiscard]] bool leads_to_finding() const {
    return finding_.has_value() || !replayed_ || !replayed_->position;
  }

private:
  void start(program_request request, const std::string& source);
  void begin_replay(const std::string& text);
  /// Before its first stop. `check`: the test's that was asked for.
  [[noreturn]] void ended_too_soon(std::optional<std::size_t> check,
                                   const std::string& source) const;
  [[nodiscard]] bool may_follow(const sim::schedule& s) const;
  void use_model();
  [[nodiscard]] std::string replay_of(const protocol::schedule_now& now) const;
  void run_replay();
  std::vector<protocol::finding> stand_at_finding();
  /// A finding of two runs together: where the difference may have come from.
  std::vector<protocol::finding> stand_at_lead();
  [[nodiscard]] std::optional<protocol::lead> lead_to_wanted();
  void stand_behind_host_code(const protocol::finding& f);
  [[nodiscard]] selector::closeness closeness_of(const protocol::finding& f) const;
  [[nodiscard]] bool ended_between_operations() const;

  std::string hash_;
  bool is_python_ = false;
  bool has_optimisation_ = false; ///< that somebody has asked for
  bool as_checked_ = false;       ///< compiled as `tilesim check` does
  std::string model_;
  std::optional<sim::replay> replayed_;
  std::optional<selector> finding_; ///< that is wanted
  bool misses_finding_ = false;
  nlohmann::json simulator_;
  style looks_;
  std::unique_ptr<step::session> session_;
  std::unique_ptr<step::debugger> debugger_;
  std::unique_ptr<step::prompt> prompt_;
};

} // namespace tilesim::tools::step
