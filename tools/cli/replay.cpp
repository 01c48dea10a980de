// Hashing what is replayed, and reading replay strings.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/replay.hpp"

#include "sim/contract/option_table.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/schedule_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tilesim::tools {
namespace {

using namespace sim::option_literals;

bool takes_folder(const std::string& flag) {
  return flag == "-I" || flag == "-isystem" || flag == "-iquote" || flag == "-idirafter";
}

/// Does it look like a file's name? (In a replay string a number stands behind every dot.)
bool is_path(const std::string& text) {
  const auto dot = text.rfind('.');
  return text.find('/') != std::string::npos ||
         (dot != std::string::npos && text.find_first_of("0123456789", dot) != dot + 1);
}

/// What to say of what is no replay string.
std::string no_replay(const std::string& given, bool is_file) {
  if (is_file) {
    return fmt::format("the first line of '{}' is no replay string of this version of tilesim; "
                       "'save' of 'tilesim step' writes such files",
                       given);
  }
  if (is_path(given)) {
    return fmt::format("cannot read '{}'", given);
  }
  return fmt::format("'{}' is no replay string of this version of tilesim, and no file; copy one "
                     "from a report",
                     given);
}

} // namespace

std::string program_hash(const arguments& a, const nlohmann::json& simulator_options) {
  std::string text;
  const auto add = [&](const std::string& part) {
    text += part;
    text += '\0';
  };
  for (const auto& source : a.request.sources) {
    add(read_file(source).value_or(""));
  }
  for (const auto& words : {a.request.preprocess, a.request.compile}) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (takes_folder(words[i])) {
        ++i;
      } else if (!words[i].starts_with("-I")) {
        add(words[i]);
      }
    }
  }
  for (const auto& word : a.program) {
    add(word);
  }
  if (simulator_options.contains("modules"_option)) {
    add("tileir"); // through that door the operations are others; its files are made of the sources
  }
  if (simulator_options.contains("contract"_option)) {
    add("contract"); // by whom is no matter: of a compiler and of its table the places are the same
  }
  for (const char* key :
       {"arith"_option, "order"_option, "device_memory"_option, "multiprocessors"_option}) {
    if (const auto it = simulator_options.find(key); it != simulator_options.end()) {
      add(fmt::format("{}={}", key, it->dump()));
    }
  }
  return hash_bytes(text).substr(0, 16);
}

sim::replay read_replay(const std::string& given, const std::string& program) {
  // A file holds one in its first line.
  const auto saved = read_text(given);
  auto wanted = sim::parse_replay(saved ? std::string_view(*saved).substr(0, saved->find('\n'))
                                        : std::string_view(given));
  if (!wanted) {
    throw failure(exit_usage, no_replay(given, saved.has_value()));
  }
  if (wanted->program != program) {
    throw failure(exit_usage,
                  fmt::format("the replay string belongs to another program: it names {}, and "
                              "these sources, flags and arguments are {}",
                              wanted->program,
                              program));
  }
  return std::move(*wanted);
}

bool counts_raw_accesses(const sim::schedule& s) {
  return std::ranges::any_of(s.turns, [](const sim::turn& t) { return t.until && t.until->raw; });
}

void compile_for_stepping(build_request& build) {
  if (build.has_optimisation) {
    return;
  }
  build.compile.emplace_back("-O0");
  build.has_optimisation = true;
}

void compile_for(const sim::replay& r, build_request& build) {
  if (!counts_raw_accesses(r.which) && !r.which.is_weak()) {
    return;
  }
  build.hooks = true;
  if (r.position) {
    compile_for_stepping(build);
  }
}

void use_replay(const std::string& given, arguments& a, nlohmann::json& simulator_options) {
  const auto wanted = read_replay(given, program_hash(a, simulator_options));
  compile_for(wanted, a.request);
  set_options(wanted.which, simulator_options);
  simulator_options["repeatable"_option] = true;
}

} // namespace tilesim::tools
