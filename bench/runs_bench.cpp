// What a run in the caller's own process costs, and whether very many of them leak or slow down.
//
//   ninja -C build/release runs_bench && build/release/bin/runs_bench [RUNS [ROW]]
//
// A run is a context, a body of cudaMalloc, one launch, cudaMemcpy and cudaFree, and its end. Each
// row: microseconds of processor time a run over all runs; the last tenth's time over the first
// tenth's; memory that has become resident since the first tenth. Exit status 1 when a target is
// missed.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"
#include "sim/core/run_here.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cuda_runtime.h>
#include <fstream>
#include <functional>
#include <string_view>
#include <tests/sim/kernel_fixture.hpp>
#include <unistd.h>

using namespace tilesim;
using namespace tilesim::sim;

namespace {

/// This process's own, user and system: the machine may have other work.
double processor_microseconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) * 1e6 + static_cast<double>(used.tv_nsec) / 1e3;
}

double resident_mib() {
  std::ifstream statm("/proc/self/statm");
  double size = 0;
  double resident = 0;
  statm >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

/// Two blocks, each of which stores and loads an element of its own. Gives the sum.
int small_kernel() {
  int* p = nullptr;
  cudaMalloc(&p, 2 * sizeof(int));
  context& c = context::current();
  c.current_work.number = 1;
  c.exec->finish(submit(c, dim3(2), dim3(1), kernel_kind::tile, [p] {
    int* const mine = p + machine::get_tile_block_id().x;
    store(mine, 1);
    store(mine, load(mine) + 1);
  }));
  int got[2] = {};
  cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
  cudaFree(p);
  return got[0] + got[1];
}

/// The same, but a finding stops it.
int stopped_kernel() {
  context& c = context::current();
  c.current_work.number = 1;
  c.exec->finish(
      submit(c, dim3(2), dim3(1), kernel_kind::tile, [] { static_cast<void>(load(nullptr)); }));
  return 0;
}

struct row {
  const char* name;
  bool races;
  std::function<int()> body;
  int status;
  double target; ///< microseconds; 0: none
};

bool measure(const row& r, int runs) {
  options o;
  o.quiet = true;
  o.races = r.races;
  runs_here series;
  const auto some = [&](int count) {
    const double begin = processor_microseconds();
    for (int i = 0; i < count; ++i) {
      context c(o);
      if (series.run(c, r.body).status != r.status) {
        std::fprintf(stderr, "%s: another end than expected\n", r.name);
        std::exit(1);
      }
    }
    return (processor_microseconds() - begin) / count;
  };
  const int tenth = runs / 10;
  some(tenth); // what is made once
  const double resident = resident_mib();
  const double first = some(tenth);
  const double middle = some(8 * tenth);
  const double last = some(tenth);
  const double mean = (first + 8 * middle + last) / 10;
  const bool ok = r.target == 0 || mean <= r.target;
  std::printf("%-34s %8.1f us %8.2f %8.1f MiB%s\n",
              r.name,
              mean,
              last / first,
              resident_mib() - resident,
              ok ? "" : "  MISSED");
  return ok;
}

} // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 100'000;
  const std::string_view only = argc > 2 ? argv[2] : "";
  if (argc > 3 || runs < 10) {
    std::fprintf(stderr, "usage: runs_bench [RUNS [ROW]], at least 10\n");
    return 64;
  }
  std::printf("%-34s %11s %8s %12s\n", "run in this process", "each", "slowdown", "growth");
  const row rows[] = {
      {"nothing", false, [] { return 0; }, 0, 0},
      {"small kernel", false, small_kernel, 4, 20},
      {"small kernel, races watched", true, small_kernel, 4, 20},
      {"stopped by a finding", false, stopped_kernel, 101, 0},
  };
  bool ok = true;
  for (const row& r : rows) {
    if (only.empty() || only == r.name) {
      ok = measure(r, runs) && ok;
    }
  }
  return ok ? 0 : 1;
}
