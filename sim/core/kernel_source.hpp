// Where the bodies of tile kernels come from, if not from the program itself.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/launch.hpp>

#include <string>

namespace tilesim::sim {

class kernel_source {
public:
  kernel_source() = default;
  virtual ~kernel_source() = default;
  kernel_source(const kernel_source&) = delete;
  kernel_source& operator=(const kernel_source&) = delete;

  /// Another body with the same parameters in the place of `kernel`, which is destroyed. False:
  /// there is none, and `why_not` says why; the kernel is as it was.
  [[nodiscard]] virtual bool replace(detail::bound_kernel& kernel, std::string& why_not) = 0;
};

} // namespace tilesim::sim
