// What is defined: which bytes of device memory something has written, and who reads others.
//
// One watcher for whoever wants to know: `check` has it tell of such reads, the stepper asks it
// what it shows.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/watcher.hpp"
#include "sim/debug_info/pointer_holders.hpp"
#include "sim/memory/written.hpp"
#include "sim/watch/dropped_results.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace tilesim::sim {

class context;

class definedness final : public watcher {
public:
  /// `reports`: reads of what nothing has written are findings, where all that writes is seen.
  definedness(context& c, bool reports);

  [[nodiscard]] written_memory& known() noexcept { return known_; }

  [[nodiscard]] wanted_events wants() const override {
    return {.operations = false, .elements = false, .turns = false};
  }
  void memory(const memory_event& e) override;
  void host_access(const host_event& e) override;
  void copied(const copy_event& e) override;
  void freed(const allocation& a) override;
  void block_ends(const thread_block& b) override;

private:
  struct row {
    std::uintptr_t address;
    std::size_t first; ///< element of the tile
    std::size_t count;
  };

  void access(const memory_event& e, const row& r);
  void access_raw(const memory_event& e);
  /// Of bytes that nothing is known to have written: false where a store that no hook reports has
  /// been there.
  [[nodiscard]] bool holds_nothing(const memory_event& e, std::uintptr_t missing);
  /// The first byte of a range that is a value's and that nothing has written; padding stays so.
  /// Where nobody knows what lies there, what does not look like padding. `site`: who asks.
  [[nodiscard]] std::optional<std::uintptr_t>
  missing_value(std::uintptr_t at, std::size_t bytes, const void* site);
  /// What the memory holds, whose padding is known; nullptr: not known. `site`: not to be looked
  /// for again there.
  [[nodiscard]] const step::pointed_element* layout_of(std::uintptr_t address, const void* site);
  /// Of the allocation, which there is.
  [[nodiscard]] std::uintptr_t start_of(std::uintptr_t address) const;
  /// Whether such a read at this place is to be told, and has not been before.
  [[nodiscard]] bool is_new(const void* site);
  /// An exchange whose result nobody takes does no more than write.
  [[nodiscard]] bool only_writes(const memory_event& e);
  void
  tell(const void* site, std::uintptr_t address, const std::string& what, const std::string& who);

  context& context_;
  written_memory known_;
  bool reports_;
  dropped_results dropped_{calls::exchanges};
  std::map<unsigned, step::pointed_element> layouts_; ///< by allocation
  std::set<std::pair<unsigned, const void*>> no_layout_;
};

/// That of the context's run; one that reports nothing is attached if there is none.
[[nodiscard]] definedness& definedness_of(context& c);

} // namespace tilesim::sim
