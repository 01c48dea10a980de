// What lanes of a warp are given by what they bring along: pure functions.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/device_warp.hpp>

#include <array>
#include <cstdint>
#include <optional>

namespace tilesim::sim::ops {

constexpr unsigned lanes_of_a_warp = 32;

/// The requests of the lanes that take part; nullptr: does not.
using lane_requests = std::array<detail::warp_request*, lanes_of_a_warp>;

/// The lane that a shuffle of `lane` reads; nothing: it is given its own value.
/// [PTX: shfl.sync]
[[nodiscard]] std::optional<unsigned> source_lane(unsigned lane, const detail::warp_request& r);

/// Gives each lane its result. Who reads from a lane that takes no part is given all ones.
void perform_warp(const lane_requests& lanes);

} // namespace tilesim::sim::ops
