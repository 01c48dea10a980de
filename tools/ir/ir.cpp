// tilesim ir: bytecode of Tile IR as text.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/printable.hpp"
#include "sim/tileir/printer.hpp"
#include "sim/tileir/reader.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/terminal.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <span>

namespace tilesim::tools {

int ir_command(const std::vector<std::string>& words) {
  CLI::App app("Prints Tile IR bytecode as text, as NVIDIA's disassembler does.", "ir");
  set_usage(app, "usage: tilesim ir [--places] FILE.tilebc...");
  app.footer(
      "Bytecode 13.1 to 13.4, as cuTile (CUDA_TILE_DUMP_BYTECODE=FOLDER, export_kernel) and\n"
      "NVIDIA's compiler (nvcc --enable-tile --tilebc) write it. A file that is damaged is "
      "refused\n"
      "with the section and the offset (65).\n"
      "\n"
      "examples:\n"
      "  tilesim ir saxpy.tilebc\n"
      "  tilesim ir --places saxpy.tilebc\n");
  tileir::print_options options;
  app.add_flag(
      "--places", options.places, "say behind each operation where it stands in the source");
  const std::vector<std::string> files = parse_words(app, words);
  if (files.empty()) {
    throw failure(exit_usage, "no file; write 'tilesim ir FILE.tilebc', see 'tilesim ir --help'");
  }
  for (const std::string& file : files) {
    const auto bytes = read_file(file);
    if (!bytes) {
      throw failure(exit_usage, fmt::format("cannot read '{}'", file));
    }
    try {
      const std::span data{reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()};
      print_out(sim::printable_text(tileir::print(*tileir::read(data), options)));
    } catch (const tileir::bad_bytecode& e) {
      throw failure(exit_input, fmt::format("{}: {}", file, e.what()));
    }
  }
  return exit_clean;
}

} // namespace tilesim::tools
