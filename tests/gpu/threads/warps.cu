// Warps of `__global__` kernels: votes, shuffles, matches, reductions, barriers that count; with all lanes and with some.
// SPDX-License-Identifier: Apache-2.0
#include "threads.hpp"

using namespace gpu_test;

/// What a lane gets: of `mask`, its own lane's bit is set.
template <class T, class Of>
__global__ void lanes(T* results, const std::uint32_t* words, const std::uint32_t* masks) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = masks[i / 32];
  if ((mask >> (threadIdx.x % 32) & 1) != 0) {
    results[i] = Of::apply(mask, words[i]);
  }
}

template <class T>
struct as {};

#define LANES(name, ...)                                                                                               \
  struct name {                                                                                                        \
    static std::string text() { return #name; }                                                                        \
    __device__ static auto apply(unsigned mask, std::uint32_t word) -> decltype(__VA_ARGS__) { return __VA_ARGS__; }   \
  };
namespace op {
LANES(ballot, __ballot_sync(mask, word & 1))
LANES(all, __all_sync(mask, word & 7))
LANES(any, __any_sync(mask, (word & 31) == 0))
LANES(activemask, __activemask())
LANES(match_any, __match_any_sync(mask, word % 5))
LANES(match_any_64, __match_any_sync(mask, static_cast<unsigned long long>(word % 3) << 40))
LANES(reduce_add, __reduce_add_sync(mask, word))
LANES(reduce_min, __reduce_min_sync(mask, static_cast<int>(word)))
LANES(reduce_max, __reduce_max_sync(mask, word))
LANES(reduce_and, __reduce_and_sync(mask, word | 0x10101U))
LANES(reduce_or, __reduce_or_sync(mask, word & 0x11111U))
LANES(reduce_xor, __reduce_xor_sync(mask, word))
// Of all lanes: a lane that is not there gives nothing that is specified.
LANES(shfl, __shfl_sync(mask, word, static_cast<int>(word % 64)))
LANES(shfl_8, __shfl_sync(mask, word, static_cast<int>(word % 32), 8))
LANES(shfl_up, __shfl_up_sync(mask, word, 5))
LANES(shfl_up_16, __shfl_up_sync(mask, word, 3, 16))
LANES(shfl_down, __shfl_down_sync(mask, word, 31))
LANES(shfl_down_4, __shfl_down_sync(mask, word, 1, 4))
LANES(shfl_xor, __shfl_xor_sync(mask, word, 17))
LANES(shfl_xor_8, __shfl_xor_sync(mask, word, 12, 8))
LANES(shfl_double, __shfl_sync(mask, static_cast<double>(word) / 3, static_cast<int>(word % 32)))
LANES(shfl_long, __shfl_xor_sync(mask, static_cast<long long>(word) * word, 1))
LANES(shfl_half, __shfl_down_sync(mask, __float2half_rn(static_cast<float>(word % 1000)), 2))
} // namespace op

/// Match of all lanes: the mask, and whether all have the same.
__global__ void matches(std::uint32_t* results, const std::uint32_t* words) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int same = 7;
  const unsigned found = __match_all_sync(0xffffffffU, words[i / 48 * 48] % 2, &same);
  results[i] = found ^ static_cast<unsigned>(same);
}

/// Barriers that say what the block's threads brought.
__global__ void barriers(int* results, const std::uint32_t* words) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int count = __syncthreads_count(static_cast<int>(words[i] & 3));
  const int both = __syncthreads_and(static_cast<int>(words[i] % 512));
  const int either = __syncthreads_or(static_cast<int>(words[i] % 512 == 0));
  results[i] = count * 4 + (both != 0 ? 2 : 0) + (either != 0 ? 1 : 0);
}

constexpr std::size_t count = 4096;

arrays words_and_masks(bool whole) {
  operands::generator next(77);
  arrays made(2);
  for (std::size_t i = 0; i < count; ++i) {
    made[0].push_back(next() & 0xffffffffU);
  }
  for (std::size_t warp = 0; warp < count / 32; ++warp) {
    made[1].push_back(whole || warp % 4 == 0 ? 0xffffffffU : next() & next() & 0xffffffffU);
  }
  return made;
}

template <class Of>
void run_lanes(bool whole) {
  using T = decltype(Of::apply(0, 0));
  const arrays values = words_and_masks(whole);
  const device_array<std::uint32_t> words(values[0]);
  const device_array<std::uint32_t> masks(values[1]);
  const device_array<T> results(count);
  lanes<T, Of><<<count / 128, 128>>>(results.data(), words.data(), masks.data());
  const std::string label = Of::text() + (whole ? ", all lanes" : ", some lanes");
  check(cudaGetLastError(), label.c_str());
  results.retrieve(label);
  ++operations;
}

template <class... Of>
void run_lanes(list<Of...>, bool whole) {
  (run_lanes<Of>(whole), ...);
}

int main() {
  using any_mask = list<op::ballot, op::all, op::any, op::match_any, op::match_any_64, op::reduce_add, op::reduce_min,
                        op::reduce_max, op::reduce_and, op::reduce_or, op::reduce_xor>;
  run_lanes(any_mask{}, true);
  run_lanes(any_mask{}, false);
  run_lanes(list<op::activemask, op::shfl, op::shfl_8, op::shfl_up, op::shfl_up_16, op::shfl_down, op::shfl_down_4,
                 op::shfl_xor, op::shfl_xor_8, op::shfl_double, op::shfl_long, op::shfl_half>{},
            true);

  const device_array<std::uint32_t> words(words_and_masks(true)[0]);
  const device_array<std::uint32_t> matched(count);
  matches<<<count / 96 + 1, 64>>>(matched.data(), words.data());
  matched.retrieve("match_all");
  const device_array<int> counted(count);
  barriers<<<count / 256, 256>>>(counted.data(), words.data());
  check(cudaGetLastError(), "barriers");
  counted.retrieve("syncthreads_count, _and, _or");
  operations += 2;
  return done();
}
