// Enclosures of elements in memory.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/error_analysis/memory_errors.hpp"

#include "sim/ops/accuracy.hpp"
#include "sim/ops/number_format.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tilesim::sim::errors {

namespace {

std::uint64_t bits_at(std::uintptr_t at, element kind) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, reinterpret_cast<const void*>(at), size_of(kind));
  return bits;
}

} // namespace

void memory_errors::clear() {
  words_.clear();
  sums_.clear();
}

void memory_errors::put(std::uintptr_t at, element kind, const enclosure& value) {
  forget(at, size_of(kind));
  if (!value.is_point()) {
    words_[at / word_bytes].push_back({at, kind, value, bits_at(at, kind)});
  }
}

void memory_errors::forget(std::uintptr_t at, std::size_t bytes) {
  if (!sums_.empty()) {
    for (std::uintptr_t byte = at; byte < at + bytes; ++byte) {
      sums_.erase(byte);
    }
  }
  if (words_.empty()) {
    return;
  }
  for (std::uintptr_t word = at / word_bytes; word <= (at + bytes - 1) / word_bytes; ++word) {
    const auto it = words_.find(word);
    if (it == words_.end()) {
      continue;
    }
    std::erase_if(it->second,
                  [&](const cell& c) { return c.at < at + bytes && at < c.at + size_of(c.kind); });
    if (it->second.empty()) {
      words_.erase(it);
    }
  }
}

std::optional<enclosure>
memory_errors::before_update(std::uintptr_t at, element kind, const std::byte* old) const {
  const auto it = words_.find(at / word_bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, old, size_of(kind));
  for (std::size_t i = 0; it != words_.end() && i < it->second.size(); ++i) {
    const cell& c = it->second[i];
    if (c.at == at && size_of(c.kind) == size_of(kind) && c.bits == bits) {
      return c.value;
    }
  }
  return {};
}

void memory_errors::add(std::uintptr_t at,
                        element kind,
                        const enclosure& before,
                        const enclosure& summand,
                        bool flushes,
                        const because& why) {
  open_sum sum;
  if (const auto known = sums_.find(at); known != sums_.end()) {
    sum = known->second;
  } else {
    sum.add(before);
  }
  sum.add(summand);
  const ops::number_format f = ops::format_of(kind);
  const auto n = static_cast<long double>(sum.count());
  const enclosure value = sum.enclosed(kind,
                                       {.relative = ops::error_of_order(kind, {}, sum.count()),
                                        .absolute = flushes ? n * std::ldexp(1.0L, f.least) : 0,
                                        .kept_bits = f.precision,
                                        .one_rounding = true},
                                       number_at(kind, reinterpret_cast<const void*>(at)),
                                       why);
  put(at, kind, value);
  sums_[at] = sum;
}

std::vector<memory_errors::cell> memory_errors::overlapping(std::uintptr_t at,
                                                            std::size_t bytes) const {
  std::vector<cell> found;
  for (std::uintptr_t word = at / word_bytes;
       !words_.empty() && word <= (at + bytes - 1) / word_bytes;
       ++word) {
    const auto it = words_.find(word);
    if (it == words_.end()) {
      continue;
    }
    for (const cell& c : it->second) {
      if (c.at < at + bytes && at < c.at + size_of(c.kind) && bits_at(c.at, c.kind) == c.bits) {
        found.push_back(c);
      }
    }
  }
  return found;
}

std::optional<enclosure>
memory_errors::find(std::uintptr_t at, element kind, const because& why) const {
  const auto found = overlapping(at, size_of(kind));
  if (found.empty()) {
    return {};
  }
  const auto alike = [](element a, element b) {
    return a == b || (is_integer(a) && is_integer(b) && size_of(a) == size_of(b));
  };
  if (found.size() == 1 && found[0].at == at && alike(found[0].kind, kind)) {
    return found[0].value;
  }
  const auto open = std::ranges::find_if(found, [](const cell& c) { return c.value.open != 0; });
  return opened(open != found.end() ? open->value.open
                                    : why("a number that may be off, read as another type"));
}

} // namespace tilesim::sim::errors
