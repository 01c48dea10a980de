// Arguments here and there.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/launch_arguments.hpp"

#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/naming/kept_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <dwarf.h>

namespace tilesim::sim::compare {

namespace {

template <class T>
T value_of(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::uint64_t unsigned_at(const void* at, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, std::min(bytes, sizeof value)); // the lowest byte comes first
  return value;
}

std::int64_t signed_at(const void* at, std::size_t bytes) {
  const auto unused = static_cast<unsigned>(64 - 8 * std::min<std::size_t>(bytes, 8));
  return static_cast<std::int64_t>(unsigned_at(at, bytes) << unused) >> unused;
}

/// A number as it is written.
std::string text_of(Dwarf_Die type, const void* at, std::size_t bytes) {
  Dwarf_Attribute attribute;
  Dwarf_Word encoding = 0;
  if (dwarf_formudata(dwarf_attr_integrate(&type, DW_AT_encoding, &attribute), &encoding) != 0) {
    return fmt::format("{}", signed_at(at, bytes)); // an enumeration
  }
  switch (encoding) {
  case DW_ATE_float:
    return bytes == 4   ? fmt::format("{}", value_of<float>(at))
           : bytes == 8 ? fmt::format("{}", value_of<double>(at))
                        : fmt::format("{:#x}", unsigned_at(at, bytes));
  case DW_ATE_signed:
  case DW_ATE_signed_char:
    return fmt::format("{}", signed_at(at, bytes));
  case DW_ATE_boolean:
    return unsigned_at(at, bytes) != 0 ? "true" : "false";
  default:
    return fmt::format("{}", unsigned_at(at, bytes));
  }
}

/// "byte 16 of allocation #2", "a null pointer".
std::string place_of(context& c, std::uint64_t word) {
  const allocation* const a = c.mem.find(reinterpret_cast<const void*>(word));
  return word == 0      ? "a null pointer"
         : a == nullptr ? fmt::format("address {:#x}", word)
                        : fmt::format("byte {} of allocation #{}", word - a->begin, a->id);
}

} // namespace

std::vector<differing_argument> differing_arguments(context& c,
                                                    const launch_state& l,
                                                    std::span<const std::string> there,
                                                    const counterparts& same) {
  std::vector<differing_argument> found;
  if (there.empty() || l.kernel.function == nullptr) {
    return found;
  }
  const kept_parameters kept =
      parameters_of(l.kernel, static_cast<const char*>(l.kernel.function) + 1);
  for (std::size_t i = 0; i < std::min(kept.list.size(), there.size()); ++i) {
    const kept_parameter& p = kept.list[i];
    Dwarf_Die type = p.type;
    const std::string& bytes = there[i];
    if (bytes.size() != p.bytes || std::memcmp(bytes.data(), p.at, p.bytes) == 0) {
      continue;
    }
    const char* const type_name = dwarf_diename(&type);
    differing_argument a{.index = i,
                         .name = p.name,
                         .type = type_name == nullptr ? "" : type_name,
                         .here = {},
                         .there = {}};
    if (dwarf_tag(&type) == DW_TAG_pointer_type || dwarf_tag(&type) == DW_TAG_reference_type) {
      const auto here = value_of<std::uint64_t>(p.at);
      const auto word = value_of<std::uint64_t>(bytes.data());
      const std::uint64_t translated = same.translated(word);
      if (translated == here || (!same.knows(word) && word != 0 && here != 0)) {
        continue; // what lies there is no memory that is compared
      }
      a.type = "pointer";
      a.here = place_of(c, here);
      a.there = place_of(c, translated);
    } else {
      a.here = text_of(type, p.at, p.bytes);
      a.there = text_of(type, bytes.data(), p.bytes);
    }
    found.push_back(std::move(a));
  }
  return found;
}

} // namespace tilesim::sim::compare
