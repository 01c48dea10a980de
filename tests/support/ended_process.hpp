// What becomes of a process: for what ends one, or speaks on its standard error.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catch.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace tilesim::test {

struct ended_process {
  int status = -1;  ///< exit code; -1: it did not exit by itself
  std::string said; ///< on standard error
};

/// Does that in a process of its own, until it ends or comes back.
inline ended_process in_a_process(const std::function<void()>& what) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    what();
    _exit(0);
  }
  close(ends[1]);
  ended_process done;
  std::array<char, 4096> buffer{};
  for (ssize_t n = 0; (n = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    done.said.append(buffer.data(), static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  done.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return done;
}

} // namespace tilesim::test
