// What the host program tells besides the driver's calls: its lines, and its arrays.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::driver_stand_in {

/// Where the host program stands that launches now; nullptr: nobody has said.
[[nodiscard]] const void* launch_site() noexcept;

} // namespace tilesim::driver_stand_in
