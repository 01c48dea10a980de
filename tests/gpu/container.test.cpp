// The container of recordings: every event comes back, every cut and every flipped bit is told.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/container/compact.hpp"
#include "gpu_backend/container/format.hpp"
#include "gpu_backend/container/reader.hpp"
#include "gpu_backend/container/writer.hpp"
#include "support/catch.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

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
          run_event{0},
          memory_event{.number = 1,
                       .kind = memory_kind::managed,
                       .address = 0x7f0000000000U,
                       .bytes = 10000,
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
          lines_event{.content = content, .bytes = 5},
          pages_event{.is = content_event::when::after,
                      .memory = 1,
                      .offset = 4096,
                      .bytes = 5000,
                      .hashes = {0xfedcba9876543210U, 1}},
          sums_event{.content = content, .bytes = 5},
          arguments_event{.launch = 0, .sizes = {8, 4}, .bytes = std::string("12345678\0abc", 12)},
          freed_event{1},
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

/// The machine, and a memory.
void begin(writer& to, std::uint64_t bytes) {
  to.add(machine_event{});
  to.add(memory_event{.number = 1, .address = 0x7f0000000000U, .bytes = bytes});
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
  constexpr unsigned pieces = 160; // of 1 MiB: ten chunks, more than there may be room for
  {
    writer to(at.path);
    begin(to, pieces * piece);
    to.expect(UINT64_MAX); // room is made meanwhile, as far as there can be any
    for (unsigned i = 0; i < pieces; ++i) {
      const std::vector<std::byte> bytes(piece, static_cast<std::byte>(i));
      to.add(content_event{.is = content_event::when::after,
                           .memory = 1,
                           .offset = i * piece,
                           .bytes = piece,
                           .content = to.keep(bytes),
                           .mask = {}});
    }
    to.finish();
  }
  CHECK(std::filesystem::file_size(at.path) < 100'000);
  const recording_file read(at.path);
  REQUIRE(read.events().size() == 2 + pieces);
  for (unsigned i = 0; i < pieces; ++i) {
    const auto& e = std::get<content_event>(read.events()[2 + i]);
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
    begin(to, 3);
    to.add(content_event{.is = content_event::when::before,
                         .memory = 1,
                         .offset = 0,
                         .bytes = 3,
                         .content = to.keep(bytes_of("two")),
                         .mask = {}});
    to.finish();
    CHECK(to.failed() == 0);
  }
  const recording_file read(at.path);
  CHECK(read.complete());
  REQUIRE(read.events().size() == all.size() + 4);
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

namespace {

constexpr std::uint64_t top = 0x7f0000000000U;

memory_event memory(std::uint64_t number, std::uint64_t bytes = 64, std::uint64_t address = top) {
  return {.number = number,
          .kind =
              number < memory_event::first_variable ? memory_kind::device : memory_kind::variable,
          .address = address,
          .bytes = bytes,
          .name = {},
          .place = {}};
}

launch_event launch(std::uint64_t number) {
  launch_event e;
  e.number = number;
  return e;
}

content_event after(std::uint64_t number, std::uint64_t offset, std::uint64_t bytes) {
  return {.is = content_event::when::after,
          .memory = number,
          .offset = offset,
          .bytes = bytes,
          .content = {},
          .mask = {}};
}

pages_event pages(std::uint64_t offset, std::uint64_t bytes, std::size_t hashes) {
  return {.is = content_event::when::after,
          .memory = 1,
          .offset = offset,
          .bytes = bytes,
          .hashes = std::vector<std::uint64_t>(hashes)};
}

/// What is said of a recording with these events, and contents of 64 bytes.
std::string said_of(const std::vector<event>& events, bool machine = true) {
  const file f;
  writer to(f.path);
  static_cast<void>(to.keep(std::vector<std::byte>(64)));
  if (machine) {
    to.add(machine_event{});
  }
  for (const event& e : events) {
    to.add(e);
  }
  to.finish();
  const std::string said = refusal(f.path);
  return said.starts_with(f.path) ? said.substr(f.path.size()) : said;
}

} // namespace

TEST_CASE("events that no program leaves are refused, with their number") {
  const std::string all = "accepted";
  const auto refused = [](int number, const std::string& fact) {
    return ": error: event " + std::to_string(number) + " of the recording: " + fact +
           "; record the program anew";
  };
  CHECK(said_of({}) == all);
  CHECK(said_of({memory(1)}, false) ==
        refused(1, "no event before it says on which machine the program ran"));

  // Memory.
  CHECK(said_of({memory(1), memory(2), freed_event{1}, memory(3), freed_event{3}}) == all);
  CHECK(said_of({memory(1), memory(2), memory(1)}) == refused(4, "memory 1 comes a second time"));
  CHECK(said_of({run_event{0}, memory(1), run_event{1}, memory(1)}) == all);
  CHECK(said_of({freed_event{1}}) == refused(2, "memory 1 is freed, which there is not"));
  CHECK(said_of({memory(1), freed_event{1}, freed_event{1}}) ==
        refused(4, "memory 1 is freed a second time"));
  CHECK(said_of({memory(1, 16, ~std::uint64_t{0} - 16)}) == all);
  CHECK(said_of({memory(1, 17, ~std::uint64_t{0} - 16)}) ==
        refused(2, "memory 1 has 17 bytes at 0xffffffffffffffef: addresses end before"));
  CHECK(said_of({memory(memory_event::first_variable)}) == all);
  CHECK(said_of({memory(0)}) == refused(2,
                                        "memory cannot have the number 0: allocations count from "
                                        "1, variables from 4294967296"));

  // What events tell of memory.
  CHECK(said_of({memory(1), after(1, 0, 64), freed_event{1}}) == all);
  CHECK(said_of({memory(1), after(1, 1, 64)}) ==
        refused(3, "it tells of 64 bytes from byte 1 of memory 1 on, which has 64"));
  CHECK(said_of({memory(1), after(2, 0, 4)}) ==
        refused(3, "it tells of memory 2, which there is not"));
  CHECK(said_of({memory(1), freed_event{1}, after(1, 0, 4)}) ==
        refused(4, "it tells of memory 1, which has been freed"));
  const host_write_event wrote{.memory = 1, .offset = 60, .bytes = 4, .hash = 0, .by = {}};
  CHECK(said_of({memory(1), wrote}) == all);
  CHECK(said_of({memory(1), freed_event{1}, wrote}) ==
        refused(4, "it tells of memory 1, which has been freed"));
  const copy_event copy{.memory = 1, .offset = 0, .bytes = 4, .hash = 0, .by = {}, .place = {}};
  CHECK(said_of({memory(1), freed_event{1}, copy}) == all); // its end was waited for later
  CHECK(said_of({copy}) == refused(2, "it tells of memory 1, which there is not"));
  CHECK(said_of({memory(1, 5000), pages(4096, 904, 1)}) == all);
  CHECK(said_of({memory(1, 5000), pages(4096, 904, 2)}) ==
        refused(3, "904 bytes of memory 1 from byte 4096 on are told in 2 hashes of pages"));
  CHECK(said_of({memory(1, 5000), pages(4096, 905, 1)}) ==
        refused(3, "it tells of 905 bytes from byte 4096 of memory 1 on, which has 5000"));

  // Launches.
  CHECK(said_of({launch(0), launch(1), observed_event{0, 1}, launch(2), observed_event{2, 2}}) ==
        all);
  CHECK(said_of({launch(1)}) == refused(2, "it is launch 2, and 0 have begun before it"));
  CHECK(said_of({launch(0), observed_event{0, 1}}) ==
        refused(3, "launches 1 to 2 are observed, and 1 have begun"));
  CHECK(said_of({launch(0), launch(1), observed_event{1, 0}}) ==
        refused(4, "launches 2 to 1 are observed, and 2 have begun"));
  CHECK(said_of({launch(0), launch(1), observed_event{0, 0}, observed_event{0, 1}}) ==
        refused(5, "launches 1 to 2 are observed, and 1 have been already"));
  CHECK(said_of({launch(0), arguments_event{}}) == all);
  CHECK(said_of({arguments_event{}}) ==
        refused(2, "it has arguments of launch 1, and 0 have begun"));
  CHECK(said_of({launch(0), arguments_event{}, arguments_event{}}) ==
        refused(4, "it has arguments of launch 1, whose arguments have been told"));
}

TEST_CASE("contents lie in a chunk before the event, and a mask has a bit for each byte") {
  const auto with = [](content_ref content, std::optional<content_ref> mask, std::uint64_t bytes) {
    content_event e = after(1, 0, bytes);
    e.content = content;
    e.mask = mask;
    return said_of({memory(1), e});
  };
  const auto refused = [](const std::string& fact) {
    return ": error: event 3 of the recording: " + fact + "; record the program anew";
  };
  CHECK(with({0, 32}, {}, 32) == "accepted");
  CHECK(with({0, 33}, {}, 32) ==
        refused("its content takes 32 bytes from byte 33 of a chunk of contents on, which has 64"));
  CHECK(with({1, 0}, {}, 32) ==
        refused("its content lies in chunk 2 of contents, and 1 are before it"));
  CHECK(with({0, 0}, content_ref{0, 60}, 32) == "accepted");
  CHECK(with({0, 0}, content_ref{0, 61}, 32) ==
        refused("its mask takes 4 bytes from byte 61 of a chunk of contents on, which has 64"));
  CHECK(with({0, 0}, content_ref{0, 59}, 32) ==
        refused("its mask has 5 bytes, and 4 say which of its 32 are meant"));
  CHECK(with({0, 2}, content_ref{0, 0}, 32) ==
        refused("its mask has 2 bytes, and 4 say which of its 32 are meant"));
}

TEST_CASE("what a process has added is written by another when it has died") {
  const file at;
  writer to(at.path);
  const std::vector<std::byte> big(std::size_t{1} << 20U, static_cast<std::byte>(5));
  begin(to, big.size());
  to.flush();
  const pid_t child = fork(); // takes over what its parent, in truth alive, has not written
  std::vector<event> all;
  if (child == 0) {
    sleep(1);
    _exit(to.take_over() ? (to.add(run_event{7}), to.flush(), 3) : 4);
  }
  for (int i = 0; i < 20; ++i) { // more than a chunk; a part of it is open still
    const content_event e{.is = content_event::when::after,
                          .memory = 1,
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
  REQUIRE(read.events().size() == 23);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK((read.events()[2 + i] == all[i]));
    const auto& e = std::get<content_event>(all[i]);
    CHECK(std::ranges::equal(read.content(e.content, e.bytes), big));
  }
  CHECK((read.events().back() == event(run_event{7})));
}

namespace {

/// Content of a memory behind launches, kept in the recording.
content_event after(writer& to, std::uint64_t memory, std::span<const std::byte> bytes) {
  return {.is = content_event::when::after,
          .memory = memory,
          .offset = 0,
          .bytes = bytes.size(),
          .content = to.keep(bytes),
          .mask = {}};
}

/// Memories 1 (three pages and 100 bytes), 2 (40 bytes), 3 (a page with an address in its second
/// half); a launch that changes all, two that are observed together and change 1, one of a second
/// run.
void write_launches(const std::string& path, const std::vector<std::byte>& big) {
  writer to(path);
  std::vector<std::byte> addresses(2 * format::page_bytes);
  const std::uint64_t address = 0x7f0000001000U;
  std::memcpy(addresses.data() + format::page_bytes + 8, &address, sizeof(address));
  const std::span<const std::byte> small = std::span(big).first(40);
  begin(to, big.size());
  to.add(memory_event{.number = 2, .address = 0x7f0000010000U, .bytes = small.size()});
  to.add(memory_event{.number = 3, .address = 0x7f0000020000U, .bytes = addresses.size()});
  content_event before = after(to, 1, big);
  before.is = content_event::when::before;
  to.add(before);
  to.add(launch_event{.number = 0, .symbol = "k"});
  to.add(after(to, 1, big));
  to.add(after(to, 2, small));
  to.add(after(to, 3, addresses));
  to.add(observed_event{0, 0});
  to.add(launch_event{.number = 1, .symbol = "k"});
  to.add(launch_event{.number = 2, .symbol = "k"});
  content_event masked = after(to, 1, std::span(big).first(format::page_bytes));
  masked.mask = to.keep(std::vector<std::byte>(format::page_bytes / 8, std::byte{0x55}));
  to.add(masked);
  content_event rest = after(to, 1, std::span(big).subspan(format::page_bytes));
  rest.offset = format::page_bytes;
  to.add(rest);
  to.add(observed_event{1, 2});
  to.add(end_event{});
  to.finish();
  REQUIRE(to.failed() == 0);
}

std::vector<event> compact_events(const std::string& from,
                                  const std::string& to,
                                  const std::set<std::uint64_t>& keep) {
  const recording_file read(from);
  {
    writer small(to);
    compact(read, small, keep);
    REQUIRE(small.failed() == 0);
  }
  const recording_file written(to);
  CHECK(written.complete() == read.complete());
  return written.events();
}

template <class E>
std::vector<E> all_of(const std::vector<event>& events) {
  std::vector<E> found;
  for (const event& e : events) {
    if (const auto* const it = std::get_if<E>(&e)) {
      found.push_back(*it);
    }
  }
  return found;
}

std::vector<std::byte> numbered(std::size_t bytes) {
  std::vector<std::byte> result(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    result[i] = static_cast<std::byte>((i * 31) ^ (i >> 7U));
  }
  return result;
}

} // namespace

TEST_CASE(
    "a compact recording has the hash of each page that launches changed, and the rest as it was") {
  const file full;
  const file small;
  const std::vector<std::byte> big = numbered((3 * format::page_bytes) + 100);
  write_launches(full.path, big);
  const std::vector<event> events = compact_events(full.path, small.path, {});
  const auto pages = all_of<pages_event>(events);
  REQUIRE(pages.size() == 3);
  CHECK((pages[0].memory == 1 && pages[0].offset == 0 && pages[0].bytes == big.size()));
  REQUIRE(pages[0].hashes.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t at = i * format::page_bytes;
    CHECK(pages[0].hashes[i] ==
          XXH64(big.data() + at, std::min<std::size_t>(format::page_bytes, big.size() - at), 0));
  }
  // Of memory 3 the page without an address; of the launches that were observed together what has
  // no mask.
  CHECK((pages[1].memory == 3 && pages[1].offset == 0 && pages[1].bytes == format::page_bytes));
  CHECK((pages[2].memory == 1 && pages[2].offset == format::page_bytes &&
         pages[2].hashes.size() == 3));

  const recording_file read(small.path);
  const auto contents = all_of<content_event>(events);
  REQUIRE(contents.size() == 4);
  CHECK((contents[0].is == content_event::when::before && contents[0].bytes == big.size()));
  CHECK(std::ranges::equal(read.content(contents[0].content, big.size()), big));
  CHECK((contents[1].memory == 2 && contents[1].bytes == 40));
  CHECK(std::ranges::equal(read.content(contents[1].content, 40), std::span(big).first(40)));
  CHECK((contents[2].memory == 3 && contents[2].offset == format::page_bytes));
  CHECK((contents[3].mask && read.content(*contents[3].mask, 1)[0] == std::byte{0x55}));
  CHECK(all_of<launch_event>(events).size() == 3);
}

TEST_CASE("a compact recording keeps the content of launches that are named") {
  const file full;
  const file small;
  const std::vector<std::byte> big = numbered((3 * format::page_bytes) + 100);
  write_launches(full.path, big);
  // Launches 1 and 2 were observed together: either stands for both.
  for (const std::uint64_t launch : {1U, 2U}) {
    const std::vector<event> events = compact_events(full.path, small.path, {launch});
    CHECK(all_of<pages_event>(events).size() == 2); // of launch 0
    const recording_file read(small.path);
    const content_event last = all_of<content_event>(events).back();
    CHECK(std::ranges::equal(read.content(last.content, last.bytes),
                             std::span(big).subspan(format::page_bytes)));
  }
  CHECK(all_of<pages_event>(compact_events(full.path, small.path, {0, 2})).empty());
}

TEST_CASE("of a program that was killed a compact recording has what it had") {
  const file full;
  const file small;
  const std::vector<std::byte> big = numbered(format::page_bytes);
  {
    writer to(full.path);
    begin(to, big.size());
    to.add(launch_event{.number = 0, .symbol = "k"});
    to.add(after(to, 1, big)); // and nobody has observed it
  }
  const std::vector<event> events = compact_events(full.path, small.path, {});
  CHECK(all_of<pages_event>(events).empty());
  CHECK(all_of<content_event>(events).size() == 1);
}
