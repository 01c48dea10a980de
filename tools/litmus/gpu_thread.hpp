// A thread of a PTX litmus test as inline PTX.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/program.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace tilesim::tools {

/// How many elements an access has.
[[nodiscard]] std::size_t elements(const memmodel::litmus::instruction& i);

/// The hardware's number of each barrier of a block: by the thread's block and the barrier's name
/// as the test has it; how many threads complete it, and how often one comes to it in all.
struct barrier_use {
  unsigned number = 0;
  std::size_t threads = 0;
  std::size_t arrivals = 0;
};
using barrier_name =
    std::vector<memmodel::litmus::value>; ///< cluster, block, id, resource, threads
using barrier_numbers = std::map<barrier_name, barrier_use>;
[[nodiscard]] barrier_numbers barriers_of(const memmodel::litmus::test& t);

/// The text of an `asm` statement, less its operands. These are the thread's registers, then the
/// number of backward branches that are left, then the addresses of all variables.
[[nodiscard]] std::string thread_statement(const memmodel::litmus::test& t,
                                           const memmodel::litmus::thread& p);

} // namespace tilesim::tools
