// Making a random program: values with their ranges, and operations whose results stay within them.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/generate.hpp"

#include "tools/fuzz/kernel_maker.hpp"

#include <fmt/format.h>

namespace tilesim::driver::fuzz {

std::uint64_t draws::next() noexcept { // splitmix64
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

std::string to_words(const wishes& w) {
  std::string words =
      w.operations == wishes{}.operations ? "" : fmt::format(" --operations {}", w.operations);
  words += w.approximate ? " --approximate" : "";
  for (const hunt& h : hunts) {
    words += w.*h.wished ? fmt::format(" --hunt {}", h.name) : "";
  }
  return words;
}

program generate(std::uint64_t seed, const wishes& w) {
  program p;
  p.seed = seed;
  p.operations = w.operations;
  draws random(seed);
  const std::size_t kernels = 1 + random.below(3);
  for (std::size_t k = 0; k < kernels; ++k) {
    kernel_maker(p, random, w).make();
  }
  return p;
}

} // namespace tilesim::driver::fuzz
