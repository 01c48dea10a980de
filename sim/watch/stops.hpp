// Where a run is to stop: breakpoints and watched values.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/step_protocol.hpp"
#include "sim/core/thread.hpp"
#include "sim/expressions/expression.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tilesim::sim::step {

/// All that is set must hold: a line, a kernel's begin, an operation, a block, a launch, a
/// condition.
struct breakpoint {
  unsigned id = 0;
  std::string file; ///< its path's end; empty: any
  unsigned line = 0;
  /// Where it stops instead: nothing was known of its line when it was set. 0: there.
  unsigned moved_to = 0;
  std::string kernel;
  std::string operation; ///< Tile IR's name, the C++ function's, or what both begin with
  std::optional<std::uint64_t> block;                   ///< linear,
  std::optional<std::array<std::uint32_t, 3>> position; ///< or x, y, z
  std::optional<std::uint64_t> launch;
  std::optional<expression> condition;
  bool choice = false; ///< a strong read that may take several writes
  /// The person knows that the condition cannot be evaluated everywhere.
  bool trouble_told = false;
};

/// A breakpoint that a thread stands at.
struct reached_breakpoint {
  unsigned id = 0;
  std::string trouble; ///< why its condition cannot be evaluated; empty: it holds, or there is none
};

/// A frame of a simulated thread, in whatever run of the program.
struct frame_key {
  std::uint64_t launch = 0;
  std::uint64_t thread = 0;    ///< in the launch, linear
  std::size_t depth = 0;       ///< 0: the outermost
  std::uintptr_t function = 0; ///< where it begins

  auto operator<=>(const frame_key&) const = default;
};
[[nodiscard]] protocol::frame_key message_of(const frame_key& k);
[[nodiscard]] frame_key frame_key_of(const protocol::frame_key& k);

/// Names of the program that stands, some of which are variables of one of its frames.
class standing_environment : public environment {
public:
  /// Local variables are those of this frame from here on, or (nullptr) of the innermost one. False
  /// if the running thread does not stand in it.
  [[nodiscard]] virtual bool enter(const frame_key* frame) = 0;
  /// The frame whose variables have been looked up since; nothing if none were.
  [[nodiscard]] virtual std::optional<frame_key> entered() = 0;
};

/// Memory that is watched, whatever names it had where somebody said so.
struct watched_place {
  value elements; ///< of which only the place counts
  /// Nobody writes there without a word: it need not be looked at otherwise.
  bool all_writes_known = false;

  [[nodiscard]] bool contains(std::uintptr_t address, std::size_t bytes) const noexcept;
  /// What is there now; nothing if it may not be read.
  [[nodiscard]] std::optional<value> read(environment& memory) const;
};
[[nodiscard]] protocol::watched_place message_of(const watched_place& p);
[[nodiscard]] watched_place watched_place_of(const protocol::watched_place& m);

/// Stops after an operation that changed the value.
struct watchpoint {
  unsigned id = 0;
  expression what;
  std::optional<frame_key> frame = {}; ///< whose variables are meant; else those of every thread
  /// What it was when it was computed last; of expressions with local variables, in each frame. One
  /// that cannot be evaluated (its names are not there) has no value.
  std::map<std::optional<frame_key>, value> last = {};
  std::optional<watched_place> place = {}; ///< instead of the expression
  bool may_have_changed = true;            ///< of a place, since it was read last
};

/// A change that a watchpoint saw.
struct seen_change {
  unsigned id = 0;
  std::optional<frame_key> frame; ///< of the variables; nothing for memory alone
  std::optional<value> before;    ///< nothing: the variable has got its first value
  value after;
};

class stops {
public:
  /// Replaces all. What has been seen of watched values that stay is kept. Throws expression_error.
  void set(const std::vector<protocol::breakpoint>& breakpoints,
           const std::vector<protocol::watch>& watches);
  /// Memory has been written, or is about to be by the operation under way.
  void wrote(std::uintptr_t address, std::size_t bytes) {
    for (watchpoint& w : watches_) {
      w.may_have_changed = w.may_have_changed || (w.place && w.place->contains(address, bytes));
    }
  }
  /// Watched values count from their next evaluation on.
  void forget_values();

  [[nodiscard]] bool empty() const noexcept { return breakpoints_.empty() && watches_.empty(); }

  /// Which breakpoints the thread, about to begin `operation` at `site`, stands at.
  [[nodiscard]] std::vector<reached_breakpoint>
  at(sim_thread& t, const void* site, const char* operation, standing_environment& names);

  /// Which watched values are others than when this was asked last. `is_followed`: what the thread
  /// that stands has done since then is known, so that a variable without a value until now has got
  /// its first one.
  [[nodiscard]] std::vector<seen_change> changes(standing_environment& names, bool is_followed);
  [[nodiscard]] bool has_watches() const noexcept { return !watches_.empty(); }
  /// Watches of variables of this thread of the launch.
  /// What has been seen of its variables is of no use any more.
  void thread_ended(std::uint64_t launch, std::uint64_t thread);
  [[nodiscard]] std::vector<unsigned> watches_of(std::uint64_t launch, std::uint64_t thread) const;

  /// True when the thread, about to go on at `site`, comes to `line` (0: to another line than that
  /// of its operation before) rather than going on there.
  [[nodiscard]] bool
  comes_to(const sim_thread& t, const void* site, const std::string& file, unsigned line);

  /// Does the return address stand in the user's source?
  [[nodiscard]] bool has_place(const void* site) { return place(site).line != 0; }
  /// Do both return addresses stand in one source line?
  [[nodiscard]] bool same_line(const void* a, const void* b);

private:
  void move_to_operations(std::uint64_t launch, const void* site);

  struct place_of_site {
    std::string file;
    unsigned line = 0;
  };
  const place_of_site& place(const void* site);
  /// Of a condition that cannot be evaluated: why, and true as long as nobody knows.
  [[nodiscard]] static breakpoint made_of(const protocol::breakpoint& b);
  [[nodiscard]] watchpoint made_of(const protocol::watch& w) const;
  static bool holds(const breakpoint& b, standing_environment& names, std::string& trouble);

  std::vector<breakpoint> breakpoints_;
  std::vector<watchpoint> watches_;
  std::uint64_t moved_for_launch_ = 0; ///< launches count from 1
  std::unordered_map<const void*, place_of_site> places_;
};

/// Does an operation's name answer to what a person calls it: "addf", "atomic_add", "load"?
[[nodiscard]] bool answers_to(const char* operation, const std::string& wanted);

/// Is `wanted` the path, or the end of it?
[[nodiscard]] bool ends_with_path(const std::string& file, const std::string& wanted);

/// Throws expression_error if no operation answers to it.
void check_operation(const std::string& wanted);

} // namespace tilesim::sim::step
