// Reads a recording.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/event_checks.hpp"
#include "gpu_backend/container/events.hpp"

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tilesim::gpu {

/// The file is no recording that can be read: `what()` is `FILE: error: fact at byte N; remedy`.
class bad_recording : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class recording_file {
public:
  /// Reads all events of a file, and checks every chunk, and events against each other; contents
  /// stay where they are. Throws bad_recording for what is no recording, one of another version,
  /// cut short, or not what was written; std::system_error where the file cannot be read.
  explicit recording_file(const std::string& path);
  ~recording_file();
  recording_file(const recording_file&) = delete;
  recording_file& operator=(const recording_file&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// False: the program was killed while it recorded. What is there is as it was.
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  [[nodiscard]] const std::vector<event>& events() const noexcept { return events_; }
  /// Bytes of contents, valid until the next call. Throws bad_recording where there are none.
  [[nodiscard]] std::span<const std::byte> content(const content_ref& ref,
                                                   std::uint64_t bytes) const;

private:
  struct chunk {
    std::uint64_t at = 0; ///< of its header
    std::uint64_t bytes = 0;
    std::span<const std::byte> payload;
    bool is_packed = false;
  };

  [[noreturn]] void bad(const std::string& fact, std::uint64_t at) const;
  void read_header() const;
  [[nodiscard]] std::uint64_t read_chunk(std::uint64_t at, std::uint64_t number);
  void read_events(const chunk& c);
  [[noreturn]] void bad_event(std::size_t index, const std::string& fact) const;
  void check(const event& e);
  void check_masks() const;
  [[nodiscard]] std::vector<std::byte> unpacked(const chunk& c) const;

  std::string path_;
  std::span<const std::byte> file_; ///< mapped
  std::vector<event> events_;
  event_checks checks_;
  std::vector<chunk> contents_;
  std::vector<std::uint64_t> content_bytes_; ///< of each of them
  bool masks_ = false;                       ///< there are any
  bool complete_ = false;
  mutable std::uint64_t open_ = ~std::uint64_t{0}; ///< the chunk of contents that is unpacked
  mutable std::vector<std::byte> open_bytes_;
};

} // namespace tilesim::gpu
