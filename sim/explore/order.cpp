// Reading what `tilesim explore` has asked, from the environment.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/order.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/standard_error.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace tilesim::sim::exploring {

std::optional<exploration_order> order_from_environment() {
  constexpr std::size_t most_told = 200;
  try {
    return exploration_from_environment();
  } catch (const unreadable_order& e) {
    print_error(
        "tilesim: internal error: {} cannot be read: {}\n"
        "  it holds '{}'\n"
        "  'tilesim explore' writes it: unset it if you have set it yourself; else this is a "
        "bug of tilesim's: please report it with these lines and the command\n",
        exploration_variable,
        printable(e.what()),
        printable(std::string(std::getenv(exploration_variable)).substr(0, most_told)));
    std::fflush(nullptr);
    _exit(exit_internal);
  }
}

} // namespace tilesim::sim::exploring
