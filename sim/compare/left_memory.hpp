// What launches have left in memory, kept from one run of a program for another run of it.
//
// The second run alters something [errors::error_analysis::begin]: what
// it leaves is not what is told.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::sim::compare {

class left_memory {
public:
  /// Keeps what comes in this file, or takes what another run has kept there. Throws
  /// std::runtime_error where the file cannot be read.
  left_memory(const std::string& path, bool takes);

  [[nodiscard]] bool takes() const noexcept { return takes_; }

  /// These bytes of an allocation, behind the launch of this number, are not what is expected.
  void keep(std::uint64_t launch,
            unsigned allocation,
            std::uint64_t offset,
            std::span<const std::byte> bytes);
  /// All of an allocation as the other run left it: what is expected but for what was kept.
  [[nodiscard]] std::vector<std::byte>
  left(std::uint64_t launch, unsigned allocation, std::span<const std::byte> expected) const;

private:
  struct piece {
    std::uint64_t offset = 0;
    std::vector<std::byte> bytes;
  };
  void read(std::istream& file);

  bool takes_;
  std::ofstream file_;
  std::map<std::pair<std::uint64_t, unsigned>, std::vector<piece>> pieces_;
};

} // namespace tilesim::sim::compare
