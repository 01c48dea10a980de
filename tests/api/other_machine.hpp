// A machine that computes nothing and writes down, one line per call, what it was asked to do.
//
// Linked instead of libtilesim.so. "addi nsw i32[8] i32 -> i32[8]": opcode, modes that are not the
// default, operands, result; `ptr` alone is a scalar, `ptr[]` a tile of rank 0.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace recording {

/// The calls since the last take(), which forgets them.
std::vector<std::string> take();

/// The calls that f makes.
template <class F>
std::vector<std::string> calls(F f) {
  take();
  f();
  return take();
}

using lines = std::vector<std::string>;

} // namespace recording
