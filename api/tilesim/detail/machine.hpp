// The abstract machine: what a tile operation calls once its types are settled.
//
// The headers under cuda::tiles check concepts, convert and broadcast at compile time and then make
// one of the calls below; libtilesim.so (sim/machine/machine.cpp) performs it. Names, modes and meanings
// are Tile IR's, so that another front door (a reader of Tile IR bytecode) can drive the same
// machine, through sim/machine/perform.hpp. Whatever watches a program (stepper, trace, checkers) watches here: an operation is one
// call, never one per element.
//
// Every function finds its place in the user's source by its return address, so callers are always
// inlined into the user's own function (TILESIM_API below).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/element.hpp>

#include <cstddef>
#include <cstdint>

/// In front of every function of cuda::tiles: inlined even at -O0, so that the call into the
/// machine stands in the user's function and its return address names the user's line.
#define TILESIM_API [[gnu::always_inline]] inline

/// In front of every function that libtilesim.so defines.
#define TILESIM_EXPORT [[gnu::visibility("default")]]

namespace tilesim::machine {

enum class opcode : ::std::uint8_t {
#define TILESIM_OPCODE(name, family) name,
#include <tilesim/detail/opcodes.def>
};

// The enumerators below have Tile IR's names and values.
enum class signedness : ::std::uint8_t { unsigned_ = 0, signed_ = 1 };
enum class overflow : ::std::uint8_t {
  none = 0,
  no_signed_wrap = 1,
  no_unsigned_wrap = 2,
  no_wrap = 3
};
enum class rounding : ::std::uint8_t {
  nearest_even = 0,
  zero = 1,
  negative_inf = 2,
  positive_inf = 3,
  approx = 4,
  full = 5,
  nearest_int_to_zero = 6,
  nearest_away = 7,
};
enum class predicate : ::std::uint8_t {
  equal = 0,
  not_equal = 1,
  less_than = 2,
  less_than_or_equal = 3,
  greater_than = 4,
  greater_than_or_equal = 5,
};
enum class ordering : ::std::uint8_t { unordered = 0, ordered = 1 };
enum class memory_order : ::std::uint8_t {
  weak = 0,
  relaxed = 1,
  acquire = 2,
  release = 3,
  acq_rel = 4
};
enum class memory_scope : ::std::uint8_t { tl_blk = 0, device = 1, sys = 2 };
enum class rmw_mode : ::std::uint8_t {
  and_ = 0,
  or_ = 1,
  xor_ = 2,
  add = 3,
  addf = 4,
  max = 5,
  min = 6,
  umax = 7,
  umin = 8,
  xchg = 9,
};

struct in;

/// What the C++ program wrote, where that says more than Tile IR's operation. Results never depend
/// on it; reports name the call with it, and what C++ demands beyond Tile IR is checked with it: a
/// divi whose operands were written as pointers is a pointer difference. Other front doors leave it
/// out. Read during the call only.
struct source_form {
  const char* spelling = nullptr; ///< "ceildiv", or an operator; nullptr: the operation's own
  /// One for each operand of the operation, before conversions that precede it; of the result's
  /// shape or one that broadcasts to it. nullptr: the operation's own operands.
  const in* operands = nullptr;
};

/// The modes of an elementwise operation. What an operation does not read is left at its default.
struct attributes {
  signedness sign = signedness::signed_;
  overflow wrap = overflow::none;
  rounding round = rounding::nearest_even;
  predicate pred = predicate::equal;
  ordering order = ordering::ordered;
  bool flush_to_zero = false;
  bool propagate_nan = false;
  source_form written = {};
};

/// The type of a tile: element, shape, and what a reader of reports wants to know of the C++ type.
/// One static object per C++ type, so an operand carries a pointer to it.
struct tile_type {
  element elem;              ///< kind of one element
  element pointee;           ///< what a pointer points to; meaningless unless elem is ptr
  ::std::uint8_t pointee_size; ///< its size in bytes; 0 for void
  bool is_unsigned;          ///< the C++ element type (or pointee) is unsigned: for printing only
  bool is_scalar;            ///< a C++ scalar rather than a ct::tile
  ::std::uint8_t rank;
  ::std::uint32_t count;          ///< number of elements, at least 1
  const ::std::uint32_t* extents; ///< rank many, row-major: the last index is the fastest
};

/// A tile that an operation reads: count elements of type->elem, packed, row-major.
/// An elementwise operation takes a one-element operand for any shape: it stands for its broadcast.
struct in {
  const tile_type* type;
  const void* data;
};

/// A tile that an operation writes. Never overlaps an operand.
struct out {
  const tile_type* type;
  void* data;
};

/// Tokens of operations of the same block, as sim/machine/perform.hpp gives them, or none: Tile IR's
/// make_token.
struct ordered_after {
  const ::std::uint64_t* tokens; ///< read during the call only
  ::std::size_t count;
};

/// How a memory operation accesses memory.
struct access {
  memory_order order = memory_order::weak;
  memory_scope scope = memory_scope::sys; ///< meaningless when weak
  /// What of its block the operation is ordered after, and what that is ordered after; nullptr:
  /// all that the block has done before, as in C++.
  const ordered_after* after = nullptr;
  source_form written = {};
};

/// result = op(operands[0], …). Operand and result element types are what Tile IR's operation
/// takes; every operand has the result's shape or one element. Reports undefined elements
/// (overflow, zero divisor, …) as findings.
TILESIM_EXPORT void elementwise(
    opcode op, const attributes& modes, out result, const in* operands, unsigned count) noexcept;

/// The same of one, two or three operands, which pass by value: a list of them would be stores in
/// the user's function, each one told of where code is watched, and a kernel of a thousand
/// operations takes three times as long to compile.
TILESIM_EXPORT void elementwise(opcode op, const attributes& modes, out result, in a) noexcept;
TILESIM_EXPORT void
elementwise(opcode op, const attributes& modes, out result, in a, in b) noexcept;
TILESIM_EXPORT void
elementwise(opcode op, const attributes& modes, out result, in a, in b, in c) noexcept;
/// Of two, with what the program wrote as modes.written.operands.
TILESIM_EXPORT void elementwise_of_written(opcode op,
                                           const attributes& modes,
                                           out result,
                                           in a,
                                           in b,
                                           in written_a,
                                           in written_b) noexcept;

/// constant: operands[0] has one element, which fills the result. iota: no operand; 0, 1, 2, …
/// reshape: same elements in row-major order. broadcast: right-aligned, dimensions of size 1 grow.
/// permute: params[k] = source dimension of result dimension k. cat: two operands, params[0] = dim.
/// extract: params = sub-tile numbers, one per dimension; outside the source is a finding, and the
/// result unspecified.
TILESIM_EXPORT void rearrange(opcode op,
                              out result,
                              const in* operands,
                              unsigned count,
                              const ::std::int64_t* params = nullptr,
                              unsigned param_count = 0) noexcept;

/// How reduce and scan combine two elements: the one operation of their body, which is addi, muli,
/// maxi, mini, andi, ori, xori, addf, mulf, maxf or minf, and its modes.
struct combination {
  opcode body;
  attributes modes;
};

/// The elements of `operand` along dimension dim, combined into one: that dimension is left with
/// length 1. No identity is involved: one element is its own result. Reports a signed body
/// (no_signed_wrap) of which some order of combining would overflow.
TILESIM_EXPORT void
reduce(const combination& how, out result, in operand, unsigned dim) noexcept;

/// reduce on (values, their indices along dim): the index (i32) of the largest value, by body maxi
/// or maxf, or of the smallest, by mini or minf. The first of equal values wins; a NaN does not.
TILESIM_EXPORT void
reduce_index(const combination& how, out index, in values, unsigned dim) noexcept;

/// result[k] = operand[0] … operand[k] combined, along dimension dim; `reverse`: from the last
/// element down to operand[k]. Reports overflow as reduce does.
TILESIM_EXPORT void
scan(const combination& how, bool reverse, out result, in operand, unsigned dim) noexcept;

/// result = lhs · rhs + acc: M×K, K×N, M×N, or each with one leading batch dimension, of which one
/// of length 1 stands for all. acc has the result's type, or one element that stands for all.
/// mmaf: f16, f8E4M3FN, f8E5M2 to f16 or f32; bf16, tf32, f32 to f32; f64 to f64.
/// mmai: i8 or i1, each read by its signedness, to i32, which wraps.
TILESIM_EXPORT void mma(opcode op,
                        signedness lhs_sign,
                        signedness rhs_sign,
                        out result,
                        in lhs,
                        in rhs,
                        in acc) noexcept;

/// result[i] = *ptrs[i] where mask[i] (or no mask); else padding[i], or an unspecified value
/// without one. mask: i1, one element or the pointers' shape; padding: likewise, of the result's
/// type.
TILESIM_EXPORT void
load_ptr_tko(const access& how, out result, in ptrs, const in* mask, const in* padding) noexcept;

/// *ptrs[i] = value[i] where mask[i] (or no mask).
TILESIM_EXPORT void store_ptr_tko(const access& how, in ptrs, in value, const in* mask) noexcept;

/// old[i] = *ptrs[i]; *ptrs[i] = mode(old[i], arg[i]), each element atomically, where mask[i].
/// Elsewhere old[i] is unspecified. `add` of a signed type reports overflow; so does the negation
/// of an argument that was written with the other sign (how.written: atomic_sub), where active.
TILESIM_EXPORT void atomic_rmw_tko(const access& how,
                                   rmw_mode mode,
                                   signedness sign,
                                   out old,
                                   in ptrs,
                                   in arg,
                                   const in* mask) noexcept;

/// old[i] = *ptrs[i]; if it equals cmp[i] bit for bit, *ptrs[i] = val[i]; otherwise the value read
/// is written back (a failed compare-exchange is a write). Where not mask[i]: old[i] = cmp[i].
TILESIM_EXPORT void
atomic_cas_tko(const access& how, out old, in ptrs, in cmp, in val, const in* mask) noexcept;

/// An array in memory: element (i0, i1, …) is the one at base + (i0·strides[0] + i1·strides[1] + …)
/// elements. Its element type is that of the tiles that views take from it.
struct tensor_view {
  const void* base;
  ::std::uint8_t rank;
  const ::std::int64_t* extents; ///< rank many, in elements
  const ::std::int64_t* strides; ///< rank many, in elements
};

/// What a load gives for elements outside the tensor.
enum class padding : ::std::uint8_t { zero = 0, neg_zero = 1, nan = 2, pos_inf = 3, neg_inf = 4 };

/// Tiles of a tensor, found by an index a dimension. Rank and order of the dimensions are the
/// tensor's.
struct tile_view {
  enum class kind : ::std::uint8_t {
    partition,     ///< tile i begins at element i·(its own extent): neighbours touch
    strided,       ///< tile i begins at element i·traversal: they may overlap or leave gaps
    gather_scatter ///< tile begins at element i, but along sparse_dim has the elements listed
  } what;
  const tensor_view* tensor;
  const tile_type* tile;         ///< element type and shape
  const ::std::int64_t* traversal; ///< strided: rank many, positive; else unused
  ::std::uint8_t sparse_dim;       ///< gather_scatter only
  /// Elements outside the tensor: true: a load gives `pad`, a store leaves them out. false: there
  /// are none; should there be some, that is a finding, a load gives an unspecified value there and
  /// a store leaves them out.
  bool masked;
  padding pad;
};

/// What of a view access stands in the program's types: its view but for the array. Such forms are
/// static objects.
struct view_form {
  tile_view::kind what;
  ::std::uint8_t rank;
  ::std::uint8_t sparse_dim;
  bool masked;
  padding pad;
  const tile_type* tile;
  const ::std::int64_t* traversal;
  const tile_type* const* index_types; ///< rank many
};

// The other numbers of a view access are passed one by one, each a std::int64_t: the extents, the
// strides, the indices, rank many of each. As objects in the caller's frame they would cost g++ time
// that grows with the square of their number. `list`: the elements of the index at sparse_dim, where
// a number stands all the same.

/// result = the tile of the view at the indices (integers of any kind, read unsigned: scalars, but a
/// tile of rank 1 at sparse_dim). An index outside the view's index space is a finding.
TILESIM_EXPORT void load_view_tko(const access& how,
                                  const view_form& form,
                                  out result,
                                  const void* base,
                                  const void* list,
                                  ...) noexcept;

/// The tile of the view at the indices = value.
TILESIM_EXPORT void store_view_tko(const access& how,
                                   const view_form& form,
                                   in value,
                                   const void* base,
                                   const void* list,
                                   ...) noexcept;

/// Each element x of the tile of the view at the indices = mode(x, arg), atomically.
TILESIM_EXPORT void atomic_red_view_tko(const access& how,
                                        rmw_mode mode,
                                        signedness sign,
                                        const view_form& form,
                                        in arg,
                                        const void* base,
                                        const void* list,
                                        ...) noexcept;

/// Three unsigned numbers, x first.
struct index3 {
  ::std::uint32_t x, y, z;
};
TILESIM_EXPORT index3 get_tile_block_id() noexcept;
TILESIM_EXPORT index3 get_num_tile_blocks() noexcept;

/// Prints operands by a format of C's printf, in one piece; a tile as its elements, in brackets.
/// Reports conversions that do not fit. Returns the number of operands. An operand whose type has
/// no elements is one that cannot be printed.
TILESIM_EXPORT int print_tko(const char* format, const in* operands, unsigned count) noexcept;
/// True if the caller is a tile kernel.
TILESIM_EXPORT bool in_tile_kernel() noexcept;

/// What a program promises of a value. A broken promise is a finding.
struct assumption {
  enum class kind : ::std::uint8_t { div_by, bounded, same_elements } what;
  /// div_by: divisor, every, along (every = 0: each element; for pointers the address in bytes)
  /// bounded: lower, upper, has_lower, has_upper. same_elements: one group length per dimension.
  const ::std::int64_t* params;
  unsigned param_count;
  const char* spelling; ///< the C++ function's name, "assume_aligned"
};
TILESIM_EXPORT void assume(const assumption& promise, in value) noexcept;

} // namespace tilesim::machine
