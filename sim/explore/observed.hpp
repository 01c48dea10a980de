// Buffers whose final contents are told, and the files without a name through which processes tell
// each other.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/watch/buffers.hpp"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace tilesim::sim::exploring {

/// A buffer whose contents are told.
struct observed {
  std::string name;
  std::uintptr_t begin = 0;
  std::size_t count = 0;
  std::size_t bytes = 0; ///< of an element
  std::optional<sim::step::value_type> type;
};

/// As JSON has it: a number, or text for what JSON has no number for.
[[nodiscard]] nlohmann::ordered_json element_value(const observed& o, const std::uint8_t* at);

/// Of a file without a name, from its beginning.
[[nodiscard]] std::string contents(int file);
/// Nothing else is left in it.
void write_anew(int file, std::string_view bytes);
/// The process ends, and this is what the file of that name has; no name: none has.
[[noreturn]] void leave_with(std::string_view bytes, const std::string& name);

} // namespace tilesim::sim::exploring
