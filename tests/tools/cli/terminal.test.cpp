// Colours leave where no terminal is.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/terminal.hpp"

#include "sim/contract/printable.hpp"

#include <cstdlib>
#include <string>
#include <support/catch.hpp>

TEST_CASE("colours are stripped", "[tools]") {
  setenv("NO_COLOR", "1", 1);
  CHECK(tilesim::tools::for_terminal("\033[01m\033[Kx.cu:1:\033[m\033[K \033[01;31merror\033[0m") ==
        "x.cu:1: error");
  CHECK(tilesim::tools::for_terminal("a [1m b") == "a [1m b");
}

TEST_CASE("other control sequences never reach a terminal", "[tools]") {
  using tilesim::tools::for_terminal;
  setenv("NO_COLOR", "1", 1);
  CHECK(for_terminal("\033[") == "\\x1b[");
  CHECK(for_terminal("\033]0;title\007x.cu") == "\\x1b]0;title\\x07x.cu");
  CHECK(for_terminal("\033[2J\033[1mx\033[0m") == "\\x1b[2Jx");
  CHECK(for_terminal("a\tb\n\xff\xc3\xb6") == "a\tb\n\\xff\xc3\xb6");
}

TEST_CASE("names are printed so that they can be read back", "[tools]") {
  using tilesim::sim::bytes_of;
  using tilesim::sim::printable;
  CHECK(printable("\xff\n.cu") == "\\xff\\x0a.cu");
  CHECK(printable("gr\xc3\xb6.cu") == "gr\xc3\xb6.cu");
  CHECK(printable("\\x41") == "\\x5cx41"); // not the letter A
  CHECK(printable("\\xyz\\") == "\\xyz\\");
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80"); // a surrogate
  CHECK(printable("\xc2\x9b") == "\\xc2\\x9b");          // CSI in one character
  for (const std::string name :
       {"\xff.cu", "\\x41", "a\\x4", "\033[m", "\xc3\xb6", "\xf0\x9f\x98"}) {
    CHECK(bytes_of(printable(name)) == name);
  }
}
