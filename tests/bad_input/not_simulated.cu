// What `__global__` kernels may do on a GPU and not here: told at the line.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#include <mma.h>

#include <cstddef>
#include <cstdlib>
#include <type_traits>

#define SAME(function, ...)                                                                        \
  static_assert(std::is_same_v<decltype(&function), cudaError_t (*)(__VA_ARGS__)>)
using created = cudaError_t (*)(cudaTextureObject_t*,
                                const cudaResourceDesc*,
                                const cudaTextureDesc*,
                                const cudaResourceViewDesc*);
static_assert(std::is_same_v<decltype(&cudaCreateTextureObject), created>);
SAME(cudaCreateSurfaceObject, cudaSurfaceObject_t*, const cudaResourceDesc*);
SAME(cudaFreeArray, cudaArray_t);
SAME(cudaMemcpyToArray, cudaArray_t, size_t, size_t, const void*, size_t, cudaMemcpyKind);
static_assert(sizeof(cudaResourceDesc) == 144 && sizeof(cudaTextureDesc) == 72);
static_assert(offsetof(cudaResourceDesc, res) == 8 && offsetof(cudaResourceDesc, flags) == 136);
static_assert(offsetof(cudaTextureDesc, borderColor) == 24 &&
              offsetof(cudaTextureDesc, seamlessCubemap) == 68);

__global__ void texture(cudaTextureObject_t from, float* to) {
  *to = tex2D<float>(from, 1.0F, 2.0F); // line 26
}

__global__ void surface(cudaSurfaceObject_t to) {
  surf2Dwrite(1.0F, to, 0, 0); // line 30
}

__global__ void matrices(const half* a, float* c) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(left, a, 16); // line 37
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

__global__ void child(int* p) {
  *p = 1;
}
__global__ void parent(int* p) {
  child<<<1, 1>>>(p); // line 45
}

__global__ void allocates() {
  int* p = nullptr;
  cudaMalloc(&p, 4); // line 50
  cudaFree(p);
}

int main(int /*argc*/, char** argv) {
  cudaTextureObject_t object = 0;
  cudaResourceDesc resource{};
  cudaTextureDesc description{};
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  switch (std::atoi(argv[1])) {
  case 0:
    cudaMallocArray(&array, &channels, 8, 8); // line 62
    cudaCreateTextureObject(&object, &resource, &description, nullptr);
    break;
  case 1:
    texture<<<1, 1>>>(object, nullptr);
    break;
  case 2:
    surface<<<1, 1>>>(object);
    break;
  case 3:
    matrices<<<1, 32>>>(nullptr, nullptr);
    break;
  case 4:
    parent<<<1, 1>>>(nullptr);
    break;
  default:
    allocates<<<1, 1>>>();
  }
  cudaDeviceSynchronize();
}
