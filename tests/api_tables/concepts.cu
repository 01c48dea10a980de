// SPDX-License-Identifier: Apache-2.0
// Concepts and type aliases of one type: which types are scalars, tiles and shapes of which class.
#include "table.hpp"

using namespace table;

#define CONCEPT(id) TRAIT1(is_##id, #id, ct::id<A>)
CONCEPT(scalar)
CONCEPT(integral)
CONCEPT(integral_scalar)
CONCEPT(basic_floating_point_scalar)
CONCEPT(restricted_floating_point_scalar)
CONCEPT(floating_point_scalar)
CONCEPT(arithmetic_scalar)
CONCEPT(numeric_scalar)
CONCEPT(pointer_scalar)
CONCEPT(tile_like)
CONCEPT(integral_tile)
CONCEPT(basic_floating_point_tile)
CONCEPT(restricted_floating_point_tile)
CONCEPT(floating_point_tile)
CONCEPT(arithmetic_tile)
CONCEPT(numeric_tile)
CONCEPT(pointer_tile)
CONCEPT(loadable_tile)
CONCEPT(storeable_tile)
CONCEPT(bool_tile_convertible)
CONCEPT(extents_like)
CONCEPT(shape_like)
CONCEPT(tile_shape)
CONCEPT(strides_like)

ALIAS1(element, "tile_element_t", ct::tile_element_t<A>)
ALIAS1(shape_of, "tile_shape_t", ct::tile_shape_t<A>)
ALIAS1(loaded, "tile_load_t", ct::tile_load_t<A>)
ALIAS1(promoted, "arithmetic_tile_promotion_t", ct::arithmetic_tile_promotion_t<A>)
VALUE1(rank_of, "tile_rank_v", ct::tile_rank_v<A>)
VALUE1(size_of, "tile_size_v", ct::tile_size_v<A>)
VALUE1(shape_size, "shape_size_v", ct::shape_size_v<A>)
ALIAS2(with_element, "tile_with_element_t", ct::tile_with_element_t<A, B>)

using scalar_concepts =
    list<is_scalar, is_integral, is_integral_scalar, is_basic_floating_point_scalar,
         is_restricted_floating_point_scalar, is_floating_point_scalar, is_arithmetic_scalar, is_numeric_scalar,
         is_pointer_scalar>;
using tile_concepts = list<is_tile_like, is_integral_tile, is_basic_floating_point_tile,
                           is_restricted_floating_point_tile, is_floating_point_tile, is_arithmetic_tile,
                           is_numeric_tile, is_pointer_tile, is_loadable_tile, is_storeable_tile, is_bool_tile_convertible>;
using shape_concepts = list<is_extents_like, is_shape_like, is_tile_shape, is_strides_like>;

// Has every member that extents have, but is another class.
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
    using no_scalars = list<void, __int128, unsigned __int128, long double, std::byte, std::nullptr_t, some_class,
                            some_union, plain_enum, scoped_enum, void(), int some_class::*, int[]>;
    using pointers = join<pointers_to<numbers>,
                          list<const int *, volatile int *, const volatile int *, void *, const void *, volatile void *,
                               const e4m3 *, int **, const int *const *, __int128 *, long double *, std::byte *,
                               some_class *, some_union *, plain_enum *, scoped_enum *, std::nullptr_t *, void (*)(),
                               tile<int, 4> *>>;
    using qualified =
        list<const bool, const int, volatile int, const volatile int, const half, volatile half, const e4m3, const tf32,
             const float, const double, int *const, int *volatile, const int *const, int &, const int &, int &&, float &,
             half &, int *&, const some_class, const __int128, const void>;
    using tiles = join<shaped<numbers, 4>,
                       list<tile<int>, tile<int, 1>, tile<int, 1, 1>, tile<int, 2, 4>, tile<float>, tile<half, 1>,
                            tile<int, 4, 4, 4, 4>, tile<int *>, tile<int *, 4>, tile<const int *, 4>,
                            tile<volatile int *, 4>, tile<const volatile int *, 2, 4>, tile<void *, 4>,
                            tile<const void *, 4>, tile<half *, 4>, tile<e4m3 *, 4>, tile<bool *, 4>, tile<char, 1 << 24>>>;
    using qualified_tiles =
        list<const tile<int, 4>, volatile tile<int, 4>, const volatile tile<int, 4>, const tile<float>,
             const tile<int *, 4>, tile<int, 4> &, const tile<int, 4> &, tile<int, 4> &&>;
    using shapes =
        list<ct::shape<>, ct::shape<1>, ct::shape<4>, ct::shape<2, 4>, ct::shape<1, 1, 1>, ct::shape<0>, ct::shape<4, 0>,
             ct::shape<3>, ct::shape<2, 6>, ct::shape<ct::dynamic_extent>, ct::shape<2, ct::dynamic_extent>,
             ct::shape<2, 2, 2, 2, 2, 2, 2, 2, 2>, ct::shape<1 << 24>, ct::shape<1 << 25>, ct::shape<1 << 12, 1 << 12>,
             ct::shape<1 << 13, 1 << 12>, ct::shape<1ul << 31>, ct::shape<1ul << 32>, ct::extents<int, 4>,
             ct::extents<long, 4>, ct::extents<unsigned long, 4>, ct::extents<int>, ct::extents<short, 2, 4>,
             ct::extents<char, 4>, ct::extents<int, ct::dynamic_extent>, const ct::shape<4>, volatile ct::shape<4>,
             ct::shape<4> &, const ct::shape<4> &, user_extents, const user_extents>;
    using strides = list<ct::strides<unsigned>, ct::strides<unsigned, 4>, ct::strides<int, 4, 1>,
                         ct::strides<long, ct::dynamic_stride>, const ct::strides<unsigned, 4>, ct::strides<int, 4> &>;

    section("scalar classes");
    rows_of(scalar_concepts{}, join<numbers, no_scalars, pointers, qualified>{});
    rows_of(scalar_concepts{}, list<tile<int, 4>, tile<int>, ct::shape<4>>{});
    section("tile classes");
    rows_of(tile_concepts{}, join<numbers, no_scalars, pointers, qualified, tiles, qualified_tiles>{});
    rows_of(tile_concepts{}, list<ct::shape<4>, ic<4>>{});
    section("extents, shapes and strides");
    rows_of(shape_concepts{}, join<shapes, strides, list<int, unsigned, tile<int, 4>, ic<4>, some_class>>{});

    section("aliases");
    using samples = join<numbers, qualified, tiles, qualified_tiles,
                         list<int *, const int *, volatile int *, void *, const void *, half *, some_class, void, int **>>;
    rows_of(list<element, shape_of, loaded, promoted, rank_of, size_of>{}, samples{});
    rows<shape_size>(shapes{});
    rows<with_element>(list<int, const int, int *, tile<int>, tile<int, 4>, const tile<int, 2, 4>, volatile tile<int, 4>,
                            tile<int, 4> &, int &, some_class>{},
                       join<numbers, list<int *, const float *, void *, const int, volatile half, const tile<int, 4>,
                                          some_class, __int128, int &, int **>>{});

    section("orders that reads and writes take");
    FACT(ct::read_memory_order<ct::memory_order::relaxed>);
    FACT(ct::read_memory_order<ct::memory_order::acquire>);
    FACT(ct::read_memory_order<ct::memory_order::release>);
    FACT(ct::read_memory_order<ct::memory_order::acq_rel>);
    FACT(ct::read_memory_order<ct::memory_order(77)>);
    FACT(ct::write_memory_order<ct::memory_order::relaxed>);
    FACT(ct::write_memory_order<ct::memory_order::acquire>);
    FACT(ct::write_memory_order<ct::memory_order::release>);
    FACT(ct::write_memory_order<ct::memory_order::acq_rel>);
    FACT(ct::write_memory_order<ct::memory_order(77)>);
}
