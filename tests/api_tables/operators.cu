// SPDX-License-Identifier: Apache-2.0
// Every operator on tiles: the type matrix of the binary operators, broadcasting, unary operators, operands that are no
// tiles, and operators that must not exist. Pointers have a table of their own.
#include "table.hpp"

using namespace table;

OPERATION2(plus, "+", a + b)
OPERATION2(minus, "-", a - b)
OPERATION2(times, "*", a * b)
OPERATION2(slash, "/", a / b)
OPERATION2(percent, "%", a % b)
OPERATION2(bit_and, "&", a & b)
OPERATION2(bit_or, "|", a | b)
OPERATION2(bit_xor, "^", a ^ b)
OPERATION2(shift_left, "<<", a << b)
OPERATION2(shift_right, ">>", a >> b)
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

OPERATION2(spaceship, "<=>", a <=> b)
OPERATION2(plus_assign, "+=", a += b)
OPERATION2(minus_assign, "-=", a -= b)
OPERATION2(times_assign, "*=", a *= b)
OPERATION2(slash_assign, "/=", a /= b)
OPERATION2(percent_assign, "%=", a %= b)
OPERATION2(and_assign, "&=", a &= b)
OPERATION2(or_assign, "|=", a |= b)
OPERATION2(xor_assign, "^=", a ^= b)
OPERATION2(left_assign, "<<=", a <<= b)
OPERATION2(right_assign, ">>=", a >>= b)
OPERATION2(subscript, "[]", a[b])
OPERATION2(call, "()", a(b))
OPERATION1(call_nothing, "()", a())
OPERATION1(increment, "++x", ++a)
OPERATION1(decrement, "--x", --a)
OPERATION1(post_increment, "x++", a++)
OPERATION1(post_decrement, "x--", a--)
OPERATION1(dereference, "unary *", *a)

TRAIT2(nothrow_plus, "noexcept +", noexcept(std::declval<A>() + std::declval<B>()))
TRAIT2(nothrow_equal, "noexcept ==", noexcept(std::declval<A>() == std::declval<B>()))
TRAIT1(nothrow_not, "noexcept !", noexcept(!std::declval<A>()))

using binary = list<plus, minus, times, slash, percent, bit_and, bit_or, bit_xor, shift_left, shift_right, logical_and,
                    logical_or, equal, not_equal, less, less_equal, greater, greater_equal>;
using one_of_each_rule = list<plus, bit_and, shift_left, logical_and, equal, less>;
using unary = list<positive, negative, complement, negation>;
using compound = list<plus_assign, minus_assign, times_assign, slash_assign, percent_assign, and_assign, or_assign,
                      xor_assign, left_assign, right_assign, spaceship, subscript, call>;

int main() {
    using elements = join<few_numbers, list<int *>>;
    section("element types: tile with tile, tile with scalar, scalar with tile");
    rows_of(binary{}, shaped<elements, 4>{}, shaped<elements, 4>{});
    rows_of(binary{}, shaped<elements, 4>{}, elements{});
    rows_of(binary{}, elements{}, shaped<elements, 4>{});

    section("shapes");
    using shapes = list<tile<int>, tile<int, 1>, tile<int, 4>, tile<int, 2>, tile<int, 1, 4>, tile<int, 4, 1>, tile<int, 2, 4>,
                        tile<int, 2, 1, 4>, tile<int, 1 << 12, 1>, tile<int, 1, 1 << 13>, int>;
    rows_of(one_of_each_rule{}, shapes{}, shapes{});
    rows_of(one_of_each_rule{}, list<const tile<int, 4>, tile<float, 1, 4>>{},
            list<const tile<int, 4>, tile<float, 2, 1>, const int>{});

    section("operands that are neither tile nor scalar");
    using strangers = list<ic<4>, ct::integral_constant<true>, plain_enum, scoped_enum, std::byte, some_class, __int128,
                           long double, std::nullptr_t, int **, ct::shape<4>>;
    rows_of(list<plus, slash, percent, bit_or, shift_right, logical_or, not_equal, greater>{},
            list<tile<int, 4>, tile<float, 4>, tile<bool>>{}, strangers{});
    rows_of(list<plus, bit_or, shift_right, logical_or, not_equal, greater>{}, strangers{},
            list<tile<int, 4>, tile<float, 4>, tile<bool>>{});

    section("unary operators");
    rows_of(unary{}, join<shaped<numbers, 4>, shaped<numbers>, list<tile<int, 1, 2, 4>, const tile<char, 4>>>{});

    section("operators that tiles do not have");
    rows_of(compound{}, list<tile<int>, tile<int, 4>, tile<float, 4>>{}, list<int, tile<int>, tile<int, 4>>{});
    rows_of(list<call_nothing, increment, decrement, post_increment, post_decrement, dereference>{},
            list<tile<int>, tile<int, 1>, tile<int, 4>, tile<bool, 4>, tile<float, 4>>{});

    section("noexcept");
    rows_of(list<nothrow_plus, nothrow_equal>{}, list<tile<int, 4>, tile<float>>{}, list<tile<int, 4>, int>{});
    rows<nothrow_not>(list<tile<int, 4>, tile<half>>{});
}
