// Which places several threads access, one of them writing.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/sharing.hpp"

#include <algorithm>
#include <array>

namespace tilesim::sim::exploring {

bool sharing::touched(std::uintptr_t at, word& w, std::size_t thread, bool writes) {
  const word before = w;
  if (w.first == nobody) {
    w.first = thread;
  }
  w.several = w.several || w.first != thread;
  w.written = w.written || writes;
  const std::size_t launch = launches_[thread % launches_.size()];
  (writes ? w.written_by : w.read_by) |= bit_of(launch);
  bool news = w != before;
  if (launch >= launch_bits) {
    const auto [its, is_new] = of_later_[launch].try_emplace(at, writes);
    news = news || is_new || (writes && !its->second);
    its->second = its->second || writes;
  }
  return news;
}

void sharing::decide(word& w, bool known) {
  if ((w.several || written_) && w.written && (w.otherwise || !w.updated) && !w.shared) {
    w.shared = true;
    changed_ = changed_ || (known && !all_);
  }
}

bool sharing::touch(
    std::size_t thread, std::uintptr_t address, std::size_t bytes, bool writes, std::size_t piece) {
  bool shared = all_;
  const std::uintptr_t first = address / word_bytes;
  const std::uintptr_t last = (address + bytes - 1) / word_bytes;
  // One that may be taken apart has half of a pair of words at its ends: others cut the pair, too.
  const auto piece_at = [&](std::uintptr_t at) -> std::size_t {
    const std::uintptr_t other = at ^ 1U;
    return piece != 0 ? piece : other < first || other > last ? word_bytes : 2 * word_bytes;
  };
  for (std::uintptr_t at = first; at <= last; ++at) {
    word& w = words_[at];
    const bool known = w.first != nobody;
    const bool news = touched(at, w, thread, writes);
    const word before = w;
    w.piece = std::min(w.piece, static_cast<std::uint8_t>(piece_at(at)));
    changed_ = changed_ || (w.updated && !w.otherwise); // as a sum it was no step
    w.otherwise = true;
    decide(w, known);
    if (news || w != before) {
      news_.insert(at);
    }
    shared = shared || w.shared;
  }
  // What is accessed as one is shared as one: others meet it wherever they begin.
  for (std::uintptr_t at = first; piece != 0 && shared && at <= last; ++at) {
    if (!all_ && !words_[at].shared) {
      share(at * word_bytes);
    }
  }
  return shared;
}

std::size_t sharing::piece(std::uintptr_t address, std::size_t bytes) const {
  std::size_t least = 2 * word_bytes;
  for (std::uintptr_t at = address / word_bytes; at <= (address + bytes - 1) / word_bytes; ++at) {
    const auto found = words_.find(at);
    least = std::min<std::size_t>(least, found == words_.end() ? word_bytes : found->second.piece);
  }
  return least;
}

bool sharing::is_shared(std::uintptr_t address, std::size_t bytes) const {
  bool shared = all_;
  for (std::uintptr_t at = address / word_bytes; at <= (address + bytes - 1) / word_bytes; ++at) {
    const auto found = words_.find(at);
    shared = shared || (found != words_.end() && found->second.shared);
  }
  return shared;
}

void sharing::share(std::uintptr_t address) {
  word& w = words_[address / word_bytes];
  if (!w.shared || !w.otherwise) {
    news_.insert(address / word_bytes);
  }
  changed_ = changed_ || (!w.shared && !all_);
  w.shared = w.otherwise = true;
}

// --- Sums.

bool sharing::update(std::size_t thread, std::uintptr_t address, std::size_t bytes) {
  if (!sums_wanted_ || (bytes != 4 && bytes != 8) || address % bytes != 0) {
    return false;
  }
  sum& s = sums_[address];
  s.bytes = s.bytes == 0 ? bytes : s.bytes;
  bool is = s.bytes == bytes;
  for (std::uintptr_t at = address / word_bytes; at < (address + bytes) / word_bytes; ++at) {
    is = is && !words_[at].otherwise;
  }
  // The second word of another sum is none of its own.
  is = is && (bytes == 8 || address % 8 == 0 || !sums_.contains(address - 4) ||
              sums_.at(address - 4).bytes == 4);
  is = is && (bytes == 4 || !sums_.contains(address + 4));
  if (!is) {
    no_sum(address, bytes);
    return false;
  }
  for (std::uintptr_t at = address / word_bytes; at < (address + bytes) / word_bytes; ++at) {
    word& w = words_[at];
    const bool news = touched(at, w, thread, true);
    const word before = w;
    w.updated = true;
    if (news || w != before) {
      news_.insert(at);
    }
  }
  return true;
}

void sharing::not_so(std::uintptr_t at) {
  word& w = words_[at];
  if (!w.otherwise) {
    changed_ = changed_ || w.updated;
    w.otherwise = true;
    decide(w, true);
    news_.insert(at);
  }
}

void sharing::no_sum(std::uintptr_t address, std::size_t bytes) {
  for (std::uintptr_t at = address / word_bytes; at <= (address + bytes - 1) / word_bytes; ++at) {
    not_so(at);
  }
}

void sharing::fenced() {
  if (sums_wanted_) {
    sums_wanted_ = false;
    sums_news_ = true;
    for (const auto& [address, s] : sums_) {
      no_sum(address, s.bytes);
    }
  }
}

void sharing::added(std::size_t thread, std::uintptr_t address, std::uint64_t sum) {
  if (sums_[address].by[thread].insert(sum).second) {
    changed_ = sums_news_ = true;
  }
}

std::vector<std::uint64_t>
sharing::possible(std::size_t thread, std::uintptr_t address, std::uint64_t own) const {
  const sum& s = sums_.at(address);
  const std::uint64_t mask = s.bytes == 8 ? ~std::uint64_t{0} : ~std::uint32_t{0};
  std::set<std::uint64_t> values{own & mask};
  for (const auto& [other, sums] : s.by) {
    if (other == thread) {
      continue;
    }
    std::set<std::uint64_t> more = values;
    for (const std::uint64_t v : values) {
      for (const std::uint64_t a : sums) {
        more.insert((v + a) & mask);
      }
    }
    if (more.size() > most_possible) {
      return {};
    }
    values = std::move(more);
  }
  return {values.begin(), values.end()};
}

bool sharing::some_sums() const {
  return std::ranges::any_of(sums_, [&](const auto& s) {
    const auto w = words_.find(s.first / word_bytes);
    return w != words_.end() && w->second.updated && !w->second.otherwise && w->second.several;
  });
}

// --- Threads that are told apart.

void sharing::tell_apart(std::size_t thread) {
  apart_changed_ = told_apart_.insert(thread).second || apart_changed_;
}

// --- What other processes know.

/// Of these words, and of sums if they are wanted.
std::vector<std::uint64_t> sharing::told(std::span<const std::uintptr_t> words, bool sums) const {
  std::vector<std::array<std::uint64_t, 3>> later;
  for (const auto& [launch, all] : of_later_) {
    for (const std::uintptr_t at : words) {
      if (const auto its = all.find(at); its != all.end()) {
        later.push_back({launch, at, its->second ? 1U : 0U});
      }
    }
  }
  std::vector<std::uint64_t> out{
      sums_wanted_ ? 1U : 0U, told_apart_.size(), words.size(), later.size()};
  out.insert(out.end(), told_apart_.begin(), told_apart_.end());
  for (const std::uintptr_t at : words) {
    const word& w = words_.at(at);
    const unsigned flags = (w.several ? 1U : 0U) | (w.written ? 2U : 0U) | (w.shared ? 4U : 0U) |
                           (w.updated ? 8U : 0U) | (w.otherwise ? 16U : 0U);
    out.insert(out.end(),
               {at, w.first, flags, w.piece, (std::uint64_t{w.written_by} << 32U) | w.read_by});
  }
  for (const auto& its : later) {
    out.insert(out.end(), its.begin(), its.end());
  }
  if (sums) {
    for (const auto& [address, s] : sums_) {
      for (const auto& [thread, its] : s.by) {
        for (const std::uint64_t sum : its) {
          out.insert(out.end(), {address, s.bytes, thread, sum});
        }
      }
    }
  }
  return out;
}

std::vector<std::uint64_t> sharing::take_news() {
  std::vector<std::uint64_t> out =
      told(std::vector<std::uintptr_t>(news_.begin(), news_.end()), sums_news_);
  news_.clear();
  sums_news_ = false;
  return out;
}

std::vector<std::uint64_t> sharing::all_known() const {
  std::vector<std::uintptr_t> all;
  for (const auto& [at, w] : words_) {
    all.push_back(at);
  }
  std::ranges::sort(all);
  return told(all, true);
}

std::uint64_t sharing::mark() const {
  std::vector<std::uintptr_t> shared;
  for (const auto& [at, w] : words_) {
    if (!all_ && (w.shared || (w.updated && !w.otherwise))) {
      shared.push_back(at);
    }
  }
  std::ranges::sort(shared);
  std::uint64_t h = sums_wanted_ ? 1 : 0;
  const auto mix = [&h](std::uint64_t value) {
    h = (h ^ value) * 0x9e37'79b9'7f4a'7c15U;
    h ^= h >> 32U;
  };
  for (const std::uintptr_t at : shared) {
    const word& w = words_.at(at);
    mix(at);
    mix(w.piece * 4U + (w.shared ? 2U : 0U) + (w.updated && !w.otherwise ? 1U : 0U));
  }
  return h;
}

void sharing::learn(std::span<const std::uint64_t> news) {
  if (news.size() < 4) {
    return;
  }
  const std::size_t words_begin = 4 + news[1];
  const std::size_t later_begin = words_begin + (5 * news[2]);
  const std::size_t sums_begin = later_begin + (3 * news[3]);
  std::ranges::for_each(news.subspan(4, news[1]), [&](std::uint64_t t) { tell_apart(t); });
  for (std::size_t i = words_begin; i < later_begin; i += 5) {
    word& w = words_[news[i]];
    const std::uint64_t flags = news[i + 2];
    if (w.first == nobody) {
      w.first = news[i + 1];
    }
    w.several = w.several || (flags & 1U) != 0 || (w.first != news[i + 1] && news[i + 1] != nobody);
    w.written = w.written || (flags & 2U) != 0;
    const bool was_sum = w.updated && !w.otherwise;
    w.updated = w.updated || (flags & 8U) != 0;
    w.otherwise = w.otherwise || (flags & 16U) != 0;
    changed_ = changed_ || (was_sum && w.otherwise) ||
               (w.updated && w.otherwise && !was_sum && (flags & 8U) != 0 && !w.shared);
    w.piece = std::min(w.piece, static_cast<std::uint8_t>(news[i + 3]));
    w.read_by |= static_cast<std::uint32_t>(news[i + 4]);
    w.written_by |= static_cast<std::uint32_t>(news[i + 4] >> 32U);
    if ((flags & 4U) != 0 && !w.shared) {
      w.shared = true;
      changed_ = changed_ || !all_;
    }
    decide(w, true);
  }
  for (std::size_t i = later_begin; i < sums_begin; i += 3) {
    bool& written = of_later_[news[i]][news[i + 1]];
    written = written || news[i + 2] != 0;
  }
  for (std::size_t i = sums_begin; i + 3 < news.size(); i += 4) {
    sum& s = sums_[news[i]];
    s.bytes = s.bytes == 0 ? news[i + 1] : s.bytes;
    changed_ = s.by[news[i + 2]].insert(news[i + 3]).second || changed_;
  }
  if (news[0] == 0) {
    fenced();
  }
}

} // namespace tilesim::sim::exploring
