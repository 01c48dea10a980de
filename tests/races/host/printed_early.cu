// The host prints a text that a kernel writes: printf reads it. Repaired: it waits first.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

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
  std::printf("the text: %d %s %5.2f\n", 7, text, 1.5); // race: host-race with @text
  return finish();
}
