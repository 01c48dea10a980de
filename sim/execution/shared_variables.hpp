// Where a block's __shared__ variables lie.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/shared_memory.hpp>

#include <cstdint>

namespace tilesim::sim {

struct sim_thread;

/// The variable in a thread's block: made when the first of its threads comes by. `site`: a return
/// address at the declaration.
[[nodiscard]] void*
shared_variable_of(const sim_thread& t, const detail::shared_variable& v, const void* site);

/// A pointer behind a reference at namespace scope, which the loop sets.
[[nodiscard]] bool is_shared_slot(std::uintptr_t at) noexcept;

/// Another thread takes its turn: pointers of shared_slot are its block's from now on.
void show_shared_variables(const sim_thread& t);

/// No thread runs: the pointers say nothing.
void hide_shared_variables() noexcept;

} // namespace tilesim::sim
