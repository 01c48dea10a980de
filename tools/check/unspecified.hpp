// What depends on values that the reference leaves unspecified, and on which.
//
// A run that has drawn such values is repeated under its own schedule with others, and held against
// what it did itself [sim/execution/control_trail.hpp], copied, printed and returned: a difference
// is a dependence, exactly. Then fewer and fewer of the operations that draw are given others,
// until one is left: that is where the value comes from.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/check/report.hpp"
#include "tools/check/run.hpp"
#include "tools/cli/files.hpp"

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools {

/// The run that is judged, and how to repeat it.
struct unspecified_question {
  const program_run& first;
  std::string trail; ///< a file: its trail
  /// Runs its schedule again, with these options of the simulator besides.
  std::function<program_run(const nlohmann::json& more)> run;
  std::function<bool()> over; ///< there is no time for more
  /// Values besides the usual ones: those of this seed.
  std::optional<std::uint64_t> seed = {};
};

struct unspecified_answer {
  std::vector<checked_finding> findings; ///< errors, and notes where it does not leave the device
  bool steady = true; ///< false: two runs with the same values differ, so nothing can be said
};

/// Places of the operations that have drawn, to know whether another run has new ones.
[[nodiscard]] std::vector<std::string> places_that_draw(const program_run& run);

[[nodiscard]] unspecified_answer find_dependences(const unspecified_question& question);

/// A file in a folder of its own, removed at the end of the scope.
class trail_file {
public:
  [[nodiscard]] std::string path() const { return folder_.path() + "/trail"; }

private:
  temporary_folder folder_{"trail"};
};

} // namespace tilesim::tools
