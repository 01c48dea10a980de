// Closures with several owners, counted by their addresses: a launch knows nothing but that.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/kept_kernel.hpp"

#include <map>
#include <mutex>

namespace tilesim::sim {

namespace {

struct owners {
  std::size_t count = 0;
  void (*destroy)(void*) noexcept = nullptr;
};

std::mutex guard;

std::map<void*, owners>& owners_by_closure() {
  static auto* const all = new std::map<void*, owners>; // kernels may end behind static objects
  return *all;
}

void drop(void* closure) noexcept {
  void (*destroy)(void*) noexcept = nullptr;
  {
    const std::lock_guard lock(guard);
    const auto it = owners_by_closure().find(closure);
    if (--it->second.count == 0) {
      destroy = it->second.destroy;
      owners_by_closure().erase(it);
    }
  }
  if (destroy != nullptr) {
    destroy(closure);
  }
}

} // namespace

kept_kernel::kept_kernel(const detail::bound_kernel& kernel)
    : kernel_(kernel) {
  const std::lock_guard lock(guard);
  owners_by_closure()[kernel.closure] = {1, kernel.destroy};
}

kept_kernel::~kept_kernel() {
  drop(kernel_.closure);
}

detail::bound_kernel kept_kernel::lend() const {
  const std::lock_guard lock(guard);
  ++owners_by_closure()[kernel_.closure].count;
  detail::bound_kernel lent = kernel_;
  lent.destroy = drop;
  return lent;
}

} // namespace tilesim::sim
