// Inline PTX: each statement beside the function of C++ or CUDA C++ that gives the same.  [PTX ISA; inline PTX assembly]
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>

#define EXPECT(type, statement, value)                                                             \
  {                                                                                                \
    type made;                                                                                     \
    statement;                                                                                     \
    expect(made == (value));                                                                       \
  }

__device__ void scalars(int& bad, unsigned u, int s) {
  const auto expect = [&bad](bool holds) { bad += holds ? 0 : 1; };
  const unsigned v = u * 2654435761U + 77;
  const int w = s * 40503 - 99999;
  EXPECT(unsigned, asm("add.u32 %0, %1, %2;" : "=r"(made) : "r"(u), "r"(v)), u + v)
  EXPECT(int, asm("sub.s32 %0, %1, %2;" : "=r"(made) : "r"(s), "r"(w)), s - w)
  EXPECT(unsigned, asm("mul.lo.u32 %0, %1, %2;" : "=r"(made) : "r"(u), "r"(v)), u * v)
  EXPECT(unsigned, asm("mul.hi.u32 %0, %1, %2;" : "=r"(made) : "r"(u), "r"(v)), __umulhi(u, v))
  EXPECT(int, asm("mul.hi.s32 %0, %1, %2;" : "=r"(made) : "r"(s), "r"(w)), __mulhi(s, w))
  EXPECT(int, asm("min.s32 %0, %1, %2;" : "=r"(made) : "r"(s), "r"(w)), (s < w ? s : w))
  EXPECT(unsigned, asm("max.u32 %0, %1, %2;" : "=r"(made) : "r"(u), "r"(v)), (u < v ? v : u))
  EXPECT(unsigned, asm("and.b32 %0, %1, %2;" : "=r"(made) : "r"(u), "r"(v)), (u & v))
  EXPECT(unsigned, asm("xor.b32 %0, %1, %2;" : "=r"(made) : "r"(u), "r"(v)), (u ^ v))
  EXPECT(unsigned, asm("shl.b32 %0, %1, %2;" : "=r"(made) : "r"(v), "r"(u & 31)), v << (u & 31))
  EXPECT(int, asm("shr.s32 %0, %1, %2;" : "=r"(made) : "r"(w), "r"(s & 31)), w >> (s & 31))
  EXPECT(unsigned, asm("shr.u32 %0, %1, %2;" : "=r"(made) : "r"(v), "r"(40U)), 0)
  EXPECT(float, asm("add.f32 %0, %1, %2;" : "=f"(made) : "f"(1.5F), "f"(2.25F)), 3.75F)
  EXPECT(double, asm("mul.f64 %0, %1, %2;" : "=d"(made) : "d"(1.5), "d"(2.25)), 3.375)
  EXPECT(unsigned long long, asm("add.u64 %0, %1, %2;" : "=l"(made) : "l"(1ULL << 40), "l"(5ULL)), (1ULL << 40) + 5)
  unsigned field = 0;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(field) : "r"(v), "r"(5), "r"(9));
  expect(field == (v >> 5 & 0x1ff));
  int signed_field = 0;
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(signed_field) : "r"(w), "r"(4), "r"(6));
  expect(signed_field == static_cast<int>(static_cast<unsigned>(w) << 22) >> 26);
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(field) : "r"(u), "r"(v), "r"(8), "r"(4));
  expect(field == ((v & ~0xf00U) | (u & 0xf) << 8));
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(field) : "r"(u), "r"(v), "r"(0x5410));
  expect(field == __byte_perm(u, v, 0x5410));
  asm("popc.b32 %0, %1;" : "=r"(field) : "r"(v));
  expect(field == static_cast<unsigned>(__popc(v)));
  asm("clz.b32 %0, %1;" : "=r"(field) : "r"(v >> 3));
  expect(field == static_cast<unsigned>(__clz(v >> 3)));
  asm("brev.b32 %0, %1;" : "=r"(field) : "r"(v));
  expect(field == __brev(v));
  asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.u32 %0, %3, %4, p; }"
      : "=r"(field)
      : "r"(s), "r"(w), "r"(11), "r"(22));
  expect(field == (s < w ? 11U : 22U));
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(field) : "r"(u), "r"(v), "r"(w));
  expect(field == ((u & v) | (u & static_cast<unsigned>(w)) | (v & static_cast<unsigned>(w))));
  asm("mad.lo.u32 %0, %1, %2, %0;" : "+r"(field) : "r"(u), "r"(v));
  expect(field == ((u & v) | (u & static_cast<unsigned>(w)) | (v & static_cast<unsigned>(w))) + u * v);
}

#define LOAD(modifier, from, low, high)                                                            \
  asm volatile("ld." #modifier ".v2.u32 {%0, %1}, [%2];" : "=r"(low), "=r"(high) : "l"(from))

// One function in spite of its length: a list of statements.
__global__ void statements(int* wrong, unsigned* memory) {
  int bad = 0;
  const auto expect = [&bad](bool holds) { bad += holds ? 0 : 1; };
  const unsigned t = threadIdx.x;
  const unsigned lane = t % 32;
  for (unsigned i = 0; i < 5; ++i) {
    scalars(bad, t * 977 + i, static_cast<int>(t) - 20 + static_cast<int>(i) * 31);
  }
  unsigned given = 0;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(given));
  expect(given == lane);
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(given));
  expect(given == t);
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(given));
  expect(given == (1U << lane) - 1);
  // A sum with the lane one further on, where there is one.  [PTX: shfl.sync]
  asm volatile("{"
               "  .reg .u32 r0;"
               "  .reg .pred p;"
               "  shfl.sync.down.b32 r0|p, %1, %2, %3, %4;"
               "  @p add.u32 r0, r0, %1;"
               "  mov.u32 %0, r0;"
               "}"
               : "=r"(given)
               : "r"(lane), "r"(1), "r"(0x1f), "r"(0xffffffffU));
  expect(given == (lane < 31 ? 2 * lane + 1 : lane));
  asm volatile("shfl.sync.up.b32 %0, %1, 3, 0, 0xffffffff;" : "=r"(given) : "r"(lane));
  expect(given == (lane < 3 ? lane : lane - 3));
  asm volatile("shfl.sync.bfly.b32 %0, %1, 5, 0x1f, 0xffffffff;" : "=r"(given) : "r"(lane));
  expect(given == (lane ^ 5));
  asm volatile("shfl.sync.idx.b32 %0, %1, 2, 0x181f, 0xffffffff;" : "=r"(given) : "r"(lane));
  expect(given == (lane & 24) + 2); // segments of eight
  unsigned long long pair = 0;
  asm volatile("{ .reg .u32 lo; .reg .u32 hi; mov.b64 {lo, hi}, %1; mov.b64 %0, {hi, lo}; }"
               : "=l"(pair)
               : "l"(0x100000002ULL));
  expect(pair == 0x200000001ULL);
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 15; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(given)
               : "r"(lane));
  expect(given == 0xffff0000U);
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  asm volatile("st.global.u32 [%0], %1;" ::"l"(memory + 4 + t), "r"(t * 3) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(given) : "l"(memory + 4 + (t ^ 33)) : "memory");
  expect(given == (t ^ 33) * 3);
  unsigned low = 0;
  unsigned high = 0;
  LOAD(cs, memory + 4, low, high);
  expect(low == 0 && high == 3);
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(given) : "l"(memory), "r"(1) : "memory");
  expect(given < 64);
  asm volatile("red.relaxed.gpu.global.max.u32 [%0], %1;" ::"l"(memory + 1), "r"(t) : "memory");
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("barrier.sync 0;" ::: "memory");
  asm volatile("ld.acquire.gpu.u32 %0, [%1+4];" : "=r"(given) : "l"(memory) : "memory");
  expect(given == 63);
  asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(given) : "l"(memory) : "memory");
  expect(given == 64);
  atomicAdd(wrong, bad);
}

int main() {
  int* wrong = nullptr;
  unsigned* memory = nullptr;
  cudaMallocManaged(&wrong, sizeof *wrong);
  cudaMallocManaged(&memory, 68 * sizeof *memory);
  *wrong = 0;
  memory[0] = memory[1] = 0;
  statements<<<1, 64>>>(wrong, memory);
  cudaDeviceSynchronize();
  std::printf("%d wrong\n", *wrong);
  cudaFree(wrong);
  cudaFree(memory);
}
