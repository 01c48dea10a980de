// The host formats a text into managed memory that a kernel reads. Repaired: the kernel is waited for.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void read(const char* text, char* out) {
  const char last = ct::load(text + 2); // @text
  ct::store(out, last);
}

int main() {
  char* text = reinterpret_cast<char*>(managed(4));
  std::snprintf(text, 4, "%d", 100);
  read<<<1, 1>>>(text, zeros<char>(1));
#ifndef RACY
  cudaDeviceSynchronize();
#endif
  std::snprintf(text, 16, "%d", 12);  // race: host-race with @text
  std::snprintf(text + 4, 2, "%d", 12345);
#ifdef RACY
  char* constant = reinterpret_cast<char*>(managed(4));
  read<<<1, 1>>>(constant, zeros<char>(1));
  std::sprintf(constant, "hi"); // race: host-race with @text
#endif
  return finish();
}
