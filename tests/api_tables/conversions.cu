// SPDX-License-Identifier: Apache-2.0
// Conversions: every scalar type to every other, the common types of arithmetic and of comparisons over all pairs of
// scalar types, and tile conversions over element types and shapes.
#include "table.hpp"

using namespace table;

struct wide {};
struct narrow {};
SHORT_NAME(wide, "yes")
SHORT_NAME(narrow, "narrowing")
template <bool Converts, bool Widens>
using kind = std::conditional_t<Converts, std::conditional_t<Widens, wide, narrow>, flag<Widens>>;

// "no" where there is no conversion; a "yes" of the second concept alone would show as "yes" here and nowhere else.
ALIAS2(scalar_conversion, "scalar_convertible_to",
       kind<ct::scalar_convertible_to<A, B>, ct::non_narrowing_scalar_convertible_to<A, B>>)
ALIAS2(tile_conversion, "tile_convertible_to",
       kind<ct::tile_convertible_to<A, B>, ct::non_narrowing_tile_convertible_to<A, B>>)

ALIAS2(arithmetic, "arithmetic_tile_conversion_t", ct::arithmetic_tile_conversion_t<A, B>)
ALIAS2(comparison, "arithmetic_tile_comparison_t", ct::arithmetic_tile_comparison_t<A, B>)
TRAIT2(convertible, "arithmetic_tile_convertible", ct::arithmetic_tile_convertible<A, B>)
TRAIT2(comparable, "arithmetic_tile_comparable", ct::arithmetic_tile_comparable<A, B>)

int main() {
    using pointers = list<int *, const int *, volatile int *, void *, const void *, float *, const float *>;
    using no_scalars = list<some_class, plain_enum, scoped_enum, std::nullptr_t, __int128, long double, std::byte, int **>;

    section("scalar conversions");
    rows<scalar_conversion>(join<numbers, pointers, no_scalars>{}, join<numbers, pointers, no_scalars>{});
    rows<scalar_conversion>(list<const int, volatile half, int &, const float &, tile<int>, tile<int, 1>, tile<int, 4>>{},
                            list<const int, const float, int &, int, float, half, tile<int>, tile<int, 4>>{});

    section("common types of arithmetic and of comparisons");
    rows_of(list<arithmetic, comparison>{}, numbers{}, numbers{});
    rows_of(list<arithmetic, comparison>{}, shaped<numbers, 4>{}, shaped<numbers, 4>{});
    rows_of(list<arithmetic, comparison>{}, shaped<numbers, 4>{}, numbers{});
    rows_of(list<arithmetic, comparison>{}, numbers{}, shaped<numbers, 4>{});

    section("shapes and rank 0 in common types");
    using some = list<int, float, half, tile<int>, tile<float>, tile<int, 1>, tile<float, 4>, tile<int, 4>,
                      tile<int, 4, 1>, tile<float, 1, 8>, tile<half, 2, 4>, tile<int, 2>, const tile<int, 4>,
                      const volatile float, int *, tile<int *, 4>, some_class, plain_enum, ic<4>, tile<int, 4> &>;
    rows_of(list<arithmetic, comparison, convertible, comparable>{}, some{}, some{});

    section("tile conversions");
    using elements = join<few_numbers, list<int *, const int *, void *, float *>>;
    rows<tile_conversion>(shaped<elements, 4>{}, shaped<elements, 4>{});
    rows<tile_conversion>(list<int, tile<int>, tile<int, 1>, tile<int, 1, 1>, tile<int, 4>, tile<int, 2, 4>>{},
                          list<int, tile<int>, tile<int, 1>, tile<int, 1, 1>, tile<int, 4>, tile<int, 2, 4>, long, short,
                               tile<long>, tile<long, 1>, tile<float, 1>, tile<float, 4>, tile<long, 4>, tile<short, 2, 4>,
                               const tile<long, 4>, tile<long, 4> &>{});
    rows<tile_conversion>(list<const int, const tile<int, 4>, volatile tile<int, 4>, tile<int, 4> &, int *, tile<int *, 4>,
                               std::nullptr_t, plain_enum, ic<4>, some_class, tile<half>, half>{},
                          list<int, long, bool, tile<int>, tile<bool>, tile<int, 4>, tile<long, 4>, tile<bool, 4>, int *,
                               const int *, tile<void *, 4>, const tile<int, 4>, float, tile<float>>{});
}
