// What an access does, and one that cannot be performed.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilesim::sim {

/// What an access does, for messages.
/// `any`: a faulting instruction of which the system does not say more.
enum class access_kind : std::uint8_t { read, write, read_write, any };

/// "read", "write", "update", "access".
[[nodiscard]] constexpr const char* name(access_kind kind) noexcept {
  switch (kind) {
  case access_kind::read:
    return "read";
  case access_kind::write:
    return "write";
  case access_kind::read_write:
    return "update";
  case access_kind::any:
    return "access";
  }
  return "?";
}

/// An access that cannot be performed.
struct bad_access {
  std::uintptr_t address;
  unsigned bytes; ///< 0: not known, an instruction that faulted
  access_kind kind;
};

} // namespace tilesim::sim
