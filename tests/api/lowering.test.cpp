// What each call of cuda::tiles asks of the machine: Tile IR's operations, as NVIDIA's compiler
// emits them where the machine knows no better.
//
// SPDX-License-Identifier: Apache-2.0
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>
#include <tests/api/other_machine.hpp>
#include <tests/support/catch.hpp>

namespace ct = cuda::tiles;
using namespace ct::literals;
using recording::calls;
using recording::lines;

namespace {

template <class E, std::size_t... Extents>
using tile = ct::tile<E, ct::shape<Extents...>>;

// Operands, not initialised: the machine that records reads nothing.
template <class T>
const T& some() {
  static const T object{};
  return object;
}

// The calls of evaluating an expression.
#define CALLS(...) calls([&] { static_cast<void>(__VA_ARGS__); })

const auto& i = some<tile<int, 8>>();
const auto& u = some<tile<unsigned, 8>>();
const auto& s = some<tile<short, 8>>();
const auto& l = some<tile<long, 8>>();
const auto& f = some<tile<float, 8>>();
const auto& b = some<tile<bool, 8>>();
const auto& p = some<tile<float*, 8>>();
const auto& q = some<tile<int*, 8>>();

} // namespace

TEST_CASE("integer arithmetic carries no signed wrap, unsigned nothing", "[api][lowering]") {
  CHECK(CALLS(i + i) == lines{"addi nsw i32[8] i32[8] -> i32[8]"});
  CHECK(CALLS(s * s) == lines{"muli nsw i16[8] i16[8] -> i16[8]"});
  CHECK(CALLS(u - u) == lines{"subi unsigned i32[8] i32[8] -> i32[8]"});
  CHECK(CALLS(-i) == lines{"negi nsw i32[8] -> i32[8]"});
  CHECK(CALLS(-u) == lines{"negi unsigned i32[8] -> i32[8]"});
  CHECK(CALLS(i / 2) == lines{"divi zero i32[8] i32 -> i32[8]"});
  CHECK(CALLS(ct::ceildiv(i, i)) == lines{"divi positive_inf i32[8] i32[8] -> i32[8]"});
  CHECK(CALLS(ct::floordiv(i, i)) == lines{"divi negative_inf i32[8] i32[8] -> i32[8]"});
  CHECK(CALLS(ct::floordiv(u, u)) == lines{"divi unsigned zero i32[8] i32[8] -> i32[8]"});
  CHECK(CALLS(ct::abs(i)) == lines{"absi nsw i32[8] -> i32[8]"});
  CHECK(CALLS(ct::abs(u)).empty());
  CHECK(CALLS(ct::max(u, u)) == lines{"maxi unsigned i32[8] i32[8] -> i32[8]"});
}

TEST_CASE("shift counts come in the shifted type and stay out of range", "[api][lowering]") {
  CHECK(CALLS(i << i) == lines{"shli i32[8] i32[8] -> i32[8]"});
  CHECK(CALLS(u >> 3) == lines{"shri unsigned i32[8] i32 -> i32[8]"});
  CHECK(CALLS(l << s) == lines{"exti i16[8] -> i64[8]", "shli i64[8] i64[8] -> i64[8]"});
  CHECK(CALLS(s << 3) ==
        lines{"mini unsigned i32 i32 -> i32", "trunci i32 -> i16", "shli i16[8] i16 -> i16[8]"});
}

TEST_CASE("floating point comes with its modes", "[api][lowering]") {
  CHECK(CALLS(f + 2) == lines{"itof i32 -> f32", "addf f32[8] f32 -> f32[8]"});
  CHECK(CALLS(ct::add(f, f, ct::round_toward_negative_t{}, ct::round_subnormals_to_zero_t{})) ==
        lines{"addf negative_inf ftz f32[8] f32[8] -> f32[8]"});
  CHECK(CALLS(ct::div(f, f, ct::round_approximate_t{})) ==
        lines{"divf approx f32[8] f32[8] -> f32[8]"});
  CHECK(CALLS(ct::max(f, f, ct::propagate_nan_t{})) ==
        lines{"maxf propagate_nan f32[8] f32[8] -> f32[8]"});
  CHECK(CALLS(ct::fma(2.0f, f, f)) == lines{"fma f32 f32[8] f32[8] -> f32[8]"});
  CHECK(CALLS(ct::add(8.0f, 1.0f)) == lines{"addf f32 f32 -> f32"});
  CHECK(CALLS(ct::isnan(f)) == lines{"cmpf ne unordered f32[8] f32[8] -> i1[8]"});
  CHECK(CALLS(ct::isinf(f)) == lines{"bitcast f32[8] -> i32[8]",
                                     "cmpi eq unsigned i32[8] i32 -> i1[8]",
                                     "cmpi eq unsigned i32[8] i32 -> i1[8]",
                                     "ori i1[8] i1[8] -> i1[8]"});
  CHECK(CALLS(ct::isinf(some<tile<__nv_tf32, 8>>())).front() == "ftof tf32[8] -> f32[8]");
  CHECK(CALLS(ct::isinf(some<tile<__nv_fp8_e4m3, 8>>())) == lines{"constant i1 -> i1[8]"});
}

TEST_CASE("math functions are the operations of their names", "[api][lowering]") {
  const auto& h = some<tile<__half, 8>>();
  const auto& d = some<tile<double, 8>>();
  constexpr ct::round_subnormals_to_zero_t flush;
  constexpr ct::round_approximate_t approximate;
  CHECK(CALLS(ct::ceil(f)) == lines{"ceil f32[8] -> f32[8]"});
  CHECK(CALLS(ct::floor(h)) == lines{"floor f16[8] -> f16[8]"});
  CHECK(CALLS(ct::exp(h)) == lines{"exp full f16[8] -> f16[8]"});
  CHECK(CALLS(ct::exp(f, approximate)) == lines{"exp approx f32[8] -> f32[8]"});
  CHECK(CALLS(ct::exp2(f)) == lines{"exp2 f32[8] -> f32[8]"});
  CHECK(CALLS(ct::exp2(f, flush)) == lines{"exp2 ftz f32[8] -> f32[8]"});
  CHECK(CALLS(ct::log(d)) == lines{"log f64[8] -> f64[8]"});
  CHECK(CALLS(ct::log2(f)) == lines{"log2 f32[8] -> f32[8]"});
  CHECK(CALLS(ct::sqrt(f)) == lines{"sqrt f32[8] -> f32[8]"});
  CHECK(CALLS(ct::sqrt(f, approximate, flush)) == lines{"sqrt approx ftz f32[8] -> f32[8]"});
  CHECK(CALLS(ct::sqrt(h, ct::round_toward_zero_t{})) == lines{"sqrt zero f16[8] -> f16[8]"});
  CHECK(CALLS(ct::rsqrt(f)) == lines{"rsqrt f32[8] -> f32[8]"});
  CHECK(CALLS(ct::rsqrt(f, flush)) == lines{"rsqrt ftz f32[8] -> f32[8]"});
  CHECK(CALLS(ct::sin(f)) == lines{"sin f32[8] -> f32[8]"});
  CHECK(CALLS(ct::cos(f)) == lines{"cos f32[8] -> f32[8]"});
  CHECK(CALLS(ct::tan(f)) == lines{"tan f32[8] -> f32[8]"});
  CHECK(CALLS(ct::sinh(f)) == lines{"sinh f32[8] -> f32[8]"});
  CHECK(CALLS(ct::cosh(f)) == lines{"cosh f32[8] -> f32[8]"});
  CHECK(CALLS(ct::tanh(d)) == lines{"tanh full f64[8] -> f64[8]"});
  CHECK(CALLS(ct::tanh(f, approximate)) == lines{"tanh approx f32[8] -> f32[8]"});
  CHECK(CALLS(ct::pow(f, h)) == lines{"ftof f16[8] -> f32[8]", "fpowf f32[8] f32[8] -> f32[8]"});
  CHECK(CALLS(ct::pow(2.0f, f)) == lines{"fpowf f32 f32[8] -> f32[8]"});
  CHECK(CALLS(ct::atan2(f, i)) == lines{"itof i32[8] -> f32[8]", "atan2 f32[8] f32[8] -> f32[8]"});
  CHECK(CALLS(ct::exp(1.0f)) == lines{"exp full f32 -> f32"});
}

TEST_CASE("only != holds for NaN", "[api][lowering]") {
  CHECK(CALLS(f < f) == lines{"cmpf lt f32[8] f32[8] -> i1[8]"});
  CHECK(CALLS(f == f) == lines{"cmpf eq f32[8] f32[8] -> i1[8]"});
  CHECK(CALLS(f != f) == lines{"cmpf ne unordered f32[8] f32[8] -> i1[8]"});
  CHECK(CALLS(u <= 7u) == lines{"cmpi le unsigned i32[8] i32 -> i1[8]"});
  CHECK(CALLS(2.5 > i) == lines{"itof i32[8] -> f64[8]", "cmpf gt f64 f64[8] -> i1[8]"});
}

TEST_CASE("logic works on bool", "[api][lowering]") {
  CHECK(CALLS(b && b) == lines{"andi i1[8] i1[8] -> i1[8]"});
  CHECK(CALLS(i || f) == lines{"cmpi ne i32[8] i32 -> i1[8]",
                               "cmpf ne unordered f32[8] f32 -> i1[8]",
                               "ori i1[8] i1[8] -> i1[8]"});
  CHECK(CALLS(!p) == lines{"ptr_to_int ptr[8] -> i64[8]",
                           "cmpi ne unsigned i64[8] i64 -> i1[8]",
                           "xori i1[8] i1 -> i1[8]"});
  CHECK(CALLS(~i) == lines{"xori i32[8] i32 -> i32[8]"});
}

TEST_CASE("element conversions", "[api][lowering]") {
  CHECK(CALLS(ct::element_cast<long>(i)) == lines{"exti i32[8] -> i64[8]"});
  CHECK(CALLS(ct::element_cast<long>(u)) == lines{"exti unsigned i32[8] -> i64[8]"});
  CHECK(CALLS(ct::element_cast<int>(b)) == lines{"exti unsigned i1[8] -> i32[8]"});
  CHECK(CALLS(ct::element_cast<short>(i)) == lines{"trunci i32[8] -> i16[8]"});
  CHECK(CALLS(ct::element_cast<unsigned>(i)).empty());
  CHECK(CALLS(ct::element_cast<float>(b)) == lines{"itof unsigned i1[8] -> f32[8]"});
  CHECK(CALLS(ct::element_cast<unsigned>(f)) == lines{"ftoi unsigned to_zero f32[8] -> i32[8]"});
  CHECK(CALLS(ct::element_cast<__half>(f)) == lines{"ftof f32[8] -> f16[8]"});
  CHECK(CALLS(ct::element_cast<bool>(f)) == lines{"cmpf ne unordered f32[8] f32 -> i1[8]"});
  CHECK(CALLS(ct::element_bitcast<int>(f)) == lines{"bitcast f32[8] -> i32[8]"});
  CHECK(CALLS(ct::element_bitcast<long>(p)) == lines{"ptr_to_int ptr[8] -> i64[8]"});
  CHECK(calls([] {
          tile<int, 1, 1> one{};
          static_cast<void>(static_cast<float>(one));
          static_cast<void>(one ? 1 : 2);
          static_cast<void>(tile<long, 8>{s});
        }) == lines{"itof i32[1x1] -> f32[1x1]",
                    "cmpi ne i32[1x1] i32 -> i1[1x1]",
                    "exti i16[8] -> i64[8]"});
}

// As NVIDIA's compiler lowers them, but that the machine keeps the dimension and needs no identity;
// signed products say that they must not wrap, which its Tile IR leaves out and the page demands.
TEST_CASE("reductions and scans are one operation with a body", "[api][lowering]") {
  const auto& m = some<tile<int, 2, 8>>();
  CHECK(CALLS(ct::sum(m, 1_ic)) == lines{"reduce <1> addi nsw i32[2x8] -> i32[2x1]"});
  CHECK(CALLS(ct::sum<0>(m)) == lines{"reduce <0> addi nsw i32[2x8] -> i32[1x8]"});
  CHECK(CALLS(ct::sum(u, 0_ic)) == lines{"reduce <0> addi unsigned i32[8] -> i32[1]"});
  CHECK(CALLS(ct::prod(s, 0_ic)) == lines{"reduce <0> muli nsw i16[8] -> i16[1]"});
  CHECK(CALLS(ct::sum(f, 0_ic)) == lines{"reduce <0> addf f32[8] -> f32[1]"});
  CHECK(CALLS(ct::prod(f, 0_ic, ct::round_toward_zero_t{}, ct::round_subnormals_to_zero_t{})) ==
        lines{"reduce <0> mulf zero ftz f32[8] -> f32[1]"});
  CHECK(CALLS(ct::reduce_max(f, 0_ic, ct::propagate_nan_t{})) ==
        lines{"reduce <0> maxf propagate_nan f32[8] -> f32[1]"});
  CHECK(CALLS(ct::reduce_min(u, 0_ic)) == lines{"reduce <0> mini unsigned i32[8] -> i32[1]"});
  CHECK(CALLS(ct::reduce_bitand(i, 0_ic)) == lines{"reduce <0> andi i32[8] -> i32[1]"});
  CHECK(CALLS(ct::reduce_bitor(i, 0_ic)) == lines{"reduce <0> ori i32[8] -> i32[1]"});
  CHECK(CALLS(ct::reduce_bitxor(i, 0_ic)) == lines{"reduce <0> xori i32[8] -> i32[1]"});
  CHECK(CALLS(ct::all_of(f, 0_ic)) ==
        lines{"cmpf ne unordered f32[8] f32 -> i1[8]", "reduce <0> andi unsigned i1[8] -> i1[1]"});
  CHECK(CALLS(ct::any_of(b, 0_ic)) == lines{"reduce <0> ori unsigned i1[8] -> i1[1]"});
  CHECK(CALLS(ct::max_element(f, 0_ic)) == lines{"reduce_index <0> maxf f32[8] -> i32[1]"});
  CHECK(CALLS(ct::min_element<1>(m)) == lines{"reduce_index <1> mini nsw i32[2x8] -> i32[2x1]"});
  CHECK(CALLS(ct::partial_sum(l, 0_ic)) == lines{"scan <0> addi nsw i64[8] -> i64[8]"});
  CHECK(CALLS(ct::partial_sum<1, ct::scan_direction::backward>(m)) ==
        lines{"scan reverse <1> addi nsw i32[2x8] -> i32[2x8]"});
  CHECK(CALLS(ct::partial_prod(f,
                               0_ic,
                               ct::round_toward_positive_t{},
                               ct::preserve_subnormals_t{},
                               ct::scan_backward_t{})) ==
        lines{"scan reverse <0> mulf positive_inf f32[8] -> f32[8]"});
}

TEST_CASE("products of matrices are one operation", "[api][lowering]") {
  const auto& a = some<tile<float, 4, 8>>();
  const auto& c = some<tile<float, 8, 2>>();
  CHECK(CALLS(ct::mma(a, c, some<tile<float, 4, 2>>())) ==
        lines{"mmaf f32[4x8] f32[8x2] f32[4x2] -> f32[4x2]"});
  CHECK(CALLS(ct::matmul(a, c)) == lines{"mmaf f32[4x8] f32[8x2] f32 -> f32[4x2]"});
  CHECK(CALLS(ct::matmul(some<tile<__half, 1, 4, 8>>(), some<tile<__half, 2, 8, 2>>())) ==
        lines{"mmaf f16[1x4x8] f16[2x8x2] f16 -> f16[2x4x2]"});
  CHECK(CALLS(ct::mma(some<tile<signed char, 4, 8>>(),
                      some<tile<unsigned char, 8, 2>>(),
                      some<tile<int, 4, 2>>())) ==
        lines{"mmai signed unsigned i8[4x8] i8[8x2] i32[4x2] -> i32[4x2]"});
  CHECK(CALLS(ct::matmul(some<tile<bool, 4, 8>>(), some<tile<char, 8, 2>>())) ==
        lines{"mmai unsigned signed i1[4x8] i8[8x2] i32 -> i32[4x2]"});
}

TEST_CASE("one element is not broadcast, a shape is", "[api][lowering]") {
  const auto column = [] { return some<tile<float, 8, 1>>(); };
  const auto row = [] { return some<tile<float, 1, 4>>(); };
  CHECK(calls([&] { static_cast<void>(column() + row()); }) ==
        lines{"broadcast f32[8x1] -> f32[8x4]",
              "broadcast f32[1x4] -> f32[8x4]",
              "addf f32[8x4] f32[8x4] -> f32[8x4]"});
  CHECK(CALLS(some<tile<float, 1, 8>>() + f) == lines{"addf f32[1x8] f32[1x8] -> f32[1x8]"});
  CHECK(CALLS(some<tile<float, 1, 1>>() + f) == lines{"addf f32[1x1] f32[1x8] -> f32[1x8]"});
}

TEST_CASE("pointers", "[api][lowering]") {
  CHECK(CALLS(p + i) == lines{"offset ptr[8] i32[8] -> ptr[8]"});
  CHECK(CALLS(p + s) == lines{"offset ptr[8] i16[8] -> ptr[8]"});
  CHECK(CALLS(u + p) == lines{"exti unsigned i32[8] -> i64[8]", "offset ptr[8] i64[8] -> ptr[8]"});
  CHECK(CALLS(p - i) == lines{"exti i32[8] -> i64[8]",
                              "negi unsigned i64[8] -> i64[8]",
                              "offset ptr[8] i64[8] -> ptr[8]"});
  CHECK(CALLS(p - p) == lines{"ptr_to_int ptr[8] -> i64[8]",
                              "ptr_to_int ptr[8] -> i64[8]",
                              "subi i64[8] i64[8] -> i64[8]",
                              "divi zero i64[8] i64 -> i64[8]"});
  CHECK(CALLS(p < p) == lines{"ptr_to_int ptr[8] -> i64[8]",
                              "ptr_to_int ptr[8] -> i64[8]",
                              "cmpi lt unsigned i64[8] i64[8] -> i1[8]"});
  CHECK(CALLS(nullptr != p) ==
        lines{"ptr_to_int ptr[8] -> i64[8]", "cmpi ne unsigned i64[8] i64 -> i1[8]"});
}

TEST_CASE("creation and shape", "[api][lowering]") {
  CHECK(CALLS(ct::iota<tile<int, 2, 4>>()) == lines{"iota -> i32[2x4]"});
  CHECK(CALLS(ct::full<tile<float, 8>>(1)) == lines{"constant f32 -> f32[8]"});
  CHECK(CALLS(ct::zeros<tile<bool, 8>>()) == lines{"constant i1 -> i1[8]"});
  CHECK(CALLS(ct::reshape<ct::shape<2, 4>>(f)) == lines{"reshape f32[8] -> f32[2x4]"});
  CHECK(CALLS(ct::broadcast(f, ct::shape<2, 8>{})) == lines{"broadcast f32[8] -> f32[2x8]"});
  CHECK(CALLS(ct::permute(some<tile<int, 2, 4, 8>>(), ct::dimension_map{2_ic, 0_ic, 1_ic})) ==
        lines{"permute <2,0,1> i32[2x4x8] -> i32[8x2x4]"});
  CHECK(CALLS(ct::transpose(some<tile<int, 2, 4, 8>>())) ==
        lines{"permute <1,0,2> i32[2x4x8] -> i32[4x2x8]"});
  CHECK(CALLS(ct::cat(f, f, 0_ic)) == lines{"cat <0> f32[8] f32[8] -> f32[16]"});
  CHECK(CALLS(ct::extract(some<tile<int, 4, 8>>(), ct::shape<2, 2>{}, 1, 3)) ==
        lines{"extract <1,3> i32[4x8] -> i32[2x2]"});
  CHECK(CALLS(ct::select(true, i, i)) == lines{"select i1 i32[8] i32[8] -> i32[8]"});
}

TEST_CASE("memory", "[api][lowering]") {
  CHECK(CALLS(ct::load(p)) == lines{"load weak ptr[8] -> f32[8]"});
  CHECK(CALLS(ct::load_masked(p, true, some<tile<__half, 1>>())) ==
        lines{"ftof f16[1] -> f32[1]", "load weak ptr[8] mask i1 padding f32[1] -> f32[8]"});
  CHECK(CALLS(ct::store_masked(p, f, i)) ==
        lines{"cmpi ne i32[8] i32 -> i1[8]", "store weak ptr[8] f32[8] mask i1[8]"});
  CHECK(CALLS(ct::atomic_load(p, ct::memory_order_acquire_t{}, ct::thread_scope_block_t{})) ==
        lines{"load acquire tl_blk ptr[8] -> f32[8]"});
  CHECK(CALLS(ct::atomic_store<ct::memory_order::release>(p, f)) ==
        lines{"store release sys ptr[8] f32[8]"});
}

TEST_CASE("atomic read-modify-write", "[api][lowering]") {
  constexpr ct::memory_order_acq_rel_t order;
  constexpr ct::thread_scope_device_t scope;
  CHECK(CALLS(ct::atomic_add(q, i, order, scope)) ==
        lines{"rmw add acq_rel device ptr[8] i32[8] -> i32[8]"});
  CHECK(CALLS(ct::atomic_add_masked(p, f, b, order, scope)) ==
        lines{"rmw addf acq_rel device ptr[8] f32[8] mask i1[8] -> f32[8]"});
  // Whether the negation overflows is asked where the mask is known.
  CHECK(CALLS(ct::atomic_sub(q, i, order, scope)) ==
        lines{"negi unsigned i32[8] -> i32[8]", "rmw add acq_rel device ptr[8] i32[8] -> i32[8]"});
  CHECK(CALLS(ct::atomic_max(some<unsigned*>(), 3u, order, scope)) ==
        lines{"rmw umax unsigned acq_rel device ptr i32 -> i32"});
  CHECK(CALLS(ct::atomic_compare_exchange(q, i, s, order, scope)) ==
        lines{"exti i16[8] -> i32[8]", "cas acq_rel device ptr[8] i32[8] i32[8] -> i32[8]"});
}

TEST_CASE("assumptions", "[api][lowering]") {
  CHECK(CALLS(ct::assume_aligned<16>(p)) == lines{"assume_aligned <16,0,0> ptr[8]"});
  CHECK(CALLS(ct::assume_divisible_strided<4, 2, 0>(i)) ==
        lines{"assume_divisible_strided <4,2,0> i32[8]"});
  CHECK(CALLS(ct::assume_bounded<-3, 5>(i)) == lines{"assume_bounded <-3,5,1,1> i32[8]"});
  CHECK(CALLS(ct::assume_blocked(i, ct::shape<4>{})) == lines{"assume_blocked <4> i32[8]"});
}
