// Inline PTX: vectors are aligned to their size, strong ones, which are read at once, too.
__global__ void strong(const char* p, unsigned long long* out) {
  unsigned long long a = 0;
  unsigned long long b = 0;
  asm volatile("ld.relaxed.gpu.v2.u64 {%0, %1}, [%2];" : "=l"(a), "=l"(b) : "l"(p) : "memory");
  out[0] = a + b;
}

int main() {
  char* p = nullptr;
  unsigned long long* out = nullptr;
  cudaMalloc(&p, 64);
  cudaMalloc(&out, 8);
  cudaMemset(p, 0, 64);
  strong<<<1, 1>>>(p + 16, out); // well aligned
  strong<<<1, 1>>>(p + 8, out);
  cudaDeviceSynchronize();
}
