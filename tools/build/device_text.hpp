// What a source has for devices alone, behind conditions of __CUDA_ARCH__.
//
// nvcc compiles a source for the host, where there is no __CUDA_ARCH__, and for each device, where
// there is. Here it is compiled once. So the name is one of tilesim's own where only a device comes
// by: in the bodies of __global__ and of __device__ functions, and around such functions.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/build/cache.hpp"
#include "tools/cli/process.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools {

/// The macro that stands there instead of __CUDA_ARCH__.
inline constexpr std::string_view device_arch_macro = "TILESIM_CUDA_ARCH";

struct device_text {
  std::string text;                ///< the source, the macro renamed; as many lines
  bool changed = false;            ///< a name was
  std::vector<std::size_t> shared; ///< lines of conditions in functions for host and device
};

/// Bodies are found by their braces and what stands before them; macros are not expanded.
[[nodiscard]] device_text with_device_conditions(std::string_view source);

/// The text that is compiled in place of a source that asks for the architecture in device code:
/// a file of its own, which says that it is the source.
class device_source {
public:
  device_source(const cache& c, const std::string& source);

  /// Of that file; empty where the source is compiled as it is.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// The file in place of the source; what the source includes is looked for beside the source.
  void replace(command_line& command) const;
  /// What of it is for neither, one line each.
  [[nodiscard]] std::string notes() const;

private:
  std::string source_;
  temporary_file file_;
  std::string path_;
  std::vector<std::size_t> shared_;
};

} // namespace tilesim::tools
