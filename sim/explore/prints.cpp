// What kernels print while they are explored.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/prints.hpp"

#include "sim/explore/observed.hpp"

#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tilesim::sim::exploring {

kernel_prints::kernel_prints()
    : terminal_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)) { // NOLINT: its signature
  std::fflush(stdout);
  in_this_process();
}

kernel_prints::~kernel_prints() {
  std::fflush(stdout);
  if (terminal_ >= 0) {
    dup2(terminal_, STDOUT_FILENO);
    close(terminal_);
  }
  if (file_ >= 0) {
    close(file_);
  }
}

void kernel_prints::in_this_process() {
  if (terminal_ < 0 || process_ == getpid()) {
    return;
  }
  if (file_ >= 0) {
    close(file_);
  }
  process_ = getpid();
  file_ = memfd_create("kernels print", MFD_CLOEXEC);
  if (file_ >= 0) {
    dup2(file_, STDOUT_FILENO);
  }
}

std::string kernel_prints::take() const {
  if (file_ < 0) {
    return {};
  }
  std::fflush(stdout);
  if (lseek(file_, 0, SEEK_CUR) == 0) { // it is where the next text goes
    return {};
  }
  std::string text = contents(file_);
  static_cast<void>(ftruncate(file_, 0));
  lseek(file_, 0, SEEK_SET);
  return text;
}

} // namespace tilesim::sim::exploring
