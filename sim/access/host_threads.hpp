// Accesses by threads of the host other than the one that uses the runtime.
//
// Nobody says how such a thread is ordered with the others, so all of them count as one: the host.
// What they access is kept here and told to the engine by the thread that uses the runtime, before
// anything that the host has not known or done so far comes to be known or done. A thread that may
// have been ordered with a kernel by other means than the runtime's (a flag in memory, a host
// function that wakes it up) is beyond that: from then on the others' accesses are not judged. What
// they have acquired the host has, as others may go on from there.
//
// Where several threads use the runtime, all of their accesses are kept like that.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace tilesim::sim {

class context;

/// A weak access of consecutive bytes by code of the host, or an atomic one that reads.
struct host_access {
  const void* site = nullptr;
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  bool reads = false;
  bool writes = false;
  bool acquires = false; ///< atomic: what it has read of a kernel's releases, the host knows
};

class other_threads {
public:
  /// `polled`: host code has read the same value at an address twice, at `site`, as who waits for a
  /// kernel does; what has been launched is to go on.
  explicit other_threads(void (*polled)(const void* site) = [](const void*) {}) noexcept
      : host_polls(polled) {}

  void (*const host_polls)(const void* site);

  /// Another thread is about to access memory. Consecutive accesses become one.
  void accesses(const host_access& a);

  /// Another thread may be ordered with kernels in ways that nobody sees.
  void lose_order() noexcept { order_lost_ = true; }
  [[nodiscard]] bool order_lost() const noexcept { return order_lost_; }

  /// The thread that uses the runtime is about to judge an access of its own, without the runtime's
  /// lock. False if it is not the only one that uses it: then its accesses are told as those of the
  /// others. Else end_alone() follows.
  [[nodiscard]] bool begin_alone() noexcept {
    alone_ = true;
    if (!several_) {
      return true;
    }
    alone_ = false;
    return false;
  }
  void end_alone() noexcept { alone_ = false; }
  /// Another thread has begun to use the runtime: waits for what the one before judges alone.
  void another_uses_runtime() noexcept;

  /// Whether there is something to take.
  [[nodiscard]] bool waiting() const noexcept { return waiting_.load(std::memory_order_acquire); }
  /// What has been accessed since the last time, in order.
  [[nodiscard]] std::vector<host_access> take();

private:
  std::mutex mutex_;
  std::vector<host_access> accesses_;
  std::atomic<bool> waiting_ = false;
  std::atomic<bool> order_lost_ = false;
  std::atomic<bool> several_ = false;
  std::atomic<bool> alone_ = false;
};

/// Code of a stream's host function releases something that is no kernel's (a mutex, an atomic
/// variable): whoever acquires may know from it how far the stream has come.
void host_releases();
/// The thread that uses the runtime acquires: it is taken to know what host functions have
/// released.
void host_acquires();

/// What the host does next comes after what it did, and is told from it.
void host_goes_on(context& c);

/// Tells the engine what other threads have accessed, as done by the host now. Called by the thread
/// that uses the runtime, before the host's place in the order of work changes.
void judge_other_threads(context& c);
/// The calling thread has the runtime's lock, and another may have had it before: the same, and the
/// host's work is this one's from now on.
void this_thread_uses_runtime(context& c);

} // namespace tilesim::sim
