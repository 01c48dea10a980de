// What runs that differ lead to: of findings that no run makes by itself, since they come of two
// runs that are held against each other, the operations of this one that a person wants to stand
// at.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/step_protocol.hpp"
#include "sim/core/watcher.hpp"
#include "sim/step/run_record.hpp"

#include <cstddef>
#include <cstdint>
#include <map>

namespace tilesim::sim::step {

class leads {
public:
  explicit leads(const run_record& run)
      : run_(run) {}

  /// The operation under way leaves elements unspecified.
  void left_unspecified();
  /// What it reads is an older write.
  void took_older(const stale_event& e);
  /// What it prints the host gets to see.
  void operation(const operation_event& e);
  /// Host code reads memory that kernels have written, or gets a copy of it.
  void host_access(const host_event& e);
  void copied(const copy_event& e);

  /// Of values left open the first operation at each place; of older writes, and of what host code
  /// gets at each of its places, the last.
  [[nodiscard]] protocol::lead_list all() const;

  /// The operation of a kernel's that a finding of host code speaks of: the other side of a race,
  /// or who wrote the memory last; 0: none.
  [[nodiscard]] std::uint64_t operation_behind(const void* site, const finding_text& f) const;

private:
  void shown(const void* site, std::uintptr_t address, std::size_t bytes);
  void add(protocol::lead_list& to, protocol::lead what) const;

  const run_record& run_;
  std::map<const void*, std::uint64_t> open_;  ///< by the operation's return address
  std::map<const void*, std::uint64_t> stale_; ///< likewise
  std::map<const void*, std::uint64_t> shown_; ///< by the host's; nullptr: printed by a kernel
};

} // namespace tilesim::sim::step
