// What there is: blocks, buffers, findings, the schedule, breakpoints, variables.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::driver::step {

using nlohmann::json;

std::span<const char* const> info::topics() noexcept {
  static constexpr std::array names = {
      "blocks", "buffers", "races", "schedule", "breakpoints", "locals", "display"};
  return names;
}

void info::show(std::string_view topic) {
  struct row {
    std::string_view name;
    void (info::*show)();
  };
  static constexpr std::array<row, 12> all{{
      {"blocks", &info::blocks},
      {"buffers", &info::buffers},
      {"races", &info::findings},
      {"findings", &info::findings},
      {"schedule", &info::schedule},
      {"breakpoints", &info::breakpoints},
      {"locals", &info::locals},
      {"display", &info::displays},
      // What gdb calls them.
      {"b", &info::breakpoints},
      {"watchpoints", &info::breakpoints},
      {"args", &info::locals},
      {"threads", &info::blocks},
  }};
  const auto* it = std::ranges::find(all, topic, &row::name);
  if (it == all.end()) {
    const auto begins = [topic](const row& r) {
      return !topic.empty() && r.name.starts_with(topic);
    };
    if (std::ranges::count_if(all, begins) != 1)
      throw command_error(fmt::format(
          "info takes blocks, buffers, races, schedule, breakpoints, locals or display{}",
          topic.empty() ? "" : fmt::format(", not '{}'", topic)));
    it = std::ranges::find_if(all, begins);
  }
  (this->*it->show)();
}

void info::blocks() {
  const json reply = debugger_.ask({{"do", "blocks"}});
  if (reply.at("launches").empty())
    screen_.say("no kernel runs\n");
  for (const auto& l : reply.at("launches")) {
    const auto& grid = l.at("grid");
    const std::uint64_t threads = l.at("threads");
    const std::uint64_t started = l.at("started");
    const std::uint64_t ended = l.at("ended");
    screen_.say(
        fmt::format("launch {}: {}, grid {}x{}x{}, launched at {}: {} ended, {} alive, {} not "
                    "started\n",
                    l.at("launch").get<std::uint64_t>(),
                    l.at("kernel").get<std::string>(),
                    grid[0].get<unsigned>(),
                    grid[1].get<unsigned>(),
                    grid[2].get<unsigned>(),
                    l.at("place").get<std::string>(),
                    ended,
                    started - ended,
                    threads - started));
  }
  block_list(reply.at("blocks"));
}

void info::block_list(const json& list) {
  for (const auto& b : list) {
    const std::string operation = b.value("operation", "");
    std::string doing = b.contains("place") ? fmt::format("{}at {}",
                                                          operation.empty() ? "" : operation + ", ",
                                                          b.at("place").get<std::string>())
                                            : std::string("not at its first operation yet");
    if (b.at("state") == "waits") {
      doing = "waits";
      for (const auto& c : b.value("for", json::array()))
        doing += fmt::format(" for {} to become other than {}",
                             c.at("place").get<std::string>(),
                             c.at("value").get<std::uint64_t>());
      doing += fmt::format(", at {}", b.value("place", ""));
    }
    screen_.say(fmt::format("{} {} of {}: {} ({} operations)\n",
                            b.at("current").get<bool>() ? "*" : " ",
                            b.at("name").get<std::string>(),
                            b.at("kernel").get<std::string>(),
                            doing,
                            b.at("operations").get<std::uint64_t>()));
  }
}

void info::buffers() {
  const json reply = debugger_.ask({{"do", "buffers"}});
  if (reply.at("buffers").empty())
    screen_.say("nothing has been allocated\n");
  for (const auto& b : reply.at("buffers")) {
    const std::string type = b.at("type");
    screen_.say(fmt::format("{}: {} {}, {} bytes of {} at {:#x}, allocated at {}{}\n",
                            b.at("name").get<std::string>(),
                            b.at("count").get<std::size_t>(),
                            type.empty() ? "bytes" : type,
                            b.at("bytes").get<std::size_t>(),
                            b.at("kind").get<std::string>(),
                            b.at("address").get<std::uint64_t>(),
                            b.at("place").get<std::string>(),
                            b.at("live").get<bool>() ? "" : ", freed"));
  }
}

void info::findings() {
  const json reply = debugger_.ask({{"do", "findings"}});
  if (reply.at("findings").empty())
    screen_.say(
        fmt::format("nothing found up to here (position {})\n", debugger_.session().position()));
  for (const auto& f : reply.at("findings")) {
    screen_.say(render_finding(f, screen_.looks));
    if (const auto count = f.at("count").get<std::uint64_t>(); count > 1)
      screen_.say(fmt::format("  {} times\n", count));
  }
}

void info::schedule() {
  const json reply = debugger_.ask({{"do", "schedule"}});
  screen_.say(fmt::format("schedule: {}; position {} of {} reached\n",
                          reply.at("schedule").get<std::string>(),
                          debugger_.session().position(),
                          debugger_.session().farthest()));
  unfollowed();
  for (const auto& s : debugger_.session().switches()) {
    screen_.say(
        fmt::format("  at position {}: {}\n",
                    s.at("at").get<std::uint64_t>(),
                    s.contains("launch")
                        ? fmt::format("block {} of launch {} starts",
                                      s.at("block").get<std::uint64_t>(),
                                      s.at("launch").get<std::uint64_t>())
                        : fmt::format("block {} goes on", s.at("block").get<std::uint64_t>())));
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
  if (!debugger_.session().alive())
    return;
  const json what = debugger_.ask({{"do", "schedule"}}).at("unfollowed");
  if (what.is_string())
    screen_.say(fmt::format("the replay could not follow {}\n", what.get<std::string>()));
}

void info::breakpoints() {
  if (debugger_.stops().empty())
    screen_.say("no breakpoints, no watches\n");
  for (const auto& s : debugger_.stops())
    screen_.say(fmt::format("{}: {}{} {}{}\n",
                            s.id,
                            s.is_watch ? "watch"
                            : s.once   ? "tbreak"
                                       : "break",
                            s.enabled ? "" : " (disabled)",
                            s.text,
                            s.hits != 0 ? fmt::format(" (stopped {} times)", s.hits) : ""));
}

void info::locals() {
  const json reply = debugger_.ask({{"do", "locals"}, {"frame", debugger_.frame()}});
  if (reply.at("locals").empty())
    screen_.say("no variables here, or no debug information of them\n");
  for (const auto& v : reply.at("locals"))
    screen_.say(fmt::format("{} = {}\n{}",
                            v.at("name").get<std::string>(),
                            render_value(v.at("value"), screen_.looks, 4),
                            render_marks({&v.at("value")}, 4)));
}

void info::displays() {
  if (debugger_.displays().empty())
    screen_.say("nothing is displayed\n");
  for (const auto& d : debugger_.displays())
    screen_.say(fmt::format("{}: {}\n", d.id, d.text));
}

} // namespace tilesim::driver::step
