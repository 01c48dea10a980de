// Declarations of `__shared__` variables, which become references.
//
// `__shared__ T a[4], b;` is written `T (&a)[4] = shared<…>(…), &b = shared<…>(…);` with
// api/tilesim/detail/shared_memory.hpp's function, and at namespace scope as references to what a
// pointer of tilesim's says. A lambda that names such a variable and would copy it, or could not
// name it, is given a capture by reference.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/rewrite/edits.hpp"
#include "tools/rewrite/launches.hpp"
#include "tools/rewrite/lexer.hpp"

#include <vector>

namespace tilesim::tools {

struct shared_edits {
  std::vector<edit> edits; ///< in no order
  std::vector<rewrite_error> errors;
};

[[nodiscard]] shared_edits find_shared_variables(const lexed& source);

} // namespace tilesim::tools
