// SPDX-License-Identifier: Apache-2.0
// The types of cuda_fp16.h, cuda_bf16.h, cuda_fp8.h and cuda_tf32.h as plain C++ types: layout, implicit and explicit
// conversions from and to every scalar type, and their operators. Tile operations that take an argument "implicitly
// convertible in C++" (full, extract, ...) rest on these.
#include "table.hpp"

#include <type_traits>

using namespace table;

VALUE1(size, "sizeof", sizeof(A))
VALUE1(align, "alignof", alignof(A))
TRAIT1(trivially_copyable, "trivially_copyable", std::is_trivially_copyable_v<A>)
TRAIT1(trivially_constructible, "trivially_default_constructible", std::is_trivially_default_constructible_v<A>)
TRAIT1(aggregate, "aggregate", std::is_aggregate_v<A>)
TRAIT1(is_class, "class", std::is_class_v<A>)

struct implicitly {};
struct explicitly {};
SHORT_NAME(implicitly, "implicit")
SHORT_NAME(explicitly, "explicit")
ALIAS2(convert, "convert",
       std::conditional_t<std::is_convertible_v<A, B>, implicitly,
                          std::conditional_t<std::is_constructible_v<B, A>, explicitly, flag<false>>>)
TRAIT2(assign, "assign", std::is_assignable_v<A &, B>)

OPERATION2(plus, "+", a + b)
OPERATION2(minus, "-", a - b)
OPERATION2(times, "*", a *b)
OPERATION2(slash, "/", a / b)
OPERATION2(percent, "%", a % b)
OPERATION2(logical_and, "&&", a &&b)
OPERATION2(equal, "==", a == b)
OPERATION2(less, "<", a < b)
OPERATION2(greater_equal, ">=", a >= b)
OPERATION2(plus_assign, "+=", a += b)
OPERATION1(positive, "unary +", +a)
OPERATION1(negative, "unary -", -a)
OPERATION1(negation, "!", !a)
OPERATION1(condition, "? :", a ? 1 : 2)
OPERATION3(conditional, "? :", a ? b : c)
OPERATION1(increment, "++x", ++a)

int main() {
    using extended = list<half, bf16, e4m3, e5m2, tf32>;
    section("layout");
    rows_of(list<size, align, trivially_copyable, trivially_constructible, aggregate, is_class>{}, join<extended, list<uint3, dim3>>{});

    section("conversions");
    rows<convert>(extended{}, join<numbers, list<plain_enum, void *>>{});
    rows<convert>(join<numbers, list<plain_enum, scoped_enum, void *, std::nullptr_t, ic<4>>>{}, extended{});
    rows<assign>(extended{}, numbers{});
    rows<assign>(list<float, int, bool, double>{}, extended{});

    section("operators");
    using binary = list<plus, minus, times, slash, percent, logical_and, equal, less, greater_equal, plus_assign>;
    rows_of(binary{}, extended{}, join<extended, list<bool, int, unsigned, long, float, double>>{});
    rows_of(binary{}, list<int, float, double>{}, extended{});
    rows_of(list<positive, negative, negation, condition, increment>{}, extended{});
    rows<conditional>(list<bool>{}, extended{}, join<extended, list<int, float>>{});
}
