// Atomics: every operation, the order as a template argument or as an object, scopes, masks,
// element types; counters, histograms and a flag between two blocks. SPDX-License-Identifier:
// Apache-2.0
#include "helper_checks.h"

#include "cuda_fp16.h"
#include "cuda_tile.h"

namespace ct = cuda::tiles;
using i32x8 = ct::tile<int, ct::shape<8>>;
using i64x8 = ct::tile<long long, ct::shape<8>>;

template <typename T>
__tile_global__ void sums(T* total, T* olds, const T* in) {
  auto i = ct::iota<i32x8>();
  auto x = ct::load(in + static_cast<int>(ct::bid().x) * 8 + i);
  ct::atomic_add(total + i % 2, x, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
  ct::atomic_add<ct::memory_order::relaxed>(total + 2 + ct::zeros<i32x8>(), x);
  ct::atomic_sub<ct::memory_order::relaxed, ct::thread_scope::device>(
      total + 3 + ct::zeros<i32x8>(), x);
  ct::atomic_add_masked<ct::memory_order::relaxed>(total + 4 + i - i, x, i >= 4);
  auto old = ct::atomic_add<ct::memory_order::acq_rel>(total + 5, T(1)); // a scalar: a ticket
  olds[static_cast<int>(old)] = T(1);
}

template <typename T>
void check_sums() {
  std::vector<T> values;
  float even = 0, odd = 0, upper = 0;
  for (int i = 0; i < 32; ++i) {
    values.push_back(T(float(i % 5)));
    (i % 2 == 0 ? even : odd) += i % 5;
    upper += i % 8 >= 4 ? i % 5 : 0;
  }
  device_array<T> in(values), total(std::vector<T>(6, T(0.0f))), olds(std::vector<T>(4, T(0.0f)));
  sums<T><<<4, 1>>>(total.data, olds.data, in.data);
  CHECK_LAUNCHES();
  const auto t = total.host();
  EXPECT(float(t[0]) == even && float(t[1]) == odd && float(t[2]) == even + odd &&
         float(t[3]) == -even - odd);
  EXPECT(float(t[4]) == upper && float(t[5]) == 4);
  for (T old : olds.host()) {
    EXPECT(float(old) == 1);
  }
}

__tile_global__ void bits(unsigned* out, long long* wide) {
  auto i = ct::iota<ct::tile<unsigned, ct::shape<8>>>();
  auto same = ct::zeros<ct::tile<unsigned, ct::shape<8>>>();
  constexpr ct::memory_order_relaxed_t relaxed{};
  ct::atomic_or(out + same, 1u << i, relaxed);
  ct::atomic_and(out + 1 + same, ~(1u << i), relaxed, ct::thread_scope_system_t{});
  ct::atomic_xor(out + 2 + same, i, relaxed, ct::thread_scope_block_t{});
  ct::atomic_max(out + 3 + same, 3u * i, ct::memory_order_acquire_t{});
  ct::atomic_min(out + 4 + same, i + 1u, ct::memory_order_release_t{});
  ct::atomic_max_masked<ct::memory_order::relaxed>(
      wide + same, -5LL - ct::element_cast<long long>(i), i > 2u);
  ct::atomic_min_masked(wide + 1 + same, ct::element_cast<long long>(i), i > 2u, relaxed);
  ct::store(out + 8 + i, ct::atomic_xchg<ct::memory_order::relaxed>(out + 8 + i, i * i));
  auto got = ct::atomic_compare_exchange(out + 16 + i, 7u + same, i, ct::memory_order_acq_rel_t{});
  ct::store(out + 24 + i, got);
  auto masked = ct::atomic_compare_exchange_masked<ct::memory_order::relaxed>(
      wide + 2 + i, ct::full<i64x8>(-1), ct::full<i64x8>(9), i < 4u);
  ct::store(out + 32 + i, ct::element_cast<unsigned>(masked));
}

// Block 0 writes data and raises a flag; block 1 waits for the flag and reads.
__tile_global__ void hand_over(int* data, int* flag, int* out) {
  auto i = ct::iota<i32x8>();
  if (ct::bid().x == 0) {
    ct::store(data + i, i + 100);
    ct::atomic_store(flag, 1, ct::memory_order_release_t{}, ct::thread_scope_device_t{});
  } else {
    while (ct::atomic_load<ct::memory_order::acquire, ct::thread_scope::device>(flag) == 0) {
    }
    ct::store(out + i, ct::load(data + i));
    auto some = ct::atomic_load_masked<ct::memory_order::relaxed>(data + i, i < 4, -1);
    ct::atomic_store_masked<ct::memory_order::relaxed>(out + 8 + i, some, i > 0);
  }
}

int main() {
  check_sums<int>();
  check_sums<float>();
  check_sums<double>();
  check_sums<__half>();
  check_sums<long long>();

  std::vector<unsigned> start(40, 0u);
  start[1] = start[4] = ~0u;
  start[16] = start[17] = 7;
  device_array<unsigned> out(start);
  device_array<long long> wide(10, -1LL);
  bits<<<1, 1>>>(out.data, wide.data);
  CHECK_LAUNCHES();
  const auto o = out.host();
  const auto w = wide.host();
  EXPECT(o[0] == 255 && o[1] == ~255u && o[2] == 0 && o[3] == 21 && o[4] == 1);
  EXPECT(w[0] == -1 && w[1] == -1 && w[2] == 9 && w[5] == 9 && w[6] == -1);
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT(o[8 + i] == 0 && o[16 + i] == (i < 2 ? i : 0) && o[24 + i] == start[16 + i] &&
           o[32 + i] == ~0u);
  }

  device_array<int> data(8), flag(1), read(16, -2);
  hand_over<<<2, 1>>>(data.data, flag.data, read.data);
  CHECK_LAUNCHES();
  const auto r = read.host();
  EXPECT(r[0] == 100 && r[7] == 107 && r[8] == -2 && r[9] == 101 && r[11] == 103 && r[12] == -1);
  return verdict("atomics");
}
