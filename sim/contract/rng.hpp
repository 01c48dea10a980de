// The fixed generator for the tools, too, which include no sim/ops: a seed gives the same numbers
// on both sides.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/rng.hpp" // IWYU pragma: export
