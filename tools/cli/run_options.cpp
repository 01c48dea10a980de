// The table of options that reach the simulator, and their way into the environment.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/run_options.hpp"

#include "sim/contract/bounded_json.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/number_checks.hpp"

#include <tilesim/report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::driver {
namespace {

enum class type : unsigned char {
  flag,
  count,
  seconds,
  bytes,
  seed,
  schedule,
  arithmetic,
  order,
  undefined_kinds,
  note_kinds
};

struct row {
  const char* option = nullptr;
  const char* key = nullptr; ///< in the JSON object
  type takes{};
  const char* help = nullptr;
  bool of_check = false;   ///< `check` has it, too
  std::uint64_t least = 0; ///< of a count
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

constexpr std::uint64_t most_depth = 99;
constexpr std::uint64_t most_steps = std::uint64_t{1} << 40;

// clang-format off
constexpr std::array rows{
    row{"--schedule",        "schedule",        type::schedule, "the order of blocks: round-robin (default), random, bursts or pct"},
    row{"--depth",           "depth",           type::count,    "of pct: how many ordered events a bug takes (3)", false, 1, most_depth},
    row{"--steps",           "steps",           type::count,    "of pct: how many memory operations to expect (4096)", false, 1, most_steps},
    row{"--seed",            "seed",            type::seed,     "of the schedule, unspecified values and random orders: a number or random"},
    row{"--arith",           "arith",           type::arithmetic, "where reference and hardware differ: page (default) or hardware", true},
    row{"--order",           "order",           type::order,    "in which reductions, scans and mma combine: fixed (default) or random", true},
    row{"--max-ops",         "max_ops",         type::count,    "stop after so many tile operations", true},
    row{"--idle-ops",        "idle_ops",        type::count,    "stop after so many operations and raw accesses in which no block has ended", true},
    row{"--polls",           "polls",           type::count,    "how often a block may poll in vain that may give up by itself (1048576)", true},
    row{"--stall",           "stall",           type::seconds,  "stop when no block has done anything that is seen for so many seconds (60; 0: never)"},
    row{"--timeout",         "timeout",         type::seconds,  "stop after so many seconds"},
    row{"--no-ub",           "no_ub",           type::undefined_kinds, "say nothing of undefined behaviour: of any kind, or --no-ub=KIND,KIND", true},
    row{"--notes",           "notes",           type::note_kinds, "say also what is no defect: every kind of note, or --notes=KIND,KIND", true},
    row{"--races",           "races",           type::flag,     "report every data race of the run: see 'tilesim check'"},
    row{"--leaks",           "leaks",           type::flag,     "memory that is never freed is an error, not a note", true},
    row{"--keep-going",      "keep_going",      type::flag,     "drop the elements of a bad access, and go on", true},
    row{"--stats",           "stats",           type::flag,     "print a line of statistics at the end"},
    row{"--device-memory",   "device_memory",   type::bytes,    "memory of the simulated device, such as 512M or 16G", true},
    row{"--stack-bytes",     "stack_bytes",     type::bytes,    "address space for one block's stack, 256M unless told", true},
    row{"--multiprocessors", "multiprocessors", type::count,    "multiprocessors that the device reports", true},
};
// clang-format on

bool takes_kinds(type t) {
  return t == type::undefined_kinds || t == type::note_kinds;
}

/// The codes of the kinds of findings that an option takes.
std::vector<std::string> codes(type t) {
  const auto wanted = t == type::note_kinds ? finding_class::note : finding_class::undefined;
  std::vector<std::string> result;
  for (std::size_t k = 0; k < finding_kinds; ++k)
    if (class_of(static_cast<finding_kind>(k)) == wanted)
      result.emplace_back(code(static_cast<finding_kind>(k)));
  return result;
}

/// A list of kinds as JSON; "true", which stands for an option without a value, is all of them.
std::optional<nlohmann::json> parse_kinds(type t, const std::string& text) {
  if (text == "true")
    return true;
  const auto known = codes(t);
  auto list = nlohmann::json::array();
  for (std::size_t at = 0; at <= text.size();) {
    const auto comma = std::min(text.find(',', at), text.size());
    const auto word = text.substr(at, comma - at);
    if (std::ranges::find(known, word) == known.end())
      return {};
    list.push_back(word);
    at = comma + 1;
  }
  return list;
}

/// What several options of the kind say together.
nlohmann::json merged(const nlohmann::json& a, const nlohmann::json& b) {
  if (!a.is_array() || !b.is_array())
    return true;
  auto all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

// The value as JSON; nothing if the text is none of the option's type.
std::optional<nlohmann::json> parse(const row& r, const std::string& text) {
  const auto t = r.takes;
  switch (t) {
  case type::flag:
    return true;
  case type::undefined_kinds:
  case type::note_kinds:
    return parse_kinds(t, text);
  case type::schedule:
    if (text == "round-robin" || text == "random" || text == "bursts" || text == "pct")
      return text;
    return {};
  case type::arithmetic:
    if (text == "page" || text == "hardware")
      return text;
    return {};
  case type::order:
    if (text == "fixed" || text == "random")
      return text;
    return {};
  case type::seed:
    if (text == "random")
      return text;
    [[fallthrough]];
  case type::count:
    if (const auto n = number<std::uint64_t>(text); n && *n >= r.least && *n <= r.most)
      return *n;
    return {};
  case type::seconds:
    if (const auto n = seconds(text))
      return *n;
    return {};
  case type::bytes: {
    const auto unit = text.empty() ? '\0' : text.back();
    const int shift = unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0;
    const auto digits = std::string_view(text).substr(0, text.size() - (shift != 0 ? 1 : 0));
    const auto n = number<std::uint64_t>(digits);
    if (n && *n <= (UINT64_MAX >> shift))
      return *n << shift;
    return {};
  }
  }
  return {};
}

bool is_word(type t) {
  return t == type::schedule || t == type::seed || t == type::arithmetic || t == type::order;
}

std::string expected(const row& r) {
  const auto t = r.takes;
  switch (t) {
  case type::undefined_kinds:
  case type::note_kinds:
    return fmt::format("no value, or some of {}", fmt::join(codes(t), ", "));
  case type::flag:
    return "no value";
  case type::schedule:
    return "round-robin, random, bursts or pct";
  case type::arithmetic:
    return "page or hardware";
  case type::order:
    return "fixed or random";
  case type::seed:
    return "a whole number or random";
  case type::count:
    return r.most == std::numeric_limits<std::uint64_t>::max()
               ? "a whole number"
               : fmt::format("a whole number from {} to {}", r.least, r.most);
  case type::seconds:
    return "seconds, such as 2.5";
  case type::bytes:
    return "a number of bytes, such as 512M";
  }
  return {};
}

/// The kinds that an option was given, however often it was given.
nlohmann::json kinds(const row& r, const std::vector<std::string>& texts) {
  auto all = nlohmann::json::array();
  for (const auto& text : texts)
    all = merged(all, *parse(r, text));
  return all;
}

} // namespace

run_options::run_options(CLI::App& app, command which)
    : app_(app)
    , which_(which) {
  for (const auto& r : rows) {
    if (which == command::check && !r.of_check)
      continue;
    if (r.takes == type::flag) {
      app.add_flag(r.option, r.help);
      continue;
    }
    if (takes_kinds(r.takes)) {
      const auto help = fmt::format("{}: {}", r.help, fmt::join(codes(r.takes), ", "));
      app.add_flag(r.option, help)->each([&r](const std::string& text) {
        if (!parse(r, text))
          throw failure(
              exit_usage,
              fmt::format("{} takes {}; not '{}'", r.option, expected(r), shortened(text)));
      });
      continue;
    }
    auto* option = app.add_option_function<std::string>(
        r.option,
        [&r](const std::string& text) {
          if (!parse(r, text))
            throw failure(
                exit_usage,
                fmt::format("{} takes {}, not '{}'", r.option, expected(r), shortened(text)));
        },
        r.help);
    option->type_name(is_word(r.takes) ? "WHICH" : "N");
  }
}

nlohmann::json run_options::values() const {
  const char* given = std::getenv("TILESIM_OPTIONS");
  auto options = nlohmann::json::object();
  if (given != nullptr && *given != '\0')
    options = sim::parse_json(given);
  if (!options.is_object())
    throw failure(
        exit_usage,
        fmt::format("TILESIM_OPTIONS is to hold a JSON object, not '{}'", shortened(given)));
  for (const auto& r : rows) {
    if (which_ == command::check && !r.of_check)
      continue;
    const auto* option = app_.get_option(r.option);
    if (option->count() > 0 && takes_kinds(r.takes))
      options[r.key] = kinds(r, option->results());
    else if (option->count() > 0)
      options[r.key] = *parse(r, r.takes == type::flag ? "" : option->results().back());
  }
  return options;
}

void run_options::export_to_environment(const nlohmann::json& values) {
  if (!values.empty())
    setenv("TILESIM_OPTIONS", sim::to_text(values).c_str(), 1);
}

} // namespace tilesim::driver
