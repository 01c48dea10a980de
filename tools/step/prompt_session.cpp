// Commands for the session: settings, schedules, files of commands, help.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/schedule_string.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/numbers.hpp"
#include "tools/step/command_table.hpp"
#include "tools/step/prompt.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <tuple>

namespace tilesim::tools::step {

bool prompt::set(std::string_view rest) {
  const auto [what, value] = first_word(rest);
  const auto n = number<std::uint64_t>(value);
  if (what == "fold" && n && *n > 0) {
    screen_.looks.fold = *n;
  } else if (what == "width" && n && *n > 0) {
    screen_.looks.width = *n;
  } else if (what == "listsize" && n && *n > 0) {
    list_size_ = *n;
  } else if (what == "history" && n && *n > 0) {
    debugger_.session().set_history_bytes(*n << 20U);
  } else if (what == "stop-at-findings" && (value == "on" || value == "off")) {
    debugger_.stop_at_findings(value == "on");
  } else {
    throw command_error(
        fmt::format("set takes fold N, width N, listsize N, history MB or stop-at-findings "
                    "on|off, not '{}'",
                    rest));
  }
  return true;
}

bool prompt::choose(std::string_view rest) {
  const auto wrong = [&] {
    return command_error(fmt::format(
        "choose takes the number of a write, or ELEMENT:NUMBER, not '{}'; alone it lists them",
        shortened(rest)));
  };
  for (auto [word, behind] = first_word(rest); !word.empty();
       std::tie(word, behind) = first_word(behind)) {
    const auto colon = word.find(':');
    const bool names_element = colon != std::string_view::npos;
    const auto element =
        names_element ? number<std::uint64_t>(word.substr(0, colon)) : std::nullopt;
    const auto back = number<std::uint64_t>(names_element ? word.substr(colon + 1) : word);
    if (!back || names_element != element.has_value()) {
      throw wrong();
    }
    debugger_.choose(*back, element ? std::optional<std::size_t>(*element) : std::nullopt);
  }
  const protocol::read_list known = debugger_.session().ask(protocol::reads{});
  const std::string text = render_reads(known.coming, {.bounds = rest.empty()});
  say(!text.empty() ? text : known.none + "\n");
  return true;
}

bool prompt::schedule(std::string_view rest) {
  const auto [what, file] = first_word(rest);
  if (rest.empty()) {
    info_.schedule();
    return true;
  }
  if (what != "save" || file.empty()) {
    throw command_error(fmt::format("schedule takes nothing, or save FILE, not '{}'", rest));
  }
  return save(file);
}

namespace {

/// Whether `save` may write there: not over a person's file, say the source that is stepped.
bool may_become_a_schedule(const std::string& file) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) {
    return true; // new, or a device or FIFO, which loses nothing
  }
  const auto text = read_text(file);
  if (!text) {
    return true; // the attempt to write says why not
  }
  const std::string_view line =
      std::string_view(*text).substr(0, text->find_last_not_of(" \n") + 1);
  return line.empty() || sim::parse_replay(line).has_value();
}

} // namespace

bool prompt::save(std::string_view rest) {
  if (rest.empty()) {
    throw command_error("save takes a file to write the schedule into");
  }
  const protocol::schedule_now now = debugger_.session().ask(protocol::schedule{});
  if (now.turns.empty() || !replay_string) {
    throw command_error("there is no schedule to save: nothing has run, or too many turns were "
                        "taken");
  }
  const std::string file(rest);
  if (!may_become_a_schedule(file)) {
    throw command_error(fmt::format("'{}' is there and holds no schedule: save under another name, "
                                    "or remove it first",
                                    file));
  }
  try {
    write_output(file, replay_string(now) + '\n');
  } catch (const failure& e) {
    throw command_error(e.what());
  }
  say(fmt::format("the schedule up to here is in {}: tilesim check --replay {} repeats it, and "
                  "tilesim step --replay {} comes back to here\n",
                  file,
                  file,
                  file));
  const standing& here = debugger_.here();
  if (!here.host.empty() || here.reason == protocol::stop_reason::interrupted) {
    say("  no operation has begun since: where none comes, it takes Ctrl-C there, too\n");
  }
  return true;
}

bool prompt::replay_schedule(std::string_view rest) {
  if (rest.empty()) {
    throw command_error("replay takes a file that 'save' wrote, or a report's replay string");
  }
  debugger_.replay(std::string(rest));
  show_stop();
  show_unfollowed();
  return true;
}

bool prompt::source(std::string_view rest) {
  if (rest.empty()) {
    throw command_error("source takes a file of commands");
  }
  return execute_file(std::string(rest));
}

namespace {

/// A paragraph in lines of at most `width` characters, indented.
std::string wrapped(std::string_view paragraph, std::size_t indent, std::size_t width) {
  std::string text;
  std::size_t used = 0;
  for (auto [word, rest] = first_word(paragraph); !word.empty();
       std::tie(word, rest) = first_word(rest)) {
    if (used == 0 || used + 1 + word.size() > width) {
      text += (used == 0 ? "" : "\n") + std::string(indent, ' ');
      used = indent;
    } else {
      text += ' ';
      ++used;
    }
    text += word;
    used += word.size();
  }
  return text + "\n";
}

} // namespace

// NOLINTNEXTLINE(readability-make-member-function-const): a row of the table of commands
bool prompt::help(std::string_view rest) {
  if (rest.empty()) {
    for (const auto& c : all_commands()) {
      say(fmt::format("{:<17}{:<3} {}\n", c.name, c.abbreviation, c.summary));
    }
    say("A unique beginning of a name will do; Enter repeats step, next, list and their kin.\n");
    return true;
  }
  const prompt_command& c = find_command(rest);
  say(fmt::format("{} {}\n  {}\n", c.name, c.arguments, c.summary));
  if (*c.abbreviation != '\0') {
    say(fmt::format("  short: {}\n", c.abbreviation));
  }
  if (*c.details != '\0') {
    say(wrapped(c.details, 2, screen_.looks.width));
  }
  return true;
}

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): a row of the table of commands
bool prompt::quit(std::string_view /*rest*/) {
  return false;
}

} // namespace tilesim::tools::step
