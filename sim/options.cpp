// Options from $TILESIM_OPTIONS, the JSON object that the driver hands to the program.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/options.hpp"

#include "sim/exit_codes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tilesim::sim {

namespace {

[[noreturn]] void refuse(const std::string& why) {
  fmt::print(stderr, "tilesim: error: TILESIM_OPTIONS: {}\n", why);
  std::fflush(nullptr);
  _exit(exit_usage);
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

void apply(options& o, const std::string& key, const nlohmann::json& value) {
  if (key == "schedule") {
    o.schedule = value.get<std::string>();
    if (o.schedule != "round-robin" && o.schedule != "random" && o.schedule != "pct" &&
        o.schedule != "turns") {
      refuse(fmt::format("unknown schedule '{}'; known are round-robin, random, pct and turns",
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
  } else if (key == "seed") {
    o.seed = value == "random" ? std::random_device{}() : value.get<std::uint64_t>();
  } else if (key == "fill") {
    o.fill = value.get<std::uint64_t>();
  } else if (key == "depth") {
    o.depth = std::max(1U, value.get<unsigned>());
  } else if (key == "steps") {
    o.steps = std::max(std::uint64_t{1}, value.get<std::uint64_t>());
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
    o.max_ops = value.get<std::uint64_t>();
  } else if (key == "idle_ops") {
    o.idle_ops = value.get<std::uint64_t>();
  } else if (key == "polls") {
    o.polls = std::max(2U, value.get<unsigned>());
  } else if (key == "timeout") {
    o.timeout = value.get<double>();
  } else if (key == "races") {
    o.races = value.get<bool>();
  } else if (key == "known") {
    for (const auto& [code, place] :
         value.get<std::vector<std::pair<std::string, std::string>>>()) {
      o.known.push_back({code, place});
    }
  } else if (key == "report") {
    o.report = value.get<std::string>();
  } else if (key == "counts") {
    o.counts = value.get<std::string>();
  } else if (key == "quiet") {
    o.quiet = value.get<bool>();
  } else if (key == "repeatable") {
    o.repeatable = value.get<bool>();
  } else if (key == "stats") {
    o.stats = value.get<bool>();
  } else if (key == "trace") {
    o.trace = value.get<std::string>();
  } else if (key == "trace_events") {
    o.trace_events = value.get<std::uint64_t>();
  } else if (key == "trace_elements") {
    o.trace_elements = value.get<std::size_t>();
  } else if (key == "device_memory") {
    o.device_memory = value.get<std::size_t>();
  } else if (key == "multiprocessors") {
    o.multiprocessors = std::max(2U, value.get<unsigned>());
  } else if (key == "stack_bytes") {
    o.stack_bytes = std::max(std::size_t{64} << 10, value.get<std::size_t>());
  } else if (key == "no_ub") {
    choose(o, key, finding_class::undefined, false, value);
  } else if (key == "notes") {
    choose(o, key, finding_class::note, true, value);
  } else {
    refuse(fmt::format("unknown option '{}'", key));
  }
}

} // namespace

options options_from_environment() {
  options o;
  const char* text = std::getenv("TILESIM_OPTIONS");
  if (text == nullptr || *text == '\0') {
    return o;
  }
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) {
    refuse(fmt::format("expected a JSON object, got '{}'", text));
  }
  for (const auto& [key, value] : json.items()) {
    try {
      apply(o, key, value);
    } catch (const nlohmann::json::exception&) {
      refuse(fmt::format("option '{}' does not take {}", key, value.dump()));
    }
  }
  return o;
}

} // namespace tilesim::sim
