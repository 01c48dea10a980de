// What `tilesim litmus` finds out about one file, as data: the writers (litmus/text.hpp,
// litmus/json.hpp, litmus/dot.hpp) make text of it and compute nothing.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/enumerate.hpp"
#include "memmodel/litmus/explain.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools {

/// What is asked of each file.
struct litmus_request {
  /// None: ptx, and every model that the file expects something of.
  std::vector<const memmodel::model*> models;
  memmodel::litmus::limits limits;
  bool explain = false; ///< refused candidates are wanted
};

/// A final state of the variables that are shown, and how many executions end in it.
struct state_count {
  std::vector<memmodel::litmus::value> values; ///< by model_report::shown
  std::uint64_t executions = 0;                ///< (execution, final state) pairs
  bool racy = false;                           ///< some of them have a race
  bool satisfies = false;                      ///< the condition
};

/// One model's answer.
struct model_report {
  const memmodel::model* model = nullptr;
  std::uint32_t bound = 1;
  std::string limit; ///< the limit that was reached; then there is no result
  memmodel::litmus::result result;

  /// What the condition and `locations [...]` name; everything if they name nothing.
  std::vector<memmodel::litmus::observable> shown;
  std::vector<state_count> states; ///< by value

  /// Asked for and there is no execution to show: the candidates that the model refuses.
  std::optional<memmodel::litmus::refusals> refused;
  std::string refused_limit; ///< the limit that was reached while looking for them

  /// The execution that answers the quantifier: one that satisfies an `exists`, one that does not
  /// satisfy a `forall`; one with a mixed-size race that undoes the axioms. Null if there is none.
  /// [PTX: mixed-size data races]
  [[nodiscard]] const memmodel::litmus::shown_execution*
  witness(memmodel::litmus::quantifier q) const;
};

/// One thing that somebody expects of a model, and what was found.
struct claim {
  std::string file; ///< that expects it
  memmodel::litmus::position at;
  std::string model;
  std::string expected;
  std::string found;
  [[nodiscard]] bool met() const { return expected == found; }
};

/// What a table of verdicts expects of one file.  [litmus/table.hpp]
struct expected_row {
  std::string table; ///< the file that it stands in
  std::uint32_t line = 0;
  std::string test; ///< path below the folder
  memmodel::litmus::quantifier quantifier = memmodel::litmus::quantifier::none;
  std::string condition; ///< "allowed", "forbidden", "always", "not-always"
  std::string race;      ///< "race", "free"
  std::optional<bool> terminates;
};

/// Why a file gives no answer.
struct problem {
  memmodel::litmus::position at; ///< line 0: the file as a whole
  std::string message;
  std::string line; ///< the text that `at` points into
};

struct litmus_report {
  std::string file;  ///< as the user named it
  bool tile = false; ///< written in the words of tile programs: block, device, system
  std::optional<problem> failed;
  memmodel::litmus::test test;
  std::vector<model_report> models;
  std::vector<claim> claims;

  [[nodiscard]] bool limit_reached() const;
  [[nodiscard]] bool differs() const;
};

/// Reads a file and asks every model.
[[nodiscard]] litmus_report
run_litmus(const std::string& file, const litmus_request& request, const expected_row* row);

/// The same for a text that was read already.
[[nodiscard]] litmus_report run_litmus_text(const std::string& file,
                                            std::string_view text,
                                            const litmus_request& request,
                                            const expected_row* row);

/// The same for a test that was read already; what its file expects is not compared.
/// @throws program_error
[[nodiscard]] litmus_report run_litmus_test(const std::string& file,
                                            memmodel::litmus::test asked,
                                            const litmus_request& request);

/// "exists", "~exists", "forall"; empty for none.
[[nodiscard]] std::string_view word_of(memmodel::litmus::quantifier q);
/// "allowed", "forbidden", "always", "not-always".
[[nodiscard]] std::string_view verdict(memmodel::litmus::quantifier q, bool holds);
/// Whether some execution has a race.
[[nodiscard]] bool has_race(const memmodel::litmus::result& r);
/// "terminates", "may-hang", "unknown".
[[nodiscard]] std::string_view termination(const memmodel::litmus::result& r);

/// Which of a result's variables one is.
[[nodiscard]] std::size_t index_of(const std::vector<memmodel::litmus::observable>& all,
                                   const memmodel::litmus::observable& o);

/// "P1:r0=1; x=2;"
[[nodiscard]] std::string state_text(const memmodel::litmus::test& t,
                                     const std::vector<memmodel::litmus::observable>& variables,
                                     const std::vector<memmodel::litmus::value>& values);

/// Of a whole final state, the variables that are shown.
[[nodiscard]] std::vector<memmodel::litmus::value>
shown_values(const model_report& m,
             const std::vector<memmodel::litmus::observable>& all,
             const std::vector<memmodel::litmus::value>& final);

} // namespace tilesim::tools
