// What strong reads of kernels are given: offered by the detector, chosen by a read_choices, told
// in words.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/schedule_string.hpp"
#include "sim/detect/detector.hpp"
#include "sim/engines/race_report.hpp"
#include "sim/engines/read_choices.hpp"
#include "sim/memory/read_offers.hpp"

#include <tilesim/report.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tilesim::sim {

class context;
struct sim_thread;

class strong_reads {
public:
  /// No `choices`: every read takes the newest write.
  strong_reads(context& c,
               detect::detector& d,
               const race_report& words,
               std::unique_ptr<read_choices> choices);

  /// What is overwritten has to be kept.
  [[nodiscard]] bool keeps_writes() const;
  /// Whether reads may still be given older writes. Not while it is looked at all that the blocks
  /// do, which judges what goes on for ever by what memory holds.
  [[nodiscard]] bool chooses();

  /// A strong read of one element by a thread, about to be made, which waits for these (nullptr: it
  /// is in program order): the older write that it is given; nothing: the newest.
  std::optional<detect::older_value> choose(sim_thread& t,
                                            const machine::ordered_after* after,
                                            std::size_t element,
                                            std::uintptr_t address,
                                            std::uint32_t bytes);

  // --- As of memory_engine

  [[nodiscard]] std::string made() const;
  [[nodiscard]] std::vector<stale_read> explained(std::size_t most) const;
  [[nodiscard]] std::optional<std::string> unfollowed(bool over) const;
  [[nodiscard]] bool lets_choose() const noexcept;
  void choose(const std::vector<chosen_read>& all);
  [[nodiscard]] std::vector<offered_read> offers(sim_thread& t, const coming_read& r);
  [[nodiscard]] std::vector<offered_read> were_offered(const sim_thread& t,
                                                       std::uint64_t operation) const;

private:
  /// What a strong read of an element could be given, as the detector knows it.
  struct known_offer {
    std::size_t element = 0;
    std::uintptr_t address = 0;
    std::uint32_t bytes = 0;
    std::uint64_t launch = 0;
    std::uint64_t thread = 0; ///< linear
    std::uint64_t number = 0; ///< of its strong reads
    detect::write_name newest;
    std::uint64_t value = 0; ///< of the newest
    std::vector<detect::older_value> older;
    detect::older_bound bound;
    std::size_t takes = 0; ///< writes that it passes over
  };
  /// A read that was given an older write.
  struct stale_access {
    stale_choice which;
    detect::operation_id read = 0;
    detect::write_name given;
    detect::write_name passed; ///< the newest write
    std::uintptr_t address = 0;
    std::string place; ///< what lies there, where that was looked for
    std::uint32_t bytes = 0;
    std::uint64_t value = 0;  ///< that it was given,
    std::uint64_t newest = 0; ///< and that was passed over
  };
  /// What the last strong read of a thread could have been, where a person chooses.
  struct made_reads {
    std::uint64_t operation = 0; ///< its number in the run
    std::vector<known_offer> reads;
  };
  /// Names are known while the kernel runs, and take long to look for.
  static constexpr std::size_t most_named = 8;

  static void begin(known_offer& o,
                    const sim_thread& t,
                    std::size_t element,
                    std::uintptr_t address,
                    std::uint32_t bytes);
  [[nodiscard]] detect::operation about(const sim_thread& t, const machine::ordered_after* after);
  void look_at(sim_thread& t,
               const machine::ordered_after* after,
               known_offer& o,
               const memmodel::scope* fence);
  static void decide(read_choices& choices, known_offer& o);
  void remember(const sim_thread& t, const known_offer& o);
  [[nodiscard]] detect::older_value give(const sim_thread& t, const known_offer& o);
  [[nodiscard]] stale_read explain(const stale_access& s) const;
  [[nodiscard]] offered_read explain(const known_offer& o) const;
  [[nodiscard]] std::string write_and_place(const detect::write_name& w) const;
  [[nodiscard]] std::string bound_text(const detect::older_bound& b) const;

  context& context_;
  detect::detector& detector_;
  const race_report& words_;
  std::unique_ptr<read_choices> choices_;
  std::vector<stale_access> stale_;
  known_offer offer_;                                  ///< of the read under way
  std::unordered_map<std::uint64_t, made_reads> made_; ///< by the thread's number
  std::vector<std::uintptr_t> addresses_;              ///< of a coming read
  std::vector<std::uint8_t> active_;
  std::vector<detect::token> tokens_; ///< that it waits for
};

} // namespace tilesim::sim
