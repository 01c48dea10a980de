// A litmus test as CUDA: a kernel with the test's instructions, and a row of tables for the
// harness (litmus/harness.cu).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/enumerate.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools {

/// Where a test's threads run. A unit is a cluster of the test; each has `cluster` blocks (1: the
/// launch has no clusters), and each block `width` threads of one instance.
struct gpu_seats {
  std::uint32_t units = 0;
  std::uint32_t cluster = 1;
  std::uint32_t width = 1;
  std::vector<std::int32_t> roles; ///< by unit, block, thread: thread of the test; -1: none
};
[[nodiscard]] gpu_seats seats_of(const memmodel::litmus::test& t);

/// Why a test cannot be run on one GPU with the operations that it has; empty: it can.
[[nodiscard]] std::string why_not_on_gpu(const memmodel::litmus::test& t, bool tile);

/// What the model and the interleavings say of a test.
struct gpu_marks {
  bool known = false; ///< both have an answer
  bool weak = false;  ///< the model allows a final state that no interleaving gives
  std::vector<std::vector<memmodel::litmus::value>> sc; ///< states of the interleavings
};

struct gpu_test {
  std::string file;
  std::uint64_t hash = 0; ///< xxh64 of the file's text
  memmodel::litmus::test test;
  bool tile = false;                 ///< a tile test
  std::optional<std::string> mutant; ///< "P0.1 release to relaxed"
  gpu_marks marks;
};

/// The text of one test, its number in the program behind every name.
[[nodiscard]] std::string kernel_text(const gpu_test& g, std::size_t number);
[[nodiscard]] std::string tables_text(const gpu_test& g, std::size_t number);
/// Its row in the table of tests.
[[nodiscard]] std::string row_text(const gpu_test& g, std::size_t number);

} // namespace tilesim::tools
