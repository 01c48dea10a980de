// SPDX-License-Identifier: Apache-2.0
// Arrays as operands: they are pointers wherever a parameter by value would make them so, and know const.
#include "table.hpp"

using namespace table;

OPERATION1(tile_of, "tile{}", ct::tile{a})
OPERATION1(pointer_tile_of, "tile<int*>()", tile<int *>(a))
OPERATION1(const_pointer_tile_of, "tile<const int*>()", tile<const int *>(a))
OPERATION1(wide_tile_of, "tile<int*,1>()", tile<int *, 1>(a))
TRAIT1(becomes, "convertible to tile<const int*>", std::is_convertible_v<A, tile<const int *>>)
OPERATION2(plus, "+", a + b)
OPERATION2(minus, "-", a - b)
OPERATION2(equal, "==", a == b)
OPERATION2(less, "<", a < b)
OPERATION2(times, "*", a * b)
OPERATION2(logical_and, "&&", a && b)
OPERATION2(logical_or, "||", a || b)
OPERATION2(add, "add", ct::add(a, b))
OPERATION2(max_, "max", ct::max(a, b))
OPERATION1(abs_, "abs", ct::abs(a))
OPERATION1(cast_bool, "element_cast<bool>", ct::element_cast<bool>(a))
OPERATION1(cast_const_void, "element_cast<const void*>", ct::element_cast<const void *>(a))
OPERATION1(cast_int, "element_cast<int>", ct::element_cast<int>(a))
OPERATION1(bitcast_long, "element_bitcast<long>", ct::element_bitcast<long>(a))
OPERATION1(reshape_one, "reshape<shape<1>>", ct::reshape<ct::shape<1>>(a))
OPERATION1(reshape_one_, "reshape(shape<1>)", ct::reshape(a, ct::shape<1>{}))
OPERATION1(broadcast_four, "broadcast<shape<4>>", ct::broadcast<ct::shape<4>>(a))
OPERATION1(permute_none, "permute", ct::permute(a, ct::dimension_map<>{}))
OPERATION1(transpose_, "transpose", ct::transpose(a))
OPERATION1(extract_none, "extract(shape<>)", ct::extract(a, ct::shape<>{}))
OPERATION3(select_, "select", ct::select(a, b, c))
OPERATION1(full_, "full<tile<const int*,4>>", ct::full<tile<const int *, 4>>(a))
OPERATION1(load, "load", ct::load(a))
OPERATION2(load_masked, "load_masked", ct::load_masked(a, b))
OPERATION3(load_padded, "load_masked", ct::load_masked(a, b, c))
OPERATION2(store, "store", ct::store(a, b))
OPERATION3(store_masked, "store_masked", ct::store_masked(a, b, c))
OPERATION2(atomic_load, "atomic_load", ct::atomic_load(a, b))
OPERATION3(atomic_load_masked, "atomic_load_masked", ct::atomic_load_masked(a, b, c))
OPERATION3(atomic_store, "atomic_store", ct::atomic_store(a, b, c))
OPERATION4(atomic_store_masked, "atomic_store_masked", ct::atomic_store_masked(a, b, c, d))
#define UPDATE(f)                                                                                                      \
    OPERATION3(f, #f, ct::f(a, b, c))                                                                                  \
    OPERATION4(f##_masked, #f "_masked", ct::f##_masked(a, b, c, d))
UPDATE(atomic_add)
UPDATE(atomic_sub)
UPDATE(atomic_and)
UPDATE(atomic_or)
UPDATE(atomic_xor)
UPDATE(atomic_max)
UPDATE(atomic_min)
UPDATE(atomic_xchg)
OPERATION4(atomic_compare_exchange, "atomic_compare_exchange", ct::atomic_compare_exchange(a, b, c, d))
OPERATION5(atomic_compare_exchange_masked, "atomic_compare_exchange_masked",
           ct::atomic_compare_exchange_masked(a, b, c, d, e))
OPERATION1(assume_aligned, "assume_aligned<16>", ct::assume_aligned<16>(a))
OPERATION1(assume_blocked, "assume_blocked(shape<>)", ct::assume_blocked(a, ct::shape<>{}))
OPERATION1(assume_divisible, "assume_divisible<4>", ct::assume_divisible<4>(a))

int main() {
    using arrays = list<int (&)[4], const int (&)[4], volatile int (&)[4], int (&)[], float (&)[2], int (&)[2][3], int *(&)[2],
                        __half (&)[8], some_class (&)[2]>;
    using few = list<int (&)[4], const int (&)[4], float (&)[2]>;

    section("tiles of arrays");
    rows_of(list<tile_of, pointer_tile_of, const_pointer_tile_of, wide_tile_of, becomes>{}, arrays{});

    section("operators and named arithmetic");
    using partners = list<int, tile<int, 4>, float, tile<int *, 4>, tile<const int *>, int *, const int *, int (&)[4],
                          const int (&)[4], tile<bool, 4>>;
    rows_of(list<plus, minus, equal, less, times, logical_and, logical_or>{}, arrays{},
            list<int, tile<int, 4>, tile<int *, 4>, tile<bool, 4>>{});
    rows_of(list<plus, minus, equal, less, times, logical_and, logical_or>{}, list<tile<int, 4>, tile<int *, 4>, tile<bool, 4>>{},
            arrays{});
    rows_of(list<add, max_>{}, few{}, partners{});
    rows_of(list<abs_>{}, arrays{});

    section("tile operations");
    rows_of(list<cast_bool, cast_const_void, cast_int, bitcast_long, reshape_one, reshape_one_, broadcast_four, permute_none,
                 transpose_, extract_none, full_>{},
            arrays{});
    rows<select_>(list<bool, int (&)[4]>{}, list<int (&)[4], const int (&)[4], int *, tile<int, 4>>{},
                  list<int (&)[4], const int (&)[4], int *, int (&)[2], tile<int, 4>>{});

    section("memory");
    using relaxed = list<ct::memory_order_relaxed_t>;
    rows_of(list<load>{}, arrays{});
    rows<load_masked>(arrays{}, list<bool, int (&)[4], tile<bool, 4>>{});
    rows<load_masked>(list<tile<int *, 4>, int *>{}, arrays{});
    rows<load_padded>(few{}, list<bool, int (&)[4]>{}, list<int, int (&)[4], float>{});
    rows<store>(arrays{}, list<int, float, int (&)[4], tile<int>>{});
    rows<store_masked>(few{}, list<int>{}, list<bool, int (&)[4]>{});
    rows<atomic_load>(arrays{}, relaxed{});
    rows<atomic_load_masked>(few{}, list<bool, const int (&)[4]>{}, relaxed{});
    rows<atomic_store>(arrays{}, list<int, int (&)[4]>{}, relaxed{});
    rows<atomic_store_masked>(few{}, list<int>{}, list<bool, const int (&)[4]>{}, relaxed{});
    rows_of(list<atomic_add, atomic_sub, atomic_and, atomic_or, atomic_xor, atomic_max, atomic_min, atomic_xchg>{}, arrays{},
            list<int, tile<int>>{}, relaxed{});
    rows_of(list<atomic_add_masked, atomic_sub_masked, atomic_and_masked, atomic_or_masked, atomic_xor_masked,
                 atomic_max_masked, atomic_min_masked, atomic_xchg_masked>{},
            list<int (&)[4], int *, const int (&)[4]>{}, list<int>{}, list<bool, int (&)[4]>{}, relaxed{});
    rows<atomic_compare_exchange>(few{}, list<int, float>{}, list<int>{}, relaxed{});
    rows<atomic_compare_exchange_masked>(few{}, list<int>{}, list<int>{}, list<bool, int (&)[4]>{}, relaxed{});

    section("assumptions");
    rows_of(list<assume_aligned, assume_blocked, assume_divisible>{}, arrays{});
}
