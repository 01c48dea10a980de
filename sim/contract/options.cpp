// Options from $TILESIM_OPTIONS, the JSON object that the driver hands to the program.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/options.hpp"

#include "sim/contract/bounded_json.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/options_text.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/standard_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tilesim::sim {

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw options_error(why);
}

/// Reports, or not, the kinds of a class: all of them (true), or those listed by their code.
void choose(options& o,
            const std::string& key,
            finding_class which,
            bool report,
            const nlohmann::json& value) {
  const auto known = [&](const std::string& wanted) {
    std::string codes;
    bool found = false;
    for (std::size_t k = 0; k < finding_kinds; ++k) {
      const auto kind = static_cast<finding_kind>(k);
      if (class_of(kind) == which) {
        codes += (codes.empty() ? "" : ", ") + std::string(code(kind));
        if (wanted.empty() || wanted == code(kind)) {
          o.reported.set(k, report);
          found = true;
        }
      }
    }
    if (!found) {
      refuse(fmt::format("{} does not know '{}'; known are {}", key, wanted, codes));
    }
  };
  if (value.is_boolean()) {
    if (value.get<bool>()) {
      known("");
    }
    return;
  }
  for (const auto& wanted : value.get<std::vector<std::string>>()) {
    known(wanted.empty() ? "''" : wanted);
  }
}

/// A number of at least 0; a negative one is not taken for a very large one.
template <class T>
T count_of(const nlohmann::json& value) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<T>::max()) {
    throw nlohmann::json::type_error::create(302, "no count", &value);
  }
  return value.get<T>();
}

variation variation_of(const nlohmann::json& value) {
  static const std::map<std::string, variation::kind> kinds{
      {"complement", variation::kind::complement},
      {"ones", variation::kind::ones},
      {"zeros", variation::kind::zeros},
      {"seed", variation::kind::seed}};
  const auto how = kinds.find(value.at("how").get<std::string>());
  if (how == kinds.end()) {
    refuse("vary: known are complement, ones, zeros and seed");
  }
  return {.how = how->second,
          .seed = value.value("seed", std::uint64_t{0}),
          .sites = value.at("sites").get<std::vector<std::uintptr_t>>()};
}

void apply(options& o, const std::string& key, const nlohmann::json& value) {
  if (key == "schedule") {
    o.schedule = value.get<std::string>();
    if (o.schedule != "round-robin" && o.schedule != "random" && o.schedule != "bursts" &&
        o.schedule != "pct" && o.schedule != "turns") {
      refuse(fmt::format("unknown schedule '{}'; known are round-robin, random, bursts, pct and "
                         "turns",
                         o.schedule));
    }
  } else if (key == "turns") {
    const auto text = value.get<std::string>();
    auto turns = parse_turns(text);
    if (!turns) {
      refuse(fmt::format("'{}' is no list of turns, such as 3@5,0", text));
    }
    o.turns = std::move(*turns);
  } else if (key == "record") {
    o.record = value.get<bool>();
  } else if (key == "choices") {
    o.choices = value.get<bool>();
  } else if (key == "leaks") {
    o.leaks = value.get<bool>();
  } else if (key == "keep_going") {
    o.keep_going = value.get<bool>();
  } else if (key == "seed") {
    o.seed = value == "random" ? std::random_device{}() : count_of<std::uint64_t>(value);
  } else if (key == "fill") {
    o.fill = count_of<std::uint64_t>(value);
  } else if (key == "vary") {
    o.vary = variation_of(value);
  } else if (key == "trail") {
    o.trail = value.get<std::string>();
  } else if (key == "against") {
    o.against = value.get<std::string>();
  } else if (key == "depth") {
    o.depth = std::clamp(count_of<unsigned>(value), 1U, 1U << 16U);
  } else if (key == "at_once") {
    o.at_once = value.get<bool>();
  } else if (key == "steps") {
    o.steps = std::max(std::uint64_t{1}, count_of<std::uint64_t>(value));
  } else if (key == "arith") {
    const auto name = value.get<std::string>();
    if (name != "page" && name != "hardware") {
      refuse(fmt::format("unknown arith '{}'; known are page and hardware", name));
    }
    o.arithmetic = name == "page" ? ops::arithmetic::page : ops::arithmetic::hardware;
  } else if (key == "order") {
    const auto name = value.get<std::string>();
    if (name != "fixed" && name != "random") {
      refuse(fmt::format("unknown order '{}'; known are fixed and random", name));
    }
    o.random_order = name == "random";
  } else if (key == "max_ops") {
    o.max_ops = count_of<std::uint64_t>(value);
  } else if (key == "idle_ops") {
    o.idle_ops = count_of<std::uint64_t>(value);
  } else if (key == "stall") {
    o.stall = value.get<double>();
  } else if (key == "polls") {
    constexpr std::uint64_t most = std::uint64_t{1} << 48;
    o.polls = std::clamp<std::uint64_t>(count_of<std::uint64_t>(value), 2, most);
  } else if (key == "timeout") {
    o.timeout = value.get<double>();
    if (!(o.timeout >= 0)) {
      throw nlohmann::json::type_error::create(302, "no time", &value);
    }
  } else if (key == "races") {
    o.races = value.get<bool>();
  } else if (key == "known") {
    for (const auto& [code, place] :
         value.get<std::vector<std::pair<std::string, std::string>>>()) {
      o.known.push_back({code, place});
    }
  } else if (key == "report") {
    o.report = bytes_of(value.get<std::string>());
  } else if (key == "counts") {
    o.counts = bytes_of(value.get<std::string>());
  } else if (key == "quiet") {
    o.quiet = value.get<bool>();
  } else if (key == "repeatable") {
    o.repeatable = value.get<bool>();
  } else if (key == "stats") {
    o.stats = value.get<bool>();
  } else if (key == "trace") {
    o.trace = bytes_of(value.get<std::string>());
  } else if (key == "trace_events") {
    o.trace_events = count_of<std::uint64_t>(value);
  } else if (key == "trace_elements") {
    o.trace_elements = count_of<std::size_t>(value);
  } else if (key == "device_memory") {
    o.device_memory = count_of<std::size_t>(value);
  } else if (key == "multiprocessors") {
    o.multiprocessors = std::max(2U, count_of<unsigned>(value));
  } else if (key == "stack_bytes") {
    o.stack_bytes = std::max(std::size_t{64} << 10, count_of<std::size_t>(value));
  } else if (key == "no_ub") {
    choose(o, key, finding_class::undefined, false, value);
  } else if (key == "notes") {
    choose(o, key, finding_class::note, true, value);
  } else {
    refuse(fmt::format("unknown option '{}'", key));
  }
}

} // namespace

options parse_options(std::string_view text) {
  options o;
  const auto json = parse_json(text);
  if (!json.is_object()) {
    refuse(fmt::format("expected a JSON object, got '{}'", text.substr(0, 200)));
  }
  for (const auto& [key, value] : json.items()) {
    try {
      apply(o, key, value);
    } catch (const nlohmann::json::exception&) {
      refuse(fmt::format("option '{}' does not take {}", key, to_text(value)));
    }
  }
  return o;
}

options options_from_environment() {
  const char* text = std::getenv("TILESIM_OPTIONS");
  try {
    return text == nullptr || *text == '\0' ? options{} : parse_options(text);
  } catch (const options_error& e) {
    print_error("tilesim: error: TILESIM_OPTIONS: {}\n", printable(e.what()));
    std::fflush(nullptr);
    _exit(exit_usage);
  }
}

} // namespace tilesim::sim
