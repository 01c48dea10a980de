// Whether memory can be read: a system call that is told to says so without a fault.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <unistd.h>

/// May be asked in a handler of a signal's.
inline bool is_readable(const void* p) {
  int ends[2] = {};
  if (pipe(ends) != 0) {
    abort();
  }
  const bool readable = write(ends[1], p, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return readable;
}
