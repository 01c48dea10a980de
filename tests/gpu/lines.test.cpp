// Lines of a program's host code: as `tilesim gpu build` finds them, as a recording holds them, and
// what is read of them.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/gpu/lines.hpp"

#include "gpu_backend/container/reader.hpp"
#include "gpu_backend/container/writer.hpp"
#include "support/catch.hpp"
#include "tools/gpu/places.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <variant>

namespace {

using namespace tilesim;
using tools::gpu_tool::place_names;

const std::filesystem::path sources = TILESIM_FAKE_RUNTIME;

/// Where in scenarios.cpp it says so for the first time.
unsigned line_of(const std::string& text) {
  std::ifstream from(sources / "scenarios.cpp");
  unsigned line = 1;
  for (std::string it; std::getline(from, it); ++line) {
    if (it.find(text) != std::string::npos) {
      return line;
    }
  }
  return 0;
}

class folder {
public:
  folder()
      : path((std::filesystem::temp_directory_path() / "tilesim-XXXXXX").string()) {
    REQUIRE(mkdtemp(path.data()) != nullptr);
  }
  ~folder() { std::filesystem::remove_all(path); }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;

  std::string path;
};

std::string at(const tools::gpu_tool::named_place& p) {
  return fmt::format("{}:{}", p.file, p.line);
}

/// A recording that has such lines.
std::string with_lines(const folder& in, const std::string& text) {
  std::string path = in.path + "/x.rec";
  gpu::writer to(path);
  const auto bytes = std::as_bytes(std::span(text));
  to.add(gpu::machine_event{});
  to.add(gpu::lines_event{.content = to.keep(bytes), .bytes = bytes.size()});
  to.finish();
  return path;
}

} // namespace

TEST_CASE("a program that was built with its lines names the places of its calls") {
  const folder in;
  const std::string program = TILESIM_RECORDED_PROGRAM;
  const std::string scenarios = (sources / "scenarios.cpp").string();
  const std::string table = tools::gpu_tool::line_table(
      program, {scenarios}, {(sources / "kernel.hpp").string(), TILESIM_SOURCE "/gpu_backend/"});
  REQUIRE(table.starts_with("tilesim-lines 1\nfile "));
  CHECK(table.find("/usr/") == std::string::npos);

  const std::string with = in.path + "/program";
  std::filesystem::copy_file(program, with);
  std::ofstream(with, std::ios::binary | std::ios::app) << tools::gpu_tool::behind_program(table);
  const std::string command =
      fmt::format("cd '{}' && TILESIM_RECORD=x.rec ./program simple >out", in.path);
  CHECK(WEXITSTATUS(std::system(command.c_str())) == 3); // NOLINT(cert-env33-c): the test's own
  const gpu::recording_file recording(in.path + "/x.rec");
  const place_names places(recording);
  unsigned seen = 0;
  for (const gpu::event& e : recording.events()) {
    if (const auto* const launch = std::get_if<gpu::launch_event>(&e)) {
      ++seen;
      CHECK(at(places.of(launch->place, launch->symbol)) ==
            fmt::format("{}:{}", scenarios, line_of("FAKE_LAUNCH(fill, dim3(2, 3, 4)")));
    } else if (const auto* const copy = std::get_if<gpu::copy_event>(&e)) {
      ++seen;
      CHECK(at(places.of(copy->place)) ==
            fmt::format("{}:{}", scenarios, line_of("MUST(cudaMemcpy(host.data(), out, 12000")));
    } else if (const auto* const memory = std::get_if<gpu::memory_event>(&e);
               memory != nullptr && memory->kind == gpu::memory_kind::device) {
      ++seen;
      CHECK(at(places.of(memory->place)) ==
            fmt::format("{}:{}", scenarios, line_of("MUST(cudaMalloc(&p, count * sizeof(T)))")));
    }
  }
  CHECK(seen == 3);
}

TEST_CASE("a program without debugging information has no lines") {
  CHECK(tools::gpu_tool::line_table("/nonexistent", {}, {}).empty());
  CHECK(tools::gpu_tool::line_table("/bin/true", {}, {}).empty());
}

TEST_CASE("the host's stand-in of a kernel, and its stubs, are no places") {
  const folder in;
  const gpu::recording_file recording(with_lines(in,
                                                 "tilesim-lines 1\n"
                                                 "file a.cu\n"
                                                 "file b.cuh\n"
                                                 "function _Z5twicePf\n"
                                                 "function main\n"
                                                 "function _ZL20__device_stub__twicePf\n"
                                                 "code 100 110 0,2,1\n"
                                                 "code 110 120 0,0,5\n"
                                                 "code 120 130 1,0,6 0,1,20\n"
                                                 "function scale<float>\n"
                                                 "code 200 210 0,1,30\n"
                                                 "code 210 220 0,3,8\n"));
  const place_names places(recording);
  // Recorder, stub, stand-in, main.
  CHECK(at(places.of({0x50, 0x108, 0x118, 0x205}, "_Z5twicePf")) == "a.cu:30");
  // The stand-in has been inlined into main.
  CHECK(at(places.of({0x108, 0x125}, "_Z5twicePf")) == "a.cu:20");
  // Debugging information may name it without its mangling; a template with its arguments.
  CHECK(at(places.of({0x215, 0x205}, "_Z5scaleIfEvPT_S0_")) == "a.cu:30");
  CHECK(at(places.of({0x215, 0x205}, "_Z5scalePf")) == "a.cu:30");
  CHECK(at(places.of({0x215, 0x205}, "_Z9upscalingPf")) == "a.cu:8");
  // Called for itself it is a place like any other.
  CHECK(at(places.of({0x118})) == "a.cu:5");
  // A return address may be the next line's.
  CHECK(at(places.of({0x120})) == "a.cu:5");
  CHECK(places.of({0x130 + 1, 0, 0x100}).file.empty());
}

TEST_CASE("lines that are none say nothing") {
  const folder in;
  const gpu::recording_file recording(
      with_lines(in,
                 "code\ncode x\ncode 10\nfile\nfile a.cu\nfunction\n"
                 "code 10 20 9,0,1 1,9,1 x 1,0,7\n"
                 "code 30 40 1,0,99999999999\n"
                 "code 50 60 1,0,8"));
  const place_names places(recording);
  CHECK(places.of({0x15}).file.empty());
  CHECK(places.of({0x35}).file.empty());
  CHECK(at(places.of({0x55})) == "a.cu:8");
}
