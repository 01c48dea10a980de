// <cuda/warp>: shuffles and matches of values of any size, their results in expressions, lane masks.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda/warp>

namespace device = cuda::device;

struct wide {
  double value;
  int lane;
};

__device__ int wrong, sums[32];

__device__ void expect(bool holds) {
  if (!holds) {
    atomicAdd(&wrong, 1);
  }
}

__global__ void shuffles() {
  const int lane = static_cast<int>(threadIdx.x);
  expect(device::warp_shuffle_idx(lane, 3) + 1 == 4);
  expect(2 * device::warp_shuffle_xor(lane, 1) == 2 * (lane ^ 1));
  const auto down = device::warp_shuffle_down(lane, 1);
  expect(down.data == (lane == 31 ? 31 : lane + 1) && down.pred == (lane != 31));
  const auto up = device::warp_shuffle_up<8>(lane, 2);
  expect(up.data == (lane % 8 < 2 ? lane : lane - 2) && up.pred == (lane % 8 >= 2));
  const auto part = device::warp_shuffle_idx<4>(lane, 6, 0xffffffff);
  expect(part.data == lane / 4 * 4 + 2 && part.pred);
  const wide other = device::warp_shuffle_idx(wide{0.5 * lane, lane}, 5);
  expect(other.value == 2.5 && other.lane == 5);
  int sum = lane;
  for (int by = 16; by != 0; by /= 2) {
    sum += device::warp_shuffle_xor(sum, by);
  }
  expect(sum == 496);
  sums[lane] = sum;
}

__global__ void matches() {
  const int lane = static_cast<int>(threadIdx.x);
  expect(device::warp_match_all(lane / 32));
  expect(!device::warp_match_all(static_cast<long long>(lane) << 40));
  expect(device::warp_match_any(lane / 8).value() == 0xffU << (lane / 8 * 8));
  expect(device::warp_match_any(lane % 2 == 0).value() == (lane % 2 == 0 ? 0x55555555U : 0xaaaaaaaaU));
  const device::lane_mask below = device::lane_mask::all_less();
  expect(below.value() == (1U << lane) - 1 && (below | device::lane_mask::all_greater_equal()) == device::lane_mask::all());
  expect((below ^ device::lane_mask::this_lane()) == device::lane_mask::all_less_equal());
  expect(~device::lane_mask::this_lane() == device::lane_mask::all_not_equal());
  if (lane < 16) {
    expect(device::warp_match_all(7, device::lane_mask{0xffff}));
  }
}

int main() {
  shuffles<<<1, 32>>>();
  matches<<<1, 32>>>();
  int all = -1;
  cudaMemcpyFromSymbol(&all, wrong, sizeof all);
  std::printf("%d wrong\n", all);
}
