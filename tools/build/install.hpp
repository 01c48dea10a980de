// Where tilesim itself lies: its headers, its library, and what tells one build from another.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilesim::tools {

struct installation {
  std::string api_folder;     ///< cuda_tile.h and its like
  std::string library_folder; ///< libtilesim.so
  std::string build_id;       ///< the linker's build id of this program, else a hash of it
};

/// $TILESIM_API_DIR and $TILESIM_LIB_DIR come first, then what lies beside the program (an
/// installed tilesim), then the build tree. Throws failure when one is missing.
[[nodiscard]] installation find_installation();

/// The folder in which gpu_backend/recorder lies, the sources of what `tilesim gpu build` links
/// into programs: $TILESIM_RECORDER_DIR, or as above.
[[nodiscard]] std::string find_recorder();

} // namespace tilesim::tools
