// The editor's breakpoints: kept in the debugger's list, each with what the editor knows it by.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/step/debugger.hpp"
#include "tools/step/render.hpp"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tilesim::tools::dap {

class breakpoints {
public:
  explicit breakpoints(step::debugger& d)
      : debugger_(d) {}

  // Each replaces what was set in its way before (in that file), and returns the protocol's list of
  // Breakpoint, one for each that was asked for.
  nlohmann::json in_file(const nlohmann::json& arguments, bool lines_from_one);
  nlohmann::json of_kernels(const nlohmann::json& arguments);
  nlohmann::json of_values(const nlohmann::json& arguments);

  /// Those whose line nothing was known of when they were set, and is now: the protocol's
  /// Breakpoints as they are now. Each once.
  [[nodiscard]] std::vector<nlohmann::json> found_since();

  /// Whether to stop before reads that may take several writes. Why not; empty: it is done.
  [[nodiscard]] std::string of_choices(bool stop);

  [[nodiscard]] bool is_of_choices(unsigned id) const;
  /// Was it set by the name of a kernel?
  [[nodiscard]] bool is_of_kernel(unsigned id) const;

private:
  /// One of a line that nothing is known of yet.
  struct waiting {
    std::string file;
    std::size_t line = 0;
    unsigned shift = 0; ///< what the client's lines lack to those that count from 1
    nlohmann::json told;
  };

  void forget(std::vector<unsigned>& ids);
  nlohmann::json line(const std::string& path,
                      const nlohmann::json& wanted,
                      unsigned shift,
                      std::vector<unsigned>& ids);
  static nlohmann::json kept(const std::function<unsigned()>& add, std::vector<unsigned>& ids);

  step::debugger& debugger_;
  step::sources files_;
  std::map<std::string, std::vector<unsigned>> by_file_;
  std::map<unsigned, waiting> waiting_; ///< by number
  std::vector<unsigned> kernels_;
  std::vector<unsigned> choices_;
  std::map<std::string, unsigned> values_; ///< by expression
};

} // namespace tilesim::tools::dap
