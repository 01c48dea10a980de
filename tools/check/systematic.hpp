// Every schedule with at most so many preemptions, each once: which one comes next.
//
// A run is made with a beginning that is given and no preemption behind it, and tells what could
// have been chosen instead [sim/execution/schedulers/choices.cpp]; each of that is the end of
// another beginning. Those with fewer preemptions come first (Musuvathi and Qadeer, PLDI 2007).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/schedule_string.hpp"

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

namespace tilesim::tools {

/// A run as it tells of itself. [sim/core/scheduler.hpp]
struct chosen_run {
  std::vector<sim::turn> turns;
  std::vector<std::vector<sim::turn>> instead;           ///< of each turn
  std::vector<std::vector<sim::turn_point>> preemptions; ///< of each turn
  bool complete = true;                                  ///< it tells all that could be chosen
};

class systematic_search {
public:
  using turns = std::vector<sim::turn>;

  explicit systematic_search(unsigned most_preemptions);

  /// What the next run begins with; nothing: all have been made.
  [[nodiscard]] std::optional<turns> next() const { return upcoming(0); }
  /// And the nth behind it, as far as that is known.
  [[nodiscard]] std::optional<turns> upcoming(std::size_t n) const;

  /// What the run that next() has named was. False if it was none of its own: nobody else could
  /// have gone on where it was to be preempted.
  bool take(const chosen_run& run);

  /// Preemptions of the run that comes next.
  [[nodiscard]] std::size_t level() const;
  /// How many runs it has been told of that were its own.
  [[nodiscard]] std::size_t made() const { return made_; }
  /// How many beginnings are known that have not been run.
  [[nodiscard]] std::size_t known() const;
  /// False if some run could not tell all that could have been chosen.
  [[nodiscard]] bool complete() const { return complete_; }

  /// All that is still to do, and back: nothing if the text is none.
  [[nodiscard]] nlohmann::json state() const;
  [[nodiscard]] static std::optional<systematic_search> from(const nlohmann::json& state);

private:
  /// A run's turns up to one of them, with another in its place.
  struct beginning {
    std::shared_ptr<const turns> of;
    std::size_t kept = 0; ///< turns
    std::optional<sim::turn> last;
  };

  [[nodiscard]] static turns turns_of(const beginning& b);

  std::size_t most_;
  std::vector<std::vector<beginning>> todo_; ///< by preemptions; the next one is the last
  std::size_t made_ = 0;
  bool complete_ = true;
};

} // namespace tilesim::tools
