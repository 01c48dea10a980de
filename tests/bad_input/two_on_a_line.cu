// Two misuses on one line are two findings.
#include "cuda_tile.h"
int main() {
  int local = 0;
  cudaFree(&local), cudaFreeHost(&local);
}
