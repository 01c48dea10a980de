// Distances in a graph, level by level: the vertices of a level find those of the next one, which
// are put into a list. An atomicCAS on the distance says who has found a vertex, an atomicAdd where
// it goes. A block keeps its finds in shared memory first.
//
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

constexpr int threads = 64;
constexpr int most_found = 512;

struct graph {
  const int* first; ///< of vertex v: neighbours first[v] … first[v + 1] - 1
  const int* neighbours;
};

__global__ void expand(graph g, const int* level, int count, int* next, int* next_count, int* distance, int depth) {
  __shared__ int found[most_found];
  __shared__ int found_count;
  __shared__ int base;
  if (threadIdx.x == 0) {
    found_count = 0;
  }
  __syncthreads();
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) {
    const int v = level[i];
    for (int e = g.first[v]; e < g.first[v + 1]; ++e) {
      const int w = g.neighbours[e];
      if (atomicCAS(&distance[w], -1, depth) == -1) {
        found[atomicAdd(&found_count, 1)] = w;
      }
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    base = atomicAdd(next_count, found_count);
  }
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x); k < found_count; k += threads) {
    next[base + k] = found[k];
  }
}

template <class T>
T* on_device(const std::vector<T>& values) {
  T* p = nullptr;
  cudaMalloc(&p, values.size() * sizeof(T));
  cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

int main() {
  constexpr int n = 500;
  constexpr int degree = 4;
  std::vector<int> first(n + 1);
  std::vector<int> neighbours;
  for (int v = 0; v < n; ++v) {
    first[v] = static_cast<int>(neighbours.size());
    for (int k = 1; k <= degree; ++k) {
      neighbours.push_back((v * 7 + k * k * 11) % n);
    }
  }
  first[n] = static_cast<int>(neighbours.size());
  std::vector<int> start(n, -1);
  start[0] = 0;
  int* const d_first = on_device(first);
  int* const d_neighbours = on_device(neighbours);
  int* const distance = on_device(start);
  int* level = on_device(std::vector<int>(n, 0));
  int* next = on_device(std::vector<int>(n, 0));
  int* const next_count = on_device(std::vector<int>(1, 0));
  int count = 1;
  int depth = 0;
  while (count > 0) {
    ++depth;
    cudaMemset(next_count, 0, sizeof(int));
    expand<<<(count + threads - 1) / threads, threads>>>(
        {d_first, d_neighbours}, level, count, next, next_count, distance, depth);
    cudaMemcpy(&count, next_count, sizeof(int), cudaMemcpyDeviceToHost);
    std::swap(level, next);
  }
  std::vector<int> got(n);
  cudaMemcpy(got.data(), distance, n * sizeof(int), cudaMemcpyDeviceToHost);

  std::vector<int> expected = start;
  std::vector<int> queue{0};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const int v = queue[i];
    for (int e = first[v]; e < first[v + 1]; ++e) {
      if (expected[neighbours[e]] == -1) {
        expected[neighbours[e]] = expected[v] + 1;
        queue.push_back(neighbours[e]);
      }
    }
  }
  int wrong = 0;
  for (int v = 0; v < n; ++v) {
    wrong += got[v] == expected[v] ? 0 : 1;
  }
  std::printf("bfs: %d vertices, %d levels, %zu reached, %d wrong\n", n, depth, queue.size(), wrong);
  for (int* p : {d_first, d_neighbours, distance, level, next, next_count}) {
    cudaFree(p);
  }
  return wrong == 0 ? 0 : 1;
}
