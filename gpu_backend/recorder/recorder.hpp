// The recorder: what happened on the device, from the calls that a program makes.
//
// Linked into programs by `tilesim gpu build`; nothing else of tilesim is in them. It observes
// memory behind launches without a change to what they do: it never waits for a launch that waits
// for another, nor for a stream that is being captured.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/writer.hpp"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace tilesim::gpu {

/// A registered variable of the program's.
struct known_variable {
  const void* host = nullptr; ///< its shadow in the program
  std::string name;
  std::size_t bytes = 0;
};

class recorder {
public:
  /// That of the process; it lives to the end.
  static recorder& of_process();

  /// A call of the program's is under way; false inside the recorder's own.
  class call {
  public:
    call();
    ~call();
    call(const call&) = delete;
    call& operator=(const call&) = delete;
    [[nodiscard]] bool of_program() const noexcept { return outermost_; }

  private:
    std::unique_lock<std::recursive_mutex> lock_;
    bool outermost_;
  };

  void allocated(memory_kind kind, const void* address, std::size_t bytes);
  /// It is about to be freed.
  void frees(const void* address);
  /// The host has had these bytes written: `content`, or what it finds there where that is null.
  void written(const void* to, std::size_t bytes, const void* content, const char* by);
  void copied_to_host(const void* to, const void* from, std::size_t bytes, const char* by);
  void launches(const std::string& symbol,
                dim3 grid,
                dim3 block,
                std::size_t shared_bytes,
                cudaStream_t stream,
                const char* by);
  /// The launch has been accepted, or not.
  void launched(cudaError_t error);
  /// The stream is about to be destroyed: nobody may ask for it any more.
  void forgets(cudaStream_t stream);
  /// The program has waited for something, or is about to wait for as long as it takes: then what
  /// is pending may be waited for, so long.
  void waited(double seconds = 0);
  void begins_capture() { ++captures_; }
  void ends_capture() { --captures_; }
  void failed(const char* function, cudaError_t error);

  void register_kernel(const void* host, const char* symbol) { kernels_[host] = symbol; }
  void register_variable(const void* host, const char* name, std::size_t bytes) {
    variables_.push_back({host, name, bytes});
  }
  void name_handle(const void* handle, const void* host) { handles_[handle] = host; }
  /// The symbol of a kernel by its function or its handle.
  [[nodiscard]] std::string symbol_of(const void* function_or_handle) const;

  void ends(int status);

private:
  struct memory {
    std::uint64_t number = 0;
    memory_kind kind{};
    std::uintptr_t address = 0;
    std::size_t bytes = 0;
    std::byte* shadow = nullptr;        ///< on the device; nullptr: none has been made
    std::vector<std::byte> host_shadow; ///< where the device has no room for one
    bool known = false;                 ///< the recording has its content, or how it came about
    /// What the host has written since it was last looked at: from, to.
    std::vector<std::pair<std::size_t, std::size_t>> written;
  };

  recorder();
  void tell_machine();
  void find_variables();
  [[nodiscard]] memory* holding(const void* address, std::size_t bytes);
  [[nodiscard]] static bool host_can_write(const memory& m) noexcept {
    return m.kind != memory_kind::device && m.kind != memory_kind::variable;
  }

  /// Everything that the program has started is done; false: not within so short a time.
  [[nodiscard]] bool quiet(double seconds);
  void settle_before_launch();
  void get_to_know(memory& m);
  void take_written(memory& m);
  void take_changes(memory& m, content_event::when is);
  void observe();
  void tell_copies();
  void record(const memory& m, content_event::when is, std::size_t begin, std::size_t end);
  [[nodiscard]] bool make_shadow(memory& m);
  /// A flag for each page; none at all where no page has changed.
  [[nodiscard]] std::vector<std::uint8_t> changed_pages(const memory& m);
  [[nodiscard]] std::vector<std::uint8_t> changed_on_host(const memory& m);
  [[nodiscard]] bool make_room_for_flags(std::size_t pages);
  /// At most format::most_content_bytes, valid until the next call.
  [[nodiscard]] std::span<const std::byte> read(std::uintptr_t from, std::size_t bytes);
  [[nodiscard]] std::uint64_t hash_of(std::uintptr_t from, std::size_t bytes);
  void copy_to_shadow(memory& m, std::size_t offset, std::size_t bytes);
  void free_shadow(memory& m);
  void save_progress();

  writer to_;
  std::uint64_t next_memory_ = 1;
  std::uint64_t next_launch_ = 0;
  std::uint64_t first_pending_ = 0; ///< the first launch that has not been observed
  bool launch_under_way_ = false;
  launch_event launch_; ///< that one
  bool machine_told_ = false;
  int captures_ = 0;
  std::map<std::uintptr_t, memory> memories_;     ///< by address, that live
  std::map<cudaStream_t, std::uint64_t> streams_; ///< that are there: their numbers
  std::uint64_t next_stream_ = 0;
  bool one_stream_ = true; ///< never more than one has been used
  std::map<const void*, std::string> kernels_;
  std::map<const void*, const void*> handles_;
  std::vector<known_variable> variables_;
  bool variables_found_ = false;
  struct pending_copy {
    std::uint64_t memory, offset, bytes;
    const void* to;
    std::string by;
    call_place place;
  };
  std::vector<pending_copy> copies_;
  cudaStream_t own_ = nullptr;
  std::byte* staging_ = nullptr; ///< pinned memory of the host, or none
  std::vector<std::byte> pageable_;
  unsigned* count_ = nullptr;     ///< on the device, and behind it
  std::uint8_t* flags_ = nullptr; ///< these
  std::size_t flags_size_ = 0;
  double saved_ = 0;
};

} // namespace tilesim::gpu
