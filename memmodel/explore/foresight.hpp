// What a thread's next move would come to, held against what is to be written.
//
// A move is what a thread does from a strong read on, up to the first one behind something that it
// has updated, with all that then follows by itself. Of an instruction of several elements each
// element is a move.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/interleaving.hpp"
#include "memmodel/explore/wishes.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tilesim::memmodel::explore {

/// The best last.
enum class effect : std::uint8_t {
  waits,    ///< the thread would wait for another value
  contrary, ///< it writes what is not to be there
  last,     ///< … what is to be there in the end, where others may write, too
  neutral,
  agreeing ///< it writes what is to be there
};

class foresight {
public:
  foresight(threads& program, const wishes& all, interleaving& of)
      : program_(program)
      , wishes_(all)
      , of_(of) {}

  /// By element of the instruction that the thread stands before, as memory is now; of elements
  /// that have been accessed nothing is said.
  [[nodiscard]] const std::vector<effect>& of(thread_id t);
  /// Makes a move. False: the thread would wait for another value; it is to be taken back.
  bool make(thread_id t, std::size_t element);

private:
  struct foreseen {
    std::size_t performed = 0;
    std::vector<std::uint64_t> values; ///< that the thread's reads have taken before
    std::vector<effect> by_element;
    std::vector<std::pair<byte_range, std::uint64_t>> read; ///< so it is while these hold that
    /// Of a contrary one: what it has read first, and the store that made it one.
    std::optional<std::pair<interleaving::access, interleaving::access>> because;
    /// Then it is so while this does not hold that.
    std::optional<std::pair<byte_range, std::uint64_t>> needs;
    bool hopeless = false; ///< it is so whenever it comes
  };
  /// By instruction behind the one that reads, up to the next one that does.
  using stores = std::vector<std::vector<element>>;
  /// By element: the stores behind it that would be others if it read something else.
  using influences = std::vector<std::vector<std::pair<std::size_t, std::size_t>>>;

  [[nodiscard]] bool stands_there(const foreseen& f, thread_id t) const;
  [[nodiscard]] bool is_so(const foreseen& f, thread_id t) const;
  [[nodiscard]] foreseen try_last(thread_id t);
  [[nodiscard]] foreseen try_elements(thread_id t);
  [[nodiscard]] std::optional<std::pair<byte_range, std::uint64_t>>
  needed(const foreseen& before, const foreseen& now) const;
  [[nodiscard]] effect of_update(thread_id t, std::size_t element, std::uint64_t read) const;
  [[nodiscard]] effect judge(std::size_t from, foreseen& f) const;
  [[nodiscard]] stores stores_behind(thread_id t, std::span<const std::uint64_t> taken);
  const influences& influence(thread_id t, std::span<const std::uint64_t> taken);

  threads& program_;
  const wishes& wishes_;
  interleaving& of_;
  std::map<thread_id, foreseen> known_;
  std::map<std::pair<thread_id, std::size_t>, influences> influences_;
};

} // namespace tilesim::memmodel::explore
