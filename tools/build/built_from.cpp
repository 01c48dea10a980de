// Alone, since no compiler cache serves it in another clone.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/built_from.hpp"

namespace tilesim::tools {

const char* const source_api_folder = TILESIM_SOURCE_API_DIR;
const char* const install_library_folder = TILESIM_INSTALL_LIBDIR;

} // namespace tilesim::tools
