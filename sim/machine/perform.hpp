// The machine for a front door of its own: one function for each entry of
// tilesim/detail/machine.hpp, told who calls and from where.
//
// The entries of machine.hpp find both by themselves, the thread as the one that runs and the place
// by their return address (entries.cpp). A door whose operations do not stand at return addresses,
// as an interpreter of Tile IR bytecode's, calls these and says the place itself: any pointer that
// is equal where the place is, in a range that it has registered (sim/debug_info/places.hpp says
// what else is asked of it). What an operation does, and its operands, is said in machine.hpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/combine.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstdint>

namespace tilesim::sim {
struct sim_thread;
} // namespace tilesim::sim

namespace tilesim::machine {

/// Who calls for an operation, and where that stands in the program.
struct caller {
  /// The simulated thread that runs. nullptr: it is looked up (execution::current()); of code of
  /// the host, where none runs, a tile operation is a finding that ends the run.
  sim::sim_thread* thread = nullptr;
  /// Nobody looks inside: what stands there is asked of who made it. nullptr: an unknown place.
  const void* site = nullptr;
};

/// The caller stands last, so that the entries of machine.hpp, which have all the others, leave
/// them where they are.
namespace perform {

void elementwise(opcode op,
                 const attributes& modes,
                 out result,
                 const in* operands,
                 unsigned count,
                 caller by) noexcept;
void rearrange(opcode op,
               out result,
               const in* operands,
               unsigned count,
               const std::int64_t* params,
               unsigned param_count,
               caller by) noexcept;

void reduce(const combination& how, out result, in operand, unsigned dim, caller by) noexcept;
void reduce_index(const combination& how, out index, in values, unsigned dim, caller by) noexcept;
void scan(
    const combination& how, bool reverse, out result, in operand, unsigned dim, caller by) noexcept;

/// reduce and scan of `values` operands of one shape, which a body combines together (a region of
/// Tile IR): sim/ops/combine.hpp says in which order, and what of it a body may rely on. The body
/// may call the operations of this page that access no memory, for the same thread. What an
/// unspecified value becomes is not followed through it.
void reduce(const sim::ops::combining_body& body,
            const out* results,
            const in* operands,
            unsigned values,
            unsigned dim,
            caller by) noexcept;
void scan(const sim::ops::combining_body& body,
          bool reverse,
          const out* results,
          const in* operands,
          unsigned values,
          unsigned dim,
          caller by) noexcept;

void mma(opcode op,
         signedness lhs_sign,
         signedness rhs_sign,
         out result,
         in lhs,
         in rhs,
         in acc,
         caller by) noexcept;

/// The operations on memory give back their token, which the engine makes (sim_thread::token): what
/// a later operation of the block waits for that has it in machine::ordered_after. 0, which waits
/// for nothing, from an engine that takes none. The engine and the watchers are given what an
/// operation waits for as it is.
std::uint64_t load_ptr_tko(
    const access& how, out result, in ptrs, const in* mask, const in* padding, caller by) noexcept;
std::uint64_t
store_ptr_tko(const access& how, in ptrs, in value, const in* mask, caller by) noexcept;
std::uint64_t atomic_rmw_tko(const access& how,
                             rmw_mode mode,
                             signedness sign,
                             out old,
                             in ptrs,
                             in arg,
                             const in* mask,
                             caller by) noexcept;
std::uint64_t atomic_cas_tko(
    const access& how, out old, in ptrs, in cmp, in val, const in* mask, caller by) noexcept;
std::uint64_t load_view_tko(
    const access& how, const tile_view& view, const in* indices, out result, caller by) noexcept;
std::uint64_t store_view_tko(
    const access& how, const tile_view& view, const in* indices, in value, caller by) noexcept;
std::uint64_t atomic_red_view_tko(const access& how,
                                  rmw_mode mode,
                                  signedness sign,
                                  const tile_view& view,
                                  const in* indices,
                                  in arg,
                                  caller by) noexcept;

[[nodiscard]] index3 get_tile_block_id(caller by) noexcept;
[[nodiscard]] index3 get_num_tile_blocks(caller by) noexcept;
int print_tko(const char* format, const in* operands, unsigned count, caller by) noexcept;
void assume(const assumption& promise, in value, caller by) noexcept;

} // namespace perform
} // namespace tilesim::machine
