// The file of a recording: chunks with checksums, compressed. docs/recording.md has it byte by
// byte.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tilesim::gpu::format {

inline constexpr std::string_view magic = "TILESREC";
inline constexpr std::uint32_t version = 2;
/// The magic, the version, four bytes of zeros.
inline constexpr std::size_t file_header_bytes = 16;

enum class chunk_kind : std::uint32_t {
  events = 1,   ///< events, one behind the other
  contents = 2, ///< bytes that events point into
  end = 3       ///< how many chunks and events were before it: the recording is complete
};

enum class packing : std::uint32_t { stored = 0, zstd = 1 };

/// In front of each chunk's payload; numbers have the lowest byte first.
struct chunk_header {
  std::uint32_t kind = 0;
  std::uint32_t packed_by = 0;
  std::uint64_t bytes = 0;    ///< of what it says, unpacked
  std::uint64_t packed = 0;   ///< of the payload
  std::uint64_t checksum = 0; ///< XXH64 of the 24 bytes before, and the payload; seed: its number
};
inline constexpr std::size_t chunk_header_bytes = 32;
inline constexpr std::size_t checked_header_bytes = 24;

/// A chunk says at most so much: who reads it may make room for it.
inline constexpr std::uint64_t most_chunk_bytes = std::uint64_t{16} << 20U;
/// The content of one event, which lies in one chunk.
inline constexpr std::uint64_t most_content_bytes = std::uint64_t{1} << 20U;
/// Memory is looked at by pages of so many bytes; the last one of an allocation may be shorter.
inline constexpr std::uint64_t page_bytes = 4096;

/// Behind a program that `tilesim gpu build` has made: the lines of its code, and then this.
struct lines_trailer {
  std::uint64_t bytes = 0; ///< of the lines
  std::array<char, 8> mark{};
};
inline constexpr std::array<char, 8> lines_mark{'T', 'I', 'L', 'E', 'L', 'I', 'N', 'E'};

static_assert(sizeof(chunk_header) == chunk_header_bytes);

} // namespace tilesim::gpu::format
