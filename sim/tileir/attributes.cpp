// Attributes that say themselves what they are. [Tile IR bytecode, self-contained attributes]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/tileir/tables.hpp"

#include <fmt/format.h>

namespace tilesim::tileir {
namespace {

constexpr unsigned deepest_nesting = 16;

const type* number_type(cursor& c, const tables& t, bool integer) {
  const std::size_t begin = c.offset();
  const type* of = t.type_of(c, "an attribute's type");
  if (!of->is(type::kind::number) || is_integer(of->num) != integer) {
    c.fail_at(begin, fmt::format("a number of type {}", of->text));
  }
  return of;
}

attribute read_float(cursor& c, const tables& t) {
  attribute a;
  a.what = attribute::kind::floating;
  a.of = number_type(c, t, false);
  a.bits = bits(a.of->num) <= 8 ? c.byte("a number") : c.zigzag_bits("a number");
  return a;
}

/// Flags of which each set bit announces a number.
void read_two(cursor& c, attribute& a) {
  const unsigned flags = c.byte("flags of an attribute");
  if (flags > 3) {
    c.fail("unknown flags of an attribute");
  }
  if ((flags & 1U) != 0) {
    a.first = c.svarint("a number");
  }
  if ((flags & 2U) != 0) {
    a.second = c.svarint("a number");
  }
}

} // namespace

attribute read_dictionary(cursor& c, const tables& t, unsigned depth) {
  attribute a;
  a.what = attribute::kind::dictionary;
  const std::uint32_t count = c.count("entries of a dictionary", 2);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string& key = t.string(c, "a key");
    a.entries.push_back({key, read_attribute(c, t, depth + 1)});
  }
  return a;
}

attribute read_attribute(cursor& c, const tables& t, unsigned depth) {
  if (depth > deepest_nesting) {
    c.fail("attributes within attributes too deep");
  }
  attribute a;
  const std::size_t begin = c.offset();
  const std::uint64_t tag = c.varint("an attribute");
  switch (tag) {
  case 1:
    a.what = attribute::kind::integer;
    a.of = number_type(c, t, true);
    a.bits = c.varint("a number");
    return a;
  case 2:
    return read_float(c, t);
  case 3:
    a.what = attribute::kind::boolean;
    a.bits = c.byte("a truth value");
    return a;
  case 4:
    a.what = attribute::kind::type;
    a.of = t.type_of(c, "a type");
    return a;
  case 5:
    a.what = attribute::kind::string;
    a.text = t.string(c, "a string");
    return a;
  case 6: {
    a.what = attribute::kind::array;
    const std::uint32_t count = c.count("items of an array", 2);
    for (std::uint32_t i = 0; i < count; ++i) {
      a.items.push_back(read_attribute(c, t, depth + 1));
    }
    return a;
  }
  case 7:
    a.what = attribute::kind::dense;
    a.of = t.type_of(c, "a type");
    a.bits = c.index(t.into.constants.size(), "a constant");
    return a;
  case 8:
    a.what = attribute::kind::div_by;
    a.bits = c.varint("a divisor");
    read_two(c, a);
    return a;
  case 9:
    a.what = attribute::kind::same_elements;
    a.numbers = read_numbers(c, 8, "groups");
    return a;
  case 10:
  case 11:
    return read_dictionary(c, t, depth);
  case 12:
    a.what = attribute::kind::bounded;
    read_two(c, a);
    return a;
  default:
    c.fail_at(begin, fmt::format("unknown attribute {}", tag));
  }
}

} // namespace tilesim::tileir
