// What a thread is in the middle of, and how it is taken out of that.
//
// Several thread_local variables say what a thread is about: whose code it runs, which call waits.
// Whoever begins such a thing sets the variable, and sets it back when it is over. Code that is
// left for good, because the run ends inside of it, never comes to that: then all of them are set
// back to what they were where the run began.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tilesim::sim {

/// A thread_local variable of that kind, trivially copyable. Made when the library is loaded, and
/// never destroyed.
class thread_mark {
public:
  /// `of_this_thread` gives the variable's bytes.
  explicit thread_mark(std::span<std::byte> (*of_this_thread)() noexcept);

private:
  friend class thread_marks;
  thread_mark* next_;
  std::span<std::byte> (*of_this_thread_)() noexcept;
};

/// What all of them were in the calling thread.
class thread_marks {
public:
  thread_marks();
  /// They are so again. By the same thread.
  void set_back() const noexcept;

private:
  std::vector<std::byte> values_;
};

} // namespace tilesim::sim
