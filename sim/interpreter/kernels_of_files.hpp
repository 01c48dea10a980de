// Tile kernels of a C++ program from files of Tile IR: the same program through the other door.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/kernel_source.hpp"

#include <memory>
#include <string>

namespace tilesim::interpreter {

/// `files`: their paths, one a line. Read when the first kernel is launched.
[[nodiscard]] std::unique_ptr<sim::kernel_source> make_kernels_of_files(const std::string& files);

} // namespace tilesim::interpreter
