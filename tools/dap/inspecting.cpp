// Looking at what stands: blocks, calls, values, memory; and the prompt's commands.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/dap/adapter.hpp"
#include "tools/step/frame_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <set>

namespace tilesim::driver::dap {
namespace {

using nlohmann::json;

constexpr std::size_t most_blocks = 1000;
constexpr std::size_t most_texts = 4096;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20U;

std::string base64(const std::vector<unsigned>& bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - i);
    unsigned bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = (bits << 8U) | (j < here ? bytes[i + j] & 0xFFU : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += j <= here ? digits[(bits >> (18U - (6U * j))) & 63U] : '=';
  }
  return text;
}

std::uint64_t address_in(const std::string& reference) {
  const bool hexadecimal = reference.rfind("0x", 0) == 0;
  std::uint64_t address = 0;
  const char* first = reference.data() + (hexadecimal ? 2 : 0);
  const char* last = reference.data() + reference.size();
  const auto [end, error] = std::from_chars(first, last, address, hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != last)
    throw step::refused(fmt::format("'{}' is no memoryReference", reference));
  return address;
}

} // namespace

// --- Blocks and calls

json adapter::threads(const json& /*arguments*/) {
  step::session& session = standing();
  json list = json::array();
  std::set<int> seen;
  const auto add = [&](const json& thread) {
    const int number = blocks_.number(thread);
    if (!seen.insert(number).second)
      return;
    std::string name = blocks::name(thread);
    if (thread.value("state", "") == "waits")
      name += " (waits)";
    list.push_back({{"id", number}, {"name", name}});
  };
  if (session.here().contains("thread")) {
    add(session.here().at("thread"));
    if (session.alive()) {
      const json reply = session.ask({{"do", "blocks"}, {"most", most_blocks}});
      for (const auto& b : reply.at("blocks"))
        add(b);
    }
  } else {
    list.push_back({{"id", int{blocks::host}}, {"name", "the host program"}});
  }
  std::sort(list.begin(), list.end(), [](const json& a, const json& b) {
    return a.at("id").get<int>() < b.at("id").get<int>();
  });
  last_threads_ = list;
  return {{"threads", std::move(list)}};
}

json adapter::block_entry(int thread) {
  step::session& session = standing();
  if (session.here().contains("thread") && session.alive()) {
    const json reply = session.ask({{"do", "blocks"}, {"most", most_blocks}});
    for (const auto& b : reply.at("blocks")) {
      if (blocks_.number(b) == thread)
        return b;
    }
  }
  throw step::refused(fmt::format("no block with the number {} is alive", thread));
}

json adapter::source_json(const std::string& file) const {
  std::error_code error;
  const auto path = std::filesystem::absolute(file, error).lexically_normal();
  return {{"name", path.filename().string()}, {"path", path.string()}};
}

json adapter::frame_json(const json& place, const std::string& name, frame f) {
  const int id = first_frame_ + static_cast<int>(frames_.size());
  frames_.push_back(std::move(f));
  const int line = place.at("line");
  const int column = std::max(place.at("column").get<int>(), 1);
  return {{"id", id},
          {"name", name},
          {"source", source_json(place.at("file"))},
          {"line", lines_from_one_ ? line : line - 1},
          {"column", columns_from_one_ ? column : column - 1}};
}

json adapter::stack_trace(const json& arguments) {
  const int thread = arguments.at("threadId");
  step::session& session = standing();
  const json& here = session.here();
  const bool current = here.contains("thread") && blocks_.number(here.at("thread")) == thread;
  json list = json::array();
  json frames;
  std::string next;
  json block;
  const bool is_host = thread == blocks::host && !here.contains("thread");
  if (is_host) { // known where it was interrupted or has ended by a signal
    frames = here.contains("crash")  ? here.at("crash").at("frames")
             : here.contains("host") ? session.ask({{"do", "frames"}}).at("frames")
                                     : json::array();
  } else if (current) {
    frames = session.alive() ? session.ask({{"do", "frames"}}).at("frames")
                             : json::array({here.at("next").at("frames")});
    next = here.at("next").at("operation");
  } else {
    block = block_entry(thread);
    frames = json::array({block.value("frames", json::array())});
    next = block.value("operation", "");
  }
  std::size_t total = 0;
  const std::size_t start = arguments.value("startFrame", std::size_t{0});
  const std::size_t levels = arguments.value("levels", std::size_t{0});
  for (std::size_t number = 0; number < frames.size(); ++number) {
    for (const auto& place : frames[number]) {
      const std::size_t index = total++;
      if (index < start || (levels != 0 && index >= start + levels))
        continue;
      std::string name = step::frame_name(frames, number, place);
      if (name == "launched")
        name += " at " + step::render_place(frames[number]);
      if (index == 0 && !next.empty())
        name += fmt::format(", next: {}", next);
      list.push_back(frame_json(
          place,
          name,
          {.current = current || here.contains("host"), .number = number, .block = block}));
    }
  }
  return {{"stackFrames", std::move(list)}, {"totalFrames", total}};
}

const adapter::frame& adapter::frame_of(const json& arguments) const {
  const int id = arguments.at("frameId");
  const int index = id - first_frame_;
  if (index < 0 || index >= static_cast<int>(frames_.size()))
    throw step::refused(
        fmt::format("nothing has the frameId {}; the program has moved on since", id));
  return frames_[static_cast<std::size_t>(index)];
}

// --- Values

json adapter::scopes(const json& arguments) {
  const frame& f = frame_of(arguments);
  return {{"scopes", variables_->scopes(f.number, f.current ? nullptr : &f.block)}};
}

json adapter::children(const json& arguments) {
  const page p{.filter = arguments.value("filter", ""),
               .start = arguments.value("start", std::size_t{0}),
               .count = arguments.value("count", std::size_t{0})};
  return {{"variables", variables_->children(arguments.at("variablesReference"), p)}};
}

json adapter::evaluate(const json& arguments) {
  const std::string expression = arguments.at("expression");
  const bool typed = arguments.value("context", "") == "repl";
  try {
    std::size_t number = 0;
    if (arguments.contains("frameId")) {
      const frame& f = frame_of(arguments);
      if (!f.current)
        throw step::refused("values can be shown of the block that stands here alone; 'block N' in "
                            "the console, or a step of another block, goes to it");
      number = f.number;
    }
    auto e = variables_->evaluate(expression, number, typed ? most_texts : std::size_t{16});
    if (typed)
      e.body["result"] = step::render_value(e.value, {.width = 100});
    return std::move(e.body);
  } catch (const step::refused&) {
    if (!typed || step::prompt::command_name(expression).empty())
      throw;
  }
  return {{"result", run_command(expression)}, {"variablesReference", 0}};
}

std::string adapter::run_command(const std::string& line) {
  const std::string command = step::prompt::command_name(line);
  if (command == "quit") {
    afterwards_ = [this] { end(exit_code()); };
    return {};
  }
  step::prompt& prompt = program_->prompt();
  if (!step::prompt::moves(line))
    return said_by([&] { prompt.execute(line); });
  if (!configured_)
    throw step::refused("the program has not been started yet");
  // The response says at once that the command was understood: the program may run for long.
  const json& here = standing().here();
  const int thread =
      here.contains("thread") ? blocks_.number(here.at("thread")) : int{blocks::host};
  afterwards_ = [this, line, command, thread] {
    wire_.event("continued", {{"threadId", thread}, {"allThreadsContinued", true}});
    move_saying([this, line] { program_->prompt().execute(line); },
                command == "run" || command == "continue");
  };
  return {};
}

json adapter::completions(const json& arguments) {
  const std::string text = arguments.at("text");
  const std::size_t column = arguments.at("column");
  const std::string line =
      text.substr(0, std::min(column - (columns_from_one_ && column > 0 ? 1U : 0U), text.size()));
  const std::size_t begin = line.find_last_of(" \t=(*&!+-/") + 1;
  std::set<std::string> found;
  step::prompt& prompt = program_->prompt();
  for (const std::string& what : {line, "print " + line}) {
    try {
      for (auto& candidate : prompt.completions(what))
        found.insert(std::move(candidate));
    } catch (const std::exception&) { // no such command: nothing to offer
    }
  }
  json targets = json::array();
  for (const auto& candidate : found)
    targets.push_back({{"label", candidate},
                       {"start", columns_from_one_ ? begin + 1 : begin},
                       {"length", line.size() - begin}});
  return {{"targets", std::move(targets)}};
}

json adapter::data_breakpoint_info(const json& arguments) {
  const std::string name = arguments.at("name");
  std::string expression = name;
  if (arguments.contains("variablesReference")) {
    const auto found = variables_->expression_of(arguments.at("variablesReference"), name);
    if (!found)
      return {{"dataId", nullptr}, {"description", fmt::format("'{}' is no variable", name)}};
    expression = *found;
  }
  try {
    const std::size_t number = arguments.contains("frameId") ? frame_of(arguments).number : 0;
    static_cast<void>(variables_->evaluate(expression, number, 1));
  } catch (const step::refused& r) {
    return {{"dataId", nullptr}, {"description", r.what()}};
  }
  return {{"dataId", expression},
          {"description", expression},
          {"accessTypes", {"write"}},
          {"canPersist", true}};
}

json adapter::exception_info(const json& /*arguments*/) {
  const json& here = standing().here();
  for (const auto& f : findings_) {
    if (f.value("level", "") != "error")
      continue;
    std::string details;
    for (const auto& d : f.at("details"))
      details += d.get<std::string>() + "\n";
    if (const std::string remedy = f.value("remedy", ""); !remedy.empty())
      details += fmt::format("to fix: {}\n", remedy);
    std::string places = fmt::format("at {}\n", step::render_place(f.at("where")));
    if (!f.at("other").empty())
      places += fmt::format("the other is at {}\n", step::render_place(f.at("other")));
    return {
        {"exceptionId", f.at("code")},
        {"description", f.at("message")},
        {"breakMode", "always"},
        {"details", {{"message", details}, {"typeName", f.at("code")}, {"stackTrace", places}}}};
  }
  throw step::refused(fmt::format("there is no finding here; the program stands because of: {}",
                                  here.value("reason", "")));
}

json adapter::read_memory(const json& arguments) {
  const std::uint64_t address =
      address_in(arguments.at("memoryReference")) +
      static_cast<std::uint64_t>(arguments.value("offset", std::int64_t{0}));
  const std::uint64_t count = std::min(arguments.at("count").get<std::uint64_t>(), most_bytes);
  const std::string shown = fmt::format("{:#x}", address);
  if (count == 0)
    return {{"address", shown}, {"data", ""}};
  try {
    const json reply =
        standing().ask({{"do", "memory"}, {"expression", shown + "l"}, {"bytes", count}});
    const auto bytes = reply.at("bytes").get<std::vector<unsigned>>();
    return {{"address", shown}, {"data", base64(bytes)}, {"unreadableBytes", count - bytes.size()}};
  } catch (const step::refused&) {
    if (!standing().alive())
      throw;
    return {{"address", shown}, {"unreadableBytes", count}};
  }
}

} // namespace tilesim::driver::dap
