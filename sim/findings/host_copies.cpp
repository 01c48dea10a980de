// Hashes of copies to the host.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/findings/host_copies.hpp"

#include <cstring>

namespace tilesim::sim {

namespace {

constexpr std::size_t most = 1000;

/// One round of multiply and fold (as in wyhash): enough to tell results apart.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  __extension__ using wide = unsigned __int128;
  const wide product = static_cast<wide>(hash ^ 0x9e3779b97f4a7c15U) * (word ^ 0xd1b54a32d192ed03U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U) ^
         (hash << 1U);
}

} // namespace

void host_copies::begin(const char* function, const void* site) {
  if (first_.size() == most) {
    now_ = &later_;
    later_.hash = mixed(later_.hash, 1);
    return;
  }
  first_.push_back({.function = function, .site = site});
  now_ = &first_.back();
}

void host_copies::add(std::span<const unsigned char> bytes) {
  now_->bytes += bytes.size();
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t part = std::min(bytes.size(), sizeof word);
    std::memcpy(&word, bytes.data(), part);
    now_->hash = mixed(now_->hash, word ^ (part << 56U));
    bytes = bytes.subspan(part);
  }
}

} // namespace tilesim::sim
