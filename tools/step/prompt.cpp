// Lines, and the commands that make the program move.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/prompt.hpp"

#include "tools/cli/files.hpp"
#include "tools/cli/numbers.hpp"
#include "tools/cli/scanner.hpp"
#include "tools/step/command_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

namespace tilesim::tools::step {

prompt::prompt(debugger& d, style looks, std::string source)
    : debugger_(d)
    , screen_{.looks = looks}
    , stop_text_(d, screen_)
    , info_(d, screen_)
    , source_(std::move(source)) {}

bool prompt::execute(std::string_view line) {
  // No place and no condition is so long: it is a mistake in quoting or in a script, and a
  // breakpoint would take it and never be what was meant.
  constexpr std::size_t longest = 65536;
  line = trimmed(line);
  if (line.empty() || line.front() == '#') {
    return true;
  }
  if (line.size() > longest) {
    throw command_error(
        fmt::format("a command of {} characters: there may be {} at most", line.size(), longest));
  }
  const std::string_view name = command_word(line);
  const prompt_command& command = find_command(name);
  try {
    return (this->*command.run)(trimmed(line.substr(name.size())));
  } catch (const refused& r) {
    throw command_error(r.what());
  }
}

namespace {

/// nullptr where there is none, or where several could be meant.
const prompt_command* command_of(std::string_view line) {
  try {
    return &find_command(command_word(trimmed(line)));
  } catch (const command_error&) {
    return nullptr;
  }
}

bool has(std::string_view line, unsigned trait) {
  const prompt_command* const command = command_of(line);
  return command != nullptr && (command->traits & trait) != 0;
}

} // namespace

bool prompt::repeats(std::string_view line) {
  return has(line, prompt_command::repeats);
}

bool prompt::moves(std::string_view line) {
  return has(line, prompt_command::moves);
}

std::string prompt::command_name(std::string_view line) {
  const prompt_command* const command = command_of(line);
  return command == nullptr ? "" : command->name;
}

bool prompt::execute_file(const std::string& file) {
  const auto text = read_text(file);
  if (!text) {
    throw command_error(fmt::format("cannot read '{}'", file));
  }
  std::istringstream in(*text);
  std::string line;
  for (unsigned n = 1; std::getline(in, line); ++n) {
    try {
      if (!execute(line)) {
        return false;
      }
    } catch (const command_error& e) {
      throw command_error(fmt::format("{}:{}: {}", file, n, e.what()));
    }
  }
  return true;
}

std::vector<std::string> prompt::completions(std::string_view line) {
  std::vector<std::string> found;
  const auto space = line.find_first_of(" \t");
  const bool is_name = space == std::string_view::npos;
  const std::string_view word = is_name ? line : line.substr(line.find_last_of(" \t=(*&!+-/") + 1);
  const std::function<void(std::string_view)> offer = [&](std::string_view candidate) {
    if (candidate.starts_with(word)) {
      found.emplace_back(candidate);
    }
  };
  const std::string_view name = is_name ? "help" : find_command(line.substr(0, space)).name;
  if (name == "info") {
    std::ranges::for_each(info::topics(), offer);
  } else if (name == "set") {
    for (const char* what : {"fold", "width", "listsize", "history", "stop-at-findings"}) {
      offer(what);
    }
  } else if (name == "help") {
    for (const auto& c : all_commands()) {
      offer(c.name);
    }
  } else if (name == "break" || name == "tbreak") {
    for (const char* what : {"op=", "block=", "launch=", "choice", "if"}) {
      offer(what);
    }
  }
  if (name == "print" || name == "watch" || name == "display" || name == "x" || name == "break") {
    offer_names(offer);
  }
  return found;
}

/// Of buffers and of variables.
void prompt::offer_names(const std::function<void(std::string_view)>& offer) {
  if (!debugger_.session().alive()) {
    return;
  }
  for (const auto& b : debugger_.session().ask(protocol::buffers{}).buffers) {
    offer(b.name);
  }
  for (const auto& v : debugger_.session().ask(protocol::locals{.most = 0}).locals) {
    offer(v.name);
  }
}

// --- Going on

namespace {

void refuse_words(std::string_view rest, const char* why) {
  if (!rest.empty()) {
    throw command_error(why);
  }
}

} // namespace

bool prompt::run(std::string_view rest) {
  refuse_words(rest,
               "run takes nothing: the program's arguments stand behind -- on tilesim's command "
               "line");
  debugger_.run();
  show_stop();
  return true;
}

bool prompt::go_on(std::string_view rest) {
  debugger_.go_on(count_argument(rest, "continue"));
  show_stop();
  return true;
}

bool prompt::step_one(std::string_view rest) {
  debugger_.step(count_argument(rest, "step"));
  show_stop();
  return true;
}

bool prompt::next_line(std::string_view rest) {
  const auto [word, count] = first_word(rest);
  if (word == "warp" || word == "block") {
    debugger_.next_of_all(word == "warp" ? debugger::crowd::warp : debugger::crowd::block,
                          count_argument(count, "next"));
  } else {
    debugger_.next(count_argument(rest, "next"));
  }
  show_stop();
  return true;
}

bool prompt::finish(std::string_view rest) {
  refuse_words(rest, "finish takes nothing: it runs the block that stands here to its end");
  debugger_.finish();
  show_stop();
  return true;
}

bool prompt::until(std::string_view rest) {
  const location where = parse_location(rest);
  if (!where.kernel.empty() || where.block || where.launch || where.choice ||
      !where.condition.empty()) {
    throw command_error("until takes a line or op=NAME; break takes the rest");
  }
  refuse_missing_line(where);
  if (where.line) {
    if (const auto found = debugger_.line_that_stops(where.file, *where.line)) {
      refuse_missing_file(*found, where.file);
    }
  }
  debugger_.until(where);
  show_stop();
  return true;
}

bool prompt::reverse_step(std::string_view rest) {
  debugger_.reverse_step(count_argument(rest, "reverse-step"));
  show_stop();
  return true;
}

bool prompt::reverse_next(std::string_view rest) {
  debugger_.reverse_next(count_argument(rest, "reverse-next"));
  show_stop();
  return true;
}

bool prompt::reverse_finish(std::string_view rest) {
  refuse_words(rest, "reverse-finish takes nothing");
  debugger_.reverse_finish();
  show_stop();
  return true;
}

bool prompt::reverse_go_on(std::string_view rest) {
  debugger_.reverse_go_on(count_argument(rest, "reverse-continue"));
  show_stop();
  return true;
}

bool prompt::go_to(std::string_view rest) {
  const auto n = number<std::uint64_t>(rest);
  if (!n) {
    throw command_error(fmt::format("goto takes a position, a whole number, not '{}'", rest));
  }
  debugger_.go_to(*n);
  show_stop();
  return true;
}

namespace {

block_name thread_argument(const std::string& which) {
  try {
    return block_argument(which);
  } catch (const command_error&) {
    throw command_error(fmt::format("thread takes a number or x,y,z, not '{}'", shortened(which)));
  }
}

} // namespace

bool prompt::thread(std::string_view rest) {
  if (rest.empty()) {
    info_.blocks();
    return true;
  }
  const block_name which = thread_argument(std::string(rest));
  const protocol::thread* const who = debugger_.here().who();
  if (who == nullptr) {
    throw command_error("no block stands here: there is no thread to go to");
  }
  debugger_.go_to_block(who->linear, which, who->launch);
  show_stop();
  return true;
}

bool prompt::block(std::string_view rest) {
  if (rest.empty()) {
    info_.blocks();
    return true;
  }
  std::string text(rest);
  std::optional<block_name> thread;
  constexpr std::string_view word = "thread";
  const auto at = text.find(word);
  if (at != std::string::npos && at > 0 && is_blank(text[at - 1]) &&
      at + word.size() < text.size() && is_blank(text[at + word.size()])) {
    thread = thread_argument(std::string(trimmed(std::string_view(text).substr(at + word.size()))));
    text.resize(at);
  }
  debugger_.go_to_block(block_argument(trimmed(text)), thread);
  show_stop();
  return true;
}

} // namespace tilesim::tools::step
