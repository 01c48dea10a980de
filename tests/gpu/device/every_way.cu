// What the recorder must see on a GPU, in one program: variables, every kind of memory, streams, a
// graph, errors, a reset. It says what it found, and nothing of recorders: the same lines with and
// without one.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__device__ unsigned counter = 5;
__constant__ unsigned factors[4] = {1, 2, 3, 4};
__managed__ unsigned shared_sum = 7;

__global__ void add_up() {
  counter += factors[1];
  shared_sum += counter;
}

__global__ void put(unsigned char* out, unsigned at, unsigned char value) {
  out[at] = value;
}

__global__ void waits(volatile int* flag, unsigned char* out) {
  while (*flag == 0) {
  }
  *out = 9;
}

static void say(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}

static void variables() {
  const unsigned ten = 10;
  say("to symbol", cudaMemcpyToSymbol(factors, &ten, 4, 4));
  shared_sum += 100;
  add_up<<<1, 1>>>();
  say("variables", cudaDeviceSynchronize());
  shared_sum += 1000;
  add_up<<<1, 1>>>();
  unsigned now = 0;
  say("from symbol", cudaMemcpyFromSymbol(&now, counter, 4));
  std::printf("%u %u\n", now, shared_sum);
}

static void kinds() {
  unsigned char* managed = nullptr;
  unsigned char* pinned = nullptr;
  unsigned char* device = nullptr;
  static unsigned char own[4096];
  cudaMallocManaged(&managed, 100);
  cudaMallocHost(&pinned, 100);
  cudaMallocAsync(&device, 100, nullptr);
  say("register", cudaHostRegister(own, sizeof(own), 0));
  managed[3] = 1;
  pinned[3] = 2;
  own[3] = 3;
  put<<<1, 1>>>(managed, 1, 10);
  put<<<1, 1>>>(pinned, 1, 20);
  put<<<1, 1>>>(own, 1, 30);
  put<<<1, 1>>>(device, 1, 40);
  unsigned char back[2] = {};
  cudaMemcpyAsync(back, device, 2, cudaMemcpyDeviceToHost, nullptr);
  say("kinds", cudaDeviceSynchronize());
  std::printf("%d %d %d %d\n", managed[1], pinned[1], own[1], back[1]);
  cudaHostUnregister(own);
  cudaFreeAsync(device, nullptr);
  cudaFreeHost(pinned);
  cudaFree(managed);
}

static void streams() {
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  cudaStreamCreate(&first);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  unsigned char* out = nullptr;
  int* flag = nullptr;
  cudaMalloc(&out, 8192);
  cudaMallocHost(&flag, sizeof(int));
  *flag = 0;
  cudaMemset(out, 0, 8192);
  waits<<<1, 1, 0, first>>>(flag, out); // for the host
  put<<<1, 1, 0, second>>>(out, 4096, 1);
  *flag = 1;
  say("streams", cudaDeviceSynchronize());
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  say("begin", cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  put<<<1, 1, 0, first>>>(out, 1, 1);
  put<<<1, 1, 0, first>>>(out, 2, 2);
  say("end", cudaStreamEndCapture(first, &graph));
  cudaGraphInstantiate(&ready, graph, 0);
  say("graph", cudaGraphLaunch(ready, first));
  cudaStreamDestroy(first); // its work goes on
  std::vector<unsigned char> back(8192);
  say("back", cudaMemcpy(back.data(), out, 8192, cudaMemcpyDeviceToHost));
  cudaDeviceSynchronize();
  cudaMemcpy(back.data(), out, 8192, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d %d\n", back[0], back[1], back[2], back[4096]);
  cudaStreamDestroy(second);
}

static void errors() {
  void* p = nullptr;
  say("too much", cudaMalloc(&p, std::size_t{1} << 50U));
  unsigned char* out = nullptr;
  cudaMalloc(&out, 10);
  say("last", cudaGetLastError());
  say("last", cudaGetLastError());
  put<<<1, 5000>>>(out, 1, 1);
  cudaMemset(out, 0, 10);
  say("block", cudaGetLastError());
}

int main() {
  variables();
  kinds();
  streams();
  errors();
  say("reset", cudaDeviceReset());
  unsigned char* out = nullptr;
  say("again", cudaMalloc(&out, 10));
  put<<<1, 1>>>(out, 1, 1);
  say("once more", cudaDeviceSynchronize());
}
