// What another machine recorded of a program's launches, as `tilesim diff` gives it to the
// simulated program: the memory behind each launch, and what must be equal before it.
//
// Two files: an index (JSON, here) and the contents of memory, one range behind the other, into
// which the index points. The program maps the second, so that nothing is read that nobody asks
// for. It knows nothing of recordings, nor of who made them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::sim {

/// A piece of memory as the other machine had it. Several lives of one address are several pieces.
struct fed_memory {
  unsigned allocation = 0;   ///< the program's first allocation is 1, whichever call made it
  std::uint64_t address = 0; ///< there
  std::uint64_t bytes = 0;
  std::string variable = {}; ///< no allocation: the variable of this symbol
  std::string array = {};    ///< or what one launch calls an array that it is given
};

/// Bytes of a piece of memory whose content is in the file of contents.
struct fed_range {
  std::size_t memory = 0; ///< index into launch_feed::memories
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t at = 0; ///< in the file of contents
  /// Where in that file there is a bit for each byte, the lowest first: 1, it is meant. Without:
  /// all are.
  std::optional<std::uint64_t> mask;

  friend bool operator==(const fed_range&, const fed_range&) = default;
};

/// Of a piece of memory the hashes of its pages alone, XXH64 of each with seed 0; the last page of
/// the memory may be shorter.
struct fed_pages {
  static constexpr std::uint64_t page_bytes = 4096;
  /// How many hashes so many bytes have.
  static constexpr std::uint64_t count(std::uint64_t bytes) noexcept {
    return (bytes / page_bytes) + (bytes % page_bytes == 0 ? 0 : 1);
  }

  std::size_t memory = 0;
  std::uint64_t offset = 0; ///< a multiple of page_bytes
  std::uint64_t bytes = 0;
  std::vector<std::uint64_t> hashes;

  friend bool operator==(const fed_pages&, const fed_pages&) = default;
};

/// What the host wrote there before the launch: XXH64 of the bytes, seed 0.
struct fed_input {
  std::size_t memory = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;
};

struct fed_launch {
  std::string kernel; ///< as the program names it, without template arguments; empty: not known
  std::array<std::uint64_t, 3> grid{};
  std::array<std::uint64_t, 3> block{};
  std::uint64_t shared_bytes = 0;     ///< dynamic
  std::vector<std::string> arguments; ///< their bytes, one after the other; empty: not known
  std::vector<std::size_t> arrays;    ///< that it is given: indices into launch_feed::memories
  std::vector<fed_input> inputs;
  std::vector<fed_range> before; ///< to be set: what nobody had written when the launch began
  /// The memory behind it is known: it is the last of those that were observed together.
  bool observed = false;
  std::vector<fed_range> after; ///< changed by these launches
  std::vector<fed_pages> pages; ///< changed likewise; the content is not known
};

struct launch_feed {
  std::vector<fed_memory> memories;
  std::vector<fed_launch> launches;
};

/// The text is no index of a feed.
class bad_feed : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

[[nodiscard]] std::string to_text(const launch_feed& feed);
/// Throws bad_feed, also where a range lies outside its memory or outside `content_bytes`.
[[nodiscard]] launch_feed feed_from_text(std::string_view text, std::uint64_t content_bytes);

} // namespace tilesim::sim
