// SPDX-License-Identifier: Apache-2.0
// Loads and stores through pointer tiles: plain, masked and atomic. Orders and scopes as arguments and as template
// arguments.
#include "table.hpp"

using namespace table;

OPERATION1(load_, "load", ct::load(a))
OPERATION2(load_masked_, "load_masked", ct::load_masked(a, b))
OPERATION3(load_padded, "load_masked", ct::load_masked(a, b, c))
OPERATION2(store_, "store", ct::store(a, b))
OPERATION3(store_masked_, "store_masked", ct::store_masked(a, b, c))

OPERATION1(atomic_load_0, "atomic_load", ct::atomic_load(a))
OPERATION2(atomic_load_1, "atomic_load", ct::atomic_load(a, b))
OPERATION3(atomic_load_2, "atomic_load", ct::atomic_load(a, b, c))
OPERATION3(atomic_load_masked_1, "atomic_load_masked", ct::atomic_load_masked(a, b, c))
OPERATION4(atomic_load_masked_2, "atomic_load_masked", ct::atomic_load_masked(a, b, c, d))
OPERATION5(atomic_load_padded_2, "atomic_load_masked", ct::atomic_load_masked(a, b, c, d, e))
OPERATION3(atomic_store_1, "atomic_store", ct::atomic_store(a, b, c))
OPERATION4(atomic_store_2, "atomic_store", ct::atomic_store(a, b, c, d))
OPERATION4(atomic_store_masked_1, "atomic_store_masked", ct::atomic_store_masked(a, b, c, d))
OPERATION5(atomic_store_masked_2, "atomic_store_masked", ct::atomic_store_masked(a, b, c, d, e))

// Order and scope as template arguments stand first in the row; "(o)" and "(o,s)" give them as arguments as well.
OPERATION2(atomic_load_o, "atomic_load<o>", ct::atomic_load<A::value>(b))
OPERATION3(atomic_load_os, "atomic_load<o,s>", ct::atomic_load<A::value, B::value>(c))
OPERATION3(atomic_load_o_o, "atomic_load<o>(o)", ct::atomic_load<A::value>(b, c))
OPERATION4(atomic_load_o_os, "atomic_load<o>(o,s)", ct::atomic_load<A::value>(b, c, d))
OPERATION5(atomic_load_os_os, "atomic_load<o,s>(o,s)", ct::atomic_load<A::value, B::value>(c, d, e))
OPERATION3(atomic_load_o_braces, "atomic_load<o>({},s)", ct::atomic_load<A::value>(b, {}, c))
OPERATION3(atomic_load_masked_o, "atomic_load_masked<o>", ct::atomic_load_masked<A::value>(b, c))
OPERATION4(atomic_load_masked_os, "atomic_load_masked<o,s>", ct::atomic_load_masked<A::value, B::value>(c, d))
OPERATION4(atomic_load_padded_o, "atomic_load_masked<o>", ct::atomic_load_masked<A::value>(b, c, d))
OPERATION5(atomic_load_padded_os, "atomic_load_masked<o,s>", ct::atomic_load_masked<A::value, B::value>(c, d, e))
OPERATION3(atomic_store_o, "atomic_store<o>", ct::atomic_store<A::value>(b, c))
OPERATION4(atomic_store_os, "atomic_store<o,s>", ct::atomic_store<A::value, B::value>(c, d))
OPERATION4(atomic_store_o_o, "atomic_store<o>(o)", ct::atomic_store<A::value>(b, c, d))
OPERATION4(atomic_store_masked_o, "atomic_store_masked<o>", ct::atomic_store_masked<A::value>(b, c, d))
OPERATION5(atomic_store_masked_os, "atomic_store_masked<o,s>", ct::atomic_store_masked<A::value, B::value>(c, d, e))

OPERATION1(load_bogus_order, "atomic_load<memory_order(77)>", ct::atomic_load<ct::memory_order(77)>(a))
OPERATION1(load_bogus_scope, "atomic_load<relaxed,thread_scope(77)>",
           ct::atomic_load<ct::memory_order::relaxed, ct::thread_scope(77)>(a))
OPERATION2(store_bogus_order, "atomic_store<memory_order(77)>", ct::atomic_store<ct::memory_order(77)>(a, b))
OPERATION2(store_bogus_scope, "atomic_store<relaxed,thread_scope(77)>",
           ct::atomic_store<ct::memory_order::relaxed, ct::thread_scope(77)>(a, b))

TRAIT1(nothrow_load, "noexcept load", noexcept(ct::load(std::declval<A>())))

using orders = list<ct::memory_order_relaxed_t, ct::memory_order_acquire_t, ct::memory_order_release_t, ct::memory_order_acq_rel_t>;
using scopes = list<ct::thread_scope_block_t, ct::thread_scope_device_t, ct::thread_scope_system_t>;
using relaxed = ct::memory_order_relaxed_t;
using device = ct::thread_scope_device_t;
using modes = join<orders, scopes, list<ct::memory_order, ct::thread_scope, ct::round_ties_to_even_t, ic<0>, int>>;

int main() {
    using pointees = join<numbers, list<const int, volatile int, const volatile int, const half, void, const void, int *, some_class,
                                        plain_enum, __int128, std::byte>>;
    using pointers = join<pointers_to<pointees>, shaped<pointers_to<join<numbers, list<const int, volatile int, const half, void, const void>>>, 4>,
                          list<tile<int *>, tile<const float *, 1>, tile<e4m3 *, 2, 4>, const tile<int *, 4>, int *const, tile<int *, 4> &, tile<int, 4>,
                               int, std::nullptr_t, some_class, ic<4>>>;
    section("load");
    rows<load_>(pointers{});
    rows<nothrow_load>(list<int *, tile<half *, 4>>{});

    section("masks");
    using masked = list<int *, tile<int *>, tile<float *, 4>, tile<half *, 2, 4>, tile<void *, 4>>;
    using masks = join<shaped<numbers, 4>, numbers,
                       list<int *, tile<int *, 4>, tile<bool>, tile<bool, 1>, tile<bool, 2>, tile<bool, 1, 4>, tile<bool, 2, 1>, tile<int, 2, 4>,
                            tile<bool, 1, 1, 1>, const tile<bool, 4>, std::nullptr_t, ic<1>, plain_enum, some_class>>;
    rows<load_masked_>(masked{}, masks{});
    rows<store_masked_>(list<tile<int *, 4>>{}, list<tile<int, 4>>{}, masks{});

    section("padding");
    using paddings = join<numbers, shaped<few_numbers, 4>,
                          list<int *, tile<int *, 4>, tile<int>, tile<float>, tile<int, 1>, tile<int, 2>, tile<int, 1, 4>, tile<int, 2, 1>, tile<int, 2, 4>,
                               tile<int, 1, 1, 1>, const int, std::nullptr_t, ic<1>, plain_enum, some_class>>;
    rows<load_padded>(list<int *, tile<int *, 4>, tile<float *, 4>, tile<half *, 2, 4>, tile<e4m3 *, 4>, tile<bool *, 4>, tile<double *, 4>, tile<char *>>{},
                      list<bool>{}, paddings{});
    rows<load_padded>(list<tile<int *, 4>, tile<float *, 2, 4>>{}, list<tile<bool, 1>, tile<int, 2, 1>>{}, list<int, tile<int, 4>, tile<int, 2, 1>>{});

    section("store");
    using values = join<numbers, shaped<few_numbers, 4>,
                        list<int *, tile<int *, 4>, tile<int>, tile<float>, tile<int, 1>, tile<int, 1, 4>, tile<int, 2, 4>, tile<float, 2, 4>,
                             const int, const tile<int, 4>, std::nullptr_t, ic<1>, plain_enum, some_class>>;
    rows<store_>(list<int *, tile<int *>, tile<int *, 1>, tile<int *, 4>, tile<float *, 4>, tile<half *, 4>, tile<e4m3 *, 4>, tile<bool *, 4>,
                      tile<double *, 2, 4>, tile<long *, 4>, half *>{},
                 values{});
    rows<store_>(pointers{}, list<int, half, tile<int, 4>, tile<half, 4>>{});
    rows<store_masked_>(list<int *, tile<int *>, tile<int *, 4>, tile<float *, 2, 4>, tile<const int *, 4>>{},
                        list<int, tile<int>, tile<short, 4>, tile<int, 4>, tile<half, 2, 4>, tile<long, 4>>{},
                        list<bool, tile<int>, tile<half, 1>, tile<bool, 4>, tile<bool, 2, 1>, int *>{});

    section("atomic_load: element types, orders, scopes");
    rows<atomic_load_0>(list<int *, tile<int *, 4>>{});
    rows<atomic_load_1>(pointers{}, list<relaxed>{});
    rows<atomic_load_1>(list<int *, tile<half *, 4>>{}, modes{});
    rows<atomic_load_2>(list<int *, tile<half *, 4>, tile<const int *>>{}, join<orders, list<device, int>>{}, modes{});
    rows<atomic_load_o>(orders{}, list<int *, tile<int *, 4>, tile<const bool *, 4>, tile<void *, 4>, tile<volatile int *>>{});
    rows<atomic_load_os>(join<orders, list<device>>{}, join<scopes, list<relaxed>>{}, list<tile<int *, 4>>{});
    rows<atomic_load_o_o>(orders{}, list<tile<int *, 4>>{}, join<orders, scopes>{});
    rows<atomic_load_o_os>(list<relaxed, ct::memory_order_acquire_t>{}, list<int *>{}, orders{}, scopes{});
    rows<atomic_load_os_os>(list<relaxed>{}, scopes{}, list<int *>{}, list<relaxed, ct::memory_order_acquire_t>{}, scopes{});
    rows<atomic_load_o_braces>(orders{}, list<int *>{}, join<scopes, list<relaxed>>{});

    section("values that are no enumerators");
    rows_of(list<load_bogus_order, load_bogus_scope>{}, list<int *, tile<int *, 4>>{});
    rows_of(list<store_bogus_order, store_bogus_scope>{}, list<int *>{}, list<int>{});

    section("atomic_load_masked");
    rows<atomic_load_masked_1>(masked{}, list<bool, tile<bool>, tile<half, 4>, tile<bool, 2, 1>, tile<int *, 1>, tile<bool, 1, 1, 1>>{}, modes{});
    rows<atomic_load_masked_2>(list<int *, tile<float *, 4>>{}, list<bool, tile<bool, 4>>{},
                               join<orders, list<int, device>>{}, join<scopes, orders>{});
    rows<atomic_load_padded_2>(list<tile<float *, 4>>{}, list<bool, tile<bool, 4>>{}, paddings{}, list<relaxed>{}, list<device>{});
    rows<atomic_load_padded_2>(list<tile<int *, 2, 4>>{}, list<tile<bool, 4>>{}, list<int, tile<short, 2, 1>, tile<long, 4>>{}, orders{}, scopes{});
    rows<atomic_load_masked_2>(list<tile<int *, 2, 4>>{}, list<tile<bool, 4>>{}, list<int, tile<short, 2, 1>, float>{}, orders{});
    rows<atomic_load_masked_o>(orders{}, list<int *, tile<int *, 4>>{}, list<bool, tile<int, 4>, tile<int, 1, 4>>{});
    rows<atomic_load_masked_os>(orders{}, scopes{}, list<tile<int *, 4>>{}, list<bool>{});
    rows<atomic_load_padded_o>(orders{}, list<tile<half *, 4>>{}, list<bool, tile<bool, 4>>{}, list<half, float, tile<e4m3, 4>, relaxed>{});
    rows<atomic_load_padded_os>(orders{}, scopes{}, list<tile<half *, 4>>{}, list<bool>{}, list<half, int>{});

    section("atomic_store");
    rows<atomic_store_1>(list<tile<int *, 4>>{}, list<tile<int, 4>>{}, modes{});
    rows<atomic_store_1>(list<int *, tile<int *>, tile<int *, 4>, tile<float *, 4>, tile<half *, 4>, tile<e4m3 *, 4>, tile<bool *, 4>,
                              tile<double *, 2, 4>, tile<const int *, 4>, tile<char *, 4>, tile<tf32 *, 4>, tile<volatile int *, 4>>{},
                         values{}, list<relaxed>{});
    rows<atomic_store_2>(list<int *, tile<float *, 4>>{}, list<int, tile<half, 4>>{}, join<orders, list<device>>{}, modes{});
    rows<atomic_store_o>(orders{}, list<int *, tile<int *, 4>, tile<const int *, 4>>{}, list<int, tile<int, 4>, tile<float, 4>>{});
    rows<atomic_store_os>(orders{}, scopes{}, list<tile<int *, 4>>{}, list<tile<int, 4>>{});
    rows<atomic_store_o_o>(orders{}, list<int *>{}, list<int>{}, join<orders, scopes>{});
    rows<atomic_store_masked_1>(list<int *, tile<half *, 2, 4>>{}, list<int, tile<half, 2, 4>>{},
                                list<bool, tile<bool, 4>, tile<int *, 2, 1>, tile<bool, 1, 1, 1>>{}, join<orders, list<device>>{});
    rows<atomic_store_masked_2>(list<int *, tile<half *, 2, 4>>{}, list<int, tile<half, 2, 4>>{}, list<bool, tile<bool, 4>>{},
                                join<orders, list<device>>{}, scopes{});
    rows<atomic_store_masked_o>(orders{}, list<tile<int *, 4>>{}, list<tile<int, 4>, tile<float, 4>>{}, list<bool, tile<bool, 2>>{});
    rows<atomic_store_masked_os>(orders{}, scopes{}, list<tile<int *, 4>>{}, list<tile<int, 4>>{}, list<bool>{});
}
