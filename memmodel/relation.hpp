// Relations over the events of one execution, as bit matrices: row a holds the b with (a, b).
//
// The operators are those of the texts: union, intersection, difference, composition, inverse,
// closure.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/assertion.hpp"
#include "memmodel/event.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tilesim::memmodel {

class relation {
public:
  relation() = default;
  explicit relation(std::size_t events)
      : events_(events)
      , words_((events + 63) / 64)
      , bits_(events * words_) {}

  [[nodiscard]] std::size_t size() const noexcept { return events_; }

  [[nodiscard]] bool operator()(event_id a, event_id b) const noexcept {
    return (bits_[a * words_ + b / 64] >> (b % 64U) & 1U) != 0;
  }
  void add(event_id a, event_id b) noexcept { bits_[a * words_ + b / 64] |= bit(b); }
  void remove(event_id a, event_id b) noexcept { bits_[a * words_ + b / 64] &= ~bit(b); }

  /// The successors of a, 64 to a word.
  [[nodiscard]] std::span<const std::uint64_t> row(event_id a) const noexcept {
    return {bits_.data() + a * words_, words_};
  }

  relation& operator|=(const relation& r) noexcept {
    TILESIM_ASSERT(r.events_ == events_, r.events_, events_);
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      bits_[i] |= r.bits_[i];
    }
    return *this;
  }
  relation& operator&=(const relation& r) noexcept {
    TILESIM_ASSERT(r.events_ == events_, r.events_, events_);
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      bits_[i] &= r.bits_[i];
    }
    return *this;
  }
  relation& operator-=(const relation& r) noexcept {
    TILESIM_ASSERT(r.events_ == events_, r.events_, events_);
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      bits_[i] &= ~r.bits_[i];
    }
    return *this;
  }
  friend relation operator|(relation a, const relation& b) noexcept { return a |= b; }
  friend relation operator&(relation a, const relation& b) noexcept { return a &= b; }
  friend relation operator-(relation a, const relation& b) noexcept { return a -= b; }
  friend bool operator==(const relation&, const relation&) = default;

  /// Composition: (a, c) when this holds (a, b) and `next` holds (b, c), for some b.
  [[nodiscard]] relation then(const relation& next) const {
    TILESIM_ASSERT(next.events_ == events_, next.events_, events_);
    relation out(events_);
    for (event_id a = 0; a < events_; ++a) {
      for_each_successor(a, [&](event_id b) { out.merge_row(a, next.row(b)); });
    }
    return out;
  }

  [[nodiscard]] relation inverse() const {
    relation out(events_);
    for_each([&](event_id a, event_id b) { out.add(b, a); });
    return out;
  }

  /// The smallest transitive relation that holds this one.
  [[nodiscard]] relation closure() const {
    relation out = *this;
    out.close();
    return out;
  }
  void close() noexcept {
    for (event_id k = 0; k < events_; ++k) {
      for (event_id a = 0; a < events_; ++a) {
        if ((*this)(a, k)) {
          merge_row(a, row(k));
        }
      }
    }
  }

  [[nodiscard]] bool empty() const noexcept {
    return std::ranges::all_of(bits_, [](std::uint64_t w) { return w == 0; });
  }
  /// How many pairs it holds.
  [[nodiscard]] std::size_t count() const noexcept {
    std::size_t n = 0;
    for (const std::uint64_t w : bits_) {
      n += static_cast<std::size_t>(std::popcount(w));
    }
    return n;
  }
  /// Some pair of it.
  [[nodiscard]] std::optional<std::pair<event_id, event_id>> some() const noexcept {
    for (event_id a = 0; a < events_; ++a) {
      for (std::size_t w = 0; w < words_; ++w) {
        if (const std::uint64_t bits = row(a)[w]; bits != 0) {
          return std::pair{
              a, static_cast<event_id>(w * 64) + static_cast<event_id>(std::countr_zero(bits))};
        }
      }
    }
    return std::nullopt;
  }
  /// Some event that is related to itself.
  [[nodiscard]] std::optional<event_id> reflexive_point() const noexcept {
    for (event_id a = 0; a < events_; ++a) {
      if ((*this)(a, a)) {
        return a;
      }
    }
    return std::nullopt;
  }

  template <class F>
  void for_each_successor(event_id a, F f) const {
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t bits = row(a)[w]; bits != 0; bits &= bits - 1) {
        f(static_cast<event_id>(w * 64) + static_cast<event_id>(std::countr_zero(bits)));
      }
    }
  }
  template <class F>
  void for_each(F f) const {
    for (event_id a = 0; a < events_; ++a) {
      for_each_successor(a, [&](event_id b) { f(a, b); });
    }
  }

private:
  static constexpr std::uint64_t bit(event_id b) noexcept { return std::uint64_t{1} << (b % 64U); }
  void merge_row(event_id a, std::span<const std::uint64_t> from) noexcept {
    for (std::size_t w = 0; w < words_; ++w) {
      bits_[a * words_ + w] |= from[w];
    }
  }

  std::size_t events_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

} // namespace tilesim::memmodel
