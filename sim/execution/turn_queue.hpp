// Who may go on, oldest first, with their numbers beside them for the strategy. The oldest is taken
// in constant time: of a block's threads that have met, one after the other is.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/scheduler.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace tilesim::sim {

struct worker;

class turn_queue {
public:
  [[nodiscard]] bool empty() const noexcept { return first_ == all_.size(); }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size() - first_; }
  [[nodiscard]] auto begin() const noexcept { return all_.begin() + offset(); }
  [[nodiscard]] auto end() const noexcept { return all_.end(); }
  [[nodiscard]] worker* front() const noexcept { return all_[first_]; }
  [[nodiscard]] worker* back() const noexcept { return all_.back(); }

  /// The numbers of the first so many.
  [[nodiscard]] std::span<const thread_number> numbers(std::size_t count) const noexcept {
    return std::span(numbers_).subspan(first_, count);
  }

  /// So many more, which the caller writes: into all, and their numbers likewise.
  struct places {
    worker** all;
    thread_number* numbers;
  };
  [[nodiscard]] places add(std::size_t count) {
    const std::size_t before = all_.size();
    all_.resize(before + count);
    numbers_.resize(before + count);
    return {all_.data() + before, numbers_.data() + before};
  }
  void push_back(worker* w, thread_number number) {
    all_.push_back(w);
    numbers_.push_back(number);
  }

  /// Takes the one at an index out.
  worker* take(std::size_t index) {
    worker* const w = all_[first_ + index];
    if (index == 0) {
      take_first();
    } else {
      all_.erase(all_.begin() + offset() + static_cast<std::ptrdiff_t>(index));
      numbers_.erase(numbers_.begin() + offset() + static_cast<std::ptrdiff_t>(index));
    }
    return w;
  }

  /// To the front, if it is one of them.
  void bring_forward(const worker* w) {
    const auto at = std::find(all_.begin() + offset(), all_.end(), w);
    if (at != all_.end()) {
      const auto number = numbers_.begin() + (at - all_.begin());
      std::rotate(all_.begin() + offset(), at, at + 1);
      std::rotate(numbers_.begin() + offset(), number, number + 1);
    }
  }

private:
  static constexpr std::size_t most_behind = 4096;

  [[nodiscard]] std::ptrdiff_t offset() const noexcept {
    return static_cast<std::ptrdiff_t>(first_);
  }
  void take_first() {
    ++first_;
    if (first_ == all_.size()) {
      all_.clear();
      numbers_.clear();
      first_ = 0;
    } else if (first_ == most_behind) {
      all_.erase(all_.begin(), all_.begin() + offset());
      numbers_.erase(numbers_.begin(), numbers_.begin() + offset());
      first_ = 0;
    }
  }

  std::vector<worker*> all_;           ///< those taken from the front, and then who may go on
  std::vector<thread_number> numbers_; ///< theirs, in the same order
  std::size_t first_ = 0;
};

} // namespace tilesim::sim
