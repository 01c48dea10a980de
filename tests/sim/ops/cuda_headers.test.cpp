// cuda_fp16.h and its siblings: what expressions mean and which compile, as NVIDIA's compiler was
// asked. SPDX-License-Identifier: Apache-2.0
#include "reference.hpp"

#include <cmath>
#include <concepts>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <limits>
#include <support/catch.hpp>
#include <type_traits>
#include <vector>

namespace tilesim::test {
namespace {

template <class A, class B>
concept addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept comparable = requires(A a, B b) {
  a == b;
};
template <class To, class From>
constexpr bool only_explicit = std::constructible_from<To, From> && !std::convertible_to<From, To>;

const float inf = std::numeric_limits<float>::infinity();
const float quiet = std::numeric_limits<float>::quiet_NaN();

unsigned bits(__half h) {
  return __half_as_ushort(h);
}
unsigned bits(__nv_bfloat16 h) {
  return __bfloat16_as_ushort(h);
}

} // namespace

static_assert(sizeof(__half) == 2 && alignof(__half) == 2 && std::is_trivially_copyable_v<__half>);
static_assert(std::is_trivially_default_constructible_v<__half> &&
              std::is_standard_layout_v<__half>);
static_assert(sizeof(__half2) == 4 && alignof(__half2) == 4 &&
              std::is_trivially_default_constructible_v<__half2>);
static_assert(sizeof(__nv_bfloat16) == 2 &&
              std::is_trivially_default_constructible_v<__nv_bfloat162>);
static_assert(sizeof(__nv_fp8_e4m3) == 1 &&
              std::is_trivially_default_constructible_v<__nv_fp8_e4m3>);
static_assert(sizeof(__nv_tf32) == 4 && alignof(__nv_tf32) == 4 && !std::is_aggregate_v<__nv_tf32>);
static_assert(std::is_trivially_copyable_v<__nv_tf32> &&
              std::is_trivially_default_constructible_v<__nv_tf32>);
static_assert(std::same_as<half, __half> && std::same_as<half2, __half2> &&
              std::same_as<nv_bfloat16, __nv_bfloat16>);

// Conversions are implicit in both directions, so mixed arithmetic is ambiguous, as in CUDA.
static_assert(std::convertible_to<double, __half> && std::convertible_to<bool, __half> &&
              std::convertible_to<__half, bool>);
static_assert(std::convertible_to<__half, double> && std::convertible_to<__half, unsigned char>);
static_assert(addable<__half, __half> && !addable<__half, float> && !addable<int, __half> &&
              !addable<__half, double>);
static_assert(!comparable<__half, float> && !comparable<__half, int> &&
              !addable<__half, __nv_bfloat16>);
static_assert(only_explicit<__half, __nv_bfloat16> && only_explicit<__nv_bfloat16, __half>);
static_assert(only_explicit<__half, __nv_fp8_e4m3> && only_explicit<__nv_fp8_e4m3, float> &&
              only_explicit<__nv_fp8_e5m2, int>);
static_assert(only_explicit<float, __nv_fp8_e4m3> && only_explicit<bool, __nv_fp8_e5m2> &&
              !addable<__nv_fp8_e4m3, __nv_fp8_e4m3>);
static_assert(!std::constructible_from<__nv_fp8_e5m2, __nv_fp8_e4m3> &&
              !std::constructible_from<__half, __nv_tf32>);
static_assert(!std::constructible_from<__nv_tf32, float> &&
              !std::constructible_from<float, __nv_tf32>);
static_assert(!std::constructible_from<__half2, __half> &&
              std::constructible_from<__half2, __half, __half>);

TEST_CASE("half from numbers", "[headers]") {
  CHECK(bits(__half{3}) == 0x4200);
  CHECK(bits(__half{0.1}) == 0x2e66);
  CHECK(bits(__half{0.1F}) == 0x2e66);
  CHECK(bits(__half(65519.F)) == 0x7bff);
  CHECK(bits(__half(65520.F)) == 0x7c00);
  CHECK(bits(__half(-quiet)) == 0x7fff);
  CHECK(bits(__half(100000)) == 0x7c00);
  CHECK(bits(__ll2half_rn(2049)) == 0x6800);
  const double above_tie = 1.0 + 0x1p-11 + 0x1p-40; // a float would have lost the last term
  CHECK(bits(__half(above_tie)) == 0x3c01);
  CHECK(bits(__half(static_cast<float>(above_tie))) == 0x3c00);
  CHECK(bits(__float2half_rz(1e6F)) == 0x7bff);
  CHECK(bits(__float2half_ru(1e-9F)) == 0x0001);
  CHECK(bits(__float2half_rd(-1e-9F)) == 0x8001);
}

TEST_CASE("half to numbers", "[headers]") {
  CHECK(std::bit_cast<unsigned>(__half2float(__ushort_as_half(0xfe01))) == 0x7fffffff);
  CHECK(int(__half(-3.7F)) == -3);
  CHECK(__half2int_rz(CUDART_INF_FP16) == std::numeric_limits<int>::max());
  CHECK(__half2uint_rz(__half(-3.F)) == 0);
  CHECK(__half2int_rz(CUDART_NAN_FP16) == 0);
  CHECK(__half2ll_rz(CUDART_NAN_FP16) == std::numeric_limits<long long>::min());
  CHECK(static_cast<signed char>(__half(300.F)) == 127);
  CHECK(static_cast<short>(__half(60000.F)) == 32767);
  CHECK(__half2int_rn(__half(2.5F)) == 2);
  CHECK(__half2int_rn(__half(3.5F)) == 4);
  CHECK(__half2int_rd(__half(-2.5F)) == -3);
  CHECK(__half2int_ru(__half(-2.5F)) == -2);
  CHECK_FALSE(bool(__half(-0.F)));
}

TEST_CASE("half operators", "[headers]") {
  __half h(1.F);
  ++h;
  h++;
  --h;
  h += __half(0.5F);
  h *= 2; // an int converts
  CHECK(float(h) == 5.F);
  CHECK(bits(-__ushort_as_half(0x7e01)) == 0x7fff);
  CHECK(bits(__habs(__ushort_as_half(0xfe01))) == 0x7fff);
  CHECK(__half(1) < __half(2));
  CHECK_FALSE(__half(quiet) == __half(quiet));
  CHECK(__half(quiet) != __half(quiet));
  CHECK_FALSE(__hne(__half(quiet), __half(1)));
  CHECK(__hneu(__half(quiet), __half(1)));
  CHECK(bits(__hmax(__half(-0.F), __half(0.F))) == 0);
  CHECK(bits(__hmin(__half(-0.F), __half(0.F))) == 0x8000);
  CHECK(bits(__hmax(__half(quiet), __half(1.F))) == 0x3c00);
  CHECK(bits(__hmax_nan(__half(quiet), __half(1.F))) == 0x7fff);
  CHECK(__hisinf(__half(-inf)) == -1);
  CHECK(__hisnan(__half(quiet)));
  CHECK(bits(hsqrt(__half(4))) == 0x4000);
  const __half2 pair = __floats2half2_rn(1.F, 2.F);
  CHECK(__half22float2(pair + pair).y == 4.F);
  CHECK(__low2float(__lowhigh2highlow(pair)) == 2.F);
  CHECK(bits(__half(__nv_bfloat16(3))) == 0x4200);
  std::vector<__half> many(3, __half{2});
  CHECK(float(many[2]) == 2.F);
}

TEST_CASE("__hfma rounds once", "[headers]") {
  int wrong = 0;
  for (unsigned i = 0; i < 60000; i += 7) {
    const __half a = __ushort_as_half(static_cast<unsigned short>(0x3c00U + i % 1024));
    const __half b = __ushort_as_half(static_cast<unsigned short>(0x3c00U + (1U << (i % 10))));
    const __half c = __ushort_as_half(static_cast<unsigned short>(i));
    const double want = exact(machine::opcode::fma,
                              exact_half,
                              machine::rounding::nearest_even,
                              double{a},
                              double{b},
                              double{c});
    wrong += !same(double{__hfma(a, b, c)}, want);
  }
  CHECK(wrong == 0);
}

TEST_CASE("bfloat16", "[headers]") {
  CHECK(bits(__nv_bfloat16(quiet)) == 0x7fff);
  CHECK(std::bit_cast<unsigned>(__bfloat162float(__ushort_as_bfloat16(0xffc1))) == 0xffc10000);
  CHECK(bits(__double2bfloat16(1.0 + 0x1p-8 + 0x1p-40)) == 0x3f81);
  CHECK(bits(__int2bfloat16_rn(257)) == 0x4380);
  CHECK(bits(__ll2bfloat16_rn((1LL << 60) + (1LL << 52) + 1)) == 0x5d81);
  CHECK(__bfloat162int_rz(CUDART_INF_BF16) == std::numeric_limits<int>::max());
  CHECK(static_cast<unsigned char>(__nv_bfloat16(300.F)) == 255);
  CHECK(float(__nv_bfloat16(1) + __nv_bfloat16(2)) == 3.F);
}

TEST_CASE("fp8", "[headers]") {
  CHECK(__nv_fp8_e4m3(quiet).__x == 0x7f);
  CHECK(__nv_fp8_e4m3(inf).__x == 0x7e);
  CHECK(__nv_fp8_e4m3(-inf).__x == 0xfe);
  CHECK(__nv_fp8_e4m3(7).__x == 0x4e);
  CHECK(__nv_fp8_e4m3(0.3).__x == 0x2a);
  CHECK(__nv_fp8_e4m3(__half(3.3F)).__x == 0x45);
  CHECK(__nv_fp8_e4m3(1.0 + 0x1p-4 + 0x1p-40).__x == 0x39);
  CHECK(__nv_fp8_e5m2(60000.F).__x == 0x7b);
  CHECK(__nv_cvt_float_to_fp8(465.F, __NV_NOSAT, __NV_E4M3) == 0x7f);
  CHECK(__nv_cvt_float_to_fp8(464.F, __NV_NOSAT, __NV_E4M3) == 0x7e);
  CHECK(__nv_cvt_float_to_fp8(-inf, __NV_NOSAT, __NV_E4M3) == 0xff);
  CHECK(__nv_cvt_float_to_fp8(61439.F, __NV_NOSAT, __NV_E5M2) == 0x7b);
  CHECK(__nv_cvt_float_to_fp8(61440.F, __NV_NOSAT, __NV_E5M2) == 0x7c);
  CHECK(__nv_cvt_fp8_to_halfraw(0x38, __NV_E4M3).x == 0x3c00);
  __nv_fp8_e5m2 x(1.F);
  x.__x = 0x7c;
  CHECK(float(x) == inf);
  CHECK(int(x) == std::numeric_limits<int>::max());
  CHECK(static_cast<signed char>(x) == 127);
}

} // namespace tilesim::test
