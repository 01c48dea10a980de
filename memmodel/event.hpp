// Events: what a thread does to memory, in the vocabulary of the PTX memory consistency model.
//
// An instruction that touches several elements (a tile operation, a vector access) is several
// events that share `instruction` and differ in `element`; an atomic is a read and a write that
// share both.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tilesim::memmodel {

using event_id = std::uint32_t;
using thread_id = std::uint32_t;

/// Who performs the initial writes: no thread does.
inline constexpr thread_id no_thread = ~thread_id{0};

/// No event: the source of a byte that has not been chosen yet.
inline constexpr event_id no_event = ~event_id{0};

enum class event_kind : std::uint8_t {
  read,
  write,
  fence,
  barrier, ///< one thread's part in one completion of an execution barrier
};

/// PTX's `.sem`. A weak operation is the only one that is not strong.  [PTX: operation types]
enum class memory_order : std::uint8_t { weak, relaxed, acquire, release, acq_rel, sc };

/// The orders of an atomic operation's halves: a read releases nothing, a write acquires nothing.
[[nodiscard]] constexpr memory_order read_half(memory_order o) noexcept {
  return o == memory_order::release   ? memory_order::relaxed
         : o == memory_order::acq_rel ? memory_order::acquire
                                      : o;
}
[[nodiscard]] constexpr memory_order write_half(memory_order o) noexcept {
  return o == memory_order::acquire   ? memory_order::relaxed
         : o == memory_order::acq_rel ? memory_order::release
                                      : o;
}

/// PTX's `.scope`, from narrow to wide.  [PTX: scope]
enum class scope : std::uint8_t { cta, cluster, gpu, sys };

/// The only proxy that is modelled; the field exists so that the omission shows.  [PTX: proxies]
enum class proxy : std::uint8_t { generic };

/// A physical range of bytes.  [PTX: memory operations, overlap]
struct byte_range {
  std::uint64_t address = 0;
  std::uint32_t size = 0; ///< bytes, 1 to 8: the model's scalar limit

  [[nodiscard]] constexpr std::uint64_t end() const noexcept { return address + size; }
  friend constexpr bool operator==(const byte_range&, const byte_range&) = default;
};

[[nodiscard]] constexpr bool overlap(const byte_range& a, const byte_range& b) noexcept {
  return a.address < b.end() && b.address < a.end();
}

/// Where a thread runs: a path in the scope tree system > gpu > cluster > cta > thread.
struct place {
  static constexpr std::int32_t host = -1;

  std::int32_t gpu = 0;     ///< `host`: the thread runs on no device
  std::int32_t cluster = 0; ///< within its gpu
  std::int32_t cta = 0;     ///< within its gpu and cluster

  friend constexpr bool operator==(const place&, const place&) = default;
};

/// Whether an operation at `x` with scope `s` names a set of threads that holds the one at `y`.
/// On the host every scope narrower than the system's holds the host's threads.  [PTX: scope]
[[nodiscard]] constexpr bool includes(scope s, const place& x, const place& y) noexcept {
  switch (s) {
  case scope::cta:
    return x == y;
  case scope::cluster:
    return x.gpu == y.gpu && x.cluster == y.cluster;
  case scope::gpu:
    return x.gpu == y.gpu;
  case scope::sys:
    return true;
  }
  return false;
}

/// Instructions of a thread, by their positions, in order.
using instruction_set = std::vector<std::uint32_t>;

struct event {
  thread_id thread = no_thread;
  std::uint32_t instruction = 0; ///< position in its thread's execution
  /// Earlier positions that it does not come behind in program order, where that is partial. They
  /// are its owner's, and outlive it; nullptr: there are none.  [Tile IR: memory model, tokens]
  const instruction_set* beside = nullptr;
  std::uint32_t element = 0; ///< which element of the instruction
  event_kind kind = event_kind::read;
  memory_order order = memory_order::weak;
  memmodel::scope scope = scope::cta;
  memmodel::proxy proxy = proxy::generic;
  byte_range bytes;        ///< reads and writes
  std::uint64_t value = 0; ///< what was read or written: the low bytes.size bytes

  /// The read half of a reduction (`red`), which starts no acquire pattern.  [PTX: 8.11.1]
  bool reduction = false;

  // Barriers.
  std::uint32_t instance =
      0;              ///< which completion of which barrier; 0: none, the barrier never completed
  bool waits = false; ///< sync and red do; arrive does not
  bool late =
      false; ///< came when the instance was complete: follows it, and nothing follows from it

  /// Whether it comes behind that instruction of its own thread in program order.
  [[nodiscard]] constexpr bool behind(std::uint32_t other) const noexcept {
    return other < instruction &&
           (beside == nullptr || !std::binary_search(beside->begin(), beside->end(), other));
  }

  [[nodiscard]] constexpr bool initial() const noexcept { return thread == no_thread; }
  [[nodiscard]] constexpr bool is_read() const noexcept { return kind == event_kind::read; }
  [[nodiscard]] constexpr bool is_write() const noexcept { return kind == event_kind::write; }
  [[nodiscard]] constexpr bool is_memory() const noexcept { return is_read() || is_write(); }
  [[nodiscard]] constexpr bool is_fence() const noexcept { return kind == event_kind::fence; }
  [[nodiscard]] constexpr bool is_sc_fence() const noexcept {
    return is_fence() && order == memory_order::sc;
  }

  /// [PTX: strong operation] Every fence; every memory operation that is not weak. Initial writes
  /// are not.
  [[nodiscard]] constexpr bool strong() const noexcept {
    return is_fence() || (is_memory() && order != memory_order::weak);
  }
  /// A fence.sc is also a release and an acquire fence: the mapping of seq_cst operations needs it.
  [[nodiscard]] constexpr bool releases() const noexcept {
    return order == memory_order::release || order == memory_order::acq_rel ||
           order == memory_order::sc;
  }
  [[nodiscard]] constexpr bool acquires() const noexcept {
    return order == memory_order::acquire || order == memory_order::acq_rel ||
           order == memory_order::sc;
  }
};

} // namespace tilesim::memmodel
