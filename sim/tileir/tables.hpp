// What the sections of a file have in common, while it is read.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/tileir/cursor.hpp"
#include "sim/tileir/module.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tilesim::tileir {

/// The tables that everything names by number.
struct tables {
  module& into;
  unsigned minor;
  std::vector<std::string> strings;

  [[nodiscard]] const std::string& string(cursor& c, const char* what) const {
    return strings[c.index(strings.size(), what)];
  }
  [[nodiscard]] const type* type_of(cursor& c, const char* what) const {
    return into.types[c.index(into.types.size(), what)];
  }
};

/// The items of a table, each a cursor of its own.
[[nodiscard]] std::vector<cursor> read_table(cursor c, unsigned offset_bytes, const char* what);

/// The type section, into module::types.
void read_types(const std::vector<cursor>& items, tables& t);

/// An attribute that says itself what it is.
[[nodiscard]] attribute read_attribute(cursor& c, const tables& t, unsigned depth = 0);
/// Pairs of a name and an attribute.
[[nodiscard]] attribute read_dictionary(cursor& c, const tables& t, unsigned depth);

/// The section of locations, into module::debug; the rows of entries are the result.
struct debug_rows {
  std::vector<std::uint32_t> begins; ///< in indices
  std::vector<std::uint32_t> indices;
};
[[nodiscard]] debug_rows read_debug(cursor c, tables& t);

/// The section of entries, into module::entries.
void read_entries(cursor c, tables& t, const debug_rows& rows);

/// i32[] and i64[].
[[nodiscard]] std::vector<std::int64_t> read_numbers(cursor& c, unsigned bytes, const char* what);

} // namespace tilesim::tileir
