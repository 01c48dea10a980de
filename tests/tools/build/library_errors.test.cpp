// What compilers say of NVIDIA's C++ libraries, and what is made of it.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/library_errors.hpp"

#include <string>
#include <support/catch.hpp>

using namespace tilesim::tools;

namespace {

const std::string trail = "In file included from /c/cub/a.cuh:21,\n                 from u.cu:6:\n";

std::string changed(const std::string& kind) {
  return "/c/cub/b.cuh:64:9: " + kind +
         ": declaration of ‘using W = struct W<T>’ changes meaning of ‘W’ [-fpermissive]\n"
         "   64 |   using W = W<T>;\n      |         ^\n"
         "In file included from /c/cub/b.cuh:23:\n"
         "/c/cub/w.cuh:48:8: note: ‘W’ declared here as ‘struct W<T>’\n"
         "   48 | struct W\n      |        ^\n";
}

const std::string unused = "u.cu: In function ‘int main()’:\n"
                           "u.cu:9:7: warning: unused variable ‘x’ [-Wunused-variable]\n"
                           "    9 |   int x;\n      |       ^\n";

} // namespace

TEST_CASE("errors about names that change their meaning are known where there are no others") {
  CHECK_FALSE(has_only_changed_meanings(""));
  CHECK_FALSE(has_only_changed_meanings(unused));
  CHECK(has_only_changed_meanings(trail + changed("error")));
  CHECK(has_only_changed_meanings(unused + changed("error") + changed("error")));
  CHECK(has_only_changed_meanings(
      "\033[01m\033[Ku.cu:2:18:\033[m\033[K \033[01;31m\033[Kerror: \033[m\033[K"
      "declaration of ‘x’ changes meaning of ‘x’\n"));
  CHECK_FALSE(
      has_only_changed_meanings(changed("error") + "u.cu:9:3: error: ‘x’ was not declared\n"));
  CHECK_FALSE(has_only_changed_meanings(changed("error") + "u.cu:1:10: fatal error: x.h: none\n"));
}

TEST_CASE("warnings about names that change their meaning go with all that belongs to them") {
  CHECK(without_changed_meanings("").empty());
  CHECK(without_changed_meanings(unused) == unused);
  CHECK(without_changed_meanings(trail + changed("warning")).empty());
  CHECK(without_changed_meanings(trail + changed("warning") + unused) == unused);
  CHECK(without_changed_meanings(unused + trail + changed("warning") + changed("warning") +
                                 unused) == unused + unused);
}

TEST_CASE("a header of NVIDIA's libraries that is not there is told where it comes from") {
  const std::string gcc = "u.cu:6:10: fatal error: cub/cub.cuh: No such file or directory\n"
                          "    6 | #include <cub/cub.cuh>\n      |          ^~~~~\n"
                          "compilation terminated.";
  CHECK(with_library_told(gcc).starts_with(gcc + "\nu.cu:6:10: note: it is of CCCL"));
  CHECK(with_library_told("u.cu:6:10: fatal error: 'cuda/std/span' file not found\n")
            .ends_with("with -I\n"));
  const std::string other = "u.cu:6:10: fatal error: cubes/cub.h: No such file or directory\n";
  CHECK(with_library_told(other) == other);
}
