// Compiler flags: which step each one reaches.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/flags.hpp"

#include "tools/cli/failure.hpp"

#include <support/catch.hpp>

using namespace tilesim::tools;

namespace {

build_request parse(const std::vector<std::string>& words) {
  build_request request;
  for (std::size_t at = 0; at < words.size();) {
    REQUIRE(take_compiler_flag(words, at, request));
  }
  return request;
}

using words = std::vector<std::string>;

} // namespace

TEST_CASE("flags go to the step they are for", "[tools]") {
  CHECK(parse({"-Iinc", "-I", "dir", "-DX=1", "-D", "Y", "-isystem", "s", "-include", "f.h"})
            .preprocess ==
        words{"-Iinc", "-I", "dir", "-DX=1", "-D", "Y", "-isystem", "s", "-include", "f.h"});
  CHECK(parse({"-O3", "-g", "-Wall", "-fno-exceptions", "-march=native", "-w"}).compile ==
        words{"-O3", "-g", "-Wall", "-fno-exceptions", "-march=native", "-w"});
  CHECK(parse({"-lm", "-l", "m", "-L.", "-Wl,-z,now", "-Xlinker", "-s"}).link ==
        words{"-lm", "-l", "m", "-L.", "-Wl,-z,now", "-Xlinker", "-s"});
  CHECK(parse({"-pthread"}).link == words{"-pthread"});
  CHECK(parse({"-pthread"}).compile == words{"-pthread"});
  CHECK(parse({"-o", "x"}).output == "x");
  CHECK(parse({"-ox"}).output == "x");
  CHECK(parse({"-c"}).objects_only);
  CHECK(parse({"-O2"}).has_optimisation);
  CHECK(parse({"-Wpedantic"}).pedantic);
}

TEST_CASE("the standard is at least C++20", "[tools]") {
  CHECK(parse({"-std=c++23"}).compile == words{"-std=c++23"});
  CHECK(parse({"--std", "gnu++20"}).compile == words{"-std=gnu++20"});
  const auto old = parse({"-std=c++17"});
  CHECK(old.compile.empty());
  CHECK_FALSE(old.has_standard);
  CHECK(old.notes == words{"-std=c++17 is raised to c++20, which the tile API needs"});
}

TEST_CASE("nvcc's own flags are understood", "[tools]") {
  const auto silent = parse({"--enable-tile",
                             "-lineinfo",
                             "-G",
                             "-rdc=true",
                             "-lcudart",
                             "-code=sm_90",
                             "-x",
                             "cu",
                             "--threads",
                             "4"});
  CHECK(silent.compile.empty());
  CHECK(silent.link.empty());
  CHECK(silent.notes.empty());
  CHECK(parse({"-arch=sm_100a"}).arch_list == "1000");
  CHECK(parse({"-arch", "sm_80"}).arch_list == "800");
  CHECK(parse({"-gencode", "arch=compute_120,code=sm_120"}).arch_list == "1200");
  CHECK(parse({"-gencode=arch=compute_90,code=sm_90"}).arch_list == "900");
  CHECK(parse({"-arch=native"}).arch_list == "900");
  CHECK(parse({"-Xcompiler", "-Wall,-DX"}).compile == words{"-Wall"});
  CHECK(parse({"-Xcompiler=-Wall,-DX"}).preprocess == words{"-DX"});
  CHECK(parse({"--expt-relaxed-constexpr"}).preprocess ==
        words{"-D__CUDACC_RELAXED_CONSTEXPR__=1"});
  CHECK(parse({"-Werror", "all-warnings", "-Werror"}).compile == words{"-Werror", "-Werror"});
  CHECK(parse({"--define-macro=X"}).preprocess == words{"-DX"});
}

TEST_CASE("a flag without effect is noted once", "[tools]") {
  CHECK(parse({"-use_fast_math", "-use_fast_math"}).notes ==
        words{"-use_fast_math has no effect: tilesim computes what the source says, without "
              "approximations"});
}

TEST_CASE("what is no flag is left to others", "[tools]") {
  build_request request;
  std::size_t at = 0;
  CHECK_FALSE(take_compiler_flag({"--unheard-of"}, at, request));
  CHECK(at == 0);
  CHECK_THROWS_WITH(take_compiler_flag({"-o"}, at, request), "'-o' needs a value behind it");
}

TEST_CASE("files are told by their names", "[tools]") {
  CHECK(is_source_name("a.cu"));
  CHECK(is_source_name("dir/a.cpp"));
  CHECK_FALSE(is_source_name("a.o"));
  CHECK(is_linker_input("a.o"));
  CHECK(is_linker_input("liba.so.1"));
}
