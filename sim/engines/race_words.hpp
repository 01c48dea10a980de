// What operations and streams are called in reports of races.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/detect/detector.hpp"
#include "sim/memory/orders.hpp"

#include <tilesim/launch.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace tilesim::sim::race_words {

[[nodiscard]] inline const char* noun(const detect::operation_record& r) {
  return r.kind == access_kind::read ? "load" : r.kind == access_kind::write ? "store" : "update";
}

/// "weak load", "release store of device scope".
[[nodiscard]] inline std::string verb(const detect::operation_record& r) {
  return r.order == memmodel::memory_order::weak
             ? fmt::format("weak {}", noun(r))
             : fmt::format("{} {} of {} scope", name(r.order), noun(r), name(r.scope));
}

/// Streams by their numbers in the order of their creation. The default ones are the first lanes.
[[nodiscard]] inline std::string stream_name(std::uint32_t lane) {
  constexpr std::uint32_t default_streams = 2;
  return lane <= default_streams
             ? lane == default_streams ? "the thread's default stream" : "the default stream"
             : fmt::format("stream {}", lane - default_streams);
}

} // namespace tilesim::sim::race_words
