// The options that reach the simulator, declared and checked as their table has them, and their way
// into the environment.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/run_options.hpp"

#include "sim/contract/environment.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/option_table.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/number_checks.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools {
namespace {

using sim::option_row;
using sim::option_type;

bool takes_kinds(option_type t) {
  return t == option_type::undefined_kinds || t == option_type::note_kinds;
}

/// Whether a person may give it to this command.
bool is_declared(const option_row& r, run_options::command which) {
  return *r.name != '\0' && (which == run_options::command::run || r.of_check);
}

/// A list of kinds as JSON; "true", which stands for an option without a value, is all of them.
std::optional<nlohmann::json> parse_kinds(option_type t, const std::string& text) {
  if (text == "true") {
    return true;
  }
  const auto known = sim::option_codes(t);
  auto list = nlohmann::json::array();
  for (std::size_t at = 0; at <= text.size();) {
    const auto comma = std::min(text.find(',', at), text.size());
    const auto word = text.substr(at, comma - at);
    if (std::ranges::find(known, word) == known.end()) {
      return {};
    }
    list.push_back(word);
    at = comma + 1;
  }
  return list;
}

/// What several options of the kind say together.
nlohmann::json merged(const nlohmann::json& a, const nlohmann::json& b) {
  if (!a.is_array() || !b.is_array()) {
    return true;
  }
  auto all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

template <std::size_t N>
std::optional<nlohmann::json> one_of(const std::array<std::string_view, N>& words,
                                     const std::string& text) {
  if (std::ranges::find(words, text) == words.end()) {
    return {};
  }
  return text;
}

template <std::size_t N>
std::string alternatives(const std::array<std::string_view, N>& words) {
  const auto all_but_last = std::span(words).template first<N - 1>();
  return fmt::format("{} or {}", fmt::join(all_but_last, ", "), words.back());
}

// The value as JSON; nothing if the text is none of the option's type.
std::optional<nlohmann::json> parse(const option_row& r, const std::string& text) {
  const auto t = r.takes;
  switch (t) {
  case option_type::flag:
    return true;
  case option_type::undefined_kinds:
  case option_type::note_kinds:
    return parse_kinds(t, text);
  case option_type::schedule:
    return one_of(sim::option_schedules, text);
  case option_type::arithmetic:
    return one_of(sim::option_arithmetics, text);
  case option_type::order:
    return one_of(sim::option_orders, text);
  case option_type::seed:
    if (text == "random") {
      return text;
    }
    [[fallthrough]];
  case option_type::count:
    if (const auto n = number<std::uint64_t>(text);
        n && *n >= r.person().least && *n <= r.person().most) {
      return *n;
    }
    return {};
  case option_type::seconds_or_never:
    if (number<double>(text) == 0.0) {
      return 0;
    }
    [[fallthrough]];
  case option_type::seconds:
    if (const auto n = seconds(text)) {
      return *n;
    }
    return {};
  case option_type::bytes: {
    const auto unit = text.empty() ? '\0' : text.back();
    const int shift = unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0;
    const auto digits = std::string_view(text).substr(0, text.size() - (shift != 0 ? 1 : 0));
    const auto n = number<std::uint64_t>(digits);
    if (n && *n <= (UINT64_MAX >> shift) && (*n << shift) >= r.person().least) {
      return *n << shift;
    }
    return {};
  }
  case option_type::path:
  case option_type::turns:
  case option_type::stale:
  case option_type::variation:
  case option_type::known:
    break; // the tool's own
  }
  return {};
}

bool is_word(option_type t) {
  return t == option_type::schedule || t == option_type::seed || t == option_type::arithmetic ||
         t == option_type::order;
}

std::string expected(const option_row& r) {
  const auto t = r.takes;
  switch (t) {
  case option_type::undefined_kinds:
  case option_type::note_kinds:
    return fmt::format("no value, or some of {}", fmt::join(sim::option_codes(t), ", "));
  case option_type::flag:
    return "no value";
  case option_type::schedule:
    return alternatives(sim::option_schedules);
  case option_type::arithmetic:
    return alternatives(sim::option_arithmetics);
  case option_type::order:
    return alternatives(sim::option_orders);
  case option_type::seed:
    return "a whole number or random";
  case option_type::count:
    return r.person().most == std::numeric_limits<std::uint64_t>::max()
               ? (r.person().least == 0
                      ? "a whole number"
                      : fmt::format("a whole number, at least {}", r.person().least))
               : fmt::format("a whole number from {} to {}", r.person().least, r.person().most);
  case option_type::seconds:
    return "seconds, such as 2.5";
  case option_type::seconds_or_never:
    return "seconds, such as 2.5, or 0";
  case option_type::bytes:
    return r.person().least == 0 ? "a number of bytes, such as 512M"
                                 : fmt::format("a number of bytes, at least {}K, such as 512M",
                                               r.person().least >> 10U);
  case option_type::path:
  case option_type::turns:
  case option_type::stale:
  case option_type::variation:
  case option_type::known:
    break;
  }
  return {};
}

/// The kinds that an option was given, however often it was given.
nlohmann::json kinds(const option_row& r, const std::vector<std::string>& texts) {
  auto all = nlohmann::json::array();
  for (const auto& text : texts) {
    all = merged(all, *parse(r, text));
  }
  return all;
}

} // namespace

run_options::run_options(CLI::App& app, command which)
    : app_(app)
    , which_(which) {
  for (const auto& r : sim::option_table) {
    if (!is_declared(r, which)) {
      continue;
    }
    if (r.takes == option_type::flag) {
      app.add_flag(r.name, r.help);
      continue;
    }
    if (takes_kinds(r.takes)) {
      const auto help = fmt::format("{}: {}", r.help, fmt::join(sim::option_codes(r.takes), ", "));
      app.add_flag(r.name, help)->each([&r](const std::string& text) {
        if (!parse(r, text)) {
          throw failure(exit_usage,
                        fmt::format("{} takes {}; not '{}'", r.name, expected(r), shortened(text)));
        }
      });
      continue;
    }
    auto* option = app.add_option_function<std::string>(
        r.name,
        [&r](const std::string& text) {
          if (!parse(r, text)) {
            throw failure(
                exit_usage,
                fmt::format("{} takes {}, not '{}'", r.name, expected(r), shortened(text)));
          }
        },
        r.help);
    option->type_name(is_word(r.takes) ? "WHICH" : "N");
  }
}

nlohmann::json run_options::values() const {
  const char* given = std::getenv(sim::options_variable);
  auto options = nlohmann::json::object();
  if (given != nullptr && *given != '\0') {
    options = sim::parse_json(given);
  }
  if (!options.is_object()) {
    throw failure(exit_usage,
                  fmt::format("{} is to hold a JSON object, not '{}'",
                              sim::options_variable,
                              shortened(given)));
  }
  for (const auto& r : sim::option_table) {
    if (!is_declared(r, which_)) {
      continue;
    }
    const auto* option = app_.get_option(r.name);
    if (option->count() > 0 && takes_kinds(r.takes)) {
      options[r.key] = kinds(r, option->results());
    } else if (option->count() > 0) {
      options[r.key] = *parse(r, r.takes == option_type::flag ? "" : option->results().back());
    }
  }
  return options;
}

void run_options::export_to_environment(const nlohmann::json& values) {
  if (!values.empty()) {
    setenv(sim::options_variable, sim::json_text(values).c_str(), 1);
  }
}

} // namespace tilesim::tools
