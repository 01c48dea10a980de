// What `info` shows.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/step/debugger.hpp"
#include "tools/step/screen.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace tilesim::tools::step {

class info {
public:
  info(debugger& d, screen& s)
      : debugger_(d)
      , screen_(s) {}

  /// Throws command_error where there is no such topic, or refused.
  void show(std::string_view topic);
  /// The topics' names, less those that gdb has for them.
  [[nodiscard]] static std::span<const char* const> topics() noexcept;

  void blocks();
  /// Of many, those that do the same are one line, unless `each` is wanted.
  void block_list(const std::vector<protocol::live_thread>& list, bool each = false);
  void reads();
  void schedule();
  /// What of a replayed schedule could not be followed, if anything.
  void unfollowed();

private:
  void every_block();
  void blocks_of_launches(bool each);
  void buffers();
  void findings();
  void breakpoints();
  void locals();
  void arguments();
  void variables(bool only_parameters);
  void displays();

  debugger& debugger_;
  screen& screen_;
};

} // namespace tilesim::tools::step
