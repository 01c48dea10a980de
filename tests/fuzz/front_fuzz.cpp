// libFuzzer's entry for one front (TILESIM_FUZZ_FRONT), with mutations that know its words.
//
// Built by the preset `fuzz`; README.md beside tests/ says how to run it.
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fronts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

const tilesim::fuzz::front& fuzzed() {
  static const auto* const front = tilesim::fuzz::front_named(TILESIM_FUZZ_FRONT);
  return *front;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)fuzzed().judge(std::string(data, data + size));
  return 0;
}

extern "C" std::size_t
LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  if (seed % 4 == 0) { // bytes, as libFuzzer likes
    return LLVMFuzzerMutate(data, size, most);
  }
  const std::string text = tilesim::fuzz::change(fuzzed(), std::string(data, data + size), seed);
  const std::size_t n = std::min(text.size(), most);
  std::memcpy(data, text.data(), n);
  return n;
}
