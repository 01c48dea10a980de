// Places in the source, innermost call first, as JSON.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/report.hpp>

#include <nlohmann/json.hpp>
#include <string>
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

/// What that has written.
template <class Json>
[[nodiscard]] std::vector<source_frame> frames_from_json(const Json& list) {
  std::vector<source_frame> frames;
  for (const Json& f : list) {
    frames.push_back({f.at("file").template get<std::string>(),
                      f.at("line").template get<unsigned>(),
                      f.at("column").template get<unsigned>(),
                      f.at("function").template get<std::string>()});
  }
  return frames;
}

} // namespace tilesim::sim
