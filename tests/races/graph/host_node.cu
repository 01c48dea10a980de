// A graph's host node reads what a copy node has brought. Racy: no edge leads from one to the other.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

static int result;

__tile_global__ void put(int* data) {
  ct::store(data, 1);
}

static void CUDART_CB read(void* from) {
  result = *static_cast<int*>(from); // race: host-race with @copy
}

int main() {
  int *data = zeros(1), *brought = pinned(1);
  *brought = 0;
  put<<<1, 1>>>(data);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t copy, host;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, brought, data, sizeof(int), cudaMemcpyDeviceToHost); // @copy
  cudaHostNodeParams h{};
  h.fn = read;
  h.userData = brought;
#ifdef RACY
  cudaGraphAddHostNode(&host, graph, nullptr, 0, &h);
#else
  cudaGraphAddHostNode(&host, graph, &copy, 1, &h);
#endif
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, nullptr);
  const int status = finish();
  std::printf("%d\n", result);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  return status;
}
