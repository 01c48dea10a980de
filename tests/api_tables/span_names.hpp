// SPDX-License-Identifier: Apache-2.0
// Names of layouts, mappings, tensor spans and views for the tables about them.
#pragma once

#include "table.hpp"

namespace table {

template <std::size_t Value> void put_static(const char *dynamic = "?") {
    if constexpr (Value == std::size_t(-1)) std::printf("%s", dynamic);
    else std::printf("%zu", Value);
}

// "kind<A,B>"
template <class... T> void put_template(const char *kind) {
    constexpr text arguments[] = {name<T>...};
    std::printf("%s<", kind);
    for (std::size_t i = 0; i < sizeof...(T); ++i) {
        if (i != 0) std::printf(",");
        arguments[i]();
    }
    std::printf(">");
}

TABLE_NAME(ct::layout_right, "layout_right")
TABLE_NAME(ct::layout_left, "layout_left")
template <class S> struct naming<ct::layout_strided<S>> {
    static void put() { put_template<S>("layout_strided"); }
};
template <std::size_t N> struct naming<ct::layout_right_padded<N>> {
    static void put() {
        std::printf("layout_right_padded<");
        put_static<N>();
        std::printf(">");
    }
};
template <std::size_t N> struct naming<ct::layout_left_padded<N>> {
    static void put() {
        std::printf("layout_left_padded<");
        put_static<N>();
        std::printf(">");
    }
};
template <class E> struct naming<ct::layout_right_mapping<E>> {
    static void put() { put_template<E>("right_mapping"); }
};
template <class E> struct naming<ct::layout_left_mapping<E>> {
    static void put() { put_template<E>("left_mapping"); }
};
template <class E, class S> struct naming<ct::layout_strided_mapping<E, S>> {
    static void put() { put_template<E, S>("strided_mapping"); }
};
template <class E, std::size_t N> struct naming<ct::layout_right_padded_mapping<E, N>> {
    static void put() {
        std::printf("right_padded_mapping<");
        naming<E>::put();
        std::printf(",");
        put_static<N>();
        std::printf(">");
    }
};
template <class E, std::size_t N> struct naming<ct::layout_left_padded_mapping<E, N>> {
    static void put() {
        std::printf("left_padded_mapping<");
        naming<E>::put();
        std::printf(",");
        put_static<N>();
        std::printf(">");
    }
};
template <class E> struct naming<ct::default_accessor<E>> {
    static void put() { put_template<E>("default_accessor"); }
};
template <class E, class Extents, class Layout> struct naming<ct::tensor_span<E, Extents, Layout, ct::default_accessor<E>>> {
    static void put() { put_template<E, Extents, Layout>("span"); }
};
template <class E, class Extents> struct naming<ct::tensor_span<E, Extents, ct::layout_right, ct::default_accessor<E>>> {
    static void put() { put_template<E, Extents>("span"); }
};
template <class Span, class Shape> struct naming<ct::partition_view<Span, Shape>> {
    static void put() { put_template<Span, Shape>("partition_view"); }
};
template <class Span, class Shape, class Strides, class... More> struct naming<ct::strided_view<Span, Shape, Strides, More...>> {
    static void put() { put_template<Span, Shape, Strides>("strided_view"); }
};
template <class Span, class Shape, std::size_t Dim> struct naming<ct::gather_scatter_view<Span, Shape, Dim>> {
    static void put() { put_template<Span, Shape, number<(long long)Dim>>("gather_scatter_view"); }
};

// Spans and mappings that the tables use.
constexpr std::size_t dyn = ct::dynamic_extent;
template <class E, std::size_t... Extents> using span = ct::tensor_span<E, ct::shape<Extents...>>;
template <class E, std::size_t... Extents> using span_left = ct::tensor_span<E, ct::shape<Extents...>, ct::layout_left>;

} // namespace table
