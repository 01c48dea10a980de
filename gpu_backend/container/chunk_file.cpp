// Packing and writing chunks.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/container/chunk_file.hpp"

#include "gpu_backend/container/whole_write.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <pthread.h>
#include <span>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <xxhash.h>
#include <zstd.h>

namespace tilesim::gpu {

namespace {

constexpr unsigned most_workers = 6;
/// Of less than this a thread is not worth its start.
constexpr std::uint64_t small_chunk = std::uint64_t{256} << 10U;
constexpr int level = 1; // what keeps up with the device
/// Little, for whoever maps memory meanwhile waits for it.
constexpr std::uint64_t prepared_at_once = std::uint64_t{2} << 20U;
static_assert(format::most_chunk_bytes % prepared_at_once == 0);

std::uint64_t page_of(std::uint64_t bytes) {
  constexpr std::uint64_t page = 4096;
  return (bytes + page - 1) / page * page;
}

/// What a file of the system's says; all there can be, where there is none, or no number.
std::uint64_t limit_in(const char* path) {
  std::array<char, 32> text{};
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    static_cast<void>(!::read(file, text.data(), text.size() - 1));
    ::close(file);
  }
  const std::uint64_t number = std::strtoull(text.data(), nullptr, 10);
  return number == 0 ? UINT64_MAX : number;
}

/// A sixteenth of the memory that the program may have.
std::size_t slots_that_fit() {
  const auto pages = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  const std::uint64_t bytes = std::min({pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)),
                                        limit_in("/sys/fs/cgroup/memory.max"),
                                        limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
  return bytes / 16 / format::most_chunk_bytes;
}

/// Who recorded the run before may not have ended: a program's death is noticed a little later.
void wait_for_lock(int file) {
  for (int i = 0; i < 1000 && flock(file, LOCK_EX | LOCK_NB) != 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

} // namespace

chunk_file::chunk_file(const std::string& path, bool append)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  make_room();
  if (file_ < 0 || mapped_ == 0) {
    shared_->error = errno;
    return;
  }
  wait_for_lock(file_);
  if (append) {
    go_on_behind();
  } else if (ftruncate(file_, 0) != 0 && errno != EINVAL) { // /dev/null has no length
    shared_->error = errno;
  }
  if (shared_->chunks == 0 && shared_->error == 0) {
    begin_file();
  }
}

chunk_file::~chunk_file() {
  wait();
  {
    std::unique_lock lock(mutex_);
    stop_ = true;
    changed_.notify_all();
    const pid_t here = getpid();
    changed_.wait(lock, [this, here] {
      return (workers_ == 0 || workers_of_ != here) && prepares_in_ != here;
    });
  }
  if (file_ >= 0) {
    ::close(file_);
  }
  if (mapped_ != 0) {
    munmap(shared_, mapped_);
  }
}

/// Who forbids so much address space gets by with less.
void chunk_file::make_room() {
  const std::uint64_t head = page_of(sizeof(state));
  void* room = MAP_FAILED;
  std::size_t slots = std::clamp(slots_that_fit(), fewest_slots, most_slots);
  for (;; slots = fewest_slots) {
    mapped_ = head + (slots * format::most_chunk_bytes);
    room = mmap(nullptr,
                mapped_,
                PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
                -1,
                0);
    if (room != MAP_FAILED || slots == fewest_slots) {
      break;
    }
  }
  if (room == MAP_FAILED) {
    mapped_ = 0;
    shared_ = new state;
    return;
  }
  shared_ = new (room) state;
  shared_->slots = slots;
  auto* data = static_cast<std::byte*>(room) + head;
  for (slot& s : shared_->all()) {
    s.data = std::exchange(data, data + format::most_chunk_bytes);
  }
}

void chunk_file::begin_file() {
  std::array<std::byte, format::file_header_bytes> header{};
  std::memcpy(header.data(), format::magic.data(), format::magic.size());
  std::memcpy(header.data() + format::magic.size(), &format::version, sizeof(format::version));
  shared_->file_end = put(0, std::as_bytes(std::span(header)), {});
}

/// Counts the chunks that are there: their numbers are the seeds of checksums.
void chunk_file::go_on_behind() {
  struct stat is {};
  if (fstat(file_, &is) != 0) {
    shared_->error = errno;
    return;
  }
  const auto size = static_cast<std::uint64_t>(is.st_size);
  std::uint64_t at = size == 0 ? 0 : format::file_header_bytes;
  format::chunk_header h;
  while (at + sizeof(h) <= size &&
         pread(file_, &h, sizeof(h), static_cast<off_t>(at)) == static_cast<ssize_t>(sizeof(h))) {
    ++shared_->chunks;
    shared_->contents +=
        h.kind == static_cast<std::uint32_t>(format::chunk_kind::contents) ? 1U : 0U;
    at += sizeof(h) + h.packed;
  }
  if (at != size) {
    shared_->error = EINVAL; // it is not complete: nothing can stand behind it
  }
  shared_->written = shared_->chunks.load();
  shared_->file_end = at;
}

int chunk_file::failed() const noexcept {
  return shared_->error;
}

// --- Chunks

chunk_file::slot* chunk_file::open(format::chunk_kind kind) {
  std::unique_lock lock(mutex_);
  slot* found = nullptr;
  changed_.wait(lock, [&] {
    const auto all = shared_->all(); // the first: memory that has been touched already
    const auto free =
        std::ranges::find_if(all, [](const slot& s) { return s.is == slot::state::free; });
    found = free == all.end() ? nullptr : &*free;
    return found != nullptr;
  });
  found->filled = 0;
  found->kind = kind;
  found->is = slot::state::open;
  return found;
}

void chunk_file::close(slot* s) {
  std::unique_lock lock(mutex_);
  s->number = shared_->chunks.load();
  s->is = slot::state::queued;
  ++shared_->chunks;
  shared_->contents += s->kind == format::chunk_kind::contents ? 1U : 0U;
  const bool alone = shared_->written == s->number.load();
  if (!alone || s->filled >= small_chunk) {
    start_workers();
  }
  if (workers_ == 0 || (alone && s->filled < small_chunk)) {
    s->is = slot::state::packing;
    lock.unlock();
    packed chunk;
    pack(*s, chunk);
    write(*s, chunk);
    return;
  }
  changed_.notify_all();
}

void chunk_file::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return shared_->written == shared_->chunks; });
}

void chunk_file::take_over() {
  // What had no whole chunk in the file is written again.
  if (file_ < 0 || ftruncate(file_, static_cast<off_t>(shared_->file_end.load())) != 0) {
    return;
  }
  workers_ = most_workers; // none of this process's, and none is to be started
  std::vector<slot*> left;
  std::vector<slot*> open;
  for (slot& s : shared_->all()) {
    const auto is = s.is.load();
    if ((is == slot::state::queued || is == slot::state::packing) && s.number >= shared_->written) {
      left.push_back(&s);
    } else if (is == slot::state::open && s.filled != 0) {
      open.push_back(&s);
    }
  }
  std::ranges::sort(left, {}, [](const slot* s) { return s->number.load(); });
  std::ranges::sort(
      open, {}, [](const slot* s) { return s->kind != format::chunk_kind::contents; });
  for (slot* const s : open) {
    s->number = shared_->chunks++;
    left.push_back(s);
  }
  for (slot* const s : left) {
    packed chunk;
    pack(*s, chunk);
    write(*s, chunk);
  }
}

// --- Threads

void chunk_file::start_workers() {
  const pid_t here = getpid();
  if (workers_ != 0 || (workers_of_ != 0 && workers_of_ != here)) {
    return;
  }
  workers_of_ = here;
  const unsigned processors = std::max(2U, std::thread::hardware_concurrency());
  for (unsigned i = 0; i < std::min(most_workers, processors - 1); ++i) {
    const auto run = [](void* self) -> void* {
      static_cast<chunk_file*>(self)->work();
      return nullptr;
    };
    workers_ += start(run) ? 1U : 0U;
  }
}

bool chunk_file::start(void* (*run)(void*)) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); // signals are the program's
  pthread_t thread{};
  const bool runs = pthread_create(&thread, nullptr, run, this) == 0;
  if (runs) {
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return runs;
}

void chunk_file::expect(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  expected_ = std::max(expected_, std::min(bytes, shared_->slots * format::most_chunk_bytes));
  if (prepares_in_ == 0 && prepared_ + prepared_at_once <= expected_) {
    prepares_in_ = getpid();
    const auto run = [](void* self) -> void* {
      static_cast<chunk_file*>(self)->prepare();
      return nullptr;
    };
    if (!start(run)) {
      prepares_in_ = 0;
    }
  }
}

/// From the first slot on, as they are taken. Where the system cannot they are made when they are
/// filled.
void chunk_file::prepare() {
  constexpr int populate_write = 23; // MADV_POPULATE_WRITE, since Linux 5.14
  std::unique_lock lock(mutex_);
  while (!stop_ && prepared_ + prepared_at_once <= expected_) {
    std::byte* const at = shared_->room.front().data + prepared_;
    lock.unlock();
    const bool made = madvise(at, prepared_at_once, populate_write) == 0;
    lock.lock();
    prepared_ = made ? prepared_ + prepared_at_once : mapped_; // never again
  }
  prepares_in_ = 0;
  changed_.notify_all();
}

chunk_file::slot* chunk_file::next_queued() {
  slot* first = nullptr;
  for (slot& s : shared_->all()) {
    if (s.is == slot::state::queued && (first == nullptr || s.number < first->number)) {
      first = &s;
    }
  }
  return first;
}

void chunk_file::work() {
  std::unique_lock lock(mutex_);
  packed chunk;
  for (;;) {
    slot* mine = nullptr;
    changed_.wait(lock, [&] {
      mine = next_queued();
      return stop_ || mine != nullptr;
    });
    if (mine == nullptr) {
      --workers_;
      changed_.notify_all();
      return;
    }
    mine->is = slot::state::packing;
    lock.unlock();
    pack(*mine, chunk);
    lock.lock();
    changed_.wait(lock, [&] { return shared_->written == mine->number.load(); });
    lock.unlock();
    write(*mine, chunk);
    lock.lock();
  }
}

void chunk_file::pack(const slot& s, packed& to) {
  const std::span<const std::byte> bytes(s.data, s.filled);
  to.room.resize(ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compress(to.room.data(), to.room.size(), bytes.data(), bytes.size(), level);
  const bool is_packed = ZSTD_isError(size) == 0 && size < bytes.size();
  to.payload = is_packed ? std::span<const std::byte>(to.room).first(size) : bytes;
  to.header = {.kind = static_cast<std::uint32_t>(s.kind),
               .packed_by = static_cast<std::uint32_t>(is_packed ? format::packing::zstd
                                                                 : format::packing::stored),
               .bytes = bytes.size(),
               .packed = to.payload.size()};
  XXH64_state_t sum;
  XXH64_reset(&sum, s.number);
  XXH64_update(&sum, &to.header, format::checked_header_bytes);
  XXH64_update(&sum, to.payload.data(), to.payload.size());
  to.header.checksum = XXH64_digest(&sum);
}

/// It has its turn; the slot is free then.
void chunk_file::write(slot& s, const packed& chunk) {
  const std::uint64_t end =
      put(shared_->file_end, std::as_bytes(std::span(&chunk.header, 1)), chunk.payload);
  if (shared_->error == 0) {
    shared_->file_end = end;
  }
  const std::lock_guard lock(mutex_);
  s.is = slot::state::free;
  ++shared_->written;
  changed_.notify_all();
}

/// Gives where it ends. Both in one call, as far as the system takes them: whoever ends the process
/// meanwhile leaves no header without what it is of.
std::uint64_t chunk_file::put(std::uint64_t to,
                              std::span<const std::byte> first,
                              std::span<const std::byte> second) {
  if (shared_->error != 0) {
    return to;
  }
  const std::size_t all = first.size() + second.size();
  const auto part = [](std::span<const std::byte> of, std::size_t done) {
    return iovec{const_cast<std::byte*>(of.data()) + done, of.size() - done};
  };
  const int error = write_parts(first.data(), all, [&](const char* /*at*/, std::size_t left) {
    const std::size_t done = all - left;
    const std::size_t of_first = std::min(done, first.size());
    const std::array parts{part(first, of_first), part(second, done - of_first)};
    return ::pwritev(
        file_, parts.data(), static_cast<int>(parts.size()), static_cast<off_t>(to + done));
  });
  if (error != 0) {
    shared_->error = error;
    return to;
  }
  return to + all;
}

} // namespace tilesim::gpu
