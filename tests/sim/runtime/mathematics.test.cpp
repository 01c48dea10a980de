// Mathematics and intrinsics that CUDA brings unqualified, and its atomics.
//
// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

#include <cuda/atomic>

#include <type_traits>

TEST_CASE("min and max have CUDA's overloads", "[runtime][math]") {
  CHECK(min(1, 2) == 1);
  CHECK(max(-1, 1U) == 0xffffffffU); // a mix is unsigned
  CHECK(min(1.5F, 2.5) == 1.5);
  CHECK(max(NAN, 1.0F) == 1.0F);
  STATIC_REQUIRE(std::is_same_v<decltype(min(short{1}, short{2})), int>);
  STATIC_REQUIRE(std::is_same_v<decltype(max(1LL, 1ULL)), unsigned long long>);
}

TEST_CASE("functions that the host's library lacks", "[runtime][math]") {
  struct row {
    const char* name;
    double got, want, bound;
  };
  // clang-format off
  const std::vector<row> rows{
      {"sinpi(0.5)",          sinpi(0.5),             1.0,                  0},
      {"sinpi(1)",            sinpi(1.0),             0.0,                  0},
      {"sinpi(1e15 + 0.5)",   sinpi(1e15 + 0.5),      1.0,                  0},
      {"cospi(0.5)",          cospi(0.5),             0.0,                  0},
      {"cospi(1)",            cospi(1.0),            -1.0,                  0},
      {"cospi(0.75)",         cospi(0.75),           -0.70710678118654757,  1e-15},
      {"rsqrt(4)",            rsqrt(4.0),             0.5,                  0},
      {"erfinv(0.5)",         erfinv(0.5),            0.47693627620446987,  1e-15},
      {"erfinv(-0.999)",      erfinv(-0.999),        -2.326753765513525,    1e-14},
      {"erfinv(1)",           erfinv(1.0),            HUGE_VAL,             0},
      {"erfcinv(1e-100)",     erfcinv(1e-100),        15.065574702593,      1e-11},
      {"erfcx(0)",            erfcx(0.0),             1.0,                  0},
      {"erfcx(10)",           erfcx(10.0),            0.056140992743822584, 1e-16},
      {"erfcx(100)",          erfcx(100.0),           0.0056416137829894329, 1e-17},
      {"normcdf(0)",          normcdf(0.0),           0.5,                  0},
      {"normcdf(-1)",         normcdf(-1.0),          0.15865525393145707,  1e-16},
      {"normcdfinv(0.975)",   normcdfinv(0.975),      1.959963984540054,    1e-14},
      {"cyl_bessel_i0(1)",    cyl_bessel_i0(1.0),     1.2660658777520084,   1e-14},
      {"norm3d(1, 2, 2)",     norm3d(1.0, 2.0, 2.0),  3.0,                  0},
      {"__saturatef(7)",      static_cast<double>(__saturatef(7)), 1.0,     0},
      {"__fdividef(1, 4)",    static_cast<double>(__fdividef(1, 4)), 0.25,  0},
  };
  // clang-format on
  for (const row& r : rows) {
    CAPTURE(r.name, r.got, r.want);
    CHECK((r.got == r.want || std::fabs(r.got - r.want) <= r.bound));
  }
}

TEST_CASE("intrinsics", "[runtime][math]") {
  CHECK(__float_as_int(1.0F) == 0x3f800000);
  CHECK(__int_as_float(0x40000000) == 2.0F);
  CHECK(__popc(0xf0f0U) == 8);
  CHECK(__clz(0) == 32);
  CHECK(__clz(1) == 31);
  CHECK(__ffs(8) == 4);
  CHECK(__brev(1U) == 0x80000000U);
  CHECK(__brevll(1ULL) == 0x8000000000000000ULL);
  CHECK(__mulhi(1 << 30, 8) == 2);
  CHECK(__umul64hi(1ULL << 63, 4) == 2);
  CHECK(__byte_perm(0x33221100U, 0x77665544U, 0x7531U) == 0x77553311U);
  CHECK(__byte_perm(0x80U, 0, 0x8888U) == 0x80808080U); // the fourth bit of a selector is not used
  CHECK(__funnelshift_l(0x80000000U, 1U, 1) == 3U);
  CHECK(__hadd(-1, 0) == -1);
  CHECK(__float2int_rn(2.5F) == 2);
  CHECK(__float2int_rz(-2.9F) == -2);
  CHECK(__float2int_ru(2.1F) == 3);
  CHECK(__float2int_rz(1e20F) == 2147483647);
  CHECK(__float2int_rz(NAN) == 0);
  CHECK(__float2uint_rz(-5.0F) == 0U);
  CHECK(__double2ll_rz(-1e300) == LLONG_MIN);
  CHECK(__hiloint2double(0x3ff00000, 0) == 1.0);
  const int value = 7;
  CHECK(__ldg(&value) == 7);
}

TEST_CASE("classic atomics return what was there", "[runtime][atomic]") {
  int i = 5;
  unsigned u = 5;
  float f = 1;
  unsigned long long l = 5;
  CHECK((atomicAdd(&i, 2) == 5 && i == 7));
  CHECK((atomicSub_block(&i, 3) == 7 && i == 4));
  CHECK((atomicExch(&f, 2.5F) == 1.0F && f == 2.5F));
  CHECK((atomicAdd_system(&f, 0.5F) == 2.5F && f == 3.0F));
  CHECK((atomicMin(&i, -1) == 4 && i == -1));
  CHECK((atomicMax(&l, 9ULL) == 5 && l == 9));
  CHECK((atomicCAS(&i, -1, 8) == -1 && i == 8));
  CHECK((atomicCAS(&i, -1, 9) == 8 && i == 8));
  CHECK((atomicInc(&u, 5U) == 5 && u == 0));
  CHECK((atomicDec(&u, 5U) == 0 && u == 5));
  CHECK((atomicXor(&u, 1U) == 5 && u == 4));
  __threadfence();
}

TEST_CASE("cuda::atomic_ref", "[runtime][atomic]") {
  int value = 1;
  const cuda::atomic_ref<int, cuda::thread_scope_device> a(value);
  CHECK(a.fetch_add(2, cuda::memory_order_relaxed) == 1);
  CHECK(a.load(cuda::memory_order_acquire) == 3);
  int expected = 4;
  CHECK_FALSE(a.compare_exchange_strong(expected, 9, cuda::memory_order_acq_rel));
  CHECK(expected == 3);
  CHECK(
      a.compare_exchange_weak(expected, 9, cuda::memory_order_release, cuda::memory_order_relaxed));
  CHECK(a.exchange(10) == 9);
  CHECK(a.fetch_max(7) == 10);
  CHECK(a.fetch_min(7) == 10);
  CHECK(a.fetch_or(8) == 7);
  a.store(1, cuda::memory_order_release);
  CHECK(++a == 2);
  float number = 1;
  const cuda::std::atomic_ref<float> f(number);
  CHECK(f.fetch_add(0.5F) == 1.0F);
  CHECK(number == 1.5F);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block);
  CHECK((cuda::thread_scope_system == 0 && cuda::thread_scope_device == 1 &&
         cuda::thread_scope_block == 2 && cuda::thread_scope_thread == 10));
}
