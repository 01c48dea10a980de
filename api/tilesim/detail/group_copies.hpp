// cooperative_groups::memcpy_async and its kin: the threads of a group copy together, and wait.
//
// Bytes are there when the call returns, which a program that waits as it must cannot tell; who reads
// them earlier has a race with the copy.  [CUDA C++ Programming Guide: memcpy_async, wait]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/groups.hpp>
#include <tilesim/detail/phases.hpp>

#include <cstddef>

namespace cooperative_groups {

/// Each thread copies the bytes of its turn.
template <class Group, class T, class From, class Bytes>
TILESIM_API void memcpy_async(const Group& g, T* to, const From* from, const Bytes& bytes) {
  ::tilesim::detail::begin_copy();
  ::tilesim::detail::copy_share(to, from, static_cast<::std::size_t>(bytes), g.thread_rank(), g.size());
  ::tilesim::detail::end_copy_of_group();
  ::tilesim::detail::commit_copies();
}
template <class Group>
TILESIM_API void wait(const Group& g) {
  ::tilesim::detail::groups_awaited(0);
  g.sync();
}
/// All but the newest `Stages` copies.
template <unsigned Stages, class Group>
TILESIM_API void wait_prior(const Group& g) {
  ::tilesim::detail::groups_awaited(Stages);
  g.sync();
}

} // namespace cooperative_groups
