// `__shared__` variables: what the tool makes of their declarations.
//
// `__shared__ float s[256];` becomes `float (&s)[256] = shared([] { return "s"; });`: a reference
// to the memory of the block that runs, which sim/memory/block_memory.hpp keeps. At namespace scope
// the reference is one to whatever a pointer says that is set when another block takes its turn.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tilesim::detail {

/// One declaration, or one instantiation of it.
struct shared_variable {
  static constexpr ::std::size_t most_extents = 4;

  const char* name;
  const char* type;                    ///< a function's signature that names the element type
  ::std::size_t bytes;                 ///< 0: as many as the launch says
  ::std::size_t element_bytes;         ///< 0: an incomplete type's
  ::std::size_t alignment;             ///< a power of two
  ::std::size_t extents[most_extents]; ///< of an array: 0 ends them; the first is 0 if unknown
  unsigned rank;
  ::std::uint64_t block; ///< where `at` lies: what running_block was when it was looked up
  void* at;
};

/// Another number for each block of threads that begins; 0: none runs.
TILESIM_EXPORT extern ::std::uint64_t running_block;

/// The variable's place in the block that runs.
TILESIM_EXPORT void* find_shared(shared_variable& v) noexcept;

template <class T>
constexpr const char* name_of_type() noexcept {
  return __PRETTY_FUNCTION__;
}

template <class T>
constexpr shared_variable describe_shared(const char* name, ::std::size_t alignment) noexcept {
  using object = ::std::remove_reference_t<T>;
  using element = ::std::remove_all_extents_t<object>;
  shared_variable v{
      name, name_of_type<::std::remove_cv_t<element>>(), 0, 0, alignment, {}, 0, 0, nullptr};
  if constexpr (!::std::is_unbounded_array_v<object>) {
    v.bytes = sizeof(object);
  }
  v.element_bytes = sizeof(element);
  v.alignment = alignof(element) > alignment ? alignof(element) : alignment;
  v.rank = ::std::rank_v<object>;
  v.extents[0] = ::std::extent_v<object, 0>;
  v.extents[1] = ::std::extent_v<object, 1>;
  v.extents[2] = ::std::extent_v<object, 2>;
  v.extents[3] = ::std::extent_v<object, 3>;
  return v;
}

/// The largest of several powers of two.
constexpr ::std::size_t largest(::std::size_t alignments) noexcept {
  while ((alignments & (alignments - 1)) != 0) {
    alignments &= alignments - 1;
  }
  return alignments;
}

/// What a declaration's reference is bound to: `Name` is a type of its own for each, and says what
/// the variable is called.
template <class Name, ::std::size_t Alignment, bool Dynamic>
struct shared_place {
  template <class T>
  [[gnu::always_inline]] operator T&() const { // NOLINT(google-explicit-constructor)
    static_assert(::std::is_trivially_destructible_v<::std::remove_all_extents_t<T>>,
                  "a __shared__ variable's type must have no destructor that does anything");
    static constinit shared_variable v = [] {
      shared_variable made = describe_shared<T>(Name{}(), Alignment);
      made.bytes = Dynamic ? 0 : made.bytes;
      return made;
    }();
#ifdef TILESIM_HOOKED // looks at the description would be accesses of the kernel's
    return *static_cast<::std::remove_cv_t<T>*>(find_shared(v));
#else
    return *static_cast<::std::remove_cv_t<T>*>(
        v.block == running_block && v.block != 0 ? v.at : find_shared(v));
#endif
  }
};

/// `Alignments`: those that the declaration asks for, or'ed.
template <::std::size_t Alignments, bool Dynamic, class Name>
[[gnu::always_inline]] inline shared_place<Name, largest(Alignments), Dynamic>
shared(Name /*name*/) {
  return {};
}

/// The same at namespace scope.
template <class T, ::std::size_t Alignments, bool Dynamic>
constexpr shared_variable describe_outside(const char* name) noexcept {
  shared_variable made = describe_shared<T>(name, largest(Alignments));
  made.bytes = Dynamic ? 0 : made.bytes;
  return made;
}

/// A pointer that is always one into the block that runs.
struct shared_slot {
  [[gnu::always_inline]] shared_slot(void** pointer, const shared_variable& v) noexcept
      : to(pointer)
      , variable(v) {
    add();
  }
  shared_slot(const shared_slot&) = delete;
  shared_slot& operator=(const shared_slot&) = delete;

  void** to;
  shared_variable variable;
  shared_slot* next = nullptr;
  const void* declared_at = nullptr; ///< a return address there

private:
  TILESIM_EXPORT void add() noexcept;
};

} // namespace tilesim::detail
