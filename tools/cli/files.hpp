// Small helpers for files: reading, writing, hashing.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools {

/// The bytes of a file; nothing if it cannot be read.
[[nodiscard]] std::optional<std::string> read_file(const std::string& path);

/// The same of a file that a person writes: without a byte order mark.
[[nodiscard]] std::optional<std::string> read_text(const std::string& path);

enum class output_kind : unsigned char { data, program };

/// What a person asked for in a file: every output of every command goes through here. Throws
/// failure (69).
///
/// A regular file appears at once and whole, under its own name: links are followed, and a file
/// that was there keeps its mode and owner. Devices, FIFOs and descriptors (/dev/fd/3,
/// /dev/stdout) are written to. A file that cannot be replaced (hard links, a mount, a folder that
/// cannot be written) is overwritten in place.
void write_output(const std::string& path,
                  std::string_view bytes,
                  output_kind kind = output_kind::data);

/// Whether write_output() is likely to succeed there: said before a run, which may take long.
/// Throws failure.
void check_output(const std::string& path);

/// check_output() of each that is not empty. Throws failure (64) where one of them is a source of
/// the program or one of the files that the command reads, or where two are one file.
void check_outputs(const std::vector<std::string>& outputs,
                   const std::vector<std::string>& sources,
                   const std::vector<std::string>& read = {});

/// Makes an empty file of mode 0600 with a name that nobody else has or can foresee. Throws
/// failure (69).
[[nodiscard]] std::string make_temporary(const std::string& folder, std::string_view extension);

/// A folder of this process's own, of mode 0700, which goes with all that is in it.
class temporary_folder {
public:
  /// `what`: a part of its name. Throws failure (69).
  explicit temporary_folder(std::string_view what);
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
  std::string path_;
};

/// Writes a file that is this process's own, such as a temporary one. Throws failure (69).
void write_file(const std::string& path, std::string_view bytes);

/// What was written to it outlives a loss of power. Throws failure (69).
void sync_file(const std::string& path);

/// 128 bits of XXH3, in hexadecimal.
[[nodiscard]] std::string hash_bytes(std::string_view bytes);
[[nodiscard]] std::optional<std::string> hash_file(const std::string& path);

} // namespace tilesim::tools
