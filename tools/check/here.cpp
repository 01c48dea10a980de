// A body in this process: its streams lead to a file in memory while it runs.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/here.hpp"

#include "sim/contract/json_text.hpp"
#include "sim/contract/option_table.hpp"
#include "sim/contract/printable.hpp"
#include "tools/cli/descriptor.hpp"
#include "tools/cli/failure.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace tilesim::tools {

using namespace sim::option_literals;

namespace {

/// Throws failure where there is none.
int opened(int file) {
  if (file < 0) {
    throw failure(exit_unavailable, fmt::format("a body's streams: {}", std::strerror(errno)));
  }
  return file;
}

/// While one lives, this process prints into memory and reads nothing.
class other_streams {
public:
  other_streams()
      : printed_(opened(memfd_create("tilesim-check", MFD_CLOEXEC)))
      , nothing_(opened(open("/dev/null", O_RDONLY | O_CLOEXEC))) {
    std::fflush(nullptr);
    put(0, nothing_.get());
    put(1, printed_.get());
    put(2, printed_.get());
  }
  ~other_streams() {
    std::fflush(nullptr);
    for (int stream = 0; stream < 3; ++stream) {
      dup2(kept_[static_cast<std::size_t>(stream)].get(), stream);
    }
  }
  other_streams(const other_streams&) = delete;
  other_streams& operator=(const other_streams&) = delete;

  /// What has been printed so far, into `lines`.
  void take(line_bag& lines) const {
    std::fflush(nullptr);
    std::array<char, 65536> buffer{};
    off_t at = 0;
    for (;;) {
      const auto count = pread(printed_.get(), buffer.data(), buffer.size(), at);
      if (count <= 0) {
        break;
      }
      lines.add({buffer.data(), static_cast<std::size_t>(count)});
      at += count;
    }
    lines.finish();
  }

private:
  static void put(int stream, int in_its_place) { dup2(in_its_place, stream); }
  static int copy_of(int stream) {
    return opened(fcntl(stream, F_DUPFD_CLOEXEC, 3)); // NOLINT: fcntl's signature
  }

  descriptor printed_;
  descriptor nothing_;
  std::array<descriptor, 3> kept_{
      descriptor(copy_of(0)), descriptor(copy_of(1)), descriptor(copy_of(2))};
};

std::uint64_t resident_memory() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
}

} // namespace

program_run runs_in_this_process::run(const run_request& request) {
  const auto path = reports_.path() + "/report.json";
  auto options = request.options;
  options["report"_option] = sim::printable(path);
  program_run result;
  {
    const other_streams streams;
    const interrupt_watch::off as_before;
    const auto end = request.body_here(sim::json_text(options));
    result.status = end.status;
    result.signal = end.signal;
    streams.take(result.printed);
    if (end.interrupted) {
      interrupt_watch::request();
    }
  }
  if (const auto text = read_file(path); text && !text->empty()) {
    result.report = sim::read_json(*text);
  }
  if (result.report.is_discarded()) {
    throw failure(exit_internal, "the run's report cannot be read");
  }
  result.memory = resident_memory();
  return result;
}

} // namespace tilesim::tools
