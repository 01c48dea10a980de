// The host reads what a launched graph writes. Racy: it has waited for another stream.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void put(int* data) {
  ct::store(data, 1); // @put
}

int main() {
  int* data = managed(1);
  *data = 0;
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  put<<<1, 1, 0, stream>>>(data);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiateWithFlags(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
#ifdef RACY
  cudaStreamSynchronize(other);
#else
  cudaStreamSynchronize(stream);
#endif
  std::printf("%d\n", *data); // race: host-race with @put
  const int status = finish();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  return status;
}
