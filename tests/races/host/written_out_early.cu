// The host writes a result out, or reads the next input in, before the kernel that uses the memory is done.
// Repaired: the host waits first.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cstdio>
#include <fstream>
#include <unistd.h>

constexpr int ways = 7;
constexpr int room = 64; // bytes of each

__global__ void write_letters(char* all) {
  for (int n = 0; n < ways; ++n) {
    for (int i = 0; i < room; ++i) {
      all[n * room + i] = i + 1 < room ? 'a' : 0; // @letters
    }
  }
}

int main() {
  char* all = reinterpret_cast<char*>(managed(ways * room / 4));
  std::FILE* file = std::fopen("/dev/null", "w");
  std::FILE* zeros = std::fopen("/dev/zero", "r");
  std::ofstream out("/dev/null");
  std::ifstream in("/dev/zero");
  write_letters<<<1, 1>>>(all);
#ifndef RACY
  cudaDeviceSynchronize();
#endif
  std::fwrite(all, 1, room, file);                   // race: host-race with @letters
  std::fputs(all + room, file);                      // race: host-race with @letters
  (void)!write(fileno(file), all + 2 * room, room);  // race: host-race with @letters
  out.write(all + 3 * room, room);                   // race: host-race with @letters
  (void)!std::fread(all + 4 * room, 1, room, zeros); // race: host-race with @letters
  (void)!read(fileno(zeros), all + 5 * room, room);  // race: host-race with @letters
  in.read(all + 6 * room, room);                     // race: host-race with @letters
  return finish();
}
