// SPDX-License-Identifier: Apache-2.0
// full, iota, zeros, ones, the block's index and the number of blocks.
#include "table.hpp"

using namespace table;

ALIAS2(full_, "full", decltype(ct::full<A>(std::declval<B>())))
ALIAS1(iota_, "iota", decltype(ct::iota<A>()))
ALIAS1(zeros_, "zeros", decltype(ct::zeros<A>()))
ALIAS1(ones_, "ones", decltype(ct::ones<A>()))
ALIAS1(full_nothing, "full()", decltype(ct::full<A>()))
ALIAS1(iota_argument, "iota(x)", decltype(ct::iota<A>(A{})))
OPERATION2(full_deduced, "full(x)", ct::full(a, b))

// A class that converts to int, and one that converts to half.
struct to_int {
    operator int() const;
};
struct to_half {
    operator half() const;
};
struct explicitly_to_int {
    explicit operator int() const;
};
SHORT_NAME(to_int, "to_int")
SHORT_NAME(to_half, "to_half")
SHORT_NAME(explicitly_to_int, "explicitly_to_int")

ALIAS1(bid_type, "bid()", decltype((void)sizeof(A), ct::bid()))
ALIAS1(num_blocks_type, "num_blocks()", decltype((void)sizeof(A), ct::num_blocks()))
ALIAS1(bid_x, "bid().x", std::remove_cvref_t<decltype((void)sizeof(A), ct::bid().x)>)
ALIAS1(num_blocks_z, "num_blocks().z", std::remove_cvref_t<decltype((void)sizeof(A), ct::num_blocks().z)>)

int main() {
    section("full");
    using values = join<numbers, list<int *, const int *, void *, float *, std::nullptr_t, ic<4>, plain_enum, scoped_enum,
                                      some_class, to_int, to_half, explicitly_to_int, __int128, long double, tile<int>,
                                      tile<int, 1>, tile<int, 4>, tile<float, 4>>>;
    using filled = join<shaped<few_numbers, 4>,
                        list<tile<e4m3, 2, 4>, tile<ulong>, tile<char8_t, 1>, tile<int *, 4>, tile<const int *, 4>, tile<void *, 4>,
                             int, half, float, e5m2, int *, const int, const tile<int, 4>, some_class, int **, ct::shape<4>>>;
    rows<full_>(filled{}, values{});
    rows<full_nothing>(list<tile<int, 4>, int>{});
    rows<full_deduced>(list<int>{}, list<ct::shape<4>>{});

    section("iota, zeros, ones");
    using types = join<shaped<numbers, 4>, numbers,
                       list<tile<int *, 4>, int *, tile<int>, tile<float>, tile<bool, 1>, tile<bool, 2>, tile<bool, 2, 2>,
                            tile<char, 128>, tile<char, 256>, tile<signed char, 128>, tile<signed char, 256>,
                            tile<unsigned char, 256>, tile<unsigned char, 512>, tile<char8_t, 256>, tile<char8_t, 512>,
                            tile<char, 16, 8>, tile<char, 16, 16>, tile<short, 32768>, tile<short, 65536>,
                            tile<unsigned short, 65536>, tile<unsigned short, 131072>, tile<char16_t, 65536>,
                            tile<char16_t, 131072>, tile<int, 1 << 24>, const int, const tile<int, 4>, const tile<float>,
                            tile<int, 4> &, some_class, plain_enum, __int128, std::byte, ct::shape<4>, void>>;
    rows_of(list<iota_, zeros_, ones_>{}, types{});
    rows<iota_argument>(list<int, tile<int, 4>>{});

    section("the grid");
    rows_of(list<bid_type, num_blocks_type, bid_x, num_blocks_z>{}, list<int>{});
}
