// Places in the source, innermost call first, as JSON.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/report.hpp>

#include <nlohmann/json.hpp>
#include <vector>

namespace tilesim::sim {

/// `Json`: nlohmann's, with or without the order of its members kept.
template <class Json>
[[nodiscard]] Json frames_json(const std::vector<source_frame>& frames) {
  Json list = Json::array();
  for (const source_frame& f : frames) {
    list.push_back(
        {{"file", f.file}, {"line", f.line}, {"column", f.column}, {"function", f.function}});
  }
  return list;
}

} // namespace tilesim::sim
