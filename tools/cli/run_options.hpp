// Options of the simulator itself: from the command line into $TILESIM_OPTIONS.
//
// sim/contract/options_text.cpp reads them there. Each has one row, in
// sim/contract/option_table.hpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/cli11_fwd.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tilesim::tools {

class run_options {
public:
  /// Which commands an option is for: `check` chooses schedules and limits itself.
  enum class command : unsigned char { run, check };

  /// Declares the options; their values are checked while the command line is parsed.
  explicit run_options(CLI::App& app, command which = command::run);

  /// What was given, over what stands in $TILESIM_OPTIONS: a JSON object.
  [[nodiscard]] nlohmann::json values() const;

  /// Puts these values into $TILESIM_OPTIONS.
  static void export_to_environment(const nlohmann::json& values);

private:
  const CLI::App& app_;
  command which_;
};

} // namespace tilesim::tools
