// A protection key of the process's own.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/process/keyed_pages.hpp"

#include "memmodel/assertion.hpp"
#include "sim/process/thread_marks.hpp"

#include <span>
#include <sys/mman.h>

namespace tilesim::sim::keyed_pages {

namespace {

/// Negative: there is none. Given back when the process ends.
int key() noexcept {
  static const int own = pkey_alloc(0, PKEY_DISABLE_ACCESS);
  return own;
}

// Handlers ask.
[[gnu::tls_model("initial-exec")]] constinit thread_local unsigned opened = 0; ///< how often
const thread_mark mark_of_opened([]() noexcept {
  return std::as_writable_bytes(std::span(&opened, 1));
});

} // namespace

bool can_be() noexcept {
  return key() >= 0;
}

bool make(std::uintptr_t begin, std::size_t size) noexcept {
  return pkey_mprotect(reinterpret_cast<void*>(begin), size, PROT_READ | PROT_WRITE, key()) == 0;
}

void open() noexcept {
  if (opened++ == 0) {
    pkey_set(key(), 0);
  }
}

void close() noexcept {
  TILESIM_ASSERT(opened != 0);
  if (--opened == 0) {
    pkey_set(key(), PKEY_DISABLE_ACCESS);
  }
}

void reopen_in_handler() noexcept {
  if (opened != 0) {
    pkey_set(key(), 0);
  }
}

void follow_marks() noexcept {
  if (can_be()) {
    pkey_set(key(), opened != 0 ? 0 : PKEY_DISABLE_ACCESS);
  }
}

} // namespace tilesim::sim::keyed_pages
