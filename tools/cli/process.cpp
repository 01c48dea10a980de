// posix_spawn, pipes and execv.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/process.hpp"

#include "sim/contract/child.hpp"
#include "sim/contract/printable.hpp"
#include "tools/cli/failure.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilesim::tools {
namespace {

std::vector<char*> pointers(const command_line& command) {
  std::vector<char*> out;
  out.reserve(command.size() + 1);
  for (const auto& word : command) {
    out.push_back(const_cast<char*>(word.c_str())); // NOLINT: execv's signature
  }
  out.push_back(nullptr);
  return out;
}

int wait_for(pid_t child) {
  const int status = sim::status_at_end(child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void check_started(int error, const std::string& program) {
  if (error != 0) {
    throw failure(exit_unavailable,
                  fmt::format("cannot start '{}': {}", program, std::strerror(error)));
  }
}

pid_t spawn(const command_line& command, const posix_spawn_file_actions_t* actions) {
  pid_t child = 0;
  check_started(
      posix_spawnp(&child, command[0].c_str(), actions, nullptr, pointers(command).data(), environ),
      command[0]);
  return child;
}

} // namespace

command_line words_at_blanks(const std::string& text) {
  std::istringstream stream(text);
  command_line words;
  for (std::string word; stream >> word;) {
    words.push_back(word);
  }
  return words;
}

process_result run_process(const command_line& command, const std::function<void()>& tick) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw failure(exit_unavailable, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t child = 0;
  try {
    child = spawn(command, &actions);
  } catch (...) {
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);

  process_result result;
  std::array<char, 4096> buffer{};
  constexpr int tick_ms = 200;
  for (;;) {
    pollfd waiting{ends[0], POLLIN, 0};
    if (poll(&waiting, 1, tick_ms) == 0) {
      if (tick) {
        tick();
      }
      continue;
    }
    const auto count = read(ends[0], buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      break;
    }
    result.output.append(buffer.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  result.status = wait_for(child);
  return result;
}

int run_attached(const command_line& command) {
  return wait_for(spawn(command, nullptr));
}

pid_t start_repeatable(const repeatable_start& start) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const auto& [here, there] : start.descriptors) {
    posix_spawn_file_actions_adddup2(&actions, here, there);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGXFSZ); // this process ignores it
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           static_cast<short>(start.own_group
                                                  ? POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
                                                  : POSIX_SPAWN_SETSIGDEF));
  constexpr unsigned long ask = 0xffffffff;
  if (const int now = personality(ask); now >= 0) {
    personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE);
  }
  pid_t child = 0;
  const int error = posix_spawn(
      &child, start.program.c_str(), &actions, &attributes, pointers(start.words).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  check_started(error, start.program);
  return child;
}

void become(const std::string& program, const command_line& arguments) {
  std::signal(SIGXFSZ, SIG_DFL); // this process ignores it
  execv(program.c_str(), pointers(arguments).data());
  throw failure(exit_unavailable,
                fmt::format("cannot run '{}': {}", program, std::strerror(errno)));
}

std::optional<std::string> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return access(name.c_str(), X_OK) == 0 ? std::optional(name) : std::nullopt;
  }
  const char* path = std::getenv("PATH");
  std::string rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= rest.size();) {
    const auto end = std::min(rest.find(':', begin), rest.size());
    const auto candidate = rest.substr(begin, end - begin) + '/' + name;
    if (access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
    begin = end + 1;
  }
  return {};
}

std::string to_string(const command_line& command) {
  std::string text;
  for (const auto& word : command) {
    const bool simple = !word.empty() &&
                        word.find_first_of(" '\"\\$&;|<>()*?[]#~`!{}") == std::string::npos &&
                        sim::printable(word) == word;
    text += text.empty() ? "" : " ";
    if (simple) {
      text += word;
      continue;
    }
    // Bytes that a terminal does not show: as a shell reads them in $'…'.
    const auto shown = sim::printable(word);
    const bool escaped = shown != word;
    text += escaped ? "$'" : "'";
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const bool byte = escaped && shown.compare(i, 2, "\\x") == 0;
      if (shown[i] == '\'') {
        text += escaped ? "\\'" : "'\\''";
      } else if (shown[i] == '\\' && escaped && !byte) {
        text += "\\\\";
      } else {
        text += shown[i];
      }
    }
    text += '\'';
  }
  return text;
}

} // namespace tilesim::tools
