// Thread scopes of atomic tile operations, and their tags.
//
// A leaf, like memory_order.hpp.  [general principles: thread scope]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cuda::tiles::inline __1 {

/// Which threads an atomic operation is atomic to.
enum class thread_scope : ::std::uint8_t { system = 0, device = 1, block = 2 };

namespace detail {
/// False for a value cast into the enumeration that is none of its enumerators.
constexpr bool is_enumerator(thread_scope s) noexcept {
  switch (s) {
  case thread_scope::system:
  case thread_scope::device:
  case thread_scope::block:
    return true;
  }
  return false;
}
} // namespace detail

/// Carries a scope as a type, so that it can be an argument.
// clang-format off
template <thread_scope Scope>
  requires(detail::is_enumerator(Scope))
struct thread_scope_constant { // clang-format on
  using value_type = thread_scope;
  using type = thread_scope_constant;
  static constexpr thread_scope value = Scope;
  constexpr operator thread_scope() const noexcept { return Scope; }
  constexpr thread_scope operator()() const noexcept { return Scope; }
};

using thread_scope_block_t = thread_scope_constant<thread_scope::block>;
using thread_scope_device_t = thread_scope_constant<thread_scope::device>;
using thread_scope_system_t = thread_scope_constant<thread_scope::system>;

/// The scope of an operation that names none: system.
constexpr thread_scope default_thread_scope() noexcept {
  return thread_scope::system;
}

} // namespace cuda::tiles::inline __1
