// Places of calls in a recording, by file and line.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/reader.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools::gpu_tool {

/// An argument's bits as a number is written, the highest byte first: "40000000".
[[nodiscard]] std::string bits_text(std::string_view bytes);

struct named_place {
  std::string file; ///< empty: the recording does not know
  unsigned line = 0;
};

class place_names {
public:
  /// With the lines that the recording has of its program: it may have none.
  explicit place_names(const gpu::recording_file& from);

  /// The innermost line of the program's own that leads there. What nvcc puts between a launch and
  /// the runtime is none: the host's stand-in of the kernel `symbol`, and its stubs.
  [[nodiscard]] named_place of(const gpu::call_place& place, const std::string& symbol = {}) const;

private:
  struct frame {
    std::size_t file = 0;
    std::size_t function = 0;
    unsigned line = 0;
  };
  struct row {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::vector<frame> frames;
  };
  void read(std::string_view line);

  std::vector<std::string> files_;
  std::vector<std::string> functions_;
  std::vector<row> rows_; ///< by their begin
};

} // namespace tilesim::tools::gpu_tool
