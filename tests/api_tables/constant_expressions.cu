// SPDX-License-Identifier: Apache-2.0
// What may be asked in a constant expression: members of extents, mappings, spans, maps and constants.
#include "table.hpp"

#include <type_traits>

using namespace table;
using namespace ct::literals;

template <class Question>
concept constant = requires { typename std::bool_constant<(static_cast<void>(Question{}()), true)>; };

// A lambda is constexpr where its body can be.
#define CONSTANT(...)                                            \
    {                                                            \
        auto question = [] { return __VA_ARGS__; };              \
        ::table::fact(#__VA_ARGS__, constant<decltype(question)>); \
    }

using fixed = ct::extents<int, 4, 8>;
using open = ct::extents<int, 4, ct::dynamic_extent>;
using apart = ct::strides<int, 8, 1>;
using right = ct::layout_right_mapping<fixed>;
using left = ct::layout_left_mapping<fixed>;
using strided = ct::layout_strided_mapping<fixed, apart>;
using right_padded = ct::layout_right_padded_mapping<fixed, 16>;
using left_padded = ct::layout_left_padded_mapping<fixed, 16>;
using open_right = ct::layout_right_mapping<open>;
using span = ct::tensor_span<float, fixed>;

int main() {
    section("extents and strides");
    CONSTANT(fixed{})
    CONSTANT(open{4, 8})
    CONSTANT(open{8})
    CONSTANT(ct::extents<int, ct::dynamic_extent>{8})
    CONSTANT(fixed{4, 8})
    CONSTANT(ct::extents{4_ic, 8})
    CONSTANT(ct::extents{4, 8})
    CONSTANT(fixed::rank())
    CONSTANT(fixed::rank_dynamic())
    CONSTANT(fixed::static_extent(0))
    CONSTANT(fixed{}.extent(0))
    CONSTANT(open{8}.extent(1))
    CONSTANT(fixed{} == fixed{})
    CONSTANT(ct::shape<4, 8>{} == fixed{})
    CONSTANT(apart{})
    CONSTANT(apart{}.stride(0))
    CONSTANT(ct::strides<int, ct::dynamic_stride>{8})
    CONSTANT(ct::strides<int, ct::dynamic_stride, 1>{8})
    CONSTANT(ct::strides<int, ct::dynamic_stride, 1>{8, 1})
    CONSTANT(ct::strides{8, 1_ic})
    CONSTANT(apart::static_stride(0))

    CONSTANT(ct::offsets<int, 8, 1>{})
    CONSTANT(ct::offsets<int, 8, 1>{}.offset(0))
    CONSTANT(ct::offsets<int, ct::dynamic_offset>{8})
    CONSTANT(ct::offsets<int, ct::dynamic_offset, 1>{8})
    CONSTANT(ct::offsets<int, ct::dynamic_offset, 1>{8, 1})

    section("mappings");
    CONSTANT(right{fixed{}})
    CONSTANT(right{fixed{}}.extents())
    CONSTANT(right{fixed{}}.extents().extent(0))
    CONSTANT(right{fixed{}}.stride(0))
    CONSTANT(right::static_stride(0))
    CONSTANT(right::is_always_strided())
    CONSTANT(open_right{open{8}}.extents())
    CONSTANT(open_right{open{8}}.stride(0))
    CONSTANT(left{fixed{}})
    CONSTANT(left{fixed{}}.extents())
    CONSTANT(left{fixed{}}.stride(0))
    CONSTANT(left::static_stride(0))
    CONSTANT(left::is_always_strided())
    CONSTANT(strided{fixed{}, apart{}})
    CONSTANT(strided{fixed{}, apart{}}.extents())
    CONSTANT(strided{fixed{}, apart{}}.stride(0))
    CONSTANT(strided::static_stride(0))
    CONSTANT(strided::is_always_strided())
    CONSTANT(right_padded{fixed{}, 16_ic})
    CONSTANT(right_padded{fixed{}, 16_ic}.extents())
    CONSTANT(right_padded{fixed{}, 16_ic}.stride(0))
    CONSTANT(right_padded::static_stride(0))
    CONSTANT(right_padded::is_always_strided())
    CONSTANT(left_padded{fixed{}, 16_ic})
    CONSTANT(left_padded{fixed{}, 16_ic}.extents())
    CONSTANT(left_padded{fixed{}, 16_ic}.stride(0))
    CONSTANT(left_padded::static_stride(0))
    CONSTANT(left_padded::is_always_strided())
    CONSTANT(right{fixed{}} == right{fixed{}})
    CONSTANT(right{fixed{}} == left{fixed{}})
    CONSTANT(ct::extents_equal(fixed{}, fixed{}))
    CONSTANT(ct::layout_mapping_equal(right{fixed{}}, left{fixed{}}))

    section("spans");
    CONSTANT(span{nullptr, fixed{}})
    CONSTANT(span{nullptr, fixed{}}.data_handle())
    CONSTANT(span{nullptr, fixed{}}.mapping())
    CONSTANT(span{nullptr, fixed{}}.accessor())
    CONSTANT(span{nullptr, fixed{}}.extents())
    CONSTANT(span{nullptr, fixed{}}.extent(0))
    CONSTANT(span::rank())
    CONSTANT(span::rank_dynamic())
    CONSTANT(span::static_extent(0))

    CONSTANT(ct::default_accessor<float>{})
    CONSTANT(ct::partition_view{span{nullptr, fixed{}}, ct::shape<2, 2>{}})

    section("constants and maps");
    CONSTANT(4_ic)
    CONSTANT(static_cast<int>(4_ic))
    CONSTANT(4_ic + 8_ic)
    CONSTANT(-(4_ic))
    CONSTANT(ct::dimension_map<1, 0>{})
    CONSTANT(ct::dimension_map{1_ic, 0_ic})
    CONSTANT(ct::irange(0, 4))
    CONSTANT(ct::irange(0, 4).begin())
    CONSTANT(*ct::irange(0, 4).begin())
    CONSTANT(ct::irange(0, 4).begin() == ct::irange(0, 4).end())
}
