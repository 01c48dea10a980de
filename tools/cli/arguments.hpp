// The command line of commands that compile: own options, files, compiler flags, -- arguments.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/cli11_fwd.hpp"
#include "tools/cli/flags.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools {

struct arguments {
  build_request request;
  std::vector<std::string> program; ///< what stands behind --
};

/// What the program gets to see: its own name, by its first source, and what stands behind --.
/// Without sources: the latter alone.
[[nodiscard]] std::vector<std::string> program_words(const arguments& of);

/// The line that --help shows first; CLI11's own knows nothing of compiler flags.
void set_usage(CLI::App& app, std::string line);

/// Options that `app` knows are parsed by it, wherever they stand in front of `--`; the rest are
/// files and compiler flags. Throws failure (usage) for anything else, and CLI::ParseError.
[[nodiscard]] arguments parse_arguments(CLI::App& app, const std::vector<std::string>& words);

/// Throws failure (usage) for -c and -o, on behalf of a command that keeps no program.
void refuse_output(const arguments& given, std::string_view command);

/// Those that have been declared.
[[nodiscard]] std::vector<const CLI::Option*> options_so_far(const CLI::App& app);

/// The words without these options and their values.
[[nodiscard]] std::vector<std::string> words_without(const std::vector<const CLI::Option*>& dropped,
                                                     const std::vector<std::string>& words);

/// For a command that compiles nothing: options that `app` knows are parsed by it; the other words.
[[nodiscard]] std::vector<std::string> parse_words(CLI::App& app,
                                                   const std::vector<std::string>& words);

/// For a command that takes one word out of `actions`: that word.
[[nodiscard]] std::string parse_action(CLI::App& app,
                                       const std::vector<std::string>& words,
                                       const std::vector<std::string>& actions);

/// The one of `known` that `word` looks like, if it looks like one.
[[nodiscard]] std::optional<std::string> nearest(const std::string& word,
                                                 const std::vector<std::string>& known);

} // namespace tilesim::tools
