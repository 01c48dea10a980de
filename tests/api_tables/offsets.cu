// SPDX-License-Identifier: Apache-2.0
// offsets: which types exist, members, constructors, deduction, equality; and the strided views that name them. The
// reference's pages do not have this family.
#include "table.hpp"

#include <concepts>
#include <type_traits>

using namespace table;
using namespace ct::literals;

constexpr std::ptrdiff_t dyn = ct::dynamic_offset;

template <class I, std::ptrdiff_t... Offsets> struct table::naming<ct::offsets<I, Offsets...>> {
    static void put() {
        std::printf("offsets<");
        naming<I>::put();
        std::printf(">(");
        [[maybe_unused]] const char *separator = "";
        ((std::printf(Offsets == dyn ? "%s?" : "%s%ld", separator, static_cast<long>(Offsets)), separator = "x"), ...);
        std::printf(")");
    }
};

template <class A> concept named = requires { typename ct::offsets<A, 4>; }; // clang++ 14 cannot parse it in a macro's argument
TRAIT1(names, "offsets<I,4>", named<A>)
TRAIT1(models, "offsets_like<offsets<I,4>>", ct::offsets_like<ct::offsets<A, 4>>)
TRAIT1(is_offsets_like, "offsets_like", ct::offsets_like<A>)

ALIAS1(offset_type, "offset_type", typename A::offset_type)
ALIAS1(rank_type, "rank_type", typename A::rank_type)
ALIAS1(index_type, "index_type", typename A::index_type)
VALUE1(rank_value, "rank()", A::rank())
VALUE1(rank_dynamic_value, "rank_dynamic()", A::rank_dynamic())
VALUE1(static_offset_value, "static_offset(0)", static_cast<long long>(A::static_offset(0)))
OPERATION1(rank_t, "rank()", a.rank())
OPERATION1(rank_dynamic_t, "rank_dynamic()", a.rank_dynamic())
OPERATION2(static_offset_t, "static_offset", a.static_offset(b))
OPERATION2(offset_t, "offset", a.offset(b))
VALUE1(size, "sizeof", sizeof(A))
TRAIT1(trivially_copyable, "trivially_copyable", std::is_trivially_copyable_v<A>)
TRAIT1(empty, "empty", std::is_empty_v<A>)
TRAIT1(aggregate, "aggregate", std::is_aggregate_v<A>)
TRAIT1(regular, "regular", std::regular<A>)
TRAIT2(constructs, "construct", std::is_constructible_v<A, B>)
TRAIT3(constructs_2, "construct", std::is_constructible_v<A, B, C>)
TRAIT2(converts, "convert", std::is_convertible_v<B, A>)
ALIAS1(offsets_1, "offsets{}", decltype(ct::offsets{std::declval<A>()}))
ALIAS2(offsets_2, "offsets{}", decltype(ct::offsets{std::declval<A>(), std::declval<B>()}))
OPERATION2(equal, "==", a == b)
OPERATION2(not_equal, "!=", a != b)
OPERATION2(offsets_equal_, "offsets_equal", ct::offsets_equal(a, b))

struct own_offsets {
    using offset_type = int;
    using rank_type = std::size_t;
    __tile__ __host__ __device__ static constexpr rank_type rank() { return 1; }
    __tile__ __host__ __device__ static constexpr rank_type rank_dynamic() { return 0; }
    __tile__ __host__ __device__ static constexpr std::ptrdiff_t static_offset(rank_type) { return 4; }
    __tile__ __host__ __device__ constexpr offset_type offset(rank_type) const { return 4; }
};
SHORT_NAME(own_offsets, "own_offsets")

using line = ct::tensor_span<float, ct::shape<ct::dynamic_extent>>;
using plane = ct::tensor_span<float, ct::shape<8, 8>>;
template <class A> concept named_of_line = requires { typename ct::strided_view<line, ct::shape<4>, ct::strides<unsigned, 3>, A>; };
template <class A> concept named_of_plane = requires { typename ct::strided_view<plane, ct::shape<2, 2>, ct::strides<unsigned, 3, 4>, A>; };
TRAIT1(view_of_line, "strided_view<line, 4, 3, O>", named_of_line<A>)
TRAIT1(view_of_plane, "strided_view<plane, 2x2, 3x4, O>", named_of_plane<A>)

int main() {
    section("types");
    rows<names>(join<numbers, list<__int128, plain_enum, int *, int &, void, some_class>>{});
    rows<models>(integers{});
    using all = list<ct::offsets<int>, ct::offsets<int, 4>, ct::offsets<int, -4>, ct::offsets<int, dyn>, ct::offsets<long, dyn, 2>,
                     ct::offsets<unsigned, 2, dyn, dyn>, ct::offsets<short, 0>>;
    rows<is_offsets_like>(join<all, list<own_offsets, const own_offsets, int, ct::shape<4>, ct::strides<int, 4>, ct::offsets<int, 4> &, const ct::offsets<int, 4>>>{});

    section("members");
    rows_of(list<offset_type, rank_type, index_type, rank_value, rank_dynamic_value, static_offset_value, rank_t, rank_dynamic_t, size,
                 trivially_copyable, empty, aggregate, regular>{},
            all{});
    rows_of(list<static_offset_t, offset_t>{}, all{}, list<int, unsigned, std::size_t, ic<0>>{});

    section("constructors and deduction");
    using values = list<int, long, unsigned, bool, float, half, plain_enum, scoped_enum, ic<4>, ic<-4>, some_class, int *, tile<int>, ct::offsets<int, 4>, ct::offsets<long, dyn>>;
    rows_of(list<constructs, converts>{}, all{}, values{});
    rows<constructs_2>(all{}, list<int, ic<2>>{}, list<long, float, some_class>{});
    rows<offsets_1>(values{});
    rows<offsets_2>(list<ic<4>, ic<-4>, int, long>{}, list<ic<0>, unsigned, ct::integral_constant<1l << 40>, some_class>{});

    section("equality");
    using some = list<ct::offsets<int>, ct::offsets<int, 4>, ct::offsets<long, dyn>, ct::offsets<int, 4, dyn>, own_offsets, ct::shape<4>, int>;
    rows_of(list<equal, not_equal, offsets_equal_>{}, some{}, some{});

    section("strided views");
    rows_of(list<view_of_line, view_of_plane>{}, list<ct::offsets<int>, ct::offsets<int, 0>, ct::offsets<int, 1>, ct::offsets<long, 0>, ct::offsets<int, 0, 0>, ct::offsets<unsigned, 0>,
                                                      ct::offsets<unsigned, 0, 0>, ct::offsets<int, 0, 1>, ct::offsets<int, -1, 0>, ct::offsets<int, dyn>, int>{});

    section("values");
    FACT_TYPE(ct::offsets{});
    FACT_TYPE(ct::offsets{-4_ic, 7});
    FACT_VALUE(ct::offsets{-4_ic, 7}.offset(0));
    FACT_VALUE(ct::offsets{-4_ic, 7}.offset(1));
    FACT_VALUE(ct::offsets<long, dyn>{(1l << 32) + 5}.offset(0));
    FACT_VALUE(ct::offsets<int, dyn>{}.offset(0));
    FACT(ct::dynamic_offset == PTRDIFF_MIN);
    FACT(ct::offsets_equal(ct::offsets{-4_ic, 7}, ct::offsets<long, dyn, 7>{-4}));
    FACT(ct::offsets_equal(own_offsets{}, ct::offsets{5}));
    FACT(ct::offsets{4} == ct::offsets{4_ic, 1});
}
