// Commands that look: frames, values, memory, source lines, displays.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/numbers.hpp"
#include "tools/cli/wording.hpp"
#include "tools/step/formats.hpp"
#include "tools/step/prompt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tilesim::tools::step {

bool prompt::show_info(std::string_view rest) {
  info_.show(rest);
  return true;
}

bool prompt::frame(std::string_view rest) {
  const auto frames = listed_frames(debugger_.frames());
  const auto n = rest.empty() ? std::optional<std::uint64_t>(debugger_.frame_number())
                              : number<std::uint64_t>(rest);
  if (!n || *n >= frames.size()) {
    throw command_error(fmt::format(
        "frame takes a number below {}, not '{}'; 'where' lists them", frames.size(), rest));
  }
  choose_frame(*n, frames);
  return true;
}

void prompt::choose_frame(std::size_t number, const std::vector<listed_frame>& frames) {
  const listed_frame& f = frames.at(number);
  debugger_.choose_frame(number, f);
  say(fmt::format("#{} {} at {}:{}\n", number, f.name, f.place.file, f.place.line));
  screen_.say_source({f.place});
}

bool prompt::up(std::string_view rest) {
  const auto frames = listed_frames(debugger_.frames());
  const std::uint64_t n = count_argument(rest, "up");
  const std::size_t from = debugger_.frame_number();
  if (from + 1 >= frames.size()) {
    throw command_error(frames.empty() ? "no block stands here: there are no frames"
                                       : "this is the outermost frame");
  }
  choose_frame(n < frames.size() - from ? from + n : frames.size() - 1, frames);
  return true;
}

bool prompt::down(std::string_view rest) {
  const auto frames = listed_frames(debugger_.frames());
  const std::uint64_t n = count_argument(rest, "down");
  const std::size_t from = debugger_.frame_number();
  if (from == 0 || frames.empty()) {
    throw command_error(frames.empty() ? "no block stands here: there are no frames"
                                       : "this is the innermost frame");
  }
  choose_frame(n < from ? from - n : 0, frames);
  return true;
}

bool prompt::print(std::string_view rest) {
  const auto [format, expression] = parse_formatted(rest);
  if (expression.empty()) {
    throw command_error("print takes an expression: print bins[0:16]");
  }
  const protocol::value value = debugger_.evaluate(std::string(expression), format);
  const std::string name = fmt::format("${} = ", ++values_);
  say(name + render_value(value, screen_.looks, name.size()) + "\n" +
      render_marks({&value}, name.size()));
  return true;
}

bool prompt::examine(std::string_view rest) {
  const auto [format, expression] = parse_examined(rest);
  if (expression.empty()) {
    throw command_error("x takes an address, a pointer or a buffer: x/64 bins, x/8dw bins");
  }
  const protocol::memory_piece piece = debugger_.session().ask(
      protocol::memory{.expression = std::string(expression),
                       .frame = debugger_.frame(),
                       .bytes = format.count * format.unit,
                       .format = format.letter ? std::string(1, *format.letter) : std::string(),
                       .unit = format.unit});
  say(render_memory(piece, format.unit));
  if (piece.bytes.size() < format.count * format.unit) {
    say("behind that the program has no memory\n");
  }
  return true;
}

/// From which line on so many are shown that this one is in their middle.
std::size_t prompt::first_listed(std::size_t line) const {
  return line > list_size_ / 2 ? line - (list_size_ / 2) : 1;
}

bool prompt::list(std::string_view rest) {
  std::string file = listed_file_.empty() ? current_file() : listed_file_;
  std::size_t first = listed_to_ + 1;
  if (!rest.empty()) {
    const location where = parse_location(rest);
    if (!where.line) {
      throw command_error(fmt::format("list takes [FILE:]LINE, not '{}'", rest));
    }
    file = where.file;
    first = first_listed(*where.line);
  } else if (listed_to_ == 0) {
    const auto& next = debugger_.here().next;
    first = first_listed(next && !next->frames.empty() ? next->frames.front().line : 1);
  }
  const std::size_t lines = screen_.files.lines(file);
  if (lines == 0) {
    throw command_error(fmt::format("cannot read '{}'", file));
  }
  if (first > lines) {
    throw command_error(fmt::format("{} has {}", file, counted(lines, "line")));
  }
  const std::size_t last = std::min(lines, first + list_size_ - 1);
  for (std::size_t n = first; n <= last; ++n) {
    say(fmt::format("{}\t{}\n", n, screen_.files.line(file, n)));
  }
  listed_file_ = file;
  listed_to_ = last;
  return true;
}

bool prompt::where(std::string_view /*rest*/) {
  const standing& here = debugger_.here();
  const std::vector<protocol::frames> calls =
      here.crash    ? here.crash->frames
      : here.behind ? std::vector<protocol::frames>{here.behind->frames}
                    : debugger_.frames();
  if (here.behind) {
    say(fmt::format(
        "{} of {} has ended; its last operation was at\n", here.behind->name, here.behind->kernel));
  } else if (calls.empty()) {
    const auto known = debugger_.session().ask(protocol::blocks{});
    say(known.launches.empty() ? "no kernel runs here\n"
                               : "no block stands before an operation here; those that are "
                                 "alive:\n");
    info_.block_list(known.blocks);
  }
  std::size_t n = 0;
  for (const listed_frame& f : listed_frames(calls)) {
    say(fmt::format("#{} {} at {}:{}\n", n++, f.name, f.place.file, f.place.line));
  }
  return true;
}

bool prompt::display(std::string_view rest) {
  if (!rest.empty()) {
    const auto [format, expression] = parse_formatted(rest);
    if (expression.empty()) {
      throw command_error("display takes an expression: display bins[0:16]");
    }
    debugger_.add_display(
        {.expression = std::string(expression), .format = format, .text = std::string(rest)});
  }
  if (debugger_.block_stands()) {
    stop_text_.show_displays();
  }
  return true;
}

bool prompt::undisplay(std::string_view rest) {
  if (rest.empty()) {
    debugger_.remove_displays();
    return true;
  }
  const auto id = number<std::uint64_t>(rest);
  if (!id || !debugger_.remove_display(*id)) {
    throw command_error(fmt::format("nothing displayed has the number {}", rest));
  }
  return true;
}

} // namespace tilesim::tools::step
