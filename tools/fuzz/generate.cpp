// Making a random program: values with their ranges, and operations whose results stay within them.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/generate.hpp"

#include "tools/fuzz/kernel_maker.hpp"

#include <fmt/format.h>

namespace tilesim::tools::fuzz {

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

} // namespace tilesim::tools::fuzz
