// The recorder: what happened on the device, from the calls that a program makes.
//
// Linked into programs by `tilesim gpu build`; nothing else of tilesim is in them. It observes
// memory behind launches without a change to what they do: it never waits for a launch that waits
// for another, nor for a stream that is being captured.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/writer.hpp"
#include "gpu_backend/recorder/activity.hpp"
#include "gpu_backend/recorder/runs.hpp"
#include "gpu_backend/recorder/shadows.hpp"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tilesim::gpu {

class recorder {
public:
  /// That of the process; it lives to the end.
  static recorder& of_process();

  // Memory.
  void allocated(memory_kind kind, const void* address, std::size_t bytes);
  /// It is about to be freed.
  void frees(const void* address);
  /// The host has had these bytes written: `content`, or what it finds there where that is null.
  void written(const void* to, std::size_t bytes, const void* content, const char* by);
  /// `from` may be the device's; `waited`: it has been made.
  void copied_to_host(const void* to,
                      const void* from,
                      std::size_t bytes,
                      const stream_key& stream,
                      bool waited,
                      const char* by);
  /// Where a variable lies; null: it is none.
  [[nodiscard]] const void* place_of_variable(const void* symbol);

  // Launches.
  /// One is about to be made; gives its place. False: it becomes part of a graph.
  [[nodiscard]] bool launches(launch_event& launch, const stream_key& stream);
  /// It has been accepted.
  void launched(launch_event launch, arguments_event arguments, const stream_key& stream);
  /// What it passes: to a kernel by its function or its handle, or to nothing that is known.
  [[nodiscard]] arguments_event passed(const void* function_or_handle, void** arguments);

  // Streams.
  /// Something of the program's, no launch, has been put there.
  void goes_on(const stream_key& stream);
  /// The stream is about to be destroyed: nobody may ask for it any more.
  void forgets(cudaStream_t stream);
  /// The program has waited for something, or is about to wait for as long as it takes: then what
  /// is pending may be waited for, so long.
  void waited(double seconds = 0);
  void begins_capture(const stream_key& stream) { activity_.begins_capture(stream); }
  void ends_capture(const stream_key& stream) { activity_.ends_capture(stream); }
  /// The device is about to be reset, and has been.
  void resets();
  void has_reset();

  void failed(const char* function, cudaError_t error);

  // What there is in the program.
  void register_kernel(const void* host, const char* symbol) { kernels_[host] = symbol; }
  void register_variable(const void* host, const char* name, std::size_t bytes) {
    variables_.push_back({.host = host, .name = name, .bytes = bytes});
  }
  /// `host` is where its address is kept.
  void register_managed(void* const* host, const char* name, std::size_t bytes) {
    variables_.push_back({.host = host, .name = name, .bytes = bytes, .is_managed = true});
  }
  void name_handle(const void* handle, const void* host) { handles_[handle] = host; }
  /// The symbol of a kernel by its function or its handle.
  [[nodiscard]] std::string symbol_of(const void* function_or_handle) const;

  // The end.
  /// The runtime will not answer any more.
  void looks_once_more();
  void ends(int status);
  /// In a process that was forked: the program has died.
  /// … by a signal; 0: nobody knows how.
  void is_left_alone(const std::string& output, int signal);

private:
  struct memory : shadowed {
    std::uint64_t number = 0;
    memory_kind kind{};
    bool host_writes = false; ///< by itself, without a call
    bool known = false;       ///< the recording has its content, or how it came about
    /// What the host has written since it was last looked at: from, to.
    std::vector<std::pair<std::size_t, std::size_t>> written;
  };
  struct known_variable {
    const void* host = nullptr; ///< its shadow in the program
    std::string name;
    std::size_t bytes = 0;
    bool is_managed = false;
    const void* address = nullptr; ///< on the device, once it is known
    std::uint64_t number = 0;
  };
  struct pending_copy {
    copy_event what;
    const void* to = nullptr;
    cudaEvent_t made = nullptr; ///< has passed when it has been
  };

  recorder();
  void tell_machine();
  void find_variables();
  [[nodiscard]] const void* function_of(const void* function_or_handle) const;
  [[nodiscard]] memory* holding(const void* address, std::size_t bytes);
  [[nodiscard]] bool is_pending() const noexcept { return first_pending_ != next_launch_; }

  void settle_before_launch();
  void get_to_know(memory& m);
  void take_written(memory& m);
  void observe();
  void observe_if_quiet(double seconds);
  void tell_copies();
  /// Of all memories that `chosen` chooses; false: the device does not answer.
  template <class F>
  bool take_changes(content_event::when is, F&& chosen);
  void record(const memory& m, content_event::when is, std::size_t begin, std::size_t end);
  void keep(const memory& m,
            content_event::when is,
            std::size_t offset,
            std::span<const std::byte> content);
  void keep_what_differs(const memory& m,
                         content_event::when is,
                         std::size_t offset,
                         std::span<const std::byte> content);
  void tell_output(const std::string& output);
  void save_progress();

  writer to_;
  activity activity_;
  shadows shadows_;
  first_run first_;
  std::uint64_t next_memory_ = 1;
  std::uint64_t next_launch_ = 0;
  std::uint64_t first_pending_ = 0; ///< the first launch that has not been observed
  bool machine_told_ = false;
  std::map<std::uintptr_t, memory> memories_; ///< by address, that live
  std::uint64_t live_bytes_ = 0;              ///< of allocations
  std::map<const void*, std::string> kernels_;
  std::map<const void*, const void*> handles_;
  std::map<const void*, std::vector<std::uint64_t>> parameters_; ///< their sizes
  std::vector<known_variable> variables_;
  std::uint64_t next_variable_ = memory_event::first_variable;
  std::size_t variables_found_ = 0;
  std::vector<pending_copy> copies_;
  double saved_ = 0;
};

} // namespace tilesim::gpu
