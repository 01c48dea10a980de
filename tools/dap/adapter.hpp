// The debug adapter: requests of an editor in, responses and events out.
//
// One thread. While the program runs, the session's loop wakes for the client's messages: `pause`
// and the end of the conversation are carried out at once, the rest when the program stands.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/dap/blocks.hpp"
#include "tools/dap/breakpoints.hpp"
#include "tools/dap/launch.hpp"
#include "tools/dap/variables.hpp"
#include "tools/dap/wire.hpp"
#include "tools/step/program.hpp"

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools::dap {

class adapter {
public:
  /// Reads requests from the descriptor `in`, and writes to `out`.
  adapter(int in, int out)
      : wire_(in, out) {}

  /// Serves until the client leaves. Throws failure where its messages are none of the protocol's.
  void serve();

  /// To be called from a signal's handler: the conversation ends.
  static void leave() noexcept;

private:
  using json = nlohmann::json;
  struct request_kind;
  static const std::vector<request_kind>& kinds();

  // One function a request; what it returns is the response's body.
  json initialize(const json& arguments);
  json launch(const json& arguments);
  json configuration_done(const json& arguments);
  json set_breakpoints(const json& arguments);
  json set_function_breakpoints(const json& arguments);
  json set_exception_breakpoints(const json& arguments);
  json data_breakpoint_info(const json& arguments);
  json set_data_breakpoints(const json& arguments);
  json threads(const json& arguments);
  json stack_trace(const json& arguments);
  json scopes(const json& arguments);
  json children(const json& arguments);
  json evaluate(const json& arguments);
  json completions(const json& arguments);
  json exception_info(const json& arguments);
  json read_memory(const json& arguments);
  json go_on(const json& arguments);
  json next(const json& arguments);
  json step_in_targets(const json& arguments);
  json step_in(const json& arguments);
  json step_out(const json& arguments);
  json step_back(const json& arguments);
  json reverse_continue(const json& arguments);
  json terminate(const json& arguments);
  json disconnect(const json& arguments);

  void carry_out(const json& request);
  step::session& standing();
  step::debugger& debugger();
  [[nodiscard]] bool at_end() const;

  // Moving.
  using verb = std::function<void(step::debugger&)>;
  void go_forward(const json& arguments, const verb& way, const char* what, bool leaves_at_end);
  void go_back(const json& arguments, const verb& way, bool of_this_block);
  void move(const verb& way, bool leaves_at_end);
  void move_saying(const std::function<void()>& how, bool leaves_at_end);
  void while_running();
  bool serve_waiting_breakpoints();
  void begin();
  void report_stop(const std::string& said, bool leaves_at_end);
  void send_stopped();
  struct stop_reason;
  static const stop_reason* find_reason(step::protocol::stop_reason reason);
  [[nodiscard]] std::vector<unsigned> hit_breakpoints() const;
  // A stop's "reason", "description" and "text", for those of the agent's reasons that need more
  // than a row of find_reason()'s table.
  json because_breakpoint() const;
  json because_finding() const;
  json because_end() const;
  json because_stopped() const;
  json because_death() const;
  json because_wait() const;
  json because_block_ended() const;
  void end(int exit_code);
  [[nodiscard]] int exit_code() const;

  // Talking.
  void say(const std::string& category, const std::string& text);
  void pass_on_output(bool all);
  std::string said_by(const std::function<void()>& what);

  struct frame {
    bool current = true; ///< of the block that stands here
    std::size_t number = 0;
    step::protocol::live_thread block = {}; ///< of another block
  };
  const frame& frame_of(const json& arguments) const;
  json frame_json(const source_frame& place, const std::string& name, frame f);
  [[nodiscard]] int standing_thread();
  static json source_json(const std::string& file);
  step::protocol::live_thread block_entry(int thread);
  struct calls;
  calls calls_of(int thread);
  std::string run_command(const std::string& line);

  wire wire_;
  std::unique_ptr<step::program> program_;
  std::unique_ptr<breakpoints> breakpoints_;
  std::unique_ptr<variables> variables_;
  std::optional<launch_request> launched_;
  blocks blocks_;
  bool initialized_ = false;
  bool configured_ = false;
  bool over_ = false;    ///< terminated
  bool leaving_ = false; ///< disconnected
  bool lines_from_one_ = true;
  bool columns_from_one_ = true;
  std::function<void()> afterwards_; ///< once the response has been sent
  std::string said_;
  std::vector<step::protocol::finding> findings_; ///< at which it stands
  bool stands_at_replayed_ = false;

  bool moving_ = false;
  bool going_on_ = false; ///< by "continue", which may be interrupted and begun again
  bool pause_asked_ = false;
  bool interrupted_for_requests_ = false;
  bool abandoned_ = false;
  json last_threads_ = json::array();
  std::string held_output_; ///< the beginning of a character whose rest has not come
  std::string held_errors_;

  /// A write that the read which comes next may take, offered as a target of stepIn.
  struct step_target {
    std::size_t element = 0;
    std::uint64_t back = 0;
  };
  std::vector<step_target> targets_; ///< by id, from 1; of where it stands

  std::vector<frame> frames_;
  int first_frame_ = 1;
};

} // namespace tilesim::tools::dap
