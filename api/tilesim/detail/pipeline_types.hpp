// cuda::pipeline and cuda::memcpy_async: copies are made when they are asked for, by somebody else
// than the thread, as far as order goes: who waits for the phase that they belong to comes behind them.
//
// What is well-formed is held against NVIDIA's compiler by tests/api_tables/synchronization.cu.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/synchronization.hpp>

#include <cstring>
#include <type_traits>

namespace cuda {

/// A number of bytes of places that are aligned so.
template <::std::size_t Alignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = Alignment;
  ::std::size_t value;
  TILESIM_API constexpr explicit aligned_size_t(::std::size_t bytes)
      : value(bytes) {}
  TILESIM_API constexpr operator ::std::size_t() const { // NOLINT(google-explicit-constructor)
    return value;
  }
};

enum class async_contract_fulfillment { none, async };

enum class pipeline_role { producer, consumer };

template <thread_scope Scope>
class pipeline;

namespace tilesim_detail {

template <thread_scope Scope>
struct pipeline_stage {
  barrier<Scope> produced;
  barrier<Scope> consumed;
};

/// Whatever has a size and numbers its threads.
template <class Group>
concept thread_group = requires(const Group& g) {
  g.size();
  g.thread_rank();
  g.sync();
};

template <class T>
constexpr bool may_be_copied = ::std::is_trivially_copyable_v<T>;

} // namespace tilesim_detail

template <thread_scope Scope, ::std::uint8_t Stages>
class pipeline_shared_state {
public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

  /// For make_pipeline.
  tilesim_detail::pipeline_stage<Scope> tilesim_stages[Stages];
  atomic<::std::uint32_t, Scope> tilesim_members;
  atomic<::std::uint32_t, Scope> tilesim_producers;
};

/// As large as libcu++'s, and where that has its members: stages lie behind one pointer, and behind
/// them the number of those who have not quit.
template <thread_scope Scope>
class pipeline {
public:
  TILESIM_API pipeline(pipeline&& other) noexcept
      : head_(other.head_)
      , tail_(other.tail_)
      , count_(other.count_)
      , empty_(other.empty_)
      , full_(other.full_)
      , active_(::std::exchange(other.active_, false))
      , stages_(other.stages_) {}
  pipeline(const pipeline&) = delete;
  pipeline& operator=(pipeline&&) = delete;
  pipeline& operator=(const pipeline&) = delete;
  TILESIM_API ~pipeline() {
    if (active_) {
      static_cast<void>(quit());
    }
  }

  TILESIM_API void producer_acquire() { stages_[head_].consumed.wait_parity(empty_); }
  TILESIM_API void producer_commit() {
    static_cast<void>(stages_[head_].produced.arrive());
    if (++head_ == count_) {
      head_ = 0;
      empty_ = !empty_;
    }
  }
  TILESIM_API void consumer_wait() { stages_[tail_].produced.wait_parity(full_); }
  template <tilesim_detail::duration_like Duration>
  TILESIM_API bool consumer_wait_for(const Duration& most) {
    return stages_[tail_].produced.tilesim_wait_parity_for(full_, most);
  }
  template <tilesim_detail::time_point_like TimePoint>
  TILESIM_API bool consumer_wait_until(const TimePoint& end) {
    return consumer_wait_for(end - TimePoint::clock::now());
  }
  TILESIM_API void consumer_release() {
    static_cast<void>(stages_[tail_].consumed.arrive());
    if (++tail_ == count_) {
      tail_ = 0;
      full_ = !full_;
    }
  }
  /// True for the last of its threads.
  TILESIM_API bool quit() {
    return ::std::exchange(active_, false) &&
           reinterpret_cast<atomic<::std::uint32_t, Scope>*>(stages_ + count_)
                   ->fetch_sub(1, memory_order_acq_rel) == 1;
  }

  /// For copies.
  TILESIM_API void tilesim_end_copy() const noexcept {
    const void* const word = stages_[head_].produced.tilesim_word();
    ::tilesim::detail::end_copy(word, ::tilesim::detail::phase_of(word));
  }

  /// For make_pipeline.
  struct tilesim_key {};
  TILESIM_API pipeline(tilesim_key /*only*/,
                       tilesim_detail::pipeline_stage<Scope>* stages,
                       ::std::uint8_t count)
      : count_(count)
      , stages_(stages) {}

private:
  ::std::uint8_t head_ = 0;
  ::std::uint8_t tail_ = 0;
  ::std::uint8_t count_ = 0;
  bool empty_ = true; ///< which phase of `consumed` the next one is: the one before is over
  bool full_ = false; ///< likewise of `produced`
  bool active_ = true;
  tilesim_detail::pipeline_stage<Scope>* stages_;
};

/// Of one thread: a stage is what it has copied up to a commit, as a group of the thread's copies.
/// [PTX: cp.async.commit_group, cp.async.wait_group]
template <>
class pipeline<thread_scope_thread> {
public:
  pipeline(pipeline&&) noexcept = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(pipeline&&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  TILESIM_API void producer_acquire() {}
  TILESIM_API void producer_commit() {
    ::tilesim::detail::commit_copies();
    ++head_;
  }
  TILESIM_API void consumer_wait() {
    if (head_ != tail_) {
      ::tilesim::detail::groups_awaited(static_cast<::std::uint8_t>(head_ - tail_ - 1));
    }
  }
  template <tilesim_detail::duration_like Duration>
  TILESIM_API bool consumer_wait_for(const Duration& /*most*/) {
    consumer_wait();
    return true;
  }
  template <tilesim_detail::time_point_like TimePoint>
  TILESIM_API bool consumer_wait_until(const TimePoint& /*end*/) {
    consumer_wait();
    return true;
  }
  TILESIM_API void consumer_release() { ++tail_; }
  TILESIM_API bool quit() { return true; }

  /// For copies.
  TILESIM_API void tilesim_end_copy() const noexcept { ::tilesim::detail::end_copy_of_group(); }

  /// For make_pipeline.
  struct tilesim_key {};
  TILESIM_API explicit pipeline(tilesim_key /*only*/) {}

private:
  ::std::uint8_t head_ = 0; ///< stages committed,
  ::std::uint8_t tail_ = 0; ///< and given back
};

TILESIM_API pipeline<thread_scope_thread> make_pipeline() {
  return pipeline<thread_scope_thread>(pipeline<thread_scope_thread>::tilesim_key{});
}

namespace tilesim_detail {

/// `all`: how many take part; producers and consumers among them.
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
TILESIM_API pipeline<Scope> make_pipeline(const Group& group,
                                          pipeline_shared_state<Scope, Stages>* state,
                                          ::std::size_t producers,
                                          ::std::size_t consumers) {
  if (group.thread_rank() == 0) {
    for (pipeline_stage<Scope>& s : state->tilesim_stages) {
      init(&s.produced, static_cast<::std::ptrdiff_t>(producers));
      init(&s.consumed, static_cast<::std::ptrdiff_t>(consumers));
    }
    state->tilesim_members.store(static_cast<::std::uint32_t>(group.size()), memory_order_relaxed);
  }
  group.sync();
  using key = typename pipeline<Scope>::tilesim_key;
  if constexpr (Scope == thread_scope_thread) {
    return pipeline<Scope>(key{});
  } else {
    return pipeline<Scope>(key{}, state->tilesim_stages, Stages);
  }
}

} // namespace tilesim_detail

template <class Group, thread_scope Scope, ::std::uint8_t Stages>
TILESIM_API pipeline<Scope> make_pipeline(const Group& group,
                                          pipeline_shared_state<Scope, Stages>* state) {
  return tilesim_detail::make_pipeline(group, state, group.size(), group.size());
}
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
TILESIM_API pipeline<Scope> make_pipeline(const Group& group,
                                          pipeline_shared_state<Scope, Stages>* state,
                                          ::std::size_t producers) {
  return tilesim_detail::make_pipeline(group, state, producers, group.size() - producers);
}
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
TILESIM_API pipeline<Scope> make_pipeline(const Group& group,
                                          pipeline_shared_state<Scope, Stages>* state,
                                          pipeline_role role) {
  if (group.thread_rank() == 0) {
    state->tilesim_producers.store(0, memory_order_relaxed);
  }
  group.sync();
  if (role == pipeline_role::producer) {
    state->tilesim_producers.fetch_add(1, memory_order_relaxed);
  }
  group.sync();
  return make_pipeline(group, state, state->tilesim_producers.load(memory_order_relaxed));
}

template <::std::uint8_t Prior>
TILESIM_API void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& /*of*/) {
  ::tilesim::detail::groups_awaited(Prior);
}
template <thread_scope Scope>
TILESIM_API void pipeline_producer_commit(pipeline<thread_scope_thread>& /*of*/,
                                          barrier<Scope>& awaits) {
  const void* const word = awaits.tilesim_word();
  ::tilesim::detail::groups_handed_on(word, ::tilesim::detail::phase_of(word));
}

// --- Copies. Of one that a barrier or pipeline awaits, the thread's later arrival releases it.

template <class Sync>
concept awaits_copies = requires(Sync& s) {
  []<thread_scope Scope, class Completion>(barrier<Scope, Completion>&) {}(s);
} || requires(Sync& s) { []<thread_scope Scope>(pipeline<Scope>&) {}(s); };

namespace tilesim_detail {

/// A thread's share of an asynchronous copy: made at once, and there for who has waited.
template <class Sync>
TILESIM_API void copy_share_for(Sync& awaits,
                                void* to,
                                const void* from,
                                ::std::size_t bytes,
                                ::std::size_t rank,
                                ::std::size_t threads) {
  ::tilesim::detail::begin_copy();
  ::tilesim::detail::copy_share(to, from, bytes, rank, threads);
  if constexpr (requires { awaits.tilesim_end_copy(); }) {
    awaits.tilesim_end_copy();
  } else {
    const void* const word = awaits.tilesim_word();
    ::tilesim::detail::end_copy(word, ::tilesim::detail::phase_of(word));
  }
}

} // namespace tilesim_detail

template <class Size, awaits_copies Sync>
TILESIM_API async_contract_fulfillment
memcpy_async(void* to, const void* from, Size size, Sync& awaits) {
  tilesim_detail::copy_share_for(awaits, to, from, size, 0, 1);
  return async_contract_fulfillment::none;
}
template <class T, class Size, awaits_copies Sync>
TILESIM_API async_contract_fulfillment memcpy_async(T* to, const T* from, Size size, Sync& awaits) {
  static_assert(tilesim_detail::may_be_copied<T>, "memcpy_async is of trivially copyable types");
  return cuda::memcpy_async(static_cast<void*>(to), static_cast<const void*>(from), size, awaits);
}
template <class Group, class Size, awaits_copies Sync>
TILESIM_API async_contract_fulfillment
memcpy_async(const Group& group, void* to, const void* from, Size size, Sync& awaits) {
  tilesim_detail::copy_share_for(awaits, to, from, size, group.thread_rank(), group.size());
  return async_contract_fulfillment::none;
}
template <class Group, class T, class Size, awaits_copies Sync>
TILESIM_API async_contract_fulfillment
memcpy_async(const Group& group, T* to, const T* from, Size size, Sync& awaits) {
  static_assert(tilesim_detail::may_be_copied<T>, "memcpy_async is of trivially copyable types");
  return cuda::memcpy_async(
      group, static_cast<void*>(to), static_cast<const void*>(from), size, awaits);
}

} // namespace cuda
