// The stepper's commands: a line in, text out.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/step/render.hpp"
#include "tools/step/session.hpp"
#include "tools/step/words.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::driver::step {

struct prompt_command;

class prompt {
public:
  /// `source`: the first file of the command line, which a bare line number means.
  prompt(session& s, style looks, std::string source);

  /// Shows where the program stands. `goes_on`: it is about to go elsewhere by itself.
  void show_stop(bool goes_on = false);
  /// What of a replayed schedule could not be followed, if anything.
  void show_unfollowed();
  void say(const std::string& text) const;
  /// Carries out one line. Throws command_error. False: the person wants to leave.
  bool execute(std::string_view line);
  /// Does Enter alone repeat this line?
  [[nodiscard]] static bool repeats(std::string_view line);
  /// The whole name of the command that a line begins with; empty if there is none.
  [[nodiscard]] static std::string command_name(std::string_view line);
  /// What a line may go on with, given its beginning.
  [[nodiscard]] std::vector<std::string> completions(std::string_view line);
  /// Runs lines of a file. Throws command_error with the file's name and line in front.
  bool execute_file(const std::string& file);
  /// Adds a breakpoint or a watched value, as the agent's "set" takes it but without a number,
  /// which is returned. `text`: what the person gets to see of it. Throws command_error.
  unsigned add_stop(nlohmann::json what, bool is_watch, bool once, std::string text);
  /// The same for a value. Variables are those of this frame of the thread that stands.
  unsigned add_watch(const std::string& expression, std::size_t frame = 0);
  /// Nothing happens if it is gone already.
  void remove_stop(unsigned id);
  /// Where a line performs no operation, as far as the program tells: it becomes the next one that
  /// does, and a sentence says so. One that stays as it is never stops. Empty where all is well.
  [[nodiscard]] std::string stopping_line(const std::string& file, std::size_t& line);
  /// Where texts go; standard output if nothing is set.
  std::function<void(const std::string&)> write;
  /// Starts again with a saved schedule (a file) or a replay string of `tilesim check`, and goes to
  /// where that leads.
  std::function<void(const std::string& what)> replay;
  /// The replay string of what the agent says of the "schedule".
  std::function<std::string(const nlohmann::json& schedule)> replay_string;

  // One function a command; `rest` is what follows its name.
  bool run(std::string_view rest);
  bool go_on(std::string_view rest);
  bool step_one(std::string_view rest);
  bool next_line(std::string_view rest);
  bool finish(std::string_view rest);
  bool until(std::string_view rest);
  bool reverse_step(std::string_view rest);
  bool reverse_next(std::string_view rest);
  bool reverse_finish(std::string_view rest);
  bool reverse_go_on(std::string_view rest);
  bool go_to(std::string_view rest);
  bool break_at(std::string_view rest);
  bool break_once(std::string_view rest);
  bool watch(std::string_view rest);
  bool remove(std::string_view rest);
  bool enable(std::string_view rest);
  bool disable(std::string_view rest);
  bool info(std::string_view rest);
  bool block(std::string_view rest);
  bool frame(std::string_view rest);
  bool up(std::string_view rest);
  bool down(std::string_view rest);
  bool print(std::string_view rest);
  bool examine(std::string_view rest);
  bool list(std::string_view rest);
  bool where(std::string_view rest);
  bool display(std::string_view rest);
  bool undisplay(std::string_view rest);
  bool set(std::string_view rest);
  bool schedule(std::string_view rest);
  bool save(std::string_view rest);
  bool replay_schedule(std::string_view rest);
  bool source(std::string_view rest);
  bool help(std::string_view rest);
  bool quit(std::string_view rest);

private:
  struct stop_point {
    unsigned id = 0;
    bool is_watch = false;
    bool once = false;
    bool enabled = true;
    std::string text; ///< as it was given
    nlohmann::json what;
    std::uint64_t hits = 0;
  };
  struct shown_expression {
    unsigned id = 0;
    std::string text;
    nlohmann::json last; ///< what it was when it was shown last
  };

  /// Asks for the value of "EXPRESSION" or "/x EXPRESSION". Throws command_error.
  [[nodiscard]] nlohmann::json evaluate(std::string_view formatted);
  void tell_stops();
  void after_moving();
  void show_place();
  void show_host_place();
  void show_death();
  [[nodiscard]] std::string ways_on() const;
  void show_last_operation();
  void show_displays();
  void show_findings(const nlohmann::json& list);
  void refuse_missing_line(const nlohmann::json& where);
  void add_breakpoint(std::string_view rest, bool once);
  void refuse_constant(const std::string& expression);
  /// Throws command_error if the program has no such kernel.
  void check_kernel(const std::string& wanted);
  stop_point& stop_by_id(std::string_view text);
  void switch_enabled(std::string_view rest, bool enabled);
  void info_blocks();
  void show_blocks(const nlohmann::json& list);
  void info_buffers();
  void info_findings();
  void info_schedule();
  void info_breakpoints() const;
  void info_locals();
  void info_display() const;
  std::string operation_by_number(std::uint64_t number);
  /// Who made a change: an operation, by its number.
  std::string changed_by(std::uint64_t operation);
  bool reverse_to_last_write();
  std::uint64_t count_argument(std::string_view rest, const char* command) const;
  nlohmann::json parse_location(std::string_view text) const;
  nlohmann::json ask(const nlohmann::json& request);
  [[nodiscard]] std::string current_file() const;

  session& session_;
  style style_;
  sources files_;
  std::string source_;
  std::vector<stop_point> stops_;
  std::vector<shown_expression> displays_;
  unsigned next_id_ = 1;
  unsigned next_display_ = 1;
  std::uint64_t values_ = 0; ///< $1, $2, …
  void choose_frame(std::size_t number, const nlohmann::json& f);
  std::size_t frame_ = 0;
  std::size_t list_size_ = 10;
  std::string listed_file_;
  std::size_t listed_to_ = 0;
  bool stop_at_findings_ = true;
  std::string last_block_;
  std::map<std::string, nlohmann::json> last_by_place_; ///< the last shown operation of a place
};

} // namespace tilesim::driver::step
