// The operations that move elements and compute nothing.  [tile operations]
//
// They know an element only by its size. Shapes are the caller's to check: the API and Tile IR's
// verifier guarantee them. No result overlaps an operand.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstdint>

namespace tilesim::sim::ops {

/// Every element is the operand's only one.
void constant(machine::out result, machine::in cell) noexcept;

/// 0, 1, 2, … in row-major order, modulo the width of the integer kind.
void iota(machine::out result) noexcept;

/// The same elements in row-major order under another shape.
void reshape(machine::out result, machine::in source) noexcept;

/// Right-aligned; dimensions of size 1 grow, missing leading ones appear.
void broadcast(machine::out result, machine::in source) noexcept;

/// Dimension k of the result is dimension permutation[k] of the source.
void permute(machine::out result, machine::in source, const std::int64_t* permutation) noexcept;

/// `first` then `second` along dimension `dim`.
void cat(machine::out result, machine::in first, machine::in second, unsigned dim) noexcept;

/// The sub-tile number[k] along each dimension k: elements number[k] * e to number[k] * e + e - 1
/// of it, where e is the result's extent. Returns true if one lies outside the source, which is
/// undefined; the result is then all zero bytes.
bool extract(machine::out result, machine::in source, const std::int64_t* number) noexcept;

/// The operation of an opcode, with operands and params as machine::rearrange takes them. Returns
/// true if the page leaves it undefined (extract outside of its source).
bool rearrange(machine::opcode op,
               machine::out result,
               const machine::in* operands,
               const std::int64_t* params) noexcept;

} // namespace tilesim::sim::ops
