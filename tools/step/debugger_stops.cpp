// Breakpoints, watched values and what is displayed.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/debugger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tilesim::tools::step {
namespace {

/// A kernel's name without its namespace and its template's arguments.
std::string bare(std::string name) {
  name.resize(std::min(name.find('<'), name.size()));
  const auto space = name.rfind("::");
  return space == std::string::npos ? name : name.substr(space + 2);
}

} // namespace

stop_point* debugger::stop_by_id(unsigned id) noexcept {
  const auto it = std::ranges::find(stops_, id, &stop_point::id);
  return it == stops_.end() ? nullptr : &*it;
}

const stop_point* debugger::find_stop(unsigned id) const noexcept {
  const auto it = std::ranges::find(stops_, id, &stop_point::id);
  return it == stops_.end() ? nullptr : &*it;
}

void debugger::tell_stops() {
  protocol::set all{.stop_at_findings = stop_at_findings_};
  for (const auto& s : stops_) {
    if (s.enabled && s.is_watch) {
      all.watches.push_back(s.what);
    } else if (s.enabled) {
      all.breakpoints.push_back(s.where);
    }
  }
  session_.set_stops(std::move(all));
}

unsigned debugger::add_stop(stop_point one) {
  const unsigned id = next_id_;
  one.id = one.where.id = one.what.id = id;
  stops_.push_back(std::move(one));
  try {
    tell_stops();
  } catch (const refused&) {
    stops_.pop_back();
    throw;
  }
  ++next_id_;
  return id;
}

unsigned debugger::add_breakpoint(const location& where, std::string text, bool once) {
  if (where.choice && !session_.lets_choose()) {
    throw refused("reads take the newest write here: begin with --model ptx to stop where they may "
                  "take others");
  }
  if (!where.kernel.empty()) {
    check_kernel(where.kernel);
  }
  return add_stop({.once = once,
                   .text = std::move(text),
                   .where = {.file = where.file,
                             .line = static_cast<unsigned>(where.line.value_or(0)),
                             .kernel = where.kernel,
                             .operation = where.operation,
                             .block = where.block,
                             .launch = where.launch,
                             .condition = where.condition,
                             .choice = where.choice}});
}

void debugger::remove_stop(unsigned id) {
  if (std::erase_if(stops_, [id](const auto& s) { return s.id == id; }) != 0) {
    tell_stops();
  }
}

void debugger::remove_stops() {
  stops_.clear();
  tell_stops();
}

void debugger::enable_stop(unsigned id, bool enabled) {
  if (stop_point* const one = stop_by_id(id)) {
    one->enabled = enabled;
    tell_stops();
  }
}

void debugger::stop_at_findings(bool stops) {
  stop_at_findings_ = stops;
  tell_stops();
}

void debugger::check_kernel(const std::string& wanted) {
  if (!session_.alive() || session_.compiles_late()) {
    return; // nobody is there to ask, or knows
  }
  const protocol::names known = session_.ask(protocol::kernels{});
  const auto is_among = [&](const std::vector<std::string>& names) {
    return std::ranges::any_of(names, [&](const auto& name) { return bare(name) == bare(wanted); });
  };
  if (is_among(known.kernels)) {
    return;
  }
  const std::string names = fmt::format("{}", fmt::join(known.kernels, ", "));
  if (is_among(known.functions)) {
    throw refused(fmt::format("{} is a function and no kernel: FILE:LINE stops inside; the "
                              "kernels are {}",
                              wanted,
                              names.empty() ? "not known yet" : names));
  }
  throw refused(names.empty()
                    ? fmt::format("no kernel is called {}, as far as the sources tell", wanted)
                    : fmt::format("no kernel is called {}; there {} {}",
                                  wanted,
                                  known.kernels.size() == 1 ? "is" : "are",
                                  names));
}

std::optional<debugger::stopping_line> debugger::line_that_stops(const std::string& file,
                                                                 std::size_t line) {
  if (!session_.alive()) {
    return {};
  }
  const protocol::line_known reply =
      session_.ask(protocol::code_of_line{.file = file, .line = static_cast<unsigned>(line)});
  stopping_line found{.known = reply.known, .line = {}, .files = reply.files};
  if (reply.here) {
    found.line = line;
  } else if (reply.next) {
    found.line = *reply.next;
  }
  return found;
}

/// A watch of it would never stop.
void debugger::refuse_constant(const std::string& expression) {
  bool constant = false;
  try {
    if (session_.alive()) {
      constant = session_.ask(protocol::evaluate{.expression = expression, .most = 0}).constant;
    }
  } catch (const refused&) { // its names may come later
  }
  if (constant) {
    throw refused(fmt::format(
        "'{}' is constant and never changes: watch takes a variable, elements of a buffer "
        "or other memory, as watch bins[3]",
        expression));
  }
}

unsigned debugger::add_watch(const std::string& expression, std::size_t frame) {
  protocol::watch what{.what = expression};
  std::string text = expression;
  refuse_constant(expression);
  // Before the program has run its names are not known yet; afterwards they must be.
  if (block_stands()) {
    const protocol::evaluated now =
        session_.ask(protocol::evaluate{.expression = expression, .frame = frame, .most = 0});
    if (now.frame && now.writer) {
      // Reached through a variable, but memory of all blocks: it is the place that is watched.
      what.what = now.nameless;
      what.place = now.place;
      text += fmt::format(" ({})", now.value.place);
    } else if (now.frame) {
      what.frame = now.frame;
      text += fmt::format(" of {}", now.frame->name);
    } else if (is_always_the_same_place(expression)) {
      what.place = now.place;
    }
  }
  return add_stop({.is_watch = true, .text = std::move(text), .what = std::move(what)});
}

// --- What is displayed

void debugger::add_display(displayed what) {
  if (block_stands()) {
    static_cast<void>(evaluate(what.expression, what.format)); // refuses what it cannot show later
  }
  what.id = next_display_++;
  displays_.push_back(std::move(what));
}

bool debugger::remove_display(std::uint64_t id) {
  return std::erase_if(displays_, [id](const auto& d) { return d.id == id; }) != 0;
}

} // namespace tilesim::tools::step
