// Going through a recording once, content by content.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/container/compact.hpp"

#include "gpu_backend/container/format.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <utility>
#include <variant>
#include <vector>
#include <xxhash.h>

namespace tilesim::gpu {

namespace {

/// Of so few bytes the content is as short as a hash, and says more.
constexpr std::uint64_t most_small_bytes = 64;

class compacter {
public:
  compacter(const recording_file& from, writer& to, const std::set<std::uint64_t>& keep)
      : from_(from)
      , to_(to)
      , stays_(staying(keep)) {}

  compacted run() {
    for (at_ = 0; at_ < from_.events().size(); ++at_) {
      std::visit([this](const auto& it) { take(it); }, from_.events()[at_]);
    }
    from_.complete() ? to_.finish() : to_.flush();
    return sizes_;
  }

private:
  /// Of each event, whether contents stay that come there: those of launches that are kept, and
  /// those that no observation follows.
  [[nodiscard]] std::vector<bool> staying(const std::set<std::uint64_t>& keep) const {
    const std::vector<event>& all = from_.events();
    std::vector<bool> result(all.size());
    bool stays = true;
    for (std::size_t i = all.size(); i > 0; --i) {
      if (const auto* const o = std::get_if<observed_event>(&all[i - 1])) {
        const auto first = keep.lower_bound(o->first);
        stays = first != keep.end() && *first <= o->last;
      } else if (std::holds_alternative<run_event>(all[i - 1])) {
        stays = true; // what comes before it is of another run
      }
      result[i - 1] = stays;
    }
    return result;
  }

  void take(const auto& e) { to_.add(e); }
  void take(const run_event& e) {
    memories_.clear();
    to_.add(e);
  }
  void take(const memory_event& e) {
    memories_[e.number] = {e.address, e.bytes};
    to_.add(e);
  }
  void take(const freed_event& e) {
    memories_.erase(e.number);
    to_.add(e);
  }
  void take(lines_event e) {
    e.content = to_.keep(from_.content(e.content, e.bytes));
    to_.add(e);
  }
  void take(sums_event e) {
    e.content = to_.keep(from_.content(e.content, e.bytes));
    to_.add(e);
  }
  void take(const content_event& e) {
    const std::vector<std::byte> bytes = copy_of(from_.content(e.content, e.bytes));
    if (stays_[at_] || e.is == content_event::when::before || e.mask ||
        e.bytes <= most_small_bytes || e.offset % format::page_bytes != 0) {
      keep(e, bytes);
      return;
    }
    // Page by page; what lies one behind the other and is kept alike is one event.
    bool addresses = holds_address(page(bytes, 0));
    for (std::size_t begin = 0; begin < bytes.size(); addresses = !addresses) {
      std::size_t end = begin;
      std::vector<std::uint64_t> hashes;
      do {
        const std::span<const std::byte> next = page(bytes, end);
        if (!addresses) {
          hashes.push_back(XXH64(next.data(), next.size(), 0));
        }
        end += next.size();
      } while (end < bytes.size() && holds_address(page(bytes, end)) == addresses);
      if (addresses) {
        content_event part = e;
        part.offset = e.offset + begin;
        part.bytes = end - begin;
        keep(part, std::span(bytes).subspan(begin, end - begin));
      } else {
        sizes_.hashed_bytes += end - begin;
        to_.add(pages_event{.is = e.is,
                            .memory = e.memory,
                            .offset = e.offset + begin,
                            .bytes = end - begin,
                            .hashes = std::move(hashes)});
      }
      begin = end;
    }
  }

  void keep(content_event e, std::span<const std::byte> bytes) {
    if (e.is == content_event::when::after) {
      sizes_.content_bytes += e.bytes;
    }
    e.content = to_.keep(bytes);
    if (e.mask) {
      e.mask = to_.keep(copy_of(from_.content(*e.mask, (e.bytes + 7) / 8)));
    }
    to_.add(e);
  }

  /// The reader's own bytes are those of one chunk at a time.
  static std::vector<std::byte> copy_of(std::span<const std::byte> bytes) {
    return {bytes.begin(), bytes.end()};
  }

  static std::span<const std::byte> page(std::span<const std::byte> bytes, std::size_t at) {
    return bytes.subspan(at, std::min<std::size_t>(format::page_bytes, bytes.size() - at));
  }

  /// Is one of its words an address inside of memory, or just behind it? `tilesim diff` takes it
  /// for one, too.
  [[nodiscard]] bool holds_address(std::span<const std::byte> bytes) const {
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size();
         at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, sizeof(word));
      const auto lies_in = [word](const auto& m) {
        return m.second.address <= word && word - m.second.address <= m.second.bytes;
      };
      if (word != 0 && std::ranges::any_of(memories_, lies_in)) {
        return true;
      }
    }
    return false;
  }

  struct extent {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
  };

  const recording_file& from_;
  writer& to_;
  const std::vector<bool> stays_;
  std::size_t at_ = 0;                       ///< the event that is being taken
  std::map<std::uint64_t, extent> memories_; ///< that live, by number
  compacted sizes_;
};

} // namespace

compacted compact(const recording_file& from, writer& to, const std::set<std::uint64_t>& keep) {
  return compacter(from, to, keep).run();
}

} // namespace tilesim::gpu
