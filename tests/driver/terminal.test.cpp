// Colours leave where no terminal is.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/terminal.hpp"

#include <cstdlib>
#include <support/catch.hpp>

TEST_CASE("colours are stripped", "[driver]") {
  setenv("NO_COLOR", "1", 1);
  CHECK(tilesim::driver::for_terminal(
            "\033[01m\033[Kx.cu:1:\033[m\033[K \033[01;31merror\033[0m") == "x.cu:1: error");
  CHECK(tilesim::driver::for_terminal("\033[") == "");
  CHECK(tilesim::driver::for_terminal("a [1m b") == "a [1m b");
}
