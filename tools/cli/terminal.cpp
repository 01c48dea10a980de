// Strips colours; shows and erases the progress line.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/terminal.hpp"

#include "sim/contract/printable.hpp"
#include "sim/contract/standard_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace tilesim::tools {

namespace {

bool colours_wanted(int stream) {
  const char* terminal = std::getenv("TERM");
  const char* none = std::getenv("NO_COLOR");
  return isatty(stream) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0 &&
         (none == nullptr || *none == '\0');
}

} // namespace

namespace {

/// A colour as compilers and reports set it, ESC [ numbers m, or ESC [ K, which g++ puts behind.
std::size_t colour_at(std::string_view text) {
  if (!text.starts_with("\033[")) {
    return 0;
  }
  const auto end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && (text[end] == 'm' || text[end] == 'K') ? end + 1 : 0;
}

std::string with_colours(std::string_view coloured, bool keep) {
  std::string text;
  while (!coloured.empty()) {
    if (const auto colour = colour_at(coloured); colour != 0) {
      text += keep ? coloured.substr(0, colour) : "";
      coloured.remove_prefix(colour);
      continue;
    }
    const auto end = std::min(coloured.find('\033', 1), coloured.size());
    text += sim::printable_text(coloured.substr(0, end));
    coloured.remove_prefix(end);
  }
  return text;
}

} // namespace

std::string for_terminal(const std::string& coloured, int stream) {
  return with_colours(coloured, colours_wanted(stream));
}

std::string without_colours(const std::string& coloured) {
  return with_colours(coloured, false);
}

void print_out(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

bool close_output() noexcept {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  return flushed && std::ferror(stdout) == 0;
}

progress::progress(const std::string& what)
    : what_(sim::printable(what))
    , terminal_(isatty(STDERR_FILENO) == 1) {}

void progress::tick() {
  using namespace std::chrono_literals;
  const std::lock_guard lock(mutex_);
  const auto elapsed = std::chrono::steady_clock::now() - start_;
  if (!terminal_ || elapsed < 1s) {
    return;
  }
  shown_ = true;
  sim::print_error("\r\033[K{} {:.1f} s", what_, std::chrono::duration<double>(elapsed).count());
  std::fflush(stderr);
}

void progress::tick(const std::string& what) {
  {
    const std::lock_guard lock(mutex_);
    what_ = sim::printable(what);
  }
  tick();
}

void progress::erase() {
  const std::lock_guard lock(mutex_);
  if (shown_) {
    sim::print_error("\r\033[K");
  }
  std::fflush(stderr);
  shown_ = false;
}

} // namespace tilesim::tools
