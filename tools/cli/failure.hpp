// What ends a command early: an exit code and what to say.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/exit_codes.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tilesim::tools {

/// main() prints the message and ends with the code.
class failure : public std::runtime_error {
public:
  failure(int code, const std::string& message)
      : std::runtime_error(message)
      , code_(code) {}
  [[nodiscard]] int code() const noexcept { return code_; }

private:
  int code_;
};

/// The message has been printed already, or is complete with its file and line: no prefix is added.
class printed_failure : public failure {
public:
  using failure::failure;
};

/// What is wrong with a line of an input.
[[noreturn]] inline void fail_at(std::string_view file, std::uint32_t line, std::string_view what) {
  throw printed_failure(exit_input,
                        std::string(file) + ':' + std::to_string(line) +
                            ": error: " + std::string(what) + '\n');
}

} // namespace tilesim::tools
