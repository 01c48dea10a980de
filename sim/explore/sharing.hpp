// Which places several threads access, one of them writing: only those are explored.
//
// Of a place that one thread alone accesses, or that nobody writes, each read has one value, which
// the thread knows by itself. Who accesses what is found out by running: where a place turns out to
// be shared, whatever was recorded begins anew.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tilesim::sim::exploring {

class sharing {
public:
  /// `all`: every place is taken for shared.
  explicit sharing(bool all)
      : all_(all) {}

  /// A thread accesses bytes: whether they are shared. `piece`: of how many bytes each part of the
  /// access is; 0: of one that may be taken apart as others do.
  bool touch(std::size_t thread,
             std::uintptr_t address,
             std::size_t bytes,
             bool writes,
             std::size_t piece) {
    bool shared = all_;
    for (std::uintptr_t at = address / word_bytes; at <= (address + bytes - 1) / word_bytes; ++at) {
      word& w = words_[at];
      const word before = w;
      if (w.first == nobody) {
        w.first = thread;
      }
      w.several = w.several || w.first != thread;
      w.written = w.written || writes;
      if (piece != 0 && piece < w.piece) {
        w.piece = static_cast<std::uint8_t>(piece);
      }
      decide(w);
      if (w != before) {
        news_.insert(at);
      }
      shared = shared || w.shared;
    }
    return shared;
  }
  /// One operation accesses it twice.
  void share(std::uintptr_t address) {
    word& w = words_[address / word_bytes];
    if (!w.shared) {
      news_.insert(address / word_bytes);
    }
    changed_ = changed_ || (!w.shared && !all_);
    w.shared = true;
  }
  [[nodiscard]] bool is_shared(std::uintptr_t address) const {
    const auto found = words_.find(address / word_bytes);
    return all_ || (found != words_.end() && found->second.shared);
  }
  /// Of how many bytes the parts of accesses there are.
  [[nodiscard]] std::size_t piece(std::uintptr_t address) const {
    const auto found = words_.find(address / word_bytes);
    return found == words_.end() ? word_bytes : found->second.piece;
  }

  /// What this process has come to know since it was asked last, for another, which may know else.
  [[nodiscard]] std::vector<std::uint64_t> take_news() {
    std::vector<std::uint64_t> out;
    for (const std::uintptr_t at : news_) {
      const word& w = words_.at(at);
      const unsigned flags = (w.several ? 1U : 0U) | (w.written ? 2U : 0U) | (w.shared ? 4U : 0U);
      out.insert(out.end(), {at, w.first, flags, w.piece});
    }
    news_.clear();
    return out;
  }
  void learn(std::span<const std::uint64_t> news) {
    for (std::size_t i = 0; i + 3 < news.size(); i += 4) {
      word& w = words_[news[i]];
      if (w.first == nobody) {
        w.first = news[i + 1];
      }
      w.several =
          w.several || (news[i + 2] & 1U) != 0 || (w.first != news[i + 1] && news[i + 1] != nobody);
      w.written = w.written || (news[i + 2] & 2U) != 0;
      w.piece = std::min(w.piece, static_cast<std::uint8_t>(news[i + 3]));
      if ((news[i + 2] & 4U) != 0 && !w.shared) {
        w.shared = true;
        changed_ = changed_ || !all_;
      }
      decide(w);
    }
  }

  /// Places have turned out to be shared that were not taken for it.
  [[nodiscard]] bool changed() const noexcept { return changed_; }
  void begin_anew() noexcept { changed_ = false; }

private:
  static constexpr std::uintptr_t word_bytes = 4;
  static constexpr std::size_t nobody = ~std::size_t{0};
  struct word {
    std::size_t first = nobody;
    bool several = false;
    bool written = false;
    bool shared = false;
    std::uint8_t piece = 8;
    friend bool operator==(const word&, const word&) = default;
  };
  void decide(word& w) {
    if (w.several && w.written && !w.shared) {
      w.shared = true;
      changed_ = changed_ || !all_;
    }
  }
  bool all_;
  bool changed_ = false;
  std::unordered_map<std::uintptr_t, word> words_;
  std::unordered_set<std::uintptr_t> news_;
};

} // namespace tilesim::sim::exploring
