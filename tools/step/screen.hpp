// Where the prompt's texts go, and how they look.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/terminal.hpp"
#include "tools/step/render.hpp"

#include <functional>
#include <string>

namespace tilesim::tools::step {

struct screen {
  style looks;
  sources files = {};
  /// Where texts go; standard output if nothing is set.
  std::function<void(const std::string&)> write = {};

  void say(const std::string& text) const {
    if (write) {
      write(text);
    } else {
      print_out(text);
    }
  }
  /// The source line of a place, if its file can be read.
  void say_source(const protocol::frames& frames) {
    if (const std::string line = render_source(frames, files); !line.empty()) {
      say(line + "\n");
    }
  }
};

} // namespace tilesim::tools::step
