// Names of types: the compilers' spellings as a person would write them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilesim::sim::step {

/// A class's name, the same from both compilers: "tile<float, shape<8>>".
[[nodiscard]] std::string class_text(std::string_view name);

/// A basic type's: g++ says "long unsigned int", clang++ "unsigned long", as people do.
[[nodiscard]] std::string base_text(std::string_view name);

} // namespace tilesim::sim::step
