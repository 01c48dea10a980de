// Who may go on, oldest first, with their numbers beside them for the strategy. The oldest is taken
// in constant time: of a block's threads that have met, one after the other is. Of a long row one
// that is taken from the middle leaves a hole, which is looked over from then on.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/scheduler.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace tilesim::sim {

struct worker;

class turn_queue {
public:
  /// Looks over holes.
  class iterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = worker*;
    using difference_type = std::ptrdiff_t;
    using pointer = worker* const*;
    using reference = worker* const&;

    iterator() = default;
    iterator(pointer at, pointer end)
        : at_(at)
        , end_(end) {
      skip();
    }
    reference operator*() const noexcept { return *at_; }
    iterator& operator++() noexcept {
      ++at_;
      skip();
      return *this;
    }
    iterator operator++(int) noexcept {
      iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const iterator& other) const noexcept { return at_ == other.at_; }

  private:
    void skip() noexcept {
      while (at_ != end_ && *at_ == nullptr) {
        ++at_;
      }
    }
    pointer at_ = nullptr;
    pointer end_ = nullptr;
  };

  [[nodiscard]] bool empty() const noexcept { return first_ == all_.size(); }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size() - first_ - holes_; }
  [[nodiscard]] iterator begin() const noexcept {
    return {all_.data() + first_, all_.data() + all_.size()};
  }
  [[nodiscard]] iterator end() const noexcept {
    return {all_.data() + all_.size(), all_.data() + all_.size()};
  }
  [[nodiscard]] worker* front() const noexcept { return all_[first_]; }
  [[nodiscard]] worker* back() const noexcept { return all_.back(); }

  /// The next ones, as they lie one behind the other; none where there are holes.
  [[nodiscard]] std::span<worker* const> next() const noexcept {
    return holes_ != 0 ? std::span<worker* const>() : std::span(all_).subspan(first_);
  }

  /// The numbers of the first so many.
  [[nodiscard]] std::span<const thread_number> numbers(std::size_t count) {
    if (holes_ != 0) {
      close_holes();
    }
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
    if (!live_.empty()) {
      count_live(before);
    }
    return {all_.data() + before, numbers_.data() + before};
  }
  void push_back(worker* w, thread_number number) {
    all_.push_back(w);
    numbers_.push_back(number);
    if (!live_.empty()) {
      count_live(all_.size() - 1);
    }
  }

  /// Takes the one at an index out.
  worker* take(std::size_t index) {
    if (index == 0) {
      worker* const w = all_[first_];
      take_first();
      return w;
    }
    if (holes_ == 0 && size() < long_row) {
      worker* const w = all_[first_ + index];
      live_.clear();
      all_.erase(all_.begin() + offset() + static_cast<std::ptrdiff_t>(index));
      numbers_.erase(numbers_.begin() + offset() + static_cast<std::ptrdiff_t>(index));
      return w;
    }
    return leave_hole(index);
  }

  /// To the front, if it is one of them.
  void bring_forward(const worker* w) {
    if (holes_ != 0) {
      close_holes();
    }
    const auto at = std::find(all_.begin() + offset(), all_.end(), w);
    if (at != all_.end()) {
      const auto number = numbers_.begin() + (at - all_.begin());
      std::rotate(all_.begin() + offset(), at, at + 1);
      std::rotate(numbers_.begin() + offset(), number, number + 1);
    }
  }

private:
  static constexpr std::size_t most_behind = 4096;
  static constexpr std::size_t long_row = 4096;
  static constexpr std::size_t part = 512; ///< places that live_ counts together

  [[nodiscard]] std::ptrdiff_t offset() const noexcept {
    return static_cast<std::ptrdiff_t>(first_);
  }
  void take_first() {
    if (!live_.empty()) {
      --live_[first_ / part];
    }
    ++first_;
    while (holes_ != 0 && first_ != all_.size() && all_[first_] == nullptr) {
      ++first_;
      --holes_;
    }
    if (first_ == all_.size()) {
      all_.clear();
      numbers_.clear();
      live_.clear();
      first_ = 0;
    } else if (holes_ == 0 && first_ >= most_behind) {
      live_.clear();
      all_.erase(all_.begin(), all_.begin() + offset());
      numbers_.erase(numbers_.begin(), numbers_.begin() + offset());
      first_ = 0;
    }
  }

  worker* leave_hole(std::size_t index) {
    if (first_ + holes_ > size() + most_behind) {
      close_holes();
    }
    if (live_.empty()) {
      count_live(first_);
    }
    std::size_t of = first_ / part;
    for (; index >= live_[of]; ++of) {
      index -= live_[of];
    }
    std::size_t at = std::max(first_, of * part);
    for (; index != 0 || all_[at] == nullptr; ++at) {
      index -= all_[at] != nullptr ? 1U : 0U;
    }
    worker* const w = all_[at];
    all_[at] = nullptr;
    --live_[of];
    ++holes_;
    while (all_.back() == nullptr) { // the first is none
      all_.pop_back();
      numbers_.pop_back();
      --holes_;
    }
    return w;
  }

  /// Those from a place on, none of which is a hole.
  void count_live(std::size_t from) {
    live_.resize((all_.size() / part) + 1);
    while (from < all_.size()) {
      const std::size_t until = std::min(all_.size(), (from / part + 1) * part);
      live_[from / part] += static_cast<std::uint32_t>(until - from);
      from = until;
    }
  }

  void close_holes() {
    std::size_t to = 0;
    for (std::size_t at = first_; at != all_.size(); ++at) {
      if (all_[at] != nullptr) {
        all_[to] = all_[at];
        numbers_[to++] = numbers_[at];
      }
    }
    all_.resize(to);
    numbers_.resize(to);
    live_.clear();
    first_ = holes_ = 0;
  }

  std::vector<worker*> all_;           ///< those taken from the front, and then who may go on
  std::vector<thread_number> numbers_; ///< theirs, in the same order
  std::size_t first_ = 0;              ///< no hole, if there is one
  std::size_t holes_ = 0;              ///< behind it; the last one is none, either
  std::vector<std::uint32_t> live_;    ///< who are no holes, part by part; empty: not counted
};

} // namespace tilesim::sim
