// A Treiber stack: two blocks push a node each, a third pops one. Nodes are 1 and 2; their values are plain.
// EACH: two blocks, which push a node and pop one. RELAXED_PUSH, RELAXED_POP: one order weakened.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#ifdef RELAXED_PUSH
constexpr auto to_push = relaxed;
#else
constexpr auto to_push = release;
#endif
#ifdef RELAXED_POP
constexpr auto to_pop = relaxed;
#else
constexpr auto to_pop = acquire;
#endif

__device__ void push(int node, int* head, int* next, int* values) {
  values[node] = 10 * node;
  int top = shared(*head).load(relaxed);
  do {
    shared(next[node]).store(top, relaxed);
  } while (!shared(*head).compare_exchange_weak(top, node, to_push, relaxed));
}

__device__ int pop(int* head, int* next, const int* values) {
  int top = shared(*head).load(to_pop);
  while (top != 0 && !shared(*head).compare_exchange_weak(top, shared(next[top]).load(relaxed), to_pop, to_pop)) {
  }
  return top == 0 ? 0 : values[top];
}

#ifdef EACH
constexpr int blocks = 2;
__global__ void use(int* head, int* next, int* values, int* popped) {
  const int block = static_cast<int>(blockIdx.x);
  push(block + 1, head, next, values);
  popped[block] = pop(head, next, values);
}
#else
constexpr int blocks = 3;
__global__ void use(int* head, int* next, int* values, int* popped) {
  if (blockIdx.x < 2) {
    push(static_cast<int>(blockIdx.x) + 1, head, next, values);
  } else {
    *popped = pop(head, next, values);
  }
}
#endif

int main() {
  int* const head = zeros(1);
  int* const next = zeros(3);
  int* const values = zeros(3);
  int* const popped = zeros(2);
  use<<<blocks, 1>>>(head, next, values, popped);
  const std::vector<int> got = taken(popped, 2);
  const int top = taken(head, 1)[0];
  const std::vector<int> after = taken(next, 3);
  int length = 0;
  int left = 0;
  for (int node = top; node != 0 && length < 3; node = after[node]) {
    ++length;
    left += 10 * node;
  }
  cudaFree(head);
  cudaFree(next);
  cudaFree(values);
  cudaFree(popped);
  const int taken_off = (got[0] != 0) + (got[1] != 0);
  return length + taken_off == 2 && left + got[0] + got[1] == 30 ? 0 : 1;
}
