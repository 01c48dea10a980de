// Elements of tiles in words: their index, and whose tile it is.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tilesim::sim {

struct sim_thread;

/// The element's index along each dimension.
[[nodiscard]] std::vector<std::uint32_t> element_indices(const machine::tile_type* type,
                                                         std::size_t linear);

/// "(3)", "(1,2)": an element's index in a tile of this type.
[[nodiscard]] std::string element_index(const machine::tile_type* type, std::size_t linear);

/// "f32 tile 2x4", "i32 scalar".
[[nodiscard]] std::string type_text(const machine::tile_type& type);

/// "element (1,2) of an i32 tile [2x4], by tile block (0,0,0) of kernel".
[[nodiscard]] std::string
whereabouts(const sim_thread& t, const machine::tile_type& type, std::size_t linear);

} // namespace tilesim::sim
