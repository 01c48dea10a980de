// What a run has done so far, in a file that is mapped.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/run_counts.hpp"

#include "sim/contract/standard_error.hpp"
#include "sim/process/outside.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tilesim::sim {

run_counts* shared_counts(const std::string& path) {
  const simulators_own_files here;
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600); // NOLINT: its signature
  void* counts = MAP_FAILED;
  if (file >= 0 && ftruncate(file, sizeof(run_counts)) == 0) {
    counts = mmap(nullptr, sizeof(run_counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  if (counts == MAP_FAILED) {
    print_error("tilesim: error: {}: {}\n", path, std::strerror(errno));
  }
  if (file >= 0) {
    close(file);
  }
  // Not constructed: a program that has started another by exec has counted before.
  return counts == MAP_FAILED ? new run_counts : static_cast<run_counts*>(counts);
}

} // namespace tilesim::sim
