// The readers of text from outside, as fuzzers see them: the only list.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tilesim::fuzz {

struct front {
  std::string_view name; ///< its seeds lie in corpus/NAME
  /// Reads a text. Aborts, saying why, where what comes out is not whole, or a refusal says
  /// nothing. Returns whether it was read.
  bool (*judge)(std::string_view text);
  std::span<const std::string_view> words; ///< that its texts are made of
};

[[nodiscard]] std::span<const front> fronts();
/// nullptr if there is none of this name.
[[nodiscard]] const front* front_named(std::string_view name);

/// Ends the fuzzer's run with a message where something does not hold.
void must(bool holds, std::string_view what);

/// As mutate() does; now and then a piece is repeated very often, which recursion does not survive.
[[nodiscard]] std::string change(const front& f, std::string_view text, std::uint32_t seed);

/// A client's bytes, as the Debug Adapter Protocol frames them (front_dap.cpp).
bool judge_dap(std::string_view text);
/// Bytecode of Tile IR (front_bytecode.cpp).
bool judge_bytecode(std::string_view text);
/// A recording of a GPU (front_recording.cpp).
bool judge_recording(std::string_view text);

} // namespace tilesim::fuzz
