// Gives the fuzz target mutations of the litmus tests in a folder, drawn from a seed: the same on
// every machine.
//
//   litmus_fuzz_smoke FOLDER COUNT [SEED]
// SPDX-License-Identifier: Apache-2.0
#include "sim/rng.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using tilesim::sim::rng;

/// Words and signs of both formats: mutations that keep to them reach further than bytes do.
constexpr const char* tokens[] = {"PTX ",
                                  "TILE ",
                                  "{",
                                  "}",
                                  ";",
                                  "|",
                                  "@",
                                  ":",
                                  ",",
                                  ".",
                                  "[",
                                  "]",
                                  "(",
                                  ")",
                                  "P0",
                                  "P1",
                                  "cta",
                                  "gpu",
                                  "cluster",
                                  "block",
                                  "device",
                                  "host",
                                  "r0",
                                  "r1",
                                  "x",
                                  "y",
                                  "ld",
                                  "st",
                                  "atom",
                                  "red",
                                  "fence",
                                  "bar",
                                  "weak",
                                  "relaxed",
                                  "acquire",
                                  "release",
                                  "acq_rel",
                                  "sc",
                                  "sys",
                                  "sync",
                                  "arrive",
                                  "cas",
                                  "exch",
                                  "add",
                                  "v2",
                                  "u32",
                                  "s64",
                                  "exists",
                                  "forall",
                                  "~",
                                  "filter",
                                  "expect",
                                  "locations",
                                  "ptx",
                                  "allowed",
                                  "forbidden",
                                  "race",
                                  "-",
                                  "free",
                                  "/\\",
                                  "\\/",
                                  "==",
                                  "!=",
                                  "0",
                                  "1",
                                  "-1",
                                  "99999999999999999999",
                                  "0x",
                                  "\"",
                                  "(*",
                                  "*)",
                                  "load",
                                  "store",
                                  "mask",
                                  "pad",
                                  "if",
                                  "else",
                                  "do",
                                  "while",
                                  "atomic_add",
                                  "int",
                                  "=",
                                  "\n",
                                  "goto",
                                  "beq",
                                  "LC00",
                                  "LC00:",
                                  "//",
                                  " "};

void mutate(std::string& text, rng& r, const std::vector<std::string>& corpus) {
  const std::size_t at = r.below(text.size() + 1);
  const std::size_t n = std::min<std::size_t>(text.size() - at, 1 + r.below(8));
  switch (r.below(6)) {
  case 0:
    text.erase(at, n);
    break;
  case 1:
    text.insert(at, tokens[r.below(std::size(tokens))]);
    break;
  case 2:
    text.replace(at, n, tokens[r.below(std::size(tokens))]);
    break;
  case 3:
    text.insert(at, text.substr(r.below(text.size() + 1), 1 + r.below(40)));
    break;
  case 4: {
    const std::string& other = corpus[r.below(corpus.size())];
    text.insert(at, other.substr(r.below(other.size() + 1), 1 + r.below(60)));
    break;
  }
  default:
    if (at < text.size())
      text[at] = static_cast<char>(r.below(256));
  }
}

} // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::fprintf(stderr, "usage: litmus_fuzz_smoke FOLDER COUNT [SEED]\n");
    return 64;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& f : std::filesystem::recursive_directory_iterator(words[1]))
    if (f.path().extension() == ".litmus")
      files.push_back(f.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> corpus;
  for (const auto& f : files) {
    std::ifstream in(f, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  if (corpus.empty()) {
    std::fprintf(stderr, "litmus_fuzz_smoke: no litmus tests in %s\n", words[1]);
    return 1;
  }
  rng r(count > 3 ? std::strtoull(words[3], nullptr, 10) : 1);
  const auto inputs = std::strtoull(words[2], nullptr, 10);
  for (unsigned long long i = 0; i < inputs; ++i) {
    std::string text = corpus[r.below(corpus.size())];
    for (auto n = 1 + r.below(6); n > 0; --n)
      mutate(text, r, corpus);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  }
  std::printf("%llu inputs from %zu tests\n", inputs, corpus.size());
  return 0;
}
