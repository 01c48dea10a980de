// Attaches the agent when the library is loaded into a program that is stepped.
//
// Linked last: the rest of the library is ready by then.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/environment.hpp"
#include "sim/process/sections.hpp"
#include "sim/step/agent.hpp"

#include <tilesim/detail/checked_run.hpp>

#include <cstdlib>
#include <string>

namespace {

[[gnu::constructor]] void attach_agent() {
  const tilesim::sim::library_section inside;
  // The check that is to be stepped through attaches by itself.
  if (std::getenv(tilesim::sim::step_check_variable) == nullptr) {
    tilesim::sim::step::attach();
  }
}

} // namespace

namespace tilesim::detail {

void begin_stepped_run() {
  const sim::library_section inside;
  const char* given = std::getenv(sim::options_variable);
  const std::string options = given == nullptr ? "{}" : given;
  begin_checked_run(options.c_str());
  unsetenv(sim::step_check_variable);
  sim::step::attach();
}

} // namespace tilesim::detail
