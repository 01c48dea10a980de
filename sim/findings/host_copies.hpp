// What the host gets to see of kernels' results: copies from simulated memory, as hashes.
//
// Two runs of a program are compared by them. [tools/check/compare.hpp]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tilesim::sim {

struct host_copy {
  const char* function = nullptr; ///< "cudaMemcpy"
  const void* site = nullptr;     ///< return address of the call
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;
};

class host_copies {
public:
  /// A copy begins; its bytes follow.
  void begin(const char* function, const void* site);
  void add(std::span<const unsigned char> bytes);

  /// The first thousand copies, in order; the rest is one hash.
  [[nodiscard]] const std::vector<host_copy>& first() const noexcept { return first_; }
  [[nodiscard]] std::uint64_t later() const noexcept { return later_.hash; }

private:
  std::vector<host_copy> first_;
  host_copy later_;
  host_copy* now_ = nullptr;
};

} // namespace tilesim::sim
