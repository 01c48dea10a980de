// Recordings as data: read from a file, compared with one another.
//
// The file's form stands in README.md beside this file.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cells.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::recording {

/// What a program copied from the device to the host, once.
struct copy {
  std::string label;                 ///< the destination's expression, or the name it was given
  std::string where;                 ///< file:line in the program
  cell_type type;                    ///< of the cells
  std::size_t count = 0;             ///< cells
  std::uint64_t hash = 0;            ///< of all cells: see cell_hash
  std::vector<std::uint64_t> values; ///< the first cells, normalised; or every so many-th one
  std::size_t line = 0;              ///< in the recording
  std::size_t every = 1;             ///< value i is cell i * every

  /// All values are there, as far as they were meant to be.
  [[nodiscard]] bool is_kept() const noexcept {
    return values.size() == (count + every - 1) / every;
  }
};

struct recording {
  std::string file;
  std::string source, device, driver, compiler, flags;
  std::vector<copy> copies; ///< in the order of the program's calls
};

/// The text is no recording: `what()` is `file:line: error: fact; remedy`.
class malformed : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Reads the text of a recording; `file` is for messages. Throws malformed if it is another
/// version, cut short, or not well formed.
[[nodiscard]] recording parse(std::string_view text, std::string file);

/// Reads a file; one that cannot be read is malformed too.
[[nodiscard]] recording read(const std::string& path);

/// How far apart floating-point values may lie: copies whose label contains `label`. By so many
/// ulps, or by no more than absolute + relative * |the recorded value|.
struct bound {
  std::string label;
  std::uint64_t ulps = 0; ///< steps between neighbouring values of the type
  bool flushed =
      false; ///< there are no subnormals: zero and the least normal number are neighbours
  double absolute = 0;
  double relative = 0;
};

/// Values that may stand in any order within each segment: of copies whose label contains `label`.
/// Where segments begin, and the last one ends, says the copy whose label contains `offsets`: whole
/// numbers that do not decrease.
struct any_order {
  std::string label, offsets;
};

/// The recording with the values of such segments sorted. Copies of which it speaks must have been
/// kept in full; where not, or where offsets are none, it is malformed (thrown).
[[nodiscard]] recording in_canonical_order(recording r, const std::vector<any_order>& open);

/// Where two recordings of one program part.
struct difference {
  const copy* expected; ///< nullptr: only the other recording has this copy
  const copy* actual;   ///< nullptr likewise
  std::string fact;     ///< in words, both sides
};

/// All differences: copies are matched in order. A copy within no bound is equal when its hash is;
/// one within a bound, the first that fits its label, is judged by its values, which both
/// recordings must have kept: all, or the same ones of a spread; where not is malformed (thrown).
[[nodiscard]] std::vector<difference>
compare(const recording& expected, const recording& actual, const std::vector<bound>& bounds);

/// The share of its bound that a copy uses: 0 if all values are the same, 1 at the bound. Of copies
/// that are compared within `allowed` and agree.
[[nodiscard]] double share_of_bound(const copy& expected, const copy& actual, const bound& allowed);

/// The bound by which a copy is compared; nullptr: bit for bit.
[[nodiscard]] const bound* bound_of(const copy& c, const std::vector<bound>& bounds);

/// Steps from one value to the other along the type's values in order; both zeros are one value.
/// A NaN is 0 away from a NaN and the largest number away from all else. `flushed`: subnormals
/// count as zeros.
[[nodiscard]] std::uint64_t ulps_between(const cell_type& type,
                                         std::uint64_t a,
                                         std::uint64_t b,
                                         bool flushed = false) noexcept;

/// A cell as a person reads it: `3f800000 (1)`.
[[nodiscard]] std::string cell_text(const cell_type& type, std::uint64_t bits);

} // namespace tilesim::recording
