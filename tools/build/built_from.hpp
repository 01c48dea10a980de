// What this program was built from, and where it is installed to.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::tools {

extern const char* const source_api_folder;      ///< the clone's headers, an absolute path
extern const char* const install_library_folder; ///< below the prefix

} // namespace tilesim::tools
