// Lines from a person: edited, completed and remembered (libedit), or from a pipe.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools::step {

class line_reader {
public:
  /// `complete`: what a line may go on with: candidates for its last word. `begins` is called when
  /// the reading of a line in a terminal begins: Ctrl-C from there to its last key drops the line.
  line_reader(std::function<std::vector<std::string>(std::string_view line)> complete,
              std::function<void()> begins);
  ~line_reader();
  line_reader(const line_reader&) = delete;
  line_reader& operator=(const line_reader&) = delete;

  /// The next line; nothing at the end of the input.
  std::optional<std::string> read(const char* prompt);

  [[nodiscard]] bool interactive() const noexcept { return interactive_; }

private:
  bool interactive_;
  std::function<void()> begins_;
  std::string history_file_;
};

} // namespace tilesim::tools::step
