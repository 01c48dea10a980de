// Which files are a program's own, and where their places lie.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/device_sources.hpp"

#include "tools/cli/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>

namespace tilesim::tools {

namespace fs = std::filesystem;

namespace {

/// Includes may ask for others once they are answered for devices.
constexpr std::size_t most_readings = 4;

std::string absolute_path(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

/// Libraries that ask for the architecture in ways of their own, and are tried as they are.
constexpr std::array<std::string_view, 5> libraries{
    "/cccl/", "/cuda/std/", "/thrust/", "/cub/", "/nv/"};

std::size_t number_at(std::string_view text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// By line of the text: what its #line directives say of the one behind them.
std::map<std::size_t, std::size_t> lines_told(std::string_view text) {
  constexpr std::string_view directive = "#line ";
  std::map<std::size_t, std::size_t> told;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    if (text.substr(at).starts_with(directive)) {
      told[line + 1] = number_at(text.substr(at + directive.size()));
    }
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  return told;
}

std::string told(const arch_conditions::untold& condition) {
  using reason = arch_conditions::reason;
  switch (condition.why) {
  case reason::none:
    break;
  case reason::macro:
    return fmt::format("__CUDA_ARCH__ is not defined where it decides on the macro {}, which the "
                       "host's code has, too: kernels get the host's; to fix: ask for "
                       "__CUDA_ARCH__ in the device's functions",
                       condition.macro);
  case reason::functions:
    return "__CUDA_ARCH__ is not defined where it decides between functions for host and device: "
           "kernels get the host's; to fix: ask for __CUDA_ARCH__ in the function's body";
  case reason::labels:
    return "in a function for host and device that jumps to labels __CUDA_ARCH__ is not defined, "
           "in kernels neither; to fix: give the device's code a __device__ function of its own";
  case reason::closure:
    return "in a function for host and device that returns a closure __CUDA_ARCH__ is not "
           "defined, in kernels neither; to fix: ask for it in the closure's callers, or return "
           "an object of a class";
  case reason::closed:
    return "__CUDA_ARCH__ is not defined where it decides on the end of a function for host and "
           "device and on what is behind, in kernels neither; to fix: close the function behind "
           "the condition";
  }
  return {};
}

} // namespace

struct device_sources::file {
  std::string name; ///< as the preprocessor names it
  std::string text;
  std::optional<arch_conditions> conditions;
  /// Lines of what is compiled in its place, behind a #line, and what that says of them.
  std::map<std::size_t, std::size_t> lines = {};
};

device_sources::device_sources(std::string source,
                               const std::vector<std::string>& words,
                               std::vector<std::string> others)
    : source_(std::move(source))
    , apart_(std::move(others)) {
  apart_.insert(apart_.end(), {"/usr/include", "/usr/lib", "/usr/local"});
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "-isystem") {
      apart_.push_back(absolute_path(words[i + 1]));
    }
  }
  if (add(source_) && asks_for_target(files_.begin()->second->text)) {
    write();
  }
}

device_sources::~device_sources() = default;

bool device_sources::is_of_program(const std::string& path) const {
  return std::ranges::none_of(apart_,
                              [&](const std::string& folder) {
                                return path.starts_with(folder.ends_with('/') ? folder
                                                                              : folder + '/');
                              }) &&
         std::ranges::none_of(libraries, [&](std::string_view name) {
           return path.find(name) != std::string::npos;
         });
}

bool device_sources::add(const std::string& path) {
  const std::string at = absolute_path(path);
  if (files_.contains(at) || (path != source_ && !is_of_program(at))) {
    return false;
  }
  auto text = read_file(path);
  if (!text) {
    return false;
  }
  files_[at] =
      std::make_unique<file>(file{.name = path, .text = std::move(*text), .conditions = {}});
  return true;
}

bool device_sources::is_replaced(const std::string& path) const {
  return folder_ && path.starts_with(folder_->path() + '/');
}

bool device_sources::read(const std::vector<std::string>& inputs) {
  bool more = false;
  for (const std::string& input : inputs) {
    more = (!is_replaced(input) && add(input)) || more;
  }
  const bool one_asks =
      std::ranges::any_of(files_, [](const auto& f) { return asks_for_target(f.second->text); });
  if (!more || !one_asks || ++read_ > most_readings) {
    return false;
  }
  write();
  return replaces_;
}

void device_sources::write() {
  macros_ = {};
  for (const auto& [at, f] : files_) {
    macros_.add(f->text);
  }
  uses_ = {};
  for (const auto& [at, f] : files_) {
    f->conditions.emplace(f->text, macros_);
    f->conditions->add_uses(uses_);
  }
  replaces_ = std::ranges::any_of(
      files_, [&](const auto& f) { return !f.second->conditions->changes_nothing(uses_); });
  if (!replaces_) {
    return;
  }
  if (!folder_) {
    folder_.emplace("device");
  }
  for (const auto& [at, f] : files_) { // those that nothing changes in include others, too
    const std::string place = place_of(at);
    std::error_code error; // then it cannot be written, either
    fs::create_directories(fs::path(place).parent_path(), error);
    const std::string made = f->conditions->renamed(f->name, uses_);
    f->lines = lines_told(made);
    write_file(place, made);
  }
}

std::string device_sources::place_of(const std::string& path) const {
  return folder_->path() + absolute_path(path);
}

void device_sources::replace(command_line& command) const {
  if (!replaces_) {
    return;
  }
  command_line made;
  const std::string folder = fs::path(source_).parent_path().string();
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string& word = command[i];
    if (word == source_) {
      made.push_back(place_of(source_));
      continue;
    }
    if (word == "-I" || word == "-iquote") {
      if (std::ranges::find(made, "-iquote") == made.end()) {
        made.insert(made.end(), {"-iquote", folder.empty() ? "." : folder});
      }
      if (i + 1 < command.size()) {
        made.insert(made.end(), {word, place_of(command[i + 1]), word, command[i + 1]});
        ++i;
        continue;
      }
    }
    if (word.starts_with("-I") && word.size() > 2) {
      made.push_back("-I" + place_of(word.substr(2)));
    }
    made.push_back(word);
  }
  command = std::move(made);
}

std::vector<std::string> device_sources::named(std::vector<std::string> inputs) const {
  for (std::string& input : inputs) {
    if (is_replaced(input)) {
      const std::string at =
          fs::path(input.substr(folder_->path().size())).lexically_normal().string();
      const auto known = files_.find(at);
      input = known == files_.end() ? at : known->second->name;
    }
  }
  return inputs;
}

std::string device_sources::with_own_lines(std::string preprocessed) const {
  if (!replaces_) {
    return preprocessed;
  }
  std::string made;
  const std::string begin = '"' + folder_->path() + '/';
  const std::string_view text = preprocessed;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    at = end;
    const std::size_t path = line.find(begin);
    const std::size_t behind = path == std::string_view::npos ? path : line.find('"', path + 1);
    if (!line.starts_with("# ") || behind == std::string_view::npos) {
      made += line;
      continue;
    }
    const auto own =
        files_.find(fs::path(line.substr(path + begin.size() - 1, behind - path - begin.size() + 1))
                        .lexically_normal()
                        .string());
    if (own == files_.end()) {
      made += line;
      continue;
    }
    const file& f = *own->second;
    std::size_t number = number_at(line.substr(2));
    if (const auto told = f.lines.upper_bound(number); told != f.lines.begin()) {
      number = number - std::prev(told)->first + std::prev(told)->second;
    }
    made += fmt::format("# {} \"{}\"{}", number, escaped_path(f.name), line.substr(behind + 1));
  }
  return made;
}

std::string device_sources::notes() const {
  std::string text;
  for (const auto& [at, f] : files_) {
    if (!f->conditions) {
      continue;
    }
    for (const auto& [line, name] : f->conditions->in_bodies()) {
      const std::string end = "/" + fs::path(name).filename().string();
      const bool asks = std::ranges::any_of(files_, [&](const auto& other) {
        return other.first.ends_with(end) && asks_for_target(other.second->text);
      });
      text +=
          asks ? fmt::format("{}:{}: note: {} is included in a function, and what it has behind "
                             "conditions of __CUDA_ARCH__ is the host's, in kernels too; to fix: "
                             "put the conditions around what includes it\n",
                             f->name,
                             line,
                             name)
               : "";
    }
    for (const arch_conditions::untold& u : f->conditions->for_the_host(uses_)) {
      text += fmt::format("{}:{}: note: {}\n", f->name, u.line, told(u));
    }
  }
  return text;
}

} // namespace tilesim::tools
