// cuda::barrier, cuda::latch, cuda::counting_semaphore and what cuda::std:: has of them, made of atomics.
//
// A wait is a spin on an atomic, which the scheduler recognises; arrivals release and waits acquire,
// so what they order is the memory model's to say, in every mode. What is well-formed is held
// against NVIDIA's compiler by tests/api_tables/synchronization.cu.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/atomic_types.hpp>
#include <tilesim/detail/phases.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace cuda {

namespace tilesim_detail {

struct no_completion {
  TILESIM_API void operator()() const noexcept {}
};

/// Of the standard library's <chrono> or of libcu++'s.
template <class T>
concept duration_like = requires(const T& d) {
  d.count();
  T::period::num;
  T::period::den;
};
template <class T>
concept time_point_like = requires(const T& t) {
  T::clock::now();
  t.time_since_epoch().count();
};

/// The host's clock, which kernels are given as theirs.
template <class Done, duration_like Duration>
TILESIM_API bool done_within(const Done& done, const Duration& most) {
  using period = typename Duration::period;
  const double seconds = static_cast<double>(most.count()) * static_cast<double>(period::num) /
                         static_cast<double>(period::den);
  const auto begin = ::std::chrono::steady_clock::now();
  do {
    if (done()) {
      return true;
    }
  } while (::std::chrono::duration<double>(::std::chrono::steady_clock::now() - begin).count() <
           seconds);
  return done();
}

template <class Done, time_point_like TimePoint>
TILESIM_API bool done_until(const Done& done, const TimePoint& end) {
  return done_within(done, end - TimePoint::clock::now());
}

/// A barrier's completion, and what libcu++ has beside one that is the program's own: the arrivals
/// that are to come, before it, and the phase.
template <class Completion>
struct completion_and_room {
  ::std::uint64_t before = 0;
  Completion call{};
  bool behind = false;
};
template <>
struct completion_and_room<no_completion> {
  [[no_unique_address]] no_completion call;
};

/// Arrivals of a phase: how many are to come yet, how many are expected, and the phase, in one word.
/// [phases.hpp]
template <thread_scope Scope, class Completion>
class barrier_base {
public:
  using arrival_token = ::std::uint64_t; ///< the phase

  barrier_base() = default;
  TILESIM_API constexpr barrier_base(::std::ptrdiff_t expected, Completion completion)
      : state_(begun(static_cast<::std::uint64_t>(expected) & most, 0))
      , completion_{.call = ::std::move(completion)} {}
  barrier_base(const barrier_base&) = delete;
  barrier_base& operator=(const barrier_base&) = delete;

  [[nodiscard]] TILESIM_API arrival_token arrive(::std::ptrdiff_t update = 1) {
    const auto count = static_cast<::std::uint64_t>(update);
    ::tilesim::detail::arrives(&state_);
    const ::std::uint64_t old = state_.fetch_sub(count, memory_order_acq_rel);
    if (left(old) < count) {
      ::tilesim::detail::arrived_too_often("cuda::barrier", count, left(old));
    }
    if (left(old) <= count) { // more than are expected end it as well
      ::tilesim::detail::phase_ends(&state_);
      completion_.call();
      state_.store(begun(old >> count_bits & most, phase(old) + 1), memory_order_release);
    }
    return phase(old);
  }
  TILESIM_API void wait(arrival_token&& phase) const {
    while (!over(phase)) {
    }
    awaited(true);
  }
  TILESIM_API void arrive_and_wait() { wait(arrive()); }
  TILESIM_API void arrive_and_drop() {
    state_.fetch_sub(::std::uint64_t{1} << count_bits, memory_order_relaxed);
    static_cast<void>(arrive());
  }
  TILESIM_API void wait_parity(bool parity) const {
    while (!over_of(parity)) {
    }
    awaited(true);
  }
  template <duration_like Duration>
  [[nodiscard]] TILESIM_API bool
  try_wait_for(arrival_token&& phase, const Duration& most) const
    requires(Scope == thread_scope_block)
  {
    return awaited(done_within([&] { return over(phase); }, most));
  }
  template <time_point_like TimePoint>
  [[nodiscard]] TILESIM_API bool
  try_wait_until(arrival_token&& phase,
                 const TimePoint& end) const
    requires(Scope == thread_scope_block)
  {
    return awaited(done_until([&] { return over(phase); }, end));
  }
  template <duration_like Duration>
  [[nodiscard]] TILESIM_API bool
  try_wait_parity_for(bool parity, const Duration& most) const
    requires(Scope == thread_scope_block)
  {
    return awaited(done_within([&] { return over_of(parity); }, most));
  }

  template <time_point_like TimePoint>
  [[nodiscard]] TILESIM_API bool
  try_wait_parity_until(bool parity, const TimePoint& end) const
    requires(Scope == thread_scope_block)
  {
    return awaited(done_until([&] { return over_of(parity); }, end));
  }

  /// For pipelines, of any scope.
  template <duration_like Duration>
  [[nodiscard]] TILESIM_API bool tilesim_wait_parity_for(bool parity, const Duration& most) const {
    return awaited(done_within([&] { return over_of(parity); }, most));
  }
  /// For copies: the object whose phases await them.
  [[nodiscard]] TILESIM_API const void* tilesim_word() const noexcept { return &state_; }

private:
  static constexpr unsigned count_bits = ::tilesim::detail::barrier_count_bits;
  static constexpr ::std::uint64_t most = (::std::uint64_t{1} << count_bits) - 1;

  static constexpr ::std::uint64_t left(::std::uint64_t state) noexcept { return state & most; }
  static constexpr ::std::uint64_t phase(::std::uint64_t state) noexcept {
    return state >> (2 * count_bits);
  }
  static constexpr ::std::uint64_t begun(::std::uint64_t expected, ::std::uint64_t phase) noexcept {
    return phase << (2 * count_bits) | expected << count_bits | expected;
  }
  /// A wait is over, if it is: the phases before the present one have been awaited.
  TILESIM_API bool awaited(bool over) const noexcept {
    if (over) {
      ::tilesim::detail::copies_awaited(&state_, ::tilesim::detail::phase_of(&state_));
    }
    return over;
  }
  TILESIM_API bool over(arrival_token phase) const {
    return this->phase(state_.load(memory_order_acquire)) != phase;
  }
  TILESIM_API bool over_of(bool parity) const {
    return ((phase(state_.load(memory_order_acquire)) & 1U) != 0) != parity;
  }

  atomic<::std::uint64_t, Scope> state_;
  [[no_unique_address]] completion_and_room<Completion> completion_;
};

template <thread_scope Scope>
class latch_base {
public:
  TILESIM_API constexpr latch_base(::std::ptrdiff_t expected) // NOLINT(google-explicit-constructor)
      : left_(expected) {}
  latch_base(const latch_base&) = delete;
  latch_base& operator=(const latch_base&) = delete;

  TILESIM_API void count_down(::std::ptrdiff_t n = 1) {
    const ::std::ptrdiff_t left = left_.fetch_sub(n, memory_order_release);
    if (left < n) {
      ::tilesim::detail::arrived_too_often("cuda::latch",
                                           static_cast<::std::uint64_t>(n),
                                           static_cast<::std::uint64_t>(left < 0 ? 0 : left));
    }
  }
  [[nodiscard]] TILESIM_API bool try_wait() const noexcept {
    return left_.load(memory_order_acquire) == 0;
  }
  TILESIM_API void wait() const {
    while (!try_wait()) {
    }
  }
  TILESIM_API void arrive_and_wait(::std::ptrdiff_t n = 1) {
    count_down(n);
    wait();
  }
  [[nodiscard]] static constexpr ::std::ptrdiff_t max() noexcept {
    return ::std::numeric_limits<::std::ptrdiff_t>::max();
  }

private:
  atomic<::std::ptrdiff_t, Scope> left_;
};

template <thread_scope Scope, ::std::ptrdiff_t Most>
class semaphore_base {
public:
  TILESIM_API constexpr semaphore_base(::std::ptrdiff_t desired = 0) // NOLINT(google-explicit-constructor)
      : count_(static_cast<count>(desired)) {}
  semaphore_base(const semaphore_base&) = delete;
  semaphore_base& operator=(const semaphore_base&) = delete;

  TILESIM_API void release(::std::ptrdiff_t n = 1) { count_.fetch_add(static_cast<count>(n), memory_order_release); }
  TILESIM_API void acquire() {
    while (!try_acquire()) {
    }
  }
  TILESIM_API bool try_acquire() noexcept {
    count now = count_.load(memory_order_relaxed);
    while (now > 0) {
      if (count_.compare_exchange_strong(
              now, now - 1, memory_order_acquire, memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }
  template <duration_like Duration>
  TILESIM_API bool try_acquire_for(const Duration& most) {
    return done_within([&] { return try_acquire(); }, most);
  }
  template <time_point_like TimePoint>
  TILESIM_API bool try_acquire_until(const TimePoint& end) {
    return done_until([&] { return try_acquire(); }, end);
  }
  [[nodiscard]] static constexpr ::std::ptrdiff_t max() noexcept {
    return Most == 1 ? 1 : ::std::numeric_limits<::std::ptrdiff_t>::max();
  }

private:
  using count = ::std::conditional_t<Most == 1, int, ::std::ptrdiff_t>; // as libcu++ has it
  atomic<count, Scope> count_;
};

} // namespace tilesim_detail

template <thread_scope Scope, class Completion = tilesim_detail::no_completion>
class barrier : public tilesim_detail::barrier_base<Scope, Completion> {
public:
  barrier() = default;
  TILESIM_API constexpr barrier(::std::ptrdiff_t expected, // NOLINT(google-explicit-constructor)
                                         Completion completion = Completion())
      : tilesim_detail::barrier_base<Scope, Completion>(expected, ::std::move(completion)) {}

  [[nodiscard]] static constexpr ::std::ptrdiff_t max() noexcept {
    return Scope == thread_scope_block ? (1 << 20) - 1
                                       : ::std::numeric_limits<::std::int32_t>::max();
  }

  TILESIM_API friend void init(barrier* b, ::std::ptrdiff_t expected) {
    ::tilesim::detail::barrier_begins(b, expected, max());
    ::new (b) barrier(expected);
  }
  TILESIM_API friend void init(barrier* b, ::std::ptrdiff_t expected, Completion completion) {
    ::tilesim::detail::barrier_begins(b, expected, max());
    ::new (b) barrier(expected, ::std::move(completion));
  }
};

template <thread_scope Scope>
class latch : public tilesim_detail::latch_base<Scope> {
public:
  using tilesim_detail::latch_base<Scope>::latch_base;
};

template <thread_scope Scope, ::std::ptrdiff_t Most = ::std::numeric_limits<int>::max()>
class counting_semaphore : public tilesim_detail::semaphore_base<Scope, Most> {
public:
  using tilesim_detail::semaphore_base<Scope, Most>::semaphore_base;
};
template <thread_scope Scope>
using binary_semaphore = counting_semaphore<Scope, 1>;

namespace std {

template <class Completion = tilesim_detail::no_completion>
class barrier : public tilesim_detail::barrier_base<thread_scope_system, Completion> {
public:
  barrier() = default;
  TILESIM_API constexpr barrier(::std::ptrdiff_t expected, // NOLINT(google-explicit-constructor)
                                         Completion completion = Completion())
      : tilesim_detail::barrier_base<thread_scope_system, Completion>(expected,
                                                                      ::std::move(completion)) {}
  [[nodiscard]] static constexpr ::std::ptrdiff_t max() noexcept {
    return ::std::numeric_limits<::std::int32_t>::max();
  }
};
class latch : public tilesim_detail::latch_base<thread_scope_system> {
public:
  using tilesim_detail::latch_base<thread_scope_system>::latch_base;
};
template <::std::ptrdiff_t Most = ::std::numeric_limits<int>::max()>
class counting_semaphore : public tilesim_detail::semaphore_base<thread_scope_system, Most> {
public:
  using tilesim_detail::semaphore_base<thread_scope_system, Most>::semaphore_base;
};
using binary_semaphore = counting_semaphore<1>;

} // namespace std

} // namespace cuda
