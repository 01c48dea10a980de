// SPDX-License-Identifier: Apache-2.0
// Assumptions: which constants each of them takes, as argument and as template argument, and on which tiles.
#include "table.hpp"

using namespace table;

OPERATION2(aligned, "assume_aligned", ct::assume_aligned(a, b))
OPERATION2(divisible, "assume_divisible", ct::assume_divisible(a, b))
OPERATION2(below, "assume_bounded_below", ct::assume_bounded_below(a, b))
OPERATION2(above, "assume_bounded_above", ct::assume_bounded_above(a, b))
OPERATION3(bounded, "assume_bounded", ct::assume_bounded(a, b, c))
OPERATION2(blocked, "assume_blocked", ct::assume_blocked(a, b))
OPERATION4(aligned_strided, "assume_aligned_strided", ct::assume_aligned_strided(a, b, c, d))
OPERATION4(divisible_strided, "assume_divisible_strided", ct::assume_divisible_strided(a, b, c, d))

ALIAS2(aligned_t, "assume_aligned<n>", decltype(ct::assume_aligned<A::value>(std::declval<B>())))
ALIAS2(divisible_t, "assume_divisible<n>", decltype(ct::assume_divisible<A::value>(std::declval<B>())))
ALIAS2(below_t, "assume_bounded_below<n>", decltype(ct::assume_bounded_below<A::value>(std::declval<B>())))
ALIAS2(above_t, "assume_bounded_above<n>", decltype(ct::assume_bounded_above<A::value>(std::declval<B>())))
ALIAS3(bounded_t, "assume_bounded<l,u>", decltype(ct::assume_bounded<A::value, B::value>(std::declval<C>())))
ALIAS2(blocked_t, "assume_blocked<S>", decltype(ct::assume_blocked<A>(std::declval<B>())))
OPERATION4(aligned_strided_t, "assume_aligned_strided<n,s,d>", ct::assume_aligned_strided<A::value, B::value, C::value>(d))
OPERATION4(divisible_strided_t, "assume_divisible_strided<n,s,d>",
           ct::assume_divisible_strided<A::value, B::value, C::value>(d))
OPERATION1(aligned_nothing, "assume_aligned", ct::assume_aligned(a))
TRAIT2(nothrow, "noexcept assume_aligned", noexcept(ct::assume_aligned(std::declval<A>(), std::declval<B>())))

int main() {
    using ct::integral_constant;
    using divisors = list<ic<1>, ic<2>, ic<16>, ic<512>, ic<1 << 30>, ic<0>, ic<3>, ic<24>, ic<-1>, ic<-16>, integral_constant<16ul>,
                          integral_constant<1l << 40>, integral_constant<true>, integral_constant<char(8)>, int, unsigned, float, ct::shape<16>>;
    using constants = list<ic<1>, ic<16>, ic<0>, ic<3>, integral_constant<16ul>>;
    using samples = join<few_numbers, list<char8_t, uchar, ulong, wchar_t, int *, const half *, volatile int *, void *, const void *, tile<int>, tile<int, 4>,
                                           tile<short, 2, 4>, tile<float, 4>, tile<bool, 4>, tile<ulong, 4>, tile<char16_t, 4>, tile<int *>,
                                           tile<int *, 4>, tile<void *, 2, 4>, tile<const half *, 4>, const int, const tile<int, 4>,
                                           tile<int, 4> &, ic<4>, plain_enum, some_class, std::nullptr_t, int **>>;
    section("aligned and divisible");
    rows_of(list<aligned, divisible>{}, samples{}, divisors{});
    rows_of(list<aligned_t, divisible_t>{}, constants{}, samples{});
    rows<aligned_nothing>(list<int *>{});
    rows<nothrow>(list<int *>{}, list<ic<16>>{});

    section("bounded");
    using bounds = list<ic<0>, ic<-1>, ic<1>, ic<127>, ic<128>, ic<-128>, ic<-129>, ic<255>, ic<256>, ic<65536>, integral_constant<2147483648l>,
                        integral_constant<-2147483649l>, integral_constant<4294967296l>, integral_constant<~0ul>, integral_constant<5u>,
                        integral_constant<true>, int, float>;
    using bounded_samples = join<integers, list<half, float, int *, tile<int>, tile<int, 4>, tile<short, 2, 4>, tile<char, 4>, tile<uchar, 4>,
                                                tile<bool, 4>, tile<float, 4>, tile<int *, 4>, const tile<int, 4>, ic<4>, plain_enum>>;
    rows_of(list<below, above>{}, bounded_samples{}, bounds{});
    rows_of(list<below_t, above_t>{}, list<ic<0>, ic<-1>, ic<128>, integral_constant<2147483648l>, integral_constant<5u>>{},
            bounded_samples{});
    using few_bounds = list<ic<-129>, ic<-1>, ic<0>, ic<127>, ic<128>, integral_constant<2147483648l>, integral_constant<5u>, integral_constant<true>, int>;
    rows<bounded>(list<int, char, uchar, unsigned, bool, tile<int, 4>, tile<short>, float>{}, few_bounds{}, few_bounds{});
    rows<bounded_t>(list<ic<-1>, ic<0>, ic<5>>{}, list<ic<0>, ic<5>, ic<300>, integral_constant<5u>>{},
                    list<int, char, uchar, bool, tile<int, 4>, tile<ulong>, half>{});

    section("blocked");
    using shapes = list<ct::shape<>, ct::shape<1>, ct::shape<2>, ct::shape<3>, ct::shape<4>, ct::shape<8>, ct::shape<0>, ct::shape<2, 4>, ct::shape<3, 5>,
                        ct::shape<2, 0>, ct::extents<int, 2>, ct::extents<unsigned long, 2, 2>, ct::shape<ct::dynamic_extent>, const ct::shape<2>, int>;
    using blocked_samples = list<int, bool, float, half, int *, void *, tile<int>, tile<int, 4>, tile<bool, 4>, tile<float, 4>, tile<e4m3, 4>, tile<int *, 4>,
                                 tile<const void *, 2, 4>, tile<short, 2, 4>, const tile<int, 4>, some_class, ic<4>>;
    rows<blocked>(blocked_samples{}, shapes{});
    rows<blocked_t>(list<ct::shape<>, ct::shape<2>, ct::shape<3>, ct::shape<0>, ct::shape<3, 5>, ct::extents<int, 2>, int>{},
                    blocked_samples{});

    section("strided");
    using strided_samples = list<int, int *, tile<int>, tile<int *>, tile<int, 4>, tile<int *, 4>, tile<short, 2, 4>, tile<half *, 2, 4>,
                                 tile<float, 4>, tile<bool, 4>>;
    using steps = list<ic<1>, ic<3>, ic<0>, ic<-1>, integral_constant<2u>>;
    using dims = list<ic<0>, ic<1>, ic<2>, ic<-1>, int>;
    rows_of(list<aligned_strided, divisible_strided>{}, strided_samples{}, list<ic<16>, ic<3>>{}, steps{}, dims{});
    rows_of(list<aligned_strided_t, divisible_strided_t>{}, list<ic<16>, ic<1>, ic<3>, integral_constant<16ul>>{},
            list<ic<1>, ic<3>, ic<0>, ic<-1>>{}, list<ic<0>, ic<1>, integral_constant<0ul>>{},
            list<int *, tile<int, 4>, tile<int *, 4>, tile<short, 2, 4>, tile<half *, 2, 4>>{});

    section("strided by type");
    using sequences = list<tile<char, 4>, tile<signed char, 4>, tile<uchar, 4>, tile<short, 4>, tile<unsigned short, 4>, tile<unsigned, 4>, tile<long, 4>,
                           tile<ulong, 4>, tile<wchar_t, 4>, tile<char8_t, 4>, tile<char16_t, 4>, tile<char32_t, 4>, tile<long long, 4>,
                           tile<unsigned long long, 4>>;
    rows<divisible_strided>(sequences{}, list<ic<1>, ic<8>, integral_constant<8u>>{}, list<ic<1>, ic<2>, ic<3>>{}, list<ic<0>>{});
    rows<divisible_strided_t>(list<ic<8>>{}, list<ic<1>, ic<3>>{}, list<ic<0>>{}, sequences{});
    rows<divisible>(sequences{}, list<ic<8>>{});
}
