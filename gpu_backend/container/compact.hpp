// A recording made smaller: of what launches changed, the hash of each page alone.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/reader.hpp"
#include "gpu_backend/container/writer.hpp"

#include <cstdint>
#include <set>

namespace tilesim::gpu {

/// How much of what launches changed is there as content, and how much as hashes.
struct compacted {
  std::uint64_t content_bytes = 0;
  std::uint64_t hashed_bytes = 0;
};

/// Writes all that a recording says, and finishes it if it was complete. Contents behind launches
/// become hashes, but for those of the launches `keep` (counted from 0, in every run), those whose
/// bytes hold addresses, which are others on each machine, those of which a part is meant, and
/// those that are hardly longer than a hash. What lay in memory before a launch stays: launches are
/// simulated from it. Throws bad_recording.
compacted compact(const recording_file& from, writer& to, const std::set<std::uint64_t>& keep);

} // namespace tilesim::gpu
