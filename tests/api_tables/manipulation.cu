// SPDX-License-Identifier: Apache-2.0
// Functions that rearrange or reinterpret tiles: reshape broadcast permute transpose cat extract select element_cast
// element_bitcast, and dimension_map.
#include "table.hpp"

using namespace table;

template <std::size_t... Dims> struct table::naming<ct::dimension_map<Dims...>> {
    static void put() {
        std::printf("map(");
        constexpr int dims[sizeof...(Dims) + 1] = {int(Dims)..., 0};
        for (std::size_t i = 0; i < sizeof...(Dims); ++i) std::printf(i == 0 ? "%d" : ",%d", dims[i]);
        std::printf(")");
    }
};

OPERATION2(reshape_, "reshape", ct::reshape(a, b))
ALIAS2(reshape_t, "reshape<S>", decltype(ct::reshape<A>(std::declval<B>())))
OPERATION2(broadcast_, "broadcast", ct::broadcast(a, b))
ALIAS2(broadcast_t, "broadcast<S>", decltype(ct::broadcast<A>(std::declval<B>())))
OPERATION2(permute_, "permute", ct::permute(a, b))
ALIAS2(permute_t, "permute<M>", decltype(ct::permute<A>(std::declval<B>())))
OPERATION1(transpose_, "transpose", ct::transpose(a))
ALIAS1(transposed, "tile_transpose_t", ct::tile_transpose_t<A>)
ALIAS2(permuted, "tile_permutation_t", ct::tile_permutation_t<A, B>)
OPERATION3(cat_, "cat", ct::cat(a, b, c))
OPERATION3(cat_t, "cat<D>", ct::cat<A::value>(b, c))
OPERATION2(cat_default, "cat", ct::cat(a, b))
OPERATION2(extract_0, "extract", ct::extract(a, b))
OPERATION3(extract_1, "extract", ct::extract(a, b, c))
OPERATION4(extract_2, "extract", ct::extract(a, b, c, d))
ALIAS2(extract_t0, "extract<S>", decltype(ct::extract<A>(std::declval<B>())))
ALIAS3(extract_t1, "extract<S>", decltype(ct::extract<A>(std::declval<B>(), std::declval<C>())))
OPERATION4(extract_t2, "extract<S>", ct::extract<A>(b, c, d))
OPERATION3(select_, "select", ct::select(a, b, c))
ALIAS2(element_cast_, "element_cast<E>", decltype(ct::element_cast<A>(std::declval<B>())))
ALIAS2(element_bitcast_, "element_bitcast<E>", decltype(ct::element_bitcast<A>(std::declval<B>())))

template <class... A> using map_from = decltype(ct::dimension_map{std::declval<A>()...});
ALIAS1(map_1, "dimension_map{}", map_from<A>)
ALIAS2(map_2, "dimension_map{}", map_from<A, B>)
ALIAS3(map_3, "dimension_map{}", map_from<A, B, C>)
template <class, std::size_t... Dims> constexpr bool is_map = requires { typename ct::dimension_map<Dims...>; };

struct to_int {
    operator int() const;
};
SHORT_NAME(to_int, "to_int")

int main() {
    using sources =
        list<int, half, int *, tile<int>, tile<e4m3>, tile<int, 1>, tile<int, 4>, tile<float, 2, 4>, tile<int, 4, 1>, tile<bool, 8>,
             tile<int *, 4>, tile<tf32, 2, 2, 2>, tile<const int *, 1, 4>, const tile<int, 4>, const int, tile<int, 4> &,
             some_class, ic<4>, plain_enum, std::nullptr_t, tile<int, 1 << 13>>;
    using shapes = list<ct::shape<>, ct::shape<1>, ct::shape<4>, ct::shape<8>, ct::shape<2, 4>, ct::shape<4, 2>, ct::shape<2, 2>,
                        ct::shape<1, 4>, ct::shape<4, 1>, ct::shape<1, 1, 1>, ct::shape<2, 2, 2>, ct::shape<3>, ct::shape<0>,
                        ct::shape<1 << 12, 1 << 13>, ct::shape<2, ct::dynamic_extent>, ct::extents<int, 4>,
                        ct::extents<unsigned long, 4>, const ct::shape<4>, ct::shape<4> &, int, tile<int, 4>>;
    section("reshape and broadcast");
    rows_of(list<reshape_, broadcast_>{}, sources{}, shapes{});
    rows_of(list<reshape_t, broadcast_t>{}, shapes{}, list<int, tile<float, 4>, tile<int, 2, 4>, tile<e4m3, 1>, tile<int *>>{});
    rows<reshape_t>(list<ct::shape<4>>{}, shaped<numbers, 4>{});
    rows<broadcast_t>(list<ct::shape<4, 4>>{}, join<shaped<numbers, 4>, numbers>{});

    section("dimension_map");
    using indices = list<ic<0>, ic<1>, ic<2>, ic<-1>, ct::integral_constant<0ul>, ct::integral_constant<false>, int, unsigned>;
    rows<map_1>(indices{});
    rows<map_2>(indices{}, indices{});
    rows<map_3>(list<ic<0>, ic<2>, ic<3>>{}, list<ic<0>, ic<1>>{}, list<ic<1>, ic<2>, int>{});
    FACT(is_map<void>);
    FACT(is_map<void, 0>);
    FACT(is_map<void, 1>);
    FACT(is_map<void, 0, 1>);
    FACT(is_map<void, 1, 0>);
    FACT(is_map<void, 0, 0>);
    FACT(is_map<void, 0, 2>);
    FACT(is_map<void, 2, 0, 1>);
    FACT(is_map<void, 3, 2, 1, 0>);
    FACT(is_map<void, std::size_t(-1)>);

    section("permute and transpose");
    using maps = list<ct::dimension_map<>, ct::dimension_map<0>, ct::dimension_map<0, 1>, ct::dimension_map<1, 0>,
                      ct::dimension_map<0, 1, 2>, ct::dimension_map<2, 0, 1>, ct::dimension_map<1, 2, 0>,
                      ct::dimension_map<2, 1, 0>, ct::dimension_map<3, 0, 2, 1>, ct::shape<0, 1>, int, const ct::dimension_map<1, 0>>;
    using permutables = list<int, tile<int>, tile<float, 4>, tile<int, 2, 4>, tile<int, 2, 4, 8>, tile<half *, 2, 4>,
                             tile<e5m2, 2, 4, 8>, tile<bool, 2, 4, 8, 16>, const tile<int, 2, 4>, some_class, ic<4>>;
    rows_of(list<permute_, permuted>{}, permutables{}, maps{});
    rows<permute_t>(maps{}, permutables{});
    rows_of(list<transpose_, transposed>{},
            join<shaped<numbers, 2, 4>, permutables, list<tile<int, 1>, tile<int, 2, 1>, int *, const int, tile<int, 2, 4> &>>{});

    section("cat");
    using dims = list<ic<0>, ic<1>, ic<2>, ic<-1>, ct::integral_constant<1u>, ct::integral_constant<false>, int, unsigned>;
    using parts = list<int, tile<int>, tile<int, 1>, tile<int, 4>, tile<int, 2, 4>, tile<int, 2, 8>, tile<int, 4, 4>,
                       tile<float, 2, 4>, const tile<int, 2, 4>>;
    rows<cat_>(parts{}, parts{}, dims{});
    rows<cat_t>(list<ic<0>, ic<1>, ic<2>, ic<-1>, ct::integral_constant<1u>, ct::integral_constant<false>>{}, parts{},
                list<tile<int, 2, 4>, tile<int, 4>>{});
    rows<cat_t>(list<ic<0>>{}, shaped<numbers, 4>{}, shaped<list<int, float, int *>, 4>{});
    rows<cat_default>(list<tile<int, 4>>{}, list<tile<int, 4>>{});
    row<cat_, tile<half *, 2, 4>, tile<half *, 2, 4>, ic<1>>();
    row<cat_, tile<e4m3, 2, 4>, tile<e4m3, 2, 4>, ic<1>>();
    row<cat_, tile<int, 1 << 23>, tile<int, 1 << 23>, ic<0>>();
    row<cat_, tile<int, 1 << 24>, tile<int, 1 << 24>, ic<0>>();

    section("extract");
    using index = list<int, unsigned, long, bool, char, float, double, half, bf16, e4m3, plain_enum, scoped_enum, ic<1>, to_int,
                       some_class, int *, std::nullptr_t, tile<int>, tile<int, 1>, tile<int, 4>, __int128>;
    rows<extract_0>(list<int, tile<int>, tile<half *>, tile<int, 1>, tile<int, 4>>{},
                    list<ct::shape<>, ct::shape<1>, ct::shape<2>, int>{});
    rows<extract_1>(list<tile<int, 4>, tile<e4m3, 4>, tile<int, 1>, tile<int *, 8>, tile<int>, int, tile<int, 2, 4>,
                         const tile<int, 4>>{},
                    list<ct::shape<>, ct::shape<1>, ct::shape<2>, ct::shape<4>, ct::shape<8>, ct::shape<3>, ct::shape<0>, ct::shape<2, 2>,
                         ct::extents<int, 2>, ct::shape<ct::dynamic_extent>, const ct::shape<2>>{},
                    list<int>{});
    rows<extract_1>(list<tile<int, 4>>{}, list<ct::shape<2>>{}, index{});
    rows<extract_2>(list<tile<float, 2, 4>, tile<float, 4>, tile<float, 2, 2, 2>>{},
                    list<ct::shape<1, 1>, ct::shape<2, 2>, ct::shape<2, 4>, ct::shape<4, 2>, ct::shape<2>, ct::shape<2, 2, 2>>{},
                    list<int, half>{}, list<int, ic<0>, tile<int>>{});
    rows<extract_t0>(list<ct::shape<>, ct::shape<1>>{}, list<int, tile<int>, tile<int, 1>>{});
    rows<extract_t1>(list<ct::shape<>, ct::shape<1>, ct::shape<2>, ct::shape<8>>{}, list<int, tile<int>, tile<int, 4>, tile<int, 2, 4>>{},
                     list<int, ic<1>, tile<int>>{});
    rows<extract_t2>(list<ct::shape<1, 2>, ct::shape<2>>{}, list<tile<half, 2, 4>, tile<int, 4>>{}, list<int>{}, list<int, float>{});

    section("select");
    using conditions =
        list<bool, int, half, e4m3, tf32, int *, tile<bool>, tile<bool, 1>, tile<bool, 4>, tile<int, 4>, tile<half, 4>, tile<e5m2, 4>,
             tile<int *, 4>, tile<bool, 2, 1>, tile<bool, 2, 4>, tile<bool, 1, 1, 1>, const tile<bool, 4>, ic<1>, plain_enum,
             std::nullptr_t, some_class>;
    rows<select_>(conditions{}, list<int, tile<int>, tile<int, 4>, tile<float, 2, 4>>{},
                  list<int, tile<int>, tile<int, 4>, tile<float, 2, 4>>{});
    using values = list<int, long, float, half, e4m3, int *, const int *, tile<int, 4>, tile<long, 4>, tile<int *, 4>,
                        tile<const int *, 4>, tile<tf32, 4>, const tile<int, 4>, const int, plain_enum, std::nullptr_t, ic<4>, some_class>;
    rows<select_>(list<bool>{}, values{}, values{});

    section("element_cast");
    using targets = join<numbers, list<int *, const int *, void *, const void *, float *, const int, volatile half, int &,
                                       plain_enum, some_class, __int128, tile<int, 4>, void>>;
    rows<element_cast_>(targets{}, join<shaped<few_numbers, 4>, list<tile<int *, 4>, tile<const int *, 4>, tile<void *, 4>>>{});
    rows<element_cast_>(list<int, half, e4m3, bool, int *, const int *, void *>{},
                        list<int, float, e5m2, bool, int *, void *, tile<int>, tile<tf32>, tile<float, 2, 4>, tile<int *>,
                             const tile<int, 4>, plain_enum, ic<4>, std::nullptr_t, some_class>{});

    section("element_bitcast");
    rows<element_bitcast_>(targets{}, join<shaped<few_numbers, 4>, list<tile<e4m3, 4>, tile<int *, 4>, tile<void *, 4>>>{});
    rows<element_bitcast_>(list<int, half, e4m3, bool, int *, long, double>{},
                           list<int, float, e5m2, bool, int *, char, tile<int>, tile<tf32>, tile<float, 2, 4>, tile<int *>,
                                const tile<int, 4>, plain_enum, ic<4>, std::nullptr_t, some_class>{});
}
