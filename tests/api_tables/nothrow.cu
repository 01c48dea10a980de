// SPDX-License-Identifier: Apache-2.0
// Which calls are noexcept: one of each function.
#include "table.hpp"

using namespace table;
using namespace ct::literals;

template <class T> T x;
using floats4 = tile<float, 4>;
using ints4 = tile<int, 4>;
using pointers4 = tile<int *, 4>;
using map10 = ct::dimension_map<1, 0>;
using relaxed = ct::memory_order_relaxed_t;

int main() {
    FACT(noexcept(x<ints4> + x<ints4>));
    FACT(noexcept(x<ints4> / 2));
    FACT(noexcept(x<ints4> << 1));
    FACT(noexcept(x<ints4> && true));
    FACT(noexcept(x<ints4> < 2));
    FACT(noexcept(-x<ints4>));
    FACT(noexcept(!x<ints4>));
    FACT(noexcept(x<pointers4> + 1));
    FACT(noexcept(x<pointers4> - x<pointers4>));
    FACT(noexcept(x<pointers4> == nullptr));
    FACT(noexcept(ct::add(x<ints4>, 1)));
    FACT(noexcept(ct::add(x<floats4>, 1, ct::round_toward_zero_t{})));
    FACT(noexcept(ct::ceildiv(7, 2)));
    FACT(noexcept(ct::max(x<ints4>, 1)));
    FACT(noexcept(ct::max(x<floats4>, 1, ct::propagate_nan_t{})));
    FACT(noexcept(ct::abs(x<ints4>)));
    FACT(noexcept(ct::fma(x<floats4>, x<floats4>, x<floats4>)));
    FACT(noexcept(ct::mulhi(7, 2)));
    FACT(noexcept(ct::isnan(x<floats4>)));
    FACT(noexcept(ct::full<ints4>(1)));
    FACT(noexcept(ct::iota<ints4>()));
    FACT(noexcept(ct::zeros<ints4>()));
    FACT(noexcept(ct::bid()));
    FACT(noexcept(ct::num_blocks()));
    FACT(noexcept(ct::reshape(x<ints4>, ct::shape<2, 2>{})));
    FACT(noexcept(ct::broadcast(x<ints4>, ct::shape<2, 4>{})));
    FACT(noexcept(ct::permute(x<tile<int, 2, 4>>, map10{})));
    FACT(noexcept(ct::transpose(x<tile<int, 2, 4>>)));
    FACT(noexcept(ct::cat(x<ints4>, x<ints4>, 0_ic)));
    FACT(noexcept(ct::extract(x<ints4>, ct::shape<2>{}, 1)));
    FACT(noexcept(ct::select(true, x<ints4>, x<ints4>)));
    FACT(noexcept(ct::element_cast<float>(x<ints4>)));
    FACT(noexcept(ct::element_bitcast<float>(x<ints4>)));
    FACT(noexcept(ct::assume_divisible(7, 16_ic)));
    FACT(noexcept(ct::assume_aligned(x<int *>, 16_ic)));
    FACT(noexcept(ct::assume_bounded_below<0>(7)));
    FACT(noexcept(ct::load(x<pointers4>)));
    FACT(noexcept(ct::load_masked(x<pointers4>, true, 0)));
    FACT(noexcept(ct::store(x<pointers4>, x<ints4>)));
    FACT(noexcept(ct::store_masked(x<pointers4>, x<ints4>, true)));
    FACT(noexcept(ct::atomic_load(x<pointers4>, relaxed{})));
    FACT(noexcept(ct::atomic_store(x<pointers4>, x<ints4>, relaxed{})));
    FACT(noexcept(ct::atomic_add(x<pointers4>, x<ints4>, relaxed{})));
    FACT(noexcept(ct::atomic_compare_exchange(x<int *>, 1, 2, relaxed{})));
    FACT(noexcept(ints4(x<tile<long, 4>>)));
    FACT(noexcept(int(x<tile<int, 1>>)));
    FACT(noexcept(ct::extents{4_ic, 7}));
    FACT(noexcept(ct::extents{4} == ct::extents{5}));
    FACT(noexcept(ct::extents{4}.extent(0)));
    FACT(noexcept(ct::extents<unsigned, 4>::rank()));
    FACT(noexcept(ct::irange(1, 2)));
    FACT(noexcept(ct::irange(1, 2).begin()));
    FACT(noexcept(ct::irange(1, 2).size()));
    FACT(noexcept(3_ic + 4_ic));
    FACT(noexcept(int(3_ic)));
    FACT(noexcept((3_ic)()));
}
