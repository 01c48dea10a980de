// What there is: blocks, buffers, findings, the schedule, breakpoints, variables.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/info.hpp"

#include "tools/cli/wording.hpp"
#include "tools/step/thread_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::tools::step {

std::span<const char* const> info::topics() noexcept {
  static constexpr std::array names = {
      "blocks", "buffers", "races", "reads", "schedule", "breakpoints", "locals", "display"};
  return names;
}

void info::show(std::string_view topic) {
  struct row {
    std::string_view name;
    void (info::*show)();
  };
  static constexpr std::array<row, 15> all{{
      {"blocks", &info::blocks},
      {"blocks all", &info::every_block},
      {"buffers", &info::buffers},
      {"races", &info::findings},
      {"findings", &info::findings},
      {"reads", &info::reads},
      {"schedule", &info::schedule},
      {"breakpoints", &info::breakpoints},
      {"locals", &info::locals},
      {"display", &info::displays},
      // What gdb calls them.
      {"b", &info::breakpoints},
      {"watchpoints", &info::breakpoints},
      {"args", &info::arguments},
      {"threads", &info::blocks},
      {"threads all", &info::every_block},
  }};
  const auto* it = std::ranges::find(all, topic, &row::name);
  if (it == all.end()) {
    const auto begins = [topic](const row& r) {
      return !topic.empty() && r.name.starts_with(topic);
    };
    // The first of two that are one topic, with and without "all".
    const auto topics = std::ranges::count_if(
        all, [&](const row& r) { return begins(r) && !r.name.ends_with(" all"); });
    if (topics != 1) {
      throw command_error(fmt::format(
          "info takes blocks, buffers, races, reads, schedule, breakpoints, locals or display{}",
          topic.empty() ? "" : fmt::format(", not '{}'", topic)));
    }
    it = std::ranges::find_if(all, begins);
  }
  (this->*it->show)();
}

void info::blocks() {
  blocks_of_launches(false);
}

void info::every_block() {
  blocks_of_launches(true);
}

void info::blocks_of_launches(bool each) {
  const protocol::block_list known = debugger_.session().ask(protocol::blocks{});
  if (known.launches.empty()) {
    screen_.say("no kernel runs\n");
  }
  for (const protocol::launch& l : known.launches) {
    screen_.say(fmt::format("launch {}: {}, grid {}x{}x{}, launched at {}: {} ended, {} alive, {} "
                            "not started\n",
                            l.id,
                            l.kernel,
                            l.grid[0],
                            l.grid[1],
                            l.grid[2],
                            l.place,
                            l.ended,
                            l.started - l.ended,
                            l.threads - l.started));
  }
  block_list(known.blocks, each);
}

namespace {

/// What a block that is alive does, or several threads do.
std::string doing(const protocol::live_thread& b, bool several) {
  if (b.state == "waits") {
    std::string text = several ? "wait" : "waits";
    for (const auto& c : b.waits_for) {
      text += fmt::format(" for {} to become other than {}", c.place, c.value);
    }
    return text + fmt::format(", at {}", b.place);
  }
  if (b.state == "meets") {
    return fmt::format("{}, in {} at {}",
                       several ? "wait for others of their block" : "waits for others of its block",
                       b.operation,
                       b.place);
  }
  if (b.place.empty()) {
    return "not at its first operation yet";
  }
  return fmt::format("{}at {}", b.operation.empty() ? "" : b.operation + ", ", b.place);
}

} // namespace

void info::block_list(const std::vector<protocol::live_thread>& list, bool each) {
  constexpr std::size_t most_lines = 16;
  if (const auto& behind = debugger_.here().behind) {
    screen_.say(fmt::format("* {} of {}: has ended; its last operation was at {} ({})\n",
                            behind->name,
                            behind->kernel,
                            behind->place,
                            counted(behind->operations, "operation")));
  }
  std::vector<thread_group> groups = grouped(list);
  const std::size_t all = groups.size();
  if (!each && all > most_lines) {
    groups = folded(std::move(groups));
  }
  for (const thread_group& g : groups) {
    screen_.say(fmt::format(
        "{} {} of {}: {} ({})\n",
        g.first.current ? "*" : " ",
        g.name(),
        g.first.kernel,
        doing(g.first, g.numbers.size() > 1 || g.blocks.size() > 1),
        g.fewest_operations == g.most_operations
            ? counted(g.fewest_operations, "operation")
            : fmt::format("{} to {} operations", g.fewest_operations, g.most_operations)));
  }
  if (groups.size() < all) {
    screen_.say("those that do the same are folded: 'info blocks all' lists each\n");
  }
}

void info::buffers() {
  const auto known = debugger_.session().ask(protocol::buffers{}).buffers;
  if (known.empty()) {
    screen_.say("nothing has been allocated\n");
  }
  for (const protocol::buffer& b : known) {
    screen_.say(fmt::format("{}: {} {}, {} bytes of {} at {:#x}, allocated at {}{}\n",
                            b.name,
                            b.count,
                            b.type.empty() ? "bytes" : b.type,
                            b.bytes,
                            b.kind,
                            b.address,
                            b.place,
                            b.live ? "" : ", freed"));
  }
}

void info::findings() {
  const auto found = debugger_.session().ask(protocol::findings{}).findings;
  if (found.empty()) {
    screen_.say(
        fmt::format("nothing found up to here (position {})\n", debugger_.session().position()));
  }
  for (const protocol::finding& f : found) {
    screen_.say(render_finding(f, screen_.looks));
    if (f.count > 1) {
      screen_.say(fmt::format("  {} times\n", f.count));
    }
  }
}

void info::reads() {
  const protocol::read_list known = debugger_.session().ask(protocol::reads{});
  if (!known.made.empty()) {
    screen_.say("the operation before was a strong read\n" +
                render_reads(known.made, {.made = true, .bounds = true}));
  }
  if (!known.coming.empty()) {
    screen_.say("a strong read comes next\n" + render_reads(known.coming, {.bounds = true}));
  } else {
    screen_.say(known.none + "\n");
  }
}

void info::schedule() {
  const protocol::schedule_now now = debugger_.session().ask(protocol::schedule{});
  screen_.say(fmt::format("schedule: {}; position {} of {} reached\n",
                          now.schedule,
                          debugger_.session().position(),
                          debugger_.session().farthest()));
  unfollowed();
  for (const protocol::directive& s : debugger_.session().switches()) {
    screen_.say(fmt::format("  at position {}: {}\n",
                            s.at,
                            s.launch
                                ? fmt::format("block {} of launch {} starts", s.block, *s.launch)
                                : fmt::format("block {} goes on", s.block)));
  }
  for (const protocol::choice& c : debugger_.session().choices()) {
    screen_.say(fmt::format(
        "  at position {}: strong read {} of thread {} of launch {} {}\n",
        c.at,
        c.read,
        c.thread,
        c.launch,
        c.back == 0 ? "takes the newest write"
                    : fmt::format("passes over {} write{}", c.back, c.back == 1 ? "" : "s")));
  }
  const auto history = debugger_.session().measure_history();
  constexpr double megabyte = 1 << 20;
  const auto megabytes = [](std::size_t bytes) { return static_cast<double>(bytes) / megabyte; };
  screen_.say(fmt::format(
      "history: {:.1f} MB of at most {:.0f}: {} checkpoint{} with {:.1f} MB, {:.1f} MB of "
      "operations remembered; {:.1f} MB beside it for last writers and blocks\n",
      megabytes(history.bytes()),
      megabytes(debugger_.session().history_bytes()),
      history.checkpoints,
      history.checkpoints == 1 ? "" : "s",
      megabytes(history.checkpoint_bytes),
      megabytes(history.journal_bytes),
      megabytes(history.writers_bytes)));
}

void info::unfollowed() {
  if (!debugger_.session().alive()) {
    return;
  }
  const std::string what = debugger_.session().ask(protocol::schedule{}).unfollowed;
  if (!what.empty()) {
    screen_.say(fmt::format("the replay could not follow {}\n", what));
  }
}

void info::breakpoints() {
  if (debugger_.stops().empty()) {
    screen_.say("no breakpoints, no watches\n");
  }
  for (const auto& s : debugger_.stops()) {
    screen_.say(
        fmt::format("{}: {}{} {}{}\n",
                    s.id,
                    s.is_watch ? "watch"
                    : s.once   ? "tbreak"
                               : "break",
                    s.enabled ? "" : " (disabled)",
                    s.text,
                    s.hits != 0 ? fmt::format(" (stopped {})", counted(s.hits, "time")) : ""));
  }
}

void info::locals() {
  variables(false);
}

void info::arguments() {
  variables(true);
}

void info::variables(bool only_parameters) {
  auto known = debugger_.session().ask(protocol::locals{.frame = debugger_.frame()}).locals;
  if (only_parameters) {
    std::erase_if(known, [](const protocol::variable& v) { return !v.parameter; });
  }
  if (known.empty()) {
    screen_.say(fmt::format("no {} here, or no debug information of them\n",
                            only_parameters ? "parameters" : "variables"));
  }
  for (const protocol::variable& v : known) {
    screen_.say(fmt::format("{} = {}\n{}",
                            v.name,
                            render_value(v.value, screen_.looks, 4),
                            render_marks({&v.value}, 4)));
  }
}

void info::displays() {
  if (debugger_.displays().empty()) {
    screen_.say("nothing is displayed\n");
  }
  for (const auto& d : debugger_.displays()) {
    screen_.say(fmt::format("{}: {}\n", d.id, d.text));
  }
}

} // namespace tilesim::tools::step
