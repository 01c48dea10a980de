// The arguments of a launch as it has kept them, by the kernel's debug information.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <elfutils/libdw.h>
#include <string>
#include <vector>

namespace tilesim::detail {
struct bound_kernel;
} // namespace tilesim::detail

namespace tilesim::sim {

struct kept_parameter {
  std::string name; ///< empty: it has none
  Dwarf_Die type;   ///< without qualifiers and aliases: a number, an enumeration, a pointer
  const void* at = nullptr;
  std::size_t bytes = 0;
};

struct kept_parameters {
  std::vector<kept_parameter> list; ///< the first ones
  bool whole =
      false; ///< there are no others; where a class lies, and what follows it, is not known
};

/// By an address in the kernel's code. None where that is not the launch's own kernel.
/// [tilesim/launch.hpp: call_with]
[[nodiscard]] kept_parameters parameters_of(const detail::bound_kernel& kernel, const void* pc);

} // namespace tilesim::sim
