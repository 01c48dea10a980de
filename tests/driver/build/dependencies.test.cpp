// make's syntax.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/dependencies.hpp"

#include <support/catch.hpp>

using namespace tilesim::driver;
using words = std::vector<std::string>;

TEST_CASE("prerequisites of the first rule", "[driver]") {
  CHECK(parse_dependencies("x: a.cu b.h \\\n  dir/c.h\n\nb.h:\n") ==
        words{"a.cu", "b.h", "dir/c.h"});
  CHECK(parse_dependencies("x: a\\ b.cu c$$.h d\\#.h") == words{"a b.cu", "c$.h", "d#.h"});
  CHECK(parse_dependencies("x:  \\\n").empty());
  CHECK(parse_dependencies("").empty());
}

TEST_CASE("a rule comes back as it was written", "[driver]") {
  const words inputs{"a.cu", "dir/b c.h", "$d#.h"};
  CHECK(parse_dependencies(format_dependencies("x y", inputs)) == inputs);
}
