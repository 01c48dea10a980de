// Random tile programs that are well defined: no overflow, no division by zero, no race, nothing
// unspecified is looked at, and no result depends on an order that is open.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/fuzz/program.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace tilesim::tools::fuzz {

/// Another one where a seed has become another program: logs of one are not compared with another.
/// Version 4's are those that `--hunt scalar --hunt narrow` makes, to the letter, and version 3's
/// those of all but `reload` and `swap`.
inline constexpr unsigned generator_version = 5;

struct wishes {
  unsigned operations = 24; ///< a kernel
  bool approximate = false; ///< also operations whose last bits are open: exp, sums of floats …
  /// A loaded value is used in another shape after its place was overwritten: NVIDIA's compiler
  /// 13.4 loads it twice. Otherwise no program has that.
  bool reload = false;
  /// A loop hands on two tiles that change places: NVIDIA's compiler 13.4 ends by a signal on many
  /// such. Otherwise no program has that.
  bool swap = false;
  /// A loop of a counter loads by it and hands on a tile, which may become a constant: NVIDIA's
  /// compiler 13.4 loses that. Otherwise such loops are of `irange`, where it does not.
  bool carry = false;
  /// Arrays of tiles have an index that a block's number decides: with NVIDIA's compiler 13.4 some
  /// end in an illegal access. Otherwise a condition chooses the tile.
  bool array = false;
  /// A counter is loaded before blocks raise it by compare-exchange: NVIDIA's compiler 13.4 lets
  /// each thread of a block load it, and threads that see different counts part at a barrier.
  /// Otherwise what it begins with is a constant.
  bool scalar = false;
  /// 16-bit integers have minima and maxima, of which NVIDIA's compiler 13.4 takes two at once, the
  /// second with 0, where it compares them, too. Otherwise no program has such.
  bool narrow = false;
};

/// A known fault of a compiler's, which programs have what it takes for where it is wished alone.
struct hunt {
  const char* name;
  bool wishes::*wished;
  const char* what;
};

inline constexpr std::array<hunt, 6> hunts{{
    {"reload",
     &wishes::reload,
     "a loaded value is used in another shape after its place was overwritten"},
    {"swap", &wishes::swap, "a loop in which two tiles change places"},
    {"carry", &wishes::carry, "a loop that loads by its counter hands on a tile"},
    {"array", &wishes::array, "an array of tiles has an index of run time"},
    {"scalar", &wishes::scalar, "a counter is loaded before blocks raise it"},
    {"narrow", &wishes::narrow, "16-bit integers have minima and maxima"},
}};

/// nullptr: none has that name.
[[nodiscard]] inline const hunt* hunt_named(std::string_view name) {
  const auto* const found = std::ranges::find(hunts, name, &hunt::name);
  return found == hunts.end() ? nullptr : found;
}

/// The options that ask for it, each behind a space.
[[nodiscard]] std::string to_words(const wishes& w);

/// The same program for the same arguments, on every machine.
[[nodiscard]] program generate(std::uint64_t seed, const wishes& w);

} // namespace tilesim::tools::fuzz
