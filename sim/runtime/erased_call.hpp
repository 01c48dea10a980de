// Calling a kernel of which only the address is known: its parameters come from debug information.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/launch.hpp>

#include <driver_types.h>
#include <ffi.h>
#include <memory>
#include <string>
#include <vector>

namespace tilesim::sim {

/// The call function(*arguments[0], *arguments[1], …), with copies of the arguments.
class erased_call {
public:
  /// Nothing when it cannot be done; `why_not` says why.
  [[nodiscard]] static std::unique_ptr<erased_call>
  prepare(const void* function, void** arguments, std::string& why_not);

  /// At most once: the function may move from its parameters.
  void call();

private:
  void (*function_)() = nullptr;
  ffi_cif cif_{};
  std::vector<ffi_type*> types_; ///< what the calling convention passes
  std::vector<std::unique_ptr<unsigned char[]>> values_;
  std::vector<void*> by_reference_; ///< for arguments passed by invisible reference
  std::vector<void*> arguments_;
};

class entry;

/// A launch of a kernel of which only the address is known.
cudaError_t launch_erased(entry& call,
                          const detail::launch_config& config,
                          const void* function,
                          void** arguments,
                          const char* api);

} // namespace tilesim::sim
