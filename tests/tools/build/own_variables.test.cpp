// Which symbols each source may have for itself.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/own_variables.hpp"

#include "tools/cli/files.hpp"

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
             "__managed__ int lock = 1;\n");
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
  CHECK(of("ld.lld: error: duplicate symbol: lock_\n>>> defined at\n") ==
        std::vector<std::string>{"lock_"});
  // One of the host's is wrong, whatever else there is.
  CHECK(of(ld("host_")).empty());
  CHECK(of(ld("lock_") + ld("host_")).empty());
  CHECK(of(ld("_Z4bothi")).empty());
  CHECK(of("").empty());
}
