// What public programs write: this file only has to compile, with cuda_runtime.h force-included.
//
// SPDX-License-Identifier: Apache-2.0

// Headers of the samples test the runtime's own guards.
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || !defined(__CUDA_RUNTIME_API_H__)
#error "the guards that public headers test are missing"
#endif
#if !defined(CUDART_VERSION) || CUDART_VERSION < 13000
#error "CUDART_VERSION"
#endif

template <typename T>
void check(T result, char const* const func, const char* const file, int const line) {
  if (result) {
    fprintf(stderr,
            "CUDA error at %s:%d code=%d(%s) \"%s\" \n",
            file,
            line,
            static_cast<unsigned int>(result),
            cudaGetErrorName(result),
            func);
    exit(EXIT_FAILURE);
  }
}
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)

inline int gpuDeviceInit(int devID) {
  int device_count;
  checkCudaErrors(cudaGetDeviceCount(&device_count));
  int computeMode = -1, major = 0, minor = 0, rate = 0, integrated = 0;
  checkCudaErrors(cudaDeviceGetAttribute(&computeMode, cudaDevAttrComputeMode, devID));
  checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, devID));
  checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, devID));
  checkCudaErrors(cudaDeviceGetAttribute(&integrated, cudaDevAttrIntegrated, devID));
  cudaError_t result = cudaDeviceGetAttribute(&rate, cudaDevAttrClockRate, devID);
  if (computeMode == cudaComputeModeProhibited || result == cudaErrorInvalidValue) {
    return -1;
  }
  checkCudaErrors(cudaSetDevice(devID));
  return devID;
}

// Annotations in the places where people put them.
__constant__ float coefficients[16];
__device__ int counter;
__managed__ int shared_with_host = 3;
struct __align__(16) quad {
  float x, y, z, w;
};
__device__ __forceinline__ float square(float x) {
  return x * x;
}
static __device__ __noinline__ float cube(float x) {
  return x * square(x);
}
extern "C" __global__ void __launch_bounds__(256, 2) c_kernel(const float* __restrict__ in, float* out) {}
template <typename T, int N>
__global__ void kernel(const __grid_constant__ quad q, T* __restrict__ out, size_t n) {
  T scratch[N]; // a __shared__ one is the tool's business: tests/simt/declarations.cu
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  scratch[threadIdx.x] = __ldg(out + tid) + powf(q.x, 2) + cosf(q.y) + sinf(q.z) + INFINITY;
  __syncthreads();
  int32_t a = 0;
  uint64_t b = 1;
  int64_t c = min(static_cast<int64_t>(a), int64_t{4});
  if (tid < n && warpSize == 32) {
    atomicAdd(&counter, 1);
    out[tid] = max(scratch[0], T(0)) + cube(coefficients[0]) + a + b + c;
  }
}
__tile_global__ void tile_kernel(int* x) {
  *x = *x + 1;
  printf("%d\n", *x);
}
__tile__ __host__ __device__ constexpr int three() {
  return 3;
}

int main() {
  float *d_a, *h_a;
  const size_t bytes = 1024 * sizeof(float);
  h_a = (float*)malloc(bytes);
  checkCudaErrors(cudaMalloc((void**)&d_a, bytes));
  checkCudaErrors(cudaMalloc(&d_a, bytes));
  checkCudaErrors(cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  checkCudaErrors(cudaEventCreate(&start));
  checkCudaErrors(cudaEventCreate(&stop));
  cudaStream_t stream = 0;
  checkCudaErrors(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  checkCudaErrors(cudaMemcpyAsync(h_a, d_a, bytes, cudaMemcpyDeviceToHost, stream));
  checkCudaErrors(cudaMemcpyToSymbol(coefficients, h_a, sizeof(coefficients)));
  cudaDeviceProp prop;
  checkCudaErrors(cudaGetDeviceProperties(&prop, gpuDeviceInit(0)));
  dim3 grid(prop.multiProcessorCount / 2), block = {32, 1, 1};
  float4 v = make_float4(1.f, 2.f, 3.f, 4.f);
  uint3 u = grid;
  cudaFuncSetAttribute(kernel<float, 32>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  cudaLaunchConfig_t config = {0};
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 2;
  config.gridDim = grid;
  config.blockDim = block;
  config.attrs = attribute;
  config.numAttrs = 1;
  checkCudaErrors(cudaLaunchKernelEx(&config, kernel<float, 32>, quad{}, d_a, 4));
  cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(err));
  }
  std::swap(v.x, v.y);
  free(h_a);
  checkCudaErrors(cudaFree(d_a));
  return static_cast<int>(std::min(u.x, u.y)) + std::max(1, three());
}
