// What the variables hold by which a program is stepped, written and read.
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/environment.hpp"

#include <support/catch.hpp>

using namespace tilesim;

TEST_CASE("environment: where the stepper listens") {
  CHECK(sim::text_of(sim::step_link{"tilesim-17", 3}) == "tilesim-17;3");
  const sim::step_link both = sim::read_step_link("tilesim-17;3");
  CHECK(both.socket == "tilesim-17");
  CHECK(both.page == 3);
  // Who starts the program himself may have no page.
  const sim::step_link alone = sim::read_step_link("tilesim-17");
  CHECK(alone.socket == "tilesim-17");
  CHECK(alone.page == -1);
  CHECK(sim::read_step_link("tilesim-17;x").page == -1);
}

TEST_CASE("environment: which check is stepped through") {
  CHECK(sim::text_of(sim::stepped_check{2, "1f;2e"}) == "2;1f;2e");
  const sim::stepped_check c = sim::read_stepped_check("2;1f;2e");
  CHECK(c.number == 2);
  CHECK(c.program == "1f;2e");
  CHECK(sim::read_stepped_check("x;1f").number == 0);
  CHECK(sim::read_stepped_check("3").program.empty());
}
