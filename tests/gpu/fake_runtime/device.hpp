// A device of the host's memory and threads: what a GPU is to the CUDA runtime, for tests without
// one.
//
// Its memory is closed to the host except while the device works: who reads it without a copy
// crashes, as on a GPU. Streams are threads; kernels are functions of the host.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace fake {

/// What a kernel does wrong, as a GPU would: every later call fails.
struct illegal_access {};

enum class memory { device, managed, pinned, registered };

/// Work in a stream.
struct operation {
  std::function<void()> work;
  std::vector<std::shared_ptr<operation>> after; ///< these come first
  bool done = false;
};
using operation_ptr = std::shared_ptr<operation>;

/// Work that a capture has collected, in order.
struct graph {
  std::vector<std::function<void()>> nodes;
};

struct stream {
  bool blocking = true; ///< ordered with the legacy default stream
  std::deque<operation_ptr> queue;
  operation_ptr last; ///< put in last
  std::shared_ptr<graph> capture;
  bool capture_is_broken = false;
  std::thread worker;
};

class device {
public:
  /// That of the process, never destroyed: work may go on until the end.
  static device& one();

  // Memory: addresses of freed blocks are used again.
  [[nodiscard]] void* allocate(memory kind, std::size_t bytes);
  void note_registered(void* at, std::size_t bytes);
  [[nodiscard]] bool free(void* at);
  /// Null: it is no memory of the device's, nor known to it.
  [[nodiscard]] const memory* kind_of(const void* at);

  // Streams.
  [[nodiscard]] stream& legacy() noexcept { return legacy_; }
  [[nodiscard]] stream& of_this_thread();
  [[nodiscard]] stream* make_stream(bool blocking);
  [[nodiscard]] bool is_stream(const stream* s);
  /// Its work goes on.
  void destroy_stream(stream* s);
  operation_ptr put(stream& s, std::function<void()> work, std::vector<operation_ptr> after = {});
  [[nodiscard]] bool idle(const operation_ptr& op);
  void wait(const operation_ptr& op);
  void wait_for_all();
  [[nodiscard]] bool any_capture();
  void break_captures();
  [[nodiscard]] operation_ptr last_of(stream& s);

  /// Runs as the device: its memory is open meanwhile.
  void as_device(const std::function<void()>& work);
  [[nodiscard]] bool faulted();
  /// All memory and streams are gone.
  void reset();

private:
  device();
  void serve(stream& s);
  void open_memory();
  void close_memory();

  struct block {
    memory kind{};
    std::size_t bytes = 0;
    bool live = false;
  };
  std::mutex mutex_;
  std::condition_variable changed_;
  std::byte* arena_ = nullptr; ///< of device memory
  std::size_t used_ = 0;
  std::size_t most_ = 0;
  std::size_t live_bytes_ = 0;
  int open_ = 0;
  bool faulted_ = false;
  std::map<const std::byte*, block> blocks_;
  stream legacy_;
  std::vector<std::unique_ptr<stream>> streams_;
  std::vector<stream*> per_thread_;
  std::vector<std::unique_ptr<stream>> destroyed_;
};

} // namespace fake
