// SPDX-License-Identifier: Apache-2.0
// tensor_span, accessors and layouts: deduction, members, constructors, concepts, equality.
#include "span_names.hpp"

#include <concepts>

using namespace table;
using namespace ct::literals;

ALIAS2(span_1, "tensor_span{}", decltype(ct::tensor_span{std::declval<A>(), std::declval<B>()}))
ALIAS3(span_2, "tensor_span{}", decltype(ct::tensor_span{std::declval<A>(), std::declval<B>(), std::declval<C>()}))
ALIAS1(span_0, "tensor_span{}", decltype(ct::tensor_span{std::declval<A>()}))
template <class E, class Extents> concept span_name = requires { typename ct::tensor_span<E, Extents>; };
TRAIT1(names_span, "tensor_span<E,shape(4)>", span_name<A, ct::shape<4>>)
TRAIT1(names_span_of, "tensor_span<float,X>", span_name<float, A>)

ALIAS1(right_mapping_of, "layout_right_mapping{}", decltype(ct::layout_right_mapping{std::declval<A>()}))
ALIAS1(left_mapping_of, "layout_left_mapping{}", decltype(ct::layout_left_mapping{std::declval<A>()}))
ALIAS2(strided_mapping_of, "layout_strided_mapping{}", decltype(ct::layout_strided_mapping{std::declval<A>(), std::declval<B>()}))
ALIAS2(right_padded_of, "layout_right_padded_mapping{}", decltype(ct::layout_right_padded_mapping{std::declval<A>(), std::declval<B>()}))
ALIAS2(left_padded_of, "layout_left_padded_mapping{}", decltype(ct::layout_left_padded_mapping{std::declval<A>(), std::declval<B>()}))

#define CONCEPT(id) TRAIT1(is_##id, #id, ct::id<A>)
CONCEPT(tensor_span_like)
CONCEPT(layout_mapping)
CONCEPT(accessor_policy)
CONCEPT(extents_like)
TRAIT1(trivially_copyable, "trivially_copyable", std::is_trivially_copyable_v<A>)
TRAIT1(default_constructible, "default_constructible", std::is_default_constructible_v<A>)
TRAIT1(copyable, "copyable", std::copyable<A>)
TRAIT1(empty, "empty", std::is_empty_v<A>)
VALUE1(size, "sizeof", sizeof(A))
TRAIT2(converts, "convert", std::is_convertible_v<A, B>)
TRAIT2(constructs, "construct", std::is_constructible_v<B, A>)

#define MEMBER_TYPE(id) ALIAS1(type_##id, #id, typename A::id)
MEMBER_TYPE(element_type)
MEMBER_TYPE(value_type)
MEMBER_TYPE(extents_type)
MEMBER_TYPE(mapping_type)
MEMBER_TYPE(layout_type)
MEMBER_TYPE(accessor_type)
MEMBER_TYPE(index_type)
MEMBER_TYPE(rank_type)
MEMBER_TYPE(size_type)
MEMBER_TYPE(stride_type)
MEMBER_TYPE(strides_type)
MEMBER_TYPE(data_handle_type)
MEMBER_TYPE(reference)
OPERATION1(data_handle, "data_handle()", a.data_handle())
OPERATION1(mapping, "mapping()", a.mapping())
OPERATION1(accessor, "accessor()", a.accessor())
OPERATION1(extents_m, "extents()", a.extents())
OPERATION1(rank, "rank()", a.rank())
OPERATION1(rank_dynamic, "rank_dynamic()", a.rank_dynamic())
OPERATION1(extent, "extent(0)", a.extent(0))
OPERATION1(static_extent, "static_extent(0)", a.static_extent(0))
OPERATION1(stride, "stride(0)", a.stride(0))
OPERATION1(static_stride, "static_stride(0)", a.static_stride(0))
OPERATION1(always_strided, "is_always_strided()", a.is_always_strided())
OPERATION1(strides_m, "strides()", a.strides())
OPERATION1(size_m, "size()", a.size())
OPERATION1(empty_m, "empty()", a.empty())
OPERATION1(required_span_size, "required_span_size()", a.required_span_size())
OPERATION1(subscript, "[0]", a[0])
OPERATION1(call_1, "(0)", a(0))
OPERATION1(call_2, "(0,0)", a(0, 0))
OPERATION2(equal, "==", a == b)
OPERATION2(mapping_equal, "layout_mapping_equal", ct::layout_mapping_equal(a, b))

int main() {
    using e48 = ct::shape<4, 8>;
    using right = ct::layout_right_mapping<e48>;
    using left = ct::layout_left_mapping<ct::shape<dyn, 8>>;
    using strided = ct::layout_strided_mapping<e48, ct::strides<unsigned, 8, ct::dynamic_stride>>;
    using strided_13 = ct::layout_strided_mapping<e48, ct::shape<8, 1>>;
    using right_padded = ct::layout_right_padded_mapping<e48, 16>;
    using left_padded = ct::layout_left_padded_mapping<ct::shape<dyn, 8>, dyn>;
    using mappings = list<right, left, strided, strided_13, right_padded, left_padded, ct::layout_right_mapping<ct::shape<>>,
                          ct::layout_right_mapping<ct::extents<long, dyn>>, ct::layout_left_mapping<ct::shape<16>>>;
    using extents = list<ct::shape<>, ct::shape<4>, e48, ct::shape<dyn, 8>, ct::shape<3, 0>, ct::extents<long, dyn>, ct::extents<short, 4, 8>>;
    // No tile here: layout_right_mapping{tile} makes NVIDIA's front end (13.4.92) abort.
    using not_extents = list<int, ic<4>, float, some_class, ct::strides<unsigned, 8, 1>, right>;

    section("mappings");
    rows_of(list<right_mapping_of, left_mapping_of>{}, join<extents, not_extents>{});
    rows<strided_mapping_of>(list<ct::shape<>, ct::shape<4>, e48, ct::extents<long, dyn>, int, ct::strides<unsigned, 4, 8>>{},
                             list<ct::strides<unsigned>, ct::strides<unsigned, 1>, ct::strides<int, dyn, 1>, ct::strides<unsigned, 8, 1>, ct::shape<8, 1>, ct::extents<long, dyn>, int>{});
    // The strides have the index type of the extents.
    rows<strided_mapping_of>(list<ct::shape<4>, ct::extents<int, dyn>, ct::extents<long, 4>>{},
                             list<ct::strides<unsigned, 3>, ct::strides<int, 3>, ct::strides<long, dyn>, ct::strides<unsigned long, 3>, ct::shape<3>, ct::extents<int, 3>, ct::extents<long, 3>>{});
    rows_of(list<right_padded_of, left_padded_of>{}, list<ct::shape<>, ct::shape<4>, e48, ct::shape<dyn, dyn>, ct::extents<long, 4, dyn>, int>{},
            list<int, unsigned, long, float, bool, ic<4>, ic<16>, ic<-1>, ic<0>, ct::integral_constant<16ul>, plain_enum, some_class>{});
    rows_of(list<type_extents_type, type_layout_type, type_index_type, type_rank_type, type_stride_type, type_strides_type, extents_m, rank, stride, static_stride, always_strided,
                 strides_m, required_span_size, call_2, subscript, is_layout_mapping, trivially_copyable, default_constructible, copyable, empty, size>{},
            mappings{});
    rows_of(list<equal, mapping_equal>{}, mappings{}, join<mappings, list<e48, int>>{});
    rows_of(list<is_layout_mapping>{}, list<e48, ct::layout_right, int, some_class, span<float, 4>, const right, right &>{});

    section("deduction");
    using pointers = list<float *, const float *, volatile float *, half *, e4m3 *, bool *, int **, void *, const void *, some_class *, plain_enum *, __int128 *,
                          std::nullptr_t, int, tile<float *>, tile<float *, 4>, float *const>;
    rows<span_1>(pointers{}, list<ct::shape<4>, ct::shape<dyn, 8>, right>{});
    rows<span_1>(list<float *>{}, join<extents, not_extents, mappings>{});
    rows<span_2>(list<float *, const half *>{}, list<e48, ct::shape<>, right, int>{}, list<ct::layout_right, ct::layout_left, ct::default_accessor<float>, ct::layout_strided<ct::strides<unsigned, 8, 1>>, int>{});
    rows<span_0>(list<float *, right, e48, span<float, 4>>{});
    rows<names_span>(join<numbers, list<int *, const int, volatile int, const volatile float, int **, void, some_class, __int128, tile<int, 4>>>{});
    rows<names_span_of>(list<e48, ct::shape<>, ct::shape<dyn>, ct::extents<long, 4>, const e48, int, ct::strides<unsigned, 4>>{});

    section("members");
    using spans = list<span<float>, span<float, 4>, span<const half, 4, 8>, span<volatile int, dyn>, span<int *, 4>, ct::tensor_span<bool, ct::extents<long, dyn, 8>>, span_left<float, 4, dyn>,
                       ct::tensor_span<float, e48, ct::layout_strided<ct::strides<unsigned, 8, ct::dynamic_stride>>>,
                       ct::tensor_span<float, e48, ct::layout_right_padded<16>>, const span<float, 4>>;
    rows_of(list<type_element_type, type_value_type, type_extents_type, type_mapping_type, type_layout_type, type_accessor_type, type_index_type, type_rank_type, type_size_type,
                 type_data_handle_type, type_reference, data_handle, mapping, accessor, extents_m, rank, rank_dynamic, extent, static_extent, stride, size_m, empty_m, subscript, call_1,
                 call_2, is_tensor_span_like, trivially_copyable, default_constructible, copyable, size>{},
            spans{});
    rows<equal>(list<span<float, 4>>{}, list<span<float, 4>, span<float, dyn>>{});
    rows_of(list<converts, constructs>{}, list<span<float, 4>, span<float, dyn>, span<const float, 4>, span_left<float, 4>, float *>{},
            list<span<float, 4>, span<const float, 4>, span<float, dyn>, float *, ct::default_accessor<float>>{});
    rows_of(list<is_tensor_span_like>{}, list<int, float *, e48, right, span<float, 4> &, some_class, tile<float, 4>>{});

    section("accessors");
    rows_of(list<is_accessor_policy, type_element_type, type_reference, type_data_handle_type>{}, list<ct::default_accessor<float>, ct::default_accessor<const half>, ct::default_accessor<int *>, int, some_class, ct::layout_right>{});

    section("values");
    FACT_VALUE(ct::layout_right_mapping{ct::extents{4_ic, 8}}.stride(0));
    FACT_VALUE(ct::layout_right_mapping{ct::extents{4_ic, 8}}.stride(1));
    FACT_VALUE(ct::layout_left_mapping{ct::extents{4_ic, 8}}.stride(1));
    FACT_VALUE(ct::layout_strided_mapping{ct::extents{4, 8}, ct::strides{3_ic, 5}}.stride(0));
    FACT_VALUE(ct::layout_strided_mapping{ct::extents{4, 8}, ct::strides{3_ic, 5}}.stride(1));
    FACT_VALUE(ct::layout_right_padded_mapping{ct::extents{4, 6}, 4}.stride(0));
    FACT_VALUE(ct::layout_right_padded_mapping{ct::extents{4, 8}, 4_ic}.stride(0));
    FACT_VALUE(ct::layout_right_padded_mapping{ct::extents{2, 4, 6}, 4}.stride(0));
    FACT_VALUE(ct::layout_left_padded_mapping{ct::extents{6, 4}, 4}.stride(1));
    FACT_VALUE((long long)ct::layout_right_mapping<ct::shape<4, 8>>::static_stride(0));
    FACT_VALUE((long long)ct::layout_right_mapping<ct::shape<4, dyn>>::static_stride(0));
    FACT_VALUE((long long)ct::layout_right_mapping<ct::shape<dyn, 8>>::static_stride(0));
    FACT_VALUE((long long)ct::layout_left_mapping<ct::shape<4, dyn>>::static_stride(1));
    FACT_VALUE((long long)ct::layout_right_padded_mapping<ct::shape<4, 6>, 4>::static_stride(0));
    FACT_VALUE((long long)ct::layout_right_padded_mapping<ct::shape<4, 6>, dyn>::static_stride(0));
    FACT(ct::layout_mapping_equal(ct::layout_right_mapping{ct::extents{4, 8}}, ct::layout_strided_mapping{ct::shape<4, 8>{}, ct::strides{8, 1}}));
    FACT(ct::layout_mapping_equal(ct::layout_right_mapping{ct::extents{4, 8}}, ct::layout_left_mapping{ct::extents{4, 8}}));
    FACT(ct::layout_mapping_equal(ct::layout_right_mapping{ct::extents{4, 8}}, ct::layout_right_mapping{ct::extents{8, 8}}));
}
