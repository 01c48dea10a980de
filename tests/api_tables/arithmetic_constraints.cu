// SPDX-License-Identifier: Apache-2.0
// Every requires-clause and atomic constraint of the page of arithmetic operations, for every element type: which
// operations take it, in which modes, and what is noexcept. The matrix of types against types is in operators.cu and
// arithmetic.cu.
#include "table.hpp"

using namespace table;

#define BINARY(id, sign)                                                                                               \
    OPERATION2(id, #sign, a sign b)                                                                                    \
    TRAIT2(nothrow_##id, "noexcept " #sign, noexcept(std::declval<A>() sign std::declval<B>()))
BINARY(plus, +)
BINARY(minus, -)
BINARY(times, *)
BINARY(slash, /)
BINARY(percent, %)
BINARY(bit_and, &)
BINARY(bit_or, |)
BINARY(bit_xor, ^)
BINARY(shift_left, <<)
BINARY(shift_right, >>)
BINARY(logical_and, &&)
BINARY(logical_or, ||)
BINARY(equal, ==)
BINARY(not_equal, !=)
BINARY(less, <)
BINARY(less_equal, <=)
BINARY(greater, >)
BINARY(greater_equal, >=)

#define UNARY(id, label, expression)                                                                                   \
    OPERATION1(id, label, expression(a))                                                                               \
    TRAIT1(nothrow_##id, "noexcept " label, noexcept(expression(std::declval<A>())))
UNARY(positive, "unary +", +)
UNARY(negative, "unary -", -)
UNARY(complement, "~", ~)
UNARY(negation, "!", !)
UNARY(abs_, "abs", ct::abs)

#define NAMED(f)                                                                                                       \
    OPERATION2(f##_, #f, ct::f(a, b))                                                                                  \
    TRAIT2(nothrow_##f, "noexcept " #f, noexcept(ct::f(std::declval<A>(), std::declval<B>())))
NAMED(add)
NAMED(sub)
NAMED(mul)
NAMED(div)
NAMED(ceildiv)
NAMED(floordiv)
NAMED(remainder)
NAMED(max)
NAMED(min)
NAMED(mulhi)

#define MODAL(f)                                                                                                       \
    OPERATION3(f##_m, #f, ct::f(a, b, c))                                                                              \
    OPERATION4(f##_ms, #f, ct::f(a, b, c, d))                                                                          \
    TRAIT3(nothrow_##f##_m, "noexcept " #f, noexcept(ct::f(std::declval<A>(), std::declval<B>(), std::declval<C>())))
MODAL(add)
MODAL(sub)
MODAL(mul)
MODAL(div)
MODAL(max)
MODAL(min)
OPERATION3(fma_, "fma", ct::fma(a, b, c))
OPERATION5(fma_ms, "fma", ct::fma(a, b, c, d, e))
TRAIT3(nothrow_fma, "noexcept fma", noexcept(ct::fma(std::declval<A>(), std::declval<B>(), std::declval<C>())))

// Values that are no enumerators.
constexpr auto no_rounding = ct::rounding_mode(77);
constexpr auto negative_rounding = ct::rounding_mode(-1);
constexpr auto no_subnormals = ct::subnormals_rounding_mode(77);
constexpr auto no_nan_mode = ct::nan_propagation_mode(77);
constexpr auto ties = ct::rounding_mode::round_ties_to_even;
constexpr auto keep = ct::subnormals_rounding_mode::preserve_subnormals;
#define BOGUS(f, right, wrong)                                                                                         \
    OPERATION2(f##_right, #f "<mode,keep>({},{})", ct::f<right, keep>(a, b, {}, {}))                                   \
    OPERATION2(f##_wrong, #f "<77>({})", ct::f<wrong>(a, b, {}))                                                       \
    OPERATION2(f##_wrong_s, #f "<mode,77>({},{})", ct::f<right, no_subnormals>(a, b, {}, {}))                          \
    OPERATION2(f##_wrong_both, #f "<77,77>({},{})", ct::f<wrong, no_subnormals>(a, b, {}, {}))
BOGUS(add, ties, no_rounding)
BOGUS(sub, ties, no_rounding)
BOGUS(mul, ties, no_rounding)
BOGUS(div, ties, no_rounding)
BOGUS(max, ct::nan_propagation_mode::suppress_nan, no_nan_mode)
BOGUS(min, ct::nan_propagation_mode::suppress_nan, no_nan_mode)
OPERATION2(add_negative, "add<-1>({})", ct::add<negative_rounding>(a, b, {}))
OPERATION3(fma_wrong, "fma<77>", ct::fma<no_rounding>(a, b, c))
OPERATION3(fma_wrong_s, "fma<mode,77>", ct::fma<ties, no_subnormals>(a, b, c))

using operators = list<plus, minus, times, slash, percent, bit_and, bit_or, bit_xor, shift_left, shift_right, logical_and,
                       logical_or, equal, not_equal, less, less_equal, greater, greater_equal>;
using named = list<add_, sub_, mul_, div_, ceildiv_, floordiv_, remainder_, max_, min_, mulhi_>;
using roundings = list<ct::round_ties_to_even_t, ct::round_toward_zero_t, ct::round_toward_negative_t,
                       ct::round_toward_positive_t, ct::round_approximate_t, ct::round_full_t>;
using subnormals = list<ct::preserve_subnormals_t, ct::round_subnormals_to_zero_t>;
using nans = list<ct::suppress_nan_t, ct::propagate_nan_t>;

// f(x, x, modes) for one element type.
template <class E> void every_mode() {
    using x = list<tile<E, 4>>;
    rows_of(list<add_m, sub_m, mul_m, div_m>{}, x{}, x{}, roundings{});
    rows_of(list<add_ms, sub_ms, mul_ms, div_ms>{}, x{}, x{}, roundings{}, subnormals{});
    rows_of(list<max_m, min_m>{}, x{}, x{}, nans{});
    rows_of(list<max_ms, min_ms>{}, x{}, x{}, nans{}, subnormals{});
    rows<fma_ms>(x{}, x{}, x{}, roundings{}, subnormals{});
    rows_of(list<add_ms>{}, list<E>{}, list<E>{}, list<ct::round_toward_zero_t>{}, subnormals{});
}
template <class... E> void every_mode_of(list<E...>) { (every_mode<E>(), ...); }

int main() {
    section("every element type in every operation");
    using all = join<shaped<numbers, 4>, shaped<list<int *, const void *>, 4>>;
    using partners = list<tile<bool, 4>, tile<int, 4>, tile<ulong, 4>, tile<float, 4>, tile<e4m3, 4>, int, float>;
    rows_of(operators{}, all{}, partners{});
    using on_the_left = list<tile<int, 4>, tile<float, 4>, int>;
    rows_of(operators{}, on_the_left{}, all{});
    rows_of(named{}, all{}, partners{});
    rows_of(named{}, on_the_left{}, all{});
    rows_of(list<shift_left, shift_right>{}, shaped<integers, 4>{}, shaped<integers, 4>{});
    rows_of(list<positive, negative, complement, negation, abs_>{}, all{});

    section("every element type in every mode");
    every_mode_of(numbers{});

    section("modes look at the converted type");
    using operands = list<tile<half, 4>, tile<bf16, 4>, tile<float, 4>, tile<double, 4>, tile<int, 4>, half, float, double, int>;
    rows_of(list<add_ms, div_ms>{}, operands{}, operands{}, list<ct::round_toward_zero_t, ct::round_full_t>{},
            list<ct::round_subnormals_to_zero_t>{});
    rows_of(list<min_ms>{}, operands{}, operands{}, list<ct::propagate_nan_t>{}, list<ct::round_subnormals_to_zero_t>{});

    section("modes and shapes");
    using shapes = list<tile<float>, tile<float, 1>, tile<float, 4>, tile<float, 4, 1>, tile<float, 1, 8>, tile<float, 2>,
                        tile<float, 1 << 12, 1>, tile<float, 1, 1 << 13>, float>;
    rows_of(list<add_m, div_m>{}, shapes{}, shapes{}, list<ct::round_toward_zero_t>{});
    rows_of(list<max_m>{}, shapes{}, shapes{}, list<ct::propagate_nan_t>{});
    rows_of(list<fma_>{}, shapes{}, list<tile<float, 4>, tile<float, 4, 1>, float>{}, shapes{});

    section("values that are no enumerators");
    rows_of(list<add_right, add_wrong, add_wrong_s, add_wrong_both, sub_right, sub_wrong, sub_wrong_s, sub_wrong_both,
                 mul_right, mul_wrong, mul_wrong_s, mul_wrong_both, div_right, div_wrong, div_wrong_s, div_wrong_both,
                 max_right, max_wrong, max_wrong_s, max_wrong_both, min_right, min_wrong, min_wrong_s, min_wrong_both,
                 add_negative>{},
            list<tile<float, 4>, tile<half, 4>, float>{}, list<tile<float, 4>, float>{});
    rows_of(list<fma_wrong, fma_wrong_s>{}, list<float>{}, list<half>{}, list<tile<float, 4>, tile<half, 4>, float>{});

    section("factors of fma do not narrow");
    using accumulators = list<tile<half, 4>, tile<bf16, 4>, tile<float, 4>, tile<double, 4>, tile<int, 4>, tile<e5m2, 4>,
                              tile<tf32, 4>, half, double>;
    rows<fma_>(shaped<numbers, 4>{}, list<tile<half, 4>>{}, accumulators{});
    rows<fma_>(list<half>{}, numbers{}, accumulators{});
    rows<fma_>(list<tile<int *, 4>, int *, some_class, ic<2>>{}, list<tile<float, 4>>{}, list<tile<float, 4>>{});

    section("noexcept");
    using sample = list<tile<int, 4>, tile<float, 4>, int>;
    rows_of(list<nothrow_plus, nothrow_minus, nothrow_times, nothrow_slash, nothrow_percent, nothrow_bit_and, nothrow_bit_or,
                 nothrow_bit_xor, nothrow_shift_left, nothrow_shift_right, nothrow_logical_and, nothrow_logical_or,
                 nothrow_equal, nothrow_not_equal, nothrow_less, nothrow_less_equal, nothrow_greater, nothrow_greater_equal,
                 nothrow_add, nothrow_sub, nothrow_mul, nothrow_div, nothrow_ceildiv, nothrow_floordiv, nothrow_remainder,
                 nothrow_max, nothrow_min, nothrow_mulhi>{},
            list<tile<int, 4>, tile<float, 4>, tile<ushort, 2, 1>>{}, sample{});
    rows_of(list<nothrow_positive, nothrow_negative, nothrow_complement, nothrow_negation, nothrow_abs_>{},
            list<tile<int, 4>, tile<char, 4>, tile<unsigned, 4>, tile<bool, 4>, tile<float, 4>, tile<half>, tile<int *, 4>>{});
    rows_of(list<nothrow_add_m, nothrow_sub_m, nothrow_mul_m, nothrow_div_m>{}, list<tile<float, 4>, float>{}, list<half>{},
            list<ct::round_toward_zero_t>{});
    rows_of(list<nothrow_max_m, nothrow_min_m>{}, list<tile<float, 4>, float>{}, list<half>{}, list<ct::propagate_nan_t>{});
    rows_of(list<nothrow_fma>{}, list<tile<float, 4>, half>{}, list<half>{}, list<tile<float, 4>>{});
    rows_of(list<nothrow_plus, nothrow_minus, nothrow_equal, nothrow_not_equal, nothrow_less, nothrow_less_equal,
                 nothrow_greater, nothrow_greater_equal, nothrow_logical_and, nothrow_logical_or>{},
            list<tile<int *, 4>>{}, list<tile<int *, 4>, int *, int, tile<long, 4>, std::nullptr_t>{});
    rows_of(list<nothrow_plus, nothrow_equal, nothrow_not_equal>{}, list<int *, int, std::nullptr_t>{}, list<tile<int *, 4>>{});
}
