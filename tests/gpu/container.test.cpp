// The container of recordings: every event comes back, every cut and every flipped bit is told.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/container/format.hpp"
#include "gpu_backend/container/reader.hpp"
#include "gpu_backend/container/writer.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace tilesim::gpu;

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* const from = reinterpret_cast<const std::byte*>(text.data());
  return {from, from + text.size()};
}

/// A file that is gone with the test.
class file {
public:
  file()
      : path((std::filesystem::temp_directory_path() / "tilesim-XXXXXX").string()) {
    close_of(mkstemp(path.data()));
  }
  ~file() { std::filesystem::remove(path); }
  file(const file&) = delete;
  file& operator=(const file&) = delete;

  void put(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
  [[nodiscard]] std::string text() const {
    std::ifstream from(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(from), {}};
  }

  std::string path;

private:
  static void close_of(int descriptor) {
    REQUIRE(descriptor >= 0);
    close(descriptor);
  }
};

std::vector<event> every_event(const content_ref& content, const content_ref& mask) {
  return {machine_event{.program = "a",
                        .sources = "a.cu b.cu",
                        .source_hash = 0xfedcba9876543210U,
                        .compiler = "nvcc 13.4.92",
                        .flags = "-fmad=false",
                        .device = "NVIDIA H200",
                        .capability = "9.0",
                        .driver = "580.159.04",
                        .runtime = "13.4"},
          run_event{3},
          memory_event{.number = 1,
                       .kind = memory_kind::managed,
                       .address = 0x7f0000000000U,
                       .bytes = 4096,
                       .name = {},
                       .place = {0x1234, 0x56}},
          memory_event{.number = memory_event::first_variable,
                       .kind = memory_kind::variable,
                       .address = 1,
                       .bytes = 4,
                       .name = "counter",
                       .place = {}},
          host_write_event{.memory = 1, .offset = 8, .bytes = 16, .hash = 7, .by = "cudaMemcpy"},
          content_event{.is = content_event::when::before,
                        .memory = 1,
                        .offset = 0,
                        .bytes = 5,
                        .content = content,
                        .mask = {}},
          launch_event{.number = 0,
                       .symbol = "_Z1kPf",
                       .grid = {4, 2, 1},
                       .block = {1, 1, 1},
                       .cluster = {},
                       .shared_bytes = 100,
                       .stream = 2,
                       .by = "cudaLaunchKernel",
                       .place = {9}},
          content_event{.is = content_event::when::after,
                        .memory = 1,
                        .offset = 3,
                        .bytes = 5,
                        .content = content,
                        .mask = mask},
          observed_event{.first = 0, .last = 0},
          copy_event{
              .memory = 1, .offset = 0, .bytes = 4096, .hash = 1, .by = "cudaMemcpy", .place = {}},
          error_event{.function = "cudaFree", .code = -1, .name = "cudaErrorInvalidValue"},
          printed_event{std::string("42\n\0x", 5)},
          freed_event{1},
          lines_event{.content = content, .bytes = 5},
          pages_event{.is = content_event::when::after,
                      .memory = 1,
                      .offset = 4096,
                      .bytes = 5000,
                      .hashes = {0xfedcba9876543210U, 1}},
          sums_event{.content = content, .bytes = 5},
          end_event{.by_signal = true, .status = 11}};
}

/// Writes every event; gives them.
std::vector<event> write_all(const std::string& path) {
  writer to(path);
  const content_ref content = to.keep(bytes_of("hello"));
  const content_ref mask = to.keep(bytes_of("\x15"));
  std::vector<event> all = every_event(content, mask);
  for (const event& e : all) {
    to.add(e);
  }
  to.finish();
  CHECK(to.failed() == 0);
  return all;
}

std::string refusal(const std::string& path) {
  try {
    const recording_file read(path);
    return read.complete() ? "accepted" : "incomplete";
  } catch (const bad_recording& e) {
    return e.what();
  }
}

} // namespace

TEST_CASE("a recording gives back every event and the contents that it points to") {
  const file at;
  const std::vector<event> all = write_all(at.path);
  const recording_file read(at.path);
  CHECK(read.complete());
  REQUIRE(read.events().size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO("event " << i);
    CHECK((read.events()[i] == all[i]));
  }
  const auto& content = std::get<content_event>(read.events()[7]);
  CHECK(std::ranges::equal(read.content(content.content, 5), bytes_of("hello")));
  CHECK(std::ranges::equal(read.content(*content.mask, 1), bytes_of("\x15")));
  CHECK_THROWS_AS(static_cast<void>(read.content(content.content, 7)), bad_recording);
  CHECK_THROWS_AS(static_cast<void>(read.content({.chunk = 1, .offset = 0}, 1)), bad_recording);
}

TEST_CASE("contents are cut into chunks, and events never come before what they point to") {
  const file at;
  constexpr std::size_t piece = format::most_content_bytes;
  constexpr unsigned pieces = 40; // of 1 MiB: three chunks
  {
    writer to(at.path);
    for (unsigned i = 0; i < pieces; ++i) {
      const std::vector<std::byte> bytes(piece, static_cast<std::byte>(i));
      to.add(content_event{.is = content_event::when::after,
                           .memory = i,
                           .offset = 0,
                           .bytes = piece,
                           .content = to.keep(bytes),
                           .mask = {}});
    }
    to.finish();
  }
  CHECK(std::filesystem::file_size(at.path) < 100'000);
  const recording_file read(at.path);
  REQUIRE(read.events().size() == pieces);
  for (unsigned i = 0; i < pieces; ++i) {
    const auto& e = std::get<content_event>(read.events()[i]);
    const auto bytes = read.content(e.content, e.bytes);
    CHECK(bytes.front() == static_cast<std::byte>(i));
    CHECK(bytes.back() == static_cast<std::byte>(i));
  }
}

TEST_CASE("another run is recorded behind a complete one") {
  const file at;
  const std::vector<event> all = write_all(at.path);
  {
    writer to(at.path, true);
    to.add(run_event{1});
    to.add(content_event{.is = content_event::when::before,
                         .memory = 0,
                         .offset = 0,
                         .bytes = 3,
                         .content = to.keep(bytes_of("two")),
                         .mask = {}});
    to.finish();
    CHECK(to.failed() == 0);
  }
  const recording_file read(at.path);
  CHECK(read.complete());
  REQUIRE(read.events().size() == all.size() + 2);
  const auto& second = std::get<content_event>(read.events().back());
  CHECK(std::ranges::equal(read.content(second.content, 3), bytes_of("two")));
  at.put(at.text().substr(0, at.text().size() - 1));
  const writer behind(at.path, true);
  CHECK(behind.failed() != 0); // nothing can stand behind a piece of a chunk
}

TEST_CASE("a recording that is cut short is told, with the byte") {
  const file at;
  write_all(at.path);
  const std::string whole = at.text();
  std::size_t incomplete = 0;
  for (std::size_t size = 1; size < whole.size(); ++size) {
    at.put(whole.substr(0, size));
    const std::string said = refusal(at.path);
    INFO("cut to " << size << ": " << said);
    if (said == "incomplete") {
      ++incomplete; // between two chunks: a program that was killed leaves this
    } else {
      CHECK((said.find("cut short") != std::string::npos ||
             said.find("no recording") != std::string::npos));
    }
  }
  CHECK(incomplete == 3); // before contents, before events, before the end
}

TEST_CASE("every flipped bit of a recording is told") {
  const file at;
  write_all(at.path);
  const std::string whole = at.text();
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    const std::size_t byte = bit / 8;
    if (byte >= 12 && byte < 16) {
      continue; // kept for later: says nothing
    }
    std::string damaged = whole;
    damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << (bit % 8)));
    at.put(damaged);
    const std::string said = refusal(at.path);
    INFO("bit " << bit << ": " << said);
    CHECK(said.find("error: ") != std::string::npos);
  }
}

TEST_CASE("what is no recording, or one of another version, is told so") {
  const file at;
  at.put("");
  CHECK(refusal(at.path).find("this is no recording") != std::string::npos);
  at.put("tilesim-recording 1\n");
  CHECK(refusal(at.path).find("this is no recording") != std::string::npos);
  write_all(at.path);
  std::string other = at.text();
  other[8] = 3;
  at.put(other);
  CHECK(refusal(at.path).find("version 3, and this tilesim reads version 2") != std::string::npos);
  other[8] = 1;
  at.put(other);
  CHECK(refusal(at.path).find("version 1, and this tilesim reads version 2") != std::string::npos);
}

TEST_CASE("what a process has added is written by another when it has died") {
  const file at;
  writer to(at.path);
  to.add(run_event{0});
  to.flush();
  const pid_t child = fork(); // takes over what its parent, in truth alive, has not written
  std::vector<event> all;
  if (child == 0) {
    sleep(1);
    _exit(to.take_over() ? (to.add(run_event{7}), to.flush(), 3) : 4);
  }
  const std::vector<std::byte> big(std::size_t{1} << 20U, static_cast<std::byte>(5));
  for (std::uint64_t i = 0; i < 20; ++i) { // more than a chunk; a part of it is open still
    const content_event e{.is = content_event::when::after,
                          .memory = i,
                          .offset = 0,
                          .bytes = big.size(),
                          .content = to.keep(big),
                          .mask = {}};
    to.add(e);
    all.emplace_back(e);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 3);
  const recording_file read(at.path);
  CHECK_FALSE(read.complete());
  REQUIRE(read.events().size() == 22);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK((read.events()[1 + i] == all[i]));
    const auto& e = std::get<content_event>(all[i]);
    CHECK(std::ranges::equal(read.content(e.content, e.bytes), big));
  }
  CHECK((read.events().back() == event(run_event{7})));
}
