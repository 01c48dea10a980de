// SPDX-License-Identifier: Apache-2.0
// Broadcasting: which shapes and tiles broadcast to which, mutual broadcast types, and equality of shapes.
#include "table.hpp"

using namespace table;

TRAIT2(shape_to, "shape_broadcastable_to", ct::shape_broadcastable_to<A, B>)
TRAIT2(shape_with, "shape_broadcast_compatible", ct::shape_broadcast_compatible<A, B>)
TRAIT2(tile_to, "broadcastable_to", ct::broadcastable_to<A, B>)
TRAIT2(tile_with, "broadcast_compatible", ct::broadcast_compatible<A, B>)
TRAIT2(same, "same_shape", ct::same_shape<A, B>)
ALIAS3(mutual, "mutual_broadcast_t", ct::mutual_broadcast_t<A, B, C>)

int main() {
    using shapes = list<ct::shape<>, ct::shape<1>, ct::shape<4>, ct::shape<8>, ct::shape<1, 4>, ct::shape<4, 1>, ct::shape<2, 4>,
                        ct::shape<8, 1>, ct::shape<8, 2>, ct::shape<4, 1, 2>, ct::shape<1, 1, 1>, ct::shape<2, 1, 4>, ct::shape<2, 4, 4>,
                        ct::shape<3>, ct::shape<0>, ct::shape<3, 1>, ct::shape<1, 0>, ct::shape<1 << 12, 1>, ct::shape<1, 1 << 13>,
                        ct::shape<1 << 12, 1 << 13>, ct::extents<int, 4>, ct::extents<unsigned long, 4, 1>, ct::shape<ct::dynamic_extent>,
                        ct::shape<2, ct::dynamic_extent>, const ct::shape<4>, ct::shape<4> &, int>;
    section("shapes");
    rows_of(list<shape_to, shape_with, same>{}, shapes{}, shapes{});

    section("tiles and shapes");
    using tiles = list<int, half *, tile<int>, tile<int, 1>, tile<float, 4>, tile<e4m3, 8>, tile<int, 4, 1>, tile<int, 2, 4>,
                       tile<int *, 1, 1>, tile<int, 4, 1, 2>, tile<int, 8, 2>, tile<int, 1 << 12, 1>, tile<int, 1, 1 << 13>,
                       const tile<int, 4>, const int, tile<int, 4> &, int &, some_class, ct::shape<4>, ic<4>, plain_enum, void>;
    rows<tile_to>(tiles{}, shapes{});
    rows_of(list<tile_with, same>{}, tiles{}, tiles{});

    section("mutual broadcast types");
    rows<mutual>(tiles{}, tiles{}, list<bool, int *>{});
    rows<mutual>(list<int, tile<int>, tile<int, 4>, const tile<float, 2, 1>>{}, list<int, tile<float, 4>>{},
                 join<numbers, list<const int, volatile half, void *, int &, some_class, __int128, tile<int, 4>, void>>{});
}
