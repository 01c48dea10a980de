// The recorder over a CUDA runtime that is none [fake_runtime]: what it writes of each way to use
// the runtime, and that the program does not notice.
//
// One file in spite of its length: what each way is to leave, event by event.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/container/format.hpp"
#include "gpu_backend/container/reader.hpp"
#include "support/catch.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <variant>
#include <vector>
#include <xxhash.h>

namespace {

using namespace tilesim::gpu;
using lines = std::vector<std::string>;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream from(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(from), {}};
}

/// A folder that is gone with the test, and programs run in it.
class run {
public:
  explicit run(const std::string& words,
               const std::string& environment = "",
               const std::string& program = TILESIM_RECORDED_PROGRAM) {
    std::string name = (std::filesystem::temp_directory_path() / "tilesim-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder = name;
    again(words, environment, program);
  }
  ~run() { std::filesystem::remove_all(folder); }
  run(const run&) = delete;
  run& operator=(const run&) = delete;

  void again(const std::string& words,
             const std::string& environment = "",
             const std::string& program = TILESIM_RECORDED_PROGRAM) {
    const std::string command = fmt::format("cd '{}' && TILESIM_RECORD=x.rec {} '{}' {} >out 2>err",
                                            folder.string(),
                                            environment,
                                            program,
                                            words);
    status = WEXITSTATUS(std::system(command.c_str())); // NOLINT(cert-env33-c): the test's own
    output = text_of(folder / "out");
    errors = text_of(folder / "err");
  }

  [[nodiscard]] std::string path() const { return (folder / "x.rec").string(); }

  std::filesystem::path folder;
  int status = 0;
  std::string output;
  std::string errors;
};

/// The events in words. Addresses and places are left out.
class told {
public:
  explicit told(const recording_file& from)
      : from_(from) {
    for (const event& e : from.events()) {
      std::visit([this](const auto& it) { take(it); }, e);
    }
  }
  lines all;

private:
  template <class... T>
  void say(fmt::format_string<T...> format, T&&... values) {
    all.push_back(fmt::format(format, std::forward<T>(values)...));
  }
  void take(const machine_event& e) {
    say("machine {}", e.device.empty() ? "without a device" : e.device);
  }
  void take(const run_event& e) { say("run {}", e.number); }
  void take(const memory_event& e) {
    constexpr const char* kinds[] = {"device", "managed", "pinned", "registered", "variable"};
    say("memory {} {} {}{}",
        number(e.number),
        kinds[static_cast<std::size_t>(e.kind)],
        e.bytes,
        e.name.empty() ? "" : " " + e.name);
  }
  void take(const freed_event& e) { say("freed {}", number(e.number)); }
  void take(const host_write_event& e) {
    say("wrote {} {}+{} {}", number(e.memory), e.offset, e.bytes, e.by);
  }
  void take(const content_event& e) {
    CHECK(from_.content(e.content, e.bytes).size() == e.bytes);
    say("{} {} {}+{}", when(e.is), number(e.memory), e.offset, e.bytes);
  }
  void take(const launch_event& e) {
    say("launch {} {} ({}) ({}) {} in {}",
        e.number,
        e.symbol.empty() ? e.by : e.symbol,
        fmt::join(e.grid, ","),
        fmt::join(e.block, ","),
        e.shared_bytes,
        e.stream);
  }
  void take(const observed_event& e) { say("observed {}-{}", e.first, e.last); }
  void take(const copy_event& e) {
    say("copy {} {}+{} {}", number(e.memory), e.offset, e.bytes, e.by);
  }
  void take(const error_event& e) { say("error {} {} {}", e.function, e.code, e.name); }
  void take(const printed_event& e) { say("printed {}", e.bytes); }
  void take(const end_event& e) { say("end {}{}", e.by_signal ? "by signal " : "", e.status); }
  void take(const lines_event& e) { say("lines {}", e.bytes); }
  void take(const sums_event& /*e*/) {}
  void take(const arguments_event& e) {
    say("arguments of {}: {}", e.launch, fmt::join(e.sizes, ","));
  }
  void take(const pages_event& e) {
    CHECK(e.hashes.size() == (e.bytes + format::page_bytes - 1) / format::page_bytes);
    say("{} {} {}+{} as before", when(e.is), number(e.memory), e.offset, e.bytes);
  }

  static const char* when(content_event::when is) {
    return is == content_event::when::before ? "before" : "after";
  }
  static std::string number(std::uint64_t n) {
    return n < memory_event::first_variable ? fmt::format("{}", n)
                                            : fmt::format("v{}", n - memory_event::first_variable);
  }

  const recording_file& from_;
};

/// What was told between the first two lines and the end.
lines told_by(const run& r, bool complete = true) {
  const recording_file recording(r.path());
  CHECK(recording.complete() == complete);
  const told t(recording);
  REQUIRE(t.all.size() >= 2);
  CHECK(t.all[0] == "machine Fake GPU");
  CHECK(t.all[1] == "run 0");
  return {t.all.begin() + 2, t.all.end()};
}

lines told_of(const std::string& scenario, int status = 0, const std::string& environment = "") {
  const run r(scenario, environment);
  INFO(r.errors);
  CHECK(r.status == status);
  CHECK(r.errors.empty());
  return told_by(r);
}

/// Those that begin so.
lines of(const lines& all, std::initializer_list<std::string_view> kinds) {
  lines found;
  std::ranges::copy_if(all, std::back_inserter(found), [&](const std::string& line) {
    return std::ranges::any_of(kinds, [&](std::string_view k) { return line.starts_with(k); });
  });
  return found;
}

template <class T>
std::vector<T> all_of(const recording_file& from) {
  std::vector<T> found;
  for (const event& e : from.events()) {
    if (const T* const it = std::get_if<T>(&e)) {
      found.push_back(*it);
    }
  }
  return found;
}

/// What launches have changed.
std::vector<content_event> changes(const recording_file& from) {
  std::vector<content_event> found = all_of<content_event>(from);
  std::erase_if(found, [](const content_event& e) { return e.is != content_event::when::after; });
  return found;
}

std::uint64_t hash_of(const std::vector<unsigned char>& bytes) {
  return XXH64(bytes.data(), bytes.size(), 0);
}

} // namespace

TEST_CASE("a program's allocations, copies, launches, lines and status are recorded") {
  const run r("simple");
  CHECK(r.status == 3);
  CHECK(r.output == "10 1509\n");
  CHECK(r.errors.empty());
  CHECK(told_by(r) == lines{"memory 1 device 12000",
                            "wrote 1 0+12000 cudaMemcpy",
                            "memory v0 variable 4 counter",
                            "memory v1 variable 16 factors",
                            "memory v2 variable 4 shared_sum",
                            "before v0 0+4",
                            "before v1 0+16",
                            "before v2 0+4",
                            "launch 0 fill (2,3,4) (32,1,1) 100 in 0",
                            "arguments of 0: 8,4,4",
                            "after 1 0+8192",
                            "observed 0-0",
                            "copy 1 0+12000 cudaMemcpy",
                            "freed 1",
                            "printed 10 1509\n",
                            "end 3"});
  const recording_file recording(r.path());
  const auto changed = changes(recording).front();
  const auto bytes = recording.content(changed.content, changed.bytes);
  std::vector<std::uint32_t> values(3000, 1);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  CHECK(values[0] == 10);
  CHECK(values[1499] == 1509);
  CHECK(values[1500] == 1); // the rest of the page, as it was
  CHECK(all_of<copy_event>(recording).front().hash == XXH64(values.data(), 12000, 0));
  const auto machine = all_of<machine_event>(recording).front();
  CHECK(machine.sources == "scenarios.cpp");
  CHECK(machine.source_hash == 0x1234);
  CHECK(machine.flags == "-fmad=false");
  CHECK(machine.capability == "9.0");
  CHECK(machine.runtime == "13.4");
  CHECK(all_of<launch_event>(recording).front().by == "__cudaLaunchKernel");
  CHECK(all_of<launch_event>(recording).front().place.size() >= 2);
}

TEST_CASE("which sums the compiler has fused is in the recording, before the run") {
  const run r("nothing");
  const recording_file recording(r.path());
  const auto sums = all_of<sums_event>(recording);
  REQUIRE(sums.size() == 1);
  const auto bytes = recording.content(sums.front().content, sums.front().bytes);
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  CHECK(text.starts_with("tilesim-sums 1\n"));
  CHECK(text.ends_with("sum 0 f32 fused 0,7:12,7:14\nsum 0 f32 apart 0,8:12\n"));
  const auto at = [&]<class E>(const E* /*kind*/) {
    return std::ranges::find_if(recording.events(),
                                [](const event& e) { return std::holds_alternative<E>(e); });
  };
  CHECK(at(static_cast<sums_event*>(nullptr)) < at(static_cast<run_event*>(nullptr)));
}

TEST_CASE("a program that uses no device leaves a recording, too") {
  const run r("nothing");
  const recording_file recording(r.path());
  CHECK(recording.complete());
  CHECK(told(recording).all == lines{"machine without a device", "run 0", "end 0"});
}

TEST_CASE("pages that a launch has changed are recorded, and no others") {
  CHECK(of(told_of("pages"), {"after", "observed"}) == lines{"observed 0-0",
                                                             "after 1 12288+100",
                                                             "observed 1-1",
                                                             "after 1 4096+4096",
                                                             "observed 2-2"});
}

TEST_CASE("each of many launches is compared by the same table, which is not lost between them") {
  lines expected;
  for (int launch = 0; launch < 40; ++launch) {
    expected.push_back(fmt::format("after 1 {}+4096", launch % 3 * 4096));
  }
  CHECK(of(told_of("many"), {"after"}) == expected);
  CHECK(of(told_of("many", 0, "FAKE_NO_MANAGED=1"), {"after"}) == expected);
}

TEST_CASE("of memory that nobody wrote it is recorded what lay there") {
  CHECK(of(told_of("unwritten"), {"wrote", "before 1", "after"}) ==
        lines{"wrote 1 20+10 cudaMemcpy", "before 1 0+20", "before 1 30+70", "after 1 0+100"});
}

TEST_CASE("where the device has no room for a copy, one on the host does") {
  // 40 000 bytes and little more: the copy does not fit.
  CHECK(of(told_of("no_room", 0, "FAKE_CUDA_MEMORY=45000"), {"after"}) ==
        lines{"after 1 36864+3136"});
  CHECK(of(told_of("no_room", 0, "FAKE_CUDA_MEMORY=40192"), {"after"}) ==
        lines{"after 1 36864+3136"});
}

TEST_CASE("memory of every kind is recorded") {
  const lines all = told_of("kinds");
  CHECK(of(all, {"memory"}) == lines{"memory 1 managed 100",
                                     "memory 2 pinned 100",
                                     "memory 3 pinned 100",
                                     "memory 4 registered 100",
                                     "memory 5 device 1536",
                                     "memory 6 device 3072",
                                     "memory 7 device 100",
                                     "memory v0 variable 4 counter",
                                     "memory v1 variable 16 factors",
                                     "memory v2 variable 4 shared_sum"});
  // What the host's own code does there is found before the next launch.
  CHECK(of(all, {"launch", "before 1", "after", "freed"}) ==
        lines{"before 1 0+100",
              "launch 0 put (1,1,1) (1,1,1) 0 in 0",
              "after 1 0+100",
              "before 1 0+100",
              "launch 1 put (1,1,1) (1,1,1) 0 in 0",
              "after 2 0+100",
              "launch 2 put (1,1,1) (1,1,1) 0 in 0",
              "after 4 0+100",
              "launch 3 put (1,1,1) (1,1,1) 0 in 0",
              "after 5 0+1536",
              "freed 3",
              "freed 4",
              "freed 7",
              "freed 6"});
}

TEST_CASE("a copy into pinned memory is no change by a launch") {
  CHECK(of(told_of("pinned_copy", 2), {"launch", "after", "copy"}) ==
        lines{"launch 0 put (1,1,1) (1,1,1) 0 in 0",
              "after 2 0+100",
              "copy 2 0+100 cudaMemcpyAsync",
              "launch 1 put (1,1,1) (1,1,1) 0 in 0",
              "after 2 0+100"});
}

TEST_CASE("device, constant and managed variables are recorded with their contents") {
  const run r("variables");
  CHECK(r.output == "25 1140\n");
  CHECK(of(told_by(r), {"memory", "wrote", "before", "after", "launch", "copy"}) ==
        lines{"memory v0 variable 4 counter",
              "memory v1 variable 16 factors",
              "memory v2 variable 4 shared_sum",
              "wrote v1 4+4 cudaMemcpyToSymbol",
              "before v0 0+4",
              "before v1 0+4",
              "before v1 8+8",
              "before v2 0+4",
              "launch 0 add_up (1,1,1) (1,1,1) 0 in 0",
              "after v0 0+4",
              "after v2 0+4",
              "before v2 0+4",
              "launch 1 add_up (1,1,1) (1,1,1) 0 in 0",
              "after v0 0+4",
              "after v2 0+4",
              "copy v0 0+4 cudaMemcpyFromSymbol"});
}

TEST_CASE("copies and fills of every kind are recorded, row by row") {
  // When an asynchronous copy, or a row of it, is told depends on when it is over.
  auto got = of(told_of("copies"), {"wrote", "copy"});
  std::ranges::sort(std::ranges::stable_partition(
      got, [](const std::string& line) { return !line.ends_with("cudaMemcpy2DAsync"); }));
  CHECK(got == lines{"wrote 1 0+1000 cudaMemcpy",       "wrote 2 0+1000 cudaMemcpy",
                     "wrote 1 0+10 cudaMemset",         "wrote 1 10+10 cudaMemsetAsync",
                     "wrote 1 100+5 cudaMemset2D",      "wrote 1 120+5 cudaMemset2D",
                     "wrote 1 140+5 cudaMemset2D",      "wrote 1 200+5 cudaMemset2DAsync",
                     "wrote 1 220+5 cudaMemset2DAsync", "wrote 1 240+5 cudaMemset2DAsync",
                     "copy 1 100+5 cudaMemcpy2D",       "copy 1 120+5 cudaMemcpy2D",
                     "copy 1 140+5 cudaMemcpy2D",       "copy 1 61+3 cudaMemcpy3D",
                     "copy 1 71+3 cudaMemcpy3D",        "copy 1 111+3 cudaMemcpy3D",
                     "copy 1 121+3 cudaMemcpy3D",       "wrote 2 512+4 cudaMemcpy3DPeer",
                     "wrote 2 522+4 cudaMemcpy3DPeer",  "copy 1 200+5 cudaMemcpy2DAsync",
                     "copy 1 220+5 cudaMemcpy2DAsync",  "copy 1 240+5 cudaMemcpy2DAsync"});
}

TEST_CASE("an asynchronous copy is told with what it has brought, whatever else goes on") {
  const run r("late_copies");
  const recording_file recording(r.path());
  const auto copies = all_of<copy_event>(recording);
  REQUIRE(copies.size() == 1);
  std::vector<unsigned char> expected(100, 1);
  expected[0] = 6;
  CHECK(copies.front().hash == hash_of(expected));
}

TEST_CASE("launches in several streams are observed together") {
  const lines all = told_of("group");
  CHECK(of(all, {"launch", "after", "observed", "before 2"}) ==
        lines{"launch 0 put (1,1,1) (1,1,1) 0 in 0",
              "after 1 0+4096",
              "observed 0-0",
              "launch 1 put (1,1,1) (1,1,1) 0 in 1",
              "launch 2 put (1,1,1) (1,1,1) 0 in 0",
              "before 2 0+10", // came into being since: the launches before cannot see it
              "launch 3 put (1,1,1) (1,1,1) 0 in 1",
              "after 1 0+8192",
              "after 2 0+10",
              "observed 1-3",
              "launch 4 put (1,1,1) (1,1,1) 0 in 0",
              "after 1 0+4096",
              "observed 4-4"});
}

TEST_CASE("a kernel that waits for the host is observed when the program has waited") {
  CHECK(of(told_of("waits_for_host"), {"launch", "after", "observed"}) ==
        lines{"launch 0 waits (1,1,1) (1,1,1) 0 in 0", "after 1 0+10", "observed 0-0"});
}

TEST_CASE("a thread that waits in the runtime does not keep others out") {
  CHECK(of(told_of("thread_frees_thread"), {"memory 2", "observed"}) ==
        lines{"memory 2 pinned 10", "observed 0-0"});
}

TEST_CASE("work of a destroyed stream is observed, and leaves no error") {
  const run r("destroyed_stream");
  CHECK(r.output == "cudaSuccess\n");
  CHECK(of(told_by(r), {"after", "observed"}) == lines{"after 1 0+10", "observed 0-0"});
}

TEST_CASE("who asks until the device is done has waited") {
  const run r("asks");
  CHECK(r.output == "cudaErrorNotReady\n"); // the program's own, as without the recorder
  CHECK(of(told_by(r), {"observed", "error"}) ==
        lines{"observed 0-0", "observed 1-1", "observed 2-2"});
}

TEST_CASE("default streams of threads are streams of their own") {
  const lines all = told_of("per_thread_streams", 3);
  CHECK(of(all, {"launch", "observed", "wrote", "copy"}) ==
        lines{"wrote 1 0+100 cudaMemset",
              "launch 0 slow_put (1,1,1) (1,1,1) 0 in 0",
              "observed 0-0",
              "launch 1 slow_put (1,1,1) (1,1,1) 0 in 1",
              "launch 2 slow_put (1,1,1) (1,1,1) 0 in 2",
              "wrote 1 50+1 cudaMemsetAsync",
              "observed 1-2",
              "copy 1 0+100 cudaMemcpyAsync"});
}

TEST_CASE("a stream under capture is left alone, and the graph's launch is recorded") {
  CHECK(of(told_of("graph"), {"launch", "after", "observed", "error", "wrote"}) ==
        lines{"wrote 1 0+10 cudaMemset",
              "launch 0 cudaGraphLaunch (0,1,1) (0,1,1) 0 in 0",
              "after 1 0+10",
              "observed 0-0",
              "launch 1 put (1,1,1) (1,1,1) 0 in 0",
              "after 1 0+10",
              "observed 1-1"});
}

TEST_CASE("after a capture that the program broke launches are recorded") {
  const run r("broken_capture");
  CHECK(r.output == "cudaErrorStreamCaptureUnsupported\ncudaErrorStreamCaptureInvalidated\n");
  CHECK(of(told_by(r), {"launch", "observed", "error"}) ==
        lines{"error cudaDeviceSynchronize 900 cudaErrorStreamCaptureUnsupported",
              "error cudaStreamEndCapture 901 cudaErrorStreamCaptureInvalidated",
              "launch 0 put (1,1,1) (1,1,1) 0 in 0",
              "observed 0-0"});
}

TEST_CASE("errors are recorded, and the program finds its own, in its own time") {
  const run r("errors");
  CHECK(r.output == "cudaErrorMemoryAllocation\ncudaErrorInvalidValue\ncudaErrorInvalidValue\n"
                    "cudaErrorInvalidValue\ncudaSuccess\ncudaErrorInvalidConfiguration\n");
  CHECK(of(told_by(r), {"error", "launch"}) ==
        lines{"error cudaMalloc 2 cudaErrorMemoryAllocation",
              "error cudaFree 1 cudaErrorInvalidValue",
              "error __cudaLaunchKernel 9 cudaErrorInvalidConfiguration"});
}

TEST_CASE("a launch behind which the device does not answer is not observed") {
  const run r("fault");
  CHECK(r.status == 4);
  CHECK(r.output == "cudaErrorIllegalAddress\ncudaErrorIllegalAddress\n");
  CHECK(of(told_by(r), {"launch", "after", "observed", "error", "end"}) ==
        lines{"launch 0 faults (1,1,1) (1,1,1) 0 in 0",
              "error cudaDeviceSynchronize 700 cudaErrorIllegalAddress",
              "end 4"});
}

TEST_CASE("a device that is reset forgets its memory") {
  CHECK(of(told_of("reset"), {"memory 1", "memory 2", "freed 1", "launch", "after", "observed"}) ==
        lines{"memory 1 device 10",
              "launch 0 put (1,1,1) (1,1,1) 0 in 0",
              "after 1 0+10",
              "observed 0-0",
              "freed 1",
              "memory 2 device 20",
              "launch 1 put (1,1,1) (1,1,1) 0 in 0",
              "after 2 0+20",
              "observed 1-1"});
}

TEST_CASE("no device and a driver that is too old are recorded as such") {
  for (const auto& [kind, name] : {std::pair("none", "cudaErrorNoDevice"),
                                   std::pair("old-driver", "cudaErrorInsufficientDriver")}) {
    const run r("simple", std::string("FAKE_CUDA=") + kind);
    CHECK(r.status == 9);
    const recording_file recording(r.path());
    CHECK(recording.complete());
    CHECK(all_of<machine_event>(recording).front().device.empty());
    CHECK(all_of<error_event>(recording).front().name == name);
    CHECK(all_of<end_event>(recording).front().status == 9);
  }
}

TEST_CASE("of a program that dies the recording holds everything up to there") {
  for (const auto& [scenario, status] : {std::pair("crash", 134), std::pair("killed", 137)}) {
    const run r(scenario);
    CHECK(r.status == status);
    // The process that goes on is not waited for.
    for (int i = 0; i < 2000 && all_of<printed_event>(recording_file(r.path())).empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    CHECK(text_of(r.folder / "out") == "before\n");
    CHECK(of(told_by(r, false), {"launch", "after", "observed", "printed", "end"}) ==
          (status == 134 ? lines{"launch 0 put (1,1,1) (1,1,1) 0 in 0",
                                 "after 1 0+10",
                                 "observed 0-0",
                                 "printed before\n",
                                 "end by signal 6"}
                         : lines{"launch 0 put (1,1,1) (1,1,1) 0 in 0",
                                 "after 1 0+10",
                                 "observed 0-0",
                                 "printed before\n"})); // nobody sees SIGKILL
  }
}

TEST_CASE("what a launch passes is recorded") {
  const run r("simple");
  const auto all = all_of<arguments_event>(recording_file(r.path()));
  REQUIRE(!all.empty());
  CHECK(all.front().launch == 0);
  CHECK(all.front().sizes == std::vector<std::uint64_t>{8, 4, 4}); // out, first, count
  CHECK(all.front().bytes.substr(8) == std::string("\x0a\0\0\0\xdc\x05\0\0", 8)); // 10, 1500
}

TEST_CASE("a program that ends without its handlers is recorded whole") {
  CHECK(of(told_of("at_once", 5), {"observed", "printed", "end"}) ==
        lines{"observed 0-0", "printed before\n", "end 5"});
  CHECK(of(told_of("quick", 6), {"observed", "printed", "end"}) ==
        lines{"observed 0-0", "printed before\n", "end 6"});
}

TEST_CASE("launches that nobody has waited for are observed at the end") {
  CHECK(of(told_of("unsynchronised", 2), {"observed", "end"}) ==
        lines{"observed 0-0", "observed 1-1", "end 2"});
}

TEST_CASE("processes that the program starts are none of the recording's, nor the recorder's its") {
  const auto before = std::chrono::steady_clock::now();
  const run r("children");
  CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(20)); // one lives longer
  CHECK(r.output == "before\nchild\n1\n");
  CHECK(of(told_by(r), {"launch", "printed", "end"}) ==
        lines{"launch 0 put (1,1,1) (1,1,1) 0 in 0", "printed before\nchild\n1\n", "end 0"});
}

TEST_CASE("a program that closes its output is recorded to its end") {
  CHECK(of(told_of("closes_output"), {"launch", "printed", "end"}) ==
        lines{"launch 0 put (1,1,1) (1,1,1) 0 in 0",
              "launch 1 put (1,1,1) (1,1,1) 0 in 0",
              "printed before\n",
              "end 0"});
}

TEST_CASE("much output and much memory are recorded whole") {
  const run printed("prints_much");
  std::string text;
  for (const auto& e : all_of<printed_event>(recording_file(printed.path()))) {
    CHECK(e.bytes.size() <= format::most_content_bytes);
    text += e.bytes;
  }
  CHECK(text == printed.output);
  CHECK(text.size() > 1'500'000);

  const run much("much");
  const recording_file recording(much.path());
  const auto contents = changes(recording);
  REQUIRE(contents.size() == 2 * 40);
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const auto bytes = recording.content(contents[i].content, contents[i].bytes);
    std::uint32_t first = 0;
    std::memcpy(&first, bytes.data(), sizeof(first));
    CHECK(first == (i / 40 * 77) + (i % 40 << 18U));
  }
}

TEST_CASE("a recording that cannot be written is told, and the program goes on") {
  const run r("simple", "TILESIM_RECORD=/nonexistent/x.rec");
  CHECK(r.status == 3);
  CHECK(r.output == "10 1509\n");
  CHECK(r.errors.find("tilesim: error: /nonexistent/x.rec: No such file or directory; set "
                      "TILESIM_RECORD to a file that can be written\n") == 0);
  const run full("much", "TILESIM_RECORD=/dev/full");
  CHECK(full.status == 0);
  CHECK(full.errors.find("/dev/full: No space left on device; the recording is not complete") !=
        std::string::npos);
}

// --- Several runs

TEST_CASE("several runs are one recording, and of large memory the later ones keep what differs") {
  run r("varies", "TILESIM_RECORD_RUNS=3");
  INFO(r.errors);
  CHECK(r.status == 0);
  CHECK(r.output == "run on reads -\nrun on reads -\nrun on reads -\n");
  const recording_file recording(r.path());
  CHECK(recording.complete());
  const lines all = told(recording).all;
  CHECK(of(all, {"machine", "run", "end"}) == lines{"machine Fake GPU",
                                                    "run 0",
                                                    "end 0",
                                                    "machine Fake GPU",
                                                    "run 1",
                                                    "end 0",
                                                    "machine Fake GPU",
                                                    "run 2",
                                                    "end 0"});
  const lines contents = of(all, {"after", "observed", "run"});
  const lines later{"after 1 0+1048576 as before",
                    "after 1 1048576+1048576 as before",
                    "after 1 2097152+1048576 as before",
                    "observed 0-0",
                    "after 1 409600+4096", // its byte is another in each run
                    "observed 1-1",
                    "after 2 0+100", // small: always whole
                    "observed 2-2"};
  lines expected{"run 0",
                 "after 1 0+1048576",
                 "after 1 1048576+1048576",
                 "after 1 2097152+1048576",
                 "observed 0-0",
                 "after 1 409600+4096",
                 "observed 1-1",
                 "after 2 0+100",
                 "observed 2-2",
                 "run 1"};
  expected.insert(expected.end(), later.begin(), later.end());
  expected.emplace_back("run 2");
  expected.insert(expected.end(), later.begin(), later.end());
  CHECK(contents == expected);
  const auto pages = all_of<pages_event>(recording).front();
  const auto first = changes(recording)[0];
  CHECK(first.offset == pages.offset);
  const auto bytes = recording.content(first.content, first.bytes);
  CHECK(pages.hashes[7] == XXH64(bytes.data() + (7 * 4096), 4096, 0));
}

TEST_CASE("the options --runs and --full are what the program was built with") {
  const run r("varies", "", TILESIM_RECORDED_TWICE);
  const recording_file recording(r.path());
  CHECK(all_of<run_event>(recording).size() == 2);
  CHECK(all_of<pages_event>(recording).empty());
  CHECK(changes(recording).size() == 10);
  const run once("varies", "TILESIM_RECORD_RUNS=1", TILESIM_RECORDED_TWICE);
  CHECK(all_of<run_event>(recording_file(once.path())).size() == 1);
}

TEST_CASE("runs that fail, die or read a file") {
  const run failing("varies f", "TILESIM_RECORD_RUNS=2");
  CHECK(failing.status == 7);
  CHECK(all_of<end_event>(recording_file(failing.path())).size() == 2);

  run crashing("crash", "TILESIM_RECORD_RUNS=2");
  CHECK(crashing.status == 134);
  const recording_file recording(crashing.path());
  CHECK_FALSE(recording.complete());
  CHECK(all_of<run_event>(recording).size() == 2);
  CHECK(all_of<launch_event>(recording).size() == 2);

  run reading("nothing");
  std::ofstream(reading.folder / "words") << "xyz";
  reading.again("varies <words", "TILESIM_RECORD_RUNS=2");
  CHECK(reading.output == "run on reads x\nrun on reads x\n");
}

TEST_CASE("a number of runs that is none is refused") {
  for (const char* const number : {"0", "-1", "x", "3x", "1000000"}) {
    const run r("simple", std::string("TILESIM_RECORD_RUNS=") + number);
    CHECK(r.status == 64);
    CHECK(r.output.empty());
    CHECK(r.errors == fmt::format("tilesim: error: TILESIM_RECORD_RUNS is to be a number from 1 to "
                                  "100000, not '{}'\n",
                                  number));
  }
}
