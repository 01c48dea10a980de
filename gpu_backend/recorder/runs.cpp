// One process after the other.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/runs.hpp"

#include "gpu_backend/container/format.hpp"
#include "gpu_backend/container/whole_write.hpp"
#include "gpu_backend/recorder/about.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <xxhash.h>

namespace tilesim::gpu {

namespace {

constexpr const char* runs_name = "TILESIM_RECORD_RUNS";
constexpr const char* run_name = "TILESIM_RECORD_RUN";     // of those that run_several starts
constexpr const char* pages_name = "TILESIM_RECORD_PAGES"; // the descriptor of their first one's
constexpr std::size_t large_memory = std::size_t{1} << 20U;
constexpr unsigned long most_runs = 100'000;

/// What run_several has told this process. Programs that this one starts are not told.
struct told {
  bool of_several = false;
  std::uint64_t run = 0;
  int pages = -1;
};

const told& what_was_told() {
  static const told it = [] {
    const char* const pages = std::getenv(pages_name);
    const char* const run = std::getenv(run_name);
    if (pages == nullptr || run == nullptr) {
      return told{};
    }
    told t{.of_several = true,
           .run = std::strtoull(run, nullptr, 10),
           .pages = static_cast<int>(std::strtol(pages, nullptr, 10))};
    fcntl(t.pages, F_SETFD, FD_CLOEXEC); // NOLINT: variadic by nature
    for (const char* const name : {pages_name, run_name, runs_name}) {
      unsetenv(name);
    }
    return t;
  }();
  return it;
}

unsigned long wanted_runs() {
  const char* const given = std::getenv(runs_name);
  if (given == nullptr || *given == '\0') {
    return about::runs;
  }
  char* rest = nullptr;
  const unsigned long count = std::strtoul(given, &rest, 10);
  if (*rest != '\0' || count == 0 || count > most_runs || *given == '-') {
    std::fprintf(stderr,
                 "tilesim: error: %s is to be a number from 1 to %lu, not '%s'\n",
                 runs_name,
                 most_runs,
                 given);
    std::_Exit(64);
  }
  return count;
}

volatile std::sig_atomic_t running = 0;

void pass_on(int number) {
  if (running != 0) {
    kill(static_cast<pid_t>(running), number);
  }
}

/// What signals did before.
class dispositions {
public:
  void change(int signal, void (*to)(int)) {
    struct sigaction action {};
    action.sa_handler = to;
    struct sigaction old {};
    sigaction(signal, &action, &old);
    were_.emplace_back(signal, old);
  }
  void put_back() const {
    for (const auto& [signal, was] : were_) {
      sigaction(signal, &was, nullptr);
    }
  }

private:
  std::vector<std::pair<int, struct sigaction>> were_;
};

/// The status that waitpid gives.
int run_once(char** words, unsigned long number, const dispositions& before) {
  lseek(STDIN_FILENO, 0, SEEK_SET); // each run reads it from the beginning, where it is a file
  const pid_t child = fork();
  if (child == 0) {
    before.put_back();
    setenv(run_name, std::to_string(number).c_str(), 1);
    personality(ADDR_NO_RANDOMIZE); // the same addresses in every run, where that is allowed
    execv("/proc/self/exe", words);
    std::_Exit(127);
  }
  running = child;
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  running = 0;
  return child > 0 ? status : 127 << 8;
}

} // namespace

std::uint64_t run_number() {
  return what_was_told().run;
}

void run_several(char** words) {
  if (what_was_told().of_several) {
    return;
  }
  const unsigned long runs = wanted_runs();
  if (runs == 1) {
    return;
  }
  const int pages = memfd_create("tilesim-pages", 0); // the runs inherit it
  setenv(pages_name, std::to_string(pages).c_str(), 1);
  dispositions before;
  for (const int signal : {SIGINT, SIGQUIT}) { // a terminal's go to the run as well
    before.change(signal, SIG_IGN);
  }
  for (const int signal : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) {
    before.change(signal, pass_on);
  }
  int failed = 0;
  for (unsigned long i = 0; i < runs; ++i) {
    const int status = run_once(words, i, before);
    failed = failed == 0 ? status : failed;
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM)) {
      break; // whoever stopped it meant all
    }
  }
  if (WIFSIGNALED(failed)) {
    std::signal(WTERMSIG(failed), SIG_DFL);
    std::raise(WTERMSIG(failed));
  }
  std::_Exit(WEXITSTATUS(failed));
}

// --- The first run's pages

first_run::first_run() {
  if (!what_was_told().of_several || about::full) {
    return;
  }
  file_ = what_was_told().pages;
  if (is_first()) {
    return;
  }
  noted one{};
  for (off_t at = 0; pread(file_, &one, sizeof(one), at) == static_cast<ssize_t>(sizeof(one));
       at += static_cast<off_t>(sizeof(one))) {
    pages_[one.at] = one.hash;
  }
}

bool first_run::concerns(std::size_t bytes) const noexcept {
  return file_ >= 0 && bytes >= large_memory;
}

std::size_t first_run::page_hash::operator()(const page& p) const noexcept {
  return XXH64(&p, sizeof(p), 0);
}

void first_run::note(content_event::when is,
                     std::uint64_t launches,
                     std::uint64_t memory,
                     std::uint64_t offset,
                     std::span<const std::byte> content) {
  for (std::size_t at = 0; at < content.size(); at += format::page_bytes) {
    const std::size_t bytes = std::min(content.size() - at, std::size_t{format::page_bytes});
    noted_.push_back({.at = {.is = static_cast<std::uint64_t>(is),
                             .launches = launches,
                             .memory = memory,
                             .offset = offset + at,
                             .bytes = bytes},
                      .hash = XXH64(content.data() + at, bytes, 0)});
  }
}

bool first_run::had(content_event::when is,
                    std::uint64_t launches,
                    std::uint64_t memory,
                    std::uint64_t offset,
                    std::uint64_t bytes,
                    std::uint64_t hash) const {
  const auto found = pages_.find({.is = static_cast<std::uint64_t>(is),
                                  .launches = launches,
                                  .memory = memory,
                                  .offset = offset,
                                  .bytes = bytes});
  return found != pages_.end() && found->second == hash;
}

void first_run::save() {
  if (file_ < 0 || !is_first()) {
    return;
  }
  // What is not written there later runs record, though they need not.
  write_whole(file_, noted_.data(), noted_.size() * sizeof(noted));
}

} // namespace tilesim::gpu
