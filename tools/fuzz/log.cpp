// Reading the log of a GPU program of many random programs.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/log.hpp"

#include "tools/cli/failure.hpp"
#include "tools/cli/numbers.hpp"

#include <fmt/format.h>

#include <array>
#include <sstream>

namespace tilesim::tools::fuzz {

namespace {

constexpr std::string_view first_line = "tilesim fuzz log";
constexpr std::array told{"compiler ", "flags ", "device ", "driver ", "runtime "};

class log_reader {
public:
  log_reader(const std::string& name, const std::string& text)
      : name_(name)
      , text_(text) {}

  log read() {
    if (!next() || line_ != first_line) {
      refuse(fmt::format("a log of random programs begins with '{}'", first_line));
    }
    if (!next() || !line_.starts_with("generator ")) {
      refuse("the second line has to name the generator's version");
    }
    read_generator();
    while (next()) {
      read_line();
    }
    if (open_) {
      refuse(fmt::format("the program {} has no line '-- {}': the log is cut short",
                         log_.programs.back().label,
                         log_.programs.back().label));
    }
    return std::move(log_);
  }

private:
  bool next() {
    ++number_;
    return static_cast<bool>(std::getline(text_, line_));
  }

  [[noreturn]] void refuse(const std::string& what) const { fail_at(name_, number_, what); }

  void read_generator() {
    std::istringstream words(line_);
    std::string word;
    words >> word >> word;
    if (word == "3" || word == "4") {
      log_.by.scalar = log_.by.narrow = true;
      log_.by.carry = log_.by.array = word == "3";
    } else if (word != std::to_string(generator_version)) {
      refuse(fmt::format("its programs are of version {} of the generator, and this one is of "
                         "version {}: a seed is another program there; build the GPU program anew",
                         shortened(word),
                         generator_version));
    }
    while (words >> word) {
      std::string value;
      if (word == "--approximate") {
        log_.by.approximate = true;
      } else if (word == "--operations" && words >> value && number<unsigned>(value)) {
        log_.by.operations = *number<unsigned>(value);
      } else if (word == "--hunt" && words >> value && hunt_named(value) != nullptr) {
        log_.by.*hunt_named(value)->wished = true;
      } else {
        refuse(fmt::format("'{}' is nothing that programs are made by", shortened(word)));
      }
    }
  }

  void read_line() {
    if (log_.whole) {
      refuse("nothing may stand behind 'end'");
    }
    if (open_) {
      logged_program& p = log_.programs.back();
      if (line_ == "-- " + p.label) {
        open_ = false;
      } else if (line_.starts_with("== ")) {
        refuse(fmt::format("a line '-- {}' is missing before it", p.label));
      } else {
        p.lines.push_back(line_);
      }
      return;
    }
    if (line_ == "end") {
      log_.whole = true;
    } else if (line_.starts_with("== ")) {
      log_.programs.push_back({.label = line_.substr(3), .lines = {}, .at = number_});
      open_ = true;
    } else if (!log_.programs.empty() || !is_about(line_)) {
      refuse(fmt::format("'{}' is no line of a log", shortened(line_)));
    } else {
      log_.about.push_back(line_);
    }
  }

  static bool is_about(const std::string& line) {
    return std::ranges::any_of(told, [&](const char* word) { return line.starts_with(word); });
  }

  const std::string& name_;
  std::istringstream text_;
  std::string line_;
  std::uint32_t number_ = 0;
  bool open_ = false; ///< within a program
  log log_;
};

} // namespace

std::string log_header(const wishes& w, const std::string& compiler, const std::string& flags) {
  return fmt::format("{}\ngenerator {}{}\ncompiler {}\nflags {}\n",
                     first_line,
                     generator_version,
                     to_words(w),
                     compiler,
                     flags);
}

log parse_log(const std::string& name, const std::string& text) {
  return log_reader(name, text).read();
}

} // namespace tilesim::tools::fuzz
