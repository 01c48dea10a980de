// Synchronisation through memory: what releases hand on, and what acquires take from them.
//
// A release pattern ends in a strong write, an acquire pattern begins with a strong read that
// observes it, directly or through read-modify-writes; every link and the two ends are morally
// strong.  [PTX: release and acquire patterns, synchronizes] So what a write hands on is kept with
// the range that it wrote, each part with the scope of the release that it comes from.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"
#include "sim/detect/clock.hpp"
#include "sim/detect/fence_order.hpp"
#include "sim/detect/place.hpp"
#include "sim/detect/write_history.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilesim::sim::detect {

/// A range within an aligned group of eight bytes, which holds every strong access of an element.
struct byte_range {
  std::uint8_t offset = 0;
  std::uint8_t size = 0; ///< 0: no memory, a fence

  [[nodiscard]] constexpr std::uint8_t bits() const noexcept {
    return static_cast<std::uint8_t>(((1U << size) - 1U) << offset);
  }
  friend bool operator==(const byte_range&, const byte_range&) = default;
  friend auto operator<=>(const byte_range&, const byte_range&) = default;
};

/// What releases of one kind order before those who acquire from them.
struct release_head {
  enum class kind : std::uint8_t { device_gpu, device_sys, host_gpu, host_sys, own_block };

  byte_range range; ///< the release's own: the two ends overlap completely, if both are accesses
  kind from{};      ///< where it was performed, and its scope
  knowledge before;
};
using release_heads = std::vector<release_head>;

/// The releases of one agent, at one range or by fences.
struct own_releases {
  knowledge gpu;   ///< what those of exactly device scope order
  knowledge sys;   ///< … of system scope
  knowledge block; ///< … of any scope

  void add(memmodel::scope s, const knowledge& before);
  void add(const own_releases& other);
  /// One that orders all that those before it do.
  void follow(memmodel::scope s, const knowledge& before);
  /// Whether a release of this scope reaches all whom these reach.
  [[nodiscard]] bool reach_no_further(memmodel::scope s) const noexcept {
    return s == memmodel::scope::sys || (holds_device(s) && sys.empty());
  }
};

/// What observing a strong write hands on.
struct message {
  release_heads wide; ///< by releases whose scope holds other blocks
  std::map<std::pair<agent_id, byte_range>, knowledge>
      blocks; ///< by any of a block of several agents

  [[nodiscard]] bool empty() const noexcept { return wide.empty() && blocks.empty(); }
  void add(byte_range range, const place& by, const own_releases& releases);
  /// The same, where the releases order all that is there of their kind and range.
  void replace(byte_range range, const place& by, const own_releases& releases);
};

class synchronization {
public:
  /// Whether writes that were overwritten hand on what they did, to who still reads them: as many
  /// of a range as write_histories keeps.
  void keep_older(bool keep);

  /// An element of a strong access.
  struct access {
    operation_id operation = 0; ///< elements of one are not ordered
    agent_id agent = 0;
    place at;
    memmodel::scope scope = memmodel::scope::sys;
    std::uintptr_t address = 0;
    std::uint32_t bytes = 0;
    bool reads = false;
    bool writes = false;
    bool acquires = false;
    std::uint32_t element = 0;
    bool single = false;                ///< its operation has no other
    const write_name* source = nullptr; ///< what it reads, if that is not the newest write
    write_name newest{};                ///< of the range, where older ones are kept
    /// Where tokens order its agent's operations: whether it waits for one of them. Else nullptr:
    /// it comes after all of them.
    const std::function<bool(operation_id)>* waits_for = nullptr;
  };

  /// The acquire pattern that ends in an element: what is ordered before it by what it reads, and
  /// by what its agent read there before without acquiring.
  [[nodiscard]] knowledge acquired_by(const access& a);

  /// The release pattern that ends in an element: its own release (`released`: all that is ordered
  /// before it; nullptr if it is none), its agent's earlier ones there and by fences, and, of a
  /// read-modify-write, what it read hands on. True if this is the first that the eight bytes hand
  /// on.
  bool hand_on(const access& a, const knowledge* released);

  /// What an element comes to await of sequentially consistent fences; it leaves `past`, those that
  /// precede it (nullptr: none), at its place. Before hand_on(). True as there.
  bool communicate(const access& a, const fence_clocks* past, fence_clocks& awaited);

  /// Nothing has been released so far.
  [[nodiscard]] bool empty() const noexcept { return groups_.empty() && fences_.empty(); }

  /// Weak writes hand nothing on.
  void overwritten(std::uintptr_t address, std::size_t bytes);
  /// Nothing that happened there concerns what comes.
  void forget(std::uintptr_t begin, std::uintptr_t end);

  /// A release fence, after `released`.
  void release_fence(agent_id agent, memmodel::scope s, const knowledge& released);
  /// An acquire fence: what is ordered before it by all that its agent has read.
  [[nodiscard]] knowledge acquire_fence(agent_id agent, const place& at, memmodel::scope s) const;
  /// What earlier sequentially consistent fences put before one, whose scopes and its own include
  /// each other's agents.  [PTX: Fence-SC order]
  [[nodiscard]] clock fenced_before(const place& at, memmodel::scope s) const;
  /// Such a fence, after `before`: the same.
  [[nodiscard]] clock order_fence(const place& at, memmodel::scope s, const knowledge& before);

private:
  /// An agent's releases at a range. Its later strong writes hand them on, those of the same
  /// operation do not.
  struct releases_here {
    own_releases earlier;
    own_releases latest;
    operation_id operation = 0;                                   ///< that the latest belong to
    std::vector<std::pair<operation_id, own_releases>> by_tokens; ///< of an agent that has such

    [[nodiscard]] own_releases before(const access& a);
    void add(const access& a, const own_releases& now);
    /// One that orders all that those before it do, and reaches as far.
    void follow(const access& a, const own_releases& now);
    [[nodiscard]] bool reach_no_further(memmodel::scope s) const noexcept {
      return earlier.reach_no_further(s) && latest.reach_no_further(s);
    }
  };

  /// What an agent's strong reads of a range observed, for its later acquires: those of the same
  /// operation are not among them.
  struct reads_here {
    release_heads earlier;
    release_heads latest;
    operation_id operation = 0;                                    ///< that the latest belong to
    std::vector<std::pair<operation_id, release_heads>> by_tokens; ///< of an agent that has such

    release_heads& before(operation_id o);
    release_heads by_tokens_before(const access& a, const release_heads& own);
  };

  /// Of what an agent did at a place in an order by tokens, so many are kept apart; of the others
  /// it is taken that all that comes later has waited for them.
  static constexpr std::size_t most_apart = 16;

  /// A write that was overwritten and that hands something on.
  struct older_write {
    write_name name;
    place by;
    memmodel::scope scope = memmodel::scope::sys;
    message handed_on;
    fences_of_place fences;
  };

  /// Only ranges that overlap one that hands something on have it.
  struct range_state {
    byte_range range;

    // The last strong write.
    place by;
    memmodel::scope scope = memmodel::scope::sys;
    std::uint8_t unchanged = 0; ///< its bytes that nothing has overwritten since
    write_name name;
    message handed_on;
    std::vector<older_write> older; ///< that strong writes of the range have overwritten
    fences_of_place fences;

    std::map<agent_id, releases_here> released;
    std::map<agent_id, reads_here> observed;
  };
  using group = std::vector<range_state>; ///< the ranges within eight bytes

  [[nodiscard]] group* find(std::uintptr_t address);
  [[nodiscard]] static bool observes(const access& a, const range_state& s) noexcept;
  /// What an access observes of a range; nullptr: nothing.
  [[nodiscard]] static const message* observed_by(const access& a, const range_state& s) noexcept;
  [[nodiscard]] static const fences_of_place* fences_before(const access& a,
                                                            const range_state& s) noexcept;
  static void leave_fences(const access& a, range_state& s, const fence_clocks& past);
  [[nodiscard]] static bool
  takes(const access& a, byte_range range, const release_head& h) noexcept;
  void observe(const access& a, range_state& s, const message& seen, bool overlaps, knowledge& to);
  void keep(range_state& s) const;
  void release(const access& a,
               range_state& at,
               const knowledge& released,
               bool covers,
               bool covers_own,
               message& handed_on);

  std::unordered_map<std::uintptr_t, group> groups_; ///< by address / 8
  std::unordered_map<agent_id, own_releases> fences_;
  std::unordered_map<agent_id, release_heads> read_; ///< by agents that may perform fences
  bool some_narrow_ = false;                         ///< some release's scope holds its block alone
  message fence_order_;                              ///< what sequentially consistent fences follow
  bool keeps_older_ = false;
};

} // namespace tilesim::sim::detect
