// Types of the debug information: from a type's entry and the bytes of an object to a value.
//
// Tiles, half, bfloat16, tf32 and fp8 become their elements; classes become their members.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/value.hpp"

#include <cstddef>
#include <cstdint>
#include <elfutils/libdw.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::sim::step {

/// Where an object is: in memory, or (in registers, a constant) bytes that were put together.
struct object_bytes {
  std::optional<std::uintptr_t> address = {};
  std::vector<std::uint8_t> bytes = {};
};

/// The type without typedefs, const and volatile.
[[nodiscard]] Dwarf_Die peeled(Dwarf_Die type);
/// Empty: it has none.
[[nodiscard]] std::string_view name_of(Dwarf_Die* die);
/// A struct, class or union.
[[nodiscard]] bool is_class(Dwarf_Die* type);
[[nodiscard]] bool is_reference(Dwarf_Die* type);

/// An attribute of an entry that is a number; nothing: it has none, or another.
[[nodiscard]] std::optional<Dwarf_Word> constant_of(Dwarf_Die* die, unsigned which);

template <class Action>
void for_each_child(Dwarf_Die* of, const Action& action) {
  Dwarf_Die child;
  for (int more = dwarf_child(of, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    action(child);
  }
}

/// The type of an entry that has one, names and qualifiers left on. False if there is none.
[[nodiscard]] bool type_of(Dwarf_Die* entry, Dwarf_Die* type);

/// As C++ writes it: "const float*", "tile<float, shape<2, 4>>".
[[nodiscard]] std::string type_text(Dwarf_Die type);

/// The object's value. What cannot be shown has a reason in `missing`.
[[nodiscard]] value
make_value(Dwarf_Die type, const object_bytes& object, const memory_reader& read);

/// Of a type that is one element or a reference to one; nothing for others.
[[nodiscard]] std::optional<value_type> element_type(Dwarf_Die type);

/// Of the entry that gives a type its name.
[[nodiscard]] named_type make_named_type(Dwarf_Die type);

/// Bytes of an object; 0 if unknown.
[[nodiscard]] std::size_t bytes_of(Dwarf_Die type);

} // namespace tilesim::sim::step
