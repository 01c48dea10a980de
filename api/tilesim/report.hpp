// Findings as data: what a run found, before any of it is text.
//
// sim/findings/findings.cpp collects them, sim/findings/report_text.cpp renders them. A leaf.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tilesim {

enum class finding_kind : ::std::uint8_t {
#define TILESIM_FINDING(kind, code, title) kind,
#include <tilesim/findings.def>
};

inline constexpr ::std::size_t finding_kinds = 0
#define TILESIM_FINDING(kind, code, title) +1
#include <tilesim/findings.def>
    ;

/// What a kind means for a run.
enum class finding_class : ::std::uint8_t {
  defect,    ///< always reported
  undefined, ///< reported unless --no-ub names it
  note,      ///< reported if --notes names it; leaves the exit status alone
  check_note ///< a note that tilesim check makes, whatever --notes says
};

[[nodiscard]] constexpr finding_class class_of(finding_kind kind) noexcept {
  switch (kind) {
#define TILESIM_FINDING(name, code, title)                                                         \
  case finding_kind::name:                                                                         \
    return finding_class::defect;
#define TILESIM_UNDEFINED(name, code, title)                                                       \
  case finding_kind::name:                                                                         \
    return finding_class::undefined;
#define TILESIM_NOTE(name, code, title)                                                            \
  case finding_kind::name:                                                                         \
    return finding_class::note;
#define TILESIM_CHECK_NOTE(name, code, title)                                                      \
  case finding_kind::name:                                                                         \
    return finding_class::check_note;
#include <tilesim/findings.def>
  }
  return finding_class::defect;
}

/// The greppable code of a kind: "out-of-bounds".
[[nodiscard]] constexpr const char* code(finding_kind kind) noexcept {
  switch (kind) {
#define TILESIM_FINDING(name, text, title)                                                         \
  case finding_kind::name:                                                                         \
    return text;
#include <tilesim/findings.def>
  }
  return "?";
}

/// A place in the user's source. line 0: unknown.
struct source_frame {
  ::std::string file;
  unsigned line = 0;
  unsigned column = 0;
  ::std::string function;

  friend bool operator==(const source_frame&, const source_frame&) = default;
};

/// How much of its launches a finding took. Kept where a schedule is recorded, as by tilesim check.
struct finding_history {
  ::std::uint64_t blocks = 0; ///< that had run up to the finding, or threads; 0: unknown
  ::std::uint64_t turns = 0;  ///< that they had taken: context switches and one
  ::std::string schedule;     ///< those turns, as a schedule that can be replayed; empty: too many
  ::std::string parties;      ///< likewise a turn for each thread that the finding speaks of
  ::std::string stale;        ///< the stale reads up to then, as a schedule has them; empty: none
};

/// A strong read that took an older write than the newest, as the memory model allows.
struct stale_read {
  ::std::string message; ///< one line: who reads what, and which newer write it passed over
  ::std::string remedy;  ///< what would forbid it
  ::std::vector<source_frame> where;  ///< of the read, innermost user frame first
  ::std::vector<source_frame> passed; ///< of the write that it passed over; empty: unknown

  friend bool operator==(const stale_read&, const stale_read&) = default;
};

/// One of the ways in which a finding came about.
struct finding_variant {
  ::std::string what; ///< "weak store and weak load of memory allocated at a.cu:12"
  ::std::uint64_t count = 1;

  friend bool operator==(const finding_variant&, const finding_variant&) = default;
};

/// A defect by the texts, or a note.
struct finding {
  enum class level : ::std::uint8_t { defect, note };

  finding_kind kind{};
  level severity = level::defect;
  ::std::vector<source_frame> where;  ///< innermost user frame first, then its callers
  ::std::vector<source_frame> other;  ///< of two accesses in conflict: where the other one stands
  /// Where a caller's line stands for a call, the helpers further in, innermost first; of both places.
  ::std::vector<source_frame> through = {};
  ::std::vector<source_frame> other_through = {};
  ::std::string message;              ///< one line: the fact, both sides
  ::std::vector<::std::string> details; ///< who, what, where else: a line each
  ::std::string remedy;               ///< what to do about it; may be empty
  ::std::uint64_t count = 1;          ///< how often this came from the same place
  finding_history history;          ///< of the first time
  ::std::vector<stale_read> stale = {}; ///< likewise: the first of those before it
  ::std::vector<finding_variant> variants = {}; ///< of a race: how often each; else empty
  int known = -1; ///< which of the findings that a person lets pass; -1: none
  /// Of a note: by itself it is none, but a defect of programs whose results depend on the schedule.
  bool if_results_differ = false;
};

/// All that a run found, in the order of first appearance.
struct report {
  ::std::vector<finding> findings;

  [[nodiscard]] bool clean() const noexcept {
    for (const finding& f : findings) {
      if (f.severity == finding::level::defect) {
        return false;
      }
    }
    return true;
  }
};

} // namespace tilesim
