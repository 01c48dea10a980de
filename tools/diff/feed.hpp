// From a recording to what the simulated program is given of it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/reader.hpp"
#include "tools/check/line_bag.hpp"
#include "tools/diff/report.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools::diff {

/// What else a recording says of the run.
struct recorded_run {
  machine where;
  std::uint64_t source_hash = 0; ///< XXH64 of the sources; 0: not recorded
  std::uint64_t launches = 0;
  std::uint64_t runs = 1;    ///< of the whole recording
  line_bag output;           ///< what it printed
  std::optional<int> status; ///< 128 + n: by signal n; nothing: it was killed
  std::vector<gpu::error_event> errors;
  std::optional<std::string>
      sums; ///< which are fused with a product [sum_table.hpp], if it says so
  std::vector<std::string> remarks;
};

/// Writes the launch feed of a recording's run, counted from 0, to `path`, and its contents beside
/// it [sim/contract/launch_feed.hpp]. Throws gpu::bad_recording for what cannot be such a
/// recording, failure (69) where a file cannot be written.
[[nodiscard]] recorded_run
write_feed(const gpu::recording_file& recording, const std::string& path, std::uint64_t number);

} // namespace tilesim::tools::diff
