// SPDX-License-Identifier: Apache-2.0
// Atomic read-modify-write operations through pointer tiles: element types, values, masks, orders and scopes.
#include "table.hpp"

using namespace table;

// Order and scope as template arguments stand first in the row; "(o)" gives the order as an argument as well.
#define ATOMIC(f)                                                                                                      \
    OPERATION2(f##_0, #f, ct::f(a, b))                                                                                 \
    OPERATION3(f##_1, #f, ct::f(a, b, c))                                                                              \
    OPERATION4(f##_2, #f, ct::f(a, b, c, d))                                                                           \
    OPERATION3(f##_o, #f "<o>", ct::f<A::value>(b, c))                                                                 \
    OPERATION4(f##_os, #f "<o,s>", ct::f<A::value, B::value>(c, d))                                                    \
    OPERATION4(f##_o_o, #f "<o>(o)", ct::f<A::value>(b, c, d))                                                         \
    OPERATION5(f##_o_os, #f "<o>(o,s)", ct::f<A::value>(b, c, d, e))                                                   \
    OPERATION5(f##_os_o, #f "<o,s>(o)", ct::f<A::value, B::value>(c, d, e))                                            \
    OPERATION4(f##_m1, #f "_masked", ct::f##_masked(a, b, c, d))                                                       \
    OPERATION5(f##_m2, #f "_masked", ct::f##_masked(a, b, c, d, e))                                                    \
    OPERATION4(f##_mo, #f "_masked<o>", ct::f##_masked<A::value>(b, c, d))                                             \
    OPERATION5(f##_mos, #f "_masked<o,s>", ct::f##_masked<A::value, B::value>(c, d, e))
ATOMIC(atomic_add)
ATOMIC(atomic_sub)
ATOMIC(atomic_and)
ATOMIC(atomic_or)
ATOMIC(atomic_xor)
ATOMIC(atomic_max)
ATOMIC(atomic_min)
ATOMIC(atomic_xchg)
OPERATION3(exchange_0, "atomic_compare_exchange", ct::atomic_compare_exchange(a, b, c))
OPERATION4(exchange_1, "atomic_compare_exchange", ct::atomic_compare_exchange(a, b, c, d))
OPERATION5(exchange_2, "atomic_compare_exchange", ct::atomic_compare_exchange(a, b, c, d, e))
OPERATION4(exchange_o, "atomic_compare_exchange<o>", ct::atomic_compare_exchange<A::value>(b, c, d))
OPERATION5(exchange_os, "atomic_compare_exchange<o,s>", ct::atomic_compare_exchange<A::value, B::value>(c, d, e))
OPERATION5(exchange_o_o, "atomic_compare_exchange<o>(o)", ct::atomic_compare_exchange<A::value>(b, c, d, e))
OPERATION5(exchange_m1, "atomic_compare_exchange_masked", ct::atomic_compare_exchange_masked(a, b, c, d, e))
OPERATION5(exchange_mo, "atomic_compare_exchange_masked<o>", ct::atomic_compare_exchange_masked<A::value>(b, c, d, e))
struct exchange_m2 {
    static constexpr const char *title = "atomic_compare_exchange_masked";
    template <class A, class B, class C, class D, class E, class F>
    using type = decltype(ct::atomic_compare_exchange_masked(std::declval<A>(), std::declval<B>(), std::declval<C>(),
                                                             std::declval<D>(), std::declval<E>(), std::declval<F>()));
};

OPERATION2(bogus_order, "atomic_add<memory_order(77)>", ct::atomic_add<ct::memory_order(77)>(a, b))
OPERATION2(bogus_scope, "atomic_add<relaxed,thread_scope(77)>",
           ct::atomic_add<ct::memory_order::relaxed, ct::thread_scope(77)>(a, b))
OPERATION3(bogus_exchange, "atomic_compare_exchange<relaxed,thread_scope(77)>",
           ct::atomic_compare_exchange<ct::memory_order::relaxed, ct::thread_scope(77)>(a, b, c))

using orders = list<ct::memory_order_relaxed_t, ct::memory_order_acquire_t, ct::memory_order_release_t, ct::memory_order_acq_rel_t>;
using scopes = list<ct::thread_scope_block_t, ct::thread_scope_device_t, ct::thread_scope_system_t>;
using relaxed = ct::memory_order_relaxed_t;
using device = ct::thread_scope_device_t;
using modes = join<orders, scopes, list<ct::memory_order, ct::thread_scope, ct::round_ties_to_even_t, ic<0>, int>>;

#define EACH(suffix)                                                                                                   \
    list<atomic_add##suffix, atomic_sub##suffix, atomic_and##suffix, atomic_or##suffix, atomic_xor##suffix,            \
         atomic_max##suffix, atomic_min##suffix, atomic_xchg##suffix>
using one_of_each = list<atomic_add_1, atomic_and_1, atomic_max_1, atomic_xchg_1>;

template <class Element> void same_element() {
    rows_of(EACH(_1){}, list<tile<Element *, 4>>{}, list<tile<Element, 4>>{}, list<relaxed>{});
    row<exchange_1, tile<Element *, 4>, tile<Element, 4>, tile<Element, 4>, relaxed>();
}
template <class... Elements> void same_elements(list<Elements...>) { (same_element<Elements>(), ...); }

int main() {
    section("element types");
    same_elements(numbers{});
    rows_of(EACH(_1){}, pointers_to<join<numbers, list<const int, volatile int, void, int *, some_class, plain_enum>>>{}, list<char, bool, e4m3>{},
            list<relaxed>{});

    section("values");
    using values = join<numbers, shaped<few_numbers, 4>,
                        list<int *, tile<int *, 4>, tile<int>, tile<int, 1>, tile<int, 1, 4>, tile<int, 2, 4>, tile<char8_t, 4>, const int, std::nullptr_t, ic<1>,
                             plain_enum, some_class>>;
    rows_of(one_of_each{}, list<int *, tile<int *>, tile<int *, 4>, tile<float *, 4>, tile<half *, 4>, tile<unsigned *, 4>, tile<ulong *>, tile<double *, 2, 4>>{},
            values{}, list<relaxed>{});
    rows<exchange_1>(list<int *, tile<int *, 4>, tile<float *, 4>, tile<ulong *, 4>>{},
                     list<int, short, long, half, float, tile<int>, tile<int, 4>, tile<short, 4>, tile<long, 4>, tile<float, 4>, tile<half, 4>, tile<unsigned, 4>>{},
                     list<int, bool, tile<int, 4>, tile<bool, 4>, tile<float, 4>, tile<e4m3, 4>, tile<ulong, 4>, tile<int, 1>>{}, list<relaxed>{});

    section("orders and scopes as arguments");
    rows_of(EACH(_0){}, list<tile<int *, 4>>{}, list<tile<int, 4>>{});
    rows_of(EACH(_1){}, list<tile<int *, 4>>{}, list<tile<int, 4>>{}, modes{});
    rows_of(EACH(_2){}, list<int *>{}, list<int>{}, join<orders, list<device>>{}, join<scopes, list<ct::thread_scope, relaxed, int>>{});
    row<exchange_0, int *, int, int>();
    rows<exchange_1>(list<tile<int *, 4>>{}, list<tile<int, 4>>{}, list<tile<int, 4>>{}, modes{});
    rows<exchange_2>(list<int *>{}, list<int>{}, list<int>{}, join<orders, list<device>>{}, join<scopes, list<ct::thread_scope, relaxed, int>>{});

    section("orders and scopes as template arguments");
    rows_of(EACH(_o){}, join<orders, list<device>>{}, list<int *, tile<int *, 4>, tile<float *, 4>>{}, list<int, tile<int, 4>, tile<float, 4>>{});
    rows_of(EACH(_os){}, orders{}, join<scopes, list<relaxed>>{}, list<tile<int *, 4>>{}, list<tile<short, 4>>{});
    rows_of(list<atomic_add_o_o, atomic_xor_o_o>{}, orders{}, list<int *>{}, list<int>{}, join<orders, scopes>{});
    rows_of(list<atomic_sub_o_os, atomic_xchg_o_os>{}, orders{}, list<int *>{}, list<int>{}, orders{}, scopes{});
    rows_of(list<atomic_or_os_o, atomic_min_os_o>{}, orders{}, scopes{}, list<int *>{}, list<int>{}, orders{});
    rows<exchange_o>(join<orders, list<device>>{}, list<int *, tile<int *, 4>, tile<half *, 4>>{}, list<int, tile<int, 4>>{}, list<int, tile<char, 4>>{});
    rows<exchange_os>(orders{}, join<scopes, list<relaxed>>{}, list<int *>{}, list<int>{}, list<int>{});
    rows<exchange_o_o>(orders{}, list<int *>{}, list<int>{}, list<int>{}, join<orders, scopes>{});

    section("values that are no enumerators");
    rows_of(list<bogus_order, bogus_scope>{}, list<int *>{}, list<int>{});
    rows<bogus_exchange>(list<int *>{}, list<int>{}, list<int>{});

    section("masks");
    using masks = list<bool, int, half, e5m2, int *, tile<bool>, tile<bool, 1>, tile<bool, 4>, tile<float, 4>, tile<int *, 4>, tile<bool, 2>, tile<bool, 1, 4>,
                       tile<bool, 2, 1>, tile<bool, 2, 4>, tile<bool, 1, 1, 1>, std::nullptr_t, ic<1>, plain_enum, some_class>;
    rows_of(EACH(_m1){}, list<int *, tile<int *, 2, 4>>{}, list<int, tile<int, 2, 4>>{}, masks{}, list<relaxed>{});
    rows_of(list<atomic_add_m1, atomic_xchg_m1>{}, list<tile<float *, 4>, tile<half *, 4>>{}, list<tile<half, 4>, tile<int, 4>, float>{},
            list<bool, tile<bool, 4>>{}, modes{});
    rows_of(EACH(_m2){}, list<tile<int *, 4>>{}, list<tile<int, 4>>{}, list<bool, tile<bool, 4>>{}, orders{}, scopes{});
    rows_of(EACH(_mo){}, join<orders, list<device>>{}, list<tile<int *, 4>>{}, list<tile<int, 4>, int>{}, list<bool, tile<bool, 2>>{});
    rows_of(EACH(_mos){}, orders{}, scopes{}, list<int *>{}, list<int>{}, list<bool>{});
    rows<exchange_m1>(list<int *, tile<int *, 2, 4>>{}, list<int, tile<int, 2, 4>>{}, list<int, tile<int, 2, 4>>{}, masks{}, list<relaxed>{});
    rows<exchange_m2>(list<tile<int *, 4>>{}, list<tile<int, 4>>{}, list<tile<int, 4>>{}, list<bool, tile<bool, 4>>{}, orders{}, scopes{});
    rows<exchange_mo>(join<orders, list<device>>{}, list<tile<int *, 4>>{}, list<tile<int, 4>>{}, list<tile<int, 4>, int>{}, list<bool, tile<bool, 2>>{});
}
