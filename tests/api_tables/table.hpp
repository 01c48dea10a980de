// SPDX-License-Identifier: Apache-2.0
// Support for the API tables: names of types as text, lists of types, and rows "operation arguments : result type".
//
// A table asks only whether an expression is well-formed and what its type is. Nothing is evaluated, so `__tile__`
// functions may be named here from host code. One row costs one substitution and two words of static data: the
// results of a whole line of a table form one array, and ordinary functions print it.
#pragma once

#include <cuda_runtime.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <type_traits>
#include <utility>

namespace ct = cuda::tiles;

namespace table {

// ---------------------------------------------------------------------------------------------------------- names

using text = void (*)(); // prints a name

// put() prints the short name of T. A type that no table expects shows as such.
template <class T> struct naming {
    static void put() { std::printf("(unnamed type)"); }
};

template <class T> constexpr text name = &naming<T>::put;

#define TABLE_NAME(type, short_name)                                                                                   \
    template <> struct naming<type> {                                                                                  \
        static void put() { std::printf("%s", short_name); }                                                           \
    };

// Types that are no scalars.
struct some_class {};
union some_union {};
enum plain_enum : int {};
enum class scoped_enum : int {};

TABLE_NAME(void, "void")
TABLE_NAME(bool, "bool")
TABLE_NAME(char, "char")
TABLE_NAME(signed char, "schar")
TABLE_NAME(unsigned char, "uchar")
TABLE_NAME(char8_t, "char8_t")
TABLE_NAME(char16_t, "char16_t")
TABLE_NAME(char32_t, "char32_t")
TABLE_NAME(wchar_t, "wchar_t")
TABLE_NAME(short, "short")
TABLE_NAME(unsigned short, "ushort")
TABLE_NAME(int, "int")
TABLE_NAME(unsigned, "uint")
TABLE_NAME(long, "long")
TABLE_NAME(unsigned long, "ulong")
TABLE_NAME(long long, "llong")
TABLE_NAME(unsigned long long, "ullong")
TABLE_NAME(__int128, "int128")
TABLE_NAME(unsigned __int128, "uint128")
TABLE_NAME(__half, "half")
TABLE_NAME(__nv_bfloat16, "bf16")
TABLE_NAME(__nv_fp8_e4m3, "e4m3")
TABLE_NAME(__nv_fp8_e5m2, "e5m2")
TABLE_NAME(__nv_tf32, "tf32")
TABLE_NAME(float, "float")
TABLE_NAME(double, "double")
TABLE_NAME(long double, "longdouble")
TABLE_NAME(std::byte, "byte")
TABLE_NAME(std::nullptr_t, "nullptr")
TABLE_NAME(some_class, "class")
TABLE_NAME(some_union, "union")
TABLE_NAME(plain_enum, "enum")
TABLE_NAME(scoped_enum, "enumclass")
TABLE_NAME(uint3, "uint3")
TABLE_NAME(dim3, "dim3")

template <class T> struct naming<const T> {
    static void put() {
        std::printf("const ");
        naming<T>::put();
    }
};
template <class T> struct naming<volatile T> {
    static void put() {
        std::printf("volatile ");
        naming<T>::put();
    }
};
template <class T> struct naming<const volatile T> {
    static void put() {
        std::printf("const volatile ");
        naming<T>::put();
    }
};
template <class T> struct naming<T *> {
    static void put() {
        naming<T>::put();
        std::printf("*");
    }
};
template <class T> struct naming<T *const> {
    static void put() {
        naming<T>::put();
        std::printf("*const");
    }
};
template <class T> struct naming<T &> {
    static void put() {
        naming<T>::put();
        std::printf("&");
    }
};
template <class T> struct naming<T &&> {
    static void put() {
        naming<T>::put();
        std::printf("&&");
    }
};
template <class T> struct naming<T[]> {
    static void put() {
        naming<T>::put();
        std::printf("(array)");
    }
};
// An array, as an lvalue: "const int(4 of them)&".
template <class T, std::size_t N> struct naming<T (&)[N]> {
    static void put() {
        naming<T>::put();
        std::printf("(%zu of them)&", N);
    }
};
template <class R> struct naming<R()> {
    static void put() { std::printf("function"); }
};
template <class T> struct naming<T some_class::*> {
    static void put() {
        naming<T>::put();
        std::printf(" class::*");
    }
};

// "4x8": the extents of a shape; a dynamic one is "?".
inline void put_extents(std::size_t count, const std::size_t *extents) {
    for (std::size_t i = 0; i < count; ++i) {
        if (i != 0) std::printf("x");
        if (extents[i] == std::size_t(-1)) std::printf("?");
        else std::printf("%zu", extents[i]);
    }
}
template <std::size_t... Extents> void put_extents_of() {
    constexpr std::size_t extents[sizeof...(Extents) + 1] = {Extents..., 0};
    put_extents(sizeof...(Extents), extents);
}

template <class E, std::size_t... Extents> struct naming<ct::tile<E, ct::extents<std::uint32_t, Extents...>>> {
    static void put() {
        naming<E>::put();
        std::printf("[");
        put_extents_of<Extents...>();
        std::printf("]");
    }
};
// broadcast<const S>(x) yields such a type.
template <class E, std::size_t... Extents> struct naming<ct::tile<E, const ct::extents<std::uint32_t, Extents...>>> {
    static void put() {
        naming<E>::put();
        std::printf("[const ");
        put_extents_of<Extents...>();
        std::printf("]");
    }
};
template <class I, std::size_t... Extents> struct naming<ct::extents<I, Extents...>> {
    static void put() {
        std::printf("extents<");
        naming<I>::put();
        std::printf(">(");
        put_extents_of<Extents...>();
        std::printf(")");
    }
};
template <std::size_t... Extents> struct naming<ct::extents<std::uint32_t, Extents...>> {
    static void put() {
        std::printf("shape(");
        put_extents_of<Extents...>();
        std::printf(")");
    }
};
template <class I, std::size_t... Strides> struct naming<ct::strides<I, Strides...>> {
    static void put() {
        std::printf("strides<");
        naming<I>::put();
        std::printf(">(");
        put_extents_of<Strides...>();
        std::printf(")");
    }
};

// Answers that are no types.
template <bool Answer> struct flag {};
template <long long Value> struct number {};
TABLE_NAME(flag<true>, "yes")
TABLE_NAME(flag<false>, "no")
template <long long Value> struct naming<number<Value>> {
    static void put() { std::printf("%lld", Value); }
};

// Constants: "4_ic", and "ic<long 4>" where the value type is not int.
template <auto Value> struct naming<ct::integral_constant<Value>> {
    static void put() {
        using type = std::remove_const_t<decltype(Value)>;
        if constexpr (std::is_same_v<type, int>) {
            std::printf("%d_ic", Value);
        } else {
            std::printf("ic<");
            naming<type>::put();
            if constexpr (std::is_signed_v<type>) std::printf(" %lld>", static_cast<long long>(Value));
            else std::printf(" %llu>", static_cast<unsigned long long>(Value));
        }
    }
};

#define TABLE_CONSTANT(wrapper, enumeration, enumerator, short_name)                                                   \
    template <> struct naming<ct::wrapper<ct::enumeration::enumerator>> {                                              \
        static void put() { std::printf("%s", short_name); }                                                           \
    };
TABLE_CONSTANT(rounding_mode_constant, rounding_mode, round_ties_to_even, "ties_to_even")
TABLE_CONSTANT(rounding_mode_constant, rounding_mode, round_toward_zero, "toward_zero")
TABLE_CONSTANT(rounding_mode_constant, rounding_mode, round_toward_negative, "toward_negative")
TABLE_CONSTANT(rounding_mode_constant, rounding_mode, round_toward_positive, "toward_positive")
TABLE_CONSTANT(rounding_mode_constant, rounding_mode, round_approximate, "approximate")
TABLE_CONSTANT(rounding_mode_constant, rounding_mode, round_full, "full")
TABLE_CONSTANT(subnormals_rounding_mode_constant, subnormals_rounding_mode, preserve_subnormals, "preserve")
TABLE_CONSTANT(subnormals_rounding_mode_constant, subnormals_rounding_mode, round_subnormals_to_zero, "flush")
TABLE_CONSTANT(nan_propagation_mode_constant, nan_propagation_mode, suppress_nan, "suppress_nan")
TABLE_CONSTANT(nan_propagation_mode_constant, nan_propagation_mode, propagate_nan, "propagate_nan")
TABLE_CONSTANT(view_padding_constant, view_padding, zero, "pad_zero")
TABLE_CONSTANT(view_padding_constant, view_padding, negative_zero, "pad_negative_zero")
TABLE_CONSTANT(view_padding_constant, view_padding, positive_inf, "pad_positive_inf")
TABLE_CONSTANT(view_padding_constant, view_padding, negative_inf, "pad_negative_inf")
TABLE_CONSTANT(view_padding_constant, view_padding, nan, "pad_nan")
TABLE_CONSTANT(memory_order_constant, memory_order, relaxed, "relaxed")
TABLE_CONSTANT(memory_order_constant, memory_order, acquire, "acquire")
TABLE_CONSTANT(memory_order_constant, memory_order, release, "release")
TABLE_CONSTANT(memory_order_constant, memory_order, acq_rel, "acq_rel")
TABLE_CONSTANT(thread_scope_constant, thread_scope, block, "block")
TABLE_CONSTANT(thread_scope_constant, thread_scope, device, "device")
TABLE_CONSTANT(thread_scope_constant, thread_scope, system, "system")
TABLE_CONSTANT(scan_direction_constant, scan_direction, forward, "forward")
TABLE_CONSTANT(scan_direction_constant, scan_direction, backward, "backward")
TABLE_NAME(ct::rounding_mode, "rounding_mode")
TABLE_NAME(ct::subnormals_rounding_mode, "subnormals_rounding_mode")
TABLE_NAME(ct::nan_propagation_mode, "nan_propagation_mode")
TABLE_NAME(ct::view_padding, "view_padding")
TABLE_NAME(ct::memory_order, "memory_order")
TABLE_NAME(ct::thread_scope, "thread_scope")
TABLE_NAME(ct::scan_direction, "scan_direction")

// ---------------------------------------------------------------------------------------------------------- lists

template <class... T> struct list {};

template <class...> struct joined;
template <class... T> struct joined<list<T...>> { using type = list<T...>; };
template <class... T, class... U, class... Rest> struct joined<list<T...>, list<U...>, Rest...> {
    using type = typename joined<list<T..., U...>, Rest...>::type;
};
template <class... Lists> using join = typename joined<Lists...>::type;

// The same elements with a shape: shaped<list<int, float>, 4> is list<int[4], float[4]>.
template <class E, std::size_t... Extents> using tile = ct::tile<E, ct::shape<Extents...>>;
template <class Elements, std::size_t... Extents> struct shaping;
template <class... E, std::size_t... Extents> struct shaping<list<E...>, Extents...> {
    using type = list<tile<E, Extents...>...>;
};
template <class Elements, std::size_t... Extents> using shaped = typename shaping<Elements, Extents...>::type;

template <class Types> struct pointing;
template <class... T> struct pointing<list<T...>> { using type = list<T *...>; };
template <class Types> using pointers_to = typename pointing<Types>::type;

using half = __half;
using bf16 = __nv_bfloat16;
using e4m3 = __nv_fp8_e4m3;
using e5m2 = __nv_fp8_e5m2;
using tf32 = __nv_tf32;
using schar = signed char;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned;
using ulong = unsigned long;
using llong = long long;
using ullong = unsigned long long;

using integers = list<bool, char, schar, uchar, char8_t, short, ushort, char16_t, int, uint, char32_t, wchar_t, long,
                      ulong, llong, ullong>;
using floats = list<e4m3, e5m2, half, bf16, tf32, float, double>;
using numbers = join<integers, floats>;
using few_numbers = list<bool, char, short, int, uint, long, half, bf16, e5m2, tf32, float, double>;

template <int V> using ic = ct::integral_constant<V>;

// ----------------------------------------------------------------------------------------------------- operations
//
// OPERATION<n>(id, label, expression of a, b, c ...)  the type of an expression; the template parameters A, B, C ... are
//                                                     the types of a, b, c ..., which are lvalues.
// ALIAS<n>(id, label, type built of A, B, C ...)      a type.
// TRAIT<n>(id, label, condition on A, B, C ...)       yes or no.
// VALUE<n>(id, label, integer built of A, B, C ...)   a number.

#define ALIAS1(id, label, ...)                                                                                         \
    struct id {                                                                                                        \
        static constexpr const char *title = label;                                                                    \
        template <class A> using type = __VA_ARGS__;                                                                   \
    };
#define ALIAS2(id, label, ...)                                                                                         \
    struct id {                                                                                                        \
        static constexpr const char *title = label;                                                                    \
        template <class A, class B> using type = __VA_ARGS__;                                                          \
    };
#define ALIAS3(id, label, ...)                                                                                         \
    struct id {                                                                                                        \
        static constexpr const char *title = label;                                                                    \
        template <class A, class B, class C> using type = __VA_ARGS__;                                                 \
    };
#define TRAIT1(id, label, ...) ALIAS1(id, label, ::table::flag<bool(__VA_ARGS__)>)
#define TRAIT2(id, label, ...) ALIAS2(id, label, ::table::flag<bool(__VA_ARGS__)>)
#define TRAIT3(id, label, ...) ALIAS3(id, label, ::table::flag<bool(__VA_ARGS__)>)
#define VALUE1(id, label, ...) ALIAS1(id, label, ::table::number<(long long)(__VA_ARGS__)>)
#define VALUE2(id, label, ...) ALIAS2(id, label, ::table::number<(long long)(__VA_ARGS__)>)

#define OPERATION1(id, label, ...)                                                                                     \
    struct id {                                                                                                        \
        static constexpr const char *title = label;                                                                    \
        template <class A> static auto apply(A a) -> decltype(__VA_ARGS__);                                            \
        template <class A> using type = decltype(apply<A>(std::declval<A>()));                                         \
    };
#define OPERATION2(id, label, ...)                                                                                     \
    struct id {                                                                                                        \
        static constexpr const char *title = label;                                                                    \
        template <class A, class B> static auto apply(A a, B b) -> decltype(__VA_ARGS__);                              \
        template <class A, class B> using type = decltype(apply<A, B>(std::declval<A>(), std::declval<B>()));          \
    };
#define OPERATION3(id, label, ...)                                                                                     \
    struct id {                                                                                                        \
        static constexpr const char *title = label;                                                                    \
        template <class A, class B, class C> static auto apply(A a, B b, C c) -> decltype(__VA_ARGS__);                \
        template <class A, class B, class C>                                                                           \
        using type = decltype(apply<A, B, C>(std::declval<A>(), std::declval<B>(), std::declval<C>()));                \
    };
#define OPERATION4(id, label, ...)                                                                                     \
    struct id {                                                                                                        \
        static constexpr const char *title = label;                                                                    \
        template <class A, class B, class C, class D>                                                                  \
        static auto apply(A a, B b, C c, D d) -> decltype(__VA_ARGS__);                                                \
        template <class A, class B, class C, class D>                                                                  \
        using type = decltype(apply<A, B, C, D>(std::declval<A>(), std::declval<B>(), std::declval<C>(),               \
                                                std::declval<D>()));                                                   \
    };
#define OPERATION5(id, label, ...)                                                                                     \
    struct id {                                                                                                        \
        static constexpr const char *title = label;                                                                    \
        template <class A, class B, class C, class D, class E>                                                         \
        static auto apply(A a, B b, C c, D d, E e) -> decltype(__VA_ARGS__);                                           \
        template <class A, class B, class C, class D, class E>                                                         \
        using type = decltype(apply<A, B, C, D, E>(std::declval<A>(), std::declval<B>(), std::declval<C>(),            \
                                                   std::declval<D>(), std::declval<E>()));                             \
    };

// ----------------------------------------------------------------------------------------------------------- rows

template <class Operation, class... A> constexpr text result_of() {
    if constexpr (requires { typename Operation::template type<A...>; })
        return name<typename Operation::template type<A...>>;
    else return nullptr;
}

inline void print_rows(const char *title, std::size_t fixed, const text *first, std::size_t count, const text *last,
                       const text *results) {
    for (std::size_t row = 0; row < count; ++row) {
        std::printf("%s", title);
        for (std::size_t i = 0; i < fixed; ++i) {
            std::printf(" ");
            first[i]();
        }
        if (last != nullptr) {
            std::printf(" ");
            last[row]();
        }
        std::printf(" : ");
        if (results[row] != nullptr) results[row]();
        else std::printf("-");
        std::printf("\n");
    }
}

template <class Operation, class... First, class... Last> void leaf(list<First...>, list<Last...>) {
    static constexpr text first[] = {name<First>..., nullptr};
    static constexpr text last[] = {name<Last>...};
    static constexpr text results[] = {result_of<Operation, First..., Last>()...};
    print_rows(Operation::title, sizeof...(First), first, sizeof...(Last), last, results);
}

template <class Operation, class... First, class Last> void spread(list<First...> first, Last last) {
    leaf<Operation>(first, last);
}
template <class Operation, class... First, class... Here, class Next, class... More>
void spread(list<First...>, list<Here...>, Next next, More... more) {
    (spread<Operation>(list<First..., Here>{}, next, more...), ...);
}

// One row for every combination of one type from each list, the last list varying fastest.
template <class Operation, class... Lists> void rows(Lists... lists) { spread<Operation>(list<>{}, lists...); }

// The same for several operations, one after the other.
template <class... Operations, class... Lists> void rows_of(list<Operations...>, Lists... lists) {
    (spread<Operations>(list<>{}, lists...), ...);
}

// A single row.
template <class Operation, class... A> void row() {
    static constexpr text arguments[] = {name<A>..., nullptr};
    static constexpr text result[] = {result_of<Operation, A...>()};
    print_rows(Operation::title, sizeof...(A), arguments, 1, nullptr, result);
}

// A fact that is no combination of types: the condition is written out as text.
inline void fact(const char *what, bool holds) { std::printf("%s : %s\n", what, holds ? "yes" : "no"); }
inline void fact(const char *what, long long value) { std::printf("%s : %lld\n", what, value); }
inline void fact(const char *what, text type) {
    std::printf("%s : ", what);
    type();
    std::printf("\n");
}
#define FACT(...) ::table::fact(#__VA_ARGS__, bool(__VA_ARGS__))
#define FACT_VALUE(...) ::table::fact(#__VA_ARGS__, static_cast<long long>(__VA_ARGS__))
#define FACT_TYPE(...) ::table::fact(#__VA_ARGS__, ::table::name<decltype(__VA_ARGS__)>)

inline void section(const char *title) { std::printf("# %s\n", title); }

} // namespace table

// Names a type of a table's own; stands outside every namespace.
#define SHORT_NAME(type, short_name)                                                                                   \
    template <> struct table::naming<type> {                                                                           \
        static void put() { std::printf("%s", short_name); }                                                           \
    };
