// From the text of a litmus test to the test.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/program.hpp"

#include <string_view>

namespace tilesim::memmodel::litmus {

/// Reads a test in either format: the published one of PTX tests (`PTX name …`) or the project's
/// own of tile tests
/// (`TILE name …`).  [docs/litmus.md]
/// @throws syntax_error
[[nodiscard]] test read_test(std::string_view text);

[[nodiscard]] test read_ptx(std::string_view text);
[[nodiscard]] test read_tile(std::string_view text);

} // namespace tilesim::memmodel::litmus
