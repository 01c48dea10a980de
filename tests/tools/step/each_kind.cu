// A finding of each kind that a run may come to, by the first argument; `none` of every kind.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda/atomic>
#include <cuda/barrier>

#include <cassert>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
using four = ct::tile<int, ct::shape<4>>;
constexpr ct::memory_order_relaxed_t relaxed{};
constexpr ct::thread_scope_device_t device{};
constexpr ct::thread_scope_block_t block{};

template <class T> __tile__ void use(const T&) {}

/// Names as numbers: a kernel has no strings of the host's.
constexpr unsigned number_of(const char* name) {
  unsigned hash = 5381;
  for (; *name != 0; ++name)
    hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

// Each kernel stores first, so that there is an operation to stand before; `bare` ones do not.

// --- What ends the program.

__tile_global__ void traps(int* p) {
  ct::store(p + 1, 1);
  if (ct::bid().x == 1)
    __builtin_trap(); // @trap
}
__tile_global__ void bare_trap(int*) {
  __builtin_trap(); // @bare-trap
}
__tile_global__ void throws(int* p) {
  ct::store(p + ct::bid().x, 1);
  throw 7; // @throw
}
__tile_global__ void aborts(int* p) {
  ct::store(p + ct::bid().x, 1);
  std::abort(); // @abort
}
__tile_global__ void divides(int* p, int zero) {
  ct::store(p + ct::bid().x, 1);
  p[2] = 7 / zero; // @divide
}
__tile_global__ void raises(int* p) {
  ct::store(p + ct::bid().x, 1);
  raise(SIGTRAP); // @raise
}
__tile_global__ void null_raw(int* p) {
  ct::store(p + ct::bid().x, 1);
  *reinterpret_cast<volatile int*>(8) = 1; // @null-raw
}
__tile_global__ void null_tile(int* p) {
  ct::store(p + ct::bid().x, 1);
  ct::store(p - reinterpret_cast<std::intptr_t>(p) / 4 + 1, 1); // @null-tile
}
__tile_global__ void exits(int* p) {
  ct::store(p + ct::bid().x, 1);
  exit(7); // @exit
}
__global__ void threads_trap(int* p) {
  p[threadIdx.x] = 1;
  if (threadIdx.x == 2)
    __trap(); // @threads-trap
}
__tile_global__ void fails(int* p) {
  ct::store(p, 1);
  assert(ct::bid().x > 4); // @assert
}
using large = ct::tile<int, ct::shape<1 << 14>>;
__tile__ large pile(large x, int depth) { return depth == 0 ? x : pile(x + 1, depth - 1) + x; } // @stack
__tile_global__ void deep(int* p) {
  ct::store(p, 1);
  use(pile(ct::iota<large>(), 1000));
}

// --- Bad places.

__tile_global__ void outside(int* p) {
  ct::store(p, 1);
  ct::store(p + 4, 1); // @outside
}
__tile_global__ void raw_outside(int* p) {
  p[1] = 1;
  p[4] = 1; // @raw-outside
}
__tile_global__ void misaligned(int* p) {
  ct::store(p, 1);
  ct::store(reinterpret_cast<int*>(reinterpret_cast<char*>(p) + 1), 1); // @misaligned
}
__tile_global__ void store_there(int* p, int* there) {
  ct::store(p, 1);
  ct::store(there, 1); // @there
}

// --- Who waits.

__tile_global__ void waits(int* p) {
  ct::store(p + 1 + ct::bid().x, 1);
  while (ct::atomic_load(p, relaxed, device) == 0) { // @wait
  }
}
__global__ void meet_in_part(int* p) {
  if (threadIdx.x == 0) {
    while (cuda::atomic_ref<int, cuda::thread_scope_device>(*p).load() == 0) { // @spin
    }
  }
  __syncthreads(); // @barrier
}
__tile_global__ void counts_in_vain(int* p) {
  while (ct::atomic_load(p, relaxed, device) == 0)
    ct::atomic_add(p + 1, 1, relaxed, device); // @vain
}

// --- Races.

__tile_global__ void race(int* p) {
  ct::store(p, int(ct::bid().x)); // @race
}
__tile_global__ void twice(int* p) {
  ct::store(p + ct::iota<four>() / 2, ct::iota<four>()); // @twice
}
__tile_global__ void narrow(int* p) {
  ct::atomic_add(p, 1, relaxed, block); // @narrow
}
__global__ void sizes(int* p) {
  if (blockIdx.x == 0)
    cuda::atomic_ref<int, cuda::thread_scope_device>(*p).store(1, cuda::memory_order_relaxed); // @wide
  else
    cuda::atomic_ref<short, cuda::thread_scope_device>(*reinterpret_cast<short*>(p)).store(1, cuda::memory_order_relaxed); // @narrower
}
__global__ void diverge(int* p) {
  if (threadIdx.x < 2)
    p[threadIdx.x] = __syncthreads_or(1); // @or
  else
    p[threadIdx.x] = __syncthreads_and(1); // @and
}
__global__ void arrives() {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  init(&bar, 2);
  static_cast<void>(bar.arrive(3)); // @arrive
}
__tile_global__ void reads(int* p, int* out) {
  ct::store(out, ct::load(p)); // @read
}

// --- What is undefined, and notes.

__tile_global__ void undefined(int* p, int* other, unsigned how) {
  const four one = ct::load(p + ct::iota<four>()); // 1, all of them // @ones
  if (how == number_of("signed-overflow"))
    use(one + INT_MAX); // @signed-overflow
  else if (how == number_of("reduction-overflow"))
    use(ct::sum(one * (INT_MAX / 2), 0_ic)); // @reduction-overflow
  else if (how == number_of("division-by-zero"))
    use(one / (one - 1)); // @division-by-zero
  else if (how == number_of("unrepresentable-quotient"))
    use((one * INT_MIN) / (one - 2)); // @unrepresentable-quotient
  else if (how == number_of("shift-out-of-range"))
    use(one << (one * 32)); // @shift-out-of-range
  else if (how == number_of("conversion-out-of-range"))
    use(ct::element_cast<int>(ct::full<ct::tile<float, ct::shape<4>>>(3e9f))); // @conversion-out-of-range
  else if (how == number_of("pointer-difference"))
    use((p + ct::iota<four>()) - (other + ct::iota<four>())); // @pointer-difference
  else if (how == number_of("extract-index"))
    use(ct::extract(ct::iota<ct::tile<int, ct::shape<8>>>(), ct::shape<4>{}, int(ct::load(p)) + 1)); // @extract-index
  else if (how == number_of("broken-assumption"))
    use(ct::assume_divisible<16>(one)); // @broken-assumption
  else if (how == number_of("print-format"))
    printf("%d\n", 1.5); // @print-format
  else if (how == number_of("atomic-overflow"))
    ct::atomic_add(p, INT_MAX, relaxed, device); // @atomic-overflow
  else if (how == number_of("pointer-out-of-range"))
    use(p + ct::iota<four>() * 1000); // @pointer-out-of-range
  else if (how == number_of("pointer-order"))
    use((p + ct::iota<four>()) < (other + ct::iota<four>())); // @pointer-order
}
__tile_global__ void views(int* p, unsigned how) {
  ct::partition_view v{ct::tensor_span{p, ct::extents{6}}, ct::shape<4>{}};
  if (how == number_of("view-bounds"))
    use(v.load(1)); // @view-bounds
  else
    use(v.load(2)); // @view-index
}
__tile_global__ void overlap(int* p) {
  ct::partition_view windows{ct::tensor_span{p, ct::layout_strided_mapping{ct::extents{4, 4}, ct::strides{1, 1}}},
                             ct::shape<2, 2>{}};
  windows.store(ct::iota<ct::tile<int, ct::shape<2, 2>>>(), 0, 0); // @overlap
}
__tile_global__ void reloads(float* t) {
  const auto r = ct::iota<ct::tile<int, ct::shape<4, 1>>>();
  const auto wide = r * 4 + ct::iota<ct::tile<int, ct::shape<1, 4>>>();
  const auto old = ct::load(t + r);
  ct::store(t + r, old + 1.0f);
  ct::store(t + 16 + wide, ct::load(t + 16 + wide) + old); // @reload
}
__global__ void lanes(int* p, bool mask) {
  if (mask)
    p[threadIdx.x] = __shfl_sync(0x0000ffffU, static_cast<int>(threadIdx.x), 3); // @warp-mask
  else
    p[threadIdx.x] = __shfl_down_sync(0xffffffffU, static_cast<int>(threadIdx.x), 16); // @inactive-lane
}
__global__ void leaves(int* p) {
  if (threadIdx.x >= 2)
    return;
  __syncthreads();
  p[threadIdx.x] = 1; // @behind-barrier
}
__constant__ int fixed[4];
__global__ void writes_constant() {
  fixed[threadIdx.x] = 1; // @constant
}
__global__ void numbered() {
  __barrier_sync_count(1, 33); // @numbered
}
__global__ void in_step(int* p) {
  __shared__ volatile int first;
  if (threadIdx.x == 0)
    first = 1; // @in-step
  else
    *p = first; // @behind-in-step
}
__tile_global__ void fill(int* p) {
  ct::store(p + ct::iota<ct::tile<int, ct::shape<64>>>(), ct::full<ct::tile<int, ct::shape<64>>>(1)); // @fill
}

int main(int count, char** words) {
  const char* how = count > 1 ? words[1] : "none";
  const auto is = [how](const char* name) { return std::strcmp(how, name) == 0; };
  static volatile int zero = 0;
  if (is("api")) {
    cudaMemset(nullptr, 0, 4); // @api
    return 0;
  }
  int* p = nullptr;
  int* q = nullptr;
  cudaMalloc(&p, 4 * sizeof(int));
  cudaMallocManaged(&q, 64 * sizeof(int));
  if (!is("uninitialised"))
    cudaMemset(p, 0, 4 * sizeof(int));
  if (is("host-first"))
    *p = 1; // @host-first
  fill<<<1, 1>>>(q);
  cudaDeviceSynchronize();
  if (is("trap"))
    traps<<<2, 1>>>(p);
  else if (is("throw"))
    throws<<<2, 1>>>(p);
  else if (is("abort"))
    aborts<<<2, 1>>>(p);
  else if (is("divide"))
    divides<<<2, 1>>>(p, zero);
  else if (is("raise"))
    raises<<<2, 1>>>(p);
  else if (is("null-raw"))
    null_raw<<<2, 1>>>(p);
  else if (is("null-tile"))
    null_tile<<<2, 1>>>(p);
  else if (is("exit"))
    exits<<<2, 1>>>(p);
  else if (is("threads-trap"))
    threads_trap<<<1, 4>>>(p);
  else if (is("assert"))
    fails<<<2, 1>>>(p);
  else if (is("stack"))
    deep<<<1, 1>>>(p);
  else if (is("outside"))
    outside<<<1, 1>>>(p);
  else if (is("raw-outside"))
    raw_outside<<<1, 1>>>(p);
  else if (is("misaligned"))
    misaligned<<<1, 1>>>(p);
  else if (is("wild"))
    store_there<<<1, 1>>>(p, reinterpret_cast<int*>(0x123456780000));
  else if (is("host-memory"))
    store_there<<<1, 1>>>(p, new int);
  else if (is("freed")) {
    int* gone = nullptr;
    cudaMalloc(&gone, 16);
    cudaFree(gone);
    store_there<<<1, 1>>>(p, gone);
  } else if (is("wait"))
    waits<<<2, 1>>>(p);
  else if (is("threads-wait"))
    meet_in_part<<<2, 4>>>(p);
  else if (is("vain"))
    counts_in_vain<<<1, 1>>>(p);
  else if (is("race"))
    race<<<4, 1>>>(p);
  else if (is("twice"))
    twice<<<1, 1>>>(p);
  else if (is("narrow"))
    narrow<<<4, 1>>>(p);
  else if (is("sizes"))
    sizes<<<2, 1>>>(p);
  else if (is("diverge"))
    diverge<<<1, 4>>>(p);
  else if (is("arrive"))
    arrives<<<1, 1>>>();
  else if (is("uninitialised"))
    reads<<<1, 1>>>(p, q);
  else if (is("view-bounds") || is("view-index"))
    views<<<1, 1>>>(q, number_of(how));
  else if (is("overlap"))
    overlap<<<1, 1>>>(q);
  else if (is("reload"))
    reloads<<<1, 1>>>(reinterpret_cast<float*>(q));
  else if (is("warp-mask"))
    lanes<<<1, 32>>>(q, true);
  else if (is("inactive-lane"))
    lanes<<<1, 24>>>(q, false);
  else if (is("barrier-left"))
    leaves<<<1, 4>>>(p);
  else if (is("constant"))
    writes_constant<<<1, 1>>>();
  else if (is("numbered"))
    numbered<<<1, 64>>>();
  else if (is("in-step"))
    in_step<<<1, 2>>>(p);
  else if (is("launch"))
    race<<<0, 1>>>(p); // @launch
  else if (is("free"))
    cudaFree(reinterpret_cast<void*>(16)); // @free
  else if (is("host-race")) {
    fill<<<1, 1>>>(q);
    std::printf("%d\n", q[3]); // @host-race
  } else if (!is("bare-trap") && !is("host"))
    undefined<<<1, 1>>>(q, p, number_of(how));
  if (is("bare-trap"))
    bare_trap<<<2, 1>>>(p);
  cudaDeviceSynchronize();
  if (is("host"))
    *p = 1; // @host
  if (is("leak"))
    return 0;
  cudaFree(p);
  cudaFree(q);
}
