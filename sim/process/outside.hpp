// What a run has done to the world outside of it: files written, sockets, terminals, processes.
//
// Runs of a program that does such things would get into each other's way: `tilesim check` makes
// them one after the other. The library stands before libc where programs look functions up, so it
// sees the calls of all code but libc's own and bare system calls.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilesim::sim {

/// The first such thing that this process has done, for a report: "opens 'out.txt' for writing".
/// Empty: nothing that was seen.
[[nodiscard]] std::string what_it_did_outside();

/// Notes such a thing: "starts a process".
void did_outside(const char* what) noexcept;

/// In a process that was forked for a run: what was done before is not the run's.
void forget_what_it_did_outside() noexcept;

/// While one lives, what this thread does is the simulator's own.
class simulators_own_files {
public:
  simulators_own_files() noexcept;
  ~simulators_own_files();
  simulators_own_files(const simulators_own_files&) = delete;
  simulators_own_files& operator=(const simulators_own_files&) = delete;
};

} // namespace tilesim::sim
