// The engine of check mode.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engines/read_choices.hpp"
#include "sim/memory/engine.hpp"

#include <memory>

namespace tilesim::sim {

class context;

/// As the direct engine, and follows every access with the race detector. [sim/detect] With choices
/// strong reads of kernels take older writes, where the memory model allows that.
[[nodiscard]] std::unique_ptr<memory_engine>
make_detect_engine(context& c, std::unique_ptr<read_choices> choices = nullptr);

} // namespace tilesim::sim
