// Reading lines through libedit's readline interface.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/line_reader.hpp"

#include "tools/cli/interrupts.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <editline/readline.h>
#include <filesystem>
#include <iostream>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace tilesim::tools::step {
namespace {

// libedit's callbacks take no argument of ours.
std::function<std::vector<std::string>(std::string_view)> completer; // NOLINT
std::vector<std::string> candidates;                                 // NOLINT

char* next_candidate(const char* /*word*/, int state) {
  if (static_cast<std::size_t>(state) >= candidates.size()) {
    return nullptr;
  }
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

using for_the_line = interrupts<line_reader>;

/// Ctrl-C while one lives is kept until a key is waited for, and ends the reading of the line
/// there. One that comes behind the line's last key is for whoever is asked next.
class interrupts_kept {
public:
  interrupts_kept() { for_the_line::count = 0; }

private:
  class blocked {
  public:
    blocked() {
      sigset_t interrupt;
      sigemptyset(&interrupt);
      sigaddset(&interrupt, SIGINT);
      sigprocmask(SIG_BLOCK, &interrupt, &before_);
    }
    ~blocked() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
    blocked(const blocked&) = delete;
    blocked& operator=(const blocked&) = delete;

  private:
    sigset_t before_{};
  };

  blocked blocked_;
  signal_action counted_{SIGINT, for_the_line::counted()};
};

/// The next byte of the terminal; nothing at its end, and after Ctrl-C, which comes in here alone.
std::optional<char> next_byte() {
  sigset_t open;
  sigprocmask(SIG_SETMASK, nullptr, &open);
  sigdelset(&open, SIGINT);
  for (;;) {
    pollfd keys{STDIN_FILENO, POLLIN, 0};
    const int ready = ppoll(&keys, 1, nullptr, &open);
    if (for_the_line::count != 0) {
      return std::nullopt;
    }
    if (ready < 0 && errno == EINTR) {
      continue; // libedit's handler, which hands the signal on to ours
    }
    char byte = 0;
    const ssize_t n = ready < 0 ? -1 : ::read(STDIN_FILENO, &byte, 1);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    return n == 1 ? std::optional(byte) : std::nullopt;
  }
}

/// What libedit asks for a key, as the locale writes characters.
int next_key(FILE* /*input*/) {
  std::mbstate_t state{};
  for (;;) {
    const auto byte = next_byte();
    if (!byte) {
      return EOF;
    }
    if (*byte == 0) {
      return 0;
    }
    wchar_t key = 0;
    const std::size_t n = std::mbrtowc(&key, &*byte, 1, &state);
    if (n == 1) {
      return static_cast<int>(key);
    }
    if (n == static_cast<std::size_t>(-1)) {
      state = {}; // no character of this locale
    }
  }
}

std::string history_path() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (state == nullptr && home == nullptr) {
    return {};
  }
  const std::filesystem::path folder =
      (state != nullptr ? std::filesystem::path(state)
                        : std::filesystem::path(home) / ".local" / "state") /
      "tilesim";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return error ? std::string{} : (folder / "step_history").string();
}

} // namespace

line_reader::line_reader(std::function<std::vector<std::string>(std::string_view)> complete_with,
                         std::function<void()> begins)
    : interactive_(isatty(STDIN_FILENO) == 1)
    , begins_(std::move(begins)) {
  if (!interactive_) {
    return;
  }
  completer = std::move(complete_with);
  rl_getc_function = next_key;
  rl_readline_name = const_cast<char*>("tilesim"); // NOLINT: its type in older versions
  rl_initialize();
  rl_pre_input_hook = bind_keys;
  rl_attempted_completion_function = complete;
  rl_completer_word_break_characters = const_cast<char*>(" \t=(*&!+-/,"); // NOLINT
  history_file_ = history_path();
  if (!history_file_.empty()) {
    read_history(history_file_.c_str());
  }
  stifle_history(1000);
}

line_reader::~line_reader() {
  if (interactive_ && !history_file_.empty()) {
    write_history(history_file_.c_str());
  }
}

std::optional<std::string> line_reader::read(const char* prompt) {
  if (!interactive_) {
    std::string line;
    if (!std::getline(std::cin, line)) {
      return std::nullopt;
    }
    return line;
  }
  std::fflush(stdout);
  char* line = nullptr;
  const interrupts_kept guard;
  begins_();
  for (;;) {
    line = readline(prompt);
    if (for_the_line::count == 0 || line != nullptr) {
      break;
    }
    for_the_line::count = 0;
    std::fputs("\n", stdout);
    std::fflush(stdout);
  }
  if (line == nullptr) {
    return std::nullopt;
  }
  std::string text = line;
  std::free(line); // NOLINT: readline's memory
  if (!text.empty()) {
    add_history(text.c_str());
  }
  return text;
}

} // namespace tilesim::tools::step
