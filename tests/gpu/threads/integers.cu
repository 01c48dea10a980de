// Intrinsics of integers, and conversions of numbers to integers, in `__global__` kernels: bit for bit.
// SPDX-License-Identifier: Apache-2.0
#include "threads.hpp"

using namespace gpu_test;
using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

namespace op {
THREAD_UNARY(brev, u32, u32, __brev(a))
THREAD_UNARY(clz, int, i32, __clz(a))
THREAD_UNARY(ffs, int, i32, __ffs(a))
THREAD_UNARY(popc, int, u32, __popc(a))
THREAD_UNARY(abs_, i32, i32, abs(a | 1))
THREAD_UNARY(vabs2, u32, u32, __vabs2(a))
THREAD_UNARY(vneg4, u32, u32, __vneg4(a))
THREAD_UNARY(vabsss4, u32, u32, __vabsss4(a))
THREAD_UNARY(int2float_rn, float, i32, __int2float_rn(a))
THREAD_UNARY(int2float_rz, float, i32, __int2float_rz(a))
THREAD_UNARY(int2float_ru, float, i32, __int2float_ru(a))
THREAD_UNARY(int2float_rd, float, i32, __int2float_rd(a))
THREAD_UNARY(uint2float_rn, float, u32, __uint2float_rn(a))
THREAD_UNARY(uint2float_ru, float, u32, __uint2float_ru(a))
THREAD_UNARY(int2double_rn, double, i32, __int2double_rn(a))
THREAD_UNARY(brevll, u64, u64, __brevll(a))
THREAD_UNARY(clzll, int, i64, __clzll(a))
THREAD_UNARY(ffsll, int, i64, __ffsll(a))
THREAD_UNARY(popcll, int, u64, __popcll(a))
THREAD_UNARY(ll2float_rz, float, i64, __ll2float_rz(a))
THREAD_UNARY(ull2float_rd, float, u64, __ull2float_rd(a))
THREAD_UNARY(ll2double_ru, double, i64, __ll2double_ru(a))
THREAD_UNARY(ull2double_rz, double, u64, __ull2double_rz(a))

THREAD_BINARY(mulhi, i32, i32, i32, __mulhi(a, b))
THREAD_BINARY(umulhi, u32, u32, u32, __umulhi(a, b))
THREAD_BINARY(mul24, i32, i32, i32, __mul24(a, b))
THREAD_BINARY(umul24, u32, u32, u32, __umul24(a, b))
THREAD_BINARY(hadd, i32, i32, i32, __hadd(a, b))
THREAD_BINARY(rhadd, i32, i32, i32, __rhadd(a, b))
THREAD_BINARY(uhadd, u32, u32, u32, __uhadd(a, b))
THREAD_BINARY(urhadd, u32, u32, u32, __urhadd(a, b))
THREAD_BINARY(mul64hi, i64, i64, i64, __mul64hi(a, b))
THREAD_BINARY(umul64hi, u64, u64, u64, __umul64hi(a, b))
THREAD_BINARY(vadd2, u32, u32, u32, __vadd2(a, b))
THREAD_BINARY(vaddss4, u32, u32, u32, __vaddss4(a, b))
THREAD_BINARY(vaddus2, u32, u32, u32, __vaddus2(a, b))
THREAD_BINARY(vsub4, u32, u32, u32, __vsub4(a, b))
THREAD_BINARY(vsubus4, u32, u32, u32, __vsubus4(a, b))
THREAD_BINARY(vavgs4, u32, u32, u32, __vavgs4(a, b))
THREAD_BINARY(vavgu2, u32, u32, u32, __vavgu2(a, b))
THREAD_BINARY(vcmpgts2, u32, u32, u32, __vcmpgts2(a, b))
THREAD_BINARY(vcmpleu4, u32, u32, u32, __vcmpleu4(a, b))
THREAD_BINARY(vmaxs4, u32, u32, u32, __vmaxs4(a, b))
THREAD_BINARY(vminu2, u32, u32, u32, __vminu2(a, b))
THREAD_BINARY(vsads2, u32, u32, u32, __vsads2(a, b))
THREAD_BINARY(vsadu4, u32, u32, u32, __vsadu4(a, b))
THREAD_BINARY(vabsdiffu4, u32, u32, u32, __vabsdiffu4(a, b))
THREAD_BINARY(vseteq4, u32, u32, u32, __vseteq4(a, b))

THREAD_TERNARY(byte_perm, u32, u32, u32, u32, __byte_perm(a, b, c))
THREAD_TERNARY(funnelshift_l, u32, u32, u32, u32, __funnelshift_l(a, b, c))
THREAD_TERNARY(funnelshift_r, u32, u32, u32, u32, __funnelshift_r(a, b, c))
THREAD_TERNARY(funnelshift_lc, u32, u32, u32, u32, __funnelshift_lc(a, b, c))
THREAD_TERNARY(funnelshift_rc, u32, u32, u32, u32, __funnelshift_rc(a, b, c))
THREAD_TERNARY(sad, u32, i32, i32, u32, __sad(a, b, c))
THREAD_TERNARY(usad, u32, u32, u32, u32, __usad(a, b, c))
THREAD_TERNARY(dp4a, u32, u32, u32, u32, __dp4a(a, b, c))
THREAD_TERNARY(dp2a_lo, u32, u32, u32, u32, __dp2a_lo(a, b, c))
THREAD_TERNARY(dp2a_hi, u32, u32, u32, u32, __dp2a_hi(a, b, c))
THREAD_TERNARY(dp4a_signed, i32, i32, i32, i32, __dp4a(a, b, c))
THREAD_TERNARY(viaddmax, i32, i32, i32, i32, __viaddmax_s32(static_cast<i32>(a >> 1), static_cast<i32>(b >> 1), c))
THREAD_TERNARY(vimax3, i32, i32, i32, i32, __vimax3_s32(a, b, c))
THREAD_TERNARY(vimin3_relu, i32, i32, i32, i32, __vimin3_s32_relu(a, b, c))

// [Type Casting Intrinsics] What lies outside of the integers becomes the nearest one; a NaN zero (or, of 64 bits, 1 << 63).
THREAD_UNARY(float2int_rn, i32, float, __float2int_rn(a))
THREAD_UNARY(float2int_rz, i32, float, __float2int_rz(a))
THREAD_UNARY(float2int_ru, i32, float, __float2int_ru(a))
THREAD_UNARY(float2int_rd, i32, float, __float2int_rd(a))
THREAD_UNARY(float2uint_rn, u32, float, __float2uint_rn(a))
THREAD_UNARY(float2uint_rz, u32, float, __float2uint_rz(a))
THREAD_UNARY(float2ll_rn, i64, float, __float2ll_rn(a))
THREAD_UNARY(float2ll_rz, i64, float, __float2ll_rz(a))
THREAD_UNARY(float2ull_ru, u64, float, __float2ull_ru(a))
THREAD_UNARY(double2int_rn, i32, double, __double2int_rn(a))
THREAD_UNARY(double2int_rd, i32, double, __double2int_rd(a))
THREAD_UNARY(double2uint_ru, u32, double, __double2uint_ru(a))
THREAD_UNARY(double2ll_rz, i64, double, __double2ll_rz(a))
THREAD_UNARY(double2ull_rn, u64, double, __double2ull_rn(a))
THREAD_UNARY(double2hiint, i32, double, __double2hiint(a))
} // namespace op

int main() {
  run_each(list<op::brev, op::clz, op::ffs, op::popc, op::abs_, op::vabs2, op::vneg4, op::vabsss4, op::int2float_rn, op::int2float_rz, op::int2float_ru, op::int2float_rd, op::uint2float_rn, op::uint2float_ru, op::int2double_rn, op::brevll, op::clzll, op::ffsll, op::popcll, op::ll2float_rz, op::ull2float_rd, op::ll2double_ru, op::ull2double_rz, op::mulhi, op::umulhi, op::mul24, op::umul24, op::hadd, op::rhadd, op::uhadd, op::urhadd, op::mul64hi, op::umul64hi, op::vadd2, op::vaddss4, op::vaddus2, op::vsub4, op::vsubus4, op::vavgs4, op::vavgu2, op::vcmpgts2, op::vcmpleu4, op::vmaxs4, op::vminu2, op::vsads2, op::vsadu4, op::vabsdiffu4, op::vseteq4, op::byte_perm, op::funnelshift_l, op::funnelshift_r, op::funnelshift_lc, op::funnelshift_rc, op::sad, op::usad, op::dp4a, op::dp2a_lo, op::dp2a_hi, op::dp4a_signed, op::viaddmax, op::vimax3, op::vimin3_relu, op::float2int_rn, op::float2int_rz, op::float2int_ru, op::float2int_rd, op::float2uint_rn, op::float2uint_rz, op::float2ll_rn, op::float2ll_rz, op::float2ull_ru, op::double2int_rn, op::double2int_rd, op::double2uint_ru, op::double2ll_rz, op::double2ull_rn, op::double2hiint>{});
  return done();
}
