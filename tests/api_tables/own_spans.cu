// SPDX-License-Identifier: Apache-2.0
// Layout mappings, accessors and tensor spans of a program's own: which members the concepts ask for, each left out or
// changed in turn. And what the library's own classes are built from and with.
#include "span_names.hpp"

#include <concepts>

using namespace table;
using namespace ct::literals;

using e48 = ct::shape<4, 8>;
using e_8 = ct::shape<dyn, 8>;

#define BOTH __host__ __device__ __tile__
template <class T> BOTH T &nothing() { return *static_cast<T *>(nullptr); }

// MAPPING(name, body): a mapping whose members are in body, and its layout.
#define MAPPING(name, ...)                                                                                             \
    struct name##_layout;                                                                                              \
    template <class E> struct name {                                                                                   \
        using index = typename E::index_type;                                                                          \
        using rank = typename E::rank_type;                                                                            \
        E e;                                                                                                           \
        __VA_ARGS__                                                                                                    \
    };                                                                                                                 \
    struct name##_layout {                                                                                             \
        template <class E> using mapping = name<E>;                                                                    \
    };                                                                                                                 \
    SHORT_NAME(name<e48>, #name)
MAPPING(whole, using extents_type = E; using layout_type = whole_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } whole(const E &x) : e(x) {})
MAPPING(no_extents_type, using layout_type = no_extents_type_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } no_extents_type(const E &x) : e(x) {})
MAPPING(no_layout_type, using extents_type = E; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } no_layout_type(const E &x) : e(x) {})
MAPPING(no_index_type, using extents_type = E; using layout_type = no_index_type_layout; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } no_index_type(const E &x) : e(x) {})
MAPPING(no_rank_type, using extents_type = E; using layout_type = no_rank_type_layout; using index_type = index; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } no_rank_type(const E &x) : e(x) {})
MAPPING(no_extents, using extents_type = E; using layout_type = no_extents_layout; using index_type = index; using rank_type = rank; BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } no_extents(const E &x) : e(x) {})
MAPPING(no_stride, using extents_type = E; using layout_type = no_stride_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } no_stride(const E &x) : e(x) {})
MAPPING(no_is_always_strided, using extents_type = E; using layout_type = no_is_always_strided_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } no_is_always_strided(const E &x) : e(x) {})
MAPPING(no_static_stride, using extents_type = E; using layout_type = no_static_stride_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } no_static_stride(const E &x) : e(x) {})
MAPPING(index_type_int, using extents_type = E; using layout_type = index_type_int_layout; using index_type = int; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } index_type_int(const E &x) : e(x) {})
MAPPING(rank_type_int, using extents_type = E; using layout_type = rank_type_int_layout; using index_type = index; using rank_type = int; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } rank_type_int(const E &x) : e(x) {})
MAPPING(not_strided, using extents_type = E; using layout_type = not_strided_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return false; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } not_strided(const E &x) : e(x) {})
MAPPING(strided_by_object, using extents_type = E; using layout_type = strided_by_object_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH constexpr bool is_always_strided() const noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } strided_by_object(const E &x) : e(x) {})
MAPPING(strided_as_int, using extents_type = E; using layout_type = strided_as_int_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr int is_always_strided() noexcept { return 1; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } strided_as_int(const E &x) : e(x) {})
MAPPING(strided_at_run_time, using extents_type = E; using layout_type = strided_at_run_time_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } strided_at_run_time(const E &x) : e(x) {})
MAPPING(extents_by_value, using extents_type = E; using layout_type = extents_by_value_layout; using index_type = index; using rank_type = rank; BOTH E extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } extents_by_value(const E &x) : e(x) {})
MAPPING(extents_of_mutable, using extents_type = E; using layout_type = extents_of_mutable_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } extents_of_mutable(const E &x) : e(x) {})
MAPPING(extents_may_throw, using extents_type = E; using layout_type = extents_may_throw_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } extents_may_throw(const E &x) : e(x) {})
MAPPING(stride_int, using extents_type = E; using layout_type = stride_int_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH int stride(rank) const { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } stride_int(const E &x) : e(x) {})
MAPPING(stride_float, using extents_type = E; using layout_type = stride_float_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH float stride(rank) const { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } stride_float(const E &x) : e(x) {})
MAPPING(stride_of_int, using extents_type = E; using layout_type = stride_of_int_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(int) const { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } stride_of_int(const E &x) : e(x) {})
MAPPING(static_stride_int, using extents_type = E; using layout_type = static_stride_int_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr int static_stride(rank) noexcept { return 1; } static_stride_int(const E &x) : e(x) {})
MAPPING(static_stride_by_object, using extents_type = E; using layout_type = static_stride_by_object_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH constexpr std::size_t static_stride(rank) const noexcept { return 1; } static_stride_by_object(const E &x) : e(x) {})
MAPPING(static_stride_at_run_time, using extents_type = E; using layout_type = static_stride_at_run_time_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static std::size_t static_stride(rank) noexcept { return 1; } static_stride_at_run_time(const E &x) : e(x) {})
MAPPING(static_stride_dynamic, using extents_type = E; using layout_type = static_stride_dynamic_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return ct::dynamic_stride; } static_stride_dynamic(const E &x) : e(x) {})
MAPPING(not_copyable, using extents_type = E; using layout_type = not_copyable_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } not_copyable(const E &x) : e(x) {} not_copyable(const not_copyable &) = delete;)
MAPPING(not_assignable, using extents_type = E; using layout_type = not_assignable_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } not_assignable(const E &x) : e(x) {} not_assignable(const not_assignable &) = default; not_assignable &operator=(const not_assignable &) = delete;)
MAPPING(explicit_constructor, using extents_type = E; using layout_type = explicit_constructor_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } explicit explicit_constructor(const E &x) : e(x) {})
MAPPING(default_constructor, using extents_type = E; using layout_type = default_constructor_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } default_constructor() = default;)
MAPPING(layout_of_another, using extents_type = E; using layout_type = ct::layout_right; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } layout_of_another(const E &x) : e(x) {})
MAPPING(layout_int, using extents_type = E; using layout_type = int; using index_type = index; using rank_type = rank; BOTH const E &extents() const noexcept { return e; } BOTH index stride(rank) const noexcept { return 1; } BOTH static constexpr bool is_always_strided() noexcept { return true; } BOTH static constexpr std::size_t static_stride(rank) noexcept { return 1; } layout_int(const E &x) : e(x) {})
using mappings = list<whole<e48>, no_extents_type<e48>, no_layout_type<e48>, no_index_type<e48>, no_rank_type<e48>, no_extents<e48>, no_stride<e48>, no_is_always_strided<e48>, no_static_stride<e48>, index_type_int<e48>, rank_type_int<e48>, not_strided<e48>, strided_by_object<e48>, strided_as_int<e48>, strided_at_run_time<e48>, extents_by_value<e48>, extents_of_mutable<e48>, extents_may_throw<e48>, stride_int<e48>, stride_float<e48>, stride_of_int<e48>, static_stride_int<e48>, static_stride_by_object<e48>, static_stride_at_run_time<e48>, static_stride_dynamic<e48>, not_copyable<e48>, not_assignable<e48>, explicit_constructor<e48>, default_constructor<e48>, layout_of_another<e48>, layout_int<e48>>;

// A traits class in place of a static member.
MAPPING(stride_by_trait, using extents_type = E; using layout_type = stride_by_trait_layout; using index_type = index; using rank_type = rank; BOTH const E &extents() const { return e; } BOTH index stride(rank) const { return 1; } BOTH static constexpr bool is_always_strided() { return true; } stride_by_trait(const E &x) : e(x) {})
template <class E> struct ct::layout_mapping_static_stride<stride_by_trait<E>> {
    BOTH constexpr std::size_t operator()(std::size_t) const { return 1; }
};

template <class Layout> concept span_layout = requires { typename ct::tensor_span<float, e48, Layout>; };
template <class M> concept spans = span_layout<typename M::layout_type>;
TRAIT1(is_mapping, "layout_mapping", ct::layout_mapping<A>)
TRAIT1(makes_span, "tensor_span<float,e48,layout>", spans<A>)
template <class M, class P> concept deduced_span = requires(P p, M m) { ct::tensor_span{p, m}; };
TRAIT2(deduces_span, "tensor_span{mapping,p}", deduced_span<A, B>)
template <class A> concept deduced_layout = requires(float *p, e48 e, typename A::layout_type l) { ct::tensor_span{p, e, l}; };
TRAIT1(deduces_layout, "tensor_span{p,e48,layout}", deduced_layout<A>)

// Accessors.
#define ACCESSOR(name, ...)                                                                                            \
    struct name {                                                                                                      \
        __VA_ARGS__                                                                                                    \
    };                                                                                                                 \
    template <> inline constexpr bool ct::enable_contiguous_accessor_policy<name> = true;                              \
    SHORT_NAME(name, #name)
ACCESSOR(whole_accessor, using element_type = float; using data_handle_type = float *; using reference = float &;)
ACCESSOR(no_element_type, using data_handle_type = float *; using reference = float &;)
ACCESSOR(no_data_handle_type, using element_type = float; using reference = float &;)
ACCESSOR(no_reference, using element_type = float; using data_handle_type = float *;)
ACCESSOR(other_element_type, using element_type = int; using data_handle_type = float *; using reference = float &;)
ACCESSOR(reference_by_value, using element_type = float; using data_handle_type = float *; using reference = float;)
ACCESSOR(const_handle, using element_type = float; using data_handle_type = const float *; using reference = float &;)
ACCESSOR(of_class, using element_type = some_class; using data_handle_type = some_class *; using reference = some_class &;)
ACCESSOR(no_copies, using element_type = float; using data_handle_type = float *; using reference = float &; no_copies(const no_copies &) = delete;)
ACCESSOR(no_assignment, using element_type = float; using data_handle_type = float *; using reference = float &; no_assignment &operator=(const no_assignment &) = delete;)
ACCESSOR(no_default, using element_type = float; using data_handle_type = float *; using reference = float &; no_default(int);)
struct not_enabled : whole_accessor {};
SHORT_NAME(not_enabled, "not_enabled")
using accessors = list<whole_accessor, no_element_type, no_data_handle_type, no_reference, other_element_type, reference_by_value, const_handle, of_class, no_copies, no_assignment, no_default, not_enabled,
                       const whole_accessor, ct::default_accessor<float>, const ct::default_accessor<float>>;
TRAIT1(is_accessor, "accessor_policy", ct::accessor_policy<A>)
TRAIT1(is_enabled, "enable_contiguous_accessor_policy", ct::enable_contiguous_accessor_policy<A>)
template <class A> concept span_accessor = requires { typename ct::tensor_span<float, e48, ct::layout_right, A>; };
TRAIT1(names_accessed, "tensor_span<float,e48,layout_right,accessor>", span_accessor<A>)
template <class A> concept accessed_span = requires(float *p, ct::layout_right_mapping<e48> m, A a) { ct::tensor_span{p, m, a}; };
TRAIT1(deduces_accessed, "tensor_span{p,mapping,accessor}", accessed_span<A>)

// Spans.
#define SPAN(name, ...)                                                                                                \
    struct name {                                                                                                      \
        __VA_ARGS__                                                                                                    \
    };                                                                                                                 \
    SHORT_NAME(name, #name)
using right48 = ct::layout_right_mapping<e48>;
using plain = ct::default_accessor<float>;
SPAN(whole_span, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(no_element, using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(no_value, using element_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(no_extents_t, using element_type = float; using value_type = float; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(no_mapping_t, using element_type = float; using value_type = float; using extents_type = e48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(no_layout, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(no_accessor_t, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(no_index, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(no_rank, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(no_handle_t, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(no_reference_t, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(no_data_handle, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(no_mapping, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(no_accessor, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); })
SPAN(mapping_by_value, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH right48 mapping() const { return nothing<right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(accessor_by_value, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH plain accessor() const { return nothing<plain>(); })
SPAN(handle_by_reference, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *const &data_handle() const { return nothing<float *const>(); } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(handle_to_const, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH const float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(handle_of_mutable, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(mapping_of_mutable, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(other_mapping, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const ct::layout_left_mapping<e48> &mapping() const { return nothing<const ct::layout_left_mapping<e48>>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(other_accessor, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const ct::default_accessor<int> &accessor() const { return nothing<const ct::default_accessor<int>>(); })
SPAN(const_value, using element_type = float; using value_type = const float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(int_value, using element_type = float; using value_type = int; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(const_element, using element_type = const float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(int_index, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = int; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(int_rank, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = int; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(other_handle, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = int *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(const_reference, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = const float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(other_extents, using element_type = float; using value_type = float; using extents_type = ct::shape<4>; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(other_layout, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_left; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(own_accessor, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = whole_accessor; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const whole_accessor &accessor() const { return nothing<const whole_accessor>(); })
SPAN(own_accessor_not_enabled, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = not_enabled; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const not_enabled &accessor() const { return nothing<const not_enabled>(); })
SPAN(own_mapping, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = whole<e48>; using layout_type = whole_layout; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const whole<e48> &mapping() const { return nothing<const whole<e48>>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(own_mapping_not_strided, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = not_strided<e48>; using layout_type = not_strided_layout; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const not_strided<e48> &mapping() const { return nothing<const not_strided<e48>>(); } BOTH const plain &accessor() const { return nothing<const plain>(); })
SPAN(span_not_copyable, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); } span_not_copyable(const span_not_copyable &) = delete;)
SPAN(span_not_assignable, using element_type = float; using value_type = float; using extents_type = e48; using mapping_type = right48; using layout_type = ct::layout_right; using accessor_type = plain; using index_type = unsigned; using rank_type = std::size_t; using data_handle_type = float *; using reference = float &; BOTH float *data_handle() const { return nullptr; } BOTH const right48 &mapping() const { return nothing<const right48>(); } BOTH const plain &accessor() const { return nothing<const plain>(); } span_not_assignable(const span_not_assignable &) = default; span_not_assignable &operator=(const span_not_assignable &) = delete;)
using own_layout_span = ct::tensor_span<float, e48, whole_layout>;
using own_layout_span_not_strided = ct::tensor_span<float, e48, not_strided_layout>;
using own_layout_span_by_trait = ct::tensor_span<float, e48, stride_by_trait_layout>;
using own_accessor_span = ct::tensor_span<float, e48, ct::layout_right, whole_accessor>;
SHORT_NAME(own_layout_span, "own_layout_span")
SHORT_NAME(own_layout_span_not_strided, "own_layout_span_not_strided")
SHORT_NAME(own_accessor_span, "own_accessor_span")
using own_spans = list<whole_span, no_element, no_value, no_extents_t, no_mapping_t, no_layout, no_accessor_t, no_index, no_rank, no_handle_t, no_reference_t, no_data_handle, no_mapping, no_accessor, mapping_by_value, accessor_by_value, handle_by_reference, handle_to_const, handle_of_mutable, mapping_of_mutable, other_mapping, other_accessor, const_value, int_value, const_element, int_index, int_rank, other_handle, const_reference, other_extents, other_layout, own_accessor, own_accessor_not_enabled, own_mapping, own_mapping_not_strided, span_not_copyable, span_not_assignable, own_layout_span, own_layout_span_not_strided, own_accessor_span>;
TRAIT1(is_span, "tensor_span_like", ct::tensor_span_like<A>)
template <class S> concept partitions_it = requires(S t) { ct::partition_view{t, ct::shape<2, 2>{}}; };
TRAIT1(partitions, "partition_view{}", partitions_it<A>)
template <class S> concept strides_over_it = requires(S t) { ct::strided_view{t, ct::shape<2, 2>{}, ct::strides<unsigned, 3, 4>{}}; };
TRAIT1(strides_over, "strided_view{}", strides_over_it<A>)
template <class S> concept gathers_it = requires(S t) { ct::gather_scatter_view{t, ct::shape<2, 2>{}, ct::integral_constant<0>{}}; };
TRAIT1(gathers, "gather_scatter_view{}", gathers_it<A>)

// What constructs what.
template <class T, class... A> inline constexpr bool makes = std::is_constructible_v<T, A...>;
template <class A, class B> concept equates = requires(A a, B b) { a == b; };
template <class A, class B> concept names_strided = requires { typename ct::layout_strided_mapping<A, B>; };
template <class B> concept names_layout = requires { typename ct::layout_strided<B>; };
template <class A> concept names_right = requires { typename ct::layout_right_mapping<A>; };
template <class E, class L> concept names_span = requires { typename ct::tensor_span<float, E, L>; };
template <class A> concept names_accessor = requires { typename ct::default_accessor<A>; };
template <class S, class T> concept names_partition = requires { typename ct::partition_view<S, T>; };
template <class S, class T, class X> concept names_stridden = requires { typename ct::strided_view<S, T, X>; };
template <class S, class T, class X, class O> concept names_offset = requires { typename ct::strided_view<S, T, X, O>; };
template <class S, class T, auto D> concept names_gather = requires { typename ct::gather_scatter_view<S, T, D>; };

int main() {
    section("mappings");
    rows_of(list<is_mapping, makes_span, deduces_layout>{}, mappings{});
    rows<deduces_span>(mappings{}, list<float *>{});
    FACT(ct::layout_mapping<stride_by_trait<e48>>);
    FACT(ct::tensor_span_like<own_layout_span_by_trait>); // NVIDIA's views of it are hard errors
    FACT(ct::layout_mapping<ct::tensor_span<float, e48>>);

    section("accessors");
    rows_of(list<is_enabled, is_accessor, names_accessed, deduces_accessed>{}, accessors{});

    section("spans and views");
    rows_of(list<is_span, partitions, strides_over, gathers>{}, own_spans{});

    section("constructors");
    using right = ct::layout_right_mapping<e48>;
    using right_ = ct::layout_right_mapping<e_8>;
    using left = ct::layout_left_mapping<e48>;
    using strided = ct::layout_strided_mapping<e48, ct::strides<unsigned, 8, 1>>;
    using by_extents = ct::layout_strided_mapping<e48, ct::shape<8, 1>>;
    using padded = ct::layout_right_padded_mapping<e48, 16>;
    using padded_ = ct::layout_right_padded_mapping<e48, dyn>;
    using s = ct::tensor_span<float, e48>;
    using s_ = ct::tensor_span<float, e_8>;
    using sc = ct::tensor_span<const float, e48>;
    using sp = ct::tensor_span<float, e48, ct::layout_right_padded<dyn>>;
    using strides81 = ct::strides<unsigned, 8, 1>;
    FACT(makes<right, e48>);
    FACT(makes<right, right_>);
    FACT(makes<right, e_8>);
    FACT(makes<right, left>);
    FACT(makes<right, unsigned>);
    FACT(makes<right_, unsigned>);
    FACT(makes<strided, e48>);
    FACT(makes<strided, e48, strides81>);
    FACT(makes<strided, strides81>);
    FACT(makes<strided, e48, ct::shape<8, 1>>);
    FACT(makes<by_extents, e48, ct::shape<8, 1>>);
    FACT(makes<padded, e48>);
    FACT(makes<padded, e48, int>);
    FACT(makes<padded, e48, float>);
    FACT(makes<padded, e48, ct::integral_constant<8>>);
    FACT(makes<padded_, e48>);
    FACT(makes<padded_, e48, int>);
    FACT(makes<s, float *>);
    FACT(makes<s, float *, e48>);
    FACT(makes<s, float *, right>);
    FACT(makes<s, float *, left>);
    FACT(makes<s, float *, right, ct::default_accessor<float>>);
    FACT(makes<s, float *, e48, ct::default_accessor<float>>);
    FACT(makes<s, float *, e48, ct::layout_right>);
    FACT(makes<s, float *, e48, ct::layout_left>);
    FACT(makes<s, const float *, e48>);
    FACT(makes<sc, float *, e48>);
    FACT(makes<s, double *, e48>);
    FACT(makes<s, std::nullptr_t, e48>);
    FACT(makes<s, float *, e_8>);
    FACT(makes<s_, float *, e48>);
    FACT(makes<s_, float *, int>);
    FACT(makes<s_, float *, int, int>);
    FACT(makes<sp, float *, e48>);
    FACT(makes<sp, float *, e48, int>);
    FACT(makes<ct::default_accessor<const float>, ct::default_accessor<float>>);
    FACT(makes<ct::default_accessor<float>, s>);
    FACT(makes<ct::default_accessor<const float>, s>);
    FACT(makes<ct::default_accessor<float>, float *>);
    FACT(std::is_convertible_v<e48, right>);
    FACT(std::is_convertible_v<s, right>);
    FACT(std::is_convertible_v<s, e48>);
    FACT(std::is_base_of_v<ct::default_accessor<float>, s>);
    FACT(std::is_aggregate_v<s>);
    FACT(std::is_aggregate_v<right>);
    FACT(std::is_standard_layout_v<s>);

    section("names");
    FACT(names_strided<e48, ct::shape<8>>);
    FACT(names_strided<e48, ct::shape<8, 1>>);
    FACT(names_strided<e48, ct::extents<int, 8, 1>>);
    FACT(names_strided<e48, ct::strides<int, 8, 1>>);
    FACT(names_strided<e48, strides81>);
    FACT(names_strided<const e48, ct::shape<8, 1>>);
    FACT(names_strided<e48, int>);
    FACT(names_layout<int>);
    FACT(names_layout<ct::shape<8>>);
    FACT(names_layout<const e48>);
    FACT(names_right<int>);
    FACT(names_right<const e48>);
    FACT(names_span<e48, int>);
    FACT(names_span<e48, const ct::layout_right>);
    FACT(names_span<e48, ct::layout_strided<ct::shape<8>>>);
    FACT(names_span<e48, ct::layout_strided<ct::shape<8, 1>>>);
    FACT(names_accessor<void>);
    FACT(names_accessor<int **>);
    FACT(names_accessor<const int>);
    FACT(names_partition<s, ct::shape<2, 2>>);
    FACT(names_partition<const s, ct::shape<2, 2>>);
    FACT(names_partition<s, const ct::shape<2, 2>>);
    FACT(names_partition<s &, ct::shape<2, 2>>);
    FACT(names_partition<s, ct::shape<3, 3>>);
    FACT(names_partition<s, ct::extents<int, 2, 2>>);
    FACT(names_stridden<s, ct::shape<2, 2>, ct::strides<unsigned, 1, 1>>);
    FACT(names_stridden<s, ct::shape<2, 2>, const ct::strides<unsigned, 1, 1>>);
    FACT(names_stridden<s, ct::shape<2, 2>, ct::strides<unsigned, dyn, 1>>);
    FACT(names_stridden<s, ct::shape<2, 2>, ct::strides<unsigned, 1>>);
    FACT(names_offset<s, ct::shape<2, 2>, ct::strides<unsigned, 1, 1>, ct::offsets<int, 0, 0>>);
    FACT(names_offset<s, ct::shape<2, 2>, ct::strides<unsigned, 1, 1>, ct::offsets<int, 1, 0>>);
    FACT(names_offset<s, ct::shape<2, 2>, ct::strides<unsigned, 1, 1>, ct::offsets<unsigned, 0, 0>>);
    FACT(names_offset<s, ct::shape<2, 2>, ct::strides<unsigned, 1, 1>, ct::offsets<long, 0, 0>>);
    FACT(names_offset<s, ct::shape<2, 2>, ct::strides<unsigned, 1, 1>, const ct::offsets<int, 0, 0>>);
    FACT(names_offset<s, ct::shape<2, 2>, ct::strides<unsigned, 1, 1>, ct::offsets<int, 0>>);
    FACT(names_offset<s, ct::shape<2, 2>, ct::strides<unsigned, 1, 1>, int>);
    FACT(names_gather<s, ct::shape<2, 2>, 0>);
    FACT(names_gather<s, ct::shape<2, 2>, 2>);
    FACT(names_gather<s, ct::shape<2, 2>, -1>);
    FACT(names_gather<const s, ct::shape<2, 2>, 0>);

    section("equality of spans is that of their extents");
    float x[64], y[64];
    FACT(s{x, e48{}} == s{x, e48{}});
    FACT(s{x, e48{}} == s{y, e48{}});
    FACT(s{x, e48{}} == ct::tensor_span{x, ct::extents{4, 8}});
    FACT(s{x, e48{}} == ct::tensor_span{x, ct::extents{8, 8}});
    FACT(s{x, e48{}} == ct::tensor_span{x, e48{}, ct::layout_left{}});
    FACT(s{x, e48{}} == ct::tensor_span{(const float *)x, e48{}});
    FACT(s{x, e48{}} == e48{});
    FACT(e48{} == s{x, e48{}});
    FACT(equates<s, right>);
    FACT(ct::extents_equal(s{x, e48{}}, e48{}));

    section("strides");
    using e346 = ct::shape<3, 4, 6>;
    ct::layout_right_padded_mapping<e346, 4> right_4{e346{}, 4};
    ct::layout_left_padded_mapping<e346, 4> left_4{e346{}, 4};
    ct::layout_left_padded_mapping<ct::shape<3, dyn, 6>, 4> left_dynamic{ct::shape<3, dyn, 6>{5}, 4};
    ct::layout_right_padded_mapping<e48, dyn> given{e48{}, 3};
    ct::layout_right_padded_mapping<e48, 16> ignored{e48{}, 3};
    for (int i = 0; i < 3; ++i) {
        FACT_VALUE(right_4.stride(i));
        FACT_VALUE(right_4.static_stride(i));
        FACT_VALUE(left_4.stride(i));
        FACT_VALUE(left_4.static_stride(i));
        FACT_VALUE(left_dynamic.stride(i));
        FACT_VALUE(left_dynamic.static_stride(i));
        FACT_VALUE(ct::layout_right_mapping<ct::shape<4, dyn, 8>>::static_stride(i));
        FACT_VALUE(ct::layout_left_mapping<ct::shape<4, dyn, 8>>::static_stride(i));
        FACT_VALUE(ct::layout_right_mapping<ct::shape<4, 0, 8>>::static_stride(i));
    }
    FACT_VALUE(given.stride(0));
    FACT_VALUE(given.static_stride(0));
    FACT_VALUE(ignored.stride(0));
    FACT_VALUE(ignored.static_stride(0));
    FACT_VALUE(ct::layout_right_padded_mapping<ct::shape<6>, 4>{ct::shape<6>{}, 4}.stride(0));
    FACT_VALUE(ct::layout_left_padded_mapping<ct::shape<6>, 4>{ct::shape<6>{}, 4}.stride(0));
    FACT_VALUE(ct::layout_right_padded_mapping<ct::shape<dyn, 0>, 4>{ct::shape<dyn, 0>{5}, 4}.stride(0));
    FACT_VALUE(ct::layout_strided_mapping<e48, ct::shape<8, dyn>>::static_stride(1));
    FACT_VALUE(ct::layout_mapping_static_stride<right>{}(0));
    FACT_VALUE(ct::layout_mapping_static_stride<stride_by_trait<e48>>{}(0));
}
