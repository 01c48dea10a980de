// What may go wrong with a grid that meets, by the first argument.
#include <cooperative_groups.h>
#include <cstdlib>

namespace cg = cooperative_groups;

__global__ void meets(int blocks) {
  if (blockIdx.x < blocks) {
    cg::this_grid().sync(); // line 9
  }
}

__global__ void takes_much(int) {
  __shared__ char fixed[40000]; // line 14
  fixed[threadIdx.x] = 1;
}

int main(int count, char** arguments) {
  int blocks = 2;
  void* parameters[] = {&blocks};
  switch (count > 1 ? std::atoi(arguments[1]) : 0) {
  case 0:
    meets<<<2, 64>>>(2);
    break;
  case 1:
    cudaLaunchCooperativeKernel(meets, dim3(3), dim3(64), parameters);
    break;
  case 2:
    cudaLaunchCooperativeKernel(meets, dim3(9000), dim3(128), parameters); // line 29
    break;
  default:
    takes_much<<<1, 32, 20000>>>(0);
  }
  cudaDeviceSynchronize();
}
