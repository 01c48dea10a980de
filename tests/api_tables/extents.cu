// SPDX-License-Identifier: Apache-2.0
// extents, shape and strides: which types exist, members, constructors, deduction, equality and conversions.
// Deduction through the alias, ct::shape{4_ic, 8_ic}, is left out: neither g++ 12 nor clang 14 deduces through it, with
// any header; NVIDIA's front end takes it for ct::extents{4_ic, 8_ic}.
#include "table.hpp"

#include <concepts>

using namespace table;
using namespace ct::literals;

struct to_int {
    operator int() const;
};
struct explicitly_to_int {
    explicit operator int() const;
};
SHORT_NAME(to_int, "to_int")
SHORT_NAME(explicitly_to_int, "explicitly_to_int")

constexpr std::size_t dyn = ct::dynamic_extent;

TRAIT1(names_extents, "extents<I,4>", requires { typename ct::extents<A, 4>; })
TRAIT1(names_strides, "strides<I,4>", requires { typename ct::strides<A, 4>; })
TRAIT1(models_extents, "extents_like<extents<I,4>>", ct::extents_like<ct::extents<A, 4>>)

ALIAS1(index_type, "index_type", typename A::index_type)
ALIAS1(rank_type, "rank_type", typename A::rank_type)
ALIAS1(size_type, "size_type", typename A::size_type)
ALIAS1(stride_type, "stride_type", typename A::stride_type)
VALUE1(rank_value, "rank()", A::rank())
VALUE1(rank_dynamic_value, "rank_dynamic()", A::rank_dynamic())
VALUE1(static_extent_value, "static_extent(0)", static_cast<long long>(A::static_extent(0)))
VALUE1(static_stride_value, "static_stride(0)", static_cast<long long>(A::static_stride(0)))
OPERATION1(rank_t, "rank()", a.rank())
OPERATION1(rank_dynamic_t, "rank_dynamic()", a.rank_dynamic())
OPERATION1(dynamic_rank_t, "dynamic_rank()", a.dynamic_rank())
OPERATION2(static_extent_t, "static_extent", a.static_extent(b))
OPERATION2(extent_t, "extent", a.extent(b))
OPERATION2(static_stride_t, "static_stride", a.static_stride(b))
OPERATION2(stride_t, "stride", a.stride(b))
OPERATION1(size_t_, "size()", a.size())
VALUE1(size, "sizeof", sizeof(A))
TRAIT1(trivially_copyable, "trivially_copyable", std::is_trivially_copyable_v<A>)
TRAIT1(empty, "empty", std::is_empty_v<A>)
TRAIT1(aggregate, "aggregate", std::is_aggregate_v<A>)
TRAIT1(regular, "regular", std::regular<A>)
TRAIT1(trivially_constructible, "trivially_default_constructible", std::is_trivially_default_constructible_v<A>)
TRAIT1(nothrow_move, "nothrow_move_constructible", std::is_nothrow_move_constructible_v<A>)

struct implicitly {};
struct explicitly {};
SHORT_NAME(implicitly, "implicit")
SHORT_NAME(explicitly, "explicit")
template <class To, class... From> struct construction {
    using type = std::conditional_t<std::is_constructible_v<To, From...>,
                                    std::conditional_t<requires(void (*f)(To), From... from) { f({from...}); }, implicitly, explicitly>,
                                    flag<false>>;
};
ALIAS1(construct_0, "construct", typename construction<A>::type)
ALIAS2(construct_1, "construct", typename construction<A, B>::type)
ALIAS3(construct_2, "construct", typename construction<A, B, C>::type)
struct construct_3 {
    static constexpr const char *title = "construct";
    template <class A, class B, class C, class D> using type = typename construction<A, B, C, D>::type;
};
TRAIT2(converts, "convert", std::is_convertible_v<A, B>)
TRAIT2(assigns, "assign", std::is_assignable_v<A &, B>)

ALIAS1(extents_1, "extents{}", decltype(ct::extents{std::declval<A>()}))
ALIAS2(extents_2, "extents{}", decltype(ct::extents{std::declval<A>(), std::declval<B>()}))
ALIAS3(extents_3, "extents{}", decltype(ct::extents{std::declval<A>(), std::declval<B>(), std::declval<C>()}))
ALIAS2(extents_parentheses, "extents()", decltype(ct::extents(std::declval<A>(), std::declval<B>())))
ALIAS1(strides_1, "strides{}", decltype(ct::strides{std::declval<A>()}))
ALIAS2(strides_2, "strides{}", decltype(ct::strides{std::declval<A>(), std::declval<B>()}))

OPERATION2(equal, "==", a == b)
OPERATION2(not_equal, "!=", a != b)
OPERATION2(less, "<", a < b)
OPERATION2(extents_equal_, "extents_equal", ct::extents_equal(a, b))
OPERATION2(strides_equal_, "strides_equal", ct::strides_equal(a, b))

struct user_extents {
    using index_type = int;
    using rank_type = std::size_t;
    __tile__ __host__ __device__ static constexpr rank_type rank() { return 1; }
    __tile__ __host__ __device__ static constexpr rank_type rank_dynamic() { return 0; }
    __tile__ __host__ __device__ static constexpr std::size_t static_extent(rank_type) { return 4; }
    __tile__ __host__ __device__ constexpr index_type extent(rank_type) const { return 4; }
};
SHORT_NAME(user_extents, "user_extents")

int main() {
    section("index types");
    rows<names_extents>(join<numbers, list<__int128, plain_enum, int *, int &, void, some_class>>{});
    rows<names_strides>(join<numbers, list<__int128, plain_enum, int *, int &, void, some_class>>{});
    rows<models_extents>(integers{});

    section("members");
    using extents = list<ct::shape<>, ct::shape<4>, ct::shape<2, 4>, ct::shape<33, 0>, ct::shape<dyn>, ct::shape<dyn, 4>, ct::shape<4, dyn, dyn>,
                         ct::extents<int, 4>, ct::extents<long, dyn, 4>, ct::extents<short>, ct::extents<std::size_t, dyn, dyn>>;
    using strides = list<ct::strides<unsigned>, ct::strides<unsigned, 4>, ct::strides<int, dyn, 1>, ct::strides<long, dyn, dyn>>;
    rows_of(list<index_type, rank_type, size_type, stride_type, rank_value, rank_dynamic_value, static_extent_value, static_stride_value,
                 rank_t, rank_dynamic_t, dynamic_rank_t, size_t_, size, trivially_copyable, empty, aggregate, regular,
                 trivially_constructible, nothrow_move>{},
            join<extents, strides>{});
    rows_of(list<static_extent_t, extent_t, static_stride_t, stride_t>{}, join<extents, strides>{},
            list<int, unsigned, std::size_t, ic<0>, float>{});

    section("constructors: implicit, explicit or no");
    using values = list<int, long, unsigned, bool, char, float, double, half, plain_enum, scoped_enum, ic<4>, to_int, explicitly_to_int,
                        some_class, int *, tile<int>, __int128, ct::shape<4>>;
    rows<construct_0>(join<extents, strides>{});
    rows<construct_1>(list<ct::shape<>, ct::shape<4>, ct::shape<dyn>, ct::extents<long, dyn>, ct::shape<dyn, 4>, ct::shape<dyn, dyn>,
                           ct::strides<unsigned, dyn>, ct::strides<unsigned, 4>>{},
                      values{});
    rows<construct_2>(join<extents, strides>{}, list<int, long>{}, list<int, float, ic<4>, some_class>{});
    rows<construct_3>(join<extents, strides>{}, list<int>{}, list<ic<2>>{}, list<long>{});
    using pairs = list<ct::shape<>, ct::shape<4>, ct::shape<dyn>, ct::shape<8>, ct::extents<int, 4>, ct::extents<int, dyn>, ct::extents<long, dyn>,
                       ct::shape<2, 4>, ct::shape<2, dyn>, ct::strides<unsigned, 4>, ct::strides<unsigned, dyn>, ct::strides<int, dyn>, user_extents>;
    rows<construct_1>(pairs{}, pairs{});
    rows_of(list<converts, assigns>{}, pairs{}, pairs{});

    section("deduction");
    using arguments = list<ic<4>, ic<0>, ic<-1>, ct::integral_constant<3ul>, ct::integral_constant<true>, ct::integral_constant<1l << 33>, int,
                           unsigned, long, bool, float, half, plain_enum, scoped_enum, to_int, explicitly_to_int, some_class, int *, tile<int>,
                           __int128, user_extents>;
    rows_of(list<extents_1, strides_1>{}, join<arguments, pairs>{});
    rows_of(list<extents_2, strides_2, extents_parentheses>{}, arguments{}, list<ic<8>, int, ic<-2>, some_class, ct::shape<4>>{});
    rows<extents_3>(list<ic<4>, int, std::size_t>{}, list<ic<1>, long>{}, list<ic<2>, unsigned, half>{});
    FACT_TYPE(ct::extents{});
    FACT_TYPE(ct::extents{4_ic, 7});
    FACT_TYPE(ct::strides{7, 2_ic});

    section("equality");
    rows_of(list<equal, not_equal, extents_equal_, strides_equal_, less>{}, join<pairs, list<int>>{}, join<pairs, list<int>>{});

    section("values");
    FACT(ct::extents{4_ic, 7} == ct::shape<4, 7>{});
    FACT(ct::extents{4_ic, 7} == ct::extents{4_ic, 8});
    FACT(ct::extents{4} == ct::extents<long, 4>{});
    FACT(ct::extents{4, 1} == ct::extents{4});
    FACT(ct::extents_equal(ct::extents{4}, ct::shape<4>{}));
    FACT(ct::extents_equal(user_extents{}, ct::shape<4>{}));
    FACT(ct::strides_equal(ct::strides{4, 1_ic}, ct::strides{4_ic, 1}));
    FACT_VALUE(ct::extents{4_ic, 7}.extent(0));
    FACT_VALUE(ct::extents{4_ic, 7}.extent(1));
    FACT_VALUE(ct::extents{(1l << 32) + 5}.extent(0));
    FACT_VALUE(ct::extents<long, dyn>{(1l << 32) + 5}.extent(0));
    FACT_VALUE(ct::extents<unsigned, 4, dyn>{9}.extent(1));
    FACT_VALUE(ct::extents<unsigned, 4, dyn>{5, 9}.extent(0));
    FACT_VALUE(ct::extents<unsigned, 4, dyn>{5, 9}.extent(1));
    FACT_VALUE(ct::extents{2.75}.extent(0));
    FACT_VALUE(ct::extents<unsigned, dyn>{}.extent(0));
    FACT_VALUE(ct::strides{7, 2_ic}.stride(0));
    FACT_VALUE(ct::strides{7, 2_ic}.stride(1));
}
