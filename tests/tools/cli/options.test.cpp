// The table of options against both sides: what the tool declares and writes, the program reads.
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/json_text.hpp"
#include "sim/contract/option_table.hpp"
#include "sim/contract/options_text.hpp"
#include "tools/cli/run_options.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <support/catch.hpp>
#include <type_traits>
#include <variant>
#include <vector>

namespace tilesim::sim {
namespace {

/// How many members an aggregate has: how many initialisers it takes.
struct anything {
  template <class T>
  operator T() const; // NOLINT(google-explicit-constructor)
};

template <class T, class... Initialisers>
constexpr std::size_t members() {
  if constexpr (requires { T{Initialisers{}..., anything{}}; }) {
    return members<T, Initialisers..., anything>();
  } else {
    return sizeof...(Initialisers);
  }
}

/// Another value than the default, as a person writes it and as JSON.
struct sample {
  std::string word;
  nlohmann::json value;
};

sample sample_of(const option_row& row) {
  switch (row.takes) {
  case option_type::flag:
    return {"", true};
  case option_type::count:
  case option_type::seed:
    return {"77", 77};
  case option_type::seconds:
  case option_type::seconds_or_never:
    return {"2.5", 2.5};
  case option_type::bytes:
    return {"3M", 3 << 20};
  case option_type::schedule:
    return {"pct", "pct"};
  case option_type::arithmetic:
    return {"hardware", "hardware"};
  case option_type::order:
    return {"random", "random"};
  case option_type::undefined_kinds:
    return {"=signed-overflow", {"signed-overflow"}};
  case option_type::note_kinds:
    return {"", true};
  case option_type::path:
    return {"", "a file"};
  case option_type::turns:
    return {"", "3@5,0"};
  case option_type::stale:
    return {"", "3@5:1,0@2:2"};
  case option_type::variation:
    return {"", {{"how", "ones"}, {"sites", {1}}}};
  case option_type::known:
    return {"", nlohmann::json::array({nlohmann::json::array({"data-race", "a.cu:1"})})};
  }
  return {};
}

/// Whether options have another value there than those of nobody's.
bool is_set(const options& o, const option_row& row) {
  const options none;
  return std::visit(
      [&](auto member) {
        using value = std::remove_cvref_t<decltype(o.*member)>;
        if constexpr (requires(value v) { v.size(); } && !std::is_same_v<value, std::string> &&
                      !std::is_same_v<value, reported_kinds>) {
          return (o.*member).size() != (none.*member).size();
        } else if constexpr (std::is_same_v<value, variation>) {
          return (o.*member).how != (none.*member).how;
        } else {
          return o.*member != none.*member;
        }
      },
      row.member);
}

nlohmann::json told(const option_row& row, tools::run_options::command which) {
  CLI::App app("a command");
  const tools::run_options declared(app, which);
  const auto given = sample_of(row);
  std::vector<std::string> words;
  if (given.word.empty() || given.word.starts_with('=')) {
    words = {row.name + given.word};
  } else {
    words = {given.word, row.name}; // CLI11 takes them from the back
  }
  app.parse(words);
  return declared.values();
}

TEST_CASE("every option of the table is declared, written, read and set") {
  unsetenv("TILESIM_OPTIONS");
  for (const auto& row : option_table) {
    INFO("option " << row.name << ", key " << row.key);
    const nlohmann::json expected{{row.key, sample_of(row).value}};
    CHECK(is_set(parse_options(json_text(expected)), row));
    if (*row.name == '\0') {
      continue;
    }
    CHECK(told(row, tools::run_options::command::run) == expected);
    if (row.of_check) {
      CHECK(told(row, tools::run_options::command::check) == expected);
    } else {
      CHECK_THROWS_AS(told(row, tools::run_options::command::check), CLI::ExtrasError);
    }
  }
}

TEST_CASE("every member of the options has a row, and no key or name stands twice") {
  std::set<std::string> keys;
  std::set<std::string> names;
  std::size_t shared = 0;
  for (const auto& row : option_table) {
    CHECK(keys.insert(row.key).second);
    CHECK((*row.name == '\0' || names.insert(row.name).second));
    shared += std::holds_alternative<reported_kinds options::*>(row.member) ? 1U : 0U;
  }
  REQUIRE(shared == 2); // --no-ub and --notes set one member
  CHECK(option_table.size() - 1 == members<options>());
}

TEST_CASE("what lies outside of a count's range is the next within") {
  CHECK(parse_options(R"({"multiprocessors": 1})").multiprocessors == 2);
  CHECK(parse_options(R"({"polls": 0})").polls == 2);
  CHECK(parse_options(R"({"depth": 0})").depth == 1);
  CHECK(parse_options(R"({"steps": 0})").steps == 1);
  CHECK(parse_options(R"({"stack_bytes": 1})").stack_bytes == 65536);
  CHECK_THROWS_AS(parse_options(R"({"multiprocessors": 4294967296})"), options_error);
  CHECK_THROWS_AS(parse_options(R"({"multiprocessors": -1})"), options_error);
  CHECK_THROWS_AS(parse_options(R"({"stall": -1})"), options_error);
  CHECK_THROWS_AS(parse_options(R"({"colour": "red"})"), options_error);
}

TEST_CASE("only a time that may be never is 0") {
  const auto parse = [](std::vector<std::string> words) {
    CLI::App app("a command");
    const tools::run_options declared(app);
    app.parse(words);
    return declared.values();
  };
  CHECK(parse({"0", "--stall"}) == nlohmann::json{{"stall", 0}});
  CHECK_THROWS_WITH(parse({"0", "--timeout"}), "--timeout takes seconds, such as 2.5, not '0'");
  CHECK_THROWS_WITH(parse({"x", "--stall"}), "--stall takes seconds, such as 2.5, or 0, not 'x'");
  CHECK_THROWS_WITH(parse({"100", "--depth"}),
                    "--depth takes a whole number from 1 to 99, not '100'");
  CHECK_THROWS_WITH(parse({"x", "--schedule"}),
                    "--schedule takes round-robin, random, bursts or pct, not 'x'");
}

} // namespace
} // namespace tilesim::sim
