// A Treiber stack: two blocks push a node each, a third pops one. Nodes are 1 and 2; their values are plain.
// RELAXED_PUSH, RELAXED_POP: one order weakened.
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

__global__ void use(int* head, int* next, int* values, int* popped) {
  if (blockIdx.x < 2) {
    const int node = static_cast<int>(blockIdx.x) + 1;
    values[node] = 10 * node;
    int top = shared(*head).load(relaxed);
    do {
      shared(next[node]).store(top, relaxed);
    } while (!shared(*head).compare_exchange_weak(top, node, to_push, relaxed));
    return;
  }
  int top = shared(*head).load(to_pop);
  while (top != 0 && !shared(*head).compare_exchange_weak(top, shared(next[top]).load(relaxed), to_pop, to_pop)) {
  }
  *popped = top == 0 ? 0 : values[top];
}

int main() {
  int* const head = zeros(1);
  int* const next = zeros(3);
  int* const values = zeros(3);
  int* const popped = zeros(1);
  use<<<3, 1>>>(head, next, values, popped);
  const int got = taken(popped, 1)[0];
  const int top = taken(head, 1)[0];
  const std::vector<int> after = taken(next, 3);
  int length = 0;
  for (int node = top; node != 0 && length < 3; node = after[node]) {
    ++length;
  }
  cudaFree(head);
  cudaFree(next);
  cudaFree(values);
  cudaFree(popped);
  return length == (got == 0 ? 2 : 1) && (got == 0 || got == 10 || got == 20) ? 0 : 1;
}
