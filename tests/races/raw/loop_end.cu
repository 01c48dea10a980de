// A loop over the block's part of an array runs one element too far. Repaired: < instead of <=.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data) {
  const int begin = block() * 8;
#ifdef RACY
  for (int i = begin; i <= begin + 8; ++i) {
#else
  for (int i = begin; i < begin + 8; ++i) {
#endif
    data[i] = i; // race: data-race
  }
}

int main() {
  fill<<<4, 1>>>(zeros(33));
  return finish();
}
