// Floating point of `__global__` kernels that has one right result: rounded intrinsics, operators, halves: bit for bit.
// SPDX-License-Identifier: Apache-2.0
#include "threads.hpp"

using namespace gpu_test;

namespace op {
#define ROUNDED(name, type, call)                                                                                      \
  THREAD_BINARY(name##_rn, type, type, type, call##_rn(a, b))                                                                \
  THREAD_BINARY(name##_rz, type, type, type, call##_rz(a, b))                                                                \
  THREAD_BINARY(name##_ru, type, type, type, call##_ru(a, b))                                                                \
  THREAD_BINARY(name##_rd, type, type, type, call##_rd(a, b))
ROUNDED(fadd, float, __fadd)
ROUNDED(fsub, float, __fsub)
ROUNDED(fmul, float, __fmul)
ROUNDED(fdiv, float, __fdiv)
ROUNDED(dadd, double, __dadd)
ROUNDED(dsub, double, __dsub)
ROUNDED(dmul, double, __dmul)
ROUNDED(ddiv, double, __ddiv)
#define ROUNDED_ONE(name, result, type, call)                                                                                \
  THREAD_UNARY(name##_rn, result, type, call##_rn(a))                                                                          \
  THREAD_UNARY(name##_rz, result, type, call##_rz(a))                                                                          \
  THREAD_UNARY(name##_ru, result, type, call##_ru(a))                                                                          \
  THREAD_UNARY(name##_rd, result, type, call##_rd(a))
ROUNDED_ONE(frcp, float, float, __frcp)
ROUNDED_ONE(fsqrt, float, float, __fsqrt)
ROUNDED_ONE(drcp, double, double, __drcp)
ROUNDED_ONE(dsqrt, double, double, __dsqrt)
ROUNDED_ONE(double2float, float, double, __double2float)
#define ROUNDED_FMA(name, type, call)                                                                                  \
  THREAD_TERNARY(name##_rn, type, type, type, type, call##_rn(a, b, c))                                                      \
  THREAD_TERNARY(name##_rz, type, type, type, type, call##_rz(a, b, c))                                                      \
  THREAD_TERNARY(name##_ru, type, type, type, type, call##_ru(a, b, c))                                                      \
  THREAD_TERNARY(name##_rd, type, type, type, type, call##_rd(a, b, c))
ROUNDED_FMA(fmaf, float, __fmaf)
ROUNDED_FMA(fma, double, __fma)

THREAD_BINARY(plus, float, float, float, a + b)
THREAD_BINARY(minus, double, double, double, a - b)
THREAD_BINARY(times, float, float, float, a * b)
THREAD_BINARY(divide, float, float, float, a / b)
THREAD_BINARY(divide_double, double, double, double, a / b)
THREAD_UNARY(sqrtf_, float, float, sqrtf(a))
THREAD_UNARY(sqrt_, double, double, sqrt(a))
THREAD_BINARY(fminf_, float, float, float, fminf(a, b))
THREAD_BINARY(fmaxf_, float, float, float, fmaxf(a, b))
THREAD_BINARY(fmax_, double, double, double, fmax(a, b))
THREAD_UNARY(floorf_, float, float, floorf(a))
THREAD_UNARY(ceilf_, float, float, ceilf(a))
THREAD_UNARY(truncf_, float, float, truncf(a))
THREAD_UNARY(rintf_, float, float, rintf(a))
THREAD_UNARY(roundf_, float, float, roundf(a))
THREAD_UNARY(nearbyint_, double, double, nearbyint(a))
THREAD_BINARY(copysignf_, float, float, float, copysignf(a, b))
THREAD_BINARY(fmodf_, float, float, float, fmodf(a, b))
THREAD_BINARY(remainder_, double, double, double, remainder(a, b))
THREAD_BINARY(fdimf_, float, float, float, fdimf(a, b))
THREAD_BINARY(nextafterf_, float, float, float, nextafterf(a, b))
THREAD_UNARY(saturatef, float, float, __saturatef(a))
THREAD_UNARY(ilogbf_, int, float, ilogbf(a))
THREAD_UNARY(logbf_, float, float, logbf(a))
THREAD_UNARY(isnan_, int, float, static_cast<int>(isnan(a)) + 2 * static_cast<int>(isinf(a)) + 4 * static_cast<int>(signbit(a) != 0))

THREAD_UNARY(float2half_rn, __half, float, __float2half_rn(a))
THREAD_UNARY(float2half_rz, __half, float, __float2half_rz(a))
THREAD_UNARY(float2half_ru, __half, float, __float2half_ru(a))
THREAD_UNARY(float2bfloat16, __nv_bfloat16, float, __float2bfloat16(a))
THREAD_UNARY(half2float, float, __half, __half2float(a))
THREAD_UNARY(half2int_rn, int, __half, __half2int_rn(a))
THREAD_BINARY(hadd, __half, __half, __half, __hadd(a, b))
THREAD_BINARY(hmul, __half, __half, __half, __hmul(a, b))
THREAD_BINARY(hdiv, __half, __half, __half, __hdiv(a, b))
THREAD_TERNARY(hfma, __half, __half, __half, __half, __hfma(a, b, c))
THREAD_BINARY(hmax, __half, __half, __half, __hmax(a, b))
THREAD_BINARY(hlt, int, __half, __half, static_cast<int>(__hlt(a, b)))
THREAD_UNARY(hsqrt_, __half, __half, hsqrt(a))
THREAD_BINARY(hadd_bf16, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, __hadd(a, b))
THREAD_BINARY(hmul_bf16, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, __hmul(a, b))
THREAD_TERNARY(hfma_bf16, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, __hfma(a, b, c))
} // namespace op

int main() {
#define FOUR(name) op::name##_rn, op::name##_rz, op::name##_ru, op::name##_rd
  run_each(list<FOUR(fadd), FOUR(fsub), FOUR(fmul), FOUR(fdiv), FOUR(dadd), FOUR(dsub), FOUR(dmul), FOUR(ddiv)>{});
  run_each(list<FOUR(frcp), FOUR(fsqrt), FOUR(drcp), FOUR(dsqrt), FOUR(double2float), FOUR(fmaf), FOUR(fma)>{});
  run_each(list<op::plus, op::minus, op::times, op::divide, op::divide_double, op::sqrtf_, op::sqrt_>{});
  run_each(list<op::fminf_, op::fmaxf_, op::fmax_, op::floorf_, op::ceilf_, op::truncf_, op::rintf_, op::roundf_>{});
  run_each(list<op::nearbyint_, op::copysignf_, op::fmodf_, op::remainder_, op::fdimf_, op::nextafterf_>{});
  run_each(list<op::saturatef, op::ilogbf_, op::logbf_, op::isnan_, op::float2half_rn, op::float2half_rz>{});
  run_each(list<op::float2half_ru, op::float2bfloat16, op::half2float, op::half2int_rn, op::hadd, op::hmul, op::hdiv>{});
  run_each(list<op::hfma, op::hmax, op::hlt, op::hsqrt_, op::hadd_bf16, op::hmul_bf16, op::hfma_bf16>{});
  return done();
}
