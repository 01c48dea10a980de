// litmus_check FILE …: holds litmus files to the expectations that stand in them; status 1 if one
// does not hold.
//
// SPDX-License-Identifier: Apache-2.0
#include "litmus/check.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: litmus_check FILE …\n");
    return 64;
  }
  int status = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string file = argv[i];
    std::ifstream in(file, std::ios::binary);
    if (!in) {
      fmt::print(stderr, "{}: error: the file cannot be read\n", file);
      return 64;
    }
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (const std::string& problem : tilesim::litmus_tests::problems(file, text)) {
      fmt::print("{}\n", problem);
      status = 1;
    }
  }
  return status;
}
