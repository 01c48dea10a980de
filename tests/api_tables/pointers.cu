// SPDX-License-Identifier: Apache-2.0
// Operators on pointer tiles: offsets, differences, comparisons, nullptr, unary operators and conditions.
#include "table.hpp"

using namespace table;

OPERATION2(plus, "+", a + b)
OPERATION2(minus, "-", a - b)
OPERATION2(times, "*", a * b)
OPERATION2(percent, "%", a % b)
OPERATION2(bit_and, "&", a & b)
OPERATION2(shift_left, "<<", a << b)
OPERATION2(logical_and, "&&", a && b)
OPERATION2(logical_or, "||", a || b)
OPERATION2(equal, "==", a == b)
OPERATION2(not_equal, "!=", a != b)
OPERATION2(less, "<", a < b)
OPERATION2(less_equal, "<=", a <= b)
OPERATION2(greater, ">", a > b)
OPERATION2(greater_equal, ">=", a >= b)
OPERATION1(positive, "unary +", +a)
OPERATION1(negative, "unary -", -a)
OPERATION1(complement, "~", ~a)
OPERATION1(negation, "!", !a)
OPERATION1(dereference, "unary *", *a)
OPERATION2(subscript, "[]", a[b])
OPERATION1(increment, "++x", ++a)
OPERATION2(plus_assign, "+=", a += b)
OPERATION2(max_, "max", ct::max(a, b))
OPERATION2(add, "add", ct::add(a, b))
OPERATION2(sub, "sub", ct::sub(a, b))

int main() {
    using pointees = list<int *, const int *, volatile int *, void *, const void *, float *, bool *, half *, e4m3 *>;
    using pointers = join<shaped<pointees, 4>, list<tile<int *>, tile<int *, 1>, tile<float *, 2, 4>>>;
    using comparisons = list<equal, not_equal, less, less_equal, greater, greater_equal>;

    section("offsets");
    using offsets = join<shaped<join<numbers, list<int *>>, 4>, numbers,
                         list<tile<int>, tile<int, 1>, tile<int, 2>, tile<int, 2, 1>, tile<int, 2, 4>, tile<long, 1, 4>, ic<4>,
                              plain_enum, scoped_enum, some_class, __int128, std::nullptr_t, const int, const tile<int, 4>>>;
    rows_of(list<plus, minus>{}, list<tile<int *, 4>, tile<const half *>>{}, offsets{});
    rows<plus>(offsets{}, list<tile<int *, 4>, tile<const half *>>{});
    rows<minus>(list<tile<int, 4>, tile<int>, int>{}, list<tile<int *, 4>, tile<int *>>{});
    rows_of(list<plus, minus>{}, pointers{}, list<tile<int, 4>, tile<int>, int, tile<uint, 2, 1>, tile<int, 1 << 24>>{});
    rows<plus>(list<tile<int, 4>, tile<int>, int, tile<uint, 2, 1>>{}, pointers{});
    using bases = list<int *, const int *, volatile int *, void *, float *, int **, some_class *, int &>;
    rows_of(list<plus, minus>{}, bases{}, list<tile<int, 4>, tile<int>, tile<char, 2, 4>, tile<float, 4>, tile<bool, 4>>{});
    rows<plus>(list<tile<int, 4>, tile<int>, tile<char, 2, 4>, tile<float, 4>, tile<bool, 4>>{}, bases{});

    section("differences and comparisons");
    rows_of(join<list<minus>, comparisons>{}, pointers{}, pointers{});
    rows_of(join<list<minus>, comparisons>{}, pointers{}, list<int *, const void *, float *, std::nullptr_t, int>{});
    rows_of(join<list<minus>, comparisons>{}, list<int *, const void *, float *, std::nullptr_t, int>{}, pointers{});
    rows_of(list<equal, less>{}, list<tile<int, 4>, tile<float>>{}, list<std::nullptr_t, int *>{});

    section("logic and other operators");
    rows_of(list<logical_and, logical_or>{}, pointers{},
            list<tile<int *, 4>, tile<float *>, int *, bool, tile<bool, 4>, tile<half, 2, 1>, std::nullptr_t>{});
    rows_of(list<logical_and>{}, list<int *, tile<bool, 4>, bool, std::nullptr_t>{}, pointers{});
    rows_of(list<plus, times, percent, bit_and, shift_left, add, sub, max_>{}, list<tile<int *, 4>, tile<int, 4>, int *>{},
            list<tile<int *, 4>, int *>{});
    rows_of(list<add, sub, max_>{}, list<tile<int *, 4>>{}, list<tile<int, 4>, int>{});
    rows_of(list<positive, negative, complement, negation, dereference, increment>{},
            join<pointers, list<const tile<int *, 4>>>{});
    rows_of(list<subscript, plus_assign>{}, pointers{}, list<int, tile<int, 4>>{});
}
