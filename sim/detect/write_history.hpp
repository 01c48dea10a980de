// What strong writes have overwritten, and who has seen what of it: which writes a later strong
// read may still be given.
//
// Coherence order is the order of the execution. A read may then take any write but those that a
// later one hides: one which precedes the read in causality order, by base causality or since
// somebody has observed it before the read, at the same place. [PTX: causality, coherence] That is
// all: where reads and writes go by the order of the execution, no other axiom of the model can be
// broken by what a read takes, since nothing follows the read yet. (Updates take the newest write:
// atomicity.)
//
// Who is ordered before whom is the detector's to say. A place is a range that strong accesses
// always access as a whole; of bytes that they access in several ways only the newest is read.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/detect/clock.hpp"
#include "sim/detect/fence_order.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilesim::sim::detect {

/// A write, by who made it; of no operation: all that was there before. Those of a place follow one
/// another in the order of their names.
struct write_name {
  operation_id operation = 0;
  std::uint32_t element = 0;

  friend bool operator==(const write_name&, const write_name&) = default;
  friend auto operator<=>(const write_name&, const write_name&) = default;
};

/// Whatever was written last.
inline constexpr write_name newest_write{~operation_id{0}, ~std::uint32_t{0}};

/// A write that was overwritten.
struct older_value {
  write_name name;
  std::uint64_t value = 0; ///< what it wrote: its low bytes
};

/// Why nothing older than what a strong read may be given can be read.
struct older_bound {
  enum class cause : std::uint8_t {
    nothing,  ///< there is nothing older that is known of
    write,    ///< `by` comes before the read, and hides what it has overwritten
    read,     ///< `by` comes before the read, and has observed `seen`, which hides what that has
    sizes,    ///< the bytes are strongly accessed in several sizes
    forgotten ///< more was overwritten than is kept
  };
  cause why{};
  write_name by;
  write_name seen;
  std::size_t hidden = 0; ///< overwritten writes that are kept and may not be read
};

class write_histories {
public:
  /// So many writes that were overwritten are kept of a place,
  static constexpr std::size_t most_older = 32;
  /// and so many of all places together.
  static constexpr std::size_t most_kept = std::size_t{1} << 20U;

  /// A strong write to a place that has held `before`. False if too much is kept.
  bool written(std::uintptr_t address, std::uint32_t bytes, write_name by, std::uint64_t before);

  /// What a strong write is about to overwrite, or a strong read to see: the last one.
  [[nodiscard]] write_name newest(std::uintptr_t address, std::uint32_t bytes) const;

  /// An agent's strong read, element `by`, has observed a write: who comes after the read is given
  /// nothing older.
  void observed(
      std::uintptr_t address, std::uint32_t bytes, agent_id agent, write_name by, write_name seen);

  /// A strong read takes an older write, by whom fences precede.
  void read_behind_fences(std::uintptr_t address,
                          std::uint32_t bytes,
                          write_name source,
                          const detect::place& by,
                          const fence_clocks& past);
  /// Adds to the fences that precede an access those that precede them because a read has come
  /// before a newer write. `knows(clock, name)`: whether that element of an operation is in a
  /// clock. Whether that are any that were not among them.
  template <class Knows>
  bool put_late_fences_before(fence_clocks& past, const Knows& knows) const {
    bool more = forgotten_late_.put_before(past, [](const clock&) { return true; });
    for (const auto& [address, bytes] : late_places_) {
      const place* const p = find(address, bytes);
      more = (p != nullptr && put_late_before(*p, past, knows)) || more;
    }
    return more;
  }
  /// All of them, for whoever has none of this any more.
  [[nodiscard]] late_fences all_late_fences() const;

  /// Strong accesses of another range than a place's: from now on the newest is read there.
  void accessed(std::uintptr_t address, std::uint32_t bytes);
  /// Weak writes: who reads later, without a race, comes after them.
  void overwritten(std::uintptr_t address, std::size_t bytes);
  void forget(std::uintptr_t begin, std::uintptr_t end);

  /// Adds what a strong read may be given but the newest write, the newest of these first.
  /// `precedes(name)`: whether that element of an operation is ordered before the read. `bound`:
  /// gets to know why there is nothing older, for who asks.
  template <class Precedes>
  void readable(std::uintptr_t address,
                std::uint32_t bytes,
                Precedes precedes,
                std::vector<older_value>& out,
                older_bound* bound = nullptr) const {
    const place* const p = find(address, bytes);
    if (p == nullptr) {
      if (bound != nullptr && has_several_sizes(address, bytes)) {
        bound->why = older_bound::cause::sizes;
      }
      return;
    }
    // The first that may be read: none is hidden by what precedes the read itself,
    std::size_t first = p->older.size();
    const write_name* hides = first != 0 && precedes(p->newest) ? &p->newest : nullptr;
    while (hides == nullptr && first > 0) {
      --first;
      if (p->older[first].name.operation != 0 && precedes(p->older[first].name)) {
        hides = &p->older[first].name;
      }
    }
    // nor by what was observed before it.
    const mark* seen = nullptr;
    for (const auto& [agent, marks] : p->readers) {
      for (const mark& m : marks) {
        if (m.seen > p->dropped + first && precedes(m.by)) {
          first = m.seen - p->dropped;
          seen = &m;
        }
      }
    }
    for (std::size_t i = p->older.size(); i-- > first;) {
      out.push_back(p->older[i]);
    }
    if (bound != nullptr) {
      *bound = bound_of(*p, first, hides, seen);
    }
  }

private:
  /// That an agent's read has observed write number `seen` of a place.
  struct mark {
    write_name by;
    std::size_t seen = 0;
  };
  struct place {
    std::uintptr_t address = 0;
    std::uint32_t bytes = 0;
    bool several_sizes = false;     ///< then nothing else is known
    std::size_t dropped = 0;        ///< older writes that are kept no longer
    std::vector<older_value> older; ///< in the order of the execution
    write_name newest;
    std::unordered_map<agent_id, std::vector<mark>> readers; ///< in the order of the execution
    /// By the number of the write that they took, the fences before reads of it and of older ones.
    std::vector<std::pair<std::size_t, late_fences>> late;
  };
  using group = std::vector<place>; ///< within eight bytes, which hold every strong access

  [[nodiscard]] const place* find(std::uintptr_t address, std::uint32_t bytes) const;
  [[nodiscard]] bool has_several_sizes(std::uintptr_t address, std::uint32_t bytes) const;
  /// What hides the writes before the `first` that may be read.
  [[nodiscard]] static older_bound
  bound_of(const place& p, std::size_t first, const write_name* hides, const mark* seen);
  [[nodiscard]] place& made(std::uintptr_t address, std::uint32_t bytes);
  /// As put_late_fences_before(), of one place.
  template <class Knows>
  static bool put_late_before(const place& p, fence_clocks& past, const Knows& knows) {
    bool more = false;
    clock last; // those of several kinds of fences are often the same
    std::size_t newest = 0;
    for (auto at = p.late.rbegin(); at != p.late.rend(); ++at) {
      const std::size_t source = at->first;
      const auto knows_newer = [&](const clock& c) {
        if (!c.same(last)) {
          last = c;
          newest = newest_known(p, c, knows);
        }
        return newest > source;
      };
      more = at->second.put_before(past, knows_newer) || more;
    }
    return more;
  }
  /// The number of the newest write that a clock has, or of which it has an observation.
  template <class Knows>
  static std::size_t newest_known(const place& p, const clock& c, const Knows& knows) {
    std::size_t i = p.older.size();
    bool known = knows(c, p.newest);
    while (!known && i > 0) {
      --i;
      known = p.older[i].name.operation != 0 && knows(c, p.older[i].name);
    }
    std::size_t newest = p.dropped + i;
    for (const auto& [agent, marks] : p.readers) {
      for (const mark& m : marks) {
        newest = m.seen > newest && knows(c, m.by) ? m.seen : newest;
      }
    }
    return newest;
  }
  template <class F>
  void each_overlapping(std::uintptr_t begin, std::uintptr_t end, F f);
  void drop(place& p);
  void forget_late(place& p);

  std::unordered_map<std::uintptr_t, group> groups_; ///< by address / 8
  std::size_t kept_ = 0;
  std::vector<std::pair<std::uintptr_t, std::uint32_t>> late_places_; ///< that have such fences
  /// Of what newer writes are not known any more: those are taken to be known to everybody.
  late_fences forgotten_late_;
};

} // namespace tilesim::sim::detect
