// Rows of pitched memory have padding behind them, which nothing writes. Racy: the copy takes whole pitches.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

constexpr int rows = 4;
constexpr int columns = 8;

__tile_global__ void fill(char* data, int pitch) {
  const auto i = ct::iota<ints<columns>>();
  ct::store(reinterpret_cast<int*>(data + block() * pitch) + i, i);
}

int main() {
  char* data = nullptr;
  std::size_t pitch = 0;
  cudaMallocPitch(reinterpret_cast<void**>(&data), &pitch, columns * sizeof(int), rows);
  fill<<<rows, 1>>>(data, static_cast<int>(pitch));
  to_be_freed(data);
  std::vector<char> out(pitch * rows);
#ifdef RACY
  cudaMemcpy(out.data(), data, pitch * rows, cudaMemcpyDeviceToHost); // race: uninitialised-read
#else
  cudaMemcpy2D(out.data(), columns * sizeof(int), data, pitch, columns * sizeof(int), rows, cudaMemcpyDeviceToHost);
#endif
  return finish();
}
