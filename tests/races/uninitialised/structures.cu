// A structure is copied with its padding, which nothing writes: that is no defect. Racy: a structure that nothing
// has written.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

struct pair {
  char small;
  double large;
};

__global__ void set(pair* p) {
  p->small = 1;
  p->large = 2;
}
__global__ void move(const pair* from, pair* to) {
  *to = *from; // race: uninitialised-read
}

int main() {
  pair *first = unwritten<pair>(1), *second = unwritten<pair>(1);
#ifndef RACY
  set<<<1, 1>>>(first);
#endif
  move<<<1, 1>>>(first, second);
  return finish();
}
