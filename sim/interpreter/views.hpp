// Views of arrays in memory, and parts of tiles.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/interpreter/code.hpp"
#include "sim/interpreter/frame.hpp"

namespace tilesim::sim {
struct sim_thread;
} // namespace tilesim::sim

namespace tilesim::interpreter {

void make_tensor_view(const instruction& i, const frame& f);
/// A tensor in the order of the tile's dimensions.
void make_tile_view(const instruction& i, const frame& f);
/// Extents of a tensor, or of a view's index space.
void tell_shape(const instruction& i, const frame& f);
/// The view of an access, as the machine has it.
[[nodiscard]] machine::tile_view view_of(const instruction& i, const held_view& tensor);
/// A tile with a part of it replaced.
void insert_part(const instruction& i, const frame& f, sim::sim_thread& t);

} // namespace tilesim::interpreter
