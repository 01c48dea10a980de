// SPDX-License-Identifier: Apache-2.0
// Named arithmetic: add sub mul div ceildiv floordiv remainder max min abs fma mulhi, with and without modes, and
// isnan, isinf.
#include "table.hpp"

using namespace table;

OPERATION2(add, "add", ct::add(a, b))
OPERATION2(sub, "sub", ct::sub(a, b))
OPERATION2(mul, "mul", ct::mul(a, b))
OPERATION2(div_, "div", ct::div(a, b))
OPERATION2(ceildiv, "ceildiv", ct::ceildiv(a, b))
OPERATION2(floordiv, "floordiv", ct::floordiv(a, b))
OPERATION2(remainder_, "remainder", ct::remainder(a, b))
OPERATION2(max_, "max", ct::max(a, b))
OPERATION2(min_, "min", ct::min(a, b))
OPERATION2(mulhi, "mulhi", ct::mulhi(a, b))
OPERATION1(abs_, "abs", ct::abs(a))
OPERATION1(isnan_, "isnan", ct::isnan(a))
OPERATION1(isinf_, "isinf", ct::isinf(a))
OPERATION3(fma_, "fma", ct::fma(a, b, c))

// Modes as arguments: f(a, b, m) and f(a, b, m, s). Modes as template arguments come first in the row: f<m>(a, b),
// f<m>(a, b, {}), f<m,s>(a, b, {}) and f<m,s>(a, b, {}, {}). "f<m>(m)" gives the mode twice.
#define MODAL2(f)                                                                                                      \
    OPERATION3(f##_m, #f, ct::f(a, b, c))                                                                              \
    OPERATION4(f##_ms, #f, ct::f(a, b, c, d))                                                                          \
    OPERATION3(f##_tm, #f "<m>", ct::f<A::value>(b, c))                                                                \
    OPERATION3(f##_tm_, #f "<m>({})", ct::f<A::value>(b, c, {}))                                                       \
    OPERATION4(f##_tm_m, #f "<m>(m)", ct::f<A::value>(b, c, d))                                                        \
    OPERATION4(f##_tms_, #f "<m,s>({})", ct::f<A::value, B::value>(c, d, {}))                                          \
    OPERATION4(f##_tms__, #f "<m,s>({},{})", ct::f<A::value, B::value>(c, d, {}, {}))                                  \
    using f##_arguments = list<f##_ms>;                                                                                \
    using f##_templates = list<f##_tms_, f##_tms__>;
MODAL2(add)
MODAL2(sub)
MODAL2(mul)
MODAL2(div)
MODAL2(max)
MODAL2(min)

OPERATION2(add_bogus, "add<rounding_mode(77)>({})", ct::add<ct::rounding_mode(77)>(a, b, {}))
OPERATION2(add_bogus_s, "add<ties,subnormals(77)>({},{})",
           ct::add<ct::rounding_mode::round_ties_to_even, ct::subnormals_rounding_mode(77)>(a, b, {}, {}))
OPERATION2(max_bogus, "max<nan_propagation_mode(77)>({})", ct::max<ct::nan_propagation_mode(77)>(a, b, {}))
OPERATION3(fma_bogus, "fma<rounding_mode(77)>", ct::fma<ct::rounding_mode(77)>(a, b, c))

OPERATION4(fma_m, "fma", ct::fma(a, b, c, d))
OPERATION5(fma_ms, "fma", ct::fma(a, b, c, d, e))
OPERATION4(fma_tm, "fma<m>", ct::fma<A::value>(b, c, d))
OPERATION5(fma_tms, "fma<m,s>", ct::fma<A::value, B::value>(c, d, e))
OPERATION5(fma_tm_m, "fma<m>(m)", ct::fma<A::value>(b, c, d, e))
ALIAS3(add_element, "add<element>", decltype(ct::add<A>(std::declval<B>(), std::declval<C>())))
OPERATION3(modeless_ceildiv, "ceildiv", ct::ceildiv(a, b, c))
OPERATION3(modeless_remainder, "remainder", ct::remainder(a, b, c))
OPERATION3(modeless_mulhi, "mulhi", ct::mulhi(a, b, c))
OPERATION2(modeless_abs, "abs", ct::abs(a, b))
OPERATION2(modal_isnan, "isnan", ct::isnan(a, b))

TRAIT2(nothrow_add, "noexcept add", noexcept(ct::add(std::declval<A>(), std::declval<B>())))
TRAIT2(nothrow_max, "noexcept max", noexcept(ct::max(std::declval<A>(), std::declval<B>())))

using two = list<add, sub, mul, div_, ceildiv, floordiv, remainder_, max_, min_, mulhi>;

int main() {
    using elements = list<bool, char, short, int, uint, long, half, bf16, e5m2, tf32, float, double, int *>;
    section("two operands: tile with tile, tile with scalar, scalar with tile, scalars");
    rows_of(two{}, shaped<elements, 4>{}, shaped<elements, 4>{});
    using sample = list<bool, char, int, uint, half, float, double>;
    rows_of(two{}, shaped<sample, 4>{}, sample{});
    rows_of(two{}, sample{}, shaped<sample, 4>{});
    rows_of(two{}, sample{}, sample{});
    rows_of(list<add, ceildiv, max_, mulhi>{}, join<shaped<integers, 4>, list<tile<int>, tile<int, 1, 4>>>{},
            list<tile<int, 4>, tile<int, 4, 1>, tile<long>, tile<bool, 4>>{});
    rows_of(list<add, floordiv, min_>{}, list<ic<4>, plain_enum, some_class, __int128, long double, const int>{},
            list<tile<int, 4>, int, float>{});
    rows_of(list<nothrow_add, nothrow_max>{}, list<tile<int, 4>, float>{}, list<tile<float, 4>, float>{});

    section("one operand");
    rows_of(list<abs_, isnan_, isinf_>{}, join<shaped<numbers, 4>, numbers,
                                               list<tile<float>, tile<half, 1>, tile<int *, 4>, int *, ic<4>, plain_enum,
                                                    some_class, const float, const tile<float, 4>>>{});

    section("modes as arguments");
    using ties = ct::round_ties_to_even_t;
    using keep = ct::preserve_subnormals_t;
    using flush = ct::round_subnormals_to_zero_t;
    using roundings =
        list<ct::round_ties_to_even_t, ct::round_toward_zero_t, ct::round_toward_negative_t, ct::round_toward_positive_t,
             ct::round_approximate_t, ct::round_full_t>;
    using subnormals = list<keep, flush>;
    using nans = list<ct::suppress_nan_t, ct::propagate_nan_t>;
    using wrong_modes = list<ct::memory_order_relaxed_t, ct::rounding_mode, ct::subnormals_rounding_mode, int, ic<0>, bool>;
    using modal_tiles = list<tile<float, 4>, tile<half, 4>, tile<bf16, 4>, tile<double, 4>, tile<int, 4>, tile<e4m3, 4>,
                             tile<tf32, 4>, float, double, half, int>;
    using modal_fewer = list<tile<float, 4>, tile<half, 4>, tile<double, 4>, tile<int, 4>, float>;
    rows_of(list<add_m, sub_m, mul_m, div_m, max_m, min_m>{}, modal_tiles{}, list<tile<float, 4>>{},
            join<roundings, subnormals, nans, wrong_modes>{});
    rows_of(list<add_m, div_m, max_m>{}, list<tile<half, 4>, tile<int, 4>, float, int, tile<bf16, 2, 1>>{},
            list<tile<half, 4>, tile<bf16, 4>, int, double, float>{}, join<roundings, nans>{});
    rows_of(list<add_ms, sub_ms, mul_ms, div_ms>{}, modal_fewer{}, list<tile<float, 4>, float, tile<double>>{}, roundings{},
            subnormals{});
    rows_of(list<add_ms, div_ms>{}, list<tile<half, 4>, tile<bf16, 4>, tile<double, 4>, tile<int, 4>, half, int>{},
            list<int, half>{}, list<ties, ct::round_full_t>{}, subnormals{});
    rows_of(list<max_ms, min_ms>{}, modal_fewer{}, list<tile<float, 4>, tile<half>, float, int>{}, nans{}, subnormals{});
    rows_of(list<add_ms, max_ms>{}, list<tile<float, 4>>{}, list<float>{}, list<keep, ties, ct::suppress_nan_t>{},
            list<ties, keep, ct::suppress_nan_t, int, ct::subnormals_rounding_mode>{});

    section("modes as template arguments");
    rows_of(list<add_tm, add_tm_, sub_tm, sub_tm_, mul_tm, mul_tm_, div_tm, div_tm_>{}, roundings{}, modal_fewer{},
            list<tile<float, 4>, float>{});
    rows_of(list<max_tm, max_tm_, min_tm, min_tm_>{}, nans{}, modal_fewer{}, list<tile<float, 4>, float>{});
    rows_of(list<add_tm_m, div_tm_m>{}, list<ties, ct::round_toward_zero_t, ct::round_full_t>{},
            list<tile<float, 4>, tile<int, 4>>{}, list<float>{}, list<ties, ct::round_toward_zero_t, ct::round_full_t>{});
    rows_of(list<max_tm_m>{}, nans{}, list<tile<float, 4>>{}, list<float>{}, nans{});
    rows_of(list<add_tms_, add_tms__, mul_tms__, sub_tms__, div_tms_, div_tms__>{}, roundings{}, subnormals{},
            list<tile<float, 4>, tile<half, 4>, tile<int, 4>>{}, list<tile<float, 4>>{});
    rows_of(list<max_tms_, max_tms__, min_tms__>{}, nans{}, subnormals{}, list<tile<float, 4>, tile<half, 4>, int>{},
            list<tile<float, 4>, half, int>{});
    rows<add_element>(list<int, float>{}, list<tile<int, 4>, tile<float, 4>, float>{}, list<tile<float, 4>, float>{});

    section("values that are no enumerators");
    rows_of(list<add_bogus, add_bogus_s, max_bogus>{}, list<tile<float, 4>, tile<int, 4>>{}, list<float>{});
    rows<fma_bogus>(list<float>{}, list<float>{}, list<float>{});

    section("functions without modes");
    rows_of(list<modeless_ceildiv, modeless_remainder, modeless_mulhi>{}, list<tile<int, 4>, tile<float, 4>>{},
            list<tile<int, 4>, tile<float, 4>>{}, list<ties, ct::suppress_nan_t>{});
    rows_of(list<modeless_abs, modal_isnan>{}, list<tile<float, 4>>{}, list<ties, keep, ct::suppress_nan_t>{});

    section("fma");
    using factors = list<tile<bool, 4>, tile<int, 4>, tile<half, 4>, tile<bf16, 4>, tile<tf32, 4>, tile<e5m2, 4>, tile<float, 4>,
                         tile<double, 4>, int, half, float, double, tile<float>, tile<float, 1>, tile<float, 2, 4>>;
    rows<fma_>(factors{}, factors{}, list<tile<half, 4>, tile<bf16, 4>, tile<float, 4>, tile<double, 4>>{});
    using some_factors = list<tile<half, 4>, tile<float, 1, 4>, tile<float, 2, 1>, int, float, double, tile<float>, half>;
    rows<fma_>(some_factors{}, some_factors{},
               list<tile<float, 2, 4>, tile<float>, tile<float, 1>, float, double, half, int, tile<int, 4>, tile<tf32, 4>,
                    tile<e4m3, 4>, const tile<float, 2, 4>>{});
    rows<fma_m>(list<tile<float, 4>, half, int>{}, list<tile<float, 4>>{},
                list<tile<float, 4>, tile<double, 4>, tile<half, 4>, tile<int, 4>>{}, join<roundings, subnormals, nans>{});
    rows<fma_ms>(list<half>{}, list<tile<half, 4>>{},
                 list<tile<float, 4>, tile<double, 4>, tile<half, 4>, tile<bf16, 4>, tile<int, 4>>{}, roundings{}, subnormals{});
    rows<fma_tm>(roundings{}, list<tile<float, 4>, half>{}, list<half>{}, list<tile<float, 4>, tile<half, 4>, tile<int, 4>>{});
    rows<fma_tms>(roundings{}, subnormals{}, list<half>{}, list<tile<half, 4>>{}, list<tile<float, 4>, tile<half, 4>>{});
    rows<fma_tm_m>(list<ties, ct::round_toward_zero_t>{}, list<float>{}, list<float>{}, list<tile<float, 4>>{},
                   list<ties, ct::round_toward_zero_t>{});
}
