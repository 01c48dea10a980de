// Whether memory can be read: a system call that is told to says so without a fault.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <support/catch.hpp>
#include <unistd.h>

inline bool is_readable(const void* p) {
  int ends[2] = {};
  REQUIRE(pipe(ends) == 0);
  const bool readable = write(ends[1], p, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return readable;
}
