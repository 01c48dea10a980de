// tilesim cache: what is kept, and away with it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/printable.hpp"
#include "tools/build/cache.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/cli/wording.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace tilesim::tools {

int cache_command(const std::vector<std::string>& words) {
  CLI::App app("Shows or clears what tilesim has compiled and kept.", "cache");
  set_usage(app, "usage: tilesim cache info|clear");
  app.footer(
      "The cache lies in $TILESIM_CACHE, else $XDG_CACHE_HOME/tilesim, else ~/.cache/tilesim.\n"
      "It holds 2 GiB unless TILESIM_CACHE_SIZE says otherwise (500M, 4G); what was not used\n"
      "for longest goes first.\n"
      "\n"
      "examples:\n"
      "  tilesim cache info\n"
      "  TILESIM_CACHE_SIZE=500M tilesim run saxpy.cu\n");
  const auto action = parse_action(app, words, {"info", "clear"});
  auto results = cache::open();
  if (action == "clear") {
    results.clear();
  }
  const auto usage = results.usage();
  constexpr double mebibyte = 1 << 20;
  print_out(fmt::format("{}\n{}, {:.1f} MiB of {:.0f} MiB\n",
                        sim::printable(results.folder()),
                        counted(usage.files, "file"),
                        static_cast<double>(usage.bytes) / mebibyte,
                        static_cast<double>(usage.limit) / mebibyte));
  return exit_clean;
}

} // namespace tilesim::tools
