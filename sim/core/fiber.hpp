// Fibers: a call stack of its own that can be left and re-entered.
//
// The only user of Boost.Context, with the sanitizers' annotations beside it (fiber.cpp).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

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

/// Stacks of one size, kept for reuse.
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
  std::size_t bytes_;
  std::vector<stack_memory> free_;
  std::vector<stack_memory> all_;
};

class fiber {
public:
  using entry = void (*)(void* argument);

  /// A fiber that will run entry(argument) on `stack` at its first resume().
  fiber(stack_memory stack, entry function, void* argument);
  /// A fiber that has not finished is abandoned: its frames are not unwound.
  ~fiber();
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
  [[nodiscard]] static bool can_pass() noexcept;
  /// It goes on soon: what it then looks at first is on its way to the caches.
  void fetch() const noexcept;

  [[nodiscard]] const stack_memory& stack() const noexcept { return stack_; }

private:
  struct impl;
  [[gnu::tls_model(
      "initial-exec")]] static thread_local impl* running; ///< of this OS thread; nullptr: none
  stack_memory stack_;
  std::uintptr_t left_at_; ///< where on its stack it was left
  std::unique_ptr<impl> impl_;
};

} // namespace tilesim::sim
