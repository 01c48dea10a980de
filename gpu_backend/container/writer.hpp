// Writes a recording. Compiled into programs too, so it throws nothing and prints nothing.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/events.hpp"
#include "gpu_backend/container/format.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tilesim::gpu {

class writer {
public:
  /// Makes the file anew; `append`: goes on behind a complete recording.
  explicit writer(const std::string& path, bool append = false);
  ~writer();
  writer(const writer&) = delete;
  writer& operator=(const writer&) = delete;

  /// Keeps bytes, at most format::most_content_bytes, for the events that come.
  [[nodiscard]] content_ref keep(std::span<const std::byte> bytes);
  void add(const event& e);
  /// Everything added so far is in the file.
  void flush();
  /// Flushes, and says that the recording is complete. More may be added behind it.
  void finish();

  /// errno of what went wrong; 0: nothing has. Nothing is written from then on.
  [[nodiscard]] int failed() const noexcept { return error_; }

private:
  void put_chunk(format::chunk_kind kind, std::span<const std::byte> bytes);
  void put(const void* bytes, std::size_t count);
  void flush_contents();
  void flush_events();
  void go_on_behind();

  int file_ = -1;
  int error_ = 0;
  std::uint64_t chunks_ = 0;   ///< in the file
  std::uint64_t contents_ = 0; ///< of them chunks of contents
  std::uint64_t events_ = 0;
  std::vector<std::byte> content_bytes_;
  std::vector<std::byte> event_bytes_;
};

} // namespace tilesim::gpu
