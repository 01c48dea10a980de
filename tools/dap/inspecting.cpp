// Looking at what stands: blocks, calls, values, memory; and the prompt's commands.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/dap/adapter.hpp"
#include "tools/step/frame_name.hpp"
#include "tools/step/thread_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>

namespace tilesim::tools::dap {
namespace {

using nlohmann::json;

constexpr std::size_t most_blocks = 1000;
constexpr std::size_t most_texts = 4096;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20U;

std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - i);
    unsigned bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = (bits << 8U) | (j < here ? bytes[i + j] : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text += j <= here ? digits[(bits >> (18U - (6U * j))) & 63U] : '=';
    }
  }
  return text;
}

std::uint64_t address_in(const std::string& reference) {
  const bool hexadecimal = reference.rfind("0x", 0) == 0;
  std::uint64_t address = 0;
  const char* first = reference.data() + (hexadecimal ? 2 : 0);
  const char* last = reference.data() + reference.size();
  const auto [end, error] = std::from_chars(first, last, address, hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != last) {
    throw step::refused(fmt::format("'{}' is no memoryReference", reference));
  }
  return address;
}

} // namespace

// --- Blocks and calls

/// The number of who stands here; behind its last operation, of a block that has ended.
int adapter::standing_thread() {
  const auto* const who = standing().here().who();
  return who != nullptr ? blocks_.number(*who) : int{blocks::host};
}

json adapter::threads(const json& /*arguments*/) {
  step::session& session = standing();
  const step::standing& here = session.here();
  std::map<int, std::string> names;
  const auto* const who = here.who();
  names.emplace(standing_thread(),
                who == nullptr ? "the host program"
                               : blocks::name(*who) + (here.thread ? "" : " (has ended)"));
  if (session.alive() && who != nullptr) {
    const auto alive = session.ask(step::protocol::blocks{}).blocks;
    for (const step::thread_group& g : step::grouped(alive)) {
      if (names.size() == most_blocks) {
        break;
      }
      names.try_emplace(blocks_.number(g.first),
                        blocks::name(g.first, g.name()) +
                            (g.first.state == "stands" ? "" : " (waits)"));
    }
  }
  last_threads_ = json::array();
  for (const auto& [number, name] : names) {
    last_threads_.push_back({{"id", number}, {"name", name}});
  }
  return {{"threads", last_threads_}};
}

step::protocol::live_thread adapter::block_entry(int thread) {
  step::session& session = standing();
  if (session.here().who() != nullptr && session.alive()) {
    for (auto& b : session.ask(step::protocol::blocks{}).blocks) {
      if (blocks_.number(b) == thread) {
        return std::move(b);
      }
    }
  }
  throw step::refused(fmt::format("no block with the number {} is alive", thread));
}

json adapter::source_json(const std::string& file) {
  std::error_code error;
  const auto path = std::filesystem::absolute(file, error).lexically_normal();
  return {{"name", path.filename().string()}, {"path", path.string()}};
}

json adapter::frame_json(const source_frame& place, const std::string& name, frame f) {
  const int id = first_frame_ + static_cast<int>(frames_.size());
  frames_.push_back(std::move(f));
  const auto line = static_cast<int>(place.line);
  const int column = std::max(static_cast<int>(place.column), 1);
  return {{"id", id},
          {"name", name},
          {"source", source_json(place.file)},
          {"line", lines_from_one_ ? line : line - 1},
          {"column", columns_from_one_ ? column : column - 1}};
}

/// What leads to where a thread stands.
struct adapter::calls {
  std::vector<step::protocol::frames> frames;
  std::string next; ///< the operation that it is about to begin
  step::protocol::live_thread block = {};
  bool current = true;
};

adapter::calls adapter::calls_of(int thread) {
  step::session& session = standing();
  const step::standing& here = session.here();
  if (thread == blocks::host && !here.thread) { // where it was interrupted, or ended by a signal
    if (here.crash) {
      return {.frames = here.crash->frames, .next = {}, .current = !here.host.empty()};
    }
    if (!here.host.empty()) {
      return {.frames = session.ask(step::protocol::calls{}).frames, .next = {}};
    }
    return {.frames = {}, .next = {}, .current = false};
  }
  if (here.thread && blocks_.number(*here.thread) == thread) {
    const step::protocol::next_operation next = here.next.value();
    return {.frames = session.alive() ? session.ask(step::protocol::calls{}).frames
                                      : std::vector<step::protocol::frames>{next.frames},
            .next = next.operation};
  }
  if (here.behind && blocks_.number(*here.behind) == thread) {
    // A finding knows its place better than the last operation does: it may be of a raw access.
    const auto found = std::ranges::find_if(
        here.findings, [](const auto& f) { return f.level == "error" && !f.where.empty(); });
    return {.frames = {found == here.findings.end() ? here.behind->frames : found->where},
            .next = {},
            .block = *here.behind,
            .current = false};
  }
  step::protocol::live_thread block = block_entry(thread);
  return {.frames = {block.frames},
          .next = block.operation,
          .block = block,
          .current = !here.host.empty()};
}

json adapter::stack_trace(const json& arguments) {
  const calls all = calls_of(arguments.at("threadId"));
  json list = json::array();
  const std::size_t start = arguments.value("startFrame", std::size_t{0});
  const std::size_t levels = arguments.value("levels", std::size_t{0});
  const auto frames = step::listed_frames(all.frames);
  for (std::size_t index = start; index < frames.size(); ++index) {
    if (levels != 0 && index >= start + levels) {
      break;
    }
    const auto& [call, place, function] = frames[index];
    std::string name = function;
    if (name == "launched") {
      name += " at " + step::render_place(all.frames[call]);
    }
    if (index == 0 && !all.next.empty()) {
      name += fmt::format(", next: {}", all.next);
    }
    list.push_back(
        frame_json(place, name, {.current = all.current, .number = call, .block = all.block}));
  }
  return {{"stackFrames", std::move(list)}, {"totalFrames", frames.size()}};
}

const adapter::frame& adapter::frame_of(const json& arguments) const {
  const int id = arguments.at("frameId");
  const int index = id - first_frame_;
  if (index < 0 || index >= static_cast<int>(frames_.size())) {
    throw step::refused(
        fmt::format("nothing has the frameId {}; the program has moved on since", id));
  }
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
      if (!f.current && standing().here().behind) {
        throw step::refused(
            "this block has ended, and its variables with it; step back to see them. "
            "Buffers can be looked at in the console");
      }
      if (!f.current) {
        throw step::refused("values can be shown of the block that stands here alone; 'block N' in "
                            "the console, or a step of another block, goes to it");
      }
      number = f.number;
    }
    auto e = variables_->evaluate(expression, number, typed ? most_texts : std::size_t{16});
    if (typed) {
      e.body["result"] = step::render_value(e.value, {.width = 100});
    }
    return std::move(e.body);
  } catch (const step::refused&) {
    if (!typed || step::prompt::command_name(expression).empty()) {
      throw;
    }
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
  if (!step::prompt::moves(line)) {
    return said_by([&] { prompt.execute(line); });
  }
  if (!configured_) {
    throw step::refused("the program has not been started yet");
  }
  // The response says at once that the command was understood: the program may run for long.
  const int thread = standing_thread();
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
      for (auto& candidate : prompt.completions(what)) {
        found.insert(std::move(candidate));
      }
    } catch (const std::exception&) { // no such command: nothing to offer
    }
  }
  json targets = json::array();
  for (const auto& candidate : found) {
    targets.push_back({{"label", candidate},
                       {"start", columns_from_one_ ? begin + 1 : begin},
                       {"length", line.size() - begin}});
  }
  return {{"targets", std::move(targets)}};
}

json adapter::data_breakpoint_info(const json& arguments) {
  const std::string name = arguments.at("name");
  std::string expression = name;
  if (arguments.contains("variablesReference")) {
    const auto found = variables_->expression_of(arguments.at("variablesReference"), name);
    if (!found) {
      return {{"dataId", nullptr}, {"description", fmt::format("'{}' is no variable", name)}};
    }
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
  const auto f = std::ranges::find(findings_, "error", &step::protocol::finding::level);
  if (f == findings_.end()) {
    throw step::refused(fmt::format("there is no finding here; the program stands because of: {}",
                                    step::protocol::word(standing().here().reason)));
  }
  std::string details;
  for (const auto& d : f->details) {
    details += d + "\n";
  }
  if (!f->remedy.empty()) {
    details += fmt::format("to fix: {}\n", f->remedy);
  }
  std::string places = fmt::format("at {}\n", step::render_place(f->where));
  if (!f->other.empty()) {
    places += fmt::format("the other is at {}\n", step::render_place(f->other));
  }
  return {{"exceptionId", f->code},
          {"description", f->message},
          {"breakMode", "always"},
          {"details", {{"message", details}, {"typeName", f->code}, {"stackTrace", places}}}};
}

json adapter::read_memory(const json& arguments) {
  const std::uint64_t address =
      address_in(arguments.at("memoryReference")) +
      static_cast<std::uint64_t>(arguments.value("offset", std::int64_t{0}));
  const std::uint64_t count = std::min(arguments.at("count").get<std::uint64_t>(), most_bytes);
  const std::string shown = fmt::format("{:#x}", address);
  if (count == 0) {
    return {{"address", shown}, {"data", ""}};
  }
  try {
    const auto bytes =
        standing().ask(step::protocol::memory{.expression = shown + "l", .bytes = count}).bytes;
    return {{"address", shown}, {"data", base64(bytes)}, {"unreadableBytes", count - bytes.size()}};
  } catch (const step::refused&) {
    if (!standing().alive()) {
      throw;
    }
    return {{"address", shown}, {"unreadableBytes", count}};
  }
}

} // namespace tilesim::tools::dap
