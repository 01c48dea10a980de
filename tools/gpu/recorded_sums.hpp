// What a recording says of sums that have been fused with products.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/reader.hpp"

#include <optional>
#include <string>

namespace tilesim::tools::gpu_tool {

/// The table, as text [sim/contract/sum_table.hpp]; nothing: the recording has none. Throws
/// bad_recording where it is no table.
[[nodiscard]] std::optional<std::string> sums_of(const gpu::recording_file& from);

/// "contraction: 3 of 7 sums of tiles are fused with a product".
[[nodiscard]] std::string counted_sums(const gpu::recording_file& from);

/// A line a sum: its place, what it is, its kernel.
[[nodiscard]] std::string listed_sums(const gpu::recording_file& from);

} // namespace tilesim::tools::gpu_tool
