// One performed operation, kept for showing: operands, result, and what it did to memory.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/step_protocol.hpp"
#include "sim/core/watcher.hpp"
#include "sim/expressions/value.hpp"
#include "sim/memory/written.hpp"
#include "sim/watch/buffers.hpp"
#include "sim/watch/journal.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tilesim::sim::step {

/// At most so many elements of a tile are kept and sent.
inline constexpr std::size_t most_captured = 4096;

/// An element that has read an older write than the newest, by the numbers of operations in the
/// run; 0: none that is known.
struct stale_element {
  std::size_t element = 0;
  std::uint64_t value = 0;
  std::uint64_t given = 0;  ///< the operation whose write it read,
  std::uint64_t passed = 0; ///< and the one whose write it passed over
};

struct captured_memory {
  bool reads = false;
  bool writes = false;
  bool strong = false; ///< has an order and a scope
  machine::memory_order order{};
  machine::memory_scope scope{};
  unsigned bytes = 0; ///< per element
  std::vector<std::uintptr_t> addresses;
  std::vector<std::uint8_t> active;    ///< one per address; empty: all
  std::vector<std::uint32_t> sources;  ///< per address: the operation whose write was read; 0: none
  std::vector<std::uint8_t> unwritten; ///< per address read: 1, nothing had written there
  std::vector<stale_element> stale;
  bool followed = false; ///< it is known of this memory whether something has written there
};

/// "pointers", "mask": what an operation takes.
struct captured_operand {
  std::string role; ///< empty: nothing more than an operand
  value what;
};

struct captured_operation {
  std::uint64_t number = 0; ///< which of the run, from 1
  std::string name;         ///< "addf"
  std::string spelling;     ///< "operator+", as the program wrote it; may be empty
  const void* site = nullptr;
  std::vector<captured_operand> operands;
  std::optional<value> result;
  /// Of a raw access that writes: what was there, and what is.
  std::optional<value> before, after;
  std::vector<captured_memory> memory;
};

[[nodiscard]] value capture(const machine::tile_type& type, const void* data);
[[nodiscard]] captured_memory
capture(const memory_event& e, const last_writers& writers, written_memory& written);
/// Operands and result. Elements that `into.memory` has masked out, and the unspecified ones of the
/// result, are marked.
void capture(captured_operation& into,
             const operation_event& e,
             const std::vector<std::size_t>& unspecified);

/// Marks the elements that have a place in memory and that nothing has written.
void mark_unwritten(value& v, written_memory& written);

/// What lies at the address, in the type of the buffer there, or else as unsigned integers.
[[nodiscard]] value
captured_bytes(const buffers& known, std::uintptr_t address, std::vector<std::uint8_t> bytes);

/// What an operation that accessed `address` says of the elements there: a pointer's type, or that
/// of a view's elements.
void note_element_type(buffers& known, std::uintptr_t address, const operation_event& e);

/// As the stepper gets it: types, shapes, texts of elements, pointers as buffer and index. With a
/// letter of formats.hpp, texts show the elements' bits.
[[nodiscard]] protocol::value message_of(const value& v,
                                         const buffers& known,
                                         std::size_t most = most_captured,
                                         std::optional<char> format = {});
/// Without its frames.
[[nodiscard]] protocol::operation message_of(const captured_operation& o, const buffers& known);

} // namespace tilesim::sim::step
