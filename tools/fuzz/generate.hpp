// Random tile programs that are well defined: no overflow, no division by zero, no race, nothing
// unspecified is looked at, and no result depends on an order that is open.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/fuzz/program.hpp"

#include <string>

namespace tilesim::driver::fuzz {

/// Another one where a seed has become another program: logs of one are not compared with another.
inline constexpr unsigned generator_version = 3;

struct wishes {
  unsigned operations = 24; ///< a kernel
  bool approximate = false; ///< also operations whose last bits are open: exp, sums of floats …
  /// A loaded value is used in another shape after its place was overwritten: NVIDIA's compiler
  /// 13.4 loads it twice. Otherwise no program has that.
  bool reload = false;
  /// A loop hands on two tiles that change places: NVIDIA's compiler 13.4 ends by a signal on many
  /// such. Otherwise no program has that.
  bool swap = false;
};

/// The options that ask for it, each behind a space.
[[nodiscard]] std::string to_words(const wishes& w);

/// The same program for the same arguments, on every machine.
[[nodiscard]] program generate(std::uint64_t seed, const wishes& w);

} // namespace tilesim::driver::fuzz
