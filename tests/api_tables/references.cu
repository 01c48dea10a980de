// SPDX-License-Identifier: Apache-2.0
// cuda::atomic_ref, cuda::atomic, and cuda::std's: which members which types have, and what they give.
#include "table.hpp"

#include <cuda/atomic>
#include <cuda/std/atomic>

using namespace table;

struct padded {
    char a;
    int b;
};
struct sixteen {
    alignas(16) long long a;
    long long b;
};

template <class T> using ref = cuda::atomic_ref<T, cuda::thread_scope_device>;
template <class T> using obj = cuda::atomic<T, cuda::thread_scope_block>;
template <class T> using std_ref = cuda::std::atomic_ref<T>;
template <class T> using std_obj = cuda::std::atomic<T>;

#define NAMES(type, short_name)                                                                                        \
    SHORT_NAME(ref<type>, "ref<" short_name ">")                                                                       \
    SHORT_NAME(obj<type>, "atomic<" short_name ">")                                                                    \
    SHORT_NAME(std_ref<type>, "std::ref<" short_name ">")                                                              \
    SHORT_NAME(std_obj<type>, "std::atomic<" short_name ">")
NAMES(bool, "bool")
NAMES(char, "char")
NAMES(unsigned char, "uchar")
NAMES(short, "short")
NAMES(unsigned short, "ushort")
NAMES(int, "int")
NAMES(unsigned, "uint")
NAMES(long long, "llong")
NAMES(unsigned long long, "ullong")
NAMES(float, "float")
NAMES(double, "double")
NAMES(int *, "int*")
NAMES(void *, "void*")
NAMES(plain_enum, "enum")
NAMES(__int128, "int128")
NAMES(unsigned __int128, "uint128")
NAMES(padded, "padded")
NAMES(sixteen, "sixteen")
SHORT_NAME(padded, "padded")
SHORT_NAME(sixteen, "sixteen")
SHORT_NAME(ref<volatile int>, "ref<volatile int>")
SHORT_NAME(std_ref<volatile int>, "std::ref<volatile int>")
SHORT_NAME(ref<const int>, "ref<const int>")
SHORT_NAME(std_ref<const int>, "std::ref<const int>")
SHORT_NAME(ref<volatile float>, "ref<volatile float>")

using value_types = list<bool, char, unsigned char, short, unsigned short, int, unsigned, long long, unsigned long long, float,
                         double, int *, plain_enum, padded, sixteen, __int128, unsigned __int128>;
template <template <class> class Of, class... T> list<Of<T> &...> each_of(list<T...>);
using every_one = join<decltype(each_of<ref>(value_types{})), decltype(each_of<obj>(value_types{})),
                 decltype(each_of<std_ref>(value_types{})), decltype(each_of<std_obj>(value_types{}))>;
using some = list<ref<int> &, ref<float> &, ref<int *> &, obj<int> &, std_ref<int> &, std_obj<int> &>;
using qualified = list<const ref<int> &, volatile obj<int> &, const obj<int> &, volatile std_obj<int> &, const std_ref<int> &>;

#define VALUE_OF(a) std::declval<typename std::remove_cvref_t<decltype(a)>::value_type>()
#define PLACE_OF(a) std::declval<typename std::remove_cvref_t<decltype(a)>::value_type &>()
constexpr auto relaxed_order = cuda::memory_order_relaxed;

OPERATION1(load, "load", a.load())
OPERATION1(load_o, "load(o)", a.load(relaxed_order))
OPERATION1(store, "store", a.store(VALUE_OF(a)))
OPERATION1(store_o, "store(o)", a.store(VALUE_OF(a), relaxed_order))
OPERATION1(exchange, "exchange", a.exchange(VALUE_OF(a)))
OPERATION1(weak_1, "compare_exchange_weak", a.compare_exchange_weak(PLACE_OF(a), VALUE_OF(a)))
OPERATION1(weak_2, "compare_exchange_weak(o)", a.compare_exchange_weak(PLACE_OF(a), VALUE_OF(a), relaxed_order))
OPERATION1(weak_3, "compare_exchange_weak(o,o)",
           a.compare_exchange_weak(PLACE_OF(a), VALUE_OF(a), relaxed_order, relaxed_order))
OPERATION1(strong_1, "compare_exchange_strong", a.compare_exchange_strong(PLACE_OF(a), VALUE_OF(a)))
OPERATION1(strong_3, "compare_exchange_strong(o,o)",
           a.compare_exchange_strong(PLACE_OF(a), VALUE_OF(a), relaxed_order, relaxed_order))
OPERATION1(exchange_int, "exchange(1)", a.exchange(1))
OPERATION1(fetch_max_int, "fetch_max(1)", a.fetch_max(1))
OPERATION1(store_int, "store(1)", a.store(1))
OPERATION1(assign_int, "a = 1", a = 1)
OPERATION1(wait_int, "wait(1)", a.wait(1))
OPERATION1(fetch_add, "fetch_add", a.fetch_add(VALUE_OF(a)))
OPERATION1(fetch_add_1, "fetch_add(1)", a.fetch_add(1))
OPERATION1(fetch_sub, "fetch_sub", a.fetch_sub(VALUE_OF(a), relaxed_order))
OPERATION1(fetch_sub_1, "fetch_sub(1)", a.fetch_sub(1))
OPERATION1(fetch_and, "fetch_and", a.fetch_and(VALUE_OF(a)))
OPERATION1(fetch_or, "fetch_or", a.fetch_or(VALUE_OF(a)))
OPERATION1(fetch_xor, "fetch_xor", a.fetch_xor(VALUE_OF(a), relaxed_order))
OPERATION1(fetch_min, "fetch_min", a.fetch_min(VALUE_OF(a)))
OPERATION1(fetch_max, "fetch_max", a.fetch_max(VALUE_OF(a), relaxed_order))
OPERATION1(increment, "++a", ++a)
OPERATION1(increment_after, "a++", a++)
OPERATION1(decrement, "--a", --a)
OPERATION1(decrement_after, "a--", a--)
OPERATION1(add, "a += v", a += VALUE_OF(a))
OPERATION1(add_1, "a += 1", a += 1)
OPERATION1(subtract, "a -= v", a -= VALUE_OF(a))
OPERATION1(bits_and, "a &= v", a &= VALUE_OF(a))
OPERATION1(bits_or, "a |= v", a |= VALUE_OF(a))
OPERATION1(bits_xor, "a ^= v", a ^= VALUE_OF(a))
OPERATION1(assign, "a = v", a = VALUE_OF(a))
OPERATION1(convert, "value_type(a)", static_cast<typename std::remove_cvref_t<decltype(a)>::value_type>(a))
OPERATION1(wait, "wait", a.wait(VALUE_OF(a)))
OPERATION1(wait_o, "wait(o)", a.wait(VALUE_OF(a), relaxed_order))
OPERATION1(notify_one, "notify_one", a.notify_one())
OPERATION1(notify_all, "notify_all", a.notify_all())
OPERATION1(lock_free, "is_lock_free", a.is_lock_free())
VALUE1(always, "is_always_lock_free", std::remove_cvref_t<A>::is_always_lock_free)
VALUE1(alignment, "required_alignment", std::remove_cvref_t<A>::required_alignment)
ALIAS1(value, "value_type", typename std::remove_cvref_t<A>::value_type)
ALIAS1(place, "address", decltype(std::declval<A>().address()))
ALIAS1(copied, "copy of", decltype(std::remove_cvref_t<A>(std::declval<A>())))

// Functions that cuda::std has of <atomic>.
OPERATION1(f_load, "atomic_load", cuda::std::atomic_load(&a))
OPERATION1(f_store, "atomic_store", cuda::std::atomic_store(&a, VALUE_OF(a)))
OPERATION1(f_exchange, "atomic_exchange", cuda::std::atomic_exchange(&a, VALUE_OF(a)))
OPERATION1(f_cas, "atomic_compare_exchange_strong",
           cuda::std::atomic_compare_exchange_strong(&a, &PLACE_OF(a), VALUE_OF(a)))
OPERATION1(f_add, "atomic_fetch_add", cuda::std::atomic_fetch_add(&a, 1))
OPERATION1(f_add_o, "atomic_fetch_add_explicit", cuda::std::atomic_fetch_add_explicit(&a, 1, relaxed_order))
OPERATION1(f_and, "atomic_fetch_and", cuda::std::atomic_fetch_and(&a, VALUE_OF(a)))
OPERATION1(f_wait, "atomic_wait", cuda::std::atomic_wait(&a, VALUE_OF(a)))
OPERATION1(f_notify, "atomic_notify_all", cuda::std::atomic_notify_all(&a))

int main() {
    section("values");
    rows_of(list<load, store, exchange, weak_1, strong_1, convert, assign, wait, notify_one, notify_all, lock_free>{}, every_one{});
    rows_of(list<load_o, store_o, weak_2, weak_3, strong_3, wait_o>{}, some{});
    section("arithmetic");
    rows_of(list<fetch_add, fetch_add_1, fetch_sub, fetch_sub_1, fetch_min, fetch_max, increment, increment_after, decrement,
                 decrement_after, add, add_1, subtract>{},
            every_one{});
    section("bits");
    rows_of(list<fetch_and, fetch_or, fetch_xor, bits_and, bits_or, bits_xor>{}, every_one{});
    section("of qualified objects");
    using of_qualified = list<ref<volatile int> &, std_ref<volatile int> &, ref<volatile float> &>;
    rows_of(list<load, load_o, exchange_int, fetch_add_1, fetch_sub_1, fetch_max_int, increment, increment_after, add_1, store_int,
                 assign_int, wait_int, lock_free, value, place, alignment>{},
            of_qualified{});
    // What changes the object is a hard error where it is used. [tests/bad_input/constant_reference.cu]
    rows_of(list<load, load_o, wait_int, exchange_int, fetch_add_1, fetch_sub_1, fetch_max_int, increment, increment_after, add_1,
                 store_int, assign_int, convert, notify_one, lock_free, value, place>{},
            list<ref<const int> &, std_ref<const int> &>{});
    section("qualified");
    rows_of(list<load, store, exchange, weak_1, fetch_add, fetch_and, assign, convert, wait, lock_free>{}, qualified{});
    section("constants");
    rows<always>(every_one{});
    rows<alignment>(decltype(each_of<ref>(value_types{})){});
    rows<copied>(some{});
    section("functions");
    rows_of(list<f_load, f_store, f_exchange, f_cas, f_add, f_add_o, f_and, f_wait, f_notify>{},
            list<std_obj<int> &, std_obj<float> &, std_obj<int *> &, std_obj<bool> &, volatile std_obj<int> &>{});
    FACT(std::is_same_v<cuda::atomic<int>, cuda::std::atomic<int>>);
    FACT(std::is_same_v<cuda::atomic_ref<int>, cuda::std::atomic_ref<int>>);
    FACT(std::is_same_v<cuda::std::atomic_uint, cuda::std::atomic<unsigned>>);
    FACT(std::is_same_v<cuda::atomic<int>, cuda::atomic<int, cuda::thread_scope_system>>);
    FACT_VALUE(cuda::thread_scope_system);
    FACT_VALUE(cuda::thread_scope_device);
    FACT_VALUE(cuda::thread_scope_block);
    FACT_VALUE(cuda::thread_scope_thread);
    FACT_VALUE(sizeof(cuda::atomic<char>));
    FACT_VALUE(alignof(cuda::atomic<sixteen>));
    FACT_TYPE(std::declval<cuda::std::atomic_flag &>().test_and_set());
    FACT_TYPE(std::declval<const cuda::std::atomic_flag &>().test());
}
