// Strips colours; shows and erases the progress line.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/terminal.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace tilesim::driver {

namespace {

bool colours_wanted(int stream) {
  const char* terminal = std::getenv("TERM");
  const char* none = std::getenv("NO_COLOR");
  return isatty(stream) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0 &&
         (none == nullptr || *none == '\0');
}

} // namespace

std::string for_terminal(const std::string& coloured, int stream) {
  return colours_wanted(stream) ? coloured : without_colours(coloured);
}

std::string without_colours(const std::string& coloured) {
  std::string text;
  for (std::size_t at = 0; at < coloured.size();) {
    if (coloured.compare(at, 2, "\033[") == 0) { // ESC [ parameters letter
      at = coloured.find_first_not_of("0123456789;", at + 2);
      at = at == std::string::npos ? coloured.size() : at + 1;
    } else {
      text += coloured[at++];
    }
  }
  return text;
}

progress::progress(std::string what)
    : what_(std::move(what))
    , terminal_(isatty(STDERR_FILENO) == 1) {}

void progress::tick() {
  using namespace std::chrono_literals;
  const std::lock_guard lock(mutex_);
  const auto elapsed = std::chrono::steady_clock::now() - start_;
  if (!terminal_ || elapsed < 1s)
    return;
  shown_ = true;
  fmt::print(stderr, "\r\033[K{} {:.1f} s", what_, std::chrono::duration<double>(elapsed).count());
  std::fflush(stderr);
}

void progress::tick(std::string what) {
  {
    const std::lock_guard lock(mutex_);
    what_ = std::move(what);
  }
  tick();
}

void progress::erase() {
  const std::lock_guard lock(mutex_);
  if (shown_)
    fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

} // namespace tilesim::driver
