// The engine of check mode.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/memory/engine.hpp"

#include <memory>

namespace tilesim::sim {

class context;

/// As the direct engine, and follows every access with the race detector. [sim/detect]
[[nodiscard]] std::unique_ptr<memory_engine> make_detect_engine(context& c);

} // namespace tilesim::sim
