// The list of all marks.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/process/thread_marks.hpp"

#include <cstring>
#include <utility>

namespace tilesim::sim {

namespace {

thread_mark* all = nullptr; // before any initialiser runs

} // namespace

thread_mark::thread_mark(void* (*of_this_thread)() noexcept, std::size_t bytes)
    : next_(std::exchange(all, this))
    , of_this_thread_(of_this_thread)
    , bytes_(bytes) {}

thread_marks::thread_marks() {
  for (const thread_mark* m = all; m != nullptr; m = m->next_) {
    const auto* const value = static_cast<const std::byte*>(m->of_this_thread_());
    values_.insert(values_.end(), value, value + m->bytes_);
  }
}

void thread_marks::set_back() const noexcept {
  const std::byte* value = values_.data();
  for (const thread_mark* m = all; m != nullptr; m = m->next_) {
    std::memcpy(m->of_this_thread_(), value, m->bytes_);
    value += m->bytes_;
  }
}

} // namespace tilesim::sim
