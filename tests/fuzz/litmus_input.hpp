// What the fuzzers of litmus texts share: judging one input, and changing one into another.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilesim::fuzz {

/// Reads a text as a litmus test. Aborts, saying why, if a test comes out that is not whole (an
/// index that points nowhere, say), or if a refusal has no message or a place outside the text. A
/// test that is small is enumerated, too, within narrow limits, if `run`. Returns whether the text
/// was read.
bool judge_litmus(std::string_view text, bool run);

/// Changes a text at a few places, as the seed says: tokens are dropped, doubled, exchanged, or
/// replaced by words and numbers that litmus tests are made of; bytes are flipped; lines are moved.
[[nodiscard]] std::string mutate_litmus(std::string_view text, std::uint32_t seed);

} // namespace tilesim::fuzz
