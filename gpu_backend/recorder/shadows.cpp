// Copying and comparing memory, in a stream that waits for none of the program's.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/shadows.hpp"

#include "gpu_backend/recorder/real.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <cstring>
#include <utility>
#include <xxhash.h>

namespace tilesim::gpu {

namespace {

/// So many of the pages that differ come with their number.
constexpr std::uint64_t listed_at_once = 1023;

template <class T>
cudaError_t grow(T*& at, std::size_t& room, std::size_t count) {
  if (room >= count) {
    return cudaSuccess;
  }
  __real_cudaFree(std::exchange(at, nullptr));
  room = 0;
  void* made = nullptr;
  const cudaError_t error = __real_cudaMalloc(&made, count * sizeof(T));
  if (error == cudaSuccess) {
    at = static_cast<T*>(made);
    room = count;
  }
  return error;
}

} // namespace

bool shadows::begin() {
  return own_ != nullptr || cudaStreamCreateWithFlags(&own_, cudaStreamNonBlocking) == cudaSuccess;
}

bool shadows::copy(void* to, const void* from, std::size_t bytes) {
  return begin() &&
         __real_cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, own_) == cudaSuccess &&
         __real_cudaStreamSynchronize(own_) == cudaSuccess;
}

bool shadows::make(shadowed& m) {
  if (!begin()) {
    return false;
  }
  void* shadow = nullptr;
  const cudaError_t error = __real_cudaMalloc(&shadow, m.bytes);
  if (error == cudaSuccess) {
    m.shadow = static_cast<std::byte*>(shadow);
  } else if (error == cudaErrorMemoryAllocation) {
    m.host_shadow.resize(m.bytes);
  }
  return error == cudaSuccess || error == cudaErrorMemoryAllocation;
}

void shadows::drop(shadowed& m) {
  if (m.shadow != nullptr) {
    __real_cudaFree(std::exchange(m.shadow, nullptr));
  }
  m.host_shadow.clear();
}

void shadows::take(shadowed& m, std::size_t offset, std::size_t bytes) {
  if (m.shadow == nullptr && m.host_shadow.empty()) {
    return;
  }
  void* const to = m.shadow != nullptr ? m.shadow + offset : m.host_shadow.data() + offset;
  static_cast<void>(copy(to, reinterpret_cast<const void*>(m.address + offset), bytes));
}

// --- Comparing

std::optional<std::vector<shadows::page_list>>
shadows::changed(std::span<const shadowed* const> memories) {
  std::vector<page_list> found(memories.size());
  if (!compare_on_device(memories, found)) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < memories.size(); ++i) {
    if (memories[i]->shadow == nullptr && !compare_on_host(*memories[i], found[i])) {
      return std::nullopt;
    }
  }
  return found;
}

bool shadows::compare_on_device(std::span<const shadowed* const> memories,
                                std::vector<page_list>& found) {
  std::vector<compared_memory> table;
  std::vector<std::size_t> which; // of the memories the table's rows are
  std::uint64_t pages = 0;
  for (std::size_t i = 0; i < memories.size(); ++i) {
    const shadowed& m = *memories[i];
    if (m.shadow != nullptr) {
      table.push_back({.live = reinterpret_cast<const void*>(m.address),
                       .shadow = m.shadow,
                       .bytes = m.bytes,
                       .first_page = pages});
      which.push_back(i);
      pages += (m.bytes + page_bytes - 1) / page_bytes;
    }
  }
  if (table.empty()) {
    return true;
  }
  if (!begin()) {
    return false;
  }
  if (const cudaError_t error = make_room(table.size(), pages); error != cudaSuccess) {
    if (error != cudaErrorMemoryAllocation) {
      return false;
    }
    for (const std::size_t i : which) { // all pages are looked at
      for (std::size_t page = 0; page * page_bytes < memories[i]->bytes; ++page) {
        found[i].push_back(page);
      }
    }
    return true;
  }
  const auto differ = differing(table, pages);
  if (!differ) {
    return false;
  }
  std::size_t row = 0;
  for (const std::uint64_t page : *differ) {
    while (row + 1 < table.size() && table[row + 1].first_page <= page) {
      ++row;
    }
    found[which[row]].push_back(page - table[row].first_page);
  }
  return true;
}

std::optional<std::vector<unsigned>> shadows::differing(const std::vector<compared_memory>& table,
                                                        std::uint64_t pages) {
  if (table != table_) {
    table_ = table;
    if (!copy(device_table_, table_.data(), table_.size() * sizeof(compared_memory))) {
      table_.clear();
      return std::nullopt;
    }
  }
  if (start_page_diff(device_table_, static_cast<unsigned>(table.size()), pages, found_, own_) !=
      0) {
    return std::nullopt;
  }
  const auto listed = std::min(pages, listed_at_once);
  std::vector<unsigned> list(1 + listed); // their number, and they
  if (!copy(list.data(), found_, list.size() * sizeof(unsigned))) {
    return std::nullopt;
  }
  const std::uint64_t count = list.front();
  const bool all = count <= listed;
  list.resize(1 + count);
  if (!all && !copy(list.data(), found_, list.size() * sizeof(unsigned))) {
    return std::nullopt;
  }
  list.erase(list.begin());
  std::sort(list.begin(), list.end());
  return list;
}

cudaError_t shadows::make_room(std::size_t memories, std::uint64_t pages) {
  if (memories > table_room_) {
    table_.clear(); // on the device, where it gets another place
    if (const cudaError_t error =
            grow(device_table_, table_room_, std::max(memories, table_room_ * 2));
        error != cudaSuccess) {
      return error;
    }
  }
  return grow(found_, found_room_, 1 + pages);
}

bool shadows::compare_on_host(const shadowed& m, page_list& found) {
  for (std::size_t at = 0; at < m.host_shadow.size();) {
    const std::size_t piece =
        std::min(m.host_shadow.size() - at, std::size_t{format::most_content_bytes});
    const auto now = read(m.address + at, piece);
    if (now.empty()) {
      return false;
    }
    for (std::size_t in = 0; in < piece; in += page_bytes) {
      const std::size_t bytes = std::min(std::size_t{page_bytes}, piece - in);
      if (std::memcmp(now.data() + in, m.host_shadow.data() + at + in, bytes) != 0) {
        found.push_back((at + in) / page_bytes);
      }
    }
    at += piece;
  }
  return true;
}

// --- Reading

std::span<const std::byte> shadows::read(std::uintptr_t from, std::size_t bytes) {
  if (staging_ == nullptr && pageable_.empty()) {
    void* pinned = nullptr;
    if (__real_cudaMallocHost(&pinned, format::most_content_bytes) == cudaSuccess) {
      staging_ = static_cast<std::byte*>(pinned);
    } else {
      pageable_.resize(format::most_content_bytes);
    }
  }
  std::byte* const to = staging_ != nullptr ? staging_ : pageable_.data();
  if (!copy(to, reinterpret_cast<const void*>(from), bytes)) {
    return {};
  }
  return {to, bytes};
}

std::uint64_t shadows::hash_of(std::uintptr_t from, std::size_t bytes) {
  XXH64_state_t state;
  XXH64_reset(&state, 0);
  for (std::size_t at = 0; at < bytes;) {
    const std::size_t piece = std::min(bytes - at, std::size_t{format::most_content_bytes});
    const auto content = read(from + at, piece);
    XXH64_update(&state, content.data(), content.size());
    at += piece;
  }
  return XXH64_digest(&state);
}

void shadows::reset() {
  own_ = nullptr;
  staging_ = nullptr;
  table_.clear();
  device_table_ = nullptr;
  table_room_ = 0;
  found_ = nullptr;
  found_room_ = 0;
}

} // namespace tilesim::gpu
