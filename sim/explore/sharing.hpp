// Which places several threads access, one of them writing: only those are explored.
//
// Of a place that one thread alone accesses, or that nobody writes, each read has one value, which
// the thread knows by itself. Who accesses what is found out by running: where a place turns out to
// be shared, whatever was recorded begins anew.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

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
      if (w.first == nobody) {
        w.first = thread;
      }
      w.several = w.several || w.first != thread;
      w.written = w.written || writes;
      if (piece != 0 && piece < w.piece) {
        w.piece = static_cast<std::uint8_t>(piece);
      }
      if (w.several && w.written && !w.shared) {
        w.shared = true;
        changed_ = changed_ || !all_;
      }
      shared = shared || w.shared;
    }
    return shared;
  }
  /// One operation accesses it twice.
  void share(std::uintptr_t address) {
    word& w = words_[address / word_bytes];
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
  };
  bool all_;
  bool changed_ = false;
  std::unordered_map<std::uintptr_t, word> words_;
};

} // namespace tilesim::sim::exploring
