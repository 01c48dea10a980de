// The chunks of a recording on their way to the file: filled, packed by threads, written in order.
//
// Chunks lie in memory that a process that was forked shares. When the program dies, that process
// takes over and writes what had not been written. Compiled into programs: throws nothing.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/format.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

namespace tilesim::gpu {

class chunk_file {
public:
  /// Makes the file anew; `append`: goes on behind whole chunks, once nobody writes there any more.
  chunk_file(const std::string& path, bool append);
  ~chunk_file();
  chunk_file(const chunk_file&) = delete;
  chunk_file& operator=(const chunk_file&) = delete;

  /// Room for a chunk of most_chunk_bytes; waits for a free one. What has been put there, up to
  /// `filled`, is written by who takes over.
  struct slot {
    std::byte* data = nullptr;
    std::atomic<std::uint64_t> filled{0};
    std::atomic<std::uint64_t> number{0};
    format::chunk_kind kind{};
    enum class state : std::uint32_t { free, open, queued, packing };
    std::atomic<state> is{state::free};
  };
  [[nodiscard]] slot* open(format::chunk_kind kind);
  /// So many bytes may come at once: the system's pages for them are made meanwhile, which takes
  /// longer than to fill them.
  void expect(std::uint64_t bytes);
  /// The chunk is whole and has its turn.
  void close(slot* s);
  /// All chunks that are whole are in the file.
  void wait();
  /// In a process that was forked: the other one is dead. What is open is closed, too, contents
  /// first.
  void take_over();

  /// errno of what went wrong; 0: nothing has.
  [[nodiscard]] int failed() const noexcept;
  /// Chunks that have had their turn, those of the file included, and of them those of contents.
  [[nodiscard]] std::uint64_t chunks() const noexcept { return shared_->chunks; }
  [[nodiscard]] std::uint64_t contents() const noexcept { return shared_->contents; }
  /// Events that have been added, for the last chunk.
  [[nodiscard]] std::atomic<std::uint64_t>& events() noexcept { return shared_->events; }
  /// Whoever takes over has nothing to do.
  [[nodiscard]] std::atomic<bool>& finished() noexcept { return shared_->finished; }

private:
  /// Chunks that are being filled, or wait to be packed and written: what a launch of a large
  /// program changes finds room, and the launch need not wait for that. Room that was never needed
  /// takes no memory; so many at most, where the machine has it.
  static constexpr std::size_t fewest_slots = 8; // 128 MiB
  static constexpr std::size_t most_slots = 48;  // 768 MiB

  struct state {
    std::atomic<std::uint64_t> file_end{0}; ///< behind the last chunk that is whole
    std::atomic<std::uint64_t> written{0};  ///< chunks in the file
    std::atomic<std::uint64_t> chunks{0};
    std::atomic<std::uint64_t> contents{0};
    std::atomic<std::uint64_t> events{0};
    std::atomic<int> error{0};
    std::atomic<bool> finished{false};
    std::size_t slots = 0; ///< of these
    std::array<slot, most_slots> room;

    [[nodiscard]] std::span<slot> all() noexcept { return std::span(room).first(slots); }
  };

  /// A chunk as it is to be in the file.
  struct packed {
    format::chunk_header header;
    std::vector<std::byte> room;
    std::span<const std::byte> payload;
  };

  void make_room();
  void begin_file();
  void go_on_behind();
  void start_workers();
  [[nodiscard]] bool start(void* (*run)(void*));
  void work();
  void prepare();
  static void pack(const slot& s, packed& to);
  void write(slot& s, const packed& chunk);
  std::uint64_t
  put(std::uint64_t to, std::span<const std::byte> first, std::span<const std::byte> second);
  [[nodiscard]] slot* next_queued();

  int file_ = -1;
  state* shared_ = nullptr;
  std::size_t mapped_ = 0; ///< bytes, of it and what chunks say
  std::mutex mutex_;
  std::condition_variable changed_;
  pid_t workers_of_ = 0; ///< the process in which they run
  bool stop_ = false;
  unsigned workers_ = 0;
  std::uint64_t expected_ = 0; ///< bytes of slots whose pages are to be there
  std::uint64_t prepared_ = 0; ///< … whose pages are
  pid_t prepares_in_ = 0;      ///< a thread of this process makes them; 0: none does
};

} // namespace tilesim::gpu
