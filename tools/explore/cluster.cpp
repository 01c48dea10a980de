// Parts of an exploration on a Dask cluster.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/explore/cluster.hpp"

#include "sim/contract/child.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/printable.hpp"
#include "tools/build/cache.hpp"
#include "tools/build/install.hpp"
#include "tools/build/start.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/process.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <utility>

namespace tilesim::tools {

namespace {

std::string machine() {
  utsname name{};
  uname(&name);
  return name.machine;
}

/// What a worker is given with a part. api/python/tilesim/_cluster.py hands it on: it reads
/// `machine` and `version`, and says where `program`, `task` and `answer` lie on the worker.
namespace in_job {

inline constexpr const char* version = "version";
inline constexpr const char* build = "build"; ///< of tilesim, its id
inline constexpr const char* machine = "machine";
inline constexpr const char* program = "program"; ///< its file
inline constexpr const char* words = "words";
inline constexpr const char* options = "options";
inline constexpr const char* order = "order";   ///< an exploration_order, as text
inline constexpr const char* task = "task";     ///< a file: the part
inline constexpr const char* answer = "answer"; ///< a file: where to write what has come of it

} // namespace in_job

/// What workers are told of every part.
nlohmann::json head_of(const run_request& program, const sim::exploration_order& order) {
  sim::exploration_order its = order;
  its.jobs = 1;
  its.cluster.clear();
  return {{in_job::version, TILESIM_VERSION},
          {in_job::build, find_installation().build_id},
          {in_job::machine, machine()},
          {in_job::program, sim::printable(program.program)},
          {in_job::words, program.words},
          {in_job::options, program.options},
          {in_job::order, sim::to_text(its)}};
}

/// Up to the end of the file.
std::string all_of(int file) {
  std::string text;
  std::array<char, 4096> piece{};
  for (ssize_t n = 0; (n = read(file, piece.data(), piece.size())) != 0;) {
    if (n < 0 && errno != EINTR) {
      break;
    }
    text.append(piece.data(), n < 0 ? 0 : static_cast<std::size_t>(n));
    if (text == "ready\n") {
      break;
    }
  }
  return text;
}

} // namespace

part_bridge::part_bridge(const std::string& address,
                         const run_request& program,
                         const sim::exploration_order& order)
    : folder_("explore")
    , socket_(folder_.path() + "/parts") {
  const installation where = find_installation();
  const std::string python = find_python();
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) {
    throw failure(exit_unavailable, "no pipe for the process that hands parts to the cluster");
  }
  process_ = start_repeatable(
      {.program = python,
       .words = {python,
                 where.api_folder + "/python/tilesim/_cluster.py",
                 address,
                 socket_,
                 sim::json_text(head_of(program, order))},
       .descriptors = {{in[0], STDIN_FILENO}, {out[1], STDOUT_FILENO}, {out[1], STDERR_FILENO}},
       .own_group = true});
  close(in[0]);
  close(out[1]);
  input_ = in[1];
  const std::string told = all_of(out[0]);
  close(out[0]);
  if (told != "ready\n") {
    const std::size_t end = told.find_last_not_of('\n');
    const std::string text = told.substr(0, end == std::string::npos ? 0 : end + 1);
    const std::size_t last = text.find_last_of('\n');
    throw failure(exit_unavailable,
                  sim::printable(last == std::string::npos ? text : text.substr(last + 1)));
  }
}

part_bridge::~part_bridge() {
  close(input_);
  sim::status_at_end(process_);
}

int explore_task(const std::string& file) {
  const nlohmann::json j = sim::parse_json(read_text(file).value_or(""));
  if (!j.is_object() || !j.contains(in_job::version)) {
    throw failure(exit_usage, "--task takes what 'tilesim explore --dask' gives to its workers");
  }
  const std::string build = find_installation().build_id;
  if (j.at(in_job::version) != TILESIM_VERSION || j.at(in_job::build) != build) {
    throw failure(
        exit_input,
        fmt::format("tilesim {} (build {}) is there, and the exploration is of tilesim {} "
                    "(build {}): install the same everywhere",
                    TILESIM_VERSION,
                    build,
                    j.at(in_job::version).get<std::string>(),
                    j.at(in_job::build).get<std::string>()));
  }
  setenv("LD_LIBRARY_PATH", find_installation().library_folder.c_str(), 1);
  sim::exploration_order order = sim::exploration_from_text(j.at(in_job::order).get<std::string>());
  order.task = j.at(in_job::task);
  order.report = j.at(in_job::answer);
  setenv(sim::exploration_variable, sim::to_text(order).c_str(), 1);
  run_request r;
  r.program = j.at(in_job::program);
  r.words = j.at(in_job::words).get<command_line>();
  r.options = j.at(in_job::options);
  recorded_input input{.bytes = {}, .ended = true};
  const program_run run = run_checked(r, input, {});
  if (!read_file(j.at(in_job::answer).get<std::string>())) {
    throw failure(
        exit_program,
        fmt::format("the program has explored nothing and ended with status {}", run.status));
  }
  return exit_clean;
}

} // namespace tilesim::tools
