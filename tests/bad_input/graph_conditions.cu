// Conditional nodes of graphs: a loop that never ends, with a body and without, and a graph that is moved into itself, copied,
// and moved into another, whose launch is captured, that copies to the host in a body, that has two executables, whose
// handle another graph's node asks, or a second node, and whose node is given other parameters.
#include <cuda_runtime.h>

__global__ void nothing() {}

int main(int /*argc*/, char** argv) {
  cudaGraph_t graph = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle = 0;
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams loop = {};
  loop.type = cudaGraphNodeTypeConditional;
  loop.conditional.handle = handle;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t node = nullptr;
  cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop);
  cudaGraph_t body = loop.conditional.phGraph_out[0];
  if (argv[1][0] == '1') { // never sets the condition
    cudaKernelNodeParams kernel = {};
    kernel.func = reinterpret_cast<void*>(&nothing);
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(1);
    cudaGraphAddKernelNode(&node, body, nullptr, 0, &kernel);
  }
  if (argv[1][0] == '2' || argv[1][0] == '4') {
    cudaGraph_t into = body;
    if (argv[1][0] == '4') {
      cudaGraphCreate(&into, 0);
    }
    cudaGraphNodeParams child = {};
    child.type = cudaGraphNodeTypeGraph;
    child.graph.graph = graph;
    child.graph.ownership = cudaGraphChildGraphOwnershipMove;
    cudaGraphAddNode(&node, into, nullptr, nullptr, 0, &child);
    return 0;
  }
  if (argv[1][0] == '3') {
    cudaGraph_t copy = nullptr;
    cudaGraphClone(&copy, graph);
    return 0;
  }
  if (argv[1][0] == '6') {
    static int host = 0;
    int* device = nullptr;
    cudaMalloc(&device, sizeof(int));
    cudaGraphAddMemcpyNode1D(&node, body, nullptr, 0, &host, device, sizeof(int), cudaMemcpyDeviceToHost);
  }
  if (argv[1][0] == '8') {
    cudaGraph_t other = nullptr;
    cudaGraphCreate(&other, 0);
    cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &loop);
    return 0;
  }
  if (argv[1][0] == 'a') {
    cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop);
    return 0;
  }
  if (argv[1][0] == '9') {
    cudaGraphNodeSetParams(node, &loop);
    return 0;
  }
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiate(&exec, graph, 0);
  if (argv[1][0] == '6') {
    return 0;
  }
  if (argv[1][0] == '7') {
    cudaGraphExec_t second = nullptr;
    cudaGraphInstantiate(&second, graph, 0);
    return 0;
  }
  if (argv[1][0] == '5') {
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    cudaGraphLaunch(exec, stream);
    return cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated ? 0 : 1;
  }
  cudaGraphLaunch(exec, nullptr);
  cudaDeviceSynchronize();
}
