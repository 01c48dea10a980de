// libFuzzer's entry: the readers of litmus tests, with mutations that know their words.
//
// Built by the preset `fuzz`; README.md beside tests/ says how to run it.
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/litmus_input.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  tilesim::fuzz::judge_litmus(text, TILESIM_FUZZ_RUN);
  return 0;
}

extern "C" std::size_t
LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  if (seed % 4 == 0) { // bytes, as libFuzzer likes
    return LLVMFuzzerMutate(data, size, most);
  }
  const std::string text = tilesim::fuzz::mutate_litmus(std::string(data, data + size), seed);
  const std::size_t n = std::min(text.size(), most);
  std::memcpy(data, text.data(), n);
  return n;
}
