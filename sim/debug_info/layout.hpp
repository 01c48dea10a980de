// What a class or an array is made of, and which of its bytes are nothing's.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <elfutils/libdw.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::sim::step {

struct member {
  std::string_view name; ///< empty: a base, or an anonymous union
  Dwarf_Die type;
  std::size_t offset;
  std::size_t bits = 0; ///< of a bit-field, which begins at the bit `first_bit` of the class
  std::size_t first_bit = 0;
};

/// Bases that are not virtual, and members that are not static.
[[nodiscard]] std::vector<member> members_of(Dwarf_Die* type);

struct array_shape {
  Dwarf_Die element{};
  std::vector<std::size_t> extents;

  [[nodiscard]] std::size_t count() const;
  /// "[2][0]": of the element with this number, one of count().
  [[nodiscard]] std::string indices(std::size_t number) const;
};

[[nodiscard]] std::optional<array_shape> shape_of(Dwarf_Die* array);

/// "[3].x", "[1] + 2 bytes": the scalar of an object of this type that holds the byte `offset`.
/// What libraries' classes hold goes by the object's own name.
[[nodiscard]] std::string part_text(Dwarf_Die type, std::size_t offset);

/// The bytes of an object that belong to no scalar in it, or of a union not to all its members;
/// ascending. None of what is no class, of one with a virtual base, and of one that is very large.
[[nodiscard]] std::vector<std::size_t> padding_of(Dwarf_Die type);

} // namespace tilesim::sim::step
