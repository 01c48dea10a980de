// What the prompt says at a stop: a table of reasons, and what holds for all of them.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/stop_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <sys/wait.h>

namespace tilesim::driver::step {

using nlohmann::json;

struct stop_text::reason_text {
  std::string_view reason;
  void (stop_text::*tell)();
};

/// The other reasons are told by what comes with them.
const stop_text::reason_text* stop_text::find_reason(std::string_view reason) {
  static constexpr std::array<reason_text, 8> all = {{
      {"loaded", &stop_text::tell_loaded},
      {"interrupt", &stop_text::tell_interrupt},
      {"wait begins", &stop_text::tell_wait},
      {"history begins", &stop_text::tell_history_begins},
      {"ended", &stop_text::tell_end},
      {"stopped", &stop_text::tell_stopped},
      {"interrupted", &stop_text::tell_interrupted},
      {"died", &stop_text::tell_death},
  }};
  const auto* const it = std::ranges::find(all, reason, &reason_text::reason);
  return it == all.end() ? nullptr : it;
}

void stop_text::show(bool goes_on) {
  std::fflush(stdout);
  here_ = debugger_.here(); // whoever dies while being asked stands elsewhere
  const std::string reason = here_.value("reason", "");
  const reason_text* const words = find_reason(reason);
  if (reason == "loaded") {
    (this->*words->tell)();
    return;
  }
  if (starts_ != debugger_.starts())
    last_block_.clear();
  starts_ = debugger_.starts();
  tell_way_here();
  tell_findings();
  tell_watches();
  tell_breakpoints();
  if (reason != "position")
    tell_last_operation();
  if (here_.contains("ended"))
    tell_ended(goes_on);
  else if (words != nullptr)
    (this->*words->tell)();
  tell_other_block();
  show_place();
  if (debugger_.block_stands())
    show_displays();
}

// --- What there is to say whatever the reason is

void stop_text::tell_way_here() {
  const arrival& way = debugger_.arrived();
  if (way.never_written)
    screen_.say("no operation before this one has written it\n");
  if (way.written_by)
    screen_.say(
        fmt::format("watch {}: the next operation is the last that wrote it\n", *way.written_by));
}

void stop_text::tell_findings() {
  const json found = here_.value("findings", json::array());
  for (const auto& f : found) {
    screen_.say(render_finding(f, screen_.looks));
    screen_.say_source(f.at("where"));
    if (f.at("other").empty())
      continue;
    screen_.say(fmt::format("  the other is at {}\n", render_place(f.at("other"))));
    screen_.say_source(f.at("other"));
  }
}

const stop_point* stop_text::reached(const json& id) const {
  const auto& all = debugger_.arrived().reached;
  const auto it = std::ranges::find(all, id.get<unsigned>(), &stop_point::id);
  return it == all.end() ? nullptr : &*it;
}

void stop_text::tell_watches() {
  const json changes = here_.value("watches", json::array());
  for (const auto& change : changes) {
    if (const stop_point* const s = reached(change.at("id")))
      tell_watch(*s, change);
  }
}

void stop_text::tell_watch(const stop_point& s, const json& change) {
  screen_.say(fmt::format("watch {}: {}\n", s.id, s.text));
  if (change.contains("gone"))
    screen_.say(
        fmt::format("  {} has ended, and its variables with it\n", here_.value("ended", "")));
  if (!change.contains("after"))
    return;
  const style& looks = screen_.looks;
  screen_.say(fmt::format("  was: {}\n",
                          change.contains("before") ? render_value(change.at("before"), looks, 7)
                                                    : "no value yet"));
  screen_.say(fmt::format("  is:  {}\n", render_value(change.at("after"), looks, 7)));
  if (!change.contains("operation"))
    screen_.say("  before the block's first operation\n");
  else if (here_.contains("thread") || here_.contains("host"))
    screen_.say(fmt::format("  by {}\n", changed_by(change.at("operation"))));
}

void stop_text::tell_breakpoints() {
  for (const auto& id : here_.value("breakpoints", json::array())) {
    if (const stop_point* const s = reached(id))
      screen_.say(fmt::format("breakpoint {}, {}\n", s->id, s->text));
  }
  for (const auto& trouble : here_.value("troubles", json::array())) {
    if (reached(trouble.at("id")) != nullptr)
      screen_.say(fmt::format("  its condition cannot be evaluated here: {}; from now on it does "
                              "not hold at such places\n",
                              trouble.at("why").get<std::string>()));
  }
}

void stop_text::tell_last_operation() {
  if (!here_.contains("last"))
    return;
  const json& last = here_.at("last");
  std::map<std::uint64_t, std::string> writers;
  const auto numbers = sources_of(last);
  for (std::size_t i = 0; i < std::min<std::size_t>(numbers.size(), 8); ++i)
    writers[numbers[i]] = operation_by_number(numbers[i]);
  const std::string place =
      last.at("operation").get<std::string>() + render_place(last.at("frames"));
  const auto before = last_.find(place);
  screen_.say(render_operation(
      last, before == last_.end() ? nullptr : &before->second, writers, screen_.looks));
  last_[place] = last;
}

/// A block has ended here.
void stop_text::tell_ended(bool goes_on) {
  const std::string block = here_.at("ended");
  const json watches = here_.value("watches", json::array());
  if (here_.value("reason", "") == "finding")
    screen_.say(fmt::format("that was the last operation of {}{}\n",
                            block,
                            goes_on ? "" : "; reverse-step stands before it"));
  else if (std::ranges::none_of(watches, [](const json& w) { return w.contains("gone"); }))
    screen_.say(fmt::format("{} has ended\n", block));
}

void stop_text::tell_other_block() {
  if (!here_.contains("thread"))
    return;
  const json& thread = here_.at("thread");
  const std::string block = fmt::format("{} of {}, launch {}",
                                        thread.at("name").get<std::string>(),
                                        thread.at("kernel").get<std::string>(),
                                        thread.at("launch").get<std::uint64_t>());
  if (!last_block_.empty() && block != last_block_)
    screen_.say(fmt::format("[now {}]\n", block));
  last_block_ = block;
}

void stop_text::show_place() {
  const json& here = debugger_.here();
  if (!here.contains("thread"))
    return;
  const json& next = here.at("next");
  const std::string operation = next.at("operation");
  screen_.say(fmt::format("{} of {} [position {}], {}at {}\n",
                          here.at("thread").at("name").get<std::string>(),
                          here.at("thread").at("kernel").get<std::string>(),
                          debugger_.session().position(),
                          operation.empty() ? "" : fmt::format("next: {} ", operation),
                          render_place(next.at("frames"))));
  screen_.say_source(next.at("frames"));
}

void stop_text::show_displays() {
  for (const displayed& d : debugger_.displays()) {
    try {
      const json now = debugger_.evaluate(d.expression, d.format);
      json& before = displayed_values_[d.id];
      screen_.say(
          fmt::format("{}: {} = {}\n{}",
                      d.id,
                      d.text,
                      render_value(now, screen_.looks, 4, before.is_null() ? nullptr : &before),
                      render_marks({&now}, 4)));
      before = now;
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
  const json host = here_.value("host", json());
  if (host.is_null())
    return;
  screen_.say(fmt::format(
      "host code [position {}], at {}\n", debugger_.session().position(), render_place(host)));
  screen_.say_source(host);
}

void stop_text::tell_wait() {
  const auto earlier = here_.value("earlier_waits", std::size_t{0});
  screen_.say(fmt::format("this block begins to wait here{}\n",
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
  screen_.say(fmt::format(
      "the program has ended with status {}; {}\n", here_.value("status", 0), ways_on()));
}

void stop_text::tell_stopped() {
  screen_.say(fmt::format("tilesim ends the program here: a GPU would not survive it either; {}\n",
                          ways_on()));
}

void stop_text::tell_interrupted() {
  screen_.say(fmt::format("interrupted in code without operations: the program cannot go on; {}\n",
                          ways_on()));
}

void stop_text::tell_death() {
  const int status = here_.value("wait_status", 0);
  const std::string how =
      WIFSIGNALED(status)
          ? fmt::format("by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)))
      : here_.value("interrupted", false)
          ? fmt::format("by Ctrl-C, with status {}", WEXITSTATUS(status))
          : fmt::format("with status {}, without exit()", WEXITSTATUS(status));
  const std::uint64_t position = debugger_.session().position();
  const std::string when =
      position == 0 ? "before the first operation" : fmt::format("after operation {}", position);
  screen_.say(fmt::format("the program has ended {} {}; {}\n", how, when, ways_on()));
  const json crash = here_.value("crash", json());
  if (crash.is_null())
    return;
  const std::string block = crash.at("block");
  const json place = crash.at("frames").empty() ? json::array() : crash.at("frames").front();
  screen_.say(fmt::format("{}, at {}\n", block.empty() ? "host code" : block, render_place(place)));
  screen_.say_source(place);
}

// --- Words for parts

/// What can be done where the run is over.
std::string stop_text::ways_on() const {
  return debugger_.session().position() != 0 ? "reverse-step goes back, run starts again"
                                             : "run starts again";
}

std::string stop_text::operation_by_number(std::uint64_t number) {
  if (number == 0)
    return "the host";
  if (debugger_.session().alive()) {
    const json reply = debugger_.ask({{"do", "history"}, {"first", number}, {"last", number}});
    if (!reply.at("history").empty()) {
      const json& h = reply.at("history").front();
      return fmt::format("#{} {} of {} at {}",
                         number,
                         h.at("operation").get<std::string>(),
                         h.at("by").get<std::string>(),
                         render_place(h.at("frames")));
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
  if (found.line == line)
    return {};
  if (!found.known)
    return fmt::format("the program has no kernels from {}", file);
  if (!found.line)
    return fmt::format("line {} performs no operation, nor does one behind it: nothing stops there",
                       line);
  return fmt::format(
      "line {} performs no operation: it stops at line {}, the next that does", line, *found.line);
}

} // namespace tilesim::driver::step
