// tilesim::check: what it finds in a callable, and that it leaves nothing behind.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <tilesim/check.hpp>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <support/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace ct = cuda::tiles;
using tilesim::check;
using tilesim::check_options;

namespace {

constexpr ct::memory_order_relaxed_t relaxed{};
constexpr ct::thread_scope_device_t device{};

__tile_global__ void count_by_atomics(int* cells) {
  ct::atomic_add(cells, 1, relaxed, device);
}

__tile_global__ void count(int* cells) {
  ct::store(cells, ct::load(cells) + 1);
}

__tile_global__ void count_raw(int* cells) {
  cells[0] += 1;
}

__tile_global__ void add_more_than_there_are(int* cells) {
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  ct::store(cells + ct::iota<ct::tile<int, ct::shape<1>>>(),
            ct::sum(ct::load_masked(cells + i, i < 4) & 255, ct::integral_constant<0>{}));
}

__tile_global__ void leave_memory(int* cells) {
  ct::store(cells + 4, 1);
}

// Each changes memory while it waits.
__tile_global__ void wait_with_tickets(int* cells) {
  while (ct::atomic_load(cells, relaxed, device) == 0) {
    ct::atomic_add(cells + 1, 1, relaxed, device);
  }
}
__tile_global__ void wait_for_nobody(int* cells) {
  while (ct::atomic_load(cells, relaxed, device) == 0) {
  }
}

__tile_global__ void for_ever(int* cells) {
  for (;;)
    ct::atomic_add(cells, 1, relaxed, device);
}

/// Four cells, zero, for a kernel that `launch` starts; gives the first back.
template <class Launch>
int with_cells(Launch launch) {
  int* cells = nullptr;
  cudaMalloc(&cells, 4 * sizeof(int));
  cudaMemset(cells, 0, 4 * sizeof(int));
  launch(cells);
  int first = 0;
  cudaMemcpy(&first, cells, sizeof first, cudaMemcpyDeviceToHost);
  cudaFree(cells);
  return first;
}

void racy() {
  with_cells([](int* cells) { count<<<4, 1>>>(cells); });
}

void clean() {
  with_cells([](int* cells) { count_by_atomics<<<4, 1>>>(cells); });
}

// NOLINTNEXTLINE(cert-err58-cpp)
const auto show = [](const tilesim::check_result& r) { std::fputs(r.text().c_str(), stdout); };

std::size_t entries(const char* folder) {
  std::size_t n = 0;
  for ([[maybe_unused]] const auto& e : std::filesystem::directory_iterator(folder))
    ++n;
  return n;
}

} // namespace

TEST_CASE("a callable without a defect is clean, and the report says what was run") {
  const auto r = check(clean);
  CHECK(r.clean());
  CHECK(r.exit_code() == 0);
  CHECK(r.verdict() == "clean");
  CHECK(r.findings().empty());
  CHECK((r.planned() == 8 && r.runs() == 8));
  CHECK(r.judged() == 32);
  CHECK(r.operations() >= 32);
  CHECK(r.text().find("no findings") != std::string::npos);
}

TEST_CASE("a race is data: both places, what to do, how to replay") {
  const auto r = check(racy, {.name = "racy"});
  CHECK_FALSE(r.clean());
  CHECK(r.exit_code() == 1);
  CHECK(r.count("data-race") == 1);
  CHECK(r.count("deadlock") == 0);
  const auto& f = r.findings().front();
  CHECK(f.code == "data-race");
  CHECK_FALSE(f.note);
  REQUIRE((!f.where.empty() && !f.other.empty()));
  CHECK(f.where.front().file.ends_with("check.test.cu"));
  CHECK(f.where.front().line == f.other.front().line);
  CHECK(f.where.front().function.find("count") != std::string::npos);
  CHECK((f.schedules == 8 && f.count >= 8));
  CHECK_FALSE(f.remedy.empty());
  CHECK(f.replay.size() <= 64);
  CHECK(r.text().find("to replay: check_options::replay = \"" + f.replay + "\"") !=
        std::string::npos);
  CHECK(r.json().find("\"code\": \"data-race\"") != std::string::npos);
  CHECK(r.sarif().find("\"ruleId\": \"data-race\"") != std::string::npos);
  CHECK(r.html().find("<span class=\"code\">data-race</span>") != std::string::npos);
}

TEST_CASE("raw accesses of hooked code count") {
  CHECK(check([] { with_cells([](int* c) { count_raw<<<4, 1>>>(c); }); }).count("data-race") == 1);
}

TEST_CASE("what would end a program is a finding and not the end of the test") {
  const auto r = check([] { with_cells([](int* c) { leave_memory<<<1, 1>>>(c); }); });
  CHECK(r.count("out-of-bounds") == 1);
  CHECK(check([] { with_cells([](int* c) { wait_for_nobody<<<1, 1>>>(c); }); }, {.schedules = 2})
            .count("deadlock") == 1);
  const auto endless =
      check([] { with_cells([](int* c) { wait_with_tickets<<<13, 1>>>(c); }); }, {.schedules = 2});
  CHECK((endless.count("livelock") == 1 && endless.exit_code() == 1));
  CHECK(endless.findings().front().schedules == 2);
  CHECK(check([] {
          int* cells = nullptr;
          cudaMalloc(&cells, 4);
          *cells = 1; // host access to device memory
        }).count("host-access") == 1);
}

TEST_CASE("a callable that throws or crashes has failed") {
  const auto thrown = check([] {
    clean();
    throw std::runtime_error("wrong result");
  });
  CHECK(thrown.exit_code() == 66);
  CHECK((thrown.failures() == 8 && thrown.findings().empty()));
  const std::string told =
      "it printed last: tilesim::check: the callable has thrown: wrong result\n";
  CHECK(thrown.text().find(told) != std::string::npos);
  const auto aborted = check([] { std::abort(); }, {.schedules = 2});
  CHECK(aborted.failures() == 2);
  CHECK(aborted.text().find("SIGABRT") != std::string::npos);
}

TEST_CASE("nothing checked is not clean, nor is a limit") {
  const auto r = check([] {});
  CHECK_FALSE(r.clean());
  CHECK(r.exit_code() == 3);
  CHECK(r.verdict() == "nothing checked");
  const auto limited = check([] { with_cells([](int* c) { for_ever<<<1, 1>>>(c); }); },
                             {.schedules = 2, .max_ops = 100});
  CHECK(limited.exit_code() == 3);
  CHECK_FALSE(limited.limits().empty());
  const auto late =
      check([] { with_cells([](int* c) { for_ever<<<1, 1>>>(c); }); }, {.timeout = 0.5});
  CHECK(late.exit_code() == 3);
  CHECK(late.runs() < late.planned());
}

TEST_CASE("a replay string shows the finding again, and belongs to its name") {
  const auto r = check(racy, {.name = "racy", .seed = 3});
  const std::string replay = r.findings().front().replay;
  const auto again = check(racy, {.name = "racy", .replay = replay});
  CHECK(again.planned() == 1);
  CHECK(again.count("data-race") == 1);
  CHECK_THROWS_AS(check(racy, {.name = "other", .replay = replay}), std::invalid_argument);
  CHECK_THROWS_AS(check(racy, {.name = "racy", .replay = "nonsense"}), std::invalid_argument);
}

TEST_CASE("options that are wrong are refused") {
  CHECK_THROWS_AS(check(clean, {.schedules = 0}), std::invalid_argument);
  CHECK_THROWS_AS(check(clean, {.depth = 0}), std::invalid_argument);
  CHECK_THROWS_AS(check(clean, {.timeout = -1}), std::invalid_argument);
  CHECK_THROWS_AS(check(clean, {.suppress = "/no/such/file"}), std::invalid_argument);
}

TEST_CASE("notes and suppressions") {
  const auto differs = [] { std::printf("%d\n", with_cells([](int* c) { count<<<8, 1>>>(c); })); };
  const auto file = std::filesystem::temp_directory_path() /
                    ("tilesim-known-" + std::to_string(getpid()) + ".txt");
  std::ofstream(file) << "data-race check.test.cu:*\n";
  const auto r = check(differs, {.suppress = file.string()});
  CHECK(r.clean());
  CHECK(r.count("data-race") == 0);
  CHECK(r.count("schedule-dependent") == 1);
  CHECK(r.findings().front().suppressed_by == file.string() + ":1");
  CHECK_FALSE(check(differs, {.suppress = file.string(), .strict = true}).clean());
  std::filesystem::remove(file);
}

TEST_CASE("what depends on an unspecified value is told with the load") {
  const auto r = check([] { with_cells([](int* c) { add_more_than_there_are<<<1, 1>>>(c); }); });
  CHECK_FALSE(r.clean());
  REQUIRE(r.count("unspecified-dependent") == 1);
  const auto& finding = r.findings().front();
  REQUIRE(finding.other.size() == 1);
  CHECK(finding.other.front().function == "add_more_than_there_are");
}

/// A report without the number of the check in the command that steps into it.
std::string without_numbers(std::string text) {
  constexpr std::string_view option = "--check ";
  for (auto at = text.find(option); at != std::string::npos; at = text.find(option, at)) {
    text.erase(at, text.find(' ', at + option.size()) - at);
  }
  return text;
}

TEST_CASE("two checks do not know of each other") {
  std::string texts[2];
  for (std::string& text : texts) { // called from one line
    text = without_numbers(check(racy).text());
    CHECK_FALSE(check([] { with_cells([](int* c) { leave_memory<<<1, 1>>>(c); }); }).clean());
  }
  CHECK(texts[0] == texts[1]); // allocation #1 again, the same schedules
  CHECK(check(clean).clean());
}

TEST_CASE("the caller's own simulation goes on beside it") {
  int* cells = nullptr;
  REQUIRE(cudaMalloc(&cells, 4 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemset(cells, 0, 4 * sizeof(int)) == cudaSuccess);
  count_by_atomics<<<4, 1>>>(cells);
  int seen_inside = -1;
  CHECK(check(racy).count("data-race") == 1);
  CHECK(check([&] {
          clean();
          seen_inside = 1; // in the other process
        }).clean());
  CHECK(seen_inside == -1);
  count_by_atomics<<<4, 1>>>(cells);
  int value = 0;
  CHECK(cudaMemcpy(&value, cells, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(value == 8);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaFree(cells) == cudaSuccess);
}

TEST_CASE("nothing is left behind") {
  static_cast<void>(check(clean)); // what is loaded once is loaded
  const auto files = entries("/proc/self/fd");
  const auto temporary =
      std::filesystem::temp_directory_path() / ("tilesim-left-" + std::to_string(getpid()));
  std::filesystem::create_directory(temporary);
  setenv("TMPDIR", temporary.c_str(), 1);
  struct sigaction interrupt {};
  sigaction(SIGINT, nullptr, &interrupt);
  static_cast<void>(check(racy));
  static_cast<void>(check([] { std::abort(); }, {.schedules = 2}));
  CHECK(entries("/proc/self/fd") == files);
  CHECK(entries(temporary.c_str()) == 0);
  unsetenv("TMPDIR");
  std::filesystem::remove_all(temporary);
  struct sigaction after {};
  sigaction(SIGINT, nullptr, &after);
  CHECK(after.sa_handler == interrupt.sa_handler);
  CHECK(std::getenv("TILESIM_OPTIONS") == nullptr);
  CHECK((waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD));
}

// For step_into_test.py, which does what the reports say.
TEST_CASE("shows its reports", "[.]") {
  const auto before = check(clean, {.schedules = 3});
  CHECK(before.clean());
  show(check(racy, {.name = "the second"}));
  show(
      check([] { with_cells([](int* cells) { count_raw<<<2, 1>>>(cells); }); }, {.name = "third"}));
}

TEST_CASE("a check finds the same with any number of jobs") {
  const auto text = [](std::size_t jobs) {
    return without_numbers(check(racy, {.schedules = 12, .jobs = jobs}).text());
  };
  CHECK(text(1) == text(4));
}

TEST_CASE("every schedule with few preemptions") {
  const auto result = check([] { with_cells([](int* cells) { count<<<2, 1>>>(cells); }); },
                            {.schedules = 0, .preemptions = 2});
  CHECK(result.runs() == 1 + 6);
  REQUIRE(result.remarks().size() == 1);
  CHECK(result.remarks()[0].find("complete: every schedule") == 0);
}

TEST_CASE("memory that is never freed is a note unless it is asked for") {
  const auto leak = [] {
    int* cells = nullptr;
    cudaMalloc(&cells, sizeof(int));
    cudaMemset(cells, 0, sizeof(int));
    count_by_atomics<<<1, 1>>>(cells);
    cudaDeviceSynchronize();
  };
  CHECK(check(leak, {.schedules = 1}).clean());
  CHECK(check(leak, {.schedules = 1, .leaks = true}).count("leak") == 1);
  CHECK_FALSE(check(leak, {.schedules = 1, .leaks = true}).clean());
}

TEST_CASE(
    "a livelock ends the search when enough has been done, of which there is less in a deadlock") {
  const auto livelock = [] { with_cells([](int* c) { wait_with_tickets<<<2, 1>>>(c); }); };
  const auto deadlock = [] { with_cells([](int* c) { wait_for_nobody<<<2, 1>>>(c); }); };
  const auto few =
      check(livelock,
            {.schedules = 24, .keep_schedules = true}); // each is told after a quarter of a million
  CHECK(few.count("livelock") == 1);
  CHECK(few.runs() == few.planned());
  CHECK(few.runs() < 24);
  CHECK(few.operations() >= 2'000'000);
  CHECK(few.operations() < 4'000'000);
  REQUIRE(few.remarks().size() == 1);
  CHECK(few.remarks()[0] == "not all of 24 schedules were run, since some do not come to an end: "
                            "after 2000000 operations no more were begun; "
                            "check_options::all_schedules runs them all");
  // The same here, whatever the time that it takes.
  CHECK(check(livelock, {.schedules = 24, .keep_schedules = true, .in_process = true}).runs() ==
        few.runs());
  const auto all =
      check(livelock, {.schedules = few.runs() + 1, .keep_schedules = true, .all_schedules = true});
  CHECK(all.runs() == few.runs() + 1);
  CHECK(all.remarks().empty());
  const auto cheap = check(deadlock, {.keep_schedules = true});
  CHECK(cheap.count("deadlock") == 1);
  CHECK(cheap.runs() == 8);
}

TEST_CASE("a check goes on behind a bad access if it is told to") {
  const auto body = [] {
    with_cells([](int* cells) {
      leave_memory<<<1, 1>>>(cells);
      count<<<2, 1>>>(cells);
    });
  };
  CHECK(check(body, {.schedules = 1}).count("data-race") == 0);
  const auto result = check(body, {.schedules = 1, .keep_going = true});
  CHECK(result.count("out-of-bounds") == 1);
  CHECK(result.count("data-race") > 0);
}

TEST_CASE("a check in this process says the same as one in children") {
  struct subject {
    const char* what;
    std::function<void()> body;
    check_options options = {};
  };
  const subject subjects[] = {
      {"clean", clean},
      {"racy", racy},
      {"raw", [] { with_cells([](int* c) { count_raw<<<4, 1>>>(c); }); }},
      {"prints, and differs",
       [] { std::printf("%d\n", with_cells([](int* c) { count<<<8, 1>>>(c); })); }},
      {"out of bounds", [] { with_cells([](int* c) { leave_memory<<<1, 1>>>(c); }); }},
      {"goes on",
       [] { with_cells([](int* c) { leave_memory<<<1, 1>>>(c); }); },
       {.keep_going = true}},
      {"deadlock", [] { with_cells([](int* c) { wait_for_nobody<<<2, 1>>>(c); }); }},
      {"livelock", [] { with_cells([](int* c) { wait_with_tickets<<<3, 1>>>(c); }); }},
      {"limit", [] { with_cells([](int* c) { for_ever<<<1, 1>>>(c); }); }, {.max_ops = 100}},
      {"unspecified", [] { with_cells([](int* c) { add_more_than_there_are<<<1, 1>>>(c); }); }},
      {"host access",
       [] {
         int* cells = nullptr;
         cudaMalloc(&cells, 4);
         *static_cast<volatile int*>(cells) = 1;
       }},
      {"throws", [] { throw std::runtime_error("wrong result"); }},
      {"exits", [] { std::exit(7); }},
      {"exits well",
       [] {
         racy();
         std::exit(0);
       }},
      {"aborts", [] { std::abort(); }},
      {"nothing", [] {}},
      {"leaks",
       [] {
         int* cells = nullptr;
         cudaMalloc(&cells, sizeof(int));
         count_by_atomics<<<1, 1>>>(cells);
         cudaDeviceSynchronize();
       },
       {.leaks = true}},
      {"every schedule",
       [] { with_cells([](int* cells) { count<<<2, 1>>>(cells); }); },
       {.schedules = 0, .preemptions = 2}},
  };
  static_cast<void>(check(racy, {.in_process = true})); // debug information is loaded once
  const auto files = entries("/proc/self/fd");
  for (const subject& s : subjects) {
    CAPTURE(s.what);
    check_options o = s.options;
    o.name = s.what;
    if (o.schedules != 0) {
      o.schedules = 3;
    }
    std::string texts[2];
    int codes[2] = {};
    for (const bool here : {false, true}) { // called from one line
      o.in_process = here;
      const auto r = check(s.body, o);
      texts[here ? 1 : 0] = without_numbers(r.text());
      codes[here ? 1 : 0] = r.exit_code();
    }
    CHECK(texts[1] == texts[0]);
    CHECK(codes[1] == codes[0]);
  }
  CHECK(entries("/proc/self/fd") == files);
}

TEST_CASE("a check in this process leaves the caller's own simulation, streams and signals alone") {
  int* cells = nullptr;
  REQUIRE(cudaMalloc(&cells, 4 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemset(cells, 0, 4 * sizeof(int)) == cudaSuccess);
  count_by_atomics<<<4, 1>>>(cells);
  struct sigaction before {};
  struct sigaction after {};
  sigaction(SIGSEGV, nullptr, &before);
  int runs = 0;
  const auto r = check(
      [&] {
        racy();
        ++runs; // in this process
      },
      {.schedules = 5, .keep_schedules = true, .in_process = true});
  CHECK(r.count("data-race") == 1);
  CHECK(runs >= 5);
  CHECK(check([] { with_cells([](int* c) { leave_memory<<<1, 1>>>(c); }); }, {.in_process = true})
            .count("out-of-bounds") == 1);
  sigaction(SIGSEGV, nullptr, &after);
  CHECK(after.sa_handler == before.sa_handler);
  count_by_atomics<<<4, 1>>>(cells);
  int value = 0;
  CHECK(cudaMemcpy(&value, cells, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(value == 8);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaFree(cells) == cudaSuccess);
}
