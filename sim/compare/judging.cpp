// Elements against what an error analysis knows of them.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/judging.hpp"

#include <tilesim/element.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilesim::sim::compare {

namespace {

/// What memory holds on the other machine, likewise.
auto bytes_there(const held_memory& m) {
  return [&m](std::uintptr_t at, auto... /*bytes*/) {
    return m.expected.data() + (at - m.here->begin);
  };
}

} // namespace

// Where several stores write and nothing orders them, any of them may be the last.
judged judging::one_of_written(const held_memory& m, std::size_t offset, std::size_t bytes) const {
  const auto reason = bounds_.written_there(m.here->begin + offset, bytes, bytes_there(m));
  judged result;
  if (reason != 0) {
    result.is = judged::how::open;
    result.reason = reason;
  }
  return result;
}

// Of a buffer of floating-point numbers: a NaN is a NaN, also where it has been copied by code that
// nobody follows.
bool judging::are_nans(const held_memory& m,
                       std::span<const std::byte> here,
                       std::size_t offset) const {
  const step::buffer* const b = buffers_.holding(m.here->begin);
  if (b == nullptr || !b->element || !is_floating(b->element->kind) ||
      m.expected.size() - offset < size_of(b->element->kind)) {
    return false;
  }
  return std::isnan(errors::number_at(b->element->kind, here.data() + offset)) &&
         std::isnan(errors::number_at(b->element->kind, m.expected.data() + offset));
}

const void* judging::last_site(std::uintptr_t at) const {
  const auto writer = writes_.last(at);
  return writer ? writer->site : nullptr;
}

// A number that is known to be off is another one by rights.
bool judging::note_altered(const held_memory& m, std::span<const std::byte> left) {
  using how = errors::error_analysis::judgement::how;
  bool same = true;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] == m.now()[i]) {
      continue;
    }
    same = false;
    if (bounds_.judge(m.here->begin + i, bytes_here).is == how::exact) {
      altered_.insert(last_site(m.here->begin + i));
    }
  }
  return same;
}

judged judging::judge(const held_memory& m,
                      std::span<const std::byte> here,
                      std::size_t offset,
                      std::size_t bytes) const {
  using how = errors::error_analysis::judgement::how;
  const auto there = bytes_there(m);
  judged result;
  if (are_nans(m, here, offset)) {
    result.is = judged::how::allowed;
    result.nan = true;
    return result;
  }
  // An element of unknown type may be several that kernels have written.
  for (std::size_t done = 0; done < bytes;) {
    const std::uintptr_t at = m.here->begin + offset + done;
    const auto one = bounds_.judge(at, there);
    const bool known = one.is != how::exact;
    const std::size_t size = known ? size_of(one.kind) - (at - one.at) : 1;
    const std::size_t end = std::min(bytes, done + size);
    if (!known && here[offset + done] != m.expected[offset + done]) {
      if (const void* const site = last_site(at); altered_.contains(site)) {
        result.is = judged::how::open;
        result.reason = bounds_.altered_at(site);
        return result;
      }
      return one_of_written(m, offset, bytes);
    }
    done = end;
    if (one.is == how::open) {
      result.is = judged::how::open;
      result.reason = one.allowed.open;
    } else if (known) {
      const bool whole = one.at == m.here->begin + offset && size_of(one.kind) == bytes;
      std::array<std::byte, sizeof(std::uint64_t)> cell{};
      errors::put_number(one.kind, one.allowed.lo, cell.data());
      result.nan = one.allowed.is_nan();
      result.low = whole && !result.nan ? bits_of(std::span(cell).first(bytes)) : "";
      errors::put_number(one.kind, one.allowed.hi, cell.data());
      result.high = whole && !result.nan ? bits_of(std::span(cell).first(bytes)) : "";
      const double mine = errors::number_at(one.kind, here.data() + (one.at - m.here->begin));
      const double other = errors::number_at(one.kind, there(one.at));
      const double room = other > mine ? one.allowed.hi - mine : mine - one.allowed.lo;
      result.part = std::max(result.part, room > 0 ? std::fabs(other - mine) / room : 0);
      if (one.is == how::outside) {
        const judged written = one_of_written(m, offset, bytes);
        result.is = written.is;
        result.reason = written.reason;
        return result;
      }
      result.is = result.is == judged::how::open ? result.is : judged::how::allowed;
    }
  }
  return result;
}

// With the bytes that are here in the place of those that nobody knows: an element that may be
// nothing else is exact.
bool judging::is_open(const held_memory& m, const byte_range& page) const {
  const step::buffer* const b = buffers_.holding(m.here->begin);
  const std::size_t step = b != nullptr && b->element ? size_of(b->element->kind) : 1;
  for (std::size_t offset = page.begin; offset < page.end; offset += step) {
    const std::uintptr_t at = m.here->begin + offset;
    const std::size_t bytes = std::min(step, page.end - offset);
    if (bounds_.judge(at, bytes_here).is != errors::error_analysis::judgement::how::exact ||
        are_nans(m, m.now(), offset) || bounds_.written_there(at, bytes, bytes_here) != 0) {
      return true;
    }
  }
  return false;
}

} // namespace tilesim::sim::compare
