// Reports of litmus tests as JSON. docs/litmus.md has the schema.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/litmus/suite.hpp"

#include <string>

namespace tilesim::tools {

/// Writes one document: begin(), each report with test(), end().
class json_writer {
public:
  /// `outcomes`: with the final states of all variables. `explain`: with executions.
  json_writer(bool outcomes, bool explain)
      : outcomes_(outcomes)
      , explain_(explain) {}

  [[nodiscard]] static std::string begin();
  [[nodiscard]] std::string test(const litmus_report& r);
  [[nodiscard]] static std::string end(const suite_counts& counts);

private:
  bool outcomes_;
  bool explain_;
  bool first_ = true;
};

} // namespace tilesim::tools
