// What host compilers say where a program uses NVIDIA's C++ libraries (CCCL: libcu++, CUB, Thrust):
// a header that is not there, and names that nvcc takes.
//
// g++ stops at a class in which a name is used and declared behind that with another meaning
// (`using WarpReduce = WarpReduce<int>`, `load::TempStorage load`), which C++ calls ill-formed
// without asking for a diagnosis ([class.member.lookup]). nvcc takes such classes; CUB has some,
// and so have programs that use it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilesim::tools {

/// Is every error of a compiler's output one about a name that changes its meaning, and is there
/// one? With -fpermissive these are warnings. Colours may be in it.
[[nodiscard]] bool has_only_changed_meanings(std::string_view output);

/// The output without the warnings about names that change their meaning, and without their notes.
[[nodiscard]] std::string without_changed_meanings(std::string_view output);

/// What a preprocessor said, with a line behind it that tells where a header of these libraries
/// comes from, if one was not found.
[[nodiscard]] std::string with_library_told(std::string output);

} // namespace tilesim::tools
