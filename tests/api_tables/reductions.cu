// SPDX-License-Identifier: Apache-2.0
// Reductions and scans along a dimension: dimensions, element types, modes, directions.
#include "table.hpp"

using namespace table;

// The dimension as a template argument stands first in the row, other template arguments follow it.
#define REDUCTION(f)                                                                                                   \
    OPERATION1(f##_0, #f, ct::f(a))                                                                                    \
    OPERATION2(f##_1, #f, ct::f(a, b))                                                                                 \
    OPERATION3(f##_2, #f, ct::f(a, b, c))                                                                              \
    OPERATION4(f##_3, #f, ct::f(a, b, c, d))                                                                           \
    OPERATION5(f##_4, #f, ct::f(a, b, c, d, e))                                                                        \
    ALIAS2(f##_d, #f "<D>", decltype(ct::f<A::value>(std::declval<B>())))                                              \
    OPERATION3(f##_d_m, #f "<D>(m)", ct::f<A::value>(b, c))                                                            \
    OPERATION3(f##_d_Dm, #f "<D>({},m)", ct::f<A::value>(b, {}, c))                                                    \
    ALIAS3(f##_dm, #f "<D,m>", decltype(ct::f<A::value, B::value>(std::declval<C>())))                                 \
    OPERATION4(f##_dms, #f "<D,m,s>", ct::f<A::value, B::value, C::value>(d))                                          \
    ALIAS3(f##_dm__, #f "<D,m>({},{})", decltype(ct::f<A::value, B::value>(std::declval<C>(), {}, {})))                \
    OPERATION4(f##_dms___, #f "<D,m,s>({},{},{})", ct::f<A::value, B::value, C::value>(d, {}, {}, {}))
REDUCTION(sum)
REDUCTION(prod)
REDUCTION(reduce_max)
REDUCTION(reduce_min)
REDUCTION(reduce_bitand)
REDUCTION(reduce_bitor)
REDUCTION(reduce_bitxor)
REDUCTION(all_of)
REDUCTION(any_of)
REDUCTION(max_element)
REDUCTION(min_element)
REDUCTION(partial_sum)
REDUCTION(partial_prod)
ALIAS2(reduced, "reduction_result_t", ct::reduction_result_t<A, B::value>)
ALIAS1(reduced_0, "reduction_result_t", ct::reduction_result_t<A, 0>)

#define ALL(suffix)                                                                                                    \
    list<sum##suffix, prod##suffix, reduce_max##suffix, reduce_min##suffix, reduce_bitand##suffix, reduce_bitor##suffix, \
         reduce_bitxor##suffix, all_of##suffix, any_of##suffix, max_element##suffix, min_element##suffix,             \
         partial_sum##suffix, partial_prod##suffix>
#define FLOATING(suffix)                                                                                               \
    list<sum##suffix, prod##suffix, reduce_max##suffix, reduce_min##suffix, partial_sum##suffix, partial_prod##suffix>

// Found by argument-dependent lookup if they existed.
OPERATION2(missing_none_of, "none_of", none_of(a, b))
OPERATION2(missing_reduce, "reduce", reduce(a, b))
OPERATION2(missing_scan, "scan", scan(a, b))
OPERATION2(missing_argmax, "argmax", argmax(a, b))
OPERATION2(missing_mean, "mean", mean(a, b))

int main() {
    using ct::integral_constant;
    using ties = ct::round_ties_to_even_t;
    using keep = ct::preserve_subnormals_t;
    using flush = ct::round_subnormals_to_zero_t;
    using roundings = list<ties, ct::round_toward_zero_t, ct::round_toward_negative_t, ct::round_toward_positive_t, ct::round_approximate_t, ct::round_full_t>;
    using nans = list<ct::suppress_nan_t, ct::propagate_nan_t>;
    using subnormals = list<keep, flush>;
    using directions = list<ct::scan_forward_t, ct::scan_backward_t>;
    using dims = list<ic<0>, ic<1>, ic<2>, ic<-1>, integral_constant<0u>, integral_constant<false>, integral_constant<1l>, int, unsigned, bool, float, ct::shape<0>>;
    using shapes = list<int, float, tile<int>, tile<int, 1>, tile<int, 8>, tile<int, 2, 4>, tile<float, 2, 4, 8>, const tile<int, 4>, tile<int, 4> &, some_class, ic<4>>;

    section("element types");
    rows_of(ALL(_1){}, join<shaped<numbers, 2, 4>, list<tile<int *, 2, 4>>>{}, list<ic<1>>{});
    section("dimensions");
    rows_of(list<sum_1, reduce_max_1, reduce_bitand_1, all_of_1, max_element_1, partial_sum_1>{}, shapes{}, dims{});
    rows_of(ALL(_0){}, list<int, tile<int>, tile<int, 4>>{});
    rows_of(ALL(_d){}, list<ic<0>, ic<1>, ic<2>, ic<-1>, integral_constant<0u>, integral_constant<false>>{}, list<float, tile<int>, tile<int, 4>, tile<int, 2, 4>, tile<float, 2, 4>>{});
    rows<reduced>(shapes{}, list<ic<0>, ic<1>, ic<2>, ic<-1>, integral_constant<0u>>{});
    rows<reduced_0>(shaped<numbers, 4>{});

    section("modes as arguments");
    using floating = list<tile<half, 4>, tile<bf16, 4>, tile<float, 4>, tile<double, 4>, tile<int, 4>, tile<e4m3, 4>>;
    rows_of(ALL(_2){}, floating{}, list<ic<0>>{}, join<roundings, nans, subnormals, directions>{});
    rows_of(list<sum_3, prod_3, partial_sum_3>{}, floating{}, list<ic<0>>{}, roundings{}, subnormals{});
    rows_of(list<reduce_max_3, reduce_min_3>{}, floating{}, list<ic<0>>{}, nans{}, subnormals{});
    rows_of(list<partial_sum_3, partial_prod_3>{}, list<tile<float, 4>, tile<int, 4>>{}, list<ic<0>>{}, list<ties, ct::scan_forward_t>{}, join<directions, list<ties>>{});
    rows_of(list<partial_sum_4, partial_prod_4>{}, list<tile<float, 4>, tile<half, 4>, tile<int, 4>>{}, list<ic<0>>{}, list<ties, ct::round_full_t>{}, subnormals{}, directions{});
    rows_of(list<partial_sum_1, sum_1>{}, list<tile<float, 4>>{}, join<directions, roundings>{});
    rows_of(list<sum_3>{}, list<tile<float, 4>>{}, list<ties>{}, list<keep>{}, list<ic<0>>{});

    section("modes as template arguments");
    rows_of(FLOATING(_dm){}, list<ic<0>>{}, join<roundings, nans, directions>{}, list<tile<float, 4>, tile<int, 4>>{});
    rows_of(FLOATING(_dms){}, list<ic<0>>{}, list<ties, ct::suppress_nan_t>{}, subnormals{}, list<tile<float, 4>, tile<half, 4>>{});
    rows_of(FLOATING(_dm__){}, list<ic<0>>{}, join<roundings, nans, directions>{}, list<tile<float, 4>, tile<int, 4>>{});
    rows_of(FLOATING(_dms___){}, list<ic<0>>{}, join<roundings, nans>{}, subnormals{}, list<tile<float, 4>, tile<half, 4>>{});
    rows_of(FLOATING(_d_m){}, list<ic<0>>{}, list<tile<float, 4>, tile<int, 4>>{}, join<roundings, nans, directions, list<ic<0>, ic<1>>>{});
    rows_of(FLOATING(_d_Dm){}, list<ic<0>>{}, list<tile<float, 4>, tile<int, 4>>{}, join<roundings, nans, directions>{});
    rows_of(list<all_of_dm, max_element_dm, reduce_bitor_dm>{}, list<ic<0>>{}, join<roundings, nans, directions>{}, list<tile<int, 4>>{});

    section("functions that do not exist");
    rows_of(list<missing_none_of, missing_reduce, missing_scan, missing_argmax, missing_mean>{}, list<tile<float, 4>>{}, list<ic<0>>{});
}
