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

thread_mark::thread_mark(std::span<std::byte> (*of_this_thread)() noexcept)
    : next_(std::exchange(all, this))
    , of_this_thread_(of_this_thread) {}

thread_marks::thread_marks() {
  for (const thread_mark* m = all; m != nullptr; m = m->next_) {
    const auto value = m->of_this_thread_();
    values_.insert(values_.end(), value.begin(), value.end());
  }
}

void thread_marks::set_back() const noexcept {
  const std::byte* value = values_.data();
  for (const thread_mark* m = all; m != nullptr; m = m->next_) {
    const auto variable = m->of_this_thread_();
    std::memcpy(variable.data(), value, variable.size());
    value += variable.size();
  }
}

} // namespace tilesim::sim
