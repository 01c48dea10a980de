// Changing one text into another.
//
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace tilesim::fuzz {
namespace {

constexpr std::array<std::string_view, 12> numbers{"0",
                                                   "1",
                                                   "2",
                                                   "-1",
                                                   "64",
                                                   "65",
                                                   "256",
                                                   "4294967296",
                                                   "9223372036854775807",
                                                   "-9223372036854775808",
                                                   "0xffffffffffffffff",
                                                   "99999999999999999999"};

/// The text in pieces: words and numbers, and each other byte by itself.
std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> out;
  const auto of_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t n = 1;
    if (of_word(text[i])) {
      while (i + n < text.size() && of_word(text[i + n])) {
        ++n;
      }
    }
    out.emplace_back(text.substr(i, n));
    i += n;
  }
  return out;
}

std::string joined(const std::vector<std::string>& pieces) {
  std::string out;
  for (const std::string& p : pieces) {
    out += p;
  }
  return out;
}

} // namespace

std::string
mutate(std::string_view text, std::uint32_t seed, std::span<const std::string_view> words) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  std::vector<std::string> pieces = pieces_of(text);
  for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
    const std::size_t at = below(pieces.size());
    const auto here = pieces.begin() + static_cast<std::ptrdiff_t>(at);
    const std::string word(words[below(words.size())]);
    if (pieces.empty()) {
      pieces.push_back(word);
      continue;
    }
    switch (below(8)) {
    case 0: // drop some
      pieces.erase(here,
                   here + static_cast<std::ptrdiff_t>(
                              1 + below(std::min<std::size_t>(4, pieces.size() - at))));
      break;
    case 1: // double some
    {
      const std::vector<std::string> some(
          here,
          here + static_cast<std::ptrdiff_t>(1 +
                                             below(std::min<std::size_t>(12, pieces.size() - at))));
      pieces.insert(here, some.begin(), some.end());
      break;
    }
    case 2:
      std::swap(pieces[at], pieces[below(pieces.size())]);
      break;
    case 3:
      pieces[at] = word;
      break;
    case 4:
      pieces.insert(here, word);
      break;
    case 5: { // a number for a number
      const auto digit = std::find_if(here, pieces.end(), [](const std::string& p) {
        return p.front() >= '0' && p.front() <= '9';
      });
      if (digit != pieces.end()) {
        *digit = numbers[below(numbers.size())];
      }
      break;
    }
    case 6:
      pieces[at][below(pieces[at].size())] = static_cast<char>(below(256));
      break;
    default: // as if the file ended here
      if (below(8) == 0) {
        pieces.erase(here, pieces.end());
      } else {
        pieces[at] = pieces[below(pieces.size())];
      }
    }
  }
  return joined(pieces);
}

} // namespace tilesim::fuzz
