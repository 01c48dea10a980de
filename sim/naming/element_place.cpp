// Elements of tiles in words.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/naming/element_place.hpp"

#include "sim/core/thread.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace tilesim::sim {

using machine::tile_type;

std::vector<std::uint32_t> element_indices(const tile_type* type, std::size_t linear) {
  std::vector<std::uint32_t> result(type->rank);
  for (unsigned d = type->rank; d-- > 0;) {
    result[d] = static_cast<std::uint32_t>(linear % type->extents[d]);
    linear /= type->extents[d];
  }
  return result;
}

std::string element_index(const tile_type* type, std::size_t linear) {
  return fmt::format("({})", fmt::join(element_indices(type, linear), ","));
}

std::string type_text(const tile_type& type) {
  const std::string_view elem = name(type.elem);
  if (type.is_scalar) {
    return fmt::format("a scalar {}", elem);
  }
  const bool vowel = elem.front() == 'i' || elem.front() == 'f'; // as it is spoken
  return fmt::format("{} {} tile [{}]",
                     vowel ? "an" : "a",
                     elem,
                     fmt::join(type.extents, type.extents + type.rank, "x"));
}

std::string whereabouts(const sim_thread& t, const tile_type& type, std::size_t linear) {
  return fmt::format("{}{}, by {} of {}",
                     type.is_scalar ? ""
                                    : fmt::format("element {} of ", element_index(&type, linear)),
                     type_text(type),
                     t.name(),
                     t.launch->kernel.name);
}

} // namespace tilesim::sim
