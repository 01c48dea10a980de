// SPDX-License-Identifier: Apache-2.0
// mma and matmul: element types and shapes.
#include "table.hpp"

using namespace table;

OPERATION3(mma_, "mma", ct::mma(a, b, c))
OPERATION2(matmul_, "matmul", ct::matmul(a, b))
OPERATION2(mma_two, "mma", ct::mma(a, b))
TRAIT3(compatible, "mma_compatible", ct::mma_compatible<A, B, C>)
TRAIT2(matmul_ok, "matmul_compatible", ct::matmul_compatible<A, B>)
ALIAS2(matmul_result, "matmul_result_t", ct::matmul_result_t<A, B>)
OPERATION4(mma_mode, "mma", ct::mma(a, b, c, d))

int main() {
    section("element types");
    using elements = list<bool, char, schar, uchar, char8_t, short, int, unsigned, long, e4m3, e5m2, half, bf16, tf32, float, double>;
    using results = list<short, int, unsigned, long, half, bf16, tf32, float, double>;
    rows<mma_>(shaped<elements, 4, 8>{}, shaped<elements, 8, 2>{}, shaped<results, 4, 2>{});
    rows_of(list<matmul_, matmul_result>{}, shaped<join<elements, list<char16_t, ulong, int *>>, 4, 8>{}, shaped<join<elements, list<char16_t, ulong, int *>>, 8, 2>{});

    section("shapes");
    using lefts = list<float, tile<float>, tile<float, 8>, tile<float, 4, 8>, tile<float, 1, 8>, tile<float, 4, 1>, tile<float, 1, 1>, tile<float, 2, 4, 8>,
                       tile<float, 1, 4, 8>, tile<float, 4, 4, 8>, tile<float, 2, 2, 4, 8>, const tile<float, 4, 8>, tile<float, 4, 8> &>;
    using rights = list<float, tile<float, 8>, tile<float, 8, 2>, tile<float, 1, 2>, tile<float, 8, 1>, tile<float, 4, 2>, tile<float, 2, 8, 2>, tile<float, 1, 8, 2>,
                        tile<float, 4, 8, 2>, tile<float, 2, 2, 8, 2>, const tile<float, 8, 2>>;
    using sums = list<float, tile<float>, tile<float, 2>, tile<float, 4, 2>, tile<float, 1, 2>, tile<float, 4, 1>, tile<float, 1, 1>, tile<float, 2, 4, 2>, tile<float, 1, 4, 2>,
                      tile<float, 4, 4, 2>, tile<float, 8, 4, 2>, const tile<float, 4, 2>>;
    rows<mma_>(lefts{}, rights{}, sums{});
    rows_of(list<matmul_, matmul_ok, matmul_result>{}, lefts{}, rights{});
    rows<compatible>(list<tile<float, 4, 8>, tile<half, 4, 8>, tile<char, 2, 4, 8>, float, some_class>{}, list<tile<float, 8, 2>, tile<half, 8, 2>, tile<uchar, 1, 8, 2>, int>{},
                     list<tile<float, 4, 2>, tile<half, 4, 2>, tile<int, 2, 4, 2>, tile<int, 4, 2>, float>{});
    rows<matmul_>(list<tile<half, 1 << 13, 2>, tile<char, 1 << 13, 1>, tile<float, 1 << 12, 1>>{}, list<tile<half, 2, 1 << 13>, tile<char, 1, 1 << 11>, tile<float, 1, 1 << 12>, tile<float, 1, 1 << 13>>{});
    rows<mma_two>(list<tile<float, 4, 8>>{}, list<tile<float, 8, 2>>{});
    rows<mma_mode>(list<tile<float, 4, 8>>{}, list<tile<float, 8, 2>>{}, list<tile<float, 4, 2>>{}, list<ct::round_ties_to_even_t>{});
}
