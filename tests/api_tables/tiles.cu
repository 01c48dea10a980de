// SPDX-License-Identifier: Apache-2.0
// The class tile itself: which tile types exist, their layout, constructors, conversions, assignment, and a tile as a
// condition.
#include "table.hpp"

#include <concepts>
#include <type_traits>

using namespace table;

template <class E, class S> using tile_of = ct::tile<E, S>;
ALIAS2(names_tile, "tile<>", tile_of<A, B>)

VALUE1(size, "sizeof", sizeof(A))
VALUE1(align, "alignof", alignof(A))
ALIAS1(element_type, "element_type", typename A::element_type)
ALIAS1(shape_type, "shape_type", typename A::shape_type)
TRAIT1(trivially_copyable, "trivially_copyable", std::is_trivially_copyable_v<A>)
TRAIT1(trivially_constructible, "trivially_default_constructible", std::is_trivially_default_constructible_v<A>)
TRAIT1(aggregate, "aggregate", std::is_aggregate_v<A>)
TRAIT1(final_class, "final", std::is_final_v<A>)
TRAIT1(empty, "empty", std::is_empty_v<A>)
TRAIT1(standard_layout, "standard_layout", std::is_standard_layout_v<A>)
TRAIT1(polymorphic, "polymorphic", std::is_polymorphic_v<A>)
TRAIT1(nothrow_move, "nothrow_move_constructible", std::is_nothrow_move_constructible_v<A>)
TRAIT1(nothrow_assign, "nothrow_move_assignable", std::is_nothrow_move_assignable_v<A>)
TRAIT1(nothrow_destroy, "nothrow_destructible", std::is_nothrow_destructible_v<A>)
TRAIT1(copyable, "copyable", std::copyable<A>)
TRAIT1(regular, "regular", std::regular<A>)
TRAIT1(swappable, "nothrow_swappable", std::is_nothrow_swappable_v<A>)

struct implicitly {};
struct explicitly {};
SHORT_NAME(implicitly, "implicit")
SHORT_NAME(explicitly, "explicit")
ALIAS2(convert, "convert",
       std::conditional_t<std::is_convertible_v<A, B>, implicitly,
                          std::conditional_t<std::is_constructible_v<B, A>, explicitly, flag<false>>>)
TRAIT2(assign, "assign", std::is_assignable_v<B &, A>)
TRAIT2(nothrow_convert, "nothrow_convert", std::is_nothrow_constructible_v<B, A>)
OPERATION2(cast, "static_cast", static_cast<B>(a))
OPERATION2(braces, "braces", B{a})
OPERATION3(two_braces, "braces", C{a, b})
OPERATION1(condition, "? :", a ? 1 : 2)
OPERATION3(conditional, "? :", a ? b : c)
OPERATION1(address, "&", &a)
OPERATION2(comma, ",", (a, b))

template <class... A> using tile_from = decltype(ct::tile{std::declval<A>()...});
ALIAS1(deduce_one, "tile{}", tile_from<A>)
ALIAS2(deduce_two, "tile{}", tile_from<A, B>)

int main() {
    section("which tile types exist");
    using shapes =
        list<ct::shape<>, ct::shape<1>, ct::shape<4>, ct::shape<2, 4>, ct::shape<0>, ct::shape<4, 0>, ct::shape<3>,
             ct::shape<2, 6>, ct::shape<ct::dynamic_extent>, ct::shape<1, 1, 1, 1, 1, 1, 1, 1, 1>, ct::shape<1 << 24>,
             ct::shape<1 << 25>, ct::shape<1 << 12, 1 << 12>, ct::shape<1 << 13, 1 << 12>, ct::extents<int, 4>,
             ct::extents<unsigned long, 4>, ct::strides<unsigned, 4>, int>;
    rows<names_tile>(list<int>{}, shapes{});
    rows<names_tile>(join<numbers, list<int *, const int *, volatile void *, int **, void, some_class, __int128, long double,
                                        std::byte, plain_enum, tile<int, 4>, int &>>{},
                     list<ct::shape<4>>{});

    section("layout");
    using sized = join<shaped<numbers, 4>, list<tile<int>, tile<half>, tile<int, 1>, tile<bool, 2, 4>, tile<double, 8, 8>,
                                                tile<int *, 4>, tile<const void *>, tile<int, 64, 64>, tile<char, 1 << 24>>>;
    rows_of(list<size, align, element_type, shape_type>{}, sized{});
    using kinds = list<tile<int>, tile<float, 4>, tile<half, 4>, tile<e4m3, 4>, tile<tf32, 2, 4>, tile<int *, 4>>;
    rows_of(list<trivially_copyable, trivially_constructible, aggregate, final_class, empty, standard_layout, polymorphic,
                 nothrow_move, nothrow_assign, nothrow_destroy, copyable, regular, swappable>{},
            kinds{});

    section("construction: implicit, explicit or no, by element type");
    using elements = join<few_numbers, list<char8_t, uchar, ulong, llong, e4m3, int *, const int *, void *, float *>>;
    rows<convert>(shaped<elements, 4>{}, shaped<elements, 4>{});
    section("construction by shape, from scalars and to scalars");
    using froms = list<int, short, float, half, tf32, bool, int *, std::nullptr_t, ic<4>, plain_enum, scoped_enum, some_class,
                       __int128, long double, tile<int>, tile<int, 1>, tile<int, 1, 1>, tile<int, 4>, tile<int, 1, 4>,
                       tile<int, 4, 1>, tile<short>, tile<short, 4>, tile<long>, tile<half>, tile<half, 1>, tile<float, 1>,
                       tile<float, 2>, tile<e4m3, 1>, tile<tf32>, tile<bool>, tile<bool, 1>, tile<bool, 4>, tile<int *>,
                       tile<int *, 1>, tile<int *, 4>>;
    using tos = list<tile<int>, tile<int, 1>, tile<int, 4>, tile<int, 1, 4>, tile<int, 1, 1>, tile<long>, tile<short>,
                     tile<float>, tile<float, 4>, tile<bool>, tile<bool, 4>, tile<half>, tile<e4m3>, tile<int *>,
                     tile<const int *>, tile<const void *, 4>, tile<void *>, int, long, short, float, double, half, bf16, e4m3,
                     tf32, bool, uint, int *, const int *, void *, plain_enum, scoped_enum, some_class, __int128,
                     long double, std::size_t>;
    rows<convert>(froms{}, tos{});
    using some_froms =
        list<int, short, float, bool, int *, std::nullptr_t, ic<4>, tile<int>, tile<int, 4>, tile<short, 4>, tile<half, 4>,
             tile<half>, tile<int *, 4>, tile<float, 4>, const tile<int, 4>, tile<int, 4> &>;
    using some_tos = list<tile<int>, tile<int, 4>, tile<float, 4>, tile<float>, tile<bool, 4>, tile<const int *, 4>, int, float,
                          const tile<int, 4>>;
    section("assignment, brace initialisation, casts");
    rows_of(list<assign, nothrow_convert, cast, braces>{}, some_froms{}, some_tos{});
    rows<two_braces>(list<int>{}, list<int>{}, list<tile<int>, tile<int, 1>, tile<int, 2>, tile<int, 4>>{});
    rows<deduce_one>(list<int, tile<int>, tile<int, 4>, tile<float, 2, 4>>{});
    rows<deduce_two>(list<int>{}, list<int, ct::shape<4>>{});

    section("as a condition");
    rows<condition>(join<shaped<numbers, 1>, list<tile<int>, tile<bool>, tile<int, 1, 1>, tile<int *>, tile<int *, 1>,
                                                  tile<void *, 1>, tile<int, 2>, tile<bool, 4>, tile<int *, 4>,
                                                  const tile<bool, 1>, e4m3, tf32, half, bf16>>{});
    section("cond ? tile : tile");
    using branches = list<int, float, short, bool, tile<int>, tile<int, 1>, tile<int, 4>, tile<short, 4>, tile<bool, 4>,
                          tile<float, 4>, tile<half, 4>, tile<int *, 4>, tile<const int *, 4>>;
    rows<conditional>(list<bool>{}, branches{}, branches{});
    rows<conditional>(list<tile<int, 1>, tile<bool, 4>>{}, list<tile<int, 4>, int>{}, list<tile<int, 4>, int>{});
    rows<address>(list<tile<int, 4>, tile<int>>{});
    rows<comma>(list<tile<int, 4>, int>{}, list<tile<float>, int>{});
}
