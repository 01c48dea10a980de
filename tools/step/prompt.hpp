// The prompt: a line in, verbs of the debugger carried out, text out.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/step/debugger.hpp"
#include "tools/step/info.hpp"
#include "tools/step/screen.hpp"
#include "tools/step/stop_text.hpp"
#include "tools/step/words.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools::step {

class prompt {
public:
  /// `source`: the first file of the command line, which a bare line number means.
  prompt(debugger& d, style looks, std::string source);
  ~prompt() = default;
  prompt(const prompt&) = delete;
  prompt& operator=(const prompt&) = delete;

  /// Shows where the program stands. `goes_on`: it is about to go elsewhere by itself.
  void show_stop(bool goes_on = false) { stop_text_.show(goes_on); }
  /// What of a replayed schedule could not be followed, if anything.
  void show_unfollowed() { info_.unfollowed(); }
  void say(const std::string& text) const { screen_.say(text); }
  /// Where texts go from now on.
  void write_to(std::function<void(const std::string&)> write) { screen_.write = std::move(write); }

  /// Carries out one line. Throws command_error. False: the person wants to leave.
  bool execute(std::string_view line);
  /// Does Enter alone repeat this line?
  [[nodiscard]] static bool repeats(std::string_view line);
  /// Does it make the program move?
  [[nodiscard]] static bool moves(std::string_view line);
  /// The whole name of the command that a line begins with; empty if there is none.
  [[nodiscard]] static std::string command_name(std::string_view line);
  /// What a line may go on with, given its beginning. Throws command_error, or refused.
  [[nodiscard]] std::vector<std::string> completions(std::string_view line);
  /// Runs lines of a file. Throws command_error with the file's name and line in front.
  bool execute_file(const std::string& file);
  /// The replay string of a schedule.
  std::function<std::string(const protocol::schedule_now&)> replay_string;

  // One function a command; `rest` is what follows its name. [command_table.cpp]
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
  bool show_info(std::string_view rest);
  bool block(std::string_view rest);
  bool thread(std::string_view rest);
  bool choose(std::string_view rest);
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
  // What commands take.
  [[nodiscard]] location parse_location(std::string_view text) const;
  void refuse_missing_line(const location& where);
  static void refuse_missing_file(const debugger::stopping_line& found, const std::string& file);
  [[nodiscard]] const stop_point& stop_by_id(std::string_view text) const;
  void switch_enabled(std::string_view rest, bool enabled);

  void add_breakpoint(std::string_view rest, bool once);
  void choose_frame(std::size_t number, const std::vector<listed_frame>& frames);
  [[nodiscard]] std::size_t first_listed(std::size_t line) const;
  /// The file of the place where it stands.
  [[nodiscard]] std::string current_file() const;
  void offer_names(const std::function<void(std::string_view)>& offer);

  debugger& debugger_;
  screen screen_;
  stop_text stop_text_;
  info info_;
  std::string source_;
  std::uint64_t values_ = 0; ///< $1, $2, …
  std::size_t list_size_ = 10;
  std::string listed_file_;
  std::size_t listed_to_ = 0;
};

} // namespace tilesim::tools::step
