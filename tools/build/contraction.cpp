// Asking NVIDIA's compiler which sums it fuses, once for a text.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/contraction.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/contract/option_table.hpp"
#include "sim/contract/options.hpp"
#include "sim/contract/printable.hpp"
#include "tools/build/cache.hpp"
#include "tools/build/compiled_sums.hpp"
#include "tools/build/install.hpp"
#include "tools/build/tile_compiler.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace tilesim::tools {

using namespace sim::option_literals;

namespace {

std::string asked(const build_request& request) {
  const nvcc compiler = find_tile_compiler();
  const command_line flags = nvcc_flags(request);
  cache results = cache::open();
  const auto started = std::chrono::system_clock::now();
  const std::string key = hash_bytes(fmt::format("sums 2 {} {} {} {} in {}",
                                                 find_installation().build_id,
                                                 compiler.version,
                                                 to_string(flags),
                                                 to_string(command_line(request.sources)),
                                                 std::filesystem::current_path().string()));
  if (const auto found = results.find(key)) {
    return found->file;
  }
  const sums_of_sources sums = compiled_sums(compiler.path, request.sources, flags);
  cached_result made;
  made.inputs = sums.inputs;
  made.file = results.temporary(".sums");
  write_file(made.file, sim::to_text(sums.sums));
  return results.store(key, made, ".sums", started);
}

// The simulator's option for the word.
std::string contraction_of(const std::string& word, const build_request& request) {
  if (word == sim::contract_by_rule) {
    return word;
  }
  if (word == "compiler") {
    return sim::printable(asked(request));
  }
  const auto text = read_file(word);
  if (!text) {
    throw failure(exit_usage,
                  fmt::format("--contract takes compiler, rule or a file, not '{}': there is no "
                              "such file",
                              word));
  }
  try {
    static_cast<void>(sim::sums_from_text(*text));
  } catch (const sim::bad_sum_table& e) {
    throw failure(
        exit_usage,
        fmt::format("{}: {}; 'tilesim gpu sums FILE.cu' writes such tables", word, e.what()));
  }
  return sim::printable(std::filesystem::absolute(word).string());
}

} // namespace

void add_contract(CLI::App& app, std::string& contract) {
  app.add_option("--contract",
                 contract,
                 "fuse products and sums: as NVIDIA's compiler does (compiler), wherever it may "
                 "(rule), or by a table of 'tilesim gpu sums' (its file)")
      ->type_name("WHICH")
      ->expected(1);
}

void follow_contract(const std::string& contract,
                     const build_request& request,
                     nlohmann::json& simulator) {
  if (!contract.empty()) {
    simulator["contract"_option] = contraction_of(contract, request);
  }
}

} // namespace tilesim::tools
