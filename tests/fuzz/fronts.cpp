// Judging the readers of text from outside.
//
// One file in spite of its length: of each reader the words of its language and a judge of a few
// lines.
//
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fronts.hpp"

#include "fuzz/mutate.hpp"
#include "sim/contract/options_text.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/schedule_string.hpp"
#include "sim/contract/sum_table.hpp"
#include "sim/expressions/expression.hpp"
#include "tools/build/dependencies.hpp"
#include "tools/cli/failure.hpp"
#include "tools/litmus/table.hpp"
#include "tools/rewrite/rewrite.hpp"
#include "tools/check/selector.hpp"
#include "tools/step/words.hpp"
#include "tools/check/suppressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tilesim::fuzz {
namespace {

using namespace std::string_view_literals;

/// A refusal names the file and says something.
void check_refusal(std::string_view message, std::string_view file) {
  must(message.starts_with(file) && message.size() > file.size() + 10, "a refusal without a place");
}

// --- Sources: lexer and rewriter

constexpr std::array source_words{"<<<"sv,
                                  ">>>"sv,
                                  "<<<1, 1>>>"sv,
                                  "<<<g, b, 0, s>>>(p)"sv,
                                  "k"sv,
                                  "k<int>"sv,
                                  "(p)"sv,
                                  "("sv,
                                  ")"sv,
                                  "{"sv,
                                  "}"sv,
                                  "["sv,
                                  "]"sv,
                                  "<"sv,
                                  ">"sv,
                                  ","sv,
                                  ";"sv,
                                  "::"sv,
                                  "."sv,
                                  "->"sv,
                                  "*"sv,
                                  "&"sv,
                                  "="sv,
                                  "this"sv,
                                  "template"sv,
                                  "typename"sv,
                                  "class"sv,
                                  "struct"sv,
                                  "operator"sv,
                                  "namespace"sv,
                                  "using"sv,
                                  "__global__"sv,
                                  "__tile_global__"sv,
                                  "__device__"sv,
                                  "void"sv,
                                  "int"sv,
                                  "auto"sv,
                                  "return"sv,
                                  "if"sv,
                                  "0"sv,
                                  "NULL"sv,
                                  "nullptr"sv,
                                  "'"sv,
                                  "\""sv,
                                  "R\"("sv,
                                  ")\""sv,
                                  "R\"x("sv,
                                  "\\\n"sv,
                                  "\n"sv,
                                  "//"sv,
                                  "/*"sv,
                                  "*/"sv,
                                  "\n#define CFG <<<1, 1>>>\n"sv,
                                  "\n#define L(k) k<<<1, 1>>>\n"sv,
                                  "\n#undef CFG\n"sv,
                                  "\n# 1 \"x.cu\" 1\n"sv,
                                  "\n# 9 \"y.h\" 3 4\n"sv,
                                  "\n#pragma once\n"sv,
                                  "CFG"sv,
                                  "#"sv,
                                  "##"sv,
                                  "%:"sv,
                                  "<:"sv,
                                  ":>"sv,
                                  "<%"sv,
                                  "%>"sv,
                                  "?\?="sv,
                                  "u8R\"("sv,
                                  "1'000"sv,
                                  "0x1p-3"sv,
                                  "\\u00f6"sv,
                                  "\xc3\xb6"sv};

bool judge_source(std::string_view text) {
  tools::rewrite_options options;
  options.pedantic = text.size() % 2 == 1;
  options.lenient = text.size() % 3 == 1;
  options.system_folder = "/api/";
  const auto result = tools::rewrite_launches(text, options);
  for (const auto& error : result.errors) {
    must(error.find(": error: ") != std::string::npos, "an error without a place");
  }
  return result.errors.empty();
}

// --- Makefile rules that compilers write

constexpr std::array rule_words{"x:"sv,
                                "\\\n"sv,
                                "\\ "sv,
                                "\\#"sv,
                                "$$"sv,
                                ":"sv,
                                " "sv,
                                "\n"sv,
                                "\\\\"sv,
                                "a.h"sv,
                                "/usr/include/b.h"sv,
                                "\t"sv,
                                "\r"sv,
                                "%"sv,
                                "\\:"sv};

bool judge_rule(std::string_view text) {
  const auto files = tools::parse_dependencies(text);
  for (const auto& f : files) {
    must(!f.empty(), "a file without a name");
  }
  // What tilesim writes it reads again.
  const auto plain = [](const std::string& f) {
    return std::ranges::all_of(
        f, [](char c) { return c > ' ' && c != '\\' && c != ':' && c != '\x7f'; });
  };
  if (!files.empty() && std::ranges::all_of(files, plain)) {
    must(tools::parse_dependencies(tools::format_dependencies("x", files)) == files,
         "a rule that is not read as it was written");
  }
  return !files.empty();
}

// --- Replay strings, schedules, turns

constexpr std::array schedule_words{"2-3@5,0-0f1e2d3c4b5a6978"sv,
                                    "3@5,0"sv,
                                    "@"sv,
                                    ","sv,
                                    "-"sv,
                                    "."sv,
                                    "+"sv,
                                    "r7"sv,
                                    "p3"sv,
                                    "s"sv,
                                    "0f1e2d3c4b5a6978"sv,
                                    "*"sv,
                                    "x"sv,
                                    ":"sv,
                                    "2-"sv,
                                    "18446744073709551615"sv,
                                    "@2+3"sv,
                                    "@4.."sv};

bool judge_schedule(std::string_view text) {
  bool read = false;
  if (const auto turns = sim::parse_turns(text)) {
    must(sim::parse_turns(sim::to_string(*turns)) == turns, "turns that are not read as written");
    read = true;
  }
  if (const auto schedule = sim::parse_schedule(text)) {
    must(sim::parse_schedule(sim::to_string(*schedule)) == schedule,
         "a schedule that is not read as written");
    must(!sim::describe(*schedule).empty(), "a schedule without a description");
    read = true;
  }
  if (const auto replay = sim::parse_replay(text)) {
    const auto again = sim::parse_replay(sim::to_string(*replay));
    must(again && again->which == replay->which && again->program == replay->program &&
             again->position == replay->position,
         "a replay string that is not read as written");
    read = true;
  }
  return read;
}

// --- Names of findings

constexpr std::array selector_words{"data-race"sv,
                                    "deadlock"sv,
                                    "@"sv,
                                    "+"sv,
                                    ":"sv,
                                    "x.cu"sv,
                                    "x.cu:3"sv,
                                    ":3:7"sv,
                                    "a/b.cu:12"sv,
                                    "1"sv,
                                    "999999999"sv,
                                    "\\xff"sv,
                                    "\xff"sv,
                                    "::"sv};

bool judge_selector(std::string_view text) {
  const auto s = tools::parse_selector(text);
  if (!s) {
    return false;
  }
  const auto again = tools::parse_selector(tools::to_string(*s));
  must(again && again->code == s->code && again->places == s->places,
       "a selector that is not read as written");
  const auto frames = [&](std::size_t i) {
    return i < s->places.size()
               ? std::vector<source_frame>{{s->places[i].file, s->places[i].line, s->places[i].column, {}}}
               : std::vector<source_frame>{};
  };
  must(s->selects(s->code, frames(0), frames(1)), "a selector that does not select its own places");
  return true;
}

// --- Suppressions

constexpr std::array suppression_words{"data-race"sv,
                                       "data-*"sv,
                                       "*"sv,
                                       "x.cu:3"sv,
                                       "x.cu:*"sv,
                                       "#"sv,
                                       "\n"sv,
                                       " "sv,
                                       "\t"sv,
                                       "\r\n"sv,
                                       "[a-z]*:1"sv,
                                       "[!"sv,
                                       "\\"sv,
                                       "?"sv,
                                       "\xff"sv};

bool judge_suppressions(std::string_view text) {
  try {
    const auto list = tools::parse_suppressions("known.txt", text);
    const std::vector<source_frame> where{{"some/folder/x.cu", 3, 5, "k"}};
    for (const auto& s : list) {
      (void)s.what.matches("data-race", where, {});
    }
    return !list.empty();
  } catch (const tools::printed_failure& e) {
    check_refusal(e.what(), "known.txt:");
    return false;
  }
}

// --- Expressions of the stepper

constexpr std::array expression_words{"x"sv,
                                      "bins"sv,
                                      "p"sv,
                                      "t"sv,
                                      "$block"sv,
                                      "$7"sv,
                                      "["sv,
                                      "]"sv,
                                      "[0:4]"sv,
                                      "[1:]"sv,
                                      "("sv,
                                      ")"sv,
                                      "*"sv,
                                      "&"sv,
                                      "+"sv,
                                      "-"sv,
                                      "/"sv,
                                      "%"sv,
                                      "<<"sv,
                                      ">>"sv,
                                      "=="sv,
                                      "!="sv,
                                      "<="sv,
                                      "&&"sv,
                                      "||"sv,
                                      "!"sv,
                                      "~"sv,
                                      "?"sv,
                                      ":"sv,
                                      "(int*)"sv,
                                      "(unsigned char)"sv,
                                      "(double)"sv,
                                      "*(float*)"sv,
                                      "sizeof"sv,
                                      "sum"sv,
                                      "max"sv,
                                      "0x10"sv,
                                      "1.5e300"sv,
                                      "1.0f"sv,
                                      "'a'"sv,
                                      "\"s\""sv,
                                      ","sv,
                                      "."sv,
                                      "->"sv,
                                      "true"sv,
                                      "INT_MIN"sv,
                                      "-2147483648"sv};

/// A variable, a buffer, a pointer and a tile.
class few_names final : public sim::step::environment {
public:
  std::optional<sim::step::value> lookup(std::string_view name) override {
    const sim::step::value_type whole{.kind = element::i32, .spelling = "int"};
    if (name == "x" || name == "$block") {
      return sim::step::value{.type = whole, .bytes = {7, 0, 0, 0}};
    }
    if (name == "bins") {
      return sim::step::value{.type = whole, .shape = {64}, .address = 0x1000, .decays = true};
    }
    if (name == "p") {
      return sim::step::value{.type = {.kind = element::ptr,
                                       .pointee = std::pair(element::i32, false),
                                       .spelling = "int*"},
                              .bytes = {0, 16, 0, 0, 0, 0, 0, 0}};
    }
    if (name == "t") {
      return sim::step::value{.type = {.kind = element::f32, .spelling = "float"},
                              .shape = {4, 4},
                              .bytes = std::vector<std::uint8_t>(64, 0x3f)};
    }
    return std::nullopt;
  }
  bool read(std::uintptr_t /*address*/, std::size_t bytes, void* to) override {
    std::memset(to, 1, bytes);
    return bytes <= 4096;
  }
};

bool judge_expression(std::string_view text) {
  try {
    few_names names;
    const sim::step::expression e{std::string(text)};
    const auto v = e.evaluate(names);
    (void)sim::step::element_texts(v, 16);
    return true;
  } catch (const sim::step::expression_error& e) {
    must(std::strlen(e.what()) != 0, "a refusal that says nothing");
    return false;
  }
}

// --- What the stepper's commands take

constexpr std::array command_words{"if"sv,
                                   " if "sv,
                                   "block="sv,
                                   "block=(1,2,3)"sv,
                                   "op="sv,
                                   "op=store"sv,
                                   "x.cu:3"sv,
                                   "histogram"sv,
                                   "3"sv,
                                   "("sv,
                                   ")"sv,
                                   ","sv,
                                   " "sv,
                                   "\t"sv,
                                   "*(int*)0x7f12"sv,
                                   "0x"sv,
                                   "bins"sv,
                                   "[3]"sv,
                                   "[0:4]"sv,
                                   ":"sv,
                                   "thread"sv,
                                   "$block == 3"sv};

bool judge_command(std::string_view text) {
  bool read = false;
  const auto attempt = [&](auto&& reader) {
    try {
      reader();
      read = true;
    } catch (const tools::step::command_error& e) {
      must(std::strlen(e.what()) != 0, "a refusal that says nothing");
    }
  };
  attempt([&] { (void)tools::step::read_location(text); });
  attempt([&] { (void)tools::step::block_argument(text); });
  (void)tools::step::is_address(text);
  (void)tools::step::is_always_the_same_place(text);
  return read;
}

// --- TILESIM_OPTIONS

constexpr std::array option_words{"{"sv,
                                  "}"sv,
                                  "["sv,
                                  "]"sv,
                                  ":"sv,
                                  ","sv,
                                  "\""sv,
                                  "\"seed\":"sv,
                                  "\"schedule\":\"pct\""sv,
                                  "\"turns\":\"3@5,0\""sv,
                                  "\"depth\":"sv,
                                  "\"known\":[[\"data-race\",\"x.cu:3\"]]"sv,
                                  "\"no_ub\":"sv,
                                  "true"sv,
                                  "false"sv,
                                  "null"sv,
                                  "-1"sv,
                                  "1e308"sv,
                                  "0"sv,
                                  "\"timeout\":"sv,
                                  "\"report\":\"\\\\xff\""sv,
                                  "\"arith\":\"hardware\""sv,
                                  "\\u0000"sv};

bool judge_options(std::string_view text) {
  try {
    (void)sim::parse_options(text);
    return true;
  } catch (const sim::options_error& e) {
    must(std::strlen(e.what()) != 0, "a refusal that says nothing");
    return false;
  }
}

// --- Tables of verdicts

constexpr std::array table_words{"test,quantifier,condition,race,terminates\n"sv,
                                 ","sv,
                                 "\n"sv,
                                 "\r\n"sv,
                                 "exists"sv,
                                 "~exists"sv,
                                 "forall"sv,
                                 "allowed"sv,
                                 "forbidden"sv,
                                 "always"sv,
                                 "not-always"sv,
                                 "race"sv,
                                 "free"sv,
                                 "1"sv,
                                 "a.litmus,exists,allowed,free,1\n"sv};

bool judge_table(std::string_view text) {
  try {
    return !tools::read_table("table.csv", text).empty();
  } catch (const tools::printed_failure& e) {
    check_refusal(e.what(), "table.csv:");
    return false;
  }
}

// --- Names of files

constexpr std::array name_words{"\\x41"sv,
                                "\\x"sv,
                                "\\"sv,
                                "\xff"sv,
                                "\xc3\xb6"sv,
                                "\xed\xa0\x80"sv,
                                "\xf4\x90\x80\x80"sv,
                                "\xc0\x80"sv,
                                "\033[31m"sv,
                                "\n"sv,
                                "\x7f"sv,
                                "\xc2\x9b"sv,
                                "x.cu"sv};

bool judge_name(std::string_view text) {
  const auto shown = sim::printable(text);
  must(sim::bytes_of(shown) == text, "a name that is not read as printed");
  must(std::ranges::none_of(
           shown, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; }),
       "a control character in a printed name");
  must(sim::bytes_of(sim::printable(shown)) == shown, "a printed name is a name, too");
  return shown == text;
}

// --- The Debug Adapter Protocol

/// Pieces of a file of Tile IR: its head, sections, numbers that need several bytes.
constexpr std::array bytecode_words{"\x7fTileIR\0\x0d\x04\0\0"sv,
                                    "\x82"sv,
                                    "\x85"sv,
                                    "\0"sv,
                                    "\xcb"sv,
                                    "\xff\xff\xff\xff\x0f"sv,
                                    "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"sv,
                                    "\x5c\0\0"sv,
                                    "\x29"sv,
                                    "\x32"sv,
                                    "\x58"sv};

// --- Tables of sums that are fused with products

constexpr std::array sum_words{"tilesim-sums 1\n"sv,
                               "file a.cu\n"sv,
                               "kernel _Z1kPf\n"sv,
                               "sum 0 f32 fused 0,8:15,8:17\n"sv,
                               " two"sv,
                               " scalar"sv,
                               " open"sv,
                               ",0:0"sv,
                               "4294967296"sv};

bool judge_sums(std::string_view text) {
  try {
    const sim::sum_table sums = sim::sums_from_text(text);
    must(sim::sums_from_text(sim::to_text(sums)) == sums, "another table");
    return true;
  } catch (const sim::bad_sum_table& e) {
    check_refusal(e.what(), "line ");
    return false;
  }
}

constexpr std::array recording_words{"TILESREC"sv, "\x01\0\0\0"sv, "\xff\xff\xff\xff"sv, "\x80\x80\x01"sv};
constexpr std::array dap_words{"Content-Length: 2\r\n\r\n{}"sv,
                               "{"sv,
                               "}"sv,
                               "["sv,
                               "]"sv,
                               "\""sv,
                               ":"sv,
                               ","sv,
                               "\"type\":\"request\""sv,
                               "\"seq\":1"sv,
                               "\"command\":\"initialize\""sv,
                               "\"command\":\"threads\""sv,
                               "\"command\":\"evaluate\""sv,
                               "\"arguments\":{}"sv,
                               "\"command\":\"disconnect\""sv,
                               "\"command\":\"stackTrace\""sv,
                               "null"sv,
                               "true"sv,
                               "-1"sv,
                               "1e400"sv,
                               "\\u0000"sv,
                               "\\ud800"sv,
                               "\xff"sv,
                               "\"pathFormat\":\"uri\""sv,
                               "\"linesStartAt1\":"sv};

constexpr std::array all{front{"source", judge_source, source_words},
                         front{"rule", judge_rule, rule_words},
                         front{"schedule", judge_schedule, schedule_words},
                         front{"selector", judge_selector, selector_words},
                         front{"suppressions", judge_suppressions, suppression_words},
                         front{"expression", judge_expression, expression_words},
                         front{"command", judge_command, command_words},
                         front{"options", judge_options, option_words},
                         front{"table", judge_table, table_words},
                         front{"name", judge_name, name_words},
                         front{"dap", judge_dap, dap_words},
                         front{"recording", judge_recording, recording_words},
                         front{"sums", judge_sums, sum_words},
                         front{"bytecode", judge_bytecode, bytecode_words}};

} // namespace

std::span<const front> fronts() {
  return all;
}

const front* front_named(std::string_view name) {
  const auto it = std::ranges::find(all, name, &front::name);
  return it == all.end() ? nullptr : &*it;
}

void must(bool holds, std::string_view what) {
  if (holds) {
    return;
  }
  fmt::print(stderr, "fuzz: {}\n", what);
  std::abort();
}

std::string change(const front& f, std::string_view text, std::uint32_t seed) {
  constexpr std::uint32_t seldom = 2003;
  if (seed % seldom != 0) {
    return mutate(text, seed, f.words);
  }
  const auto word = f.words[seed / seldom % f.words.size()];
  std::string longer(text);
  for (std::size_t i = 0; i < 60'000 / word.size(); ++i) {
    longer += word;
  }
  return longer;
}

} // namespace tilesim::fuzz
