// Calling a kernel of which only the address is known: its parameters come from debug information.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/launch.hpp>

#include <optional>
#include <string>

namespace tilesim::sim {

/// Binds the call function(*arguments[0], *arguments[1], …), copying the arguments. Nothing when it
/// cannot be done; `why_not` says why.
[[nodiscard]] std::optional<detail::bound_kernel>
bind_erased(const void* function, void** arguments, std::string& why_not);

} // namespace tilesim::sim
