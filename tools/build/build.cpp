// tilesim build: compiles and keeps the program, or its objects.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/compile.hpp"
#include "tools/build/dependencies.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace tilesim::tools {
namespace {

void copy_result(const std::string& from, const std::string& to, output_kind kind) {
  const auto bytes = read_file(from);
  if (!bytes) {
    throw failure(exit_unavailable,
                  fmt::format("cannot read '{}': {}", from, std::strerror(errno)));
  }
  write_output(to, *bytes, kind);
}

// `dependencies` gets a makefile's rule that names what the object was made from.
void keep_objects(const build_request& request, builder& build, const std::string& dependencies) {
  if ((!request.output.empty() || !dependencies.empty()) && request.sources.size() > 1) {
    throw failure(exit_usage,
                  "-c with -o or --dependency-file takes one source file; name one file");
  }
  const auto objects = build.objects();
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto stem = std::filesystem::path(request.sources[i]).stem().string();
    const auto name = request.output.empty() ? stem + ".o" : request.output;
    copy_result(objects[i].file, name, output_kind::data);
    if (!dependencies.empty()) {
      write_output(dependencies, format_dependencies(name, objects[i].inputs));
    }
  }
}

} // namespace

int build_command(const std::vector<std::string>& words) {
  CLI::App app("Compiles CUDA sources for this machine and keeps the program.", "build");
  set_usage(app, "usage: tilesim build [options] FILE.cu... [compiler flags] [-o PROGRAM]");
  app.footer("The program is a.out unless -o names it. With -c each source becomes an object that\n"
             "any linker takes; link it with libtilesim.so.\n"
             "\n"
             "examples:\n"
             "  tilesim build saxpy.cu -o saxpy\n"
             "  tilesim build -c kernels.cu -o kernels.o\n"
             "  tilesim build --print-rewritten saxpy.cu\n");
  bool hooks = false;
  bool verbose = false;
  bool print = false;
  app.add_flag("--hooks", hooks, "compile so that raw accesses (p[i], *flag) are watched, too");
  app.add_flag("--print-rewritten", print, "print what the compiler gets to see, and stop");
  app.add_flag("-v,--verbose", verbose, "print the commands that are run");
  std::string dependencies;
  app.add_option("--dependency-file", dependencies, "with -c: what was read, as a makefile's rule")
      ->type_name("FILE");
  auto request = parse_arguments(app, words).request;
  request.hooks = hooks;
  check_outputs({request.output, dependencies}, request.sources);
  builder build(request, verbose);
  if (print) {
    for (const auto& source : request.sources) {
      const auto text = build.rewritten_text(source);
      std::fwrite(text.data(), 1, text.size(), stdout);
    }
    return exit_clean;
  }
  if (request.objects_only) {
    keep_objects(request, build, dependencies);
  } else {
    copy_result(
        build.program(), request.output.empty() ? "a.out" : request.output, output_kind::program);
  }
  return exit_clean;
}

} // namespace tilesim::tools
