// SPDX-License-Identifier: Apache-2.0
// irange: deduction from bounds and step, members, and use in a range-based for.
#include "table.hpp"

#include <iterator>

using namespace table;

template <class T> struct table::naming<ct::irange<T>> {
    static void put() {
        std::printf("irange<");
        naming<T>::put();
        std::printf(">");
    }
};
template <class T> struct table::naming<ct::irange_iterator<T>> {
    static void put() {
        std::printf("irange_iterator<");
        naming<T>::put();
        std::printf(">");
    }
};

ALIAS1(range_1, "irange()", decltype(ct::irange(std::declval<A>())))
ALIAS2(range_2, "irange()", decltype(ct::irange(std::declval<A>(), std::declval<B>())))
ALIAS3(range_3, "irange()", decltype(ct::irange(std::declval<A>(), std::declval<B>(), std::declval<C>())))
ALIAS2(braces_2, "irange{}", decltype(ct::irange{std::declval<A>(), std::declval<B>()}))
ALIAS3(braces_3, "irange{}", decltype(ct::irange{std::declval<A>(), std::declval<B>(), std::declval<C>()}))
TRAIT1(named, "irange<T>", requires { typename ct::irange<A>; })
ALIAS2(of_2, "irange<T>()", decltype(ct::irange<A>(std::declval<B>(), std::declval<B>())))
ALIAS1(of_0, "irange<T>()", decltype(ct::irange<A>()))

OPERATION1(begin_value, "*begin()", *a.begin())
OPERATION1(end_value, "end()", a.end())
OPERATION1(size, "size()", a.size())
OPERATION1(empty, "empty()", a.empty())
OPERATION1(compare, "begin() != end()", a.begin() != a.end())
OPERATION1(compare_same, "begin() == begin()", a.begin() == a.begin())
OPERATION1(post_increment_value, "*begin()++", *a.begin()++)
OPERATION1(subscript, "[]", a[0])
OPERATION1(lower, "front()", a.front())
OPERATION1(difference, "end() - begin()", a.end() - a.begin())
OPERATION1(decrement, "--begin()", --a.begin())
OPERATION1(advance, "begin() + 1", a.begin() + 1)
OPERATION2(equal, "==", a == b)
TRAIT1(increment, "++begin() is the iterator", requires(decltype(std::declval<A>().begin()) i) {
    requires std::is_same_v<decltype(++i), decltype(i) &>;
})
TRAIT1(forward, "forward_iterator", std::forward_iterator<decltype(std::declval<A>().begin())>)
TRAIT1(bidirectional, "bidirectional_iterator", std::bidirectional_iterator<decltype(std::declval<A>().begin())>)
TRAIT1(sentinel, "sentinel_for",
       std::sentinel_for<decltype(std::declval<A>().end()), decltype(std::declval<A>().begin())>)
TRAIT1(iterator_is, "irange_iterator<T>",
       std::is_same_v<decltype(std::declval<A>().begin()), ct::irange_iterator<decltype(std::declval<A>().size())>>)
TRAIT1(has_value_type, "value_type", requires { typename A::value_type; })
TRAIT1(has_difference_type, "difference_type", requires { typename A::difference_type; })
TRAIT1(has_iterator, "iterator", requires { typename A::iterator; })
TRAIT1(has_const_iterator, "const_iterator", requires { typename A::const_iterator; })
TRAIT1(has_size_type, "size_type", requires { typename A::size_type; })
TRAIT1(has_reference, "reference", requires { typename A::reference; })
TRAIT1(has_pointer, "pointer", requires { typename A::pointer; })
TRAIT1(has_iterator_category, "iterator_category", requires { typename A::iterator_category; })
TRAIT1(has_iterator_concept, "iterator_concept", requires { typename A::iterator_concept; })
TRAIT1(copyable, "trivially_copyable", std::is_trivially_copyable_v<A>)

int main() {
    using bounds = join<integers, list<float, half, ic<4>, plain_enum, scoped_enum, tile<int>, __int128, const int, int *>>;
    section("deduction");
    rows<range_2>(bounds{}, bounds{});
    using few = list<bool, short, int, unsigned, long, unsigned long, ic<4>, double>;
    rows<range_3>(few{}, few{}, few{});
    rows<range_1>(list<int, long, float>{});
    rows<braces_2>(few{}, few{});
    rows<braces_3>(list<int, long, short>{}, list<int, unsigned>{}, list<int, long, ic<1>>{});

    section("named types");
    rows<named>(join<numbers, list<const int, volatile int, int &, int *, plain_enum, __int128, tile<int>, ic<4>, void>>{});
    rows<of_2>(list<int, long, bool, unsigned>{}, join<few, list<half, plain_enum, tile<int>>>{});
    rows<of_0>(list<int>{});

    section("members");
    using ranges = list<ct::irange<int>, ct::irange<long>, ct::irange<unsigned>, ct::irange<short>, ct::irange<bool>,
                        ct::irange<char16_t>, const ct::irange<int>>;
    rows_of(list<begin_value, end_value, size, empty, compare, compare_same, post_increment_value, subscript, lower, difference,
                 decrement, advance, increment, forward, bidirectional, sentinel, iterator_is, copyable>{},
            ranges{});
    rows_of(list<has_value_type, has_difference_type, has_iterator, has_const_iterator, has_size_type, has_reference, has_pointer,
                 has_iterator_category, has_iterator_concept>{},
            list<ct::irange<int>, ct::irange<unsigned>, ct::irange<long>, ct::irange<bool>, ct::irange_iterator<int>, ct::irange_iterator<unsigned>>{});
    rows<equal>(list<ct::irange<int>>{}, list<ct::irange<int>, ct::irange<long>>{});

    section("values");
    int count = 0, last = 0;
    for (int i : ct::irange(5, 12, 2)) {
        ++count;
        last = i;
    }
    FACT_VALUE(count);
    FACT_VALUE(last);
    FACT_VALUE(ct::irange(5, 12, 2).size());
    FACT_VALUE(ct::irange(5, 12).size());
    FACT_VALUE(ct::irange(5, 5).size());
    FACT_VALUE(ct::irange(0, 7, 7).size());
    FACT_VALUE(ct::irange(0, 8, 7).size());
    FACT(ct::irange(5, 5).empty());
    FACT(ct::irange(5, 6).empty());
    FACT_VALUE(*ct::irange(5, 12, 2).begin());
    FACT_VALUE(ct::irange(5, 12, 2).end());
    FACT_VALUE(ct::irange(5, 11, 2).end());
}
