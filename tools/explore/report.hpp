// What an exploration found: data, before it is text or JSON.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/report.hpp>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tilesim::tools {

/// Final contents of buffers, and what the host's code behind the kernels made of them.
struct explored_state {
  nlohmann::ordered_json values; ///< buffers by name
  std::string printed;
  int status = 0;
  bool unfinished = false; ///< the time was over before the host's code went on
  std::string returned;    ///< of a test's callable: bytes, in hexadecimal
  std::uint64_t executions = 0;
  std::string replay;             ///< empty: no schedule shows it
  bool buffered = false;          ///< only executions with load buffering end so
  nlohmann::ordered_json picture; ///< of one of them, if that was asked for
  nlohmann::ordered_json names;   ///< of a part: those with load buffering that end so [shards]
};

struct explored_finding {
  std::string code;
  bool note = false;
  std::string message;
  std::vector<std::string> details;
  std::string remedy;
  std::vector<source_frame> where;
  std::vector<source_frame> other;
  std::uint64_t executions = 0; ///< 0: of one run, no execution was looked at for it
  std::string replay;           ///< likewise
  nlohmann::ordered_json picture;
  nlohmann::ordered_json names; ///< likewise
};

inline constexpr auto on_output = "true"; ///< what --json without a value gives
inline constexpr std::size_t most_shards = 100'000;

/// Which part of an exploration, of how many.
struct shard {
  std::size_t index = 1; ///< from 1
  std::size_t of = 1;
};

/// Executions with load buffering that several parts may have found: those that are counted.
struct counted_names {
  std::map<std::string, std::set<std::string>> of_states;
  std::map<std::size_t, std::set<std::string>> of_findings;
  std::set<std::string> of_again;
};

struct explore_report {
  std::string source;
  std::string command;     ///< the program's words and flags: what a replay is given to
  std::string program;     ///< the hash that replay strings carry
  bool of_library = false; ///< a test's callable is explored, and no program
  bool sequential = false;
  bool load_buffering = true;
  std::optional<shard> part;        ///< nothing: it is the whole
  nlohmann::ordered_json known;     ///< of a part: what it has come to know of the threads,
  nlohmann::ordered_json given;     ///< and what it was given: "hash", "runs", "promises"; or null
  std::vector<std::string> observe; ///< of a part: the buffers that were asked for
  bool complete = false;
  std::string why;                  ///< it is not complete
  std::optional<std::size_t> bound; ///< only executions of which so many reads are stale
  std::uint64_t samples = 0;        ///< so many were drawn, and not all explored
  bool within_bound = false;        ///< it is not complete, but all that the bound leaves
  std::optional<double> share;      ///< of it, where it was stopped meanwhile: an estimate
  double seconds = 0;
  std::uint64_t executions = 0;
  nlohmann::ordered_json again; ///< of a part, as the program tells it [exploration_report.hpp]
  std::uint64_t buffered = 0;
  std::uint64_t blocked = 0;
  bool symmetric = false; ///< of executions that differ in which of alike blocks does what, some
                          ///< are left out
  bool reduced = false;   ///< additions whose results nobody uses are counted in one order
  std::uint64_t stopped = 0;
  std::vector<explored_state> states;
  std::vector<explored_finding> findings;
  std::vector<std::string> buffers; ///< that there were where the host waited
  bool compared = false;
  std::vector<std::string> missing; ///< of the states that were expected
  std::vector<std::string> unexpected;

  /// As the program has written it. [sim/explore/exploration.cpp] Buffers that are the same in all
  /// states are left out, unless all are, or `observed`.
  void read(const nlohmann::ordered_json& told, bool observed);
  /// What a plain run of the program has come upon, of the kinds that an exploration does not look
  /// for. [sim/contract/report_members.hpp]
  void add_one_run(const nlohmann::json& run);
  /// Those of parts of the same exploration as one.
  /// @throws failure
  void merge(const std::vector<std::string>& files, std::vector<explore_report> parts);
  /// Of a whole whose parts have come to know what they were not given: all of that. Else null.
  nlohmann::ordered_json more;
  /// Holds the states against those of a file: {"states": [{"values": {...}, "printed": …}]}.
  /// @throws failure
  void expect(const std::string& file, const std::string& text);
  /// The same; nothing if no file is named.
  void expect_file(const std::string& file);

  /// What `--finding` takes: its kind and places. [tools/check/selector.hpp]
  [[nodiscard]] std::string name_of(const explored_finding& f) const;
  /// Of these names the first that no buffer has, in words.
  [[nodiscard]] std::optional<std::string>
  first_unknown(const std::vector<std::string>& names) const;
  [[nodiscard]] std::uint64_t failed() const; ///< executions whose program ends with another status
  [[nodiscard]] std::uint64_t ended() const;  ///< all of them, by state
  /// Findings that are the program's fault.
  [[nodiscard]] std::size_t defects() const;
  /// It was stopped while there were executions left to explore: what may help, and how much there
  /// is in all, as far as the share tells. Else empty.
  [[nodiscard]] std::string remedy() const;
  struct estimate {
    double executions = 0;
    double seconds = 0;
  };
  [[nodiscard]] std::optional<estimate> in_all() const;
  /// 0, 1 or 3. [sim/contract/exit_codes.hpp]
  [[nodiscard]] int exit_code() const;

private:
  void take_part(explore_report& p, counted_names& before);
  void tell_bound(bool beyond);
  void tell_limits();
  void unite_states();
  void drop_what_all_have();
};

/// In Graphviz's language: an execution that ends in the state of that number, from 1, in the order
/// of the report; of 0, one that has the first finding, else one that ends in the first state with
/// another status than 0, else in the first.
/// @throws failure: there is none
[[nodiscard]] std::string drawing_of(const explore_report& r, std::size_t number);

/// A finding as the program and reports have it, but for how it is replayed and its picture.
[[nodiscard]] explored_finding finding_from(const nlohmann::ordered_json& f, std::string replay);
/// A part, as to_json() has written it.
/// @throws failure
[[nodiscard]] explore_report part_from_json(const std::string& file, const std::string& text);

/// Which elements of buffers texts tell of: those that are not the same in all states, or all if
/// there is one state.
class told_elements {
public:
  explicit told_elements(const std::vector<explored_state>& states);
  [[nodiscard]] bool has(const std::string& buffer, std::size_t index) const;

private:
  bool all_ = false;
  std::map<std::string, std::vector<bool>> differs_;
};

/// "seen[0]=0; seen[1]=1;"
[[nodiscard]] std::string values_text(const explored_state& s, const told_elements& which);

/// In herd's manner: states with counts, Observation; then what was found.
[[nodiscard]] std::string to_text(const explore_report& r);
[[nodiscard]] std::string to_json(const explore_report& r);
/// Either on standard output, and JSON into a file if one is named.
void print(const explore_report& r, const std::string& json);

} // namespace tilesim::tools
