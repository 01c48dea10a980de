// The stepper's protocol under a short name.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/step_protocol.hpp"

namespace tilesim::tools::step {

namespace protocol = sim::step::protocol;

} // namespace tilesim::tools::step
