// What the prompt says at a stop: a table of reasons, and what holds for all of them.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/stop_text.hpp"

#include "tools/step/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <sys/wait.h>

namespace tilesim::tools::step {

using protocol::stop_reason;

struct stop_text::reason_text {
  stop_reason reason;
  void (stop_text::*tell)();
};

/// The other reasons are told by what comes with them.
const stop_text::reason_text* stop_text::find_reason(stop_reason reason) {
  static constexpr std::array<reason_text, 8> all = {{
      {stop_reason::loaded, &stop_text::tell_loaded},
      {stop_reason::interrupt, &stop_text::tell_interrupt},
      {stop_reason::wait_begins, &stop_text::tell_wait},
      {stop_reason::history_begins, &stop_text::tell_history_begins},
      {stop_reason::ended, &stop_text::tell_end},
      {stop_reason::stopped, &stop_text::tell_stopped},
      {stop_reason::interrupted, &stop_text::tell_interrupted},
      {stop_reason::died, &stop_text::tell_death},
  }};
  const auto* const it = std::ranges::find(all, reason, &reason_text::reason);
  return it == all.end() ? nullptr : it;
}

void stop_text::show(bool goes_on) {
  std::fflush(stdout);
  here_ = debugger_.here(); // whoever dies while being asked stands elsewhere
  const reason_text* const words = find_reason(here_.reason);
  if (here_.reason == stop_reason::loaded) {
    (this->*words->tell)();
    return;
  }
  if (starts_ != debugger_.starts()) {
    last_block_.clear();
  }
  starts_ = debugger_.starts();
  tell_way_here();
  tell_findings();
  tell_watches();
  tell_breakpoints();
  if (here_.reason != stop_reason::position) {
    tell_last_operation();
  }
  if (!here_.ended.empty()) {
    tell_ended(goes_on);
  } else if (words != nullptr) {
    (this->*words->tell)();
  }
  tell_other_block();
  show_place();
  show_choices();
  if (debugger_.block_stands()) {
    show_displays();
  }
}

// --- What there is to say whatever the reason is

void stop_text::tell_way_here() {
  const arrival& way = debugger_.arrived();
  if (way.never_written) {
    screen_.say("no operation before this one has written it\n");
  }
  if (way.written_by) {
    screen_.say(
        fmt::format("watch {}: the next operation is the last that wrote it\n", *way.written_by));
  }
}

void stop_text::tell_findings() {
  for (const protocol::finding& f : here_.findings) {
    screen_.say(render_finding(f, screen_.looks));
    screen_.say_source(f.where);
    if (f.other.empty()) {
      continue;
    }
    screen_.say(fmt::format("  the other is at {}\n", render_place(f.other)));
    screen_.say_source(f.other);
  }
}

const stop_point* stop_text::reached(unsigned id) const {
  const auto& all = debugger_.arrived().reached;
  const auto it = std::ranges::find(all, id, &stop_point::id);
  return it == all.end() ? nullptr : &*it;
}

void stop_text::tell_watches() {
  for (const protocol::change& change : here_.watches) {
    if (const stop_point* const s = reached(change.id)) {
      tell_watch(*s, change);
    }
  }
}

void stop_text::tell_watch(const stop_point& s, const protocol::change& change) {
  screen_.say(fmt::format("watch {}: {}\n", s.id, s.text));
  if (change.gone) {
    screen_.say(fmt::format("  {} has ended, and its variables with it\n", here_.ended));
  }
  if (!change.after) {
    return;
  }
  const style& looks = screen_.looks;
  screen_.say(fmt::format("  was: {}\n",
                          change.before ? render_value(*change.before, looks, 7) : "no value yet"));
  screen_.say(fmt::format("  is:  {}\n", render_value(*change.after, looks, 7)));
  if (!change.operation) {
    screen_.say("  before the block's first operation\n");
  } else if (here_.thread || !here_.host.empty()) {
    screen_.say(fmt::format("  by {}\n", changed_by(*change.operation)));
  }
}

void stop_text::tell_breakpoints() {
  for (const unsigned id : here_.breakpoints) {
    if (const stop_point* const s = reached(id)) {
      screen_.say(fmt::format("breakpoint {}, {}\n", s->id, s->text));
      tell_moved(*s);
    }
  }
  for (const protocol::trouble& trouble : here_.troubles) {
    if (reached(trouble.id) != nullptr) {
      screen_.say(fmt::format("  its condition cannot be evaluated here: {}; from now on it does "
                              "not hold at such places\n",
                              trouble.why));
    }
  }
}

/// A breakpoint that was set when nothing was known of its line, the first time that it stops.
void stop_text::tell_moved(const stop_point& s) {
  if (s.hits == 1 && s.where.line != 0 && here_.next && !here_.next->frames.empty() &&
      here_.next->frames.front().line != s.where.line) {
    screen_.say(fmt::format("  {}\n",
                            why_elsewhere({.line = here_.next->frames.front().line, .files = {}},
                                          s.where.file,
                                          s.where.line)));
  }
}

void stop_text::tell_last_operation() {
  if (!here_.last) {
    return;
  }
  const protocol::operation& last = *here_.last;
  std::map<std::uint64_t, std::string> writers;
  const auto numbers = sources_of(last);
  for (std::size_t i = 0; i < std::min<std::size_t>(numbers.size(), 8); ++i) {
    writers[numbers[i]] = operation_by_number(numbers[i]);
  }
  const std::string place = last.name + render_place(last.frames);
  const auto before = last_.find(place);
  screen_.say(render_operation(
      last, before == last_.end() ? nullptr : &before->second, writers, screen_.looks));
  last_[place] = last;
}

/// A block has ended here.
void stop_text::tell_ended(bool goes_on) {
  if (here_.reason == stop_reason::finding) {
    screen_.say(fmt::format("that was the last operation of {}{}\n",
                            here_.ended,
                            goes_on ? "" : "; reverse-step stands before it"));
  } else if (std::ranges::none_of(here_.watches, &protocol::change::gone)) {
    screen_.say(fmt::format("{} has ended\n", here_.ended));
  }
}

void stop_text::tell_other_block() {
  if (!here_.thread) {
    return;
  }
  const std::string block = fmt::format(
      "{} of {}, launch {}", here_.thread->name, here_.thread->kernel, here_.thread->launch);
  if (!last_block_.empty() && block != last_block_) {
    screen_.say(fmt::format("[now {}]\n", block));
  }
  last_block_ = block;
}

void stop_text::show_place() {
  const standing& here = debugger_.here();
  if (!here.thread || !here.next) {
    return;
  }
  const std::string& operation = here.next->operation;
  screen_.say(fmt::format("{} of {} [position {}], {}at {}\n",
                          here.thread->name,
                          here.thread->kernel,
                          here.position,
                          operation.empty() ? "" : fmt::format("next: {} ", operation),
                          render_place(here.next->frames)));
  screen_.say_source(here.next->frames);
}

/// Of the read that comes.
void stop_text::show_choices() {
  if (const auto reads = debugger_.reads()) {
    screen_.say(render_reads(reads->coming, {}));
  }
}

void stop_text::show_displays() {
  for (const displayed& d : debugger_.displays()) {
    try {
      const protocol::value now = debugger_.evaluate(d.expression, d.format);
      const auto before = displayed_values_.find(d.id);
      screen_.say(fmt::format(
          "{}: {} = {}\n{}",
          d.id,
          d.text,
          render_value(
              now, screen_.looks, 4, before == displayed_values_.end() ? nullptr : &before->second),
          render_marks({&now}, 4)));
      displayed_values_[d.id] = now;
    } catch (const refused& r) {
      screen_.say(fmt::format("{}: {}: {}\n", d.id, d.text, r.what()));
    }
  }
}

// --- Reasons

void stop_text::tell_loaded() {
  screen_.say("the program is loaded; 'run' starts it, 'break' says where to stop, 'help' lists "
              "the commands\n");
}

void stop_text::tell_interrupt() {
  screen_.say("interrupted\n");
  if (here_.host.empty()) {
    return;
  }
  screen_.say(
      fmt::format("host code [position {}], at {}\n", here_.position, render_place(here_.host)));
  screen_.say_source(here_.host);
}

void stop_text::tell_wait() {
  const std::size_t earlier = here_.earlier_waits;
  screen_.say(fmt::format("this {} begins to wait here{}\n",
                          here_.thread && here_.thread->in_block ? "thread" : "block",
                          earlier == 0 ? ""
                          : earlier == 1
                              ? "; one more began before: reverse-continue goes there"
                              : fmt::format("; {} more began before: reverse-continue goes to the "
                                            "last of them",
                                            earlier)));
}

void stop_text::tell_history_begins() {
  screen_.say("no earlier stop: this is where the kernels begin\n");
}

void stop_text::tell_end() {
  screen_.say(fmt::format("the program has ended with status {}; {}\n", here_.status, ways_on()));
}

void stop_text::tell_stopped() {
  screen_.say(fmt::format("{}; {}\n", ended_by_finding(here_.findings), ways_on()));
}

void stop_text::tell_interrupted() {
  screen_.say(fmt::format("interrupted in code without operations: the program cannot go on; {}\n",
                          ways_on()));
}

void stop_text::tell_death() {
  const int status = here_.wait_status;
  const std::string how = here_.by_interrupt && !WIFSIGNALED(status)
                              ? fmt::format("by Ctrl-C, with status {}", WEXITSTATUS(status))
                              : ended_how(status);
  const std::uint64_t position = debugger_.session().position();
  const std::string when =
      position == 0 ? "before the first operation" : fmt::format("after operation {}", position);
  screen_.say(fmt::format("the program has ended {} {}; {}\n", how, when, ways_on()));
  if (!here_.crash) {
    return;
  }
  const crash& at = *here_.crash;
  const protocol::frames place = at.frames.empty() ? protocol::frames{} : at.frames.front();
  screen_.say(
      fmt::format("{}, at {}\n", at.block.empty() ? "host code" : at.block, render_place(place)));
  screen_.say_source(place);
}

// --- Words for parts

/// What can be done where the run is over.
std::string stop_text::ways_on() const {
  return debugger_.session().position() != 0 ? "reverse-step goes back, run starts again"
                                             : "run starts again";
}

std::string stop_text::operation_by_number(std::uint64_t number) {
  if (number == 0) {
    return "the host";
  }
  if (debugger_.session().alive()) {
    const auto known =
        debugger_.session().ask(protocol::history{.first = number, .last = number}).history;
    if (!known.empty()) {
      return fmt::format("#{} {} of {} at {}",
                         number,
                         known.front().operation,
                         known.front().by,
                         render_place(known.front().frames));
    }
  }
  return fmt::format("#{}", number);
}

/// Who made a change: an operation, by its number.
std::string stop_text::changed_by(std::uint64_t operation) {
  return operation > debugger_.session().position() ? "the next operation"
                                                    : operation_by_number(operation);
}

std::string
why_elsewhere(const debugger::stopping_line& found, const std::string& file, std::size_t line) {
  if (found.line == line) {
    return {};
  }
  if (!found.known) {
    return file.ends_with(".py")
               ? fmt::format("kernels of {} are compiled when they are launched: it waits for that",
                             file)
               : fmt::format("the program has no kernels from {}", file);
  }
  if (!found.line) {
    return fmt::format("line {} performs no operation, nor does one behind it: nothing stops there",
                       line);
  }
  return fmt::format(
      "line {} performs no operation: it stops at line {}, the next that does", line, *found.line);
}

} // namespace tilesim::tools::step
