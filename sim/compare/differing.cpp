// Finding differing elements.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/differing.hpp"

#include "memmodel/assertion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace tilesim::sim::compare {

namespace {

constexpr std::size_t most_first = 16;
constexpr std::size_t most_runs = 4096;

class comparison {
public:
  comparison(std::span<const std::byte> here,
             std::span<const std::byte> there,
             std::size_t element_bytes,
             const judge_element& judge)
      : here_(here)
      , there_(there)
      , element_bytes_(element_bytes)
      , judge_(judge) {}

  void compare(std::size_t at) {
    const std::size_t bytes = std::min(element_bytes_, here_.size() - at);
    if (std::memcmp(here_.data() + at, there_.data() + at, bytes) != 0) {
      add(at, bytes);
    }
  }

  differing found() {
    for (std::vector<differing::element>& some : first_) {
      if (!some.empty()) {
        found_.first = std::move(some);
        break;
      }
    }
    return std::move(found_);
  }

private:
  void add(std::size_t at, std::size_t bytes) {
    const std::size_t index = at / element_bytes_;
    ++found_.elements;
    differing::element e{.index = index,
                         .offset = at,
                         .here = {},
                         .there = {},
                         .verdict = judge_ ? judge_(at) : judged{}};
    found_.open += e.verdict.is == judged::how::open ? 1U : 0U;
    const bool allowed = e.verdict.is == judged::how::allowed;
    found_.allowed += allowed ? 1U : 0U;
    std::vector<differing::element>& some = first_[static_cast<std::size_t>(e.verdict.is)];
    const bool is_worst = allowed && (!found_.worst || e.verdict.part > found_.worst->verdict.part);
    if (some.size() < most_first || is_worst) {
      e.here = bits_of(here_.subspan(at, bytes));
      e.there = bits_of(there_.subspan(at, bytes));
    }
    if (is_worst) {
      found_.worst = e;
    }
    const judged::how is = e.verdict.is;
    if (some.size() < most_first) {
      some.push_back(std::move(e));
    }
    if (!found_.runs.empty() && found_.runs.back().second == index && found_.kinds.back() == is) {
      ++found_.runs.back().second;
    } else if (found_.runs.size() < most_runs) {
      found_.runs.emplace_back(index, index + 1);
      found_.kinds.push_back(is);
    } else {
      found_.cut = true;
    }
  }

  std::span<const std::byte> here_;
  std::span<const std::byte> there_;
  std::size_t element_bytes_;
  const judge_element& judge_;
  differing found_;
  std::array<std::vector<differing::element>, 3> first_; ///< by how they are judged
};

} // namespace

std::string bits_of(std::span<const std::byte> element) {
  std::string text;
  for (std::size_t i = element.size(); i > 0; --i) {
    text += fmt::format("{:02x}", std::to_integer<unsigned>(element[i - 1]));
  }
  return text;
}

differing where_differs(std::span<const std::byte> here,
                        std::span<const std::byte> there,
                        std::size_t element_bytes,
                        const judge_element& judge) {
  TILESIM_ASSERT(here.size() == there.size() && element_bytes != 0, here.size());
  comparison all(here, there, element_bytes, judge);
  // In pieces of whole elements that mostly do not differ.
  const std::size_t piece_bytes = 4096 * element_bytes;
  for (std::size_t begin = 0; begin < here.size(); begin += piece_bytes) {
    const std::size_t end = std::min(here.size(), begin + piece_bytes);
    if (std::memcmp(here.data() + begin, there.data() + begin, end - begin) == 0) {
      continue;
    }
    for (std::size_t at = begin; at < end; at += element_bytes) {
      all.compare(at);
    }
  }
  return all.found();
}

} // namespace tilesim::sim::compare
