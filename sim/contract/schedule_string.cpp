// Writing and reading schedules.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/schedule_string.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace tilesim::sim {

namespace {

// Schedulers change: a string of another version would replay another schedule.
constexpr std::string_view version = "2";
constexpr std::size_t hash_digits = 16;

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(by);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(at + 1);
  }
}

template <class T>
bool read(std::string_view text, T& value, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc{} && end == text.data() + text.size();
}

/// What stands before the first `by`, which is dropped; all of the text if there is none.
std::string_view cut(std::string_view& text, char by) {
  const std::size_t at = text.find(by);
  const std::string_view front = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
  return front;
}

std::string text_of(const turn_point& p) {
  if (p.any) {
    return fmt::format(":{}", p.operations);
  }
  return p.raw ? fmt::format("@{}+{}", p.operations, *p.raw) : fmt::format("@{}", p.operations);
}

// "5", "5+1"
bool read_point(std::string_view text, turn_point& p) {
  const bool raw = text.find('+') != std::string_view::npos;
  if (!read(cut(text, '+'), p.operations)) {
    return false;
  }
  return !raw || read(text, p.raw.emplace());
}

// "3", "3@5", "3:17", "2.3@5"
bool read_turn(std::string_view text, turn& t) {
  if (text.find('.') != std::string_view::npos && (!read(cut(text, '.'), t.launch))) {
    return false;
  }
  const std::size_t bound = text.find_first_of("@:");
  if (t.launch == 0 || !read(text.substr(0, bound), t.thread)) {
    return false;
  }
  if (bound == std::string_view::npos) {
    return true;
  }
  turn_point& p = t.until.emplace();
  p.any = text[bound] == ':';
  text.remove_prefix(bound + 1);
  return p.any ? read(text, p.operations) : read_point(text, p);
}

// "3@5:1", "2.3@5:1"
bool read_stale(std::string_view text, stale_choice& c) {
  if (text.find('.') != std::string_view::npos && !read(cut(text, '.'), c.launch)) {
    return false;
  }
  const std::string_view thread = cut(text, '@');
  const std::string_view number = cut(text, ':');
  return c.launch != 0 && read(thread, c.thread) && read(number, c.read) && read(text, c.back) &&
         c.back != 0;
}

// "rr", "random", "bursts", "pct3x12", turns
bool read_strategy(std::string_view text, schedule& s) {
  if (text == "rr" || text == "random") {
    s.how = text == "rr" ? strategy::round_robin : strategy::random;
    return true;
  }
  if (text == "bursts") {
    s.how = strategy::bursts;
    return true;
  }
  if (!text.starts_with("pct")) {
    const auto turns = parse_turns(text);
    s.how = strategy::turns;
    s.turns = turns.value_or(std::vector<turn>{});
    return turns.has_value();
  }
  s.how = strategy::pct;
  text.remove_prefix(3);
  s.at_once = text.ends_with('w');
  text.remove_suffix(s.at_once ? 1 : 0);
  const auto numbers = split(text, 'x');
  return numbers.size() == 2 && read(numbers[0], s.depth) && read(numbers[1], s.log_steps) &&
         s.depth > 0 && s.log_steps <= most_log_steps;
}

std::string text_of_strategy(const schedule& s) {
  switch (s.how) {
  case strategy::round_robin:
    return "rr";
  case strategy::random:
    return "random";
  case strategy::bursts:
    return "bursts";
  case strategy::pct:
    return fmt::format("pct{}x{}{}", s.depth, s.log_steps, s.at_once ? "w" : "");
  case strategy::turns:
    return to_string(s.turns);
  }
  return {};
}

} // namespace

std::string to_string(const std::vector<turn>& turns) {
  std::string text;
  std::uint64_t launch = 1;
  for (const turn& t : turns) {
    text += text.empty() ? "" : ",";
    text += t.launch == launch ? "" : fmt::format("{}.", t.launch);
    text += fmt::format("{}{}", t.thread, t.until ? text_of(*t.until) : "");
    launch = t.launch;
  }
  return text;
}

std::optional<std::vector<turn>> parse_turns(std::string_view text) {
  std::vector<turn> turns;
  for (const std::string_view part : split(text, ',')) {
    turn t{.launch = turns.empty() ? 1 : turns.back().launch, .thread = 0, .until = {}};
    if (!read_turn(part, t)) {
      return {};
    }
    turns.push_back(t);
  }
  return turns;
}

std::string to_string(const std::vector<stale_choice>& reads) {
  std::string text;
  std::uint64_t launch = 1;
  for (const stale_choice& c : reads) {
    text += text.empty() ? "" : ",";
    text += c.launch == launch ? "" : fmt::format("{}.", c.launch);
    text += fmt::format("{}@{}:{}", c.thread, c.read, c.back);
    launch = c.launch;
  }
  return text;
}

std::optional<std::vector<stale_choice>> parse_stale_choices(std::string_view text) {
  std::vector<stale_choice> reads;
  for (const std::string_view part : split(text, ',')) {
    stale_choice c{.launch = reads.empty() ? 1 : reads.back().launch};
    if (!read_stale(part, c)) {
      return {};
    }
    reads.push_back(c);
  }
  return reads;
}

schedule schedule::sequential() const {
  schedule s = *this;
  s.weak = false;
  s.stale.clear();
  return s;
}

std::string to_string(const schedule& s) {
  std::string text = text_of_strategy(s);
  if (s.seed != 0 || s.fill != 0) {
    text += fmt::format("_{:x}", s.seed);
  }
  if (s.fill != s.seed) {
    text += fmt::format("_{:x}", s.fill);
  }
  if (!s.stale.empty()) {
    text += "_r" + to_string(s.stale);
  } else if (s.weak) {
    text += "_w";
  }
  return s.launches_wait ? text + "_l" : text;
}

std::optional<schedule> parse_schedule(std::string_view text) {
  auto parts = split(text, '_');
  schedule s;
  // No number in hexadecimal begins so.
  if (parts.size() > 1 && parts.back() == "l") {
    s.launches_wait = true;
    parts.pop_back();
  }
  if (parts.size() > 1 && parts.back() == "w") {
    s.weak = true;
    parts.pop_back();
  } else if (parts.size() > 1 && parts.back().starts_with('r')) {
    auto stale = parse_stale_choices(parts.back().substr(1));
    if (!stale) {
      return {};
    }
    s.stale = std::move(*stale);
    parts.pop_back();
  }
  if (parts.size() > 3 || !read_strategy(parts[0], s) ||
      (parts.size() > 1 && !read(parts[1], s.seed, 16))) {
    return {};
  }
  s.fill = s.seed;
  if (parts.size() > 2 && !read(parts[2], s.fill, 16)) {
    return {};
  }
  return s;
}

const char* name_of(strategy how) noexcept {
  switch (how) {
  case strategy::round_robin:
    return "round-robin";
  case strategy::random:
    return "random";
  case strategy::pct:
    return "pct";
  case strategy::turns:
    return "turns";
  case strategy::bursts:
    return "bursts";
  }
  return "?";
}

std::string describe(const schedule& s) {
  std::string text = name_of(s.how);
  switch (s.how) {
  case strategy::round_robin:
    break;
  case strategy::random:
  case strategy::bursts:
    text += fmt::format(", seed {}", s.seed);
    break;
  case strategy::pct:
    text += fmt::format(" of depth {}, seed {}", s.depth, s.seed);
    break;
  case strategy::turns:
    text += ' ' + to_string(s.turns);
    break;
  }
  if (s.fill != s.seed) {
    text += fmt::format(", fill {}", s.fill);
  }
  if (!s.stale.empty()) {
    text += fmt::format(", stale read{} {}", s.stale.size() == 1 ? "" : "s", to_string(s.stale));
  } else if (s.weak) {
    text = "weak " + text;
  }
  return s.launches_wait ? text + ", launches wait for the host" : text;
}

std::string to_string(const replay& r) {
  return fmt::format("{}-{}-{}{}",
                     version,
                     to_string(r.which),
                     r.program,
                     r.position ? fmt::format("-{}", *r.position) : "");
}

std::optional<replay> parse_replay(std::string_view text) {
  const auto parts = split(text, '-');
  if (parts.size() < 3 || parts.size() > 4 || parts[0] != version ||
      parts[2].size() != hash_digits ||
      parts[2].find_first_not_of("0123456789abcdef") != std::string_view::npos) {
    return {};
  }
  auto which = parse_schedule(parts[1]);
  if (!which) {
    return {};
  }
  replay r{std::move(*which), std::string(parts[2])};
  if (parts.size() == 4 && !read(parts[3], r.position.emplace())) {
    return {};
  }
  return r;
}

} // namespace tilesim::sim
