// The host writes a result out before the kernel that makes it is done, by each of libc's and the
// library's ways. Repaired: the host waits first. run: hooks SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cstdio>
#include <fstream>
#include <unistd.h>

constexpr int ways = 7;
constexpr int room = 64; // bytes of each

__global__ void fill(char* all) {
  for (int n = 0; n < ways; ++n) {
    for (int i = 0; i < room; ++i) {
      all[n * room + i] = i + 1 < room ? 'a' : 0; // @fill
    }
  }
}

int main() {
  char* all = reinterpret_cast<char*>(managed(ways * room / 4));
  std::FILE* file = std::fopen("/dev/null", "w");
  std::FILE* zeros = std::fopen("/dev/zero", "r");
  std::ofstream out("/dev/null");
  std::ifstream in("/dev/zero");
  fill<<<1, 1>>>(all);
#ifndef RACY
  cudaDeviceSynchronize();
#endif
  std::fwrite(all, 1, room, file);                   // race: host-race with @fill
  std::fputs(all + room, file);                      // race: host-race with @fill
  (void)!write(fileno(file), all + 2 * room, room);  // race: host-race with @fill
  out.write(all + 3 * room, room);                   // race: host-race with @fill
  (void)!std::fread(all + 4 * room, 1, room, zeros); // race: host-race with @fill
  (void)!read(fileno(zeros), all + 5 * room, room);  // race: host-race with @fill
  in.read(all + 6 * room, room);                     // race: host-race with @fill
  return finish();
}
