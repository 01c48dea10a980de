// Which symbols each source may have for itself.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/own_variables.hpp"

#include "tools/cli/files.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim::tools;

TEST_CASE("symbols of the device alone are each source's own", "[tools]") {
  const temporary_folder folder("own");
  const std::string file = folder.path() + "/h.cuh";
  write_file(file,
             "__device__ int lock_ = 0;\nnamespace n { __constant__ float table[4]; }\n"
             "__device__ int twice(int x) { return 2 * x; }\n"
             "__host__ __device__ int both(int x) { return x; }\nint host_ = 0;\n"
             "__managed__ int lock = 1;\n__device__ int v;\n__constant__ int n;\n");
  const auto of = [&](const std::string& symbols) {
    return defined_by_several_sources(symbols, {file});
  };
  const auto ld = [](const std::string& symbol) {
    return "ld: b.o: in function `f':\nb.cu:1: multiple definition of `" + symbol +
           "'; a.o:a.cu:1: first defined here\n";
  };
  CHECK(of(ld("lock_")) == std::vector<std::string>{"lock_"});
  CHECK(of(ld("_ZN1n5tableE")) == std::vector<std::string>{"_ZN1n5tableE"});
  CHECK(of(ld("_Z5twicei")) == std::vector<std::string>{"_Z5twicei"});
  CHECK(of(ld("lock") + ld("lock_")).size() == 2);
  CHECK(of(ld("v") + ld("n")).size() == 2); // which stand for types where names are mangled
  CHECK(of("ld.lld: error: duplicate symbol: lock_\n>>> defined at\n") ==
        std::vector<std::string>{"lock_"});
  // One of the host's is wrong, whatever else there is.
  CHECK(of(ld("host_")).empty());
  CHECK(of(ld("lock_") + ld("host_")).empty());
  CHECK(of(ld("_Z4bothi")).empty());
  CHECK(of("").empty());
}

TEST_CASE("what is made of templates of the device is each source's own, too", "[tools]") {
  const temporary_folder folder("own");
  const std::string file = folder.path() + "/h.cuh";
  write_file(file,
             "template <class T> __device__ T value = 1;\ninline __constant__ int limit = 2;\n"
             "template <class T> struct s { static __device__ T member; static int host_; };\n"
             "inline int counter = 0; __device__ s<int> object;\ninline __device__ int d;\n");
  const auto listed = [](const std::string& more) {
    return listed_symbols(
        "_Z5valueIiE u 0 4\n_ZGV5valueIiE u 0 8\nlimit V 0 4\nd V 0 4\n"
        "_ZN1sIiE6memberE u 0 4\n_ZN1sIiE5host_E u 0 4\ncounter u 0 4\n"
        "_ZZ4bumpvE5value u 0 4\n_Z4bumpv W 0 10\nmain T 0 20\n_ZN1aC5Ev n 0 0\n" +
        more);
  };
  const auto first = listed("_Z5valueIfE u 4 4\n_Z5otherv W 0 10\nputs U\n");
  CHECK(first.variables.size() == 9);
  CHECK(first.functions == std::set<std::string>{"_Z4bumpv", "_Z5otherv", "_ZN1aC5Ev"});
  CHECK(first.missing == std::set<std::string>{"puts"});
  auto own = own_merged_symbols({first, listed("_Z5otherv W 0 10\n")}, {file});
  std::ranges::sort(own);
  CHECK(own ==
        std::vector<std::string>{"_Z5valueIiE", "_ZGV5valueIiE", "_ZN1sIiE6memberE", "d", "limit"});
  CHECK(own_merged_symbols({first}, {file}).empty());
  // One that a third object takes from elsewhere is nobody's own.
  CHECK(merged_functions({first, listed("_Z5otherv W 0 10\n"), listed("_Z5otherv U\n")}) ==
        std::vector<std::string>{"_Z4bumpv", "_ZN1aC5Ev"});
}
