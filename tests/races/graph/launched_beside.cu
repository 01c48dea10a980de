// What a graph makes is used in another stream than the one that it was launched in. Racy: that does not wait for it.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void make(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @make
}
__tile_global__ void use(const int* data, int* out) {
  const auto i = ct::iota<ints<8>>();
  ct::store(out + i, ct::load(data + i)); // race: data-race with @make
}

int main() {
  int *data = zeros(8), *out = zeros(8);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t made;
  cudaEventCreate(&made);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed);
  make<<<1, 1, 0, first>>>(data);
  cudaStreamEndCapture(first, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, first);
  cudaEventRecord(made, first);
#ifndef RACY
  cudaStreamWaitEvent(second, made, 0);
#endif
  use<<<1, 1, 0, second>>>(data, out);
  const int status = finish();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  return status;
}
