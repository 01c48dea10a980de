// The names of functions, as reports write them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilesim::sim {

/// A demangled function without what stands around its name: "const int* ns::f<int>(unsigned long)
/// const" is ns::f<int>. A function template's begins with its return type.
[[nodiscard]] std::string without_signature(std::string_view demangled);

/// Is that a constructor's name as frames have it: "dbuf<float>::dbuf"?
[[nodiscard]] bool is_constructor(std::string_view function);

} // namespace tilesim::sim
