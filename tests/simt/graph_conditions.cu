// Conditional nodes of CUDA graphs, nested and behind a kernel that waits; user objects that graphs keep alive.
// [CUDA programming guide: conditional graph nodes, CUDA user objects]
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>

/// data[0] counts rounds of the outer loop, data[1] of the inner one.
__global__ void begin_round(int* data, int rounds, cudaGraphConditionalHandle inner) {
  data[0] += 1;
  data[2] = 0;
  cudaGraphSetConditional(inner, rounds);
}
__global__ void inner_round(int* data, int rounds, cudaGraphConditionalHandle inner) {
  data[1] += 1;
  data[2] += 1;
  cudaGraphSetConditional(inner, data[2] < rounds);
}
__global__ void end_round(int* data, int rounds, cudaGraphConditionalHandle outer) {
  cudaGraphSetConditional(outer, data[0] < rounds);
}
__global__ void wait_for(int* flag) {
  while (atomicAdd(flag, 0) == 0) {
  }
}
__global__ void raise(int* flag) {
  atomicExch(flag, 1);
}

static int failures = 0;
static void expect(bool holds, const char* what) {
  if (!holds) {
    std::printf("wrong: %s (%s)\n", what, cudaGetErrorName(cudaPeekAtLastError()));
    ++failures;
  }
}

struct owned {
  int* destroyed;
  ~owned() { *destroyed += 1; }
};

static cudaGraphNode_t
add_kernel(cudaGraph_t g, cudaGraphNode_t behind, const void* function, void** arguments) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeKernel;
  p.kernel.func = const_cast<void*>(function);
  p.kernel.gridDim = p.kernel.blockDim = dim3(1);
  p.kernel.kernelParams = arguments;
  cudaGraphNode_t made = nullptr;
  expect(cudaGraphAddNode(&made, g, behind == nullptr ? nullptr : &behind, nullptr, behind == nullptr ? 0 : 1, &p) ==
             cudaSuccess,
         "a kernel is added");
  return made;
}
static cudaGraph_t add_loop(cudaGraph_t g, cudaGraphNode_t behind, cudaGraphConditionalHandle handle, cudaGraphNode_t* made) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = handle;
  p.conditional.type = cudaGraphCondTypeWhile;
  p.conditional.size = 1;
  expect(cudaGraphAddNode(made, g, behind == nullptr ? nullptr : &behind, nullptr, behind == nullptr ? 0 : 1, &p) ==
             cudaSuccess,
         "a loop is added");
  return p.conditional.phGraph_out[0];
}

// One function in spite of its length: a graph is told step by step.
int main() {
  int* data = nullptr;
  cudaMalloc(&data, 4 * sizeof(int));
  int* flag = data + 3;
  cudaStream_t stream = nullptr;
  cudaStream_t other = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaGraph_t g = nullptr;
  cudaGraphCreate(&g, 0);
  cudaGraphConditionalHandle outer = 0;
  cudaGraphConditionalHandle inner = 0;
  cudaGraphConditionalHandleCreate(&outer, g, 1, cudaGraphCondAssignDefault);
  cudaGraphConditionalHandleCreate(&inner, g);
  int rounds_inside = 3;
  int rounds = 5;
  void* waits[] = {&flag};
  void* to_begin[] = {&data, &rounds_inside, &inner};
  void* to_end[] = {&data, &rounds, &outer};
  // wait; while (outer) { begin; while (inner) { inner_round } end }
  cudaGraphNode_t loop = nullptr;
  cudaGraphNode_t loop_inside = nullptr;
  cudaGraphNode_t first = add_kernel(g, nullptr, reinterpret_cast<const void*>(wait_for), waits);
  cudaGraph_t body = add_loop(g, first, outer, &loop);
  cudaGraphNode_t begun = add_kernel(body, nullptr, reinterpret_cast<const void*>(begin_round), to_begin);
  cudaGraph_t body_inside = add_loop(body, begun, inner, &loop_inside);
  add_kernel(body_inside, nullptr, reinterpret_cast<const void*>(inner_round), to_begin);
  add_kernel(body, loop_inside, reinterpret_cast<const void*>(end_round), to_end);

  int destroyed = 0;
  cudaUserObject_t object = nullptr;
  expect(cudaUserObjectCreate(&object, new owned{&destroyed}, 1, cudaUserObjectNoDestructorSync) == cudaSuccess, "created");
  expect(cudaGraphRetainUserObject(g, object, 1, cudaGraphUserObjectMove) == cudaSuccess, "moved");

  cudaGraphExec_t exec = nullptr;
  expect(cudaGraphInstantiate(&exec, g, 0) == cudaSuccess, "instantiated");
  cudaGraphDestroy(g);
  for (int launch = 1; launch <= 2; ++launch) {
    cudaMemset(data, 0, 4 * sizeof(int));
    cudaDeviceSynchronize();
    expect(cudaGraphLaunch(exec, stream) == cudaSuccess, "launched");
    expect(cudaStreamQuery(stream) == cudaErrorNotReady, "the graph waits");
    if (launch == 2) {
      cudaGraphExecDestroy(exec);
      expect(destroyed == 0, "a launch keeps the object");
    }
    raise<<<1, 1, 0, other>>>(flag);
    cudaStreamSynchronize(stream);
    cudaStreamSynchronize(other);
    int result[2] = {};
    cudaMemcpy(result, data, sizeof result, cudaMemcpyDeviceToHost);
    expect(result[0] == 5 && result[1] == 15, "rounds");
  }
  expect(destroyed == 1, "the object goes with the last launch");
  cudaStreamDestroy(stream);
  cudaStreamDestroy(other);
  cudaFree(data);
  std::printf("%d failures\n", failures);
  return failures;
}
