// What the host program tells besides the driver's calls: its lines, and its arrays.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilesim::interpreter {
class program;
} // namespace tilesim::interpreter

namespace tilesim::tileir {
struct entry;
} // namespace tilesim::tileir

namespace tilesim::driver_stand_in {

/// Where the host program stands that launches now; nullptr: nobody has said.
[[nodiscard]] const void* launch_site() noexcept;

/// Tells of arrays that overlap of which this entry of the program writes one. `parameters`: a
/// pointer to the value of each.
void judge_overlaps(const interpreter::program& of,
                    const tileir::entry& e,
                    const void* const* parameters);

/// The name of an array that is read-only, and that the entry may write to; "": there is none.
[[nodiscard]] std::string written_and_only_read(const tileir::entry& e,
                                                const void* const* parameters);

} // namespace tilesim::driver_stand_in
