// SPDX-License-Identifier: Apache-2.0
// partition_view, strided_view, gather_scatter_view: deduction, members, loads, stores and atomics.
#include "span_names.hpp"

#include <concepts>

using namespace table;

ALIAS2(partition_of, "partition_view{}", decltype(ct::partition_view{std::declval<A>(), std::declval<B>()}))
ALIAS3(strided_of, "strided_view{}", decltype(ct::strided_view{std::declval<A>(), std::declval<B>(), std::declval<C>()}))
ALIAS3(gather_of, "gather_scatter_view{}", decltype(ct::gather_scatter_view{std::declval<A>(), std::declval<B>(), std::declval<C>()}))

#define MEMBER_TYPE(id) ALIAS1(type_##id, #id, typename A::id)
MEMBER_TYPE(span_type)
MEMBER_TYPE(view_tile_type)
MEMBER_TYPE(view_shape_type)
MEMBER_TYPE(element_type)
MEMBER_TYPE(value_type)
MEMBER_TYPE(index_type)
MEMBER_TYPE(rank_type)
MEMBER_TYPE(extents_type)
MEMBER_TYPE(size_type)
OPERATION1(span_m, "span()", a.span())
OPERATION1(extents_m, "extents()", a.extents())
OPERATION1(shape_m, "shape()", a.shape())
OPERATION1(rank_m, "rank()", a.rank())
TRAIT1(trivially_copyable, "trivially_copyable", std::is_trivially_copyable_v<A>)
TRAIT1(default_constructible, "default_constructible", std::is_default_constructible_v<A>)
TRAIT1(copyable, "copyable", std::copyable<A>)

OPERATION1(load_0, "load", a.load())
OPERATION2(load_1, "load", a.load(b))
OPERATION3(load_2, "load", a.load(b, c))
OPERATION4(load_3, "load", a.load(b, c, d))
OPERATION3(load_masked_1, "load_masked", a.load_masked(b, c))
OPERATION2(load_masked_0, "load_masked", a.load_masked(b))
OPERATION4(load_masked_2, "load_masked", a.load_masked(b, c, d))
OPERATION3(load_masked_t1, "load_masked<pad>", b.template load_masked<A::value>(c))
OPERATION4(load_masked_t2, "load_masked<pad>", b.template load_masked<A::value>(c, d))
OPERATION2(store_0, "store", a.store(b))
OPERATION3(store_1, "store", a.store(b, c))
OPERATION4(store_2, "store", a.store(b, c, d))
OPERATION3(store_masked_1, "store_masked", a.store_masked(b, c))
OPERATION4(store_masked_2, "store_masked", a.store_masked(b, c, d))

OPERATION2(atomic_load_1, "atomic_load", a.atomic_load(b))
OPERATION3(atomic_load_2, "atomic_load", a.atomic_load(b, c))
OPERATION4(atomic_load_3, "atomic_load", a.atomic_load(b, c, d))
OPERATION3(atomic_load_o, "atomic_load<o>", b.template atomic_load<A::value>(c))
OPERATION4(atomic_load_os, "atomic_load<o,s>", c.template atomic_load<A::value, B::value>(d))
OPERATION4(atomic_load_masked_2, "atomic_load_masked", a.atomic_load_masked(b, c, d))
OPERATION5(atomic_load_masked_3, "atomic_load_masked", a.atomic_load_masked(b, c, d, e))
OPERATION4(atomic_load_masked_po, "atomic_load_masked<pad,o>", c.template atomic_load_masked<A::value, B::value>(d))
OPERATION5(atomic_load_masked_pos, "atomic_load_masked<pad,o,s>", d.template atomic_load_masked<A::value, B::value, C::value>(e))
OPERATION4(atomic_store_2, "atomic_store", a.atomic_store(b, c, d))
OPERATION5(atomic_store_3, "atomic_store", a.atomic_store(b, c, d, e))
OPERATION4(atomic_store_o, "atomic_store<o>", b.template atomic_store<A::value>(c, d))
OPERATION5(atomic_store_os, "atomic_store<o,s>", c.template atomic_store<A::value, B::value>(d, e))
OPERATION4(atomic_store_masked_2, "atomic_store_masked", a.atomic_store_masked(b, c, d))
OPERATION5(atomic_store_masked_3, "atomic_store_masked", a.atomic_store_masked(b, c, d, e))
OPERATION4(atomic_store_masked_o, "atomic_store_masked<o>", b.template atomic_store_masked<A::value>(c, d))
#define ATOMIC(f)                                                                                                      \
    OPERATION4(f##_2, #f, a.f(b, c, d))                                                                                \
    OPERATION5(f##_3, #f, a.f(b, c, d, e))                                                                             \
    OPERATION4(f##_o, #f "<o>", b.template f<A::value>(c, d))                                                          \
    OPERATION5(f##_os, #f "<o,s>", c.template f<A::value, B::value>(d, e))
ATOMIC(atomic_add)
ATOMIC(atomic_sub)
ATOMIC(atomic_and)
ATOMIC(atomic_or)
ATOMIC(atomic_xor)
ATOMIC(atomic_max)
ATOMIC(atomic_min)
ATOMIC(atomic_xchg)
ATOMIC(atomic_compare_exchange)
ATOMIC(atomic_add_masked)
#define EACH(suffix)                                                                                                   \
    list<atomic_add##suffix, atomic_sub##suffix, atomic_and##suffix, atomic_or##suffix, atomic_xor##suffix,            \
         atomic_max##suffix, atomic_min##suffix, atomic_xchg##suffix, atomic_compare_exchange##suffix, atomic_add_masked##suffix>

OPERATION2(load_bogus_order, "atomic_load<memory_order(77)>", a.template atomic_load<ct::memory_order(77)>(b))
OPERATION2(load_bogus_scope, "atomic_load<relaxed,thread_scope(77)>",
           a.template atomic_load<ct::memory_order::relaxed, ct::thread_scope(77)>(b))
OPERATION3(store_bogus_scope, "atomic_store<relaxed,thread_scope(77)>",
           a.template atomic_store<ct::memory_order::relaxed, ct::thread_scope(77)>(b, c))
OPERATION2(load_bogus_padding, "load_masked<view_padding(77)>", a.template load_masked<ct::view_padding(77)>(b))

using relaxed = ct::memory_order_relaxed_t;
using device = ct::thread_scope_device_t;
using orders = list<ct::memory_order_relaxed_t, ct::memory_order_acquire_t, ct::memory_order_release_t, ct::memory_order_acq_rel_t>;
using scopes = list<ct::thread_scope_block_t, ct::thread_scope_device_t, ct::thread_scope_system_t>;
using paddings = list<ct::view_padding_zero_t, ct::view_padding_negative_zero_t, ct::view_padding_positive_inf_t, ct::view_padding_negative_inf_t, ct::view_padding_nan_t>;

template <class E> using partition_1 = ct::partition_view<span<E, dyn>, ct::shape<4>>;
template <class E> using strided_1 = ct::strided_view<span<E, dyn>, ct::shape<4>, ct::strides<unsigned, 3>>;
template <class E> using gather_1 = ct::gather_scatter_view<span<E, dyn>, ct::shape<4>, 0>;
template <class E> using partition_2 = ct::partition_view<span<E, dyn, 8>, ct::shape<2, 4>>;
template <class E> using gather_2 = ct::gather_scatter_view<span<E, dyn, 8>, ct::shape<2, 4>, 0>;
template <class E> using gather_2b = ct::gather_scatter_view<span<E, dyn, 8>, ct::shape<2, 4>, 1>;

template <template <class> class View, class Elements> struct viewing;
template <template <class> class View, class... E> struct viewing<View, list<E...>> {
    using type = list<View<E>...>;
};
template <template <class> class View, class Elements> using views_of = typename viewing<View, Elements>::type;

int main() {
    using e = ct::shape<4, 8>;
    section("deduction");
    using spans = list<span<float>, span<float, 4>, span<const half, 4, 8>, span<int, dyn, dyn>, span_left<float, 4, 8>, span<volatile int, 4>, span<int *, 4>,
                       ct::tensor_span<bool, ct::extents<long, dyn>>, const span<float, 4>, span<float, 4> &, float *, e, int>;
    using shapes = list<ct::shape<>, ct::shape<2>, ct::shape<3>, ct::shape<0>, ct::shape<2, 4>, ct::shape<2, 2, 2>, ct::shape<dyn>, ct::extents<int, 2>, int>;
    rows<partition_of>(spans{}, shapes{});
    rows<strided_of>(list<span<float>, span<float, 4>, span<const half, 4, dyn>>{}, list<ct::shape<>, ct::shape<2>, ct::shape<2, 4>, ct::shape<3, 4>>{},
                     list<ct::strides<unsigned>, ct::strides<unsigned, 3>, ct::strides<int, 1, 5>, ct::strides<unsigned, 0>, ct::strides<unsigned, 1, 0>, ct::strides<unsigned, ct::dynamic_stride>, ct::shape<3>, int>{});
    // The strides have the index type of the span.
    rows<strided_of>(list<span<float, 4>, ct::tensor_span<float, ct::extents<int, 4>>, ct::tensor_span<float, ct::extents<long, dyn>>>{}, list<ct::shape<2>>{},
                     list<ct::strides<unsigned, 3>, ct::strides<int, 3>, ct::strides<long, 3>, ct::strides<unsigned long, 3>, ct::strides<short, 3>>{});
    rows<strided_of>(list<span<float, 4, dyn>, span_left<const half, 4, 8>>{}, list<ct::shape<2, 4>>{}, list<ct::strides<unsigned, 1, 5>, ct::strides<unsigned, 5, 1>, ct::strides<int, 1, 5>>{});
    rows<gather_of>(list<span<float>, span<float, 4>, span<const half, 4, dyn>>{}, list<ct::shape<>, ct::shape<2>, ct::shape<2, 4>, ct::shape<3, 4>>{},
                    list<ic<0>, ic<1>, ic<2>, ic<-1>, ct::integral_constant<0ul>, ct::integral_constant<false>, int, unsigned>{});

    section("members");
    using views = list<ct::partition_view<span<float>, ct::shape<>>, partition_1<float>, partition_2<const half>, strided_1<int>, gather_1<bool>, gather_2<float>, const partition_1<int>>;
    rows_of(list<type_span_type, type_view_tile_type, type_view_shape_type, type_element_type, type_value_type, type_index_type, type_rank_type, type_extents_type, type_size_type, span_m,
                 extents_m, shape_m, rank_m, trivially_copyable, default_constructible, copyable>{},
            views{});

    section("load and indices");
    using indices = join<numbers, list<ic<1>, plain_enum, scoped_enum, tile<int>, tile<int, 1>, tile<int, 4>, tile<int, 2>, tile<long, 4>, tile<float, 4>, tile<bool, 4>, tile<half, 4>, tile<e4m3, 4>, tile<tf32, 4>, tile<int *, 4>,
                                       tile<int, 1, 4>, int *, some_class, __int128, const int>>;
    rows<load_1>(list<partition_1<float>, strided_1<float>, gather_1<float>, partition_1<const float>>{}, indices{});
    rows<load_2>(list<partition_2<float>, gather_2<float>, gather_2b<const half>, partition_1<float>>{}, list<int, float, tile<int>, tile<int, 2>, tile<int, 4>, ic<0>>{}, list<int, bool, half, tile<int, 2>, tile<float, 4>>{});
    rows<load_0>(views{});
    rows<load_3>(list<partition_2<float>, gather_2<float>>{}, list<int>{}, list<int>{}, list<int>{});
    using elements = join<numbers, list<int *, const int, volatile int, const volatile float>>;
    rows<load_1>(views_of<partition_1, elements>{}, list<int>{});
    rows<load_1>(views_of<gather_1, elements>{}, list<tile<int, 4>>{});

    section("load_masked and padding");
    rows<load_masked_0>(views_of<partition_1, elements>{}, list<int>{});
    rows<load_masked_1>(views_of<partition_1, numbers>{}, paddings{}, list<int>{});
    rows<load_masked_t1>(paddings{}, views_of<partition_1, numbers>{}, list<int>{});
    rows<load_masked_1>(list<strided_1<float>, gather_1<float>, partition_2<half>>{}, join<paddings, list<int, relaxed, ct::view_padding>>{}, list<int, tile<int, 4>>{});
    rows<load_masked_2>(list<partition_2<int>, gather_2<float>, partition_1<float>>{}, list<ct::view_padding_zero_t, ct::view_padding_nan_t, int>{}, list<int, tile<int, 2>>{}, list<int, tile<int, 4>>{});
    rows<load_masked_t2>(list<ct::view_padding_zero_t, relaxed>{}, list<partition_2<int>, gather_2<float>>{}, list<int, tile<int, 2>>{}, list<int>{});

    section("store and store_masked");
    using stored = list<int, float, half, tile<int>, tile<int, 1>, tile<bool, 4>, tile<short, 4>, tile<int, 4>, tile<long, 4>, tile<half, 4>, tile<float, 4>, tile<double, 4>, tile<e4m3, 4>,
                        tile<int *, 4>, tile<int, 1, 4>, tile<int, 2>, const tile<int, 4>, some_class, ic<1>>;
    rows_of(list<store_1, store_masked_1>{}, list<partition_1<int>, partition_1<float>, partition_1<const float>, partition_1<half>, partition_1<e4m3>, strided_1<float>, partition_1<volatile int>, partition_1<int *>>{}, stored{}, list<int>{});
    rows_of(list<store_1, store_masked_1>{}, list<gather_1<float>, gather_1<const float>>{}, stored{}, list<tile<int, 4>>{});
    rows<store_1>(list<partition_1<int>, gather_1<int>>{}, list<tile<int, 4>>{}, indices{});
    rows_of(list<store_2, store_masked_2>{}, list<partition_2<float>, gather_2<float>>{}, list<tile<float, 2, 4>, tile<float, 4, 2>, tile<float, 4>>{}, list<int, tile<int, 2>>{}, list<int, half, ic<0>>{});
    row<store_0, ct::partition_view<span<float>, ct::shape<>>, tile<float>>();
    row<store_0, ct::partition_view<span<float>, ct::shape<>>, float>();

    section("atomic_load and atomic_store");
    using modes = join<orders, scopes, list<int, ct::memory_order>>;
    using three = list<partition_1<float>, strided_1<int>, partition_1<const half>>;
    rows<atomic_load_1>(three{}, list<int, relaxed>{});
    rows<atomic_load_2>(three{}, modes{}, list<int, tile<int, 4>>{});
    rows<atomic_load_2>(list<gather_1<float>>{}, modes{}, list<int, tile<int, 4>>{});
    rows<atomic_load_3>(list<partition_1<float>, gather_1<float>>{}, orders{}, join<scopes, list<relaxed>>{}, list<int, tile<int, 4>>{});
    rows<atomic_load_2>(views_of<partition_1, elements>{}, list<relaxed>{}, list<int>{});
    rows<atomic_load_o>(join<orders, list<device>>{}, list<partition_1<float>, gather_1<float>>{}, list<int, tile<int, 4>>{});
    rows<atomic_load_os>(orders{}, join<scopes, list<relaxed>>{}, list<partition_1<float>>{}, list<int>{});
    rows<atomic_load_masked_2>(list<partition_1<float>, partition_1<int>, gather_1<float>>{}, join<paddings, orders, list<int>>{}, join<orders, list<int>>{}, list<int, tile<int, 4>>{});
    rows<atomic_load_masked_3>(list<partition_1<float>, gather_1<int>>{}, list<ct::view_padding_zero_t, ct::view_padding_nan_t>{}, orders{}, scopes{}, list<int, tile<int, 4>>{});
    rows<atomic_load_masked_po>(list<ct::view_padding_zero_t, ct::view_padding_nan_t, relaxed>{}, orders{}, list<partition_1<float>, partition_1<int>>{}, list<int>{});
    rows<atomic_load_masked_pos>(list<ct::view_padding_zero_t, ct::view_padding_nan_t>{}, orders{}, scopes{}, list<partition_1<half>>{}, list<int>{});
    rows_of(list<atomic_store_2, atomic_store_masked_2>{}, list<partition_1<float>, partition_1<const float>, gather_1<int>>{}, list<tile<int, 4>, tile<half, 4>, tile<float, 4>, float>{}, join<orders, list<device>>{}, list<int, tile<int, 4>>{});
    rows_of(list<atomic_store_3, atomic_store_masked_3>{}, list<partition_1<float>, gather_1<int>>{}, list<tile<float, 4>, tile<int, 4>>{}, orders{}, scopes{}, list<int, tile<int, 4>>{});
    rows_of(list<atomic_store_o, atomic_store_masked_o>{}, orders{}, list<partition_1<float>, gather_1<float>>{}, list<tile<float, 4>>{}, list<int, tile<int, 4>>{});
    rows<atomic_store_os>(orders{}, scopes{}, list<partition_1<float>>{}, list<tile<float, 4>>{}, list<int>{});

    section("values that are no enumerators");
    rows_of(list<load_bogus_order, load_bogus_scope, load_bogus_padding>{}, list<partition_1<float>, partition_1<int>>{}, list<int>{});
    rows<store_bogus_scope>(list<partition_1<float>>{}, list<tile<float, 4>>{}, list<int>{});

    section("atomic read-modify-write");
    rows_of(EACH(_3){}, list<partition_1<int>>{}, list<tile<int, 4>>{}, orders{}, scopes{}, list<int>{});
    rows_of(EACH(_3){}, list<partition_1<bool>, partition_1<short>, partition_1<int>, partition_1<unsigned>, partition_1<char32_t>, partition_1<long>, partition_1<ulong>, partition_1<half>, partition_1<bf16>, partition_1<e4m3>,
                             partition_1<tf32>, partition_1<float>, partition_1<double>, partition_1<const int>, strided_1<int>, strided_1<float>, gather_1<int>>{},
            list<tile<bool, 4>, tile<e4m3, 4>>{}, list<relaxed>{}, list<device>{}, list<int>{});
    rows_of(list<atomic_add_3, atomic_max_3>{}, list<partition_1<int>, partition_1<float>, partition_1<half>, strided_1<long>>{}, stored{}, list<relaxed>{}, list<device>{}, list<int>{});
    rows_of(list<atomic_add_3>{}, list<partition_1<int>, gather_1<int>>{}, list<tile<int, 4>>{}, list<relaxed>{}, list<device>{}, indices{});
    rows_of(EACH(_2){}, list<partition_1<int>>{}, list<tile<int, 4>>{}, orders{}, list<int, device>{});
    rows_of(list<atomic_add_o, atomic_xor_o>{}, orders{}, list<partition_1<int>>{}, list<tile<int, 4>>{}, list<int>{});
    rows_of(list<atomic_add_os, atomic_xor_os>{}, orders{}, scopes{}, list<partition_1<int>>{}, list<tile<int, 4>>{}, list<int>{});
}
