// tilesim gpu compact: a recording made smaller, with hashes in the place of what a comparison
// found to be the same.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/container/compact.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/contract/json_text.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/gpu/actions.hpp"
#include "tools/gpu/comparison_schema.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

namespace tilesim::tools::gpu_tool {

namespace {

void add_launches(std::set<std::uint64_t>& to, const nlohmann::json& run) {
  for (const nlohmann::json& l : run.at("launches")) {
    if (l.at("verdict").get<std::string>() != "same") {
      to.insert(l.at("launch").get<std::uint64_t>() - 1); // told from 1
    }
  }
}

/// The launches of which a report of `tilesim diff --json` says anything but that they are the
/// same.
void add_launches_of(std::set<std::uint64_t>& to, const std::string& path) {
  const auto text = read_file(path);
  if (!text) {
    throw failure(exit_usage, fmt::format("{}: no such file", path));
  }
  try {
    const nlohmann::json all = sim::parse_json(*text);
    if (const int made_by = all.at("schema").get<int>(); made_by != comparison_schema) {
      throw printed_failure(
          exit_input,
          fmt::format("{}: error: this comparison is of schema {}, and --keep takes schema {}; "
                      "compare anew with this tilesim\n",
                      path,
                      made_by,
                      comparison_schema));
    }
    if (all.contains("runs")) {
      for (const nlohmann::json& run : all.at("runs")) {
        add_launches(to, run);
      }
    } else {
      add_launches(to, all);
    }
  } catch (const nlohmann::json::exception&) {
    throw printed_failure(
        exit_input,
        fmt::format("{}: error: this is no comparison, and --keep takes those alone; give what "
                    "'tilesim diff FILE.cu --against X.rec --json' has written\n",
                    path));
  }
}

gpu::compacted
write_compact(const std::string& in, const std::string& out, const std::set<std::uint64_t>& keep) {
  try {
    const gpu::recording_file recording(in);
    gpu::writer to(out);
    const gpu::compacted sizes = gpu::compact(recording, to, keep);
    if (to.failed() != 0) {
      throw failure(exit_unavailable, fmt::format("{}: {}", out, std::strerror(to.failed())));
    }
    return sizes;
  } catch (const gpu::bad_recording& e) {
    throw printed_failure(exit_input, std::string(e.what()) + "\n");
  } catch (const std::system_error& e) {
    throw failure(exit_usage, fmt::format("{}: {}", in, e.code().message()));
  }
}

} // namespace

int compact(const std::vector<std::string>& words) {
  CLI::App app("Makes a recording smaller.", "gpu compact");
  set_usage(app, "usage: tilesim gpu compact FILE.rec -o SMALL.rec [--keep DIFF.json]");
  std::string output;
  std::vector<std::string> reports;
  app.add_option("-o,--output", output, "the recording to write");
  app.add_option("--keep",
                 reports,
                 "a report of 'tilesim diff --json': launches that are not the same in it keep "
                 "their content; may be given several times")
      ->allow_extra_args(false);
  app.footer(
      "Of what launches changed the hash of each page of 4096 bytes is kept instead of the bytes.\n"
      "'tilesim diff' compares with it as before; where a page differs it cannot say which\n"
      "elements do, nor whether they lie within the bounds. --keep keeps what that takes.\n"
      "Exit status: 0; 64 the command line, no such file; 65 FILE.rec is no recording, or "
      "damaged,\n"
      "or DIFF.json no report; 69 SMALL.rec cannot be written.\n"
      "\n"
      "examples:\n"
      "  tilesim diff rope.cu --against full.rec --json rope.json\n"
      "  tilesim gpu compact full.rec --keep rope.json -o rope.rec\n"
      "  tilesim diff rope.cu --against rope.rec\n");
  const std::string path = one_recording(parse_words(app, words), "compact");
  if (output.empty()) {
    throw failure(exit_usage, "'gpu compact' needs -o SMALL.rec, the recording to write");
  }
  std::error_code none;
  if (std::filesystem::equivalent(path, output, none)) {
    throw failure(exit_usage,
                  fmt::format("-o {} is the recording itself; give another file", output));
  }
  std::set<std::uint64_t> keep;
  for (const std::string& report : reports) {
    add_launches_of(keep, report);
  }
  const gpu::compacted sizes = write_compact(path, output, keep);
  print_out(fmt::format("{}: {} bytes of memory as hashes, {} as they are\n",
                        output,
                        sizes.hashed_bytes,
                        sizes.content_bytes));
  return exit_clean;
}

} // namespace tilesim::tools::gpu_tool
