// What NVIDIA's compiler does not take although a host compiler would: exceptions and run-time
// types in code of devices, launches of what is no kernel, assignments to constants of devices.
//
// The text alone is looked at, so that what is refused is certain: functions outside of classes
// that are no templates, words that no macro holds.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/rewrite/launches.hpp"
#include "tools/rewrite/lexer.hpp"

#include <string_view>
#include <vector>

namespace tilesim::tools {

/// Adds what a program may not do there. `system_folder`: headers below it are none of the
/// program's.
void refuse_device_code(const lexed& source,
                        const std::vector<launch>& launches,
                        std::string_view system_folder,
                        std::vector<rewrite_error>& errors);

} // namespace tilesim::tools
