// Sorts the words of a command line.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/arguments.hpp"

#include "tools/cli/failure.hpp"
#include "tools/cli/terminal.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>

namespace tilesim::tools {
namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto replaced = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
    for (const auto& name : option->get_snames()) {
      names.push_back("-" + name);
    }
  }
  return names;
}

/// `otherwise`: what to say when no option looks like it.
[[noreturn]] void
unknown_option(const CLI::App& app, const std::string& word, std::string_view otherwise) {
  const auto name = word.substr(0, word.find('='));
  const auto near = nearest(name, option_names(app));
  throw failure(
      exit_usage,
      fmt::format("unknown option '{}'; {}see 'tilesim {} --help'",
                  word,
                  near ? fmt::format("did you mean '{}'? ", *near) : std::string(otherwise),
                  app.get_name()));
}

// The file of a report that goes to standard output by itself would be taken for a source.
void refuse_file_apart(const std::string& option, const std::string& next) {
  constexpr std::array<std::string_view, 3> formats{"json", "sarif", "html"};
  const bool writes = std::ranges::any_of(
      formats, [&](std::string_view f) { return option == fmt::format("--{}", f); });
  const bool is_report = std::ranges::any_of(
      formats, [&](std::string_view f) { return next.ends_with(fmt::format(".{}", f)); });
  if (writes && is_report) {
    throw failure(
        exit_usage,
        fmt::format(
            "{0} takes its file as {0}={1}; by itself it writes to standard output", option, next));
  }
}

// Takes the app's own option at `at` with its value, if there is one.
bool take_own_option(const CLI::App& app,
                     const std::vector<std::string>& words,
                     std::size_t& at,
                     std::vector<std::string>& own) {
  const auto equals = words[at].find('=');
  const auto name = words[at].substr(0, equals);
  const auto names = option_names(app);
  if (std::ranges::find(names, name) == names.end()) {
    return false;
  }
  const auto* option = app.get_option_no_throw(name);
  const bool assigned = equals != std::string::npos;
  std::optional<std::string> value;
  if (assigned) {
    value = words[at].substr(equals + 1);
  }
  own.push_back(words[at++]);
  if (option->get_items_expected_min() > 0 && !assigned && at < words.size()) {
    refuse_option_as_value(name, words[at]);
    value = own.emplace_back(words[at++]);
  }
  // No file has an empty name, and no option takes nothing for something: but a command may be an
  // empty line.
  if (value && name != "--ex") {
    refuse_empty_value(name, *value);
  }
  return true;
}

void parse_own(CLI::App& app, const std::vector<std::string>& own) {
  try {
    app.parse(std::vector<std::string>(own.rbegin(), own.rend()));
  } catch (const CLI::CallForHelp&) {
    print_out(app.help());
    throw; // main() ends with success
  }
}

class usage_formatter : public CLI::Formatter {
public:
  explicit usage_formatter(std::string line)
      : line_(std::move(line)) {}
  std::string make_usage(const CLI::App* /*app*/, std::string /*name*/) const override {
    return line_ + "\n";
  }

private:
  std::string line_;
};

} // namespace

void set_usage(CLI::App& app, std::string line) {
  app.formatter(std::make_shared<usage_formatter>(std::move(line)));
}

std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& known) {
  std::optional<std::string> best;
  auto best_distance = word.size() / 3 + 1;
  for (const auto& candidate : known) {
    if (const auto distance = edit_distance(word, candidate); distance <= best_distance) {
      best = candidate;
      best_distance = distance - (distance > 0 ? 1U : 0U);
    }
  }
  return best;
}

std::vector<std::string> parse_words(CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> own;
  std::vector<std::string> rest;
  for (std::size_t at = 0; at < words.size();) {
    if (!words[at].starts_with('-')) {
      rest.push_back(words[at++]);
    } else if (!take_own_option(app, words, at, own)) {
      unknown_option(app, words[at], "");
    }
  }
  parse_own(app, own);
  return rest;
}

std::string parse_action(CLI::App& app,
                         const std::vector<std::string>& words,
                         const std::vector<std::string>& actions) {
  const auto rest = parse_words(app, words);
  const auto see = fmt::format("see 'tilesim {} --help'", app.get_name());
  if (rest.empty()) {
    throw failure(exit_usage, "what to do? " + see);
  }
  if (rest.size() > 1) {
    throw failure(exit_usage, fmt::format("one action, not '{}' too; {}", rest[1], see));
  }
  if (std::ranges::find(actions, rest[0]) != actions.end()) {
    return rest[0];
  }
  const auto near = nearest(rest[0], actions);
  throw failure(exit_usage,
                fmt::format("unknown action '{}'; {}{}",
                            rest[0],
                            near ? fmt::format("did you mean '{}'? ", *near) : "",
                            see));
}

void refuse_output(const arguments& given, std::string_view command) {
  if (given.request.objects_only || !given.request.output.empty()) {
    throw failure(
        exit_usage,
        fmt::format("'{}' keeps nothing, so it takes neither -c nor -o; use 'tilesim build'",
                    command));
  }
}

std::vector<const CLI::Option*> options_so_far(const CLI::App& app) {
  const auto& all = app.get_options();
  return {all.begin(), all.end()};
}

std::vector<std::string> words_without(const std::vector<const CLI::Option*>& dropped,
                                       const std::vector<std::string>& words) {
  std::vector<std::string> rest;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (words[at] == "--") {
      rest.insert(rest.end(), words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
      break;
    }
    const auto equals = words[at].find('=');
    const auto name = words[at].substr(0, equals);
    const auto found = std::ranges::find_if(
        dropped, [&](const auto* o) { return name.starts_with('-') && o->check_name(name); });
    if (found == dropped.end()) {
      rest.push_back(words[at]);
    } else if ((*found)->get_items_expected_min() > 0 && equals == std::string::npos) {
      ++at;
    }
  }
  return rest;
}

namespace {

/// ": 'x.cu' is the value of --html", where an option has taken what looks like the source.
std::string option_with_source(const CLI::App& app) {
  for (const CLI::Option* o : app.get_options()) {
    for (const std::string& value : o->results()) {
      if (is_source_name(value)) {
        return fmt::format(": '{}' is the value of {}", value, o->get_name());
      }
    }
  }
  return {};
}

} // namespace

arguments parse_arguments(CLI::App& app, const std::vector<std::string>& words) {
  arguments out;
  std::vector<std::string> own;
  for (std::size_t at = 0; at < words.size();) {
    const auto& word = words[at];
    if (word == "--") {
      out.program.assign(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
      break;
    }
    if (!word.starts_with('-') || word == "-") {
      if (at > 0) {
        refuse_file_apart(words[at - 1], word);
      }
      if (is_linker_input(word)) {
        out.request.link.push_back(word);
      } else if (is_source_name(word) || out.request.sources.empty()) {
        out.request.sources.push_back(word);
      } else {
        throw failure(exit_usage,
                      fmt::format("'{}' is no source file; what the program is to get stands "
                                  "behind '--': tilesim {} {} -- {}",
                                  word,
                                  app.get_name(),
                                  out.request.sources.front(),
                                  word));
      }
      ++at;
    } else if (!take_own_option(app, words, at, own) &&
               !take_compiler_flag(words, at, out.request)) {
      unknown_option(app, word, "what the program is to get stands behind '--', ");
    }
  }
  parse_own(app, own);
  if (out.request.sources.empty()) {
    const std::string taken = option_with_source(app);
    throw failure(
        exit_usage,
        fmt::format("no source file{1}; write 'tilesim {0} FILE.cu', see 'tilesim {0} --help'",
                    app.get_name(),
                    taken));
  }
  return out;
}

std::vector<std::string> program_words(const arguments& of) {
  std::vector<std::string> words;
  if (!of.request.sources.empty()) {
    words.push_back(std::filesystem::path(of.request.sources.front()).stem().string());
  }
  words.insert(words.end(), of.program.begin(), of.program.end());
  return words;
}

} // namespace tilesim::tools
