// What the stepper's commands are given, read from text: numbers, blocks, places.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/step/protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilesim::tools::step {

/// What is wrong with a command: a sentence that says what it wanted.
class command_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

[[nodiscard]] std::string_view trimmed(std::string_view text);
/// The first word, and what follows it.
[[nodiscard]] std::pair<std::string_view, std::string_view> first_word(std::string_view text);

/// How often; once where nothing is said. Throws command_error with the command's name.
[[nodiscard]] std::uint64_t count_argument(std::string_view text, std::string_view command);

using protocol::block_name;
using protocol::coordinates;

/// Where to stop: what is given must hold together.
struct location {
  std::string file; ///< of the line; empty where it is not said
  std::optional<std::size_t> line = {};
  std::string kernel = {};
  std::string operation = {};
  std::optional<block_name> block = {};
  std::optional<std::uint64_t> launch = {};
  std::string condition = {};
  bool choice = false; ///< at reads that may take several writes
};

/// "3", "3,0,0" or "(3,0,0)". Throws command_error.
[[nodiscard]] block_name block_argument(std::string_view text);
/// What break takes: [FILE:]LINE, KERNEL, op=NAME, block=N, launch=N, choice, if EXPRESSION. Throws
/// command_error.
[[nodiscard]] location read_location(std::string_view text);
/// How a process ended that did not by exit(), from waitpid's status: "by signal 11 (…)".
[[nodiscard]] std::string ended_how(int wait_status);
/// What is said where a finding ends the program: the kernel itself, or tilesim in its place.
[[nodiscard]] std::string ended_by_finding(const std::vector<protocol::finding>& found);
/// 0x7f12.
[[nodiscard]] bool is_address(std::string_view text);
/// A buffer, elements of it (bins[3][0:4]), or an address (*(int*)0x7f12): no value leads to
/// another place.
[[nodiscard]] bool is_always_the_same_place(std::string_view expression);

} // namespace tilesim::tools::step
