// Schedules of a check: derived from one seed, written as a string and read back.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check_schedule.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <vector>

namespace tilesim::driver {
namespace {

// Schedulers change: a string of another version would replay another schedule.
constexpr std::string_view version = "1";
constexpr std::size_t hash_digits = 16;
constexpr unsigned most_log_steps = 40;

// SplitMix64's output function, 32 bits of it: seeds that are short to write.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + index * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z >> 32U;
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(by);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos)
      return parts;
    text.remove_prefix(at + 1);
  }
}

template <class T>
bool read(std::string_view text, T& value, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc{} && end == text.data() + text.size();
}

// "rr", "random", "pct3x12"
bool read_strategy(std::string_view text, schedule& s) {
  if (text == "rr" || text == "random") {
    s.how = text == "rr" ? strategy::round_robin : strategy::random;
    return true;
  }
  if (!text.starts_with("pct"))
    return false;
  s.how = strategy::pct;
  const auto numbers = split(text.substr(3), 'x');
  return numbers.size() == 2 && read(numbers[0], s.depth, 10) &&
         read(numbers[1], s.log_steps, 10) && s.depth > 0 && s.log_steps <= most_log_steps;
}

std::string strategy_text(const schedule& s) {
  switch (s.how) {
  case strategy::round_robin:
    return "rr";
  case strategy::random:
    return "random";
  case strategy::pct:
    return fmt::format("pct{}x{}", s.depth, s.log_steps);
  }
  return {};
}

} // namespace

schedule nth_schedule(std::size_t index, std::uint64_t seed, unsigned depth, std::uint64_t steps) {
  if (index == 0)
    return {};
  schedule s;
  s.seed = s.fill = mixed(seed, index);
  if (index % 2 == 1) {
    s.how = strategy::random;
    return s;
  }
  s.how = strategy::pct;
  s.depth = depth;
  while (s.log_steps < most_log_steps && (std::uint64_t{1} << s.log_steps) < steps)
    ++s.log_steps;
  return s;
}

std::string describe(const schedule& s) {
  switch (s.how) {
  case strategy::round_robin:
    return "round-robin";
  case strategy::random:
    return fmt::format("random, seed {}", s.seed);
  case strategy::pct:
    return fmt::format("pct of depth {}, seed {}", s.depth, s.seed);
  }
  return {};
}

void set_options(const schedule& s, nlohmann::json& options) {
  options["schedule"] = s.how == strategy::round_robin ? "round-robin"
                        : s.how == strategy::random    ? "random"
                                                       : "pct";
  options["seed"] = s.seed;
  options["fill"] = s.fill;
  if (s.how == strategy::pct) {
    options["depth"] = s.depth;
    options["steps"] = std::uint64_t{1} << s.log_steps;
  }
}

std::string to_string(const replay& r) {
  return fmt::format(
      "{}-{}-{:x}-{:x}-{}", version, strategy_text(r.which), r.which.seed, r.which.fill, r.program);
}

std::optional<replay> parse_replay(std::string_view text) {
  const auto parts = split(text, '-');
  replay r;
  if (parts.size() != 5 || parts[0] != version || !read_strategy(parts[1], r.which) ||
      !read(parts[2], r.which.seed, 16) || !read(parts[3], r.which.fill, 16) ||
      parts[4].size() != hash_digits ||
      parts[4].find_first_not_of("0123456789abcdef") != std::string_view::npos)
    return {};
  r.program = parts[4];
  return r;
}

} // namespace tilesim::driver
