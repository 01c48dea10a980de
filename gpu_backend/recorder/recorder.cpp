// What the recorder writes, and when.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/recorder.hpp"

#include "gpu_backend/recorder/about.hpp"
#include "gpu_backend/recorder/call.hpp"
#include "gpu_backend/recorder/real.hpp"
#include "gpu_backend/recorder/surroundings.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>
#include <xxhash.h>

namespace tilesim::gpu {

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

recorder& recorder::of_process() {
  static auto* const it = new recorder; // never destroyed: the program's own destructors call in
  return *it;
}

recorder::recorder()
    : to_(recording_path(), run_number() != 0) {
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
  const auto tell_text = [this](std::string_view text, auto piecewise) {
    for (std::size_t at = 0; at < text.size(); at += format::most_content_bytes) {
      const auto piece =
          std::as_bytes(std::span(text))
              .subspan(at, std::min(text.size() - at, std::size_t{format::most_content_bytes}));
      piecewise.content = to_.keep(piece);
      piecewise.bytes = piece.size();
      to_.add(piecewise);
    }
  };
  tell_text(lines_of_program(), lines_event{});
  tell_text(about::sums, sums_event{});
  to_.add(run_event{run_number()});
  // Before what the runtime has registered so far: then it still answers.
  std::atexit([] { recorder::of_process().looks_once_more(); });
}

const void* recorder::function_of(const void* function_or_handle) const {
  const auto handle = handles_.find(function_or_handle);
  return handle == handles_.end() ? function_or_handle : handle->second;
}

std::string recorder::symbol_of(const void* function_or_handle) const {
  const auto kernel = kernels_.find(function_of(function_or_handle));
  return kernel == kernels_.end() ? std::string() : kernel->second;
}

// Parameters are asked for until there is none; whoever has no answer tells nothing.
arguments_event recorder::passed(const void* function_or_handle, void** arguments) {
  arguments_event e;
  if (function_or_handle == nullptr || arguments == nullptr) {
    return e;
  }
  const void* const function = function_of(function_or_handle);
  const auto [known, added] = parameters_.try_emplace(function);
  if (added) {
    std::size_t offset = 0;
    std::size_t bytes = 0;
    for (std::size_t i = 0; cudaFuncGetParamInfo(function, i, &offset, &bytes) == cudaSuccess;
         ++i) {
      known->second.push_back(bytes);
    }
    static_cast<void>(__real_cudaGetLastError());
  }
  e.sizes = known->second;
  for (std::size_t i = 0; i < e.sizes.size(); ++i) {
    e.bytes.append(static_cast<const char*>(arguments[i]), e.sizes[i]);
  }
  return e;
}

// --- Memory

void recorder::allocated(memory_kind kind, const void* address, std::size_t bytes) {
  if (address == nullptr || bytes == 0) {
    return;
  }
  tell_machine();
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  memory& m = memories_[at];
  shadows::drop(m);
  live_bytes_ += bytes - m.bytes; // one that has been there is gone
  m = {};
  m.number = next_memory_++;
  m.kind = kind;
  m.host_writes = kind != memory_kind::device;
  m.address = at;
  m.bytes = bytes;
  to_.expect(live_bytes_); // a launch may change all of it
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
  waited(1); // while it is there
  to_.add(freed_event{m->second.number});
  if (!activity_.captures()) {
    shadows::drop(m->second);
  }
  live_bytes_ -= m->second.bytes;
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

/// Those whose modules have been loaded; a managed one has no address before.
void recorder::find_variables() {
  for (known_variable& v : variables_) {
    if (variables_found_ == variables_.size()) {
      return;
    }
    if (v.address != nullptr) {
      continue;
    }
    void* address = nullptr;
    if (v.is_managed) {
      address = *static_cast<void* const*>(v.host);
    } else if (cudaGetSymbolAddress(&address, v.host) != cudaSuccess) {
      address = nullptr;
    }
    if (address == nullptr) {
      continue;
    }
    ++variables_found_;
    v.address = address;
    v.number = next_variable_++;
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    memory& m = memories_[at];
    m.number = v.number;
    m.kind = memory_kind::variable;
    m.host_writes = v.is_managed;
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

const void* recorder::place_of_variable(const void* symbol) {
  tell_machine();
  find_variables();
  const auto found = std::ranges::find_if(variables_, [symbol](const known_variable& v) {
    return v.host == symbol || (v.is_managed && v.address == symbol);
  });
  return found == variables_.end() ? nullptr : found->address;
}

void recorder::written(const void* to, std::size_t bytes, const void* content, const char* by) {
  memory* const m = bytes == 0 ? nullptr : holding(to, bytes);
  if (m == nullptr || activity_.captures()) {
    return;
  }
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(to) - m->address;
  m->written.emplace_back(offset, offset + bytes);
  // Who can write there without a call is looked at before each launch.
  if (m->host_writes || (content == nullptr && !activity_.quiet(1))) {
    return;
  }
  to_.add(host_write_event{.memory = m->number,
                           .offset = offset,
                           .bytes = bytes,
                           .hash = content != nullptr
                                       ? XXH64(content, bytes, 0)
                                       : shadows_.hash_of(m->address + offset, bytes),
                           .by = by});
}

void recorder::copied_to_host(const void* to,
                              const void* from,
                              std::size_t bytes,
                              const stream_key& stream,
                              bool waited,
                              const char* by) {
  memory* const m = bytes == 0 ? nullptr : holding(from, bytes);
  const memory* const target = holding(to, bytes);
  if (m == nullptr || activity_.captures() || (target != nullptr && !target->host_writes)) {
    return; // none, or it stays on the device
  }
  copy_event what{.memory = m->number,
                  .offset = reinterpret_cast<std::uintptr_t>(from) - m->address,
                  .bytes = bytes,
                  .hash = 0,
                  .by = by,
                  .place = here()};
  if (waited) {
    what.hash = XXH64(to, bytes, 0);
    to_.add(what);
  } else {
    copies_.push_back({.what = std::move(what), .to = to, .made = activity_.mark(stream)});
  }
}

void recorder::tell_copies() {
  std::erase_if(copies_, [this](pending_copy& c) {
    if (!activity_.passed(c.made)) {
      return false;
    }
    c.what.hash = XXH64(c.to, c.what.bytes, 0);
    to_.add(c.what);
    return true;
  });
}

// --- Launches

bool recorder::launches(launch_event& launch, const stream_key& stream) {
  tell_machine();
  if (activity_.is_captured(stream)) {
    return false;
  }
  if (!activity_.captures()) {
    find_variables();
    if (!is_pending()) {
      settle_before_launch();
    } else {
      // What came into being since the pending launches began, none of them can see.
      for (auto& [address, m] : memories_) {
        if (!m.known) {
          get_to_know(m);
        }
      }
    }
  }
  launch.place = here();
  return true;
}

void recorder::launched(launch_event launch, arguments_event arguments, const stream_key& stream) {
  launch.number = arguments.launch = next_launch_++;
  launch.stream = activity_.launches(stream);
  to_.add(launch);
  if (!arguments.sizes.empty()) {
    to_.add(std::move(arguments));
  }
  // With one stream nothing overlaps it: but the host may be what it waits for.
  if (activity_.one_stream()) {
    observe_if_quiet(1);
  }
}

void recorder::goes_on(const stream_key& stream) {
  if (!activity_.captures()) {
    activity_.goes_on(stream);
  }
}

void recorder::forgets(cudaStream_t stream) {
  activity_.forgets(stream);
}

void recorder::waited(double seconds) {
  if (!activity_.captures()) {
    observe_if_quiet(seconds);
    tell_copies();
  }
}

void recorder::observe_if_quiet(double seconds) {
  if (is_pending() && !activity_.captures() && activity_.quiet(seconds)) {
    observe();
  }
}

void recorder::settle_before_launch() {
  if (!activity_.quiet(1)) {
    return;
  }
  bool any = false;
  for (auto& [address, m] : memories_) {
    if (!m.known) {
      get_to_know(m);
    } else if (m.host_writes) {
      any = true;
    } else {
      take_written(m);
    }
  }
  if (any) {
    take_changes(content_event::when::before,
                 [](const memory& m) { return m.known && m.host_writes; });
  }
}

/// The first launch that may see it: what nobody has told of its content is recorded.
void recorder::get_to_know(memory& m) {
  if (!shadows_.make(m)) {
    return;
  }
  m.known = true;
  if (m.host_writes) {
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
  shadows_.take(m, 0, m.bytes);
}

void recorder::take_written(memory& m) {
  for (const auto& [begin, end] : std::exchange(m.written, {})) {
    shadows_.take(m, begin, end - begin);
  }
}

void recorder::observe() {
  for (auto& [address, m] : memories_) {
    if (m.known && m.host_writes) {
      take_written(m); // a copy to the host is no change by a launch
    }
  }
  const bool seen =
      take_changes(content_event::when::after, [](const memory& m) { return m.known; });
  if (seen) {
    to_.add(observed_event{.first = first_pending_, .last = next_launch_ - 1});
  }
  first_pending_ = next_launch_; // where nobody answers there is nothing to wait for
  save_progress();
}

/// Whole pages: of each byte it is known what it was, here and in the simulator.
template <class F>
bool recorder::take_changes(content_event::when is, F&& chosen) {
  std::vector<memory*> of;
  std::vector<const shadowed*> compared;
  for (auto& [address, m] : memories_) {
    if (chosen(m)) {
      of.push_back(&m);
      compared.push_back(&m);
    }
  }
  const auto changed = shadows_.changed(compared);
  for (std::size_t i = 0; changed && i < of.size(); ++i) {
    memory& m = *of[i];
    const shadows::page_list& pages = (*changed)[i];
    for (std::size_t at = 0; at < pages.size();) {
      std::size_t count = 1;
      while (at + count < pages.size() && pages[at + count] == pages[at] + count) {
        ++count;
      }
      const std::size_t from = pages[at] * page_bytes;
      const std::size_t to = std::min(from + (count * page_bytes), m.bytes);
      record(m, is, from, to);
      shadows_.take(m, from, to - from);
      at += count;
    }
  }
  return changed.has_value();
}

void recorder::record(const memory& m, content_event::when is, std::size_t begin, std::size_t end) {
  while (begin < end) {
    // Up to a page's end, so that pages are whole.
    const std::size_t most = format::most_content_bytes - (begin % page_bytes);
    const auto content = shadows_.read(m.address + begin, std::min(end - begin, most));
    if (content.empty()) {
      return; // the device does not answer
    }
    if (!first_.concerns(m.bytes)) {
      keep(m, is, begin, content);
    } else if (first_.is_first()) {
      first_.note(is, next_launch_, m.number, begin, content);
      keep(m, is, begin, content);
    } else {
      keep_what_differs(m, is, begin, content);
    }
    begin += content.size();
  }
}

void recorder::keep(const memory& m,
                    content_event::when is,
                    std::size_t offset,
                    std::span<const std::byte> content) {
  to_.add(content_event{.is = is,
                        .memory = m.number,
                        .offset = offset,
                        .bytes = content.size(),
                        .content = to_.keep(content),
                        .mask = {}});
}

/// In a later run: of a page that the first one had there, too, the hash.
void recorder::keep_what_differs(const memory& m,
                                 content_event::when is,
                                 std::size_t offset,
                                 std::span<const std::byte> content) {
  pages_event same{.is = is, .memory = m.number, .offset = 0, .bytes = 0, .hashes = {}};
  std::size_t differs_from = 0;
  const auto end_differing = [&](std::size_t at) {
    if (differs_from < at) {
      keep(m, is, offset + differs_from, content.subspan(differs_from, at - differs_from));
    }
  };
  const auto end_same = [&] {
    if (!same.hashes.empty()) {
      to_.add(same);
      same.hashes.clear();
    }
  };
  for (std::size_t at = 0; at < content.size();) {
    const auto page = content.subspan(at, std::min(content.size() - at, std::size_t{page_bytes}));
    const std::uint64_t hash = XXH64(page.data(), page.size(), 0);
    if (first_.had(is, next_launch_, m.number, offset + at, page.size(), hash)) {
      end_differing(at);
      if (same.hashes.empty()) {
        same.offset = offset + at;
        same.bytes = 0;
      }
      same.bytes += page.size();
      same.hashes.push_back(hash);
      differs_from = at + page.size();
    } else {
      end_same();
    }
    at += page.size();
  }
  end_same();
  end_differing(content.size());
}

// --- The end

void recorder::resets() {
  waited(1);
}

void recorder::has_reset() {
  for (const auto& [address, m] : memories_) {
    to_.add(freed_event{m.number});
  }
  memories_.clear();
  live_bytes_ = 0;
  copies_.clear();
  shadows_.reset();
  activity_.reset();
  for (known_variable& v : variables_) {
    v.address = nullptr;
  }
  variables_found_ = 0;
  first_pending_ = next_launch_;
}

void recorder::failed(const char* function, cudaError_t error) {
  tell_machine();
  to_.add(error_event{.function = function,
                      .code = static_cast<std::int64_t>(error),
                      .name = cudaGetErrorName(error)});
}

/// What is known is in the file soon: a machine that stops leaves it.
void recorder::save_progress() {
  constexpr double seconds = 1;
  if (const double t = now(); t - saved_ > seconds) {
    to_.hand_over();
    saved_ = t;
  }
}

void recorder::looks_once_more() {
  if (!in_recorded_process()) {
    return;
  }
  const call c;
  observe_if_quiet(1); // where copies went to may be no more
}

void recorder::tell_output(const std::string& output) {
  for (std::size_t at = 0; at < output.size(); at += format::most_content_bytes) {
    to_.add(printed_event{output.substr(at, format::most_content_bytes)});
  }
}

void recorder::ends(int status) {
  tell_machine();
  observe_if_quiet(0);
  tell_output(take_output());
  to_.add(end_event{.by_signal = false, .status = status});
  to_.finish();
  first_.save();
  if (to_.failed() != 0) {
    std::fprintf(stderr,
                 "tilesim: error: %s: %s; the recording is not complete\n",
                 recording_path().c_str(),
                 std::strerror(to_.failed()));
  }
}

void recorder::is_left_alone(const std::string& output, int signal) {
  if (to_.take_over()) {
    tell_output(output);
    if (signal != 0) {
      to_.add(end_event{.by_signal = true, .status = signal});
    }
    to_.flush();
  }
}

} // namespace tilesim::gpu
