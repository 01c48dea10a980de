// Where the program stands and why, as text.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/step/debugger.hpp"
#include "tools/step/screen.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace tilesim::tools::step {

class stop_text {
public:
  stop_text(debugger& d, screen& s)
      : debugger_(d)
      , screen_(s) {}

  /// `goes_on`: the program is about to go elsewhere by itself.
  void show(bool goes_on);
  void show_displays();

private:
  struct reason_text;
  static const reason_text* find_reason(protocol::stop_reason reason);

  // What there is to say whatever the reason is.
  void tell_way_here();
  void tell_findings();
  void tell_watches();
  void tell_watch(const stop_point& s, const protocol::change& change);
  void tell_breakpoints();
  void tell_moved(const stop_point& s);
  void tell_last_operation();
  void tell_ended(bool goes_on);
  void tell_other_block();
  void show_place();
  void show_choices();
  // One for each reason that has words of its own.
  void tell_loaded();
  void tell_interrupt();
  void tell_wait();
  void tell_history_begins();
  void tell_end();
  void tell_stopped();
  void tell_interrupted();
  void tell_death();

  [[nodiscard]] const stop_point* reached(unsigned id) const;
  [[nodiscard]] std::string ways_on() const;
  [[nodiscard]] std::string operation_by_number(std::uint64_t number);
  [[nodiscard]] std::string changed_by(std::uint64_t operation);

  debugger& debugger_;
  screen& screen_;
  standing here_;                                   ///< the stop that is being told
  std::uint64_t starts_ = 0;                        ///< of the program, when this was asked last
  std::string last_block_;                          ///< that stood
  std::map<std::string, protocol::operation> last_; ///< of each place, that was shown last
  std::map<unsigned, protocol::value> displayed_values_;
};

/// Of a breakpoint that is wanted at a line: a sentence where it stops elsewhere, or nowhere; empty
/// where all is well.
[[nodiscard]] std::string
why_elsewhere(const debugger::stopping_line& found, const std::string& file, std::size_t line);

} // namespace tilesim::tools::step
