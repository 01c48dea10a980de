// Memory, streams and their threads.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu/fake_runtime/device.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <utility>

namespace fake {

namespace {

constexpr std::size_t arena_bytes = std::size_t{8} << 30U;
constexpr std::size_t alignment = 256;
constexpr std::size_t page = 4096;

std::size_t rounded(std::size_t bytes, std::size_t to) {
  return (bytes + to - 1) / to * to;
}

void* pages(std::size_t bytes, int protection) {
  void* const at =
      mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? nullptr : at;
}

} // namespace

device& device::one() {
  static auto* const it = new device;
  return *it;
}

device::device()
    : arena_(static_cast<std::byte*>(pages(arena_bytes, PROT_NONE))) {
  // FAKE_CUDA_MEMORY: how much of it there is, in bytes.
  const char* const most = std::getenv("FAKE_CUDA_MEMORY");
  most_ = most == nullptr ? arena_bytes : std::strtoull(most, nullptr, 10);
}

void* device::allocate(memory kind, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (kind != memory::device) {
    void* const at = pages(rounded(bytes, page), PROT_READ | PROT_WRITE);
    if (at != nullptr) {
      blocks_[static_cast<std::byte*>(at)] = {.kind = kind, .bytes = bytes, .live = true};
    }
    return at;
  }
  const std::size_t size = rounded(bytes, alignment);
  if (size > most_ || live_bytes_ > most_ - size) {
    return nullptr;
  }
  live_bytes_ += size;
  for (auto& [at, b] : blocks_) {
    if (b.kind == memory::device && !b.live && rounded(b.bytes, alignment) == size) {
      b = {.kind = kind, .bytes = bytes, .live = true};
      return const_cast<std::byte*>(at);
    }
  }
  if (used_ + size > arena_bytes) {
    return nullptr;
  }
  std::byte* const at = arena_ + used_;
  used_ += size;
  blocks_[at] = {.kind = kind, .bytes = bytes, .live = true};
  open_memory();
  std::memset(at, 0xcd, size); // of what nobody has written
  close_memory();
  return at;
}

void device::note_registered(void* at, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  blocks_[static_cast<std::byte*>(at)] = {.kind = memory::registered, .bytes = bytes, .live = true};
}

bool device::free(void* at) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(static_cast<std::byte*>(at));
  if (found == blocks_.end() || !found->second.live) {
    return false;
  }
  block& b = found->second;
  b.live = false;
  if (b.kind == memory::device) {
    live_bytes_ -= rounded(b.bytes, alignment);
    open_memory();
    std::memset(at, 0xdd, rounded(b.bytes, alignment)); // who still reads it is to notice
    close_memory();
    return true;
  }
  if (b.kind != memory::registered) {
    munmap(at, rounded(b.bytes, page));
  }
  blocks_.erase(found);
  return true;
}

const memory* device::kind_of(const void* at) {
  const std::lock_guard lock(mutex_);
  const auto* const byte = static_cast<const std::byte*>(at);
  auto found = blocks_.upper_bound(byte);
  if (found == blocks_.begin()) {
    return nullptr;
  }
  --found;
  const block& b = found->second;
  return b.live && byte < found->first + b.bytes ? &b.kind : nullptr;
}

// Both with the lock held.
void device::open_memory() {
  if (open_++ == 0) {
    mprotect(arena_, rounded(used_, page), PROT_READ | PROT_WRITE);
  }
}

void device::close_memory() {
  if (--open_ == 0) {
    mprotect(arena_, rounded(used_, page), PROT_NONE);
  }
}

void device::as_device(const std::function<void()>& work) {
  {
    const std::lock_guard lock(mutex_);
    open_memory();
  }
  bool ok = true;
  try {
    work();
  } catch (const illegal_access&) {
    ok = false;
  }
  const std::lock_guard lock(mutex_);
  faulted_ = faulted_ || !ok;
  close_memory();
}

bool device::faulted() {
  const std::lock_guard lock(mutex_);
  return faulted_;
}

stream* device::make_stream(bool blocking) {
  const std::lock_guard lock(mutex_);
  streams_.push_back(std::make_unique<stream>());
  streams_.back()->blocking = blocking;
  return streams_.back().get();
}

stream& device::of_this_thread() {
  thread_local stream* mine = nullptr;
  if (mine == nullptr) {
    mine = make_stream(true);
  }
  return *mine;
}

bool device::is_stream(const stream* s) {
  const std::lock_guard lock(mutex_);
  return s == &legacy_ ||
         std::ranges::any_of(streams_, [s](const auto& known) { return known.get() == s; });
}

void device::destroy_stream(stream* s) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find_if(streams_, [s](const auto& known) { return known.get() == s; });
  destroyed_.push_back(std::move(*found));
  streams_.erase(found);
}

operation_ptr device::put(stream& s, std::function<void()> work, std::vector<operation_ptr> after) {
  const std::lock_guard lock(mutex_);
  auto op = std::make_shared<operation>();
  op->work = std::move(work);
  op->after = std::move(after);
  if (&s == &legacy_) { // behind all blocking streams, and they behind it
    for (const auto& other : streams_) {
      if (other->blocking && other->last != nullptr) {
        op->after.push_back(other->last);
      }
    }
  } else if (s.blocking && legacy_.last != nullptr) {
    op->after.push_back(legacy_.last);
  }
  s.queue.push_back(op);
  s.last = op;
  if (!s.worker.joinable()) {
    s.worker = std::thread([this, &s] { serve(s); });
  }
  changed_.notify_all();
  return op;
}

void device::serve(stream& s) {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&s] {
      return !s.queue.empty() &&
             std::ranges::all_of(s.queue.front()->after, [](const auto& op) { return op->done; });
    });
    const operation_ptr op = s.queue.front();
    if (!faulted_) {
      lock.unlock();
      as_device(op->work);
      lock.lock();
    }
    s.queue.pop_front();
    op->done = true;
    op->work = nullptr;
    op->after.clear();
    changed_.notify_all();
  }
}

bool device::idle(const operation_ptr& op) {
  const std::lock_guard lock(mutex_);
  return op == nullptr || op->done;
}

operation_ptr device::last_of(stream& s) {
  const std::lock_guard lock(mutex_);
  return s.last;
}

void device::wait(const operation_ptr& op) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&op] { return op == nullptr || op->done; });
}

void device::wait_for_all() {
  std::unique_lock lock(mutex_);
  const auto quiet = [](const auto& s) { return s->last == nullptr || s->last->done; };
  changed_.wait(lock, [&] {
    return (legacy_.last == nullptr || legacy_.last->done) &&
           std::ranges::all_of(streams_, quiet) && std::ranges::all_of(destroyed_, quiet);
  });
}

void device::reset() {
  const std::lock_guard lock(mutex_);
  for (auto& [at, b] : blocks_) {
    b.live = false;
  }
  live_bytes_ = 0;
  faulted_ = false;
  for (auto& s : streams_) {
    destroyed_.push_back(std::move(s));
  }
  streams_.clear();
}

bool device::any_capture() {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(streams_, [](const auto& s) { return s->capture != nullptr; });
}

void device::break_captures() {
  const std::lock_guard lock(mutex_);
  for (const auto& s : streams_) {
    s->capture_is_broken = s->capture_is_broken || s->capture != nullptr;
  }
}

} // namespace fake
