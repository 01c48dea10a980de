// SPDX-License-Identifier: Apache-2.0
// cuda::atomic_ref, cuda::atomic, cuda::std's, atomic_flag and fences: every member at every scope, of the types that
// references.cu leaves out, qualified in every way; what throws, what converts, how objects are made; the functions of <atomic>.
#include "table.hpp"

#include <new>

#include <cuda/atomic>
#include <cuda/std/atomic>

#include <atomic>

using namespace table;

struct two_words {
    int a, b;
};
struct two_longs {
    alignas(16) long long a;
    long long b;
};
template <int N> struct bytes {
    char a[N];
};
template <int N> struct alignas(8) words {
    char a[N];
};
struct convertible {
    operator int() const;
};
SHORT_NAME(two_words, "two_words")
SHORT_NAME(two_longs, "two_longs")
template <int N> struct table::naming<bytes<N>> {
    static void put() { std::printf("bytes<%d>", N); }
};
template <int N> struct table::naming<words<N>> {
    static void put() { std::printf("words<%d>", N); }
};
SHORT_NAME(convertible, "to_int")
SHORT_NAME(float2, "float2")
SHORT_NAME(cuda::std::memory_order, "order")
SHORT_NAME(std::memory_order, "host's order")
SHORT_NAME(cuda::thread_scope, "scope")
SHORT_NAME(cuda::std::atomic_flag, "atomic_flag")

inline const char *name_of(cuda::thread_scope s) {
    return s == cuda::thread_scope_system   ? "system"
           : s == cuda::thread_scope_device ? "device"
           : s == cuda::thread_scope_block  ? "block"
                                            : "thread";
}
#define SCOPED_NAME(type, title)                                                                                       \
    template <class T, cuda::thread_scope S> struct table::naming<type<T, S>> {                                        \
        static void put() {                                                                                            \
            std::printf(title "<");                                                                                    \
            naming<T>::put();                                                                                          \
            std::printf(",%s>", name_of(S));                                                                           \
        }                                                                                                              \
    };
#define PLAIN_NAME(type, title)                                                                                        \
    template <class T> struct table::naming<type<T>> {                                                                 \
        static void put() {                                                                                            \
            std::printf(title "<");                                                                                    \
            naming<T>::put();                                                                                          \
            std::printf(">");                                                                                          \
        }                                                                                                              \
    };
SCOPED_NAME(cuda::atomic_ref, "ref")
SCOPED_NAME(cuda::atomic, "atomic")
PLAIN_NAME(cuda::std::atomic_ref, "std::ref")
PLAIN_NAME(cuda::std::atomic, "std::atomic")

#define OBJECT std::remove_cvref_t<decltype(a)>
#define VALUE_OF(a) std::declval<typename OBJECT::value_type>()
#define PLACE_OF(a) std::declval<typename OBJECT::value_type &>()
constexpr auto acquire_order = cuda::std::memory_order_acquire;
constexpr auto release_order = cuda::std::memory_order_release;

/// An expression: its type, and whether it promises not to throw.
#define MEMBER(id, label, ...)                                                                                         \
    OPERATION1(id, label, __VA_ARGS__)                                                                                 \
    struct id##_nothrow {                                                                                              \
        static constexpr const char *title = "noexcept " label;                                                        \
        template <class A> static auto apply(A a) -> flag<bool(noexcept(__VA_ARGS__))>;                                \
        template <class A> using type = decltype(apply<A>(std::declval<A>()));                                         \
    };
MEMBER(load, "load", a.load())
MEMBER(load_o, "load(o)", a.load(acquire_order))
MEMBER(store, "store", a.store(VALUE_OF(a)))
MEMBER(store_o, "store(o)", a.store(VALUE_OF(a), release_order))
MEMBER(exchange, "exchange", a.exchange(VALUE_OF(a)))
MEMBER(exchange_o, "exchange(o)", a.exchange(VALUE_OF(a), release_order))
MEMBER(weak_1, "compare_exchange_weak", a.compare_exchange_weak(PLACE_OF(a), VALUE_OF(a)))
MEMBER(weak_2, "compare_exchange_weak(o)", a.compare_exchange_weak(PLACE_OF(a), VALUE_OF(a), acquire_order))
MEMBER(weak_3, "compare_exchange_weak(o,o)", a.compare_exchange_weak(PLACE_OF(a), VALUE_OF(a), release_order, acquire_order))
MEMBER(strong_1, "compare_exchange_strong", a.compare_exchange_strong(PLACE_OF(a), VALUE_OF(a)))
MEMBER(strong_2, "compare_exchange_strong(o)", a.compare_exchange_strong(PLACE_OF(a), VALUE_OF(a), acquire_order))
MEMBER(strong_3, "compare_exchange_strong(o,o)",
       a.compare_exchange_strong(PLACE_OF(a), VALUE_OF(a), release_order, acquire_order))
MEMBER(fetch_add, "fetch_add", a.fetch_add(VALUE_OF(a)))
MEMBER(fetch_add_o, "fetch_add(1,o)", a.fetch_add(1, acquire_order))
MEMBER(fetch_sub, "fetch_sub", a.fetch_sub(VALUE_OF(a)))
MEMBER(fetch_sub_o, "fetch_sub(1,o)", a.fetch_sub(1, acquire_order))
MEMBER(fetch_and, "fetch_and", a.fetch_and(VALUE_OF(a)))
MEMBER(fetch_and_o, "fetch_and(o)", a.fetch_and(VALUE_OF(a), acquire_order))
MEMBER(fetch_or, "fetch_or", a.fetch_or(VALUE_OF(a)))
MEMBER(fetch_or_o, "fetch_or(o)", a.fetch_or(VALUE_OF(a), acquire_order))
MEMBER(fetch_xor, "fetch_xor", a.fetch_xor(VALUE_OF(a)))
MEMBER(fetch_xor_o, "fetch_xor(o)", a.fetch_xor(VALUE_OF(a), acquire_order))
MEMBER(fetch_min, "fetch_min", a.fetch_min(VALUE_OF(a)))
MEMBER(fetch_min_o, "fetch_min(o)", a.fetch_min(VALUE_OF(a), acquire_order))
MEMBER(fetch_max, "fetch_max", a.fetch_max(VALUE_OF(a)))
MEMBER(fetch_max_o, "fetch_max(o)", a.fetch_max(VALUE_OF(a), acquire_order))
MEMBER(increment, "++a", ++a)
MEMBER(increment_after, "a++", a++)
MEMBER(decrement, "--a", --a)
MEMBER(decrement_after, "a--", a--)
MEMBER(add, "a += v", a += VALUE_OF(a))
MEMBER(add_1, "a += 1", a += 1)
MEMBER(subtract, "a -= v", a -= VALUE_OF(a))
MEMBER(subtract_1, "a -= 1", a -= 1)
MEMBER(bits_and, "a &= v", a &= VALUE_OF(a))
MEMBER(bits_or, "a |= v", a |= VALUE_OF(a))
MEMBER(bits_xor, "a ^= v", a ^= VALUE_OF(a))
MEMBER(assign, "a = v", a = VALUE_OF(a))
MEMBER(convert, "value_type(a)", static_cast<typename OBJECT::value_type>(a))
MEMBER(wait, "wait", a.wait(VALUE_OF(a)))
MEMBER(wait_o, "wait(o)", a.wait(VALUE_OF(a), acquire_order))
MEMBER(notify_one, "notify_one", a.notify_one())
MEMBER(notify_all, "notify_all", a.notify_all())
MEMBER(lock_free, "is_lock_free", a.is_lock_free())
#define EACH(suffix)                                                                                                   \
    list<load##suffix, load_o##suffix, store##suffix, store_o##suffix, exchange##suffix, exchange_o##suffix,           \
         weak_1##suffix, weak_2##suffix, weak_3##suffix, strong_1##suffix, strong_2##suffix, strong_3##suffix,         \
         fetch_add##suffix, fetch_add_o##suffix, fetch_sub##suffix, fetch_sub_o##suffix, fetch_and##suffix,            \
         fetch_and_o##suffix, fetch_or##suffix, fetch_or_o##suffix, fetch_xor##suffix, fetch_xor_o##suffix,            \
         fetch_min##suffix, fetch_min_o##suffix, fetch_max##suffix, fetch_max_o##suffix, increment##suffix,            \
         increment_after##suffix, decrement##suffix, decrement_after##suffix, add##suffix, add_1##suffix,              \
         subtract##suffix, subtract_1##suffix, bits_and##suffix, bits_or##suffix, bits_xor##suffix, assign##suffix,    \
         convert##suffix, wait##suffix, wait_o##suffix, notify_one##suffix, notify_all##suffix, lock_free##suffix>
using every_member = EACH();
using every_nothrow = EACH(_nothrow);

// Types of arguments and of orders that are not the object's own.
OPERATION2(store_of, "store of", a.store(b))
OPERATION2(assign_of, "a = of", a = b)
OPERATION2(exchange_of, "exchange of", a.exchange(b))
OPERATION2(add_of, "fetch_add of", a.fetch_add(b))
OPERATION2(min_of, "fetch_min of", a.fetch_min(b))
OPERATION2(and_of, "fetch_and of", a.fetch_and(b))
OPERATION2(plus_of, "a += of", a += b)
OPERATION2(expects, "compare_exchange_strong expects", a.compare_exchange_strong(b, VALUE_OF(a)))
OPERATION2(desires, "compare_exchange_weak desires", a.compare_exchange_weak(PLACE_OF(a), b))
OPERATION2(wait_of, "wait of", a.wait(b))
OPERATION2(load_by, "load by", a.load(b))
OPERATION2(store_by, "store by", a.store(VALUE_OF(a), b))
OPERATION2(exchange_by, "compare_exchange_strong by", a.compare_exchange_strong(PLACE_OF(a), VALUE_OF(a), b, b))
OPERATION1(plus, "a + 1", a + 1)
OPERATION1(equal, "a == a", a == a)
OPERATION1(address, "&a", &a)
using orders = list<cuda::std::memory_order, std::memory_order, ct::memory_order, int, plain_enum>;
using arguments = list<bool, char, short, unsigned, long, float, double, half, int *, void *, std::nullptr_t, plain_enum, scoped_enum,
                       convertible, two_words, const int, volatile int>;

template <class T> using device_ref = cuda::atomic_ref<T, cuda::thread_scope_device>;
template <class T> using block_atomic = cuda::atomic<T, cuda::thread_scope_block>;
template <template <class> class Of, class... T> list<Of<T> &...> each_of(list<T...>);
template <class... T>
using four_of = join<decltype(each_of<device_ref>(list<T...>{})), decltype(each_of<cuda::std::atomic_ref>(list<T...>{})),
                     decltype(each_of<block_atomic>(list<T...>{})), decltype(each_of<cuda::std::atomic>(list<T...>{}))>;
using other_types = four_of<schar, long, ulong, char8_t, char16_t, char32_t, wchar_t, half, float2, two_words, two_longs,
                            scoped_enum, std::byte, const int *, int **, void *>;
template <class T>
using scoped = list<cuda::atomic_ref<T, cuda::thread_scope_system> &, cuda::atomic_ref<T, cuda::thread_scope_device> &,
                    cuda::atomic_ref<T, cuda::thread_scope_block> &, cuda::atomic_ref<T, cuda::thread_scope_thread> &,
                    cuda::atomic<T, cuda::thread_scope_system> &, cuda::atomic<T, cuda::thread_scope_device> &,
                    cuda::atomic<T, cuda::thread_scope_block> &, cuda::atomic<T, cuda::thread_scope_thread> &>;
template <class T>
using every_qualifier =
    list<const device_ref<T> &, volatile device_ref<T> &, const volatile device_ref<T> &, device_ref<T>,
         const cuda::std::atomic_ref<T> &, volatile cuda::std::atomic_ref<T> &, const block_atomic<T> &,
         volatile block_atomic<T> &, const volatile block_atomic<T> &, const cuda::std::atomic<T> &,
         volatile cuda::std::atomic<T> &, const volatile cuda::std::atomic<T> &>;
using some = four_of<int, float, int *>;

// How they are made, and copied.
TRAIT1(default_made, "default constructible", std::is_default_constructible_v<A>)
TRAIT1(copy_made, "copy constructible", std::is_copy_constructible_v<A>)
TRAIT1(move_made, "move constructible", std::is_move_constructible_v<A>)
TRAIT1(copy_assigned, "copy assignable", std::is_copy_assignable_v<A>)
TRAIT1(move_assigned, "move assignable", std::is_move_assignable_v<A>)
TRAIT1(trivial_copy, "trivially copyable", std::is_trivially_copyable_v<A>)
TRAIT1(trivially_destroyed, "trivially destructible", std::is_trivially_destructible_v<A>)
TRAIT1(standard_layout, "standard layout", std::is_standard_layout_v<A>)
TRAIT1(aggregate, "aggregate", std::is_aggregate_v<A>)
TRAIT1(of_value, "constructible from a value", std::is_constructible_v<A, typename A::value_type>)
TRAIT1(of_lvalue, "constructible from an lvalue", std::is_constructible_v<A, typename A::value_type &>)
TRAIT1(of_const, "constructible from a const lvalue", std::is_constructible_v<A, const typename A::value_type &>)
TRAIT1(of_pointer, "constructible from a pointer", std::is_constructible_v<A, typename A::value_type *>)
TRAIT1(nothrow_of_lvalue, "nothrow constructible from an lvalue", std::is_nothrow_constructible_v<A, typename A::value_type &>)
TRAIT1(from_value, "a value converts to it", std::is_convertible_v<typename A::value_type, A>)
TRAIT1(from_lvalue, "an lvalue converts to it", std::is_convertible_v<typename A::value_type &, A>)
TRAIT1(to_value, "it converts to a value", std::is_convertible_v<A, typename A::value_type>)
TRAIT1(to_long, "it converts to long", std::is_convertible_v<A, long>)
VALUE1(size, "sizeof", sizeof(A))
VALUE1(alignment, "alignof", alignof(A))
VALUE1(required, "required_alignment", A::required_alignment)
VALUE1(always, "is_always_lock_free", A::is_always_lock_free)
ALIAS1(type_of_value, "value_type of", typename A::value_type)
ALIAS1(type_of_difference, "difference_type of", typename A::difference_type)
using making = list<default_made, copy_made, move_made, copy_assigned, move_assigned, trivial_copy, trivially_destroyed, standard_layout,
                    aggregate, of_value, of_lvalue, of_const, of_pointer, nothrow_of_lvalue, from_value, from_lvalue, to_value,
                    to_long, required, always, type_of_value, type_of_difference>;
template <class... T> list<std::remove_reference_t<T>...> without_references(list<T...>);
using made_types = decltype(without_references(
    four_of<bool, char, short, int, llong, float, double, int *, two_words, two_longs, plain_enum>{}));
using sized_types = list<bool, char, short, int, llong, float, double, int *, two_words, two_longs, bytes<3>, bytes<4>, bytes<8>, bytes<9>,
                         bytes<12>, bytes<16>, bytes<100>, words<16>, words<24>, __int128>;
using objects = decltype(without_references(join<decltype(each_of<block_atomic>(sized_types{})),
                                                 decltype(each_of<cuda::std::atomic>(sized_types{}))>{}));

// The functions of <atomic>, of cuda::std's objects and of others.
#define FUNCTION(id, ...) OPERATION1(id, #id, cuda::std::__VA_ARGS__)
FUNCTION(atomic_is_lock_free, atomic_is_lock_free(&a))
FUNCTION(atomic_init, atomic_init(&a, VALUE_OF(a)))
FUNCTION(atomic_load, atomic_load(&a))
FUNCTION(atomic_load_explicit, atomic_load_explicit(&a, acquire_order))
FUNCTION(atomic_store, atomic_store(&a, VALUE_OF(a)))
FUNCTION(atomic_store_explicit, atomic_store_explicit(&a, VALUE_OF(a), release_order))
FUNCTION(atomic_exchange, atomic_exchange(&a, VALUE_OF(a)))
FUNCTION(atomic_exchange_explicit, atomic_exchange_explicit(&a, VALUE_OF(a), release_order))
FUNCTION(atomic_compare_exchange_weak, atomic_compare_exchange_weak(&a, &PLACE_OF(a), VALUE_OF(a)))
FUNCTION(atomic_compare_exchange_weak_explicit,
         atomic_compare_exchange_weak_explicit(&a, &PLACE_OF(a), VALUE_OF(a), release_order, acquire_order))
FUNCTION(atomic_compare_exchange_strong, atomic_compare_exchange_strong(&a, &PLACE_OF(a), VALUE_OF(a)))
FUNCTION(atomic_compare_exchange_strong_explicit,
         atomic_compare_exchange_strong_explicit(&a, &PLACE_OF(a), VALUE_OF(a), release_order, acquire_order))
FUNCTION(atomic_fetch_add, atomic_fetch_add(&a, 1))
FUNCTION(atomic_fetch_add_explicit, atomic_fetch_add_explicit(&a, 1, acquire_order))
FUNCTION(atomic_fetch_sub, atomic_fetch_sub(&a, 1))
FUNCTION(atomic_fetch_sub_explicit, atomic_fetch_sub_explicit(&a, 1, acquire_order))
FUNCTION(atomic_fetch_and, atomic_fetch_and(&a, VALUE_OF(a)))
FUNCTION(atomic_fetch_and_explicit, atomic_fetch_and_explicit(&a, VALUE_OF(a), acquire_order))
FUNCTION(atomic_fetch_or, atomic_fetch_or(&a, VALUE_OF(a)))
FUNCTION(atomic_fetch_or_explicit, atomic_fetch_or_explicit(&a, VALUE_OF(a), acquire_order))
FUNCTION(atomic_fetch_xor, atomic_fetch_xor(&a, VALUE_OF(a)))
FUNCTION(atomic_fetch_xor_explicit, atomic_fetch_xor_explicit(&a, VALUE_OF(a), acquire_order))
FUNCTION(atomic_wait, atomic_wait(&a, VALUE_OF(a)))
FUNCTION(atomic_wait_explicit, atomic_wait_explicit(&a, VALUE_OF(a), acquire_order))
FUNCTION(atomic_notify_one, atomic_notify_one(&a))
FUNCTION(atomic_notify_all, atomic_notify_all(&a))
using functions =
    list<atomic_is_lock_free, atomic_init, atomic_load, atomic_load_explicit, atomic_store, atomic_store_explicit, atomic_exchange,
         atomic_exchange_explicit, atomic_compare_exchange_weak, atomic_compare_exchange_weak_explicit,
         atomic_compare_exchange_strong, atomic_compare_exchange_strong_explicit, atomic_fetch_add, atomic_fetch_add_explicit,
         atomic_fetch_sub, atomic_fetch_sub_explicit, atomic_fetch_and, atomic_fetch_and_explicit, atomic_fetch_or,
         atomic_fetch_or_explicit, atomic_fetch_xor, atomic_fetch_xor_explicit, atomic_wait, atomic_wait_explicit,
         atomic_notify_one, atomic_notify_all>;
using function_objects = list<cuda::std::atomic<int>, const cuda::std::atomic<int>, volatile cuda::std::atomic<int>,
                              cuda::std::atomic<float>, cuda::std::atomic<bool>, cuda::std::atomic<int *>,
                              cuda::std::atomic<two_words>, cuda::atomic<int>, volatile cuda::atomic<int>, block_atomic<int>,
                              device_ref<int>>;
template <class... T> list<T &...> references_to(list<T...>);

// atomic_flag.
MEMBER(set, "test_and_set", a.test_and_set())
MEMBER(set_o, "test_and_set(o)", a.test_and_set(acquire_order))
MEMBER(clear, "clear", a.clear())
MEMBER(clear_o, "clear(o)", a.clear(release_order))
MEMBER(test, "test", a.test())
MEMBER(test_o, "test(o)", a.test(acquire_order))
MEMBER(flag_wait, "wait(false)", a.wait(false))
MEMBER(flag_wait_o, "wait(false,o)", a.wait(false, acquire_order))
MEMBER(f_set, "atomic_flag_test_and_set", cuda::std::atomic_flag_test_and_set(&a))
MEMBER(f_set_o, "atomic_flag_test_and_set_explicit", cuda::std::atomic_flag_test_and_set_explicit(&a, acquire_order))
MEMBER(f_clear, "atomic_flag_clear", cuda::std::atomic_flag_clear(&a))
MEMBER(f_clear_o, "atomic_flag_clear_explicit", cuda::std::atomic_flag_clear_explicit(&a, release_order))
MEMBER(f_test, "atomic_flag_test", cuda::std::atomic_flag_test(&a))
MEMBER(f_test_o, "atomic_flag_test_explicit", cuda::std::atomic_flag_test_explicit(&a, acquire_order))
using flags = list<cuda::std::atomic_flag &, const cuda::std::atomic_flag &, volatile cuda::std::atomic_flag &,
                   const volatile cuda::std::atomic_flag &>;

// Fences.
OPERATION1(thread_fence, "cuda::atomic_thread_fence", cuda::atomic_thread_fence(a))
OPERATION2(scoped_fence, "cuda::atomic_thread_fence", cuda::atomic_thread_fence(a, b))
OPERATION1(signal_fence, "cuda::atomic_signal_fence", cuda::atomic_signal_fence(a))
OPERATION1(std_thread_fence, "cuda::std::atomic_thread_fence", cuda::std::atomic_thread_fence(a))
OPERATION1(std_signal_fence, "cuda::std::atomic_signal_fence", cuda::std::atomic_signal_fence(a))

// One function in spite of its length: the table.
/// What an object holds that nothing initialises, where all bits were set.
template <class T> long long zero_or_not() {
    alignas(T) static volatile unsigned char place[sizeof(T)];
    for (volatile unsigned char &byte : place)
        byte = 0xff;
    return static_cast<long long>((new (const_cast<unsigned char *>(&place[0])) T)->load());
}

int main() {
    section("scopes");
    rows_of(every_member{}, join<scoped<int>, scoped<double>, scoped<int *>>{});
    section("other types");
    rows_of(every_member{}, other_types{});
    section("qualified");
    rows_of(every_member{}, join<every_qualifier<int>, every_qualifier<float>, every_qualifier<int *>>{});
    section("nothrow");
    rows_of(every_nothrow{}, join<some, every_qualifier<int>>{});
    section("arguments");
    rows_of(list<store_of, assign_of, exchange_of, add_of, min_of, and_of, plus_of, desires, wait_of>{},
            list<device_ref<int> &, block_atomic<int> &, cuda::std::atomic<int> &, device_ref<double> &, cuda::std::atomic_ref<int *> &,
                 device_ref<two_words> &, device_ref<bool> &, device_ref<plain_enum> &>{},
            arguments{});
    rows<expects>(list<device_ref<int> &, block_atomic<int> &, cuda::std::atomic<int *> &, device_ref<bool> &>{},
                  list<int &, const int &, unsigned &, long &, bool &, int *&, volatile int &, convertible &>{});
    rows_of(list<plus, equal, address>{}, some{});
    section("orders");
    rows_of(list<load_by, store_by, exchange_by>{}, some{}, orders{});
    section("made and copied");
    rows_of(making{}, made_types{});
    rows_of(list<size, alignment>{}, objects{});
    section("functions");
    rows_of(functions{}, decltype(references_to(function_objects{})){});
    section("atomic_flag");
    rows_of(list<set, set_o, clear, clear_o, test, test_o, flag_wait, flag_wait_o, notify_one, notify_all, f_set, f_set_o, f_clear, f_clear_o,
                 f_test, f_test_o, set_nothrow, clear_nothrow, test_nothrow, flag_wait_nothrow, f_set_nothrow>{},
            flags{});
    rows_of(list<default_made, copy_made, move_made, copy_assigned, trivial_copy, standard_layout, size, alignment>{},
            list<cuda::std::atomic_flag>{});
    FACT(std::is_constructible_v<cuda::std::atomic_flag, bool>);
    FACT(std::is_convertible_v<bool, cuda::std::atomic_flag>);
    FACT(std::is_trivially_default_constructible_v<cuda::atomic<int>>);
    FACT((std::is_trivially_default_constructible_v<cuda::atomic<float, cuda::thread_scope_block>>));
    FACT(std::is_trivially_default_constructible_v<cuda::std::atomic<int>>);
    FACT(std::is_nothrow_default_constructible_v<cuda::std::atomic<int>>);
    FACT(std::is_trivially_default_constructible_v<cuda::std::atomic_flag>);
    FACT_VALUE(zero_or_not<cuda::std::atomic<int>>());
    FACT_VALUE(zero_or_not<cuda::std::atomic<long long>>());
    section("fences");
    rows_of(list<thread_fence, signal_fence, std_thread_fence, std_signal_fence>{}, orders{});
    rows_of(list<scoped_fence>{}, list<cuda::std::memory_order, std::memory_order>{},
            list<cuda::thread_scope, ct::thread_scope, int>{});
    section("names");
    FACT(std::is_same_v<cuda::memory_order, cuda::std::memory_order>);
    FACT(std::is_same_v<cuda::std::memory_order, std::memory_order>);
    FACT(std::is_same_v<cuda::thread_scope, cuda::std::thread_scope>);
    FACT(std::is_same_v<std::underlying_type_t<cuda::std::memory_order>, unsigned>);
    FACT(std::is_convertible_v<cuda::std::memory_order, int>);
    FACT(std::is_convertible_v<cuda::thread_scope, int>);
    FACT_VALUE(cuda::std::memory_order_relaxed);
    FACT_VALUE(cuda::std::memory_order_consume);
    FACT_VALUE(cuda::std::memory_order_acquire);
    FACT_VALUE(cuda::std::memory_order_release);
    FACT_VALUE(cuda::std::memory_order_acq_rel);
    FACT_VALUE(cuda::std::memory_order_seq_cst);
    FACT(cuda::std::memory_order::acquire == cuda::std::memory_order_acquire);
    FACT(std::is_same_v<cuda::std::atomic_bool, cuda::std::atomic<bool>>);
    FACT(std::is_same_v<cuda::std::atomic_char, cuda::std::atomic<char>>);
    FACT(std::is_same_v<cuda::std::atomic_schar, cuda::std::atomic<signed char>>);
    FACT(std::is_same_v<cuda::std::atomic_uchar, cuda::std::atomic<unsigned char>>);
    FACT(std::is_same_v<cuda::std::atomic_short, cuda::std::atomic<short>>);
    FACT(std::is_same_v<cuda::std::atomic_ushort, cuda::std::atomic<unsigned short>>);
    FACT(std::is_same_v<cuda::std::atomic_int, cuda::std::atomic<int>>);
    FACT(std::is_same_v<cuda::std::atomic_long, cuda::std::atomic<long>>);
    FACT(std::is_same_v<cuda::std::atomic_ulong, cuda::std::atomic<unsigned long>>);
    FACT(std::is_same_v<cuda::std::atomic_llong, cuda::std::atomic<long long>>);
    FACT(std::is_same_v<cuda::std::atomic_ullong, cuda::std::atomic<unsigned long long>>);
    FACT(std::is_same_v<cuda::std::atomic_char16_t, cuda::std::atomic<char16_t>>);
    FACT(std::is_same_v<cuda::std::atomic_char32_t, cuda::std::atomic<char32_t>>);
    FACT(std::is_same_v<cuda::std::atomic_wchar_t, cuda::std::atomic<wchar_t>>);
    FACT(std::is_same_v<cuda::std::atomic_int_least8_t, cuda::std::atomic<std::int_least8_t>>);
    FACT(std::is_same_v<cuda::std::atomic_uint_least64_t, cuda::std::atomic<std::uint_least64_t>>);
    FACT(std::is_same_v<cuda::std::atomic_int_fast16_t, cuda::std::atomic<std::int_fast16_t>>);
    FACT(std::is_same_v<cuda::std::atomic_uint_fast32_t, cuda::std::atomic<std::uint_fast32_t>>);
    FACT(std::is_same_v<cuda::std::atomic_int8_t, cuda::std::atomic<std::int8_t>>);
    FACT(std::is_same_v<cuda::std::atomic_uint16_t, cuda::std::atomic<std::uint16_t>>);
    FACT(std::is_same_v<cuda::std::atomic_int32_t, cuda::std::atomic<std::int32_t>>);
    FACT(std::is_same_v<cuda::std::atomic_uint64_t, cuda::std::atomic<std::uint64_t>>);
    FACT(std::is_same_v<cuda::std::atomic_intptr_t, cuda::std::atomic<std::intptr_t>>);
    FACT(std::is_same_v<cuda::std::atomic_uintptr_t, cuda::std::atomic<std::uintptr_t>>);
    FACT(std::is_same_v<cuda::std::atomic_size_t, cuda::std::atomic<std::size_t>>);
    FACT(std::is_same_v<cuda::std::atomic_ptrdiff_t, cuda::std::atomic<std::ptrdiff_t>>);
    FACT(std::is_same_v<cuda::std::atomic_intmax_t, cuda::std::atomic<std::intmax_t>>);
    FACT(std::is_same_v<cuda::std::atomic_uintmax_t, cuda::std::atomic<std::uintmax_t>>);
}
