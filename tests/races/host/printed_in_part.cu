// The kernel writes the text's fourth character while the host formats it. Repaired: the precision ends before that.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void write(char* text) {
  ct::store(text + 3, 'd'); // @text
}

int main() {
  char* text = reinterpret_cast<char*>(managed(4));
  for (int i = 0; i < 8; ++i) {
    text[i] = i < 5 ? 'a' : 0;
  }
  write<<<1, 1>>>(text);
#ifdef RACY
  const int most = 4;
#else
  const int most = 3;
#endif
  char line[32];
  std::snprintf(line, sizeof line, "%2$ld: %3$.*1$s", most, 1L, text); // race: host-race with @text
  std::printf("%s\n", line);
  return finish();
}
