// operator<< reads a text that a kernel writes. Repaired: the host waits first.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <iostream>

__tile_global__ void write(char* text) {
  ct::store(text, 'a'); // @text
}

int main() {
  char* text = reinterpret_cast<char*>(managed(4));
  text[0] = text[1] = 0;
  write<<<1, 1>>>(text);
#ifndef RACY
  cudaDeviceSynchronize();
#endif
  std::cout << text; // race: host-race with @text
  std::cout << '\n';
  return finish();
}
