// What members of views ask of the machine: one call each, with tensor, view and indices described.
//
// SPDX-License-Identifier: Apache-2.0
#include <cuda_tile.h>
#include <tests/api/other_machine.hpp>
#include <tests/support/catch.hpp>

namespace ct = cuda::tiles;
using namespace ct::literals;
using recording::calls;
using recording::lines;

namespace {

#define CALLS(...) calls([&] { static_cast<void>(__VA_ARGS__); })

template <class E, std::size_t... Extents>
using tile = ct::tile<E, ct::shape<Extents...>>;

using relaxed = ct::memory_order_relaxed_t;
using device = ct::thread_scope_device_t;

float memory[64];
long long_memory[64];

const ct::tensor_span span{memory, ct::extents{5, 8_ic}};
const ct::partition_view partition{span, ct::shape<2, 4>{}};
const tile<float, 2, 4> x{};

} // namespace

TEST_CASE("a view load is one call", "[api][lowering]") {
  CHECK(CALLS(partition.load(1, 2)) ==
        lines{"load_view weak partition f32[2x4] of [5x8] strides [8x1] at i32 i32 -> f32[2x4]"});
  CHECK(CALLS(partition.load_masked(1, 2)) ==
        lines{"load_view weak partition f32[2x4] of [5x8] strides [8x1] at i32 i32 masked zero -> "
              "f32[2x4]"});
  CHECK(CALLS(partition.load_masked<ct::view_padding::nan>(1, 2)) ==
        lines{"load_view weak partition f32[2x4] of [5x8] strides [8x1] at i32 i32 masked nan -> "
              "f32[2x4]"});
  CHECK(CALLS(partition.load_masked(ct::view_padding_negative_zero_t{}, 1, 2)) ==
        lines{"load_view weak partition f32[2x4] of [5x8] strides [8x1] at i32 i32 masked neg_zero "
              "-> f32[2x4]"});
  CHECK(CALLS(partition.atomic_load<ct::memory_order::acquire>(1, 2)) ==
        lines{"load_view acquire sys partition f32[2x4] of [5x8] strides [8x1] at i32 i32 -> "
              "f32[2x4]"});
  CHECK(CALLS(partition.atomic_load_masked(
            ct::view_padding_positive_inf_t{}, relaxed{}, device{}, 1, 2)) ==
        lines{"load_view relaxed device partition f32[2x4] of [5x8] strides [8x1] at i32 i32 "
              "masked pos_inf -> f32[2x4]"});
}

TEST_CASE("a view store is one call", "[api][lowering]") {
  CHECK(CALLS(partition.store(x, 1, 2)) ==
        lines{"store_view weak partition f32[2x4] of [5x8] strides [8x1] at i32 i32 f32[2x4]"});
  CHECK(CALLS(partition.store_masked(x, 1, 2)) ==
        lines{"store_view weak partition f32[2x4] of [5x8] strides [8x1] at i32 i32 masked zero "
              "f32[2x4]"});
  CHECK(CALLS(partition.atomic_store(x, ct::memory_order_release_t{}, 1, 2)) ==
        lines{"store_view release sys partition f32[2x4] of [5x8] strides [8x1] at i32 i32 "
              "f32[2x4]"});
  CHECK(CALLS(partition.atomic_store_masked<ct::memory_order::relaxed, ct::thread_scope::block>(
            x, 1, 2)) ==
        lines{"store_view relaxed tl_blk partition f32[2x4] of [5x8] strides [8x1] at i32 i32 "
              "masked zero f32[2x4]"});
  // a value of another element type is converted first
  CHECK(CALLS(partition.store(tile<__half, 2, 4>{}, 1, 2)) ==
        lines{"ftof f16[2x4] -> f32[2x4]",
              "store_view weak partition f32[2x4] of [5x8] strides [8x1] at i32 i32 f32[2x4]"});
}

TEST_CASE("view atomics are reductions: sub adds the negated value", "[api][lowering]") {
  const ct::strided_view v{ct::tensor_span{long_memory, ct::layout_left_mapping{ct::extents{4, 6}}},
                           ct::shape<2, 2>{},
                           ct::strides{3_ic, 1_ic}};
  const tile<int, 2, 2> i{};
  const std::string what = " relaxed device strided[3x1] i64[2x2] of [4x6] strides [1x4] at i32 "
                           "i32 i64[2x2]";
  const std::string exti = "exti i32[2x2] -> i64[2x2]";
  CHECK(CALLS(v.atomic_add(i, relaxed{}, device{}, 0, 1)) == lines{exti, "red_view add" + what});
  CHECK(CALLS(v.atomic_sub(i, relaxed{}, device{}, 0, 1)) ==
        lines{exti, "negi unsigned i64[2x2] -> i64[2x2]", "red_view add" + what});
  CHECK(CALLS(v.atomic_max(i, relaxed{}, device{}, 0, 1)) == lines{exti, "red_view max" + what});
  CHECK(CALLS(v.atomic_min(i, relaxed{}, device{}, 0, 1)) == lines{exti, "red_view min" + what});
  CHECK(CALLS(v.atomic_and(i, relaxed{}, device{}, 0, 1)) == lines{exti, "red_view and" + what});
  CHECK(CALLS(v.atomic_or(i, relaxed{}, device{}, 0, 1)) == lines{exti, "red_view or" + what});
  CHECK(CALLS(v.atomic_xor(i, relaxed{}, device{}, 0, 1)) == lines{exti, "red_view xor" + what});
  CHECK(CALLS(partition.atomic_add(x, relaxed{}, ct::thread_scope_block_t{}, 0, 1)) ==
        lines{"red_view addf relaxed tl_blk partition f32[2x4] of [5x8] strides [8x1] at i32 i32 "
              "f32[2x4]"});
}

TEST_CASE("indices come in the span's index type", "[api][lowering]") {
  const ct::partition_view narrow{ct::tensor_span{memory, ct::extents{64}}, ct::shape<4>{}};
  const std::string at_i32 = "load_view weak partition f32[4] of [64] strides [1] at i32 -> f32[4]";
  CHECK(CALLS(narrow.load(1L)) == lines{at_i32});
  CHECK(CALLS(narrow.load(true)) == lines{at_i32});
  CHECK(CALLS(narrow.load(1.0f)) == lines{"ftoi unsigned to_zero f32 -> i32", at_i32});
  const ct::partition_view wide{ct::tensor_span{memory, ct::extents<long, ct::dynamic_extent>{64}},
                                ct::shape<4>{}};
  CHECK(CALLS(wide.load(1)) ==
        lines{"load_view weak partition f32[4] of [64] strides [1] at i64 -> f32[4]"});
  const ct::gather_scatter_view list{span, ct::shape<2, 4>{}, 1_ic};
  CHECK(CALLS(list.load(3, tile<int, 4>{})) ==
        lines{"load_view weak gather_scatter<1> f32[2x4] of [5x8] strides [8x1] at i32 i32[4] -> "
              "f32[2x4]"});
  CHECK(CALLS(list.store_masked(x, 3, tile<long, 4>{})) ==
        lines{"trunci i64[4] -> i32[4]",
              "store_view weak gather_scatter<1> f32[2x4] of [5x8] strides [8x1] at i32 i32[4] "
              "masked zero f32[2x4]"});
}
