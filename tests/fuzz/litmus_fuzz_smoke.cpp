// litmus_smoke FOLDER COUNT: mutates the litmus files below a folder, COUNT times in all, and reads
// what comes out; the same on every machine, and without a fuzzer.
//
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/litmus_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    fmt::print(stderr, "usage: litmus_fuzz_smoke FOLDER COUNT [SEED]\n");
    return 64;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[1])) {
    if (entry.path().extension() == ".litmus") {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  std::vector<std::string> corpus;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  if (corpus.empty()) {
    fmt::print(stderr, "error: there is no litmus file below the folder\n");
    return 1;
  }
  const auto count = static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10));
  const auto seed = static_cast<std::uint32_t>(argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1);
  std::uint32_t read = 0;
  std::string last;
  for (std::uint32_t i = 0; i < count; ++i) {
    // Every third time from where the last mutation led, so that changes add up.
    const std::string& from = i % 3 == 2 ? last : corpus[i % corpus.size()];
    last = tilesim::fuzz::mutate_litmus(from, seed * 1'000'000'007U + i);
    read += tilesim::fuzz::judge_litmus(last, i % 16 == 0) ? 1U : 0U;
  }
  fmt::print("{} inputs, {} of them read as tests\n", count, read);
  // Mutations that no reader takes, or that every one takes, would test little.
  return read > count / 50 && read < count ? 0 : 1;
}
