// What kernels print while they are explored: no terminal's to see, as each is run again and again,
// but part of what an execution ends in.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <sys/types.h>

namespace tilesim::sim::exploring {

/// While one lives, standard output goes to a file without a name.
class kernel_prints {
public:
  kernel_prints();
  ~kernel_prints();
  kernel_prints(const kernel_prints&) = delete;
  kernel_prints& operator=(const kernel_prints&) = delete;

  /// A process that was forked has a file of its own.
  void in_this_process();
  /// What has been printed since it was asked last.
  [[nodiscard]] std::string take() const;

private:
  int terminal_ = -1; ///< or whatever standard output was; -1: it is closed
  int file_ = -1;
  pid_t process_ = -1; ///< whose file it is
};

} // namespace tilesim::sim::exploring
