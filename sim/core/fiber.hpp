// Fibers: a call stack of its own that can be left and re-entered.
//
// On x86-64 the switch is our own (stack_switch.cpp): threads of a block change places at every
// barrier. Elsewhere, and under sanitizers, whose annotations stand beside it, fiber.cpp has the
// same on Boost.Context.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/assertion.hpp"
#include "sim/process/sections.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#  define TILESIM_SANITIZED_FIBERS 1
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#    define TILESIM_SANITIZED_FIBERS 1
#  endif
#endif
#if defined(__x86_64__) && !defined(TILESIM_SANITIZED_FIBERS)
#  define TILESIM_OWN_FIBERS 1
#endif

#ifdef TILESIM_OWN_FIBERS
/// Leaves the stack that runs, which `*left` then says how to go on with, for another one that was
/// left so. Registers that calls preserve lie on the stack, and so do the modes of floating point
/// (floating_modes.hpp).
extern "C" [[gnu::visibility("hidden")]] void tilesim_switch_stack(std::uintptr_t* left,
                                                                   std::uintptr_t to) noexcept;
#endif

namespace tilesim::sim {

/// A stack reserved in the address space: pages appear as they are touched, and the lowest page is
/// a guard.
struct stack_memory {
  std::uintptr_t low = 0;  ///< first usable byte, just above the guard
  std::uintptr_t high = 0; ///< where it begins
  std::size_t bytes = 0;   ///< reserved: from `low`, more than up to `high`
  [[nodiscard]] bool contains(std::uintptr_t address) const noexcept {
    return address >= low && address < high;
  }
  /// The guard page, and what lies within a megabyte below: where an overflowing frame lands.
  [[nodiscard]] bool overflowed_at(std::uintptr_t address) const noexcept;
  /// Its frames were abandoned: sanitizers are to take it for free memory.
  void forget_frames() const noexcept;
};

/// Stacks of one size, kept for reuse. They are reserved in ever larger pieces of the address
/// space, of which a process may have some 65 000; where the system can make a page a guard without
/// parting the piece that it lies in (Linux from 6.13 on), there may be more stacks than that.
class stack_pool {
public:
  explicit stack_pool(std::size_t bytes);
  ~stack_pool();
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;

  /// A stack; one whose low is 0 when the system gives no more.
  [[nodiscard]] stack_memory take();
  /// Takes a stack back and returns its pages beyond the first few to the system.
  void give_back(stack_memory stack);

private:
  /// Reserves room for more, if there is any.
  void reserve();

  std::size_t bytes_;
  std::vector<stack_memory> free_;
  std::vector<stack_memory> all_;
  std::vector<std::uintptr_t> reserved_; ///< where some begin that have not been taken yet
};

class fiber {
public:
  using entry = void (*)(void* argument);

  /// A fiber that will run entry(argument) on `stack` at its first resume().
  fiber(stack_memory stack, entry function, void* argument);
  /// A fiber that has not finished is abandoned: its frames are not unwound.
#ifdef TILESIM_OWN_FIBERS
  ~fiber() = default;
#else
  ~fiber();
#endif
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Runs the fiber until it suspends or its entry returns. Called outside of any fiber.
  void resume();
  /// Leaves the running fiber; returns when it is resumed. Called inside of `this`.
  void suspend();
  /// The same, and `next` goes on in its place, as if whoever resumed this one had resumed that: he
  /// gets control back when it, or who takes its place in turn, is left.
  void pass_to(fiber& next);
  /// Whether control can be passed on: sanitizers follow resume() and suspend() alone.
  [[nodiscard]] static constexpr bool can_pass() noexcept;
  /// It goes on soon: what it then looks at first is on its way to the caches. (Inlined, or g++ 12
  /// takes it for a function without effect and drops its calls.)
  [[gnu::always_inline]] void fetch() const noexcept;

  [[nodiscard]] const stack_memory& stack() const noexcept {
    return stack_;
  }
  /// Where the entry's frames begin, once it runs. They, and what they have saved of registers, are
  /// the same whoever has resumed it, and from where.
  [[nodiscard]] std::uintptr_t begins_at() const noexcept;

private:
  stack_memory stack_;
#ifdef TILESIM_OWN_FIBERS
  [[noreturn]] static void begin(fiber* self, entry function, void* argument) noexcept;

  std::uintptr_t left_at_;     ///< how to go on with it; 0: it runs, or has ended
  std::uintptr_t outside_ = 0; ///< with who resumed it, while it runs; 0: it does not
  unsigned sections_ = 0;      ///< whose code it runs, while it does not
#else
  struct impl;
  [[gnu::tls_model(
      "initial-exec")]] static thread_local impl* running; ///< of this OS thread; nullptr: none
  std::uintptr_t left_at_;                                 ///< where on its stack it was left
  std::unique_ptr<impl> impl_;
#endif
};

constexpr bool fiber::can_pass() noexcept {
#ifdef TILESIM_SANITIZED_FIBERS
  return false;
#else
  return true;
#endif
}

inline void fiber::fetch() const noexcept {
  constexpr std::uintptr_t line = 64;
  const auto* const at = reinterpret_cast<const char*>(left_at_);
  __builtin_prefetch(at, 1); // the registers,
  __builtin_prefetch(at + line, 1);
  __builtin_prefetch(at + (2 * line), 1); // and the frames up to the kernel's
  __builtin_prefetch(at + (3 * line), 1);
}

#ifdef TILESIM_OWN_FIBERS
inline std::uintptr_t fiber::begins_at() const noexcept {
  return stack_.high & ~std::uintptr_t{15}; // as a call finds it
}

inline void fiber::pass_to(fiber& next) {
  TILESIM_ASSERT(outside_ != 0 && next.left_at_ != 0, outside_, next.left_at_);
  sections_ = sections;
  next.outside_ = outside_;
  outside_ = 0;
  sections = next.sections_; // here, where it is sure which OS thread's that is
  const std::uintptr_t to = next.left_at_;
  next.left_at_ = 0;
  tilesim_switch_stack(&left_at_, to);
}

#endif

} // namespace tilesim::sim
