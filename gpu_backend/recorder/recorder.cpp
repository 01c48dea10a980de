// What the recorder writes, and when.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/recorder.hpp"

#include "gpu_backend/recorder/page_diff.hpp"
#include "gpu_backend/recorder/real.hpp"
#include "gpu_backend/recorder/surroundings.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <xxhash.h>

namespace tilesim::gpu {

namespace {

thread_local int depth = 0;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

recorder& recorder::of_process() {
  static auto* const it = new recorder; // never destroyed: the program's own destructors call in
  return *it;
}

recorder::call::call()
    : outermost_(depth++ == 0) {
  static auto* const one = new std::recursive_mutex; // never destroyed, as the recorder
  lock_ = std::unique_lock(*one);
}

recorder::call::~call() {
  --depth;
}

recorder::recorder()
    : to_(recording_path(), appends()) {
  if (to_.failed() != 0) {
    std::fprintf(stderr,
                 "tilesim: error: %s: %s; set TILESIM_RECORD to a file that can be written\n",
                 recording_path().c_str(),
                 std::strerror(to_.failed()));
  }
}

void recorder::tell_machine() {
  if (std::exchange(machine_told_, true)) {
    return;
  }
  to_.add(machine_here());
  to_.add(run_event{run_number()});
  save_progress();
}

std::string recorder::symbol_of(const void* function_or_handle) const {
  const auto handle = handles_.find(function_or_handle);
  const auto kernel = kernels_.find(handle == handles_.end() ? function_or_handle : handle->second);
  return kernel == kernels_.end() ? std::string() : kernel->second;
}

// --- Memory

void recorder::allocated(memory_kind kind, const void* address, std::size_t bytes) {
  if (address == nullptr || bytes == 0) {
    return;
  }
  tell_machine();
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  memory& m = memories_[at];
  free_shadow(m);
  m = {};
  m.number = next_memory_++;
  m.kind = kind;
  m.address = at;
  m.bytes = bytes;
  to_.add(memory_event{.number = m.number,
                       .kind = kind,
                       .address = at,
                       .bytes = bytes,
                       .name = {},
                       .place = here()});
}

void recorder::frees(const void* address) {
  const auto m = memories_.find(reinterpret_cast<std::uintptr_t>(address));
  if (m == memories_.end()) {
    return;
  }
  if (first_pending_ != next_launch_ && captures_ == 0 && quiet(1)) {
    observe(); // while it is there
  }
  to_.add(freed_event{m->second.number});
  free_shadow(m->second);
  memories_.erase(m);
}

recorder::memory* recorder::holding(const void* address, std::size_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  auto it = memories_.upper_bound(at);
  if (it == memories_.begin()) {
    return nullptr;
  }
  memory& m = (--it)->second;
  return at - m.address <= m.bytes && bytes <= m.bytes - (at - m.address) ? &m : nullptr;
}

void recorder::find_variables() {
  if (std::exchange(variables_found_, true)) {
    return;
  }
  std::uint64_t number = memory_event::first_variable;
  for (const known_variable& v : variables_) {
    void* address = nullptr;
    if (cudaGetSymbolAddress(&address, v.host) != cudaSuccess || address == nullptr) {
      cudaGetLastError();
      continue;
    }
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    memory& m = memories_[at];
    m.number = number++;
    m.kind = memory_kind::variable;
    m.address = at;
    m.bytes = v.bytes;
    to_.add(memory_event{.number = m.number,
                         .kind = m.kind,
                         .address = at,
                         .bytes = v.bytes,
                         .name = v.name,
                         .place = {}});
  }
}

void recorder::written(const void* to, std::size_t bytes, const void* content, const char* by) {
  memory* const m = bytes == 0 ? nullptr : holding(to, bytes);
  if (m == nullptr || captures_ != 0) {
    return;
  }
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(to) - m->address;
  m->written.emplace_back(offset, offset + bytes);
  // Who can write there without a call is looked at before each launch.
  if (content != nullptr && !host_can_write(*m)) {
    to_.add(host_write_event{.memory = m->number,
                             .offset = offset,
                             .bytes = bytes,
                             .hash = XXH64(content, bytes, 0),
                             .by = by});
  } else if (!host_can_write(*m) && quiet(1)) {
    to_.add(host_write_event{.memory = m->number,
                             .offset = offset,
                             .bytes = bytes,
                             .hash = hash_of(m->address + offset, bytes),
                             .by = by});
  }
}

void recorder::copied_to_host(const void* to, const void* from, std::size_t bytes, const char* by) {
  memory* const m = bytes == 0 ? nullptr : holding(from, bytes);
  const memory* const target = holding(to, bytes);
  if (m == nullptr || captures_ != 0 || (target != nullptr && !host_can_write(*target))) {
    return; // none, or it stays on the device
  }
  copies_.push_back(
      {m->number, reinterpret_cast<std::uintptr_t>(from) - m->address, bytes, to, by, here()});
}

void recorder::tell_copies() {
  for (const pending_copy& c : std::exchange(copies_, {})) {
    to_.add(copy_event{.memory = c.memory,
                       .offset = c.offset,
                       .bytes = c.bytes,
                       .hash = XXH64(c.to, c.bytes, 0),
                       .by = c.by,
                       .place = c.place});
  }
}

// --- Launches

void recorder::launches(const std::string& symbol,
                        dim3 grid,
                        dim3 block,
                        std::size_t shared_bytes,
                        cudaStream_t stream,
                        const char* by) {
  tell_machine();
  launch_under_way_ = captures_ == 0;
  if (!launch_under_way_) {
    return; // a node of a graph, no launch yet
  }
  find_variables();
  if (first_pending_ == next_launch_) {
    settle_before_launch();
  } else {
    // What came into being since the pending launches began, none of them can see.
    for (auto& [address, m] : memories_) {
      if (!m.known) {
        get_to_know(m);
      }
    }
  }
  const auto [known, is_new] = streams_.try_emplace(stream, next_stream_);
  next_stream_ += is_new ? 1 : 0;
  one_stream_ = one_stream_ && streams_.size() == 1;
  launch_ = {.number = next_launch_,
             .symbol = symbol,
             .grid = {grid.x, grid.y, grid.z},
             .block = {block.x, block.y, block.z},
             .cluster = {},
             .shared_bytes = shared_bytes,
             .stream = known->second,
             .by = by,
             .place = here()};
}

void recorder::launched(cudaError_t error) {
  if (!std::exchange(launch_under_way_, false)) {
    return;
  }
  if (error != cudaSuccess) {
    return; // it is told by its error
  }
  to_.add(launch_);
  ++next_launch_;
  // With one stream nothing overlaps it: but the host may be what it waits for.
  if (one_stream_ && quiet(1)) {
    observe();
  }
}

void recorder::forgets(cudaStream_t stream) {
  // Its work goes on behind the call: what is pending is observed while it can be asked for.
  if (streams_.contains(stream)) {
    if (first_pending_ != next_launch_ && captures_ == 0 && quiet(1)) {
      observe();
    }
    streams_.erase(stream);
  }
}

void recorder::waited(double seconds) {
  if (captures_ != 0) {
    return;
  }
  if (first_pending_ != next_launch_ && quiet(seconds)) {
    observe();
  }
  if (first_pending_ == next_launch_) {
    tell_copies();
  }
}

bool recorder::quiet(double seconds) {
  const double end = now() + seconds;
  for (;;) {
    bool busy = false;
    for (const auto& [stream, number] : streams_) {
      busy = busy || cudaStreamQuery(stream) == cudaErrorNotReady;
    }
    if (!busy) {
      return true;
    }
    cudaGetLastError(); // "not ready" is no error of the program's
    if (now() > end) {
      return false;
    }
  }
}

void recorder::settle_before_launch() {
  if (!quiet(1)) {
    return;
  }
  for (auto& [address, m] : memories_) {
    if (!m.known) {
      get_to_know(m);
    } else if (host_can_write(m)) {
      take_changes(m, content_event::when::before);
    } else {
      take_written(m);
    }
  }
}

/// The first launch that may see it: what nobody has told of its content is recorded.
void recorder::get_to_know(memory& m) {
  m.known = true;
  if (!make_shadow(m)) {
    return;
  }
  if (host_can_write(m)) {
    m.written.clear();
  }
  std::sort(m.written.begin(), m.written.end());
  std::size_t at = 0;
  for (const auto& [begin, end] : m.written) {
    record(m, content_event::when::before, at, begin);
    at = std::max(at, end);
  }
  record(m, content_event::when::before, at, m.bytes);
  m.written.clear();
  copy_to_shadow(m, 0, m.bytes);
}

void recorder::take_written(memory& m) {
  for (const auto& [begin, end] : std::exchange(m.written, {})) {
    copy_to_shadow(m, begin, end - begin);
  }
}

void recorder::observe() {
  for (auto& [address, m] : memories_) {
    if (!m.known) {
      continue;
    }
    if (host_can_write(m)) {
      take_written(m); // a copy to the host is no change by a launch
    }
    take_changes(m, content_event::when::after);
  }
  to_.add(observed_event{.first = first_pending_, .last = next_launch_ - 1});
  first_pending_ = next_launch_;
  save_progress();
}

/// Whole pages: of each byte it is known what it was, here and in the simulator.
void recorder::take_changes(memory& m, content_event::when is) {
  const std::vector<std::uint8_t> changed = changed_pages(m);
  for (std::size_t page = 0; page < changed.size();) {
    if (changed[page] == 0) {
      ++page;
      continue;
    }
    std::size_t end = page;
    while (end < changed.size() && changed[end] != 0) {
      ++end;
    }
    const std::size_t from = page * page_bytes;
    const std::size_t to = std::min(end * page_bytes, m.bytes);
    record(m, is, from, to);
    copy_to_shadow(m, from, to - from);
    page = end;
  }
}

void recorder::record(const memory& m, content_event::when is, std::size_t begin, std::size_t end) {
  while (begin < end) {
    const std::size_t bytes = std::min(end - begin, std::size_t{format::most_content_bytes});
    to_.add(content_event{.is = is,
                          .memory = m.number,
                          .offset = begin,
                          .bytes = bytes,
                          .content = to_.keep(read(m.address + begin, bytes)),
                          .mask = {}});
    begin += bytes;
  }
}

// --- The device

bool recorder::make_shadow(memory& m) {
  if (own_ == nullptr && cudaStreamCreateWithFlags(&own_, cudaStreamNonBlocking) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  void* shadow = nullptr;
  if (__real_cudaMalloc(&shadow, m.bytes) == cudaSuccess) {
    m.shadow = static_cast<std::byte*>(shadow);
  } else {
    cudaGetLastError();
    m.host_shadow.resize(m.bytes);
  }
  return true;
}

void recorder::free_shadow(memory& m) {
  if (m.shadow != nullptr) {
    __real_cudaFree(std::exchange(m.shadow, nullptr));
  }
}

std::vector<std::uint8_t> recorder::changed_on_host(const memory& m) {
  std::vector<std::uint8_t> changed((m.bytes + page_bytes - 1) / page_bytes);
  for (std::size_t page = 0; page < changed.size(); ++page) {
    const std::size_t at = page * page_bytes;
    const std::size_t bytes = std::min(page_bytes, m.bytes - at);
    changed[page] = static_cast<std::uint8_t>(
        std::memcmp(read(m.address + at, bytes).data(), m.host_shadow.data() + at, bytes) != 0);
  }
  return changed;
}

bool recorder::make_room_for_flags(std::size_t pages) {
  constexpr std::size_t header = 256; // the count; flags are aligned
  if (flags_size_ >= pages) {
    return true;
  }
  __real_cudaFree(count_);
  void* room = nullptr;
  if (__real_cudaMalloc(&room, header + pages) != cudaSuccess) {
    cudaGetLastError();
    count_ = nullptr;
    flags_size_ = 0;
    return false;
  }
  count_ = static_cast<unsigned*>(room);
  flags_ = static_cast<std::uint8_t*>(room) + header;
  flags_size_ = pages;
  return true;
}

std::vector<std::uint8_t> recorder::changed_pages(const memory& m) {
  if (m.shadow == nullptr) {
    return changed_on_host(m);
  }
  std::vector<std::uint8_t> changed((m.bytes + page_bytes - 1) / page_bytes, 1);
  if (!make_room_for_flags(changed.size()) ||
      start_page_diff(
          reinterpret_cast<const void*>(m.address), m.shadow, m.bytes, flags_, count_, own_) != 0) {
    return changed; // all are looked at
  }
  unsigned count = 0;
  __real_cudaMemcpyAsync(&count, count_, sizeof(count), cudaMemcpyDeviceToHost, own_);
  __real_cudaStreamSynchronize(own_);
  if (count == 0) {
    return {};
  }
  __real_cudaMemcpyAsync(changed.data(), flags_, changed.size(), cudaMemcpyDeviceToHost, own_);
  __real_cudaStreamSynchronize(own_);
  return changed;
}

std::span<const std::byte> recorder::read(std::uintptr_t from, std::size_t bytes) {
  if (staging_ == nullptr && pageable_.empty()) {
    void* pinned = nullptr;
    if (__real_cudaMallocHost(&pinned, format::most_content_bytes) == cudaSuccess) {
      staging_ = static_cast<std::byte*>(pinned);
    } else {
      cudaGetLastError();
      pageable_.resize(format::most_content_bytes);
    }
  }
  std::byte* const to = staging_ != nullptr ? staging_ : pageable_.data();
  __real_cudaMemcpyAsync(to, reinterpret_cast<const void*>(from), bytes, cudaMemcpyDefault, own_);
  __real_cudaStreamSynchronize(own_);
  return {to, bytes};
}

std::uint64_t recorder::hash_of(std::uintptr_t from, std::size_t bytes) {
  XXH64_state_t state;
  XXH64_reset(&state, 0);
  for (std::size_t at = 0; at < bytes;) {
    const std::size_t piece = std::min(bytes - at, std::size_t{format::most_content_bytes});
    XXH64_update(&state, read(from + at, piece).data(), piece);
    at += piece;
  }
  return XXH64_digest(&state);
}

void recorder::copy_to_shadow(memory& m, std::size_t offset, std::size_t bytes) {
  void* const to = m.shadow != nullptr ? m.shadow + offset : m.host_shadow.data() + offset;
  __real_cudaMemcpyAsync(
      to, reinterpret_cast<const void*>(m.address + offset), bytes, cudaMemcpyDefault, own_);
  __real_cudaStreamSynchronize(own_);
}

// --- The end

void recorder::failed(const char* function, cudaError_t error) {
  tell_machine();
  to_.add(error_event{.function = function,
                      .code = static_cast<std::int64_t>(error),
                      .name = cudaGetErrorName(error)});
  to_.flush(); // it may be what ends the program
}

/// What is known is in the file soon: a program that is killed leaves it.
void recorder::save_progress() {
  if (const double t = now(); t - saved_ > 0.2) {
    to_.flush();
    saved_ = now();
  }
}

void recorder::ends(int status) {
  tell_machine();
  if (first_pending_ != next_launch_ && captures_ == 0 && quiet(1)) {
    observe();
  }
  tell_copies();
  to_.add(printed_event{take_output()});
  to_.add(end_event{.by_signal = false, .status = status});
  to_.finish();
  if (to_.failed() != 0) {
    std::fprintf(stderr,
                 "tilesim: error: %s: %s; the recording is not complete\n",
                 recording_path().c_str(),
                 std::strerror(to_.failed()));
  }
}

} // namespace tilesim::gpu
