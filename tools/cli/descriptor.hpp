// A file descriptor that is closed at the end of its scope.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>
#include <utility>

namespace tilesim::tools {

/// An open file; a negative number: none.
class descriptor {
public:
  explicit descriptor(int file)
      : file_(file) {}
  ~descriptor() {
    if (file_ >= 0) {
      close(file_);
    }
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;

  [[nodiscard]] int get() const { return file_; }
  /// What a file system has put off may fail here.
  [[nodiscard]] bool closed() { return close(std::exchange(file_, -1)) == 0; }

private:
  int file_;
};

} // namespace tilesim::tools
