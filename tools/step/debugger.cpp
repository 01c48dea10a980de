// Moving forward and back.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/debugger.hpp"

#include <algorithm>

namespace tilesim::driver::step {
namespace {

using nlohmann::json;

json block_json(const block_name& name) {
  return std::visit([](const auto& number) { return json(number); }, name);
}

} // namespace

/// The program has come to a stop: what was set for one moment is over.
void debugger::arrive() {
  frame_ = 0;
  arrival_.reached.clear();
  bool changed = false;
  const auto reached = [this](unsigned id) -> stop_point* {
    stop_point* const one = stop_by_id(id);
    if (one != nullptr) {
      ++one->hits;
      arrival_.reached.push_back(*one);
    }
    return one;
  };
  for (const auto& watch : here().value("watches", json::array()))
    reached(watch.at("id"));
  for (const auto& id : here().value("breakpoints", json::array())) {
    const stop_point* const one = reached(id);
    if (one != nullptr && one->once)
      changed =
          std::erase_if(stops_, [gone = one->id](const auto& s) { return s.id == gone; }) != 0;
  }
  for (const auto& trouble : here().value("troubles", json::array())) {
    changed = true;
    if (stop_point* const one = stop_by_id(trouble.at("id")))
      one->what["trouble_told"] = true; // the person knows
  }
  if (changed)
    tell_stops();
}

// --- Forward

void debugger::run() {
  arrival_ = {};
  if (!session_.loaded()) {
    session_.restart();
    ++starts_;
  }
  session_.go({{"how", "run"}});
  arrive();
}

void debugger::go_on(std::uint64_t times, bool notes) {
  arrival_ = {};
  for (; times > 0; --times) {
    session_.go({{"how", "run"}, {"notes", notes}});
    if (session_.over())
      break;
  }
  arrive();
}

void debugger::step(std::uint64_t operations) {
  arrival_ = {};
  session_.go({{"how", "step"}, {"count", operations}});
  arrive();
}

void debugger::next(std::uint64_t lines) {
  arrival_ = {};
  for (; lines > 0; --lines) {
    session_.go({{"how", "next"}});
    if (here().value("reason", "") != "step")
      break;
  }
  arrive();
}

void debugger::finish() {
  arrival_ = {};
  session_.go({{"how", "finish"}});
  arrive();
}

void debugger::until(const location& where) {
  json how = {{"how", "until"}};
  if (where.line) {
    how["line"] = *where.line;
    how["file"] = where.file;
  }
  if (!where.operation.empty()) {
    ask({{"do", "check operation"}, {"name", where.operation}});
    how["op"] = where.operation;
  }
  arrival_ = {};
  session_.go(std::move(how));
  arrive();
}

// --- Back

bool debugger::take_back() {
  arrival_ = {};
  if (!session_.take_back())
    return false;
  arrive();
  return true;
}

void debugger::reverse_step(std::uint64_t operations) {
  arrival_ = {};
  if (!session_.take_back("step", operations)) {
    const std::uint64_t now = session_.position();
    session_.go_to(block_stands()     ? session_.place_back("step", operations)
                   : now > operations ? now - operations
                                      : 0);
  }
  arrive();
}

void debugger::reverse_next() {
  arrival_ = {};
  if (!session_.take_back("next"))
    session_.go_to(session_.place_back("line"));
  arrive();
}

void debugger::reverse_finish() {
  arrival_ = {};
  if (!session_.take_back("finish"))
    session_.go_to(session_.place_back("begin"));
  arrive();
}

void debugger::reverse_go_on() {
  arrival_ = {};
  if (!reverse_to_last_write())
    session_.reverse_continue();
  arrive();
}

/// Of watched memory the last writer is known. False where something else may stop in between.
bool debugger::reverse_to_last_write() {
  bool watches_memory = false;
  bool only_memory = true;
  std::uint64_t last = 0;
  unsigned id = 0;
  for (const auto& s : stops_) {
    if (!s.enabled)
      continue;
    json reply = json::object();
    // What a block's variable is called may be a buffer's name, too.
    if (s.is_watch && !s.what.contains("frame") && session_.alive())
      reply = ask({{"do", "writer"}, {"expression", s.what.at("what")}});
    watches_memory = watches_memory || reply.contains("writer");
    only_memory = only_memory && reply.contains("writer");
    if (reply.value("writer", std::uint64_t{0}) > last) {
      last = reply.at("writer");
      id = s.id;
    }
  }
  if (watches_memory && only_memory && last == 0) {
    session_.go_to(0);
    arrival_.never_written = true;
    return true;
  }
  // Behind the last operation of all nothing else has stopped since.
  if (last == 0 ||
      (!only_memory && !(session_.between_operations() && last == session_.position())))
    return false;
  session_.go_to(last - 1);
  arrival_.written_by = id;
  return true;
}

// --- Elsewhere

void debugger::go_to(std::uint64_t position) {
  arrival_ = {};
  session_.go_to(position);
  arrive();
}

void debugger::go_to_block(const block_name& block,
                           const std::optional<block_name>& thread,
                           std::optional<std::uint64_t> launch) {
  arrival_ = {};
  json request = {{"block", block_json(block)}};
  if (thread)
    request["thread"] = block_json(*thread);
  if (launch)
    request["launch"] = *launch;
  session_.switch_to(request);
  arrive();
}

void debugger::replay(const std::string& schedule) {
  ++starts_;
  begin_replay(schedule);
}

// --- Looking

nlohmann::json debugger::frames() {
  return ask({{"do", "frames"}}).at("frames");
}

json debugger::evaluate(const std::string& expression, std::optional<char> format) {
  json request = {{"do", "evaluate"}, {"expression", expression}, {"frame", frame_}};
  if (format)
    request["format"] = std::string(1, *format);
  return ask(request).at("value");
}

} // namespace tilesim::driver::step
