// Changing one text into another, for fuzzers.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tilesim::fuzz {

/// Changes a text at a few places, as the seed says: tokens are dropped, doubled, exchanged, or
/// replaced by `words` and extreme numbers; bytes are flipped.
[[nodiscard]] std::string
mutate(std::string_view text, std::uint32_t seed, std::span<const std::string_view> words);

} // namespace tilesim::fuzz
