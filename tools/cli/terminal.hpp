// Standard streams: colours, what is printed, and the line that says what takes so long.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

namespace tilesim::tools {

/// Text with colours, without them; for a terminal: without them unless `stream` (2: standard
/// error) is a terminal that shows them and NO_COLOR is not set. Of control sequences colours
/// alone reach a terminal: what else a compiler's message may hold is written \xHH.
[[nodiscard]] std::string without_colours(const std::string& coloured);
[[nodiscard]] std::string for_terminal(const std::string& coloured, int stream = 2);

/// Prints to standard output. What cannot be written is told once, by close_output().
void print_out(std::string_view text) noexcept;
/// Has all that was printed been written? If not, errno is the reason, 0 where it came earlier.
[[nodiscard]] bool close_output() noexcept;

/// One line on standard error, only on a terminal and only after a second; erased in the end.
class progress {
public:
  explicit progress(const std::string& what);
  ~progress() { erase(); }
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void tick();
  /// Says something else from now on.
  void tick(const std::string& what);
  /// To be called before anything else is printed.
  void erase();

private:
  std::string what_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
};

} // namespace tilesim::tools
