// tilesim gpu build: a program for a GPU that records what it does there.
//
// The sources are compiled as they are. The recorder is linked in front of the CUDA runtime: the
// linker's --wrap=NAME sends the program's calls of NAME to it [gpu_backend/recorder/wraps.def].
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/gpu/build.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/contract/standard_error.hpp"
#include "tools/build/cache.hpp"
#include "tools/build/compiled_sums.hpp"
#include "tools/build/install.hpp"
#include "tools/build/tile_compiler.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/number_checks.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/gpu/actions.hpp"
#include "tools/gpu/lines.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <xxhash.h>

namespace tilesim::tools::gpu_tool {

namespace {

constexpr std::array wrapped{
#define TILESIM_WRAPPED(name) "--wrap=" #name,
#include "gpu_backend/recorder/wraps.def"
#undef TILESIM_WRAPPED
};

/// Of the recorder; the last one runs on the device.
constexpr std::array recorder_sources{"gpu_backend/container/chunk_file.cpp",
                                      "gpu_backend/container/writer.cpp",
                                      "gpu_backend/recorder/activity.cpp",
                                      "gpu_backend/recorder/call.cpp",
                                      "gpu_backend/recorder/recorder.cpp",
                                      "gpu_backend/recorder/runs.cpp",
                                      "gpu_backend/recorder/shadows.cpp",
                                      "gpu_backend/recorder/surroundings.cpp",
                                      "gpu_backend/recorder/wraps.cpp",
                                      "gpu_backend/recorder/wraps_memory.cpp",
                                      "gpu_backend/recorder/page_diff.cu"};

command_line parse(CLI::App& app, build_options& o, const std::vector<std::string>& words) {
  app.add_option("-o", o.output, "the program")->required();
  app.add_option("--arch", o.arch, "the device's architecture (sm_90)");
  app.add_option("--runs",
                 o.runs,
                 "how often the program runs when it is started, all in one recording (1)")
      ->check(whole_number(1, 100'000));
  app.add_flag("--full",
               o.full,
               "of several runs, keep all contents: not only what differs from the first run's");
  app.add_flag("-v,--verbose", o.verbose, "print the commands that are run");
  app.footer(
      "What is no option of these is NVIDIA's compiler's, so are -fmad=false, -I and -D. The\n"
      "program needs nothing of tilesim's where it runs. It writes PROG.rec, or $TILESIM_RECORD,\n"
      "and runs as often as $TILESIM_RECORD_RUNS says where that is set.\n"
      "Unless -fmad=false is given, products are fused with sums: which ones goes into the\n"
      "recording, and 'tilesim diff' fuses them, too.\n"
      "Exit status: 0; 64 the command line; 65 a source does not compile; 69 no compiler.\n"
      "\n"
      "examples:\n"
      "  tilesim gpu build -fmad=false saxpy.cu -o saxpy\n"
      "  tilesim gpu build --arch sm_100 -I include main.cu kernels.cu -o prog\n"
      "  tilesim gpu build --runs 20 scatter.cu -o scatter    # of a race, many outcomes\n");
  // The compiler's flags are not known here: only what stands before them can be taken.
  command_line own;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool takes = word == "-o" || word == "--arch" || word == "--runs";
    if (takes || word.starts_with("--arch=") || word.starts_with("--runs=") || word == "--full" ||
        word == "-v" || word == "--verbose" || word == "-h" || word == "--help") {
      own.push_back(word);
      if (takes && i + 1 < words.size()) {
        refuse_option_as_value(word, words[i + 1]);
        own.push_back(words[++i]);
      }
    } else if (!word.starts_with('-') && is_source_name(word)) {
      o.sources.push_back(word);
    } else {
      o.flags.push_back(word);
    }
  }
  return own;
}

class gpu_builder {
public:
  gpu_builder(build_options o)
      : options_(std::move(o))
      , compiler_(find_tile_compiler())
      , results_(cache::open()) {}

  void run() {
    const std::string recorder = recorder_library();
    const bool sums_known = read_sums();
    const temporary_file about(results_, ".cpp");
    write_file(about.path, about_text());
    const temporary_file made(results_, ".exe");
    command_line command{compiler_.path, "--enable-tile"};
    add_language(command);
    command.insert(command.end(), options_.flags.begin(), options_.flags.end());
    for (const std::string& source : options_.sources) {
      command.push_back(source_word(source));
    }
    command.insert(command.end(), {about.path, recorder, "-Xlinker", "-l:libzstd.a"});
    for (const char* const word : wrapped) {
      command.insert(command.end(), {"-Xlinker", word});
    }
    command.insert(
        command.end(),
        {"-Xcompiler", "-static-libstdc++", "-Xcompiler", "-static-libgcc", "-o", made.path});
    compile(command, options_.sources.front());
    if (!sums_known) {
      sim::print_error(
          "tilesim: note: which sums are fused with a product is not known: with these "
          "flags there is no Tile IR; give -fmad=false to have none fused\n");
    }
    const std::string lines =
        line_table(made.path, options_.sources, {toolkit_folder(compiler_.path)});
    write_output(options_.output,
                 read_file(made.path).value_or("") + behind_program(lines),
                 output_kind::program);
  }

private:
  void add_language(command_line& command) const {
    if (std::ranges::none_of(options_.flags, [](const std::string& f) {
          return f.starts_with("-std") || f.starts_with("--std");
        })) {
      command.emplace_back("-std=c++20");
    }
    if (!options_.arch.empty() || std::ranges::none_of(options_.flags, [](const std::string& f) {
          return f.starts_with("-arch") || f.starts_with("-gencode");
        })) {
      command.push_back("-arch=" + (options_.arch.empty() ? "sm_90" : options_.arch));
    }
    // Lines of the host's code, and no more: the code is the same with and without.
    if (std::ranges::find(options_.flags, "-g") == options_.flags.end()) {
      command.insert(command.end(), {"-Xcompiler", "-g1"});
    }
  }

  /// Which sums the compiler fuses. False: it does not say.
  bool read_sums() {
    if (!contracts(options_.flags)) {
      return true;
    }
    command_line flags;
    add_language(flags);
    flags.insert(flags.end(), options_.flags.begin(), options_.flags.end());
    try {
      sums_ = sim::to_text(compiled_sums(compiler_.path, options_.sources, flags).sums);
      return true;
    } catch (const printed_failure&) {
      return false; // if the source is wrong, compiling it says so
    }
  }

  void compile(const command_line& command, const std::string& what) const {
    if (options_.verbose) {
      sim::print_error("{}\n", to_string(command));
    }
    sim::print_error("{}", for_terminal(run_nvcc(command, what)));
  }

  /// The recorder's objects, made once for a compiler.
  std::string recorder_library() {
    const auto started = std::chrono::system_clock::now();
    const std::string folder = find_recorder();
    command_line command{compiler_.path, "-lib", "-std=c++20", "-O2", "-I" + folder};
    command.push_back("-arch=" + (options_.arch.empty() ? "sm_90" : options_.arch));
    cached_result made;
    for (const char* const source : recorder_sources) {
      made.inputs.push_back(folder + "/" + source);
    }
    command.insert(command.end(), made.inputs.begin(), made.inputs.end());
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(folder + "/gpu_backend")) {
      if (entry.path().extension() == ".hpp") {
        made.inputs.push_back(entry.path().string());
      }
    }
    const std::string key = hash_bytes("recorder " + compiler_.version + " " + to_string(command));
    if (auto found = results_.find(key)) {
      return found->file;
    }
    made.file = results_.temporary(".a");
    command.insert(command.end(), {"-o", made.file});
    compile(command, "the recorder");
    return results_.store(key, made, ".a", started);
  }

  /// A source that tells the recorder what it is in.
  std::string about_text() const {
    std::string all;
    for (const std::string& source : options_.sources) {
      const auto text = read_file(source);
      if (!text) {
        throw failure(exit_usage, fmt::format("{}: no such file", source));
      }
      all += *text;
    }
    return fmt::format("#include <cstddef>\n"
                       "namespace tilesim::gpu::about {{\n"
                       "extern const char* const sources;\n"
                       "extern const unsigned long long source_hash;\n"
                       "extern const char* const compiler;\n"
                       "extern const char* const flags;\n"
                       "extern const unsigned runs;\n"
                       "extern const bool full;\n"
                       "extern const char* const sums;\n"
                       "const char* const sources = {};\n"
                       "const unsigned long long source_hash = {}ULL;\n"
                       "const char* const compiler = {};\n"
                       "const char* const flags = {};\n"
                       "const unsigned runs = {};\n"
                       "const bool full = {};\n"
                       "const char* const sums = {};\n"
                       "}}\n",
                       literal(fmt::format("{}", fmt::join(options_.sources, " "))),
                       XXH64(all.data(), all.size(), 0),
                       literal("nvcc " + compiler_.version),
                       literal(fmt::format("{}", fmt::join(options_.flags, " "))),
                       options_.runs,
                       options_.full,
                       literal(sums_));
  }

  static std::string literal(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
      result += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
    return result + "\"";
  }

  build_options options_;
  nvcc compiler_;
  cache results_;
  std::string sums_; ///< as a recording has them; empty: none may be fused, or nobody knows
};

} // namespace

int build(const std::vector<std::string>& words) {
  CLI::App app("Compiles a program for a GPU that records what it does there.", "gpu build");
  set_usage(app,
            "usage: tilesim gpu build FILE.cu... -o PROG [--arch sm_90] [--runs N] [nvcc flags]");
  build_options options;
  const command_line own = parse(app, options, words);
  static_cast<void>(parse_words(app, own));
  if (options.sources.empty()) {
    throw failure(exit_usage,
                  "no source file; write 'tilesim gpu build FILE.cu -o PROG', see 'tilesim gpu "
                  "build --help'");
  }
  check_outputs({options.output}, options.sources);
  build_recording_program(options);
  return exit_clean;
}

void build_recording_program(const build_options& o) {
  gpu_builder(o).run();
}

} // namespace tilesim::tools::gpu_tool
