// What threads are to write, where memory is to hold something in the end: there, and in places
// from which it is copied there.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/interleaving.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace tilesim::memmodel::explore {

class wanted_memory;

using place_key = std::pair<std::uint64_t, std::uint32_t>;
[[nodiscard]] constexpr place_key key_of(const byte_range& b) noexcept {
  return {b.address, b.size};
}

class wishes {
public:
  wishes(const wanted_memory& wanted, threads& program);

  /// What a write is to leave there, as far as that is known.
  [[nodiscard]] std::optional<std::uint64_t> at(const byte_range& bytes) const;
  /// It may be written several times, and that value is to be the last.
  [[nodiscard]] bool is_last(const byte_range& bytes, std::uint64_t value) const;
  /// The store's block is not to write that value in any place like this one.
  [[nodiscard]] bool is_hopeless(const byte_range& bytes, std::uint64_t value) const;

  /// From an execution that has come to its end, whichever: which places are written once, and
  /// where values that are written were read before. True if that is news.
  bool learn(std::span<const interleaving::access> made);

  // --- Rows: a block's values are gathered in places of its own, and stored one behind the other
  // from where an update says that takes as many places.

  /// Executions have shown rows of several blocks.
  [[nodiscard]] bool some_rows() const noexcept;
  /// Divides what is to be there among the blocks in another way. False: there is no other.
  bool divide_anew();

private:
  using block = std::tuple<std::int32_t, std::int32_t, std::int32_t>;
  struct row {
    std::vector<place_key> sources; ///< by place of the row
    std::set<std::uint64_t> values; ///< that the block may write there
  };
  /// Rows that are taken from one array by updates of one number.
  struct row_family {
    byte_range taken; ///< the number
    std::uint64_t array = 0;
    std::uint32_t size = 0; ///< of an element
    std::map<block, row> rows;
  };
  struct part {
    const row* of;
    std::size_t begin;
    std::size_t end;
  };

  void find_open(std::span<const interleaving::access> made);
  void find_sources(std::span<const interleaving::access> made);
  void find_rows(std::span<const interleaving::access> made);
  void add_row(const interleaving::access& update,
               std::span<const std::size_t> stores,
               std::span<const interleaving::access> made);
  void find_divisions();
  void divide(const row_family& f, std::span<const std::uint64_t> all, std::vector<part>& so_far);

  const wanted_memory& wanted_;
  threads& program_;
  std::vector<place> places_;
  std::set<place_key> open_;
  std::map<place_key, std::uint64_t> derived_;
  std::map<std::size_t, std::size_t> copied_from_; ///< of accesses: a store, and its value's read
  std::vector<row_family> families_;
  std::optional<std::vector<std::vector<part>>> divisions_; ///< once they are looked for
  const row_family* divided_ = nullptr;                     ///< one of them; of that,
  std::vector<std::uint64_t> whole_;                        ///< what is to be in its array
  std::size_t next_division_ = 0;
  /// By source of a row: what its block may write in any of them.
  std::map<place_key, const std::set<std::uint64_t>*> allowed_;
  std::vector<std::set<std::uint64_t>> allowed_sets_;
};

} // namespace tilesim::memmodel::explore
