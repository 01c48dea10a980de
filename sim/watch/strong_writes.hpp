// Which operation of the run made a strong write that the engine has numbered.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

namespace tilesim::sim::step {

class strong_writes {
public:
  /// `engines`: memory_engine::performed() behind it.
  void note(std::uint64_t engines, std::uint64_t operation) { operations_[engines] = operation; }

  /// 0: none that has been noted.
  [[nodiscard]] std::uint64_t operation_of(std::uint64_t engines) const {
    const auto known = operations_.find(engines);
    return known == operations_.end() ? 0 : known->second;
  }

private:
  std::unordered_map<std::uint64_t, std::uint64_t> operations_;
};

} // namespace tilesim::sim::step
