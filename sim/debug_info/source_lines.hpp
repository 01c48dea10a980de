// The user's sources, line by line, each read once.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace tilesim::sim {

class source_lines {
public:
  /// Empty where the file cannot be read.
  const std::vector<std::string>& of(const std::string& file) {
    const auto [it, is_new] = files_.try_emplace(file);
    if (is_new) {
      std::ifstream in(file);
      for (std::string line; std::getline(in, line);) {
        it->second.push_back(line);
      }
    }
    return it->second;
  }

private:
  std::map<std::string, std::vector<std::string>> files_;
};

} // namespace tilesim::sim
