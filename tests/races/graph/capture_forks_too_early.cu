// A capture forks to a second stream, which uses what the first has made. Racy: the event is recorded before that is made.
// [CUDA: cross-stream dependencies]
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void make(int* data) {
  data[threadIdx.x] = 1; // @make
}
__global__ void use(const int* data, int* out) {
  out[threadIdx.x] = data[threadIdx.x]; // race: data-race with @make
}

int main() {
  int *data = zeros(32), *out = zeros(32);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t forked, joined;
  cudaEventCreate(&forked);
  cudaEventCreate(&joined);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
#ifdef RACY
  cudaEventRecord(forked, first);
  make<<<1, 32, 0, first>>>(data);
#else
  make<<<1, 32, 0, first>>>(data);
  cudaEventRecord(forked, first);
#endif
  cudaStreamWaitEvent(second, forked, 0);
  use<<<1, 32, 0, second>>>(data, out);
  cudaEventRecord(joined, second);
  cudaStreamWaitEvent(first, joined, 0);
  cudaStreamEndCapture(first, &graph);
  cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  for (int i = 0; i < 3; ++i) {
    cudaGraphLaunch(exec, second); // launches of one graph come one after the other
  }
  const int status = finish();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  return status;
}
