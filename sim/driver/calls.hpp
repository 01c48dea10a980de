// What the driver's functions share: results, kernels, launches.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace tilesim::interpreter {
class program;
} // namespace tilesim::interpreter
namespace tilesim::tileir {
struct entry;
} // namespace tilesim::tileir

namespace tilesim::driver_stand_in {

// The driver's own names of errors and attributes, by number. [CUDA driver API]
enum result : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  invalid_image = 200,
  not_found = 500,
  launch_failed = 719,
  not_supported = 801,
};

/// Keeps what is to be said of a call that fails; gives `r`.
result fail(result r, std::string words);

struct kernel {
  interpreter::program* of;
  const tileir::entry* entry;
};

// NOLINTBEGIN(readability-identifier-naming): a structure of the driver's
struct launch_config {
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared_bytes;
  void* stream;
  void* attributes;
  unsigned attribute_count;
};
// NOLINTEND

/// A launch, and all of it: when this returns, the kernel has run.
result launch(const launch_config& c, void* function, void** parameters);

} // namespace tilesim::driver_stand_in
