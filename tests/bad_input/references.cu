// What cuda::atomic_ref may not refer to, and what nobody simulates, by the first argument.
#include <cuda/atomic>
#include <cstdlib>

struct padded {
  char a;
  int b;
};

__global__ void own(int* out) {
  int mine = 0;
  cuda::atomic_ref<int, cuda::thread_scope_block> r(mine);
  r.fetch_add(1); // line 13
  *out = mine;
}

__global__ void padding(padded* object) {
  cuda::atomic_ref<padded, cuda::thread_scope_device> r(*object); // line 18
  r.store({1, 2});
}

__global__ void ptx(int* out) {
  int lane;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(lane)); // line 24
  *out = lane;
}

__global__ void hosts(int* out) {
#if defined(__x86_64__)
  asm volatile("nop; nop");
#endif
  *out = 1;
}

struct alignas(4) three {
  int v[3];
};
__global__ void odd(three* object) {
  cuda::atomic_ref<three, cuda::thread_scope_device> r(*object); // line 39
  r.store({});
}

struct alignas(16) four {
  int v[4];
};
__global__ void even(four* object) {
  cuda::atomic_ref<four, cuda::thread_scope_device> r(*object);
  r.store({});
  *object = r.load();
}

int main(int count, char** arguments) {
  int* p = nullptr;
  cudaMalloc(&p, 64);
  switch (count > 1 ? std::atoi(arguments[1]) : 0) {
  case 0:
    own<<<1, 1>>>(p);
    break;
  case 1:
    padding<<<1, 1>>>(reinterpret_cast<padded*>(p));
    break;
  case 2:
    ptx<<<1, 1>>>(p);
    break;
  case 4:
    odd<<<1, 1>>>(reinterpret_cast<three*>(p));
    break;
  case 5:
    even<<<1, 1>>>(reinterpret_cast<four*>(p));
    break;
  default:
    hosts<<<1, 1>>>(p);
  }
  cudaDeviceSynchronize();
  cudaFree(p);
}
