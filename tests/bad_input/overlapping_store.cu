// Rows that share elements, written by one store; the clean kernel beside it writes them apart.
#include "cuda_tile.h"
namespace ct = cuda::tiles;
using namespace ct::literals;

template <int Pitch>
__tile_global__ void fill(int* p) {
  ct::tensor_span t{p, ct::layout_strided_mapping{ct::extents{4, 4}, ct::strides{Pitch, 1}}};
  ct::partition_view v{t, ct::shape{2_ic, 4_ic}};
  v.store(ct::ones<ct::tile<int, ct::shape<2, 4>>>(), ct::bid().x, 0);
}
int main() {
  int* p = nullptr;
  cudaMalloc(&p, 16 * sizeof(int));
  fill<4><<<2, 1>>>(p);
  fill<3><<<2, 1>>>(p);
  cudaDeviceSynchronize();
}
