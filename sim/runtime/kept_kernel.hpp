// A kernel with its arguments that is launched more than once: by a graph.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/launch.hpp>

namespace tilesim::sim {

/// Owns a bound kernel. Each launch gets one that it destroys like any other; the last that goes,
/// launch or owner, destroys the closure.
class kept_kernel {
public:
  explicit kept_kernel(const detail::bound_kernel& kernel);
  ~kept_kernel();
  kept_kernel(const kept_kernel&) = delete;
  kept_kernel& operator=(const kept_kernel&) = delete;

  [[nodiscard]] detail::bound_kernel lend() const;
  [[nodiscard]] const detail::bound_kernel& kernel() const noexcept { return kernel_; }

private:
  detail::bound_kernel kernel_;
};

} // namespace tilesim::sim
