// The file's header and sections, and the tables that all of them use. [Tile IR bytecode]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/tileir/reader.hpp"

#include "sim/tileir/constants.hpp"
#include "sim/tileir/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace tilesim::tileir {
namespace {

constexpr std::array<std::uint8_t, 8> magic{0x7F, 'T', 'i', 'l', 'e', 'I', 'R', 0};
constexpr std::size_t header_bytes = 12;
constexpr unsigned newest_minor = 4;

enum class section : std::uint8_t {
  end,
  string,
  func,
  debug,
  constant,
  type,
  global,
  producer,
};
constexpr std::size_t section_kinds = 8;
constexpr std::array<const char*, section_kinds> section_names{
    "End", "String", "Func", "Debug", "Constant", "Type", "Global", "Producer"};

using sections = std::array<std::optional<cursor>, section_kinds>;

void read_header(cursor& c, module& m) {
  const auto first = c.take(magic.size(), "a header");
  if (!std::equal(first.begin(), first.end(), magic.begin())) {
    c.fail_at(0, "this is no Tile IR bytecode: it does not begin with '\\x7fTileIR\\0'");
  }
  const unsigned major = c.byte("the major version");
  m.minor = c.byte("the minor version");
  m.tag = static_cast<unsigned>(c.fixed(2, "the version's tag"));
  if (major != 13 || m.minor < 1 || m.minor > newest_minor) {
    c.fail_at(
        8,
        fmt::format("version {}.{} is not known; 13.1 to 13.{} are", major, m.minor, newest_minor));
  }
}

/// Reads one section's head and gives its payload. nullopt: it was the last one.
std::optional<std::pair<section, cursor>> next_section(cursor& c,
                                                       std::span<const std::uint8_t> file) {
  const std::size_t begin = c.offset();
  const std::uint8_t head = c.byte("a section");
  const unsigned id = head & 0x7FU;
  if (id >= section_kinds) {
    c.fail_at(begin, fmt::format("unknown section {}", id));
  }
  if (id == 0) {
    return {};
  }
  const std::uint64_t length = c.varint("a section's length");
  if ((head & 0x80U) != 0) {
    const std::uint64_t alignment = c.varint("a section's alignment");
    if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > 4096) {
      c.fail_at(begin, fmt::format("alignment {} is no power of two up to 4096", alignment));
    }
    while (c.offset() % alignment != 0) {
      c.byte("padding of a section");
    }
  }
  const std::size_t at = c.offset();
  if (length > c.left()) {
    c.fail_at(
        begin,
        fmt::format(
            "section {} of {} bytes, but {} are left", section_names.at(id), length, c.left()));
  }
  c.take(length, "a section");
  return std::pair{static_cast<section>(id),
                   cursor(file.subspan(at, length), at, section_names.at(id))};
}

sections find_sections(cursor& c, std::span<const std::uint8_t> file) {
  sections found;
  while (true) {
    const std::size_t begin = c.offset();
    const auto next = next_section(c, file);
    if (!next) {
      break;
    }
    auto& slot = found.at(static_cast<std::size_t>(next->first));
    if (slot) {
      c.fail_at(begin, fmt::format("a second section {}", next->second.section()));
    }
    slot = next->second;
  }
  if (!c.done()) {
    c.fail("bytes follow the section End");
  }
  return found;
}

cursor* find(sections& all, section s) {
  auto& found = all.at(static_cast<std::size_t>(s));
  return found ? &*found : nullptr;
}

void read_strings(cursor& c, tables& t) {
  for (cursor& item : read_table(c, 4, "strings")) {
    const auto bytes = item.take(item.left(), "a string");
    t.strings.emplace_back(bytes.begin(), bytes.end());
  }
}

void read_constants(cursor& c, module& m) {
  for (cursor& item : read_table(c, 8, "constants")) {
    const std::uint32_t size = item.count("bytes of a constant");
    const auto bytes = item.take(size, "a constant");
    m.constants.emplace_back(bytes.begin(), bytes.end());
  }
}

void read_globals(cursor& c, tables& t) {
  const std::uint32_t count = c.count("globals", 4);
  for (std::uint32_t i = 0; i < count; ++i) {
    global g;
    g.name = t.string(c, "a global's name");
    g.type = t.type_of(c, "a global's type");
    if (!g.type->is(type::kind::tile) || g.type->shape.size() != 1 ||
        !g.type->element->is(type::kind::number)) {
      c.fail(fmt::format(
          "global '{}' has type {}, not a tile of numbers in one dimension", g.name, g.type->text));
    }
    g.constant = c.index(t.into.constants.size(), "a global's constant");
    if (!elements(t.into.constants[g.constant], g.type->element->num, g.type->count()).fit()) {
      c.fail(fmt::format("global '{}' of type {} has a constant of {} bytes",
                         g.name,
                         g.type->text,
                         t.into.constants[g.constant].size()));
    }
    g.alignment = c.varint("a global's alignment");
    if (t.minor >= 3) {
      g.is_private = c.index(2, "a global's visibility") == 1;
      g.is_constant = c.index(2, "whether a global is constant") == 1;
    }
    t.into.globals.push_back(std::move(g));
  }
}

} // namespace

std::vector<cursor> read_table(cursor c, unsigned offset_bytes, const char* what) {
  const std::uint32_t count = c.count(what);
  std::vector<cursor> items;
  if (count == 0) {
    return items;
  }
  c.pad(offset_bytes, "padding");
  if (count > c.left() / offset_bytes) {
    c.fail(fmt::format("{} {}, but {} bytes are left", count, what, c.left()));
  }
  std::vector<std::uint64_t> begins;
  begins.reserve(count + 1);
  const std::size_t at = c.offset();
  for (std::uint32_t i = 0; i < count; ++i) {
    begins.push_back(c.fixed(offset_bytes, "an offset"));
  }
  const std::size_t size = c.left();
  begins.push_back(size);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (begins[i] > begins[i + 1] || begins[i + 1] > size || (i == 0 && begins[0] != 0)) {
      c.fail_at(at + std::size_t{i} * offset_bytes,
                fmt::format("offset {} of {} is {}, out of order", i, what, begins[i]));
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    items.push_back(c.part(begins[i + 1] - begins[i], what));
  }
  return items;
}

std::vector<std::int64_t> read_numbers(cursor& c, unsigned bytes, const char* what) {
  const std::uint32_t count = c.count(what, bytes);
  std::vector<std::int64_t> result;
  result.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t n = c.fixed(bytes, what);
    result.push_back(bytes == 4 ? static_cast<std::int32_t>(n) : static_cast<std::int64_t>(n));
  }
  return result;
}

bool is_bytecode(std::span<const std::uint8_t> bytes) noexcept {
  return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

std::size_t length_of(const std::uint8_t* bytes, std::size_t limit) noexcept {
  try {
    const std::span file{bytes, limit};
    if (!is_bytecode(file)) {
      return 0;
    }
    cursor c(file, 0, "header");
    c.take(header_bytes, "a header");
    while (next_section(c, file)) {
    }
    return c.offset();
  } catch (const bad_bytecode&) {
    return 0;
  }
}

std::unique_ptr<const module> read(std::span<const std::uint8_t> bytes) {
  auto m = std::make_unique<module>();
  cursor c(bytes, 0, "header");
  read_header(c, *m);
  c = cursor(bytes.subspan(header_bytes), header_bytes, "list");
  sections all = find_sections(c, bytes);
  for (const section s : {section::string, section::func}) {
    if (find(all, s) == nullptr) {
      c.fail(fmt::format("there is no section {}", section_names.at(static_cast<std::size_t>(s))));
    }
  }
  tables t{.into = *m, .minor = m->minor, .strings = {}};
  read_strings(*find(all, section::string), t);
  if (cursor* types = find(all, section::type)) {
    read_types(read_table(*types, 4, "types"), t);
  }
  if (cursor* constants = find(all, section::constant)) {
    read_constants(*constants, *m);
  }
  if (cursor* globals = find(all, section::global)) {
    read_globals(*globals, t);
  }
  if (cursor* producer = find(all, section::producer)) {
    m->producer = t.string(*producer, "the producer");
  }
  debug_rows rows;
  if (cursor* debug = find(all, section::debug)) {
    rows = read_debug(*debug, t);
  }
  read_entries(*find(all, section::func), t, rows);
  return m;
}

} // namespace tilesim::tileir
