// From DWARF types to values.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/debug_types.hpp"

#include "sim/debug_info/debug_info.hpp"
#include "sim/debug_info/type_names.hpp"
#include "sim/expressions/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <dwarf.h>
#include <string_view>
#include <utility>

namespace tilesim::sim::step {

Dwarf_Die peeled(Dwarf_Die type) {
  Dwarf_Die result;
  return dwarf_peel_type(&type, &result) == 0 ? result : type;
}

std::string_view name_of(Dwarf_Die* die) {
  const char* name = dwarf_diename(die);
  return name != nullptr ? name : "";
}

bool is_class(Dwarf_Die* type) {
  const int tag = dwarf_tag(type);
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

bool is_reference(Dwarf_Die* type) {
  const int tag = dwarf_tag(type);
  return tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
}

std::optional<Dwarf_Word> constant_of(Dwarf_Die* die, unsigned which) {
  Dwarf_Attribute attribute;
  Dwarf_Word n = 0;
  if (dwarf_attr_integrate(die, which, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &n) != 0) {
    return std::nullopt;
  }
  return n;
}

namespace {

// A structure in a structure in a structure … is shown to this depth.
constexpr int deepest = 8;
// An array of classes has this many members at most.
constexpr std::size_t most_structs = 1024;
// Larger tiles and arrays are left in memory until somebody asks for elements.
constexpr std::size_t most_bytes_read = std::size_t{64} * 1024;

// ------------------------------------------------------------------------------------------- tiles

struct tile_description {
  value_type elements;
  std::vector<std::size_t> shape;
  Dwarf_Die element_entry;
};

/// The numbers of "tile<float, cuda::tiles::__1::extents<unsigned int, 2UL, 4> >": one compiler
/// says UL and the other does not.
std::optional<std::vector<std::size_t>> extents_in(std::string_view name) {
  constexpr std::string_view before = "::extents<unsigned int";
  const std::size_t found = name.rfind(before);
  if (found == std::string_view::npos) {
    return std::nullopt;
  }
  std::vector<std::size_t> shape;
  for (std::size_t i = found + before.size(); i < name.size() && name[i] != '>'; ++i) {
    if (name[i] == ',') {
      shape.push_back(0);
    } else if (std::isdigit(static_cast<unsigned char>(name[i])) != 0) {
      shape.back() = shape.back() * 10 + static_cast<std::size_t>(name[i] - '0');
    }
  }
  return shape;
}

std::optional<tile_description> describe_tile(Dwarf_Die* type) {
  const std::string_view name = name_of(type);
  const auto shape = name.substr(0, 5) == "tile<" ? extents_in(name) : std::nullopt;
  if (!shape || !is_class(type)) {
    return std::nullopt;
  }
  std::optional<tile_description> tile;
  bool has_data = false;
  for_each_child(type, [&](Dwarf_Die& child) {
    Dwarf_Die of;
    if (dwarf_tag(&child) == DW_TAG_member) {
      has_data = has_data || name_of(&child) == "__data";
    } else if (!tile && dwarf_tag(&child) == DW_TAG_template_type_parameter &&
               type_of(&child, &of)) {
      if (auto element = element_type(of)) {
        tile = tile_description{std::move(*element), *shape, of};
      }
    }
  });
  return has_data ? tile : std::nullopt;
}

// ---------------------------------------------------------------------------------------- elements

struct named_float {
  std::string_view name;
  element kind;
};
constexpr std::array<named_float, 5> float_classes = {{{"__half", element::f16},
                                                       {"__nv_bfloat16", element::bf16},
                                                       {"__nv_tf32", element::tf32},
                                                       {"__nv_fp8_e4m3", element::f8e4m3},
                                                       {"__nv_fp8_e5m2", element::f8e5m2}}};

std::optional<element> integer_kind(std::size_t bytes) {
  switch (bytes) {
  case 1:
    return element::i8;
  case 2:
    return element::i16;
  case 4:
    return element::i32;
  case 8:
    return element::i64;
  default:
    return std::nullopt;
  }
}

/// Kind, and whether it is unsigned.
std::optional<std::pair<element, bool>> base_kind(Dwarf_Die* type) {
  const std::size_t bytes = bytes_of(*type);
  const auto integer = integer_kind(bytes);
  switch (constant_of(type, DW_AT_encoding).value_or(0)) {
  case DW_ATE_boolean:
    return std::pair(element::i1, true);
  case DW_ATE_float:
    return bytes == 4   ? std::optional(std::pair(element::f32, false))
           : bytes == 8 ? std::optional(std::pair(element::f64, false))
                        : std::nullopt;
  case DW_ATE_signed:
  case DW_ATE_signed_char:
    return integer ? std::optional(std::pair(*integer, false)) : std::nullopt;
  case DW_ATE_unsigned:
  case DW_ATE_unsigned_char:
  case DW_ATE_UTF:
    return integer ? std::optional(std::pair(*integer, true)) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Whether an enumeration's numbers are unsigned: those of its underlying type.
bool enumeration_is_unsigned(Dwarf_Die* type) {
  Dwarf_Die under;
  if (!type_of(type, &under)) {
    return false;
  }
  Dwarf_Die plain = peeled(under);
  const auto kind = base_kind(&plain);
  return kind && kind->second;
}

/// Of everything that is one element, except pointers.
std::optional<std::pair<element, bool>> plain_kind(Dwarf_Die* type) {
  switch (dwarf_tag(type)) {
  case DW_TAG_base_type:
    return base_kind(type);
  case DW_TAG_enumeration_type: {
    const auto kind = integer_kind(bytes_of(*type));
    return kind ? std::optional(std::pair(*kind, enumeration_is_unsigned(type))) : std::nullopt;
  }
  default:
    break;
  }
  const auto* const found =
      std::find_if(float_classes.begin(), float_classes.end(), [&](const named_float& f) {
        return is_class(type) && f.name == name_of(type);
      });
  return found != float_classes.end() ? std::optional(std::pair(found->kind, false)) : std::nullopt;
}

/// Nothing where its size is not known.
std::shared_ptr<const pointed_type> pointed(Dwarf_Die to) {
  auto points_to = std::make_shared<pointed_type>();
  points_to->bytes = bytes_of(peeled(to));
  points_to->make = [to](std::uintptr_t address, const memory_reader& read) {
    return make_value(to, {address, {}}, read);
  };
  return points_to->bytes != 0 ? points_to : nullptr;
}

value_type pointer_type(Dwarf_Die type) {
  value_type t;
  t.kind = element::ptr;
  t.spelling = type_text(type);
  Dwarf_Die to;
  Dwarf_Die plain = peeled(type);
  if (!type_of(&plain, &to)) {
    return t; // void*
  }
  Dwarf_Die pointee = peeled(to);
  t.pointee = plain_kind(&pointee);
  if (!t.pointee) {
    t.points_to = pointed(to);
  }
  return t;
}

// ------------------------------------------------------------------------------------------ values

class maker {
public:
  explicit maker(const memory_reader& read)
      : read_(read) {}

  value make(Dwarf_Die type, const object_bytes& from, std::size_t offset, int depth) {
    Dwarf_Die plain = peeled(type);
    if (is_reference(&plain)) {
      return referred(plain, from, offset, depth);
    }
    if (auto tile = describe_tile(&plain)) {
      value v = elements(std::move(tile->elements), std::move(tile->shape), from, offset);
      return v;
    }
    if (auto element = element_type(type)) {
      return elements(std::move(*element), {}, from, offset);
    }
    if (dwarf_tag(&plain) == DW_TAG_array_type) {
      return array(plain, from, offset, depth);
    }
    if (is_class(&plain)) {
      return structure(plain, from, offset, depth);
    }
    return missing(type, fmt::format("of type {}, which cannot be shown", type_text(type)));
  }

private:
  static value missing(Dwarf_Die type, std::string why) {
    value v;
    v.type.spelling = type_text(type);
    v.missing = std::move(why);
    return v;
  }

  /// False, with the reason in `v`, if the object has no such bytes.
  bool copy(const object_bytes& from, std::size_t offset, std::vector<std::uint8_t>& to, value& v) {
    if (!from.address) {
      if (offset > from.bytes.size() || to.size() > from.bytes.size() - offset) {
        v.missing = "optimised out";
        return false;
      }
      std::copy_n(from.bytes.begin() + static_cast<std::ptrdiff_t>(offset), to.size(), to.begin());
      return true;
    }
    if (!read_(*from.address + offset, to.size(), to.data())) {
      v.missing = fmt::format("not accessible at {:#x}", *from.address + offset);
      return false;
    }
    return true;
  }

  value elements(value_type type,
                 std::vector<std::size_t> shape,
                 const object_bytes& from,
                 std::size_t offset) {
    value v;
    v.type = std::move(type);
    v.shape = std::move(shape);
    if (from.address) {
      v.address = *from.address + offset;
    }
    const std::size_t bytes = v.count() * size_of(v.type.kind);
    if (from.address && bytes > most_bytes_read) {
      return v;
    }
    std::vector<std::uint8_t> cells(bytes);
    if (copy(from, offset, cells, v)) {
      v.bytes = std::move(cells);
    }
    return v;
  }

  value referred(Dwarf_Die type, const object_bytes& from, std::size_t offset, int depth) {
    value v;
    std::vector<std::uint8_t> pointer(sizeof(std::uintptr_t));
    Dwarf_Die to;
    if (!type_of(&type, &to) || depth >= deepest) {
      return missing(type, "a reference to what cannot be shown");
    }
    v.type.spelling = type_text(to);
    if (!copy(from, offset, pointer, v)) {
      return v;
    }
    std::uintptr_t address = 0;
    std::memcpy(&address, pointer.data(), sizeof address);
    return make(to, {address, {}}, 0, depth + 1);
  }

  // Extents of an array: [2][3] has two. Nothing if one is not known.
  static std::optional<std::vector<std::size_t>> extents(Dwarf_Die* type) {
    std::vector<std::size_t> shape;
    bool known = true;
    for_each_child(type, [&](Dwarf_Die& child) {
      if (dwarf_tag(&child) != DW_TAG_subrange_type) {
        return;
      }
      if (const auto count = constant_of(&child, DW_AT_count)) {
        shape.push_back(*count);
      } else if (const auto last = constant_of(&child, DW_AT_upper_bound)) {
        shape.push_back(*last + 1);
      } else {
        known = false;
      }
    });
    return known ? std::optional(shape) : std::nullopt;
  }

  /// `extern __shared__ float tree[]`: who knows what lies at its address knows its length.
  static value unbounded(Dwarf_Die type, const object_bytes& from, std::size_t offset) {
    Dwarf_Die of;
    value v = missing(type, unknown_length);
    std::size_t extents = 0;
    for_each_child(&type, [&](Dwarf_Die& child) {
      extents += dwarf_tag(&child) == DW_TAG_subrange_type ? 1U : 0U;
    });
    if (extents == 1 && from.address && type_of(&type, &of)) {
      if (auto element = element_type(of)) {
        v.type = std::move(*element);
        v.address = *from.address + offset;
      }
    }
    return v;
  }

  value array(Dwarf_Die type, const object_bytes& from, std::size_t offset, int depth) {
    Dwarf_Die of;
    auto shape = extents(&type);
    if (!shape || !type_of(&type, &of)) {
      return unbounded(type, from, offset);
    }
    if (auto element = element_type(of)) {
      return elements(std::move(*element), std::move(*shape), from, offset);
    }
    const std::size_t each = bytes_of(of);
    value v;
    v.type.spelling = type_text(type);
    std::size_t count = 1;
    for (const std::size_t e : *shape) {
      count *= e;
    }
    if (shape->size() != 1 || count > most_structs || depth >= deepest || each == 0) {
      v.missing = fmt::format("an array of {} {}, too much to show", count, type_text(of));
      return v;
    }
    if (from.address) {
      v.address = *from.address + offset;
    }
    for (std::size_t i = 0; i < count; ++i) {
      v.members.emplace_back(fmt::format("[{}]", i), make(of, from, offset + i * each, depth + 1));
    }
    return v;
  }

  value structure(Dwarf_Die type, const object_bytes& from, std::size_t offset, int depth) {
    value v;
    v.type.spelling = type_text(type);
    if (from.address) {
      v.address = *from.address + offset;
    }
    if (dwarf_hasattr(&type, DW_AT_declaration) != 0) {
      v.missing = "of a class that the debug information does not describe";
    } else if (depth >= deepest) {
      v.missing = "nested too deeply to show";
    } else {
      add_members(v, type, from, offset, depth);
      if (v.members.empty()) {
        v.missing = "a class without members";
      }
    }
    const char* const file = dwarf_decl_file(&type);
    return file != nullptr && is_own_file(file) ? without_wrapping(std::move(v)) : v;
  }

  /// Views, spans and extents as what they hold: a person does not know their members, and classes
  /// that have a single one are only around it.
  static value without_wrapping(value v) {
    if (v.members.size() == 1) {
      return std::move(v.members.front().second);
    }
    for (auto& [name, of] : v.members) {
      name.erase(0, std::min(name.find_first_not_of('_'), name.size()));
    }
    return v;
  }

  void
  add_members(value& v, Dwarf_Die type, const object_bytes& from, std::size_t offset, int depth) {
    for_each_child(&type, [&](Dwarf_Die& child) {
      const int tag = dwarf_tag(&child);
      Dwarf_Die of;
      if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
          dwarf_hasattr(&child, DW_AT_external) != 0 || !type_of(&child, &of)) {
        return; // functions, static members
      }
      Dwarf_Die plain = peeled(of);
      const std::size_t at = offset + constant_of(&child, DW_AT_data_member_location).value_or(0);
      if (tag == DW_TAG_inheritance || (name_of(&child).empty() && is_class(&plain))) {
        if (depth < deepest && dwarf_hasattr(&child, DW_AT_virtuality) == 0) {
          add_members(v, plain, from, at, depth + 1); // members of bases and anonymous unions
        }
        return;
      }
      v.members.emplace_back(std::string(name_of(&child)),
                             dwarf_hasattr(&child, DW_AT_bit_size) != 0
                                 ? bit_field(child, of, from, offset)
                                 : make(of, from, at, depth + 1));
    });
  }

  /// From the structure's begin. DWARF 2 counts within a storage unit, from its highest bit.
  static std::optional<Dwarf_Word> first_bit(Dwarf_Die& member, Dwarf_Die type, Dwarf_Word bits) {
    if (const auto first = constant_of(&member, DW_AT_data_bit_offset)) {
      return first;
    }
    const auto from_top = constant_of(&member, DW_AT_bit_offset);
    const auto unit = constant_of(&member, DW_AT_data_member_location);
    const Dwarf_Word unit_bytes = constant_of(&member, DW_AT_byte_size).value_or(bytes_of(type));
    if (!from_top || !unit || *from_top + bits > unit_bytes * 8) {
      return std::nullopt;
    }
    return (*unit + unit_bytes) * 8 - *from_top - bits;
  }

  value bit_field(Dwarf_Die& member,
                  Dwarf_Die type,
                  const object_bytes& from,
                  std::size_t structure_offset) {
    const auto bits = constant_of(&member, DW_AT_bit_size).value_or(0);
    const auto first = first_bit(member, type, bits);
    auto element = element_type(type);
    const std::size_t begin = first.value_or(0) / 8;
    const std::size_t shift = first.value_or(0) % 8;
    const std::size_t bytes = (shift + bits + 7) / 8;
    if (!first || !element || bits == 0 || bytes > 8) {
      return missing(type, "a bit field that cannot be shown");
    }
    value v;
    v.type = std::move(*element);
    std::vector<std::uint8_t> raw(bytes);
    if (!copy(from, structure_offset + begin, raw, v)) {
      return v;
    }
    std::uint64_t cell = 0;
    std::memcpy(&cell, raw.data(), bytes);
    cell = cell << (64 - bits - shift); // the field's highest bit is the cell's
    const std::uint64_t field =
        v.type.is_unsigned
            ? cell >> (64 - bits)
            : static_cast<std::uint64_t>(static_cast<std::int64_t>(cell) >> (64 - bits));
    v.bytes.resize(size_of(v.type.kind));
    std::memcpy(v.bytes.data(), &field, v.bytes.size());
    return v;
  }

  const memory_reader& read_;
};

// ------------------------------------------------------------------------------------------- texts

std::string target_text(Dwarf_Die* type) {
  Dwarf_Die to;
  return type_of(type, &to) ? type_text(to) : "void";
}

std::string array_text(Dwarf_Die* type) {
  std::string text = target_text(type);
  for_each_child(type, [&](Dwarf_Die& child) {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) {
      return;
    }
    const auto last = constant_of(&child, DW_AT_upper_bound);
    const auto count = constant_of(&child, DW_AT_count);
    text += count ? fmt::format("[{}]", *count) : last ? fmt::format("[{}]", *last + 1) : "[]";
  });
  return text;
}

} // namespace

bool type_of(Dwarf_Die* entry, Dwarf_Die* type) {
  Dwarf_Attribute attribute;
  return dwarf_attr_integrate(entry, DW_AT_type, &attribute) != nullptr &&
         dwarf_formref_die(&attribute, type) != nullptr;
}

std::size_t bytes_of(Dwarf_Die type) {
  Dwarf_Word bytes = 0;
  return dwarf_aggregate_size(&type, &bytes) == 0 ? bytes : 0;
}

std::string type_text(Dwarf_Die type) {
  switch (dwarf_tag(&type)) {
  case DW_TAG_const_type: {
    Dwarf_Die to;
    const bool of_pointer = type_of(&type, &to) && dwarf_tag(&to) == DW_TAG_pointer_type;
    return of_pointer ? type_text(to) + " const" : "const " + target_text(&type);
  }
  case DW_TAG_volatile_type:
    return "volatile " + target_text(&type);
  case DW_TAG_pointer_type:
    return target_text(&type) + "*";
  case DW_TAG_reference_type:
    return target_text(&type) + "&";
  case DW_TAG_rvalue_reference_type:
    return target_text(&type) + "&&";
  case DW_TAG_array_type:
    return array_text(&type);
  case DW_TAG_subroutine_type:
    return "a function";
  case DW_TAG_base_type:
    return base_text(name_of(&type));
  default:
    break;
  }
  // A typedef of a tile says less than the tile.
  Dwarf_Die plain = peeled(type);
  if (const auto tile = describe_tile(&plain)) {
    return fmt::format(
        "tile<{}, shape<{}>>", type_text(tile->element_entry), fmt::join(tile->shape, ", "));
  }
  const std::string_view name = name_of(&type);
  return name.empty() ? is_class(&type) ? "an unnamed class" : "an unnamed type" : class_text(name);
}

std::optional<value_type> element_type(Dwarf_Die type) {
  Dwarf_Die plain = peeled(type);
  if (is_reference(&plain)) {
    Dwarf_Die to;
    return type_of(&plain, &to) ? element_type(to) : std::nullopt;
  }
  if (dwarf_tag(&plain) == DW_TAG_pointer_type) {
    return pointer_type(type);
  }
  const auto kind = plain_kind(&plain);
  if (!kind) {
    return std::nullopt;
  }
  value_type t;
  t.kind = kind->first;
  t.is_unsigned = kind->second;
  t.spelling = type_text(type);
  return t;
}

named_type make_named_type(Dwarf_Die type) {
  return {element_type(type), pointed(type), type_text(type)};
}

value make_value(Dwarf_Die type, const object_bytes& object, const memory_reader& read) {
  return maker(read).make(type, object, 0, 0);
}

} // namespace tilesim::sim::step
