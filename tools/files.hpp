// Small helpers for files: reading, writing atomically, hashing.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tilesim::driver {

/// The bytes of a file; nothing if it cannot be read.
[[nodiscard]] std::optional<std::string> read_file(const std::string& path);

/// Writes to a file beside `path` and renames it. Throws failure.
void write_file(const std::string& path, std::string_view bytes);

/// Copies a file so that `to` appears at once and whole, with this mode. Throws failure.
void copy_file_atomically(const std::string& from, const std::string& to, unsigned mode);

/// 128 bits of XXH3, in hexadecimal.
[[nodiscard]] std::string hash_bytes(std::string_view bytes);
[[nodiscard]] std::optional<std::string> hash_file(const std::string& path);

} // namespace tilesim::driver
