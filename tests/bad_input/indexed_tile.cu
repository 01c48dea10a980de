// A tile has no operator[]: no cast of the index helps.
#include "cuda_tile.h"
namespace ct = cuda::tiles;
__tile_global__ void k(int* out, unsigned long i) {
  auto t = ct::iota<ct::tile<int, ct::shape<8>>>();
  *out = t[i];
}
int main() {}
