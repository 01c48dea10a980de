// Memory that the host program asks the driver for.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/driver/own_memory.hpp"

#include "sim/core/context.hpp"

#include <map>
#include <new>
#include <vector>

namespace tilesim::driver_stand_in {
namespace {

constexpr std::align_val_t alignment{256}; // a device's

struct taken {
  std::map<void*, std::size_t> live;
  std::map<std::size_t, std::vector<void*>> left; ///< by size: some run may still know them
};

taken& all() {
  static auto& one = *new taken; // until the last report
  return one;
}

} // namespace

void* take_memory(std::size_t bytes) {
  std::vector<void*>& left = all().left[bytes];
  void* address = nullptr;
  if (left.empty()) {
    address = ::operator new(bytes, alignment, std::nothrow);
  } else {
    address = left.back();
    left.pop_back();
  }
  if (address != nullptr) {
    all().live[address] = bytes;
  }
  return address;
}

bool give_memory_back(void* address) {
  const auto found = all().live.find(address);
  if (found == all().live.end()) {
    return false;
  }
  sim::context& c = sim::context::current();
  if (const sim::allocation* const known = c.mem.find(address); known != nullptr && known->live) {
    c.mem.release(address, nullptr);
  }
  all().left[found->second].push_back(address);
  all().live.erase(found);
  return true;
}

void show_memory(sim::context& c) {
  for (const auto& [address, bytes] : all().live) {
    if (const sim::allocation* const known = c.mem.find(address);
        known == nullptr || !known->live) {
      c.mem.register_range(address, bytes, nullptr);
    }
  }
}

} // namespace tilesim::driver_stand_in
