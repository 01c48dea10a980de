// Reading lines through libedit's readline interface.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/line_reader.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <editline/readline.h>
#include <filesystem>
#include <iostream>
#include <unistd.h>

namespace tilesim::driver::step {
namespace {

// libedit's callbacks take no argument of ours.
std::function<std::vector<std::string>(std::string_view)> completer; // NOLINT
std::vector<std::string> candidates;                                 // NOLINT

char* next_candidate(const char* /*word*/, int state) {
  if (static_cast<std::size_t>(state) >= candidates.size())
    return nullptr;
  return strdup(candidates[static_cast<std::size_t>(state)].c_str());
}

char** complete(const char* /*word*/, int /*start*/, int end) {
  rl_attempted_completion_over = 1; // no names of files
  try {
    candidates = completer(std::string_view(rl_line_buffer, static_cast<std::size_t>(end)));
  } catch (const std::exception&) { // the program cannot be asked now
    candidates.clear();
  }
  return candidates.empty() ? nullptr : rl_completion_matches("", next_candidate);
}

// Ctrl-D typed while the terminal was not the editor's reaches it as the byte zero, which libedit
// binds, anew for every line, to "insert the next key as it is". It means what the key means.
int bind_keys() {
  return rl_parse_and_bind("bind ^@ em-delete-or-list");
}

volatile std::sig_atomic_t interrupted = 0; // NOLINT: set by a signal handler

void on_interrupt(int /*signal*/) {
  interrupted = 1;
}

/// Ctrl-C ends the reading of a line. libedit tells it as it tells the end of the input, so it is
/// seen here; libedit hands the signal to whom it finds when it begins to read.
class interrupts_seen {
public:
  interrupts_seen() {
    interrupted = 0;
    struct sigaction seen {};
    seen.sa_handler = on_interrupt; // without SA_RESTART: it has to end the read
    sigaction(SIGINT, &seen, &before_);
  }
  ~interrupts_seen() { sigaction(SIGINT, &before_, nullptr); }
  interrupts_seen(const interrupts_seen&) = delete;
  interrupts_seen& operator=(const interrupts_seen&) = delete;

private:
  struct sigaction before_ {};
};

std::string history_path() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (state == nullptr && home == nullptr)
    return {};
  const std::filesystem::path folder =
      (state != nullptr ? std::filesystem::path(state)
                        : std::filesystem::path(home) / ".local" / "state") /
      "tilesim";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return error ? std::string{} : (folder / "step_history").string();
}

} // namespace

line_reader::line_reader(std::function<std::vector<std::string>(std::string_view)> complete_with)
    : interactive_(isatty(STDIN_FILENO) == 1) {
  if (!interactive_)
    return;
  completer = std::move(complete_with);
  rl_readline_name = const_cast<char*>("tilesim"); // NOLINT: its type in older versions
  rl_initialize();
  rl_pre_input_hook = bind_keys;
  rl_attempted_completion_function = complete;
  rl_completer_word_break_characters = const_cast<char*>(" \t=(*&!+-/,"); // NOLINT
  history_file_ = history_path();
  if (!history_file_.empty())
    read_history(history_file_.c_str());
  stifle_history(1000);
}

line_reader::~line_reader() {
  if (interactive_ && !history_file_.empty())
    write_history(history_file_.c_str());
}

std::optional<std::string> line_reader::read(const char* prompt) {
  if (!interactive_) {
    std::string line;
    if (!std::getline(std::cin, line))
      return std::nullopt;
    return line;
  }
  std::fflush(stdout);
  char* line = nullptr;
  for (;;) {
    const interrupts_seen guard;
    line = readline(prompt);
    // One that came before libedit waited for a key ends nothing: what is typed then counts.
    if (interrupted == 0 || line != nullptr)
      break;
    std::fputs("\n", stdout);
    std::fflush(stdout);
  }
  if (line == nullptr)
    return std::nullopt;
  std::string text = line;
  std::free(line); // NOLINT: readline's memory
  if (!text.empty())
    add_history(text.c_str());
  return text;
}

} // namespace tilesim::driver::step
