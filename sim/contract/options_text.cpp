// Options from $TILESIM_OPTIONS, the JSON object that the tool hands to the program: a row of
// option_table.hpp each.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/options_text.hpp"

#include "sim/contract/environment.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/option_table.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/standard_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <unistd.h>
#include <utility>
#include <variant>
#include <vector>

namespace tilesim::sim {

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw options_error(why);
}

/// Reports, or not, the kinds of an option: all of them (true), or those listed by their code.
void choose(options& o, const option_row& row, const nlohmann::json& value) {
  const auto codes = option_codes(row.takes);
  const auto set = [&](std::string_view wanted) {
    for (std::size_t k = 0; k < finding_kinds; ++k) {
      if (code(static_cast<finding_kind>(k)) == wanted) {
        o.reported.set(k, row.takes == option_type::note_kinds);
      }
    }
  };
  if (value.is_boolean()) {
    if (value.get<bool>()) {
      std::ranges::for_each(codes, set);
    }
    return;
  }
  for (const auto& wanted : value.get<std::vector<std::string>>()) {
    if (std::ranges::find(codes, wanted) == codes.end()) {
      refuse(fmt::format(
          "{} does not know '{}'; known are {}", row.key, wanted, fmt::join(codes, ", ")));
    }
    set(wanted);
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

/// Which of these words it is.
template <std::size_t N>
std::size_t word_of(const option_row& row,
                    const std::array<std::string_view, N>& known,
                    const nlohmann::json& value) {
  const auto word = value.get<std::string>();
  const auto found = std::ranges::find(known, word);
  if (found == known.end()) {
    refuse(fmt::format("unknown {} '{}'; known are {}", row.key, word, fmt::join(known, " and ")));
  }
  return static_cast<std::size_t>(found - known.begin());
}

/// Sets the member of a row, by the member's type.
struct setter {
  options& o;                  // NOLINT(*-avoid-const-or-ref-data-members)
  const option_row& row;       // NOLINT(*-avoid-const-or-ref-data-members)
  const nlohmann::json& value; // NOLINT(*-avoid-const-or-ref-data-members)

  template <class T>
  [[nodiscard]] T count() const {
    return static_cast<T>(
        std::clamp<std::uint64_t>(count_of<T>(value), row.taken.least, row.taken.most));
  }

  void operator()(bool options::*member) const {
    o.*member = row.takes == option_type::order ? word_of(row, option_orders, value) == 1
                                                : value.get<bool>();
  }
  void operator()(unsigned options::*member) const { o.*member = count<unsigned>(); }
  void operator()(std::uint64_t options::*member) const {
    o.*member = row.takes == option_type::seed && value == "random" ? std::random_device{}()
                                                                    : count<std::uint64_t>();
  }
  void operator()(std::optional<std::uint64_t> options::*member) const {
    o.*member = count<std::uint64_t>();
  }
  void operator()(double options::*member) const {
    const auto time = value.get<double>();
    if (!(time >= 0)) {
      throw nlohmann::json::type_error::create(302, "no time", &value);
    }
    o.*member = time;
  }
  void operator()(std::string options::*member) const {
    auto text = value.get<std::string>();
    if (row.takes == option_type::path) {
      text = bytes_of(text);
    } else if (text != "turns" &&
               std::ranges::find(option_schedules, text) == option_schedules.end()) {
      refuse(fmt::format("unknown {} '{}'; known are {} and turns",
                         row.key,
                         text,
                         fmt::join(option_schedules, ", ")));
    }
    o.*member = std::move(text);
  }
  void operator()(std::vector<turn> options::*member) const {
    const auto text = value.get<std::string>();
    auto turns = parse_turns(text);
    if (!turns) {
      refuse(fmt::format("'{}' is no list of turns, such as 3@5,0", text));
    }
    o.*member = std::move(*turns);
  }
  void operator()(std::vector<stale_choice> options::*member) const {
    const auto text = value.get<std::string>();
    auto reads = parse_stale_choices(text);
    if (!reads) {
      refuse(fmt::format("'{}' is no list of stale reads, such as 3@5:1", text));
    }
    o.*member = std::move(*reads);
  }
  void operator()(variation options::*member) const { o.*member = variation_of(value); }
  void operator()(ops::arithmetic options::*member) const {
    o.*member = word_of(row, option_arithmetics, value) == 0 ? ops::arithmetic::page
                                                             : ops::arithmetic::hardware;
  }
  void operator()(reported_kinds options::* /*member*/) const { choose(o, row, value); }
  void operator()(std::vector<known_finding> options::*member) const {
    for (const auto& [code, place] :
         value.get<std::vector<std::pair<std::string, std::string>>>()) {
      (o.*member).push_back({code, place});
    }
  }
};

void apply(options& o, const std::string& key, const nlohmann::json& value) {
  const auto* const row = option_of(key);
  if (row == nullptr) {
    refuse(fmt::format("unknown option '{}'", key));
  }
  std::visit(setter{o, *row, value}, row->member);
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
      refuse(fmt::format("option '{}' does not take {}", key, json_text(value)));
    }
  }
  return o;
}

options options_from_environment() {
  const char* text = std::getenv(options_variable);
  try {
    return text == nullptr || *text == '\0' ? options{} : parse_options(text);
  } catch (const options_error& e) {
    print_error("tilesim: error: {}: {}\n", options_variable, printable(e.what()));
    std::fflush(nullptr);
    _exit(exit_usage);
  }
}

} // namespace tilesim::sim
