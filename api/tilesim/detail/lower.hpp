// Lowering: how an operation whose types are settled reaches the machine.
//
// The pages (arithmetic.hpp, memory.hpp, …) say which conversions their operands undergo and which
// opcode they are; the helpers here convert, broadcast and make the call, one call per Tile IR
// operation. Everything is inlined into the user's function.  [spec of Tile IR: lowering of C++]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/convert.hpp>
#include <tilesim/detail/machine.hpp>
#include <tilesim/print.hpp>

namespace cuda::tiles::inline __1::detail {

namespace machine = ::tilesim::machine;
using machine::opcode;

// ------------------------------------------------------------------------------- parameters

// Functions take operands by reference, so that tiles are not copied, and see them as the type that
// a parameter by value would have: no cv, no __restrict__, an array as a pointer. Where a pointer
// may stand, the parameter is a forwarding reference, which knows an array of const from one
// without.
template <class T>
struct by_value {
  using type = ::std::remove_cv_t<T>;
};
template <class T>
struct by_value<T* __restrict__> {
  using type = T*;
};
template <class T>
struct by_value<T* const __restrict__> {
  using type = T*;
};
template <class T>
struct by_value<T* volatile __restrict__> {
  using type = T*;
};
template <class T>
struct by_value<T* const volatile __restrict__> {
  using type = T*;
};
template <class T>
struct by_value<T&> : by_value<T> {};
template <class T, ::std::size_t N>
struct by_value<T (&)[N]> {
  using type = T*;
};
template <class T>
struct by_value<T (&)[]> {
  using type = T*;
};

/// The type of an operand passed by value.
template <class T>
using plain = typename by_value<T>::type;

// Operands by the class of their element.
template <class A>
concept tile_operand = tile_like<plain<A>>;
template <class A>
concept arithmetic_operand = arithmetic_tile<plain<A>>;
template <class A>
concept integral_operand = integral_tile<plain<A>>;
template <class A>
concept floating_point_operand = floating_point_tile<plain<A>>;
template <class A>
concept pointer_operand = pointer_tile<plain<A>>;

/// A tile as it stands; a scalar copied, so that it is read here, in the user's function, where an
/// instrumented build sees the access.
template <class A>
TILESIM_API ::std::conditional_t<is_tile<plain<A>>, const plain<A>&, plain<A>> held(A&& a) noexcept {
  return a;
}

// ------------------------------------------------------------------------------- tile types

template <class S>
struct extents_data {
  static constexpr ::std::uint32_t values[1] = {0};
};
template <::std::size_t... E>
struct extents_data<extents<::std::uint32_t, E...>> {
  static constexpr ::std::uint32_t values[sizeof...(E) + 1] = {static_cast<::std::uint32_t>(E)..., 0};
};

template <class T>
constexpr machine::tile_type describe() noexcept {
  using E = element_of<T>;
  using S = shape_of<T>;
  machine::tile_type t{};
  t.elem = scalar_of<E>.elem;
  t.is_unsigned = tilesim::is_integral(scalar_of<E>.kind) && !scalar_of<E>.is_signed;
  if constexpr (::std::is_pointer_v<E>) {
    using Pointee = ::std::remove_cv_t<::std::remove_pointer_t<E>>;
    t.pointee = scalar_of<Pointee>.elem;
    t.is_unsigned = tilesim::is_integral(scalar_of<Pointee>.kind) && !scalar_of<Pointee>.is_signed;
    t.pointee_size = ::std::is_void_v<Pointee>
                         ? 0
                         : static_cast<::std::uint8_t>(tilesim::size_of(scalar_of<Pointee>.elem));
  }
  t.is_scalar = is_scalar<T>;
  t.rank = static_cast<::std::uint8_t>(S::rank());
  t.count = static_cast<::std::uint32_t>(size_of_shape<S>);
  t.extents = extents_data<S>::values;
  return t;
}

/// The machine's description of a C++ type, one object for each.
template <class T>
inline constexpr machine::tile_type type_of = describe<T>();

} // namespace cuda::tiles::inline __1::detail

namespace tilesim::detail {

template <class T>
requires(::cuda::tiles::detail::is_tile<T>) inline constexpr bool is_printed_tile<T> = true;

template <class T>
requires(::cuda::tiles::detail::is_tile<T>) struct as_operand<T> {
  TILESIM_API static machine::in of(const T* tile) noexcept {
    return {&::cuda::tiles::detail::type_of<T>, tile};
  }
};

} // namespace tilesim::detail

namespace cuda::tiles::inline __1::detail {

template <class T>
inline constexpr ::std::size_t count_of = size_of_shape<shape_of<T>>;

/// The type that T has with the element type E.
template <class T, class E>
using with_element = typename make_tile_like<is_scalar<T>, E, shape_of<T>>::type;

// --------------------------------------------------------------------------------- operands

template <class T>
TILESIM_API const void* address(const T& x) noexcept {
  return __builtin_addressof(x);
}

/// x as the machine reads it.
template <class T>
TILESIM_API machine::in source(const T& x) noexcept {
  return {&type_of<T>, address(x)};
}

/// x as the machine writes it.
template <class T>
TILESIM_API machine::out target(T& x) noexcept {
  return {&type_of<T>, __builtin_addressof(x)};
}

/// x as an operand of an operation on the shape B: of one element, or with as many as B. Equal
/// counts mean equal layout, so a tile of another rank needs only another type.
template <class B, class T>
TILESIM_API machine::in source_as(const T& x) noexcept {
  static_assert(count_of<T> == 1 || count_of<T> == size_of_shape<B>);
  if constexpr (count_of<T> == 1 || ::std::is_same_v<shape_of<T>, B>) {
    return source(x);
  } else {
    return {&type_of<tile<element_of<T>, B>>, address(x)};
  }
}

// Results are declared at the top of a function, never in a nested block: only there g++ 12 lets
// the machine write straight into the caller's object.

/// A copy of the bytes of x as another type of the same layout.
template <class R, class T>
TILESIM_API R copied(const T& x) noexcept {
  R result;
  static_assert(sizeof(R) == sizeof(T));
  (__builtin_memcpy)(__builtin_addressof(result), address(x), sizeof(R));
  return result;
}

/// R = op(x), moving elements.
template <class R, class T>
TILESIM_API R rearranged(opcode op,
                         const T& x,
                         const ::std::int64_t* params = nullptr,
                         unsigned param_count = 0) noexcept {
  R result;
  const machine::in from = source(x);
  machine::rearrange(op, target(result), &from, 1, params, param_count);
  return result;
}

/// x for an operation on the shape B: itself, or its broadcast where that copies elements.
template <class B, class T>
TILESIM_API decltype(auto) grown(const T& x) noexcept {
  if constexpr (count_of<T> == 1 || count_of<T> == size_of_shape<B>) {
    return held(x);
  } else {
    return rearranged<tile<element_of<T>, B>>(opcode::broadcast, x);
  }
}

// ------------------------------------------------------------------------- elementwise calls

/// The modes of an operation without any. Modes that are known are static objects: g++ takes twice
/// as long for a kernel of a thousand operations that each fill in one of their own.
inline constexpr machine::attributes no_modes{};

template <auto Value>
inline constexpr auto fixed = Value;

/// R = op(operands…), for operands that have the element type that op wants.
template <class R, class... In>
TILESIM_API R perform(opcode op, const machine::attributes& modes, const In&... operands) noexcept {
  static_assert(sizeof...(In) >= 1 && sizeof...(In) <= 3);
  R result;
  machine::elementwise(op, modes, target(result), operands...);
  return result;
}

/// R = op(a, b), which the program wrote as an operation on two other operands.
template <class R>
TILESIM_API R perform_of_written(opcode op,
                                 const machine::attributes& modes,
                                 machine::in a,
                                 machine::in b,
                                 machine::in written_a,
                                 machine::in written_b) noexcept {
  R result;
  machine::elementwise_of_written(op, modes, target(result), a, b, written_a, written_b);
  return result;
}

/// A value whose bytes are all zero, of any element type.
inline constexpr unsigned char zero_bytes[8] = {};

/// One zero of type T, as an operand.
template <class T>
TILESIM_API machine::in zero() noexcept {
  return {&type_of<T>, zero_bytes};
}

constexpr machine::signedness sign_of(const scalar_facts& s) noexcept {
  return s.is_signed ? machine::signedness::signed_ : machine::signedness::unsigned_;
}

/// Integers that wrap.
inline constexpr machine::attributes unsigned_modes{.sign = machine::signedness::unsigned_};

/// The modes that integer arithmetic carries: a signed result must not wrap.
constexpr machine::attributes integer_modes(const scalar_facts& s) noexcept {
  machine::attributes m;
  m.sign = sign_of(s);
  m.wrap = s.is_signed ? machine::overflow::no_signed_wrap : machine::overflow::none;
  return m;
}

constexpr machine::attributes signed_as(const scalar_facts& s) noexcept {
  machine::attributes m;
  m.sign = sign_of(s);
  return m;
}

constexpr machine::attributes
compared(machine::predicate p, machine::ordering o, const scalar_facts& s) noexcept {
  machine::attributes m;
  m.pred = p;
  m.order = o;
  m.sign = sign_of(s);
  return m;
}

// ------------------------------------------------------------------------------- conversions

/// The operation that converts between numeric elements of different kinds, and its modes.
struct conversion {
  opcode op;
  machine::attributes modes;
};

constexpr conversion conversion_between(const scalar_facts& from, const scalar_facts& to) noexcept {
  if (tilesim::is_floating(from.kind)) {
    if (tilesim::is_floating(to.kind)) {
      return {opcode::ftof, {}};
    }
    machine::attributes m = signed_as(to);
    m.round = machine::rounding::nearest_int_to_zero;
    return {opcode::ftoi, m};
  }
  if (tilesim::is_floating(to.kind)) {
    return {opcode::itof, signed_as(from)};
  }
  if (bitwidth(to) > bitwidth(from)) {
    return {opcode::exti, signed_as(from)};
  }
  return {opcode::trunci, {}};
}

/// a with its elements converted to To. An operand that the machine stores alike (int and unsigned,
/// pointers of any type) stays as it is: the result's C++ element type is then still its own.
template <class To, class A>
TILESIM_API decltype(auto) converted(const A& a) noexcept {
  constexpr const scalar_facts& from = facts_of<plain<A>>;
  constexpr const scalar_facts& to = scalar_of<To>;
  if constexpr (tilesim::same(from.elem, to.elem)) {
    return held(a);
  } else {
    using R = with_element<plain<A>, To>;
    const auto& x = held(a);
    if constexpr (!tilesim::same(to.elem, element::i1)) {
      static constexpr conversion c = conversion_between(from, to);
      return perform<R>(c.op, c.modes, source(x));
    } else if constexpr (tilesim::is_pointer(from.kind)) {
      using I = with_element<plain<A>, unsigned long>;
      const I bits = perform<I>(opcode::ptr_to_int, no_modes, source(x));
      return perform<R>(opcode::cmpi,
                        fixed<compared(machine::predicate::not_equal,
                                       machine::ordering::ordered,
                                       scalar_of<unsigned long>)>,
                        source(bits),
                        zero<unsigned long>());
    } else if constexpr (tilesim::is_restricted(from.kind)) {
      using F = with_element<plain<A>, float>;
      const F wide = perform<F>(opcode::ftof, no_modes, source(x));
      return perform<R>(
          opcode::cmpf,
          fixed<compared(
              machine::predicate::not_equal, machine::ordering::unordered, scalar_of<float>)>,
          source(wide),
          zero<float>());
    } else {
      constexpr bool floating = tilesim::is_floating(from.kind);
      return perform<R>(
          floating ? opcode::cmpf : opcode::cmpi,
          fixed<compared(machine::predicate::not_equal,
                         floating ? machine::ordering::unordered : machine::ordering::ordered,
                         from)>,
          source(x),
          zero<element_of<plain<A>>>());
    }
  }
}

/// The same, as an object of the C++ type that the conversion names.
template <class R, class A>
TILESIM_API R converted_to(const A& a) noexcept {
  using To = element_of<R>;
  using T = plain<A>;
  if constexpr (::std::is_same_v<T, R>) {
    return held(a);
  } else if constexpr (tilesim::same(facts_of<T>.elem, scalar_of<To>.elem) ||
                       !::std::is_same_v<with_element<T, To>, R>) {
    // stored alike, or between a scalar and a tile of one element
    return copied<R>(converted<To>(a));
  } else {
    return converted<To>(a);
  }
}

// --------------------------------------------------------------------- operations on operands

/// op on two operands that are converted to the element type C and broadcast to the result's shape.
template <class R, class C, class L, class Rhs>
TILESIM_API R
binary(opcode op, const machine::attributes& modes, const L& lhs, const Rhs& rhs) noexcept {
  using B = shape_of<R>;
  const auto& l = converted<C>(lhs);
  const auto& r = converted<C>(rhs);
  const auto& wide_l = grown<B>(l);
  const auto& wide_r = grown<B>(r);
  return perform<R>(op, modes, source_as<B>(wide_l), source_as<B>(wide_r));
}

/// The same, where the program wrote other operands: `written`, of the types of lhs and rhs or not.
template <class R, class C, class L, class Rhs>
TILESIM_API R binary_of_written(opcode op,
                                const machine::attributes& modes,
                                const L& lhs,
                                const Rhs& rhs,
                                machine::in written_lhs,
                                machine::in written_rhs) noexcept {
  using B = shape_of<R>;
  const auto& l = converted<C>(lhs);
  const auto& r = converted<C>(rhs);
  const auto& wide_l = grown<B>(l);
  const auto& wide_r = grown<B>(r);
  return perform_of_written<R>(
      op, modes, source_as<B>(wide_l), source_as<B>(wide_r), written_lhs, written_rhs);
}

/// op on one operand, element type unchanged.
template <class R, class A>
TILESIM_API R unary(opcode op, const machine::attributes& modes, const A& a) noexcept {
  const auto& x = held(a);
  return perform<R>(op, modes, source(x));
}

} // namespace cuda::tiles::inline __1::detail
