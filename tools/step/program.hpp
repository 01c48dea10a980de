// From a command line to a program that stands before main: compiled, started, with a prompt.
//
// What `tilesim step` and `tilesim dap` have in common.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/arguments.hpp"
#include "tools/step/commands.hpp"
#include "tools/step/session.hpp"

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace tilesim::driver::step {

struct program_request {
  driver::arguments arguments;
  nlohmann::json simulator = nlohmann::json::object(); ///< options that were given
  std::string replay;                                  ///< a replay string, or a file with one
  std::string input = "/dev/null";
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
  [[nodiscard]] step::prompt& prompt() { return *prompt_; }

  /// Runs to the finding that the replayed schedule leads to, and one operation back: there it
  /// stands. Returns what was found, as the agent's "findings".
  nlohmann::json stand_at_finding();

private:
  void use_replay(const std::string& text, nlohmann::json& simulator);

  std::string hash_;
  bool counts_raw_ = false;
  nlohmann::json simulator_;
  std::unique_ptr<step::session> session_;
  std::unique_ptr<step::prompt> prompt_;
};

} // namespace tilesim::driver::step
