// Moving forward and back.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/debugger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tilesim::tools::step {

/// The program has come to a stop: what was set for one moment is over.
void debugger::arrive() {
  frame_ = 0;
  frame_number_ = 0;
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
  for (const auto& change : here().watches) {
    reached(change.id);
  }
  for (const unsigned id : here().breakpoints) {
    const stop_point* const one = reached(id);
    if (one != nullptr && one->once) {
      changed = std::erase_if(stops_, [id](const auto& s) { return s.id == id; }) != 0;
    }
  }
  for (const auto& trouble : here().troubles) {
    changed = true;
    if (stop_point* const one = stop_by_id(trouble.id)) {
      one->where.trouble_told = true; // the person knows
    }
  }
  if (changed) {
    tell_stops();
  }
}

// --- Forward

void debugger::run() {
  arrival_ = {};
  if (!session_.loaded()) {
    session_.restart();
    ++starts_;
  }
  session_.go({.how = protocol::way::run});
  arrive();
}

void debugger::go_on(std::uint64_t times, bool notes) {
  arrival_ = {};
  for (; times > 0; --times) {
    session_.go({.how = protocol::way::run, .notes = notes});
    if (session_.over()) {
      break;
    }
  }
  arrive();
}

void debugger::step(std::uint64_t operations) {
  arrival_ = {};
  session_.go({.how = protocol::way::step, .count = operations});
  arrive();
}

void debugger::next(std::uint64_t lines) {
  arrival_ = {};
  for (std::uint64_t made = 1; made <= lines; ++made) {
    session_.go({.how = protocol::way::next});
    if (here().reason != protocol::stop_reason::step) {
      session_.cut_short(lines, made);
      break;
    }
  }
  arrive();
}

namespace {

constexpr std::uint64_t warp_size = 32;

bool of_one_block(const protocol::thread& a, const protocol::thread& b) {
  return a.launch == b.launch && a.linear == b.linear;
}

/// The line of the operation that a thread is about to begin.
std::string line_of(const protocol::live_thread& t) {
  return t.frames.empty() ? t.place
                          : fmt::format("{}:{}", t.frames.front().file, t.frames.front().line);
}

} // namespace

/// One of the crowd's, which stood at that line when the crowd began to go on; empty: it has not
/// begun. False: something else has stopped it.
bool debugger::next_of_one(const protocol::thread& of,
                           std::uint64_t number,
                           const std::string& from) {
  const auto it = [&](const protocol::live_thread& one) {
    return of_one_block(one, of) && one.linear_in_block == number;
  };
  const auto alive = session_.ask(protocol::blocks{}).blocks;
  const auto t = std::ranges::find_if(alive, it);
  if (t == alive.end() ? !from.empty() : t->state != "stands" || line_of(*t) != from) {
    return true; // it has ended, waits, or has got on
  }
  if (t == alive.end() || !t->current) {
    try {
      session_.switch_to(
          {.launch = of.launch, .block = block_name{of.linear}, .thread = block_name{number}});
    } catch (const refused&) {
      return true; // it has ended, or cannot begin yet
    }
    // One that has met others has come to its next operation by that, perhaps lines further.
    const auto now = session_.ask(protocol::blocks{}).blocks;
    const auto there = std::ranges::find_if(now, it);
    if (!from.empty() && there != now.end() && line_of(*there) != from) {
      return true;
    }
  }
  session_.go({.how = protocol::way::next});
  return here().reason == protocol::stop_reason::step ||
         here().reason == protocol::stop_reason::block_ended;
}

void debugger::next_of_all(crowd whose, std::uint64_t lines) {
  if (!block_stands() || !here().thread->in_block) {
    throw refused("no thread of a block of several stands here: next goes on by a line");
  }
  const protocol::thread of = *here().thread;
  const std::uint64_t first = whose == crowd::warp ? of.linear_in_block / warp_size * warp_size : 0;
  arrival_ = {};
  bool undisturbed = true;
  for (; lines > 0 && undisturbed; --lines) {
    const auto all = session_.ask(protocol::blocks{});
    const auto launch = std::ranges::find(all.launches, of.launch, &protocol::launch::id);
    if (launch == all.launches.end()) {
      break;
    }
    const auto [x, y, z] = launch->grid;
    const std::uint64_t size = launch->threads / (std::uint64_t{x} * y * z);
    const std::uint64_t end = whose == crowd::warp ? std::min(first + warp_size, size) : size;
    std::vector<std::string> from(end - first);
    for (const protocol::live_thread& t : all.blocks) {
      if (of_one_block(t, of) && t.linear_in_block >= first && t.linear_in_block < end) {
        from[t.linear_in_block - first] = line_of(t);
      }
    }
    for (std::uint64_t i = first; i < end && undisturbed && block_stands(); ++i) {
      undisturbed = next_of_one(of, i, from[i - first]);
    }
  }
  if (undisturbed && block_stands() && here().thread->number != of.number) {
    try {
      session_.switch_to({.launch = of.launch,
                          .block = block_name{of.linear},
                          .thread = block_name{of.linear_in_block}});
    } catch (const refused&) { // it waits, or has ended: another one stands
    }
  }
  arrive();
}

void debugger::finish() {
  arrival_ = {};
  session_.go({.how = protocol::way::finish});
  arrive();
}

void debugger::until(const location& where) {
  if (!where.operation.empty()) {
    session_.ask(protocol::check_operation{.name = where.operation});
  }
  arrival_ = {};
  session_.go({.how = protocol::way::until,
               .file = where.file,
               .line = static_cast<unsigned>(where.line.value_or(0)),
               .operation = where.operation});
  arrive();
}

// --- Back

bool debugger::take_back() {
  arrival_ = {};
  if (!session_.take_back()) {
    return false;
  }
  arrive();
  return true;
}

void debugger::reverse_step(std::uint64_t operations) {
  arrival_ = {};
  if (!session_.take_back(protocol::way::step, operations)) {
    const std::uint64_t now = session_.position();
    session_.go_to(block_stands()     ? session_.place_back(protocol::back_by::step, operations)
                   : now > operations ? now - operations
                                      : 0);
  }
  arrive();
}

void debugger::reverse_next(std::uint64_t lines) {
  arrival_ = {};
  lines = session_.made_of(lines);
  for (bool first = true; lines > 0; --lines, first = false) {
    try {
      if (!session_.take_back(protocol::way::next)) {
        session_.go_to(session_.place_back(protocol::back_by::line));
      }
    } catch (const refused&) {
      if (first) {
        throw;
      }
      break; // there are no more: it stands at the first
    }
    if (session_.interrupted_on_the_way()) {
      break;
    }
  }
  arrive();
}

void debugger::reverse_finish() {
  arrival_ = {};
  if (!session_.take_back(protocol::way::finish)) {
    session_.go_to(session_.place_back(protocol::back_by::begin));
  }
  arrive();
}

void debugger::reverse_go_on(std::uint64_t times) {
  arrival_ = {};
  for (; times > 0; --times) {
    arrival_ = {};
    if (!reverse_to_last_write()) {
      session_.reverse_continue();
    }
    if (session_.position() == 0 || session_.interrupted_on_the_way()) {
      break;
    }
  }
  arrive();
}

/// Of watched memory the last writer is known. False where something else may stop in between.
bool debugger::reverse_to_last_write() {
  bool watches_memory = false;
  bool only_memory = true;
  std::uint64_t last = 0;
  unsigned id = 0;
  for (const auto& s : stops_) {
    if (!s.enabled) {
      continue;
    }
    std::optional<std::uint64_t> writer;
    // What a block's variable is called may be a buffer's name, too.
    if (s.is_watch && !s.what.frame && session_.alive()) {
      writer = session_.ask(protocol::writer{.expression = s.what.what}).writer;
    }
    watches_memory = watches_memory || writer;
    only_memory = only_memory && writer;
    if (writer.value_or(0) > last) {
      last = *writer;
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
      (!only_memory && !(session_.between_operations() && last == session_.position()))) {
    return false;
  }
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
  session_.switch_to({.launch = launch, .block = block, .thread = thread});
  arrive();
}

void debugger::choose(std::uint64_t back, std::optional<std::size_t> element) {
  session_.choose({.back = back, .element = element});
}

std::optional<protocol::read_list> debugger::reads() {
  if (!session_.lets_choose() || !block_stands()) {
    return std::nullopt;
  }
  return session_.ask(protocol::reads{});
}

void debugger::replay(const std::string& schedule) {
  ++starts_;
  begin_replay(schedule);
}

// --- Looking

protocol::value debugger::evaluate(const std::string& expression, std::optional<char> format) {
  return session_
      .ask(protocol::evaluate{.expression = expression,
                              .frame = frame_,
                              .format = format ? std::string(1, *format) : std::string()})
      .value;
}

} // namespace tilesim::tools::step
