// SPDX-License-Identifier: Apache-2.0
// Flags and constants: enumerators, tags and wrappers, defaults, integral_constant, its operators and literals.
#include "table.hpp"

#include <type_traits>

using namespace table;
using namespace ct::literals;

ALIAS1(value_type, "value_type", typename A::value_type)
ALIAS1(member_type, "type", typename A::type)
VALUE1(member_value, "value", static_cast<long long>(A::value))
ALIAS1(underlying, "underlying_type", std::underlying_type_t<A>)
TRAIT1(empty, "empty", std::is_empty_v<A>)
TRAIT1(aggregate, "aggregate", std::is_aggregate_v<A>)
TRAIT1(default_constructible, "nothrow_default_constructible", std::is_nothrow_default_constructible_v<A>)
TRAIT1(trivial, "trivial", std::is_trivial_v<A>)
TRAIT1(literal_conversion, "noexcept conversion", noexcept(static_cast<typename A::value_type>(A{})))
OPERATION1(call, "()", a())
TRAIT2(converts, "convert", std::is_convertible_v<A, B>)
TRAIT2(constructs, "construct", std::is_constructible_v<B, A>)

#define ACCEPTS(id, wrapper, enumeration)                                                                              \
    template <int V> constexpr bool id = requires { typename ct::wrapper<ct::enumeration(V)>; };
ACCEPTS(rounding, rounding_mode_constant, rounding_mode)
ACCEPTS(subnormals, subnormals_rounding_mode_constant, subnormals_rounding_mode)
ACCEPTS(nan_propagation, nan_propagation_mode_constant, nan_propagation_mode)
ACCEPTS(padding, view_padding_constant, view_padding)
ACCEPTS(order, memory_order_constant, memory_order)
ACCEPTS(scope, thread_scope_constant, thread_scope)
ACCEPTS(direction, scan_direction_constant, scan_direction)
template <auto V> constexpr bool constant = requires { typename ct::integral_constant<V>; };

OPERATION2(plus, "+", a + b)
OPERATION2(minus, "-", a - b)
OPERATION2(times, "*", a *b)
OPERATION2(slash, "/", a / b)
OPERATION2(percent, "%", a % b)
OPERATION2(bit_and, "&", a &b)
OPERATION2(bit_or, "|", a | b)
OPERATION2(bit_xor, "^", a ^ b)
OPERATION2(shift_left, "<<", a << b)
OPERATION2(shift_right, ">>", a >> b)
OPERATION2(logical_and, "&&", a &&b)
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
OPERATION1(increment, "++x", ++a)
OPERATION2(plus_assign, "+=", a += b)
OPERATION3(conditional, "? :", a ? b : c)

#define ENUMERATOR(enumeration, enumerator)                                                                            \
    FACT_VALUE(ct::enumeration::enumerator);                                                                           \
    FACT_TYPE(ct::enumeration##_constant<ct::enumeration::enumerator>{})
#define TAG(tag)                                                                                                       \
    FACT_TYPE(ct::tag{})

int main() {
    section("enumerators and their wrappers");
    ENUMERATOR(rounding_mode, round_ties_to_even);
    ENUMERATOR(rounding_mode, round_toward_zero);
    ENUMERATOR(rounding_mode, round_toward_negative);
    ENUMERATOR(rounding_mode, round_toward_positive);
    ENUMERATOR(rounding_mode, round_approximate);
    ENUMERATOR(rounding_mode, round_full);
    ENUMERATOR(subnormals_rounding_mode, preserve_subnormals);
    ENUMERATOR(subnormals_rounding_mode, round_subnormals_to_zero);
    ENUMERATOR(nan_propagation_mode, suppress_nan);
    ENUMERATOR(nan_propagation_mode, propagate_nan);
    ENUMERATOR(view_padding, zero);
    ENUMERATOR(view_padding, negative_zero);
    ENUMERATOR(view_padding, positive_inf);
    ENUMERATOR(view_padding, negative_inf);
    ENUMERATOR(view_padding, nan);
    ENUMERATOR(memory_order, relaxed);
    ENUMERATOR(memory_order, acquire);
    ENUMERATOR(memory_order, release);
    ENUMERATOR(memory_order, acq_rel);
    ENUMERATOR(thread_scope, block);
    ENUMERATOR(thread_scope, device);
    ENUMERATOR(thread_scope, system);
    ENUMERATOR(scan_direction, forward);
    ENUMERATOR(scan_direction, backward);
    using enumerations = list<ct::rounding_mode, ct::subnormals_rounding_mode, ct::nan_propagation_mode, ct::view_padding,
                              ct::memory_order, ct::thread_scope, ct::scan_direction>;
    rows<underlying>(enumerations{});
    rows<converts>(enumerations{}, list<int>{});

    section("tags");
    TAG(round_ties_to_even_t);
    TAG(round_toward_zero_t);
    TAG(round_toward_negative_t);
    TAG(round_toward_positive_t);
    TAG(round_approximate_t);
    TAG(round_full_t);
    TAG(preserve_subnormals_t);
    TAG(round_subnormals_to_zero_t);
    TAG(suppress_nan_t);
    TAG(propagate_nan_t);
    TAG(view_padding_zero_t);
    TAG(view_padding_negative_zero_t);
    TAG(view_padding_positive_inf_t);
    TAG(view_padding_negative_inf_t);
    TAG(view_padding_nan_t);
    TAG(memory_order_relaxed_t);
    TAG(memory_order_acquire_t);
    TAG(memory_order_release_t);
    TAG(memory_order_acq_rel_t);
    TAG(thread_scope_block_t);
    TAG(thread_scope_device_t);
    TAG(thread_scope_system_t);
    TAG(scan_forward_t);
    TAG(scan_backward_t);

    section("members of wrappers");
    using wrappers = list<ct::round_full_t, ct::preserve_subnormals_t, ct::propagate_nan_t, ct::view_padding_nan_t,
                          ct::memory_order_acquire_t, ct::thread_scope_device_t, ct::scan_forward_t>;
    rows_of(list<value_type, member_type, member_value, empty, aggregate, default_constructible, trivial, call>{}, wrappers{});
    rows_of(list<converts, constructs>{}, wrappers{},
            join<enumerations, list<int, bool, ct::memory_order_relaxed_t, ct::round_ties_to_even_t>>{});
    rows_of(list<converts, constructs>{}, enumerations{},
            list<ct::round_full_t, ct::memory_order_acquire_t, ct::thread_scope_device_t>{});

    section("values that are no enumerators");
    FACT(rounding<5>);
    FACT(rounding<6>);
    FACT(rounding<77>);
    FACT(rounding<-1>);
    FACT(subnormals<1>);
    FACT(subnormals<2>);
    FACT(subnormals<77>);
    FACT(nan_propagation<1>);
    FACT(nan_propagation<2>);
    FACT(nan_propagation<77>);
    FACT(padding<4>);
    FACT(padding<5>);
    FACT(padding<77>);
    FACT(order<3>);
    FACT(order<4>);
    FACT(order<77>);
    FACT(scope<2>);
    FACT(scope<3>);
    FACT(scope<77>);
    FACT(direction<1>);
    FACT(direction<2>);
    FACT(direction<77>);

    section("defaults");
    FACT(ct::default_rounding_mode() == ct::rounding_mode::round_ties_to_even);
    FACT(ct::default_subnormals_rounding_mode() == ct::subnormals_rounding_mode::preserve_subnormals);
    FACT(ct::default_nan_propagation_mode() == ct::nan_propagation_mode::suppress_nan);
    FACT(ct::default_view_padding() == ct::view_padding::zero);
    FACT(ct::default_thread_scope() == ct::thread_scope::system);
    FACT_TYPE(ct::default_rounding_mode());
    FACT_TYPE(ct::default_subnormals_rounding_mode());
    FACT_TYPE(ct::default_nan_propagation_mode());
    FACT_TYPE(ct::default_view_padding());
    FACT_TYPE(ct::default_thread_scope());
    FACT_VALUE(std::integral_constant<int, int(ct::default_thread_scope())>::value);
    FACT_VALUE(ct::dynamic_extent == std::size_t(-1));
    FACT_VALUE(ct::dynamic_stride == std::size_t(-1));
    FACT_VALUE(static_cast<long long>(ct::dynamic_stride));
    FACT(std::is_enum_v<std::remove_cv_t<decltype(ct::dynamic_extent)>>);
    FACT(std::is_enum_v<std::remove_cv_t<decltype(ct::dynamic_stride)>>);
    FACT_VALUE(sizeof(ct::dynamic_extent));
    FACT_VALUE(sizeof(ct::dynamic_stride));

    section("integral_constant");
    using constants = list<ic<4>, ic<0>, ic<-3>, ct::integral_constant<true>, ct::integral_constant<5l>, ct::integral_constant<7u>,
                           ct::integral_constant<'a'>, ct::integral_constant<3ul>, ct::integral_constant<short(2)>>;
    rows_of(list<value_type, member_type, member_value, empty, aggregate, default_constructible, trivial, literal_conversion,
                 call>{},
            constants{});
    rows_of(list<converts, constructs>{}, list<ic<4>, ct::integral_constant<true>, ct::integral_constant<5l>>{},
            list<int, bool, char, long, unsigned, float, half, int *, plain_enum, scoped_enum, tile<int>, tile<int, 1>, ic<4>, ic<5>,
                 ct::integral_constant<4l>>{});
    rows<converts>(list<int, long, bool>{}, list<ic<4>, ct::integral_constant<true>>{});
    FACT(constant<4>);
    FACT(constant<true>);
    FACT(constant<'a'>);
    FACT(constant<u'a'>);
    FACT(constant<4ull>);
    FACT(constant<1.5f>);
    FACT(constant<nullptr>);
    FACT(constant<ct::memory_order::relaxed>);
    FACT(constant<plain_enum(1)>);
    FACT(constant<scoped_enum(1)>);
    FACT(constant<std::byte(1)>);

    section("literals");
    FACT_TYPE(0_ic);
    FACT_TYPE(4_ic);
    FACT_TYPE(1'024_ic);
    FACT_TYPE(2147483647_ic);
    FACT_TYPE(2147483648_ic);
    FACT_TYPE(4294967296_ic);
    FACT_TYPE(9223372036854775807_ic);
    FACT_TYPE(-4_ic);
    FACT_TYPE(+4_ic);
    FACT_TYPE(~4_ic);
    FACT_TYPE(!4_ic);
    FACT_TYPE(-2147483648_ic);
    FACT_TYPE(2_ic + 3_ic);
    FACT_TYPE(7_ic % 4_ic);
    FACT_TYPE((1_ic << 4_ic) | 1_ic);
    FACT_TYPE(2147483647_ic + 4294967296_ic);
    FACT_TYPE(4_ic + 3);
    FACT_TYPE(4_ic < 3_ic);

    section("operators of integral_constant");
    using binary = list<plus, minus, times, slash, percent, bit_and, bit_or, bit_xor, shift_left, shift_right, logical_and,
                        logical_or, equal, not_equal, less, less_equal, greater, greater_equal>;
    using operands = list<ic<4>, ic<3>, ct::integral_constant<true>, ct::integral_constant<5l>, ct::integral_constant<7u>,
                          ct::integral_constant<char(2)>>;
    rows_of(binary{}, operands{}, operands{});
    rows_of(list<plus, bit_and, shift_left, logical_and, less, slash>{}, list<ic<4>, ct::integral_constant<5l>>{},
            list<int, bool, char, long, unsigned, float, double, half, plain_enum, ct::memory_order_relaxed_t>{});
    rows_of(list<plus, shift_right, equal, percent>{}, list<int, bool, long, unsigned, float, half>{},
            list<ic<4>, ct::integral_constant<5l>>{});
    rows_of(list<positive, negative, complement, negation, increment>{}, constants{});
    rows<plus_assign>(list<ic<4>, int>{}, list<ic<4>>{});
    rows<conditional>(list<bool, ic<1>>{}, list<ic<4>, int>{}, list<ic<4>, ic<5>, long>{});
    rows_of(list<plus, bit_or, equal, less>{}, list<ct::memory_order_relaxed_t, ct::round_full_t>{},
            list<ct::memory_order_relaxed_t, ct::memory_order_acquire_t, ct::memory_order, ct::round_full_t, int>{});
}
