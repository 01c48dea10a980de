// What may stand in memory, and the writes that it may come from.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/traces.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace tilesim::memmodel::litmus {

namespace {

/// More sets than this say little: they become the empty one, which excludes nothing.
constexpr std::size_t most_origins = 16;

/// Calls f(written, its values by their bits) for each range that was written and that this one
/// overlaps.
template <class Ranges, class F>
void each_overlapping(const Ranges& by_address, const byte_range& range, F f) {
  const std::uint64_t from = range.address < 8 ? 0 : range.address - 8;
  for (auto at = by_address.lower_bound(from); at != by_address.end() && at->first < range.end();
       ++at) {
    for (const auto& [size, values] : at->second) {
      const byte_range written{at->first, size};
      if (overlap(written, range)) {
        f(written, values);
      }
    }
  }
}

} // namespace

bool add_minimal(std::vector<write_set>& sets, write_set s) {
  if (std::ranges::any_of(sets, [&](write_set t) { return (t & ~s) == 0; })) {
    return false;
  }
  std::erase_if(sets, [&](write_set t) { return (s & ~t) == 0; });
  sets.push_back(s);
  if (sets.size() > most_origins) {
    sets = {0};
  }
  return true;
}

bool possible_values::add(const byte_range& range,
                          std::uint64_t bits,
                          const std::vector<write_set>& origins) {
  std::vector<write_set>& known = by_address_[range.address][range.size][bits];
  bool news = false;
  for (const write_set s : origins) {
    news |= add_minimal(known, s);
  }
  return news;
}

bool possible_values::may_hold(const byte_range& range, std::uint64_t bits) const {
  bool may = false;
  each_overlapping(by_address_, range, [&](const byte_range& written, const auto& values) {
    may |= written != range || values.contains(bits);
  });
  return may;
}

std::vector<possible_value> possible_values::of(const byte_range& range) const {
  std::array<std::set<std::uint8_t>, 8> bytes;
  std::vector<possible_value> whole;
  bool partial = false;
  each_overlapping(by_address_, range, [&](const byte_range& written, const auto& values) {
    partial |= written != range;
    for (const auto& [v, origins] : values) {
      if (written == range) {
        whole.push_back({v, origins});
      }
      for (std::uint64_t a = std::max(range.address, written.address);
           a < std::min(range.end(), written.end());
           ++a) {
        bytes[a - range.address].insert(
            static_cast<std::uint8_t>(v >> (8 * (a - written.address))));
      }
    }
  });
  if (!partial) {
    return whole;
  }
  std::vector<possible_value> mixtures{{0, {0}}};
  for (std::uint32_t i = 0; i < range.size; ++i) {
    std::vector<possible_value> longer;
    for (const possible_value& low : mixtures) {
      for (const std::uint8_t b : bytes[i]) {
        longer.push_back({low.bits | std::uint64_t{b} << (8 * i), {0}});
      }
    }
    mixtures = std::move(longer);
  }
  return mixtures;
}

} // namespace tilesim::memmodel::litmus
