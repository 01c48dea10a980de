// SPDX-License-Identifier: Apache-2.0
// Math functions on tiles and scalars, with and without modes, and functions that do not exist.
#include "table.hpp"

using namespace table;

#define FUNCTION1(f)                                                                                                   \
    OPERATION1(f##_0, #f, ct::f(a))                                                                                    \
    OPERATION2(f##_1, #f, ct::f(a, b))                                                                                 \
    OPERATION3(f##_2, #f, ct::f(a, b, c))                                                                              \
    ALIAS2(f##_t, #f "<m>", decltype(ct::f<A::value>(std::declval<B>())))                                              \
    ALIAS3(f##_tt, #f "<m,s>", decltype(ct::f<A::value, B::value>(std::declval<C>())))                                 \
    ALIAS2(f##_t_, #f "<m>({})", decltype(ct::f<A::value>(std::declval<B>(), {})))                                     \
    OPERATION3(f##_t_1, #f "<m>(m)", ct::f<A::value>(b, c))                                                            \
    ALIAS2(f##_e, #f "<element>", decltype(ct::f<A>(std::declval<B>())))
FUNCTION1(ceil)
FUNCTION1(floor)
FUNCTION1(exp)
FUNCTION1(exp2)
FUNCTION1(log)
FUNCTION1(log2)
FUNCTION1(sqrt)
FUNCTION1(rsqrt)
FUNCTION1(sin)
FUNCTION1(cos)
FUNCTION1(tan)
FUNCTION1(sinh)
FUNCTION1(cosh)
FUNCTION1(tanh)
OPERATION2(pow_, "pow", ct::pow(a, b))
OPERATION2(atan2_, "atan2", ct::atan2(a, b))
OPERATION3(pow_m, "pow", ct::pow(a, b, c))
OPERATION3(atan2_m, "atan2", ct::atan2(a, b, c))
#define ALL(suffix)                                                                                                    \
    list<ceil##suffix, floor##suffix, exp##suffix, exp2##suffix, log##suffix, log2##suffix, sqrt##suffix, rsqrt##suffix, \
         sin##suffix, cos##suffix, tan##suffix, sinh##suffix, cosh##suffix, tanh##suffix>

// Found by argument-dependent lookup if they existed.
#define MISSING1(f) OPERATION1(missing_##f, #f, f(a))
MISSING1(round)
MISSING1(trunc)
MISSING1(rint)
MISSING1(log10)
MISSING1(log1p)
MISSING1(exp10)
MISSING1(expm1)
MISSING1(asin)
MISSING1(acos)
MISSING1(atan)
MISSING1(cbrt)
MISSING1(erf)
MISSING1(isfinite)
MISSING1(signbit)
MISSING1(popcount)
OPERATION2(missing_fmod, "fmod", fmod(a, b))
OPERATION2(missing_hypot, "hypot", hypot(a, b))
OPERATION2(missing_copysign, "copysign", copysign(a, b))
OPERATION3(missing_clamp, "clamp", clamp(a, b, b))

int main() {
    using roundings =
        list<ct::round_ties_to_even_t, ct::round_toward_zero_t, ct::round_toward_negative_t, ct::round_toward_positive_t, ct::round_approximate_t,
             ct::round_full_t>;
    using subnormals = list<ct::preserve_subnormals_t, ct::round_subnormals_to_zero_t>;
    using modes = join<roundings, subnormals, list<ct::suppress_nan_t, ct::rounding_mode, int>>;
    using floating = list<tile<half, 4>, tile<bf16, 4>, tile<float, 4>, tile<double, 4>>;

    section("element types");
    rows_of(ALL(_0){}, join<shaped<numbers, 4>, list<half, bf16, e4m3, tf32, float, double, int, bool, tile<float>, tile<half, 1, 2>, const tile<float, 4>,
                                                     tile<float, 4> &, tile<float *, 4>, ic<4>, plain_enum, some_class>>{});
    rows_of(list<pow_, atan2_>{}, join<shaped<few_numbers, 4>, few_numbers>{}, join<shaped<few_numbers, 4>, few_numbers>{});
    rows_of(list<pow_, atan2_>{}, list<tile<float, 4>, tile<float, 2, 1>, float, tile<int, 2, 1>, int>{}, list<tile<float, 4>, tile<float>, tile<half, 2, 4>, int, ic<2>>{});

    section("modes as arguments");
    rows_of(ALL(_1){}, join<floating, list<tile<int, 4>, float, tile<e4m3, 4>>>{}, modes{});
    rows_of(list<sqrt_2, exp_2, tanh_2, rsqrt_2, exp2_2>{}, list<tile<half, 4>, tile<float, 4>, double>{}, roundings{}, subnormals{});
    rows_of(list<sqrt_2, exp2_2>{}, list<tile<float, 4>>{}, subnormals{}, roundings{});
    rows_of(list<pow_m, atan2_m>{}, list<tile<float, 4>>{}, list<float>{}, list<ct::round_ties_to_even_t, ct::preserve_subnormals_t>{});

    section("modes as template arguments");
    rows_of(ALL(_t){}, join<roundings, subnormals>{}, list<tile<float, 4>, tile<half, 4>>{});
    rows_of(list<sqrt_t_, exp_t_, exp2_t_, rsqrt_t_, tanh_t_>{}, join<roundings, subnormals>{}, list<tile<float, 4>, half>{});
    rows_of(list<sqrt_tt, exp_tt, exp2_tt, rsqrt_tt, tanh_tt>{}, roundings{}, subnormals{}, list<tile<float, 4>, half>{});
    rows_of(list<sqrt_t_1, exp_t_1, tanh_t_1>{}, roundings{}, list<tile<float, 4>>{}, roundings{});
    rows_of(list<exp2_t_1, rsqrt_t_1>{}, subnormals{}, list<tile<float, 4>>{}, subnormals{});
    rows_of(ALL(_e){}, list<float, double, tile<float, 4>>{}, list<float, double, tile<float, 4>>{});

    section("functions that do not exist");
    using missing = list<missing_round, missing_trunc, missing_rint, missing_log10, missing_log1p, missing_exp10, missing_expm1, missing_asin,
                         missing_acos, missing_atan, missing_cbrt, missing_erf, missing_isfinite, missing_signbit, missing_popcount>;
    rows_of(missing{}, list<tile<float, 4>, tile<int>>{});
    rows_of(list<missing_fmod, missing_hypot, missing_copysign, missing_clamp>{}, list<tile<float, 4>>{}, list<tile<float, 4>>{});
}
