// The recorded files.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace tilesim::test {

inline const std::filesystem::path tileir_folder = TILESIM_TILEIR_DIR;

inline std::vector<std::uint8_t> bytes_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The bytecode of a recorded kernel.
inline std::vector<std::uint8_t> recorded(const std::string& name) {
  return bytes_of_file(tileir_folder / "recorded" / (name + ".tilebc"));
}

/// Names of all that is recorded.
inline std::vector<std::string> recorded_names() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(tileir_folder / "recorded")) {
    names.push_back(file.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace tilesim::test
