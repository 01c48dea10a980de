// Random tile programs that are well defined: no overflow, no division by zero, no race, nothing
// unspecified is looked at, and no result depends on an order that is open.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/fuzz/program.hpp"

namespace tilesim::driver::fuzz {

struct wishes {
  unsigned operations = 24; ///< a kernel
  bool approximate = false; ///< also operations whose last bits are open: exp, sums of floats …
};

/// The same program for the same arguments, on every machine.
[[nodiscard]] program generate(std::uint64_t seed, const wishes& w);

} // namespace tilesim::driver::fuzz
