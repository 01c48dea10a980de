// A cell as a person reads it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/element.hpp>

#include <string>

namespace tilesim::sim::ops {

/// "-3", "0.1", "true", "nan", "0x7f0040001000". Floats in the fewest digits that read back as the
/// same value of their own format, so that half 0x2e66 is "0.1".
[[nodiscard]] std::string element_text(element kind, bool is_unsigned, const void* cell);

} // namespace tilesim::sim::ops
