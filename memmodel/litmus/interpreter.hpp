// One thread of a litmus test, instruction by instruction: what it computes, where it accesses
// memory and with what dependencies. What its reads take is for others to say.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/traces.hpp"

#include <optional>

namespace tilesim::memmodel::litmus {

/// Elements, and for each the reads that its value depends on.
struct register_value {
  std::vector<value> elements{0};
  std::vector<read_set> reads{0};

  register_value() = default;
  explicit register_value(std::vector<value> v)
      : elements(std::move(v))
      , reads(elements.size(), 0) {}

  [[nodiscard]] value at(std::size_t i) const { return elements[elements.size() == 1 ? 0 : i]; }
  [[nodiscard]] read_set reads_at(std::size_t i) const { return reads[reads.size() == 1 ? 0 : i]; }
};

struct loop_entry {
  std::vector<register_value> registers;
  std::uint32_t event = 0;
};

/// How far one thread has come.
struct run_state {
  std::uint32_t pc = 0;
  std::vector<register_value> registers;
  read_set ctrl = 0;
  std::uint32_t reads = 0;
  std::uint32_t step = 0; ///< instructions begun
  std::vector<trace_event> events;
  std::vector<std::vector<write_set>> origins;    ///< by event; of reads: of the value
  std::vector<std::uint32_t> read_events;         ///< by read
  std::map<std::uint32_t, std::uint32_t> rounds;  ///< by instruction: how often it began
  std::map<std::uint32_t, std::uint32_t> jumps;   ///< backward branches taken, by their place
  std::map<std::uint32_t, loop_entry> iterations; ///< by loop head: how its running iteration began
};

/// Where a thread stops to access memory, or why it does so no more.
struct next_access {
  const instruction* at = nullptr; ///< a load, store, rmw, fence or barrier; nullptr: none
  trace_end end = trace_end::finished;
  std::uint32_t last_iteration = 0; ///< spinning: the first event of the last iteration
};

class interpreter {
public:
  /// A loop's body is run at most `bound` times in a row. The test outlives the interpreter.
  interpreter(const test& t, std::uint32_t thread, std::uint32_t bound);

  [[nodiscard]] run_state start() const;
  /// Computes up to the next access. Whoever performs it counts the program counter on.
  [[nodiscard]] next_access advance(run_state& s) const;

  [[nodiscard]] static std::size_t elements(const run_state& s, const instruction& i) {
    return get(s, i.address.index).elements.size();
  }
  /// Whether an element takes part.
  [[nodiscard]] static bool active(const run_state& s, const instruction& i, std::size_t element) {
    return !i.mask || checked(get(s, *i.mask), element, i, "mask") != 0;
  }
  /// What an element gets that takes no part.
  [[nodiscard]] static value
  masked_out(const run_state& s, const instruction& i, std::size_t element);
  /// The bytes of an element. @throws program_error
  [[nodiscard]] byte_range
  range(const run_state& s, const instruction& i, std::size_t element) const;

  /// Adds the read of an element that takes `old`; gives the reads that its result depends on.
  read_set read(run_state& s, const instruction& i, std::size_t element, value old) const;
  /// Adds the write half of an rmw whose read has just been added; false: it has none.
  bool modify(run_state& s, const instruction& i, std::size_t element, value old) const;
  /// Adds the write of a store's element.
  void write(run_state& s, const instruction& i, std::size_t element) const;
  static void fence(run_state& s, const instruction& i) { add_event(s, i, event_kind::fence); }
  static void barrier(run_state& s, const instruction& i);
  /// The result goes into one register, or an element each into several.
  static void deliver(run_state& s, const instruction& i, register_value result);
  /// What a masked-out element's result depends on.
  [[nodiscard]] static read_set
  mask_reads(const run_state& s, const instruction& i, std::size_t element) {
    return i.mask ? get(s, *i.mask).reads_at(element) : 0;
  }

private:
  static trace_event& add_event(run_state& s, const instruction& i, event_kind kind);
  [[nodiscard]] static register_value get(const run_state& s, const operand& o);
  [[nodiscard]] static value scalar(const run_state& s, const operand& o);
  [[nodiscard]] static read_set
  address_reads(const run_state& s, const instruction& i, std::size_t element);
  [[nodiscard]] static value
  checked(const register_value& v, std::size_t element, const instruction& i, const char* what);
  void memory_event(run_state& s,
                    const instruction& i,
                    event_kind kind,
                    std::size_t element,
                    value v,
                    read_set data) const;
  static void compute(run_state& s, const instruction& i);
  [[nodiscard]] std::optional<next_access> branch(run_state& s, const instruction& i) const;

  const test* test_;
  const thread* thread_;
  std::uint32_t bound_;
  std::vector<bool> heads_; ///< where loops begin
};

} // namespace tilesim::memmodel::litmus
