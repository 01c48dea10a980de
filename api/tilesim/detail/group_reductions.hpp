// cooperative_groups::reduce, inclusive_scan, exclusive_scan: of the values of a group of lanes.
//
// A tile reduces by exchanges of lanes 16, 8, 4, 2 and 1 apart, other groups by moving values down;
// scans by moving them up. In what order floating-point values are added is not documented by CUDA.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/atomic_types.hpp>
#include <tilesim/detail/groups.hpp>

#include <type_traits>

namespace cooperative_groups {

// clang-format off
#define TILESIM_GROUP_OPERATION(name, expression)                                                  \
  template <class T>                                                                               \
  struct name {                                                                                    \
    TILESIM_API T operator()(T a, T b) const { return static_cast<T>(expression); }                \
  };
TILESIM_GROUP_OPERATION(plus, a + b)
TILESIM_GROUP_OPERATION(less, b < a ? b : a)
TILESIM_GROUP_OPERATION(greater, a < b ? b : a)
TILESIM_GROUP_OPERATION(bit_and, a & b)
TILESIM_GROUP_OPERATION(bit_or, a | b)
TILESIM_GROUP_OPERATION(bit_xor, a ^ b)
#undef TILESIM_GROUP_OPERATION
// clang-format on

template <class Group>
inline constexpr bool is_group_of_lanes = false;
template <unsigned Size, class Parent>
inline constexpr bool is_group_of_lanes<thread_block_tile<Size, Parent>> = true;
template <>
inline constexpr bool is_group_of_lanes<coalesced_group> = true;

/// The lanes of a tile of several warps that are the running thread's.
template <class Group>
TILESIM_API thread_block_tile<32, thread_block> warp_of(const Group& /*g*/) {
  return group_parts::tile<32, thread_block>(0xffffffffU, 0, 1);
}
/// A tile of several warps.
template <class Group>
inline constexpr bool has_several_warps = false;
template <unsigned Size, class Parent>
inline constexpr bool has_several_warps<thread_block_tile<Size, Parent>> = Size > 32;

/// Whether an operation gives what the threads bring along. One that does not, as plus<float> of
/// ints, is refused where the call is compiled, as NVIDIA's compiler does.
template <class T, class Result>
inline constexpr bool stays_of_type = ::std::is_same_v<::std::remove_cvref_t<T>, Result>;
#define TILESIM_STAYS_OF_TYPE(T, result)                                                           \
  static_assert(stays_of_type<T, result>,                                                          \
                "the operation gives another type than the threads bring along: convert the value "\
                "first, or use the operation of its type")

template <class Group, class T, class Operation>
TILESIM_API auto reduce(const Group& g, T&& value, Operation&& op)
    -> ::std::remove_cvref_t<decltype(op(value, value))> {
  static_assert(is_group_of_lanes<Group>, "reduce is of tiles and of coalesced threads");
  using result = ::std::remove_cvref_t<decltype(op(value, value))>;
  TILESIM_STAYS_OF_TYPE(T, result);
  result all = value;
  if constexpr (::std::is_same_v<Group, coalesced_group>) {
    const unsigned rank = g.thread_rank();
    for (unsigned apart = 16; apart != 0; apart /= 2) {
      const result other = g.shfl_down(all, apart);
      if (apart < g.size() - rank) {
        all = op(all, other);
      }
    }
    return g.shfl(all, 0);
  } else if constexpr (Group::size() > 32) {
    return group_parts::of_all(g, reduce(warp_of(g), value, op), op);
  } else {
    for (unsigned apart = Group::size() / 2; apart != 0; apart /= 2) {
      all = op(all, g.shfl_xor(all, apart));
    }
    return all;
  }
}

template <class Group, class T, class Operation>
TILESIM_API auto inclusive_scan(const Group& g, T&& value, Operation&& op)
    -> ::std::remove_cvref_t<decltype(op(value, value))> {
  static_assert(is_group_of_lanes<Group>, "scans are of tiles and of coalesced threads");
  using result = ::std::remove_cvref_t<decltype(op(value, value))>;
  TILESIM_STAYS_OF_TYPE(T, result);
  if constexpr (has_several_warps<Group>) {
    return group_parts::up_to(g, inclusive_scan(warp_of(g), value, op), op);
  } else {
    result all = value;
    for (unsigned apart = 1; apart < g.size(); apart *= 2) {
      const result other = g.shfl_up(all, apart);
      if (apart <= g.thread_rank()) {
        all = op(other, all);
      }
    }
    return all;
  }
}
/// The first is given a value of no bits.
template <class Group, class T, class Operation>
TILESIM_API auto exclusive_scan(const Group& g, T&& value, Operation&& op)
    -> ::std::remove_cvref_t<decltype(op(value, value))> {
  using result = ::std::remove_cvref_t<decltype(op(value, value))>;
  result before;
  if constexpr (has_several_warps<Group>) {
    before = group_parts::from_before(g, inclusive_scan(g, value, op));
  } else {
    before = g.shfl_up(inclusive_scan(g, value, op), 1);
  }
  return g.thread_rank() == 0 ? result{} : before;
}
/// The update of an atomic object by an operation: its own, where it has one.
template <class Atomic, class T, class Operation>
TILESIM_API T updated_by(Atomic& object, const T& value, Operation&& op) {
  using operation = ::std::remove_cvref_t<Operation>;
  constexpr auto relaxed = ::cuda::memory_order_relaxed;
  if constexpr (::std::is_same_v<operation, plus<T>>) {
    return object.fetch_add(value, relaxed);
  } else if constexpr (::std::is_same_v<operation, less<T>>) {
    return object.fetch_min(value, relaxed);
  } else if constexpr (::std::is_same_v<operation, greater<T>>) {
    return object.fetch_max(value, relaxed);
  } else {
    T old = object.load(relaxed);
    while (!object.compare_exchange_weak(old, op(old, value), relaxed)) {
    }
    return old;
  }
}
/// What one lane of a group has, for all of them.
template <class T>
struct lanes_value {
  T value;
  bool known;
};
/// The object is updated once, by what all bring along; gives what it held before.
template <class Group, class Atomic, class T, class Operation>
TILESIM_API T update_once(const Group& g, Atomic& object, const T& inclusive, Operation&& op) {
  const bool last = g.thread_rank() == g.size() - 1;
  lanes_value<T> mine{T{}, last};
  if (last) {
    mine.value = updated_by(object, inclusive, op);
  }
  if constexpr (has_several_warps<Group>) {
    return reduce(g,
                  mine,
                  [](const lanes_value<T>& a, const lanes_value<T>& b) { return a.known ? a : b; })
        .value;
  } else {
    return g.shfl(mine.value, g.size() - 1);
  }
}
/// Scans that go on from what an atomic object holds, and leave in it what they come to: one update
/// of it for all.  [CUDA C++ Programming Guide, Cooperative Groups: inclusive_scan_update]
template <class Group, class Atomic, class T, class Operation>
TILESIM_API auto inclusive_scan_update(const Group& g, Atomic& object, T&& value, Operation&& op)
    -> ::std::remove_cvref_t<decltype(op(value, value))> {
  const auto all = inclusive_scan(g, value, op);
  return op(update_once(g, object, all, op), all);
}
template <class Group, class Atomic, class T, class Operation>
TILESIM_API auto exclusive_scan_update(const Group& g, Atomic& object, T&& value, Operation&& op)
    -> ::std::remove_cvref_t<decltype(op(value, value))> {
  const auto all = inclusive_scan(g, value, op);
  const auto old = update_once(g, object, all, op);
  const auto before = exclusive_scan(g, value, op);
  return g.thread_rank() == 0 ? old : op(old, before);
}
template <class Group, class Atomic, class T>
TILESIM_API auto inclusive_scan_update(const Group& g, Atomic& object, T&& value) {
  return inclusive_scan_update(g, object, value, plus<::std::remove_cvref_t<T>>{});
}
template <class Group, class Atomic, class T>
TILESIM_API auto exclusive_scan_update(const Group& g, Atomic& object, T&& value) {
  return exclusive_scan_update(g, object, value, plus<::std::remove_cvref_t<T>>{});
}
template <class Group, class T>
TILESIM_API auto inclusive_scan(const Group& g, T&& value) {
  return inclusive_scan(g, value, plus<::std::remove_cvref_t<T>>{});
}
template <class Group, class T>
TILESIM_API auto exclusive_scan(const Group& g, T&& value) {
  return exclusive_scan(g, value, plus<::std::remove_cvref_t<T>>{});
}
#undef TILESIM_STAYS_OF_TYPE

} // namespace cooperative_groups
