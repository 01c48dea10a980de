// What is explored: threads that can be run again, as far as they have come, with the values that
// their reads are to take.
//
// Whoever explores asks a thread for its next instruction; the thread answers from the values
// alone, the same each time. Litmus programs and kernels stand behind it alike.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"
#include "memmodel/read_set.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilesim::memmodel::explore {

/// What a thread does next.
enum class step_kind : std::uint8_t {
  load,
  store,
  update, ///< reads, then may write what it makes of that
  fence,
  barrier,
  end,  ///< the thread has come to its end
  stuck ///< it goes no further: a loop was cut, or waits for another value than it has read
};

/// A store, or the write half of an update.
struct written {
  std::uint64_t value = 0;
  read_set depends = 0;
};

/// An instruction accesses its elements in any order.
struct element {
  std::uint32_t number = 0; ///< event::element
  byte_range bytes;
  written store;        ///< of a store
  read_set depends = 0; ///< of a read: its address, and whether it is made
  /// Whoever explores keeps here how it calls these bytes.
  mutable std::uint32_t place = ~std::uint32_t{0};
};

struct instruction {
  step_kind kind = step_kind::end;
  std::uint32_t number = 0;                ///< event::instruction: grows along the thread
  const instruction_set* beside = nullptr; ///< event::beside
  memory_order order = memory_order::weak;
  memory_order write_order = memory_order::weak; ///< of an update's write half
  memmodel::scope scope = memmodel::scope::sys;
  bool reduction = false;
  /// Of a load: it waits for a write of each element, and takes that.
  bool awaits = false;
  bool halted = false; ///< stuck whatever its reads take: something has ended it
  std::vector<element> elements;

  // Barriers.
  std::uint64_t barrier = 0;  ///< which: threads that meet have the same
  std::uint32_t expected = 0; ///< so many threads complete it
  bool waits = false;
};

/// Thrown for what exploration does not cover: a limit of this tool's, and what meets it.
struct not_explored {
  std::string what;
};

/// The threads of a program. `values`: what the thread's reads have taken so far, in order.
class threads {
public:
  threads() = default;
  virtual ~threads() = default;
  threads(const threads&) = delete;
  threads& operator=(const threads&) = delete;

  [[nodiscard]] virtual std::vector<place> places() const = 0;
  /// What is there before all threads, low byte first.
  [[nodiscard]] virtual std::uint64_t initial(const byte_range& bytes) const = 0;

  /// The instruction of `thread` behind those whose reads have taken `values`; `performed` of them.
  [[nodiscard]] virtual std::shared_ptr<const instruction>
  next(thread_id thread, std::span<const std::uint64_t> values, std::size_t performed) = 0;

  /// What the element of an update writes that has read `old`, where the instruction is next()'s
  /// for these values; nothing: it does not write.
  [[nodiscard]] virtual std::optional<written> modified(thread_id thread,
                                                        std::span<const std::uint64_t> values,
                                                        std::size_t performed,
                                                        const instruction& i,
                                                        std::size_t element,
                                                        std::uint64_t old) = 0;

  /// A number for each thread: threads of the same number are alike, which means that each does
  /// what the other would do if its reads took the same, and that to all others it makes no
  /// difference which of them it is. Where threads come in groups that are alike as wholes, one of
  /// each group, the one that does the same in each, has a number with others; what groups have for
  /// themselves goes with them. Empty: none are.
  [[nodiscard]] virtual std::vector<std::uint32_t> alike() const { return {}; }

  /// What writes of other threads from `from` on, and its own that do not come behind the read in
  /// program order, might make at the bytes of an element that `thread` reads, in any execution: a
  /// read may take it before it is made. Empty where the read has no write behind it, or none of
  /// theirs a read before it: then nothing comes back to it.
  [[nodiscard]] virtual std::vector<std::uint64_t>
  promises(thread_id thread, thread_id from, const instruction& i, const element& e) = 0;

  /// Whether threads come behind others by reads alone that may be promised what they take, in all
  /// executions: at no barrier, and by no read that awaits. A circle then has a read that takes
  /// from a later thread.
  [[nodiscard]] virtual bool only_reads() const { return false; }

  static constexpr std::uint32_t any_number = ~std::uint32_t{0};
  /// At most so many writes `writer` makes at these bytes behind a read in one execution: of that
  /// value, or of any. `any_number`, too, where some of them are not morally strong to all strong
  /// accesses of device scope by other threads.
  [[nodiscard]] virtual std::uint32_t most_writes(thread_id /*writer*/,
                                                  const byte_range& /*bytes*/,
                                                  std::optional<std::uint64_t> /*value*/) {
    return any_number;
  }
};

} // namespace tilesim::memmodel::explore
