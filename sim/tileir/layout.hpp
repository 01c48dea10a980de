// How the file holds each operation: operations.def, taken apart.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/tileir/module.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilesim::tileir {

/// What a field of an operation is; the names are those of operations.def.
enum class field : std::uint8_t {
  // flags
  ftz,
  nan,
  unsigned_,
  saturating,
  fast_acc,
  global,
  scope,
  hints,
  mask,
  padding,
  token,
  // attributes
  round,
  wrap,
  sign,
  sign_of_rhs,
  comparison,
  ordering,
  order,
  mode,
  number,
  alignment,
  reverse,
  constant,
  text,
  predicate,
  permutation,
  identities,
  inbounds,
  // parts of operands
  pointers,
  compared,
  value,
  view,
  base,
  index,
  shape,
  strides,
  arguments,
};

struct layout_field {
  field what{};
  unsigned since = 1;
  bool optional = false; ///< only if its flag is set
  bool counted = false;
};

struct layout {
  opcode what{};
  unsigned since = 1;
  std::optional<unsigned> results; ///< none: the file says how many
  std::vector<layout_field> flags;
  std::vector<layout_field> attributes;
  bool operands_counted = false;
  std::optional<unsigned> operands; ///< how many, where they have no parts
  std::vector<layout_field> parts;
  unsigned regions = 0;
};

/// nullptr: there is no such opcode.
[[nodiscard]] const layout* find_layout(std::uint64_t code);

} // namespace tilesim::tileir
