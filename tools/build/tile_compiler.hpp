// NVIDIA's compiler: finding one, what it is given, and running it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/flags.hpp"

#include <string>

namespace tilesim::tools {

struct nvcc {
  std::string path;
  std::string version; ///< "13.4.92"
};

/// $TILESIM_NVCC, what `tilesim toolchain install` brought, $CUDA_HOME's, or that in $PATH. Throws
/// failure (69): there is none, or it is older than tile kernels are (13.1).
[[nodiscard]] nvcc find_tile_compiler();

/// The host compiler's words as nvcc takes them: what is its own as it is, the others behind
/// -Xcompiler.
[[nodiscard]] command_line nvcc_words(const command_line& compile);

/// "sm_90": what device code is compiled for.
[[nodiscard]] std::string nvcc_architecture(const build_request& request);

/// The flags that decide what is well-formed and what it means; nvcc is its own judge of the rest.
[[nodiscard]] command_line nvcc_flags(const build_request& request);

/// What makes Tile IR of a source's tile kernels with these flags, but for where that is to go.
[[nodiscard]] command_line
tile_ir_command(const std::string& nvcc, const command_line& flags, const std::string& source);

/// Runs the compiler, and tells of it where somebody waits at a terminal: "nvcc WHAT". Gives what
/// it has said. Throws printed_failure (65): the source does not compile.
std::string run_nvcc(const command_line& command, const std::string& what);

/// A source among its words: what begins with @ would be a file of further ones.
[[nodiscard]] std::string source_word(const std::string& source);

} // namespace tilesim::tools
