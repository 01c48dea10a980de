// An error on the line after a launch.
#include "cuda_tile.h"

__tile_global__ void nothing() {}

int main() {
  nothing<<<1, 1>>>();
  int x = = 3;
}
