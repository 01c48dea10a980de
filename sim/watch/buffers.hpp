// Allocations under the names of the variables that hold them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/value.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::sim {
class context;
struct allocation;
} // namespace tilesim::sim

namespace tilesim::sim::step {

struct buffer {
  /// "bins", "parts[3]", "s.data"; a later one of the same name is "bins#2". Of one that no
  /// variable holds: "buffer#5", after the allocation's number.
  std::string name;
  const allocation* memory = nullptr;
  std::optional<value_type> element; ///< once known
  std::size_t object_bytes = 0; ///< of objects of a class, as which the variable has them; else 0
  /// Elements, of one byte while their type is not known.
  [[nodiscard]] std::size_t count() const noexcept;
};

class buffers {
public:
  explicit buffers(context& c)
      : context_(c) {}

  /// An operation accessed elements of this type at `address`.
  void accessed(std::uintptr_t address, element kind, bool is_unsigned);

  [[nodiscard]] const buffer* find(std::string_view name) const;
  /// The buffer that holds the address, dead or alive; nullptr if none does.
  [[nodiscard]] const buffer* holding(std::uintptr_t address) const;
  [[nodiscard]] std::vector<const buffer*> all() const;

  /// Buffers that are named as elements or members of this one: "outs[0], outs[1]"; empty if none
  /// are.
  [[nodiscard]] std::string parts_of(std::string_view name) const;

  /// The type of the elements at an address, once known; nothing of no buffer's.
  [[nodiscard]] std::optional<value_type> element_at(std::uintptr_t address) const;

  /// "bins[3]", "bins[3] + 1 byte", or the bare address. Objects of a class are counted whole, as
  /// in expressions and reports.
  [[nodiscard]] std::string describe(std::uintptr_t address) const;

private:
  /// Names are those that the host's variables give now (sim/naming/buffer_names).
  void refresh() const;

  context& context_;
  mutable std::uint64_t version_ = 0;
  mutable std::map<unsigned, buffer> by_id_; ///< by the allocation's number
  mutable std::map<std::string, unsigned, std::less<>> by_name_;
  std::map<unsigned, value_type> accessed_; ///< what operations have taken an allocation for
};

} // namespace tilesim::sim::step
