// Writes a recording. Compiled into programs too, so it throws nothing and prints nothing.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/chunk_file.hpp"
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
  explicit writer(const std::string& path, bool append = false)
      : file_(path, append) {}
  ~writer() { flush(); }
  writer(const writer&) = delete;
  writer& operator=(const writer&) = delete;

  /// Keeps bytes, at most format::most_content_bytes, for the events that come.
  [[nodiscard]] content_ref keep(std::span<const std::byte> bytes);
  void add(const event& e);
  /// So many bytes may be kept at once.
  void expect(std::uint64_t bytes) { file_.expect(bytes); }
  /// Everything added so far is on its way to the file.
  void hand_over();
  /// … and there.
  void flush();
  /// Flushes, and says that the recording is complete. More may be added behind it.
  void finish();
  /// In a process that was forked, when the other one is gone: writes what is left. More may be
  /// added. False: the recording was complete.
  bool take_over();

  /// errno of what went wrong; 0: nothing has. Nothing is written from then on.
  [[nodiscard]] int failed() const noexcept { return file_.failed(); }

private:
  [[nodiscard]] chunk_file::slot*
  room(chunk_file::slot*& in, format::chunk_kind kind, std::size_t bytes);
  void hand_over(chunk_file::slot*& filled);

  chunk_file file_;
  chunk_file::slot* contents_ = nullptr; ///< that is being filled
  chunk_file::slot* events_ = nullptr;
  std::vector<std::byte> fields_; ///< of the event that is being added
  std::vector<std::byte> head_;
};

} // namespace tilesim::gpu
