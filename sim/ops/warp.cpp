// Votes, shuffles, matches and reductions of the lanes that take part.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/warp.hpp"

#include <algorithm>

namespace tilesim::sim::ops {

namespace {

using detail::warp_operation;
using detail::warp_request;

/// f(lane, request) for those that take part.
template <class F>
void each(const lane_requests& lanes, F&& f) {
  for (unsigned i = 0; i < lanes_of_a_warp; ++i) {
    if (lanes[i] != nullptr) {
      f(i, *lanes[i]);
    }
  }
}

template <class F>
std::uint64_t folded(const lane_requests& lanes, F&& f) {
  std::optional<std::uint64_t> all;
  each(lanes, [&](unsigned, const warp_request& r) { all = all ? f(*all, r.value) : r.value; });
  return all.value_or(0);
}

std::int32_t as_int(std::uint64_t word) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(word));
}

/// What all lanes are given alike.
std::uint64_t common(warp_operation o, const lane_requests& lanes) {
  switch (o) {
  case warp_operation::ballot: {
    std::uint64_t bits = 0;
    each(lanes,
         [&](unsigned i, const warp_request& r) { bits |= (r.value != 0 ? 1ULL : 0ULL) << i; });
    return bits;
  }
  case warp_operation::all:
    return folded(lanes, [](auto a, auto b) { return a & b; });
  case warp_operation::any:
    return folded(lanes, [](auto a, auto b) { return a | b; });
  case warp_operation::add:
    return static_cast<std::uint32_t>(folded(lanes, [](auto a, auto b) { return a + b; }));
  case warp_operation::min:
    return folded(lanes, [](auto a, auto b) { return as_int(a) < as_int(b) ? a : b; });
  case warp_operation::max:
    return folded(lanes, [](auto a, auto b) { return as_int(a) < as_int(b) ? b : a; });
  case warp_operation::unsigned_min:
    return folded(lanes, [](auto a, auto b) { return std::min(a, b); });
  case warp_operation::unsigned_max:
    return folded(lanes, [](auto a, auto b) { return std::max(a, b); });
  case warp_operation::bits_and:
    return folded(lanes, [](auto a, auto b) { return a & b; });
  case warp_operation::bits_or:
    return folded(lanes, [](auto a, auto b) { return a | b; });
  case warp_operation::bits_xor:
    return folded(lanes, [](auto a, auto b) { return a ^ b; });
  case warp_operation::match_all: {
    std::optional<std::uint64_t> first;
    bool same = true;
    std::uint64_t bits = 0;
    each(lanes, [&](unsigned i, const warp_request& r) {
      same = same && first.value_or(r.value) == r.value;
      first = r.value;
      bits |= std::uint64_t{1} << i;
    });
    return same ? bits : 0;
  }
  case warp_operation::active: {
    std::uint64_t bits = 0;
    each(lanes, [&](unsigned i, const warp_request&) { bits |= std::uint64_t{1} << i; });
    return bits;
  }
  default:
    return 0;
  }
}

std::uint64_t matching(const lane_requests& lanes, std::uint64_t value) {
  std::uint64_t bits = 0;
  each(lanes, [&](unsigned i, const warp_request& r) {
    bits |= (r.value == value ? std::uint64_t{1} : std::uint64_t{0}) << i;
  });
  return bits;
}

} // namespace

std::optional<unsigned> source_lane(unsigned lane, const warp_request& r) {
  const unsigned segment = ~(r.width - 1) & (lanes_of_a_warp - 1); // bits that name it
  const unsigned first = lane & segment;
  const unsigned last = first | (~segment & (lanes_of_a_warp - 1));
  const unsigned operand = r.lane & (lanes_of_a_warp - 1);
  switch (r.operation) {
  case warp_operation::shuffle:
    return first | (operand & ~segment);
  case warp_operation::shuffle_up:
    return lane >= first + operand ? std::optional(lane - operand) : std::nullopt;
  case warp_operation::shuffle_down:
    return lane + operand <= last ? std::optional(lane + operand) : std::nullopt;
  case warp_operation::shuffle_xor:
    return (lane ^ operand) <= last ? std::optional(lane ^ operand) : std::nullopt;
  default:
    return lane;
  }
}

void perform_warp(const lane_requests& lanes) {
  std::optional<std::uint64_t> all;
  each(lanes, [&](unsigned lane, warp_request& r) {
    switch (r.operation) {
    case warp_operation::shuffle:
    case warp_operation::shuffle_up:
    case warp_operation::shuffle_down:
    case warp_operation::shuffle_xor: {
      const auto from = source_lane(lane, r);
      r.result = !from                     ? r.value
                 : lanes[*from] == nullptr ? ~std::uint64_t{0}
                                           : lanes[*from]->value;
      break;
    }
    case warp_operation::match_any:
      r.result = matching(lanes, r.value);
      break;
    default:
      if (!all) {
        all = common(r.operation, lanes);
      }
      r.result = *all;
    }
  });
}

} // namespace tilesim::sim::ops
