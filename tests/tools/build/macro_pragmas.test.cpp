// Macros of one letter, where g++ expands macros later.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/macro_pragmas.hpp"

#include <support/catch.hpp>

using namespace tilesim::tools;

namespace {

const std::string begins = "# 1 \"/api/tilesim/detail/letters_begin.h\" 1\n";
const std::string ends = "# 1 \"/api/tilesim/detail/letters_end.h\" 1\n";

} // namespace

TEST_CASE("letters are defined again where headers end", "[tools]") {
  CHECK(with_letters_defined("#define N 4\n#define NN 5\n" + begins + "#undef N\nint N;\n" + ends +
                             "int x = N;\n") == "#define N 4\n#define NN 5\n" + begins +
                                                    "#undef N\nint N;\n" + ends +
                                                    "#define N 4\nint x = N;\n");
}

TEST_CASE("what was none is none again, and what is defined no more", "[tools]") {
  const std::string text =
      "#define N 4\n #  undef N // 4\n" + begins + "#define M\n#undef M\n" + ends;
  CHECK(with_letters_defined(text) == text);
}

TEST_CASE("headers within headers; definitions of several lines, with arguments, of nothing",
          "[tools]") {
  const std::string definitions = "#define K\n#define N(a, b) \\\n  a + b // sum\n";
  CHECK(with_letters_defined(definitions + begins + "#undef K\n#undef N\n" + begins + "#undef N\n" +
                             ends + ends) == definitions + begins + "#undef K\n#undef N\n" +
                                                 begins + "#undef N\n" + ends + ends + definitions);
}

TEST_CASE("an end without a begin", "[tools]") {
  CHECK(with_letters_defined("#define N 4\n" + ends) == "#define N 4\n" + ends);
}

TEST_CASE("who pushes macros", "[tools]") {
  CHECK(pushes_macros("#pragma push_macro(\"max\")\n"));
  CHECK_FALSE(pushes_macros("#pragma once\n"));
}
