// What the runtime returns for right and wrong calls about graphs, a row each: the error's name,
// then what cudaGetLastError says afterwards; and what graphs have done to memory.
//
// Built by NVIDIA's compiler and run on a device it wrote graphs.txt; built by tilesim it must print
// the same.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void add(int* p, int n) {
  if (threadIdx.x == 0) {
    *p += n;
  }
}
__global__ void multiply(int* p, int n) {
  if (threadIdx.x == 0) {
    *p *= n;
  }
}

static int failures_of(cudaError_t e) {
  return e != cudaSuccess;
}
static void row(const char* name, cudaError_t e) {
  const cudaError_t last = cudaGetLastError();
  std::printf("%-46s %s / %s\n", name, cudaGetErrorName(e), cudaGetErrorName(last));
}
#define ROW(...) row(#__VA_ARGS__, (__VA_ARGS__))

static int* d;
static cudaStream_t s, t;
static cudaEvent_t e, f;

static int value() {
  int v = 0;
  cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost);
  return v;
}
static void set(int v) {
  cudaMemcpy(d, &v, 4, cudaMemcpyHostToDevice);
}
static void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  row("  begin", cudaStreamBeginCapture(s, mode));
}
static void end() {
  cudaGraph_t g = reinterpret_cast<cudaGraph_t>(1);
  const cudaError_t result = cudaStreamEndCapture(s, &g);
  row(g == nullptr ? "  end, no graph" : "  end", result);
  if (result == cudaSuccess) {
    cudaGraphDestroy(g);
  }
  cudaGetLastError();
}
static void status(cudaStream_t of) {
  cudaStreamCaptureStatus is = cudaStreamCaptureStatusNone;
  const cudaError_t result = cudaStreamIsCapturing(of, &is);
  std::printf("  status %d, %s\n", static_cast<int>(is), cudaGetErrorName(result));
}
static void count(cudaGraph_t g) {
  size_t nodes = 0;
  size_t roots = 0;
  cudaGraphGetNodes(g, nullptr, &nodes);
  cudaGraphGetRootNodes(g, nullptr, &roots);
  std::printf("  %zu nodes, %zu roots\n", nodes, roots);
}
static void CUDART_CB host_add(void* p) {
  *static_cast<int*>(p) += 1;
}

static void captures() {
  std::puts("# captures");
  cudaGraph_t g = nullptr;
  cudaGraphExec_t x = nullptr;
  ROW(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  ROW(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal));
  ROW(cudaStreamEndCapture(cudaStreamPerThread, &g));
  ROW(cudaStreamBeginCapture(s, static_cast<cudaStreamCaptureMode>(7)));
  ROW(cudaStreamEndCapture(s, &g));
  ROW(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  ROW(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  status(s);
  status(t);
  set(1);
  row("  after a synchronous copy", cudaGetLastError());
  status(s);
  end();
  set(1);
  begin();
  add<<<1, 32, 0, s>>>(d, 2);
  multiply<<<1, 32, 0, s>>>(d, 5);
  ROW(cudaMemsetAsync(d + 1, 0, 4, s));
  ROW(cudaStreamEndCapture(s, &g));
  count(g);
  std::printf("value %d\n", value());
  ROW(cudaGraphInstantiate(&x, g, 0));
  ROW(cudaGraphLaunch(x, s));
  ROW(cudaGraphLaunch(x, s));
  ROW(cudaStreamSynchronize(s));
  std::printf("value %d\n", value());
  ROW(cudaGraphDestroy(g));
  ROW(cudaGraphLaunch(x, nullptr));
  ROW(cudaGraphUpload(x, s));
  ROW(cudaDeviceSynchronize());
  std::printf("value %d\n", value());
  ROW(cudaGraphExecDestroy(x));
  ROW(cudaGraphLaunch(nullptr, s));
  ROW(cudaGraphDestroy(nullptr));
  ROW(cudaGraphExecDestroy(nullptr));
  ROW(cudaGraphInstantiate(&x, nullptr, 0));
  ROW(cudaGraphCreate(nullptr, 0));
  ROW(cudaGraphCreate(&g, 1));
}

// One function in spite of its length: a list of calls.
static void refused() {
  std::puts("# refused in a capture");
  void* v = nullptr;
  float ms = 0;
  begin();
  ROW(cudaStreamSynchronize(s));
  status(s);
  ROW(cudaMemsetAsync(d, 0, 4, s));
  end();
  status(s);
  begin();
  ROW(cudaStreamQuery(s));
  end();
  begin();
  ROW(cudaDeviceSynchronize());
  end();
  begin(cudaStreamCaptureModeRelaxed);
  ROW(cudaDeviceSynchronize());
  end();
  begin();
  ROW(cudaStreamSynchronize(t));
  end();
  begin();
  ROW(cudaMalloc(&v, 16));
  end();
  cudaFree(v);
  begin(cudaStreamCaptureModeThreadLocal);
  ROW(cudaMalloc(&v, 16));
  end();
  begin(cudaStreamCaptureModeRelaxed);
  ROW(cudaMalloc(&v, 16));
  ROW(cudaFree(v));
  end();
  begin();
  ROW(cudaMallocHost(&v, 16));
  end();
  begin();
  ROW(cudaMallocManaged(&v, 16));
  end();
  begin();
  ROW(cudaMemset(d, 0, 4));
  end();
  begin(cudaStreamCaptureModeRelaxed);
  ROW(cudaMemset(d, 0, 4));
  end();
  begin();
  ROW(cudaMemsetAsync(d, 0, 4, nullptr));
  status(s);
  end();
  begin();
  add<<<1, 32>>>(d, 0);
  row("  launch in the default stream", cudaGetLastError());
  end();
  begin();
  ROW(cudaMemsetAsync(d, 0, 4, t));
  end();
  begin();
  ROW(cudaEventQuery(e));
  end();
  begin();
  ROW(cudaEventSynchronize(e));
  end();
  begin();
  ROW(cudaEventRecord(e, s));
  ROW(cudaEventQuery(e));
  end();
  begin();
  ROW(cudaEventRecord(e, s));
  ROW(cudaEventSynchronize(e));
  end();
  begin();
  ROW(cudaEventRecord(e, s));
  ROW(cudaEventElapsedTime(&ms, e, f));
  end();
  begin();
  ROW(cudaLaunchHostFunc(s, host_add, &ms));
  ROW(cudaStreamAddCallback(s, nullptr, nullptr, 0));
  end();
  begin();
  add<<<1, 2048, 0, s>>>(d, 0);
  row("  a launch that is too large", cudaGetLastError());
  status(s);
  end();
  begin();
  ROW(cudaStreamDestroy(s));
  ROW(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  begin();
  ROW(cudaMemsetAsync(d, 0, 4, nullptr));
  ROW(cudaDeviceSynchronize());
  end();
  ROW(cudaStreamDestroy(s));
  ROW(cudaStreamCreate(&s));
}

static void forks() {
  std::puts("# forks");
  cudaGraph_t g = nullptr;
  cudaGraphExec_t x = nullptr;
  cudaEventRecord(f, t);
  begin();
  ROW(cudaStreamWaitEvent(s, f, 0));
  status(s);
  end();
  begin();
  ROW(cudaEventRecord(e, s));
  ROW(cudaStreamWaitEvent(t, e, 0));
  status(t);
  ROW(cudaMemsetAsync(d, 0, 4, t));
  end();
  status(t);
  begin();
  ROW(cudaEventRecord(e, s));
  ROW(cudaStreamWaitEvent(t, e, 0));
  end();
  begin();
  ROW(cudaEventRecord(e, s));
  ROW(cudaStreamWaitEvent(t, e, 0));
  ROW(cudaStreamEndCapture(t, &g));
  status(s);
  end();
  begin();
  ROW(cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal));
  ROW(cudaEventRecord(e, s));
  ROW(cudaStreamWaitEvent(t, e, 0));
  status(s);
  status(t);
  ROW(cudaStreamEndCapture(t, &g));
  end();
  set(0);
  begin();
  add<<<1, 32, 0, s>>>(d, 1);
  ROW(cudaEventRecord(e, s));
  ROW(cudaStreamWaitEvent(t, e, 0));
  add<<<1, 32, 0, s>>>(d + 1, 10);
  add<<<1, 32, 0, t>>>(d, 100);
  ROW(cudaEventRecord(f, t));
  ROW(cudaStreamWaitEvent(s, f, 0));
  multiply<<<1, 32, 0, s>>>(d, 2);
  ROW(cudaStreamEndCapture(s, &g));
  count(g);
  size_t edges = 0;
  ROW(cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &edges));
  std::printf("  %zu edges\n", edges);
  ROW(cudaGraphInstantiate(&x, g, nullptr, nullptr, 0));
  ROW(cudaGraphLaunch(x, t));
  ROW(cudaStreamSynchronize(t));
  std::printf("value %d\n", value());
  ROW(cudaStreamWaitEvent(t, e, 0));
  ROW(cudaEventQuery(e));
  ROW(cudaEventRecord(e, s));
  ROW(cudaEventRecord(f, t));
  cudaGraphExecDestroy(x);
  cudaGraphDestroy(g);
}

// One function in spite of its length: a list of calls.
static void nodes() {
  std::puts("# nodes");
  cudaGraph_t g = nullptr;
  cudaGraph_t other = nullptr;
  cudaGraphExec_t x = nullptr;
  cudaGraphNode_t n[8] = {};
  int two = 2;
  int* at = d;
  static int host = 0;
  int* to = &host;
  void* arguments[] = {&at, &two};
  cudaKernelNodeParams k{};
  k.func = reinterpret_cast<void*>(add);
  k.gridDim = dim3(1);
  k.blockDim = dim3(32);
  k.kernelParams = arguments;
  cudaMemsetParams m{};
  m.dst = d;
  m.value = 7;
  m.elementSize = 4;
  m.width = 1;
  m.height = 1;
  cudaHostNodeParams h{};
  h.fn = host_add;
  h.userData = to;
  ROW(cudaGraphCreate(&g, 0));
  ROW(cudaGraphCreate(&other, 0));
  ROW(cudaGraphAddMemsetNode(&n[0], g, nullptr, 0, &m));
  ROW(cudaGraphAddKernelNode(&n[1], g, &n[0], 1, &k));
  two = 3;
  ROW(cudaGraphAddKernelNode(&n[2], g, &n[1], 1, &k));
  ROW(cudaGraphAddMemcpyNode1D(&n[3], g, &n[2], 1, to, d, 4, cudaMemcpyDeviceToHost));
  ROW(cudaGraphAddHostNode(&n[4], g, &n[3], 1, &h));
  ROW(cudaGraphAddEmptyNode(&n[5], g, nullptr, 0));
  count(g);
  for (int i = 0; i < 6; ++i) {
    cudaGraphNodeType type{};
    cudaGraphNodeGetType(n[i], &type);
    std::printf("  type %d\n", static_cast<int>(type));
  }
  ROW(cudaGraphAddDependencies(g, &n[5], &n[0], nullptr, 1));
  ROW(cudaGraphAddDependencies(g, &n[5], &n[0], nullptr, 1));
  ROW(cudaGraphAddDependencies(g, &n[5], &n[5], nullptr, 1));
  ROW(cudaGraphAddDependencies(g, &n[4], &n[5], nullptr, 1));
  count(g);
  ROW(cudaGraphInstantiate(&x, g, 0));
  ROW(cudaGraphRemoveDependencies(g, &n[4], &n[5], nullptr, 1));
  ROW(cudaGraphRemoveDependencies(g, &n[4], &n[5], nullptr, 1));
  ROW(cudaGraphInstantiate(&x, g, 0));
  ROW(cudaGraphLaunch(x, s));
  ROW(cudaDeviceSynchronize());
  std::printf("value %d, host %d\n", value(), host);
  two = 100;
  ROW(cudaGraphExecKernelNodeSetParams(x, n[1], &k));
  ROW(cudaGraphLaunch(x, s));
  ROW(cudaDeviceSynchronize());
  std::printf("value %d, host %d\n", value(), host);
  k.func = reinterpret_cast<void*>(multiply);
  ROW(cudaGraphKernelNodeSetParams(n[2], &k));
  cudaGraphExecUpdateResultInfo result{};
  ROW(cudaGraphExecUpdate(x, g, &result));
  std::printf("  result %d\n", static_cast<int>(result.result));
  ROW(cudaGraphLaunch(x, s));
  ROW(cudaDeviceSynchronize());
  std::printf("value %d, host %d\n", value(), host);
  ROW(cudaGraphAddEmptyNode(&n[6], g, nullptr, 0));
  ROW(cudaGraphExecUpdate(x, g, &result));
  std::printf("  result %d\n", static_cast<int>(result.result));
  ROW(cudaGraphExecKernelNodeSetParams(x, n[3], &k));
  ROW(cudaGraphExecKernelNodeSetParams(x, n[6], &k));
  ROW(cudaGraphDestroyNode(n[6]));
  count(g);
  ROW(cudaGraphAddChildGraphNode(&n[6], other, nullptr, 0, g));
  ROW(cudaGraphAddEmptyNode(&n[7], other, &n[0], 1));
  ROW(cudaGraphAddEmptyNode(&n[7], nullptr, nullptr, 0));
  ROW(cudaGraphAddEmptyNode(nullptr, other, nullptr, 0));
  ROW(cudaGraphAddKernelNode(&n[7], other, nullptr, 0, nullptr));
  k.func = nullptr;
  ROW(cudaGraphAddKernelNode(&n[7], other, nullptr, 0, &k));
  k.func = reinterpret_cast<void*>(add);
  k.blockDim = dim3(2048);
  ROW(cudaGraphAddKernelNode(&n[7], other, nullptr, 0, &k));
  k.blockDim = dim3(32);
  ROW(cudaGraphAddMemcpyNode1D(&n[7], other, nullptr, 0, d, to, 4, cudaMemcpyDeviceToHost));
  ROW(cudaGraphAddMemcpyNode1D(&n[7], other, nullptr, 0, d, nullptr, 4, cudaMemcpyDefault));
  m.elementSize = 3;
  ROW(cudaGraphAddMemsetNode(&n[7], other, nullptr, 0, &m));
  m.elementSize = 2;
  m.value = 0x10203;
  ROW(cudaGraphAddMemsetNode(&n[7], other, nullptr, 0, &m));
  h.fn = nullptr;
  ROW(cudaGraphAddHostNode(&n[7], other, nullptr, 0, &h));
  count(other);
  cudaGraphExec_t y = nullptr;
  ROW(cudaGraphInstantiateWithFlags(&y, other, 0));
  ROW(cudaGraphLaunch(y, s));
  ROW(cudaDeviceSynchronize());
  std::printf("value %d, host %d\n", value(), host);
  cudaGraph_t copy = nullptr;
  ROW(cudaGraphClone(&copy, g));
  count(copy);
  cudaGraphNode_t found = nullptr;
  ROW(cudaGraphNodeFindInClone(&found, n[1], copy));
  ROW(cudaGraphNodeFindInClone(&found, n[1], other));
  unsigned enabled = 7;
  ROW(cudaGraphNodeSetEnabled(x, n[1], 0));
  ROW(cudaGraphNodeGetEnabled(x, n[1], &enabled));
  std::printf("  enabled %u\n", enabled);
  ROW(cudaGraphNodeSetEnabled(x, n[4], 0));
  ROW(cudaGraphLaunch(x, s));
  ROW(cudaDeviceSynchronize());
  std::printf("value %d, host %d\n", value(), host);
  unsigned long long flags = 9;
  ROW(cudaGraphExecGetFlags(x, &flags));
  std::printf("  flags %llu\n", flags);
  ROW(cudaGraphInstantiate(&y, g, 64));
  ROW(cudaGraphAddEventRecordNode(&n[7], g, &n[4], 1, e));
  ROW(cudaGraphAddEventWaitNode(&n[7], g, nullptr, 0, f));
  ROW(cudaGraphAddEventWaitNode(&n[7], g, nullptr, 0, nullptr));
}

static void memory() {
  std::puts("# memory");
  cudaGraph_t g = nullptr;
  cudaGraphExec_t x = nullptr;
  cudaGraphExec_t y = nullptr;
  int* p = nullptr;
  begin();
  ROW(cudaMallocAsync(&p, 64, s));
  ROW(cudaMemsetAsync(p, 1, 4, s));
  ROW(cudaMemcpyAsync(d, p, 4, cudaMemcpyDeviceToDevice, s));
  ROW(cudaFreeAsync(p, s));
  ROW(cudaStreamEndCapture(s, &g));
  count(g);
  ROW(cudaGraphInstantiate(&x, g, 0));
  ROW(cudaGraphInstantiate(&y, g, 0));
  ROW(cudaGraphLaunch(x, s));
  ROW(cudaGraphLaunch(x, s));
  ROW(cudaDeviceSynchronize());
  std::printf("value %d\n", value());
  ROW(cudaGraphExecDestroy(x));
  ROW(cudaGraphDestroy(g));
  begin();
  ROW(cudaMallocAsync(&p, 64, s));
  ROW(cudaStreamEndCapture(s, &g));
  ROW(cudaGraphInstantiate(&x, g, 0));
  ROW(cudaGraphLaunch(x, s));
  ROW(cudaGraphLaunch(x, s));
  ROW(cudaFreeAsync(p, s));
  ROW(cudaGraphLaunch(x, s));
  ROW(cudaFree(p));
  ROW(cudaGraphExecDestroy(x));
  ROW(cudaGraphDestroy(g));
}

int main() {
  if (failures_of(cudaMalloc(&d, 256)) != 0) {
    return 1;
  }
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEventCreate(&e);
  cudaEventCreate(&f);
  captures();
  refused();
  forks();
  nodes();
  memory();
  std::puts("# end");
}
