// Where a run is to stop: breakpoints and watched values.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/step/expression.hpp"
#include "sim/thread.hpp"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tilesim::sim::step {

/// All that is set must hold: a line, a kernel's begin, an operation, a block, a condition.
struct breakpoint {
  unsigned id = 0;
  std::string file; ///< its path's end; empty: any
  unsigned line = 0;
  std::string kernel;
  std::string operation; ///< Tile IR's name, the C++ function's, or what both begin with
  std::optional<std::uint64_t> block;                   ///< linear,
  std::optional<std::array<std::uint32_t, 3>> position; ///< or x, y, z
  std::optional<expression> condition;
};

/// Stops after an operation that changed the value.
struct watchpoint {
  unsigned id = 0;
  expression what;
  /// Set once the value has been computed. An expression that cannot be evaluated (its names are
  /// not there) has no value.
  std::optional<value> last = {};
};

/// A change that a watchpoint saw.
struct seen_change {
  unsigned id;
  std::optional<value> before;
  std::optional<value> after;
};

class stops {
public:
  /// Replaces all: {"breakpoints": […], "watches": […]}. Throws expression_error.
  void set(const nlohmann::json& all);

  [[nodiscard]] bool empty() const noexcept { return breakpoints_.empty() && watches_.empty(); }

  /// Which breakpoints the thread, about to begin `operation` at `site`, stands at.
  [[nodiscard]] std::vector<unsigned>
  at(const sim_thread& t, const void* site, const char* operation, environment& names);

  /// Which watched values are others than when this was asked last.
  [[nodiscard]] std::vector<seen_change> changes(environment& names);

  /// True when the thread, about to go on at `site`, comes to `line` (0: to another line than that
  /// of its operation before) rather than going on there.
  [[nodiscard]] bool
  comes_to(const sim_thread& t, const void* site, const std::string& file, unsigned line);

  /// Does the return address stand in the user's source?
  [[nodiscard]] bool has_place(const void* site) { return place(site).line != 0; }
  /// Do both return addresses stand in one source line?
  [[nodiscard]] bool same_line(const void* a, const void* b);

private:
  struct place_of_site {
    std::string file;
    unsigned line = 0;
  };
  const place_of_site& place(const void* site);

  std::vector<breakpoint> breakpoints_;
  std::vector<watchpoint> watches_;
  std::unordered_map<const void*, place_of_site> places_;
};

/// Does an operation's name answer to what a person calls it: "addf", "atomic_add", "load"?
[[nodiscard]] bool answers_to(const char* operation, const std::string& wanted);

/// Is there an operation that answers to it?
[[nodiscard]] bool is_operation(const std::string& wanted);

} // namespace tilesim::sim::step
