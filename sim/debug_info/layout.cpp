// What a class or an array is made of.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/layout.hpp"

#include "sim/contract/counted.hpp"
#include "sim/debug_info/debug_info.hpp"
#include "sim/debug_info/debug_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <dwarf.h>
#include <functional>
#include <numeric>
#include <utility>

namespace tilesim::sim::step {

namespace {

bool has_virtual_base(Dwarf_Die* type) {
  bool has = false;
  for_each_child(type, [&has](Dwarf_Die& child) {
    has |= dwarf_tag(&child) == DW_TAG_inheritance && dwarf_hasattr(&child, DW_AT_virtuality) != 0;
  });
  return has;
}

void cover_scalars(Dwarf_Die type, std::size_t at, std::vector<bool>& covered);

/// Of a union the bytes that all its members have: one of them is there, nobody knows which.
// NOLINTNEXTLINE(misc-no-recursion)
void cover_common(Dwarf_Die* type, std::size_t bytes, std::size_t at, std::vector<bool>& covered) {
  std::vector<bool> common(bytes, true);
  for (const member& m : members_of(type)) {
    std::vector<bool> own(bytes);
    cover_scalars(m.type, m.offset, own);
    for (std::size_t i = 0; i < bytes; ++i) {
      common[i] = common[i] && own[i];
    }
  }
  for (std::size_t i = 0; i < bytes && at + i < covered.size(); ++i) {
    covered[at + i] = covered[at + i] || common[i];
  }
}

/// Marks the bytes of an object that are a scalar's.
// NOLINTNEXTLINE(misc-no-recursion)
void cover_scalars(Dwarf_Die type, std::size_t at, std::vector<bool>& covered) {
  const auto mark = [&covered](std::size_t from, std::size_t to) {
    for (; from < std::min(to, covered.size()); ++from) {
      covered[from] = true;
    }
  };
  Dwarf_Die plain = peeled(type);
  const std::size_t bytes = bytes_of(plain);
  const auto shape =
      dwarf_tag(&plain) == DW_TAG_array_type ? shape_of(&plain) : std::optional<array_shape>();
  if (shape) {
    const std::size_t each = bytes_of(shape->element);
    for (std::size_t i = 0; i < shape->count() && at + (i * each) < covered.size(); ++i) {
      cover_scalars(shape->element, at + (i * each), covered);
    }
  } else if (!is_class(&plain) || has_virtual_base(&plain)) {
    mark(at, at + bytes);
  } else if (dwarf_tag(&plain) == DW_TAG_union_type) {
    cover_common(&plain, bytes, at, covered);
  } else {
    for (const member& m : members_of(&plain)) {
      if (m.bits != 0) {
        mark(at + (m.first_bit / 8), at + ((m.first_bit + m.bits + 7) / 8));
      } else {
        cover_scalars(m.type, at + m.offset, covered);
      }
    }
  }
}

} // namespace

std::vector<member> members_of(Dwarf_Die* type) {
  std::vector<member> all;
  for_each_child(type, [&all](Dwarf_Die& child) {
    const int tag = dwarf_tag(&child);
    Dwarf_Die of;
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
        dwarf_hasattr(&child, DW_AT_external) != 0 ||
        dwarf_hasattr(&child, DW_AT_virtuality) != 0 || !type_of(&child, &of)) {
      return;
    }
    all.push_back({.name = tag == DW_TAG_member ? name_of(&child) : "",
                   .type = of,
                   .offset = constant_of(&child, DW_AT_data_member_location).value_or(0),
                   .bits = constant_of(&child, DW_AT_bit_size).value_or(0),
                   .first_bit = constant_of(&child, DW_AT_data_bit_offset).value_or(0)});
  });
  return all;
}

std::size_t array_shape::count() const {
  return std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>{});
}

std::string array_shape::indices(std::size_t number) const {
  std::string text;
  std::size_t inner = count();
  for (const std::size_t e : extents) {
    inner /= e;
    text += fmt::format("[{}]", number / inner);
    number %= inner;
  }
  return text;
}

std::optional<array_shape> shape_of(Dwarf_Die* array) {
  array_shape shape;
  bool known = type_of(array, &shape.element);
  for_each_child(array, [&](Dwarf_Die& child) {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) {
      return;
    }
    if (const auto n = constant_of(&child, DW_AT_count)) {
      shape.extents.push_back(*n);
    } else if (const auto last = constant_of(&child, DW_AT_upper_bound)) {
      shape.extents.push_back(*last + 1);
    } else {
      known = false;
    }
  });
  return known ? std::optional(std::move(shape)) : std::nullopt;
}

std::string part_text(Dwarf_Die type, std::size_t offset) {
  std::string text;
  for (;;) {
    Dwarf_Die plain = peeled(type);
    if (dwarf_tag(&plain) == DW_TAG_array_type) {
      const auto shape = shape_of(&plain);
      const std::size_t each = shape ? bytes_of(shape->element) : 0;
      if (each == 0 || offset / each >= shape->count()) {
        break;
      }
      text += shape->indices(offset / each);
      offset %= each;
      type = shape->element;
      continue;
    }
    const char* const file = dwarf_decl_file(&plain);
    if (dwarf_tag(&plain) == DW_TAG_union_type || !is_class(&plain) ||
        (file != nullptr && is_own_file(file))) {
      break;
    }
    const auto members = members_of(&plain);
    const auto of = std::ranges::find_if(members, [offset](const member& m) {
      return m.bits == 0 && offset >= m.offset && offset - m.offset < bytes_of(m.type);
    });
    if (of == members.end()) {
      break;
    }
    if (!of->name.empty()) {
      text += fmt::format(".{}", of->name);
    }
    offset -= of->offset;
    type = of->type;
  }
  return offset == 0 ? text : fmt::format("{} + {}", text, counted(offset, "byte"));
}

std::vector<std::size_t> padding_of(Dwarf_Die type) {
  constexpr std::size_t largest = 4096;
  Dwarf_Die plain = peeled(type);
  const std::size_t bytes = bytes_of(plain);
  if (!is_class(&plain) || bytes > largest) {
    return {};
  }
  std::vector<bool> covered(bytes);
  cover_scalars(plain, 0, covered);
  std::vector<std::size_t> padding;
  for (std::size_t i = 0; i < bytes; ++i) {
    if (!covered[i]) {
      padding.push_back(i);
    }
  }
  return padding;
}

} // namespace tilesim::sim::step
