// Locations. [Tile IR bytecode, debug information]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/tileir/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::tileir {
namespace {

using kind = debug_attribute::kind;
constexpr unsigned longest_chain = 256;

class debug_reader {
public:
  debug_reader(tables& t, std::size_t count)
      : tables_(t)
      , count_(count) {}

  debug_attribute read(cursor& c) const {
    debug_attribute a;
    const std::uint64_t tag = c.index(7, "a location's kind");
    a.what = static_cast<kind>(tag);
    switch (a.what) {
    case kind::unknown:
      break;
    case kind::compile_unit:
      a.file = reference(c);
      break;
    case kind::file:
      a.name = tables_.string(c, "a file's name");
      a.second = tables_.string(c, "a file's folder");
      break;
    case kind::lexical_block:
      a.scope = reference(c);
      a.file = reference(c);
      a.line = c.varint("a line");
      a.column = c.varint("a column");
      break;
    case kind::loc:
      a.scope = reference(c);
      a.name = tables_.string(c, "a file's name");
      a.line = c.varint("a line");
      a.column = c.varint("a column");
      break;
    case kind::subprogram:
      a.file = reference(c);
      a.line = c.varint("a line");
      a.name = tables_.string(c, "a function's name");
      a.second = tables_.string(c, "a function's linkage name");
      a.scope = reference(c);
      a.column = c.varint("a line");
      break;
    case kind::call_site:
      a.scope = reference(c);
      a.file = reference(c);
      break;
    }
    return a;
  }

private:
  /// 0 is unknown, else an attribute's number + 1.
  std::uint32_t reference(cursor& c) const { return c.index(count_ + 1, "a location"); }

  tables& tables_;
  std::size_t count_;
};

/// The function that a scope belongs to; nullptr: not said.
const debug_attribute* function_of(const std::vector<debug_attribute>& all, std::uint32_t scope) {
  for (unsigned i = 0; scope != 0 && i < longest_chain; ++i) {
    const debug_attribute& a = all[scope - 1];
    if (a.what == kind::subprogram) {
      return &a;
    }
    scope = a.what == kind::lexical_block || a.what == kind::loc ? a.scope : 0;
  }
  return nullptr;
}

void add_frames(const std::vector<debug_attribute>& all,
                std::uint32_t at,
                std::vector<frame>& to,
                unsigned& left) {
  while (at != 0 && left > 0) {
    --left;
    const debug_attribute& a = all[at - 1];
    if (a.what == kind::call_site) {
      add_frames(all, a.scope, to, left);
      at = a.file;
      continue;
    }
    if (a.what == kind::loc) {
      const debug_attribute* const of = function_of(all, a.scope);
      to.push_back({a.name,
                    a.line,
                    a.column,
                    of == nullptr ? std::string() : of->name,
                    of == nullptr ? 0 : of->line});
    } else if (a.what == kind::subprogram) {
      const bool known = a.file != 0 && all[a.file - 1].what == kind::file;
      const std::string folder = known ? all[a.file - 1].second : "";
      to.push_back({known ? (folder.empty() ? "" : folder + "/") + all[a.file - 1].name : "",
                    a.line,
                    0,
                    a.name,
                    a.line});
    }
    return;
  }
}

} // namespace

debug_rows read_debug(cursor c, tables& t) {
  debug_rows rows;
  const std::uint32_t functions = c.count("functions with locations", 4);
  c.pad(4, "padding");
  const std::size_t begins_at = c.offset();
  for (std::uint32_t i = 0; i < functions; ++i) {
    rows.begins.push_back(static_cast<std::uint32_t>(c.fixed(4, "a function's locations")));
  }
  const std::uint32_t count = c.count("locations", 8);
  c.pad(8, "padding");
  std::vector<std::size_t> places;
  for (std::uint32_t i = 0; i < count; ++i) {
    places.push_back(c.offset());
    const std::uint64_t index = c.fixed(8, "a location");
    rows.indices.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(index, UINT32_MAX)));
  }
  for (const std::uint32_t begin : rows.begins) {
    if (begin > count) {
      c.fail_at(begins_at, fmt::format("a function's locations begin at {} of {}", begin, count));
    }
  }
  const std::vector<cursor> items = read_table(c, 4, "locations' attributes");
  const debug_reader reader(t, items.size());
  for (cursor item : items) {
    t.into.debug.push_back(reader.read(item));
    if (!item.done()) {
      item.fail(fmt::format("{} bytes too many", item.left()));
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (rows.indices[i] > items.size()) {
      c.fail_at(places[i],
                fmt::format("location {}, but there are {}", rows.indices[i], items.size()));
    }
  }
  return rows;
}

std::vector<frame> module::frames(std::uint32_t location) const {
  std::vector<frame> result;
  unsigned left = longest_chain;
  add_frames(debug, location, result, left);
  return result;
}

} // namespace tilesim::tileir
