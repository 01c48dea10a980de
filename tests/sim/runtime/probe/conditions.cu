// What the runtime returns for right and wrong calls of cudaGraphAddNode, about conditional nodes and
// about user objects, a row each: the error's name, then what cudaGetLastError says afterwards; and
// what such graphs have done to memory, in which order.
//
// One file in spite of its length: a list of calls, in sections that an argument names.
//
// Built by NVIDIA's compiler and run on a device it writes conditions.txt; built by tilesim it must
// print the same.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

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
/// Goes on while the value is below a bound.
__global__ void go_on(int* p, int below, cudaGraphConditionalHandle handle) {
  if (threadIdx.x == 0) {
    cudaGraphSetConditional(handle, *p < below);
  }
}
__global__ void choose(int* p, cudaGraphConditionalHandle handle) {
  if (threadIdx.x == 0) {
    cudaGraphSetConditional(handle, *p);
  }
}

static void row(const char* name, cudaError_t e) {
  const cudaError_t last = cudaGetLastError();
  std::printf("%-46s %s / %s\n", name, cudaGetErrorName(e), cudaGetErrorName(last));
}
#define ROW_AS(name, ...) row(name, (__VA_ARGS__))
#define ROW(...) ROW_AS(#__VA_ARGS__, __VA_ARGS__)

static int* d;
static cudaStream_t s;

static int value() {
  int v = 0;
  cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost);
  return v;
}
static void set(int v) {
  cudaMemcpy(d, &v, 4, cudaMemcpyHostToDevice);
}
static void count(cudaGraph_t g) {
  size_t nodes = 0;
  size_t roots = 0;
  cudaGraphGetNodes(g, nullptr, &nodes);
  cudaGraphGetRootNodes(g, nullptr, &roots);
  std::printf("  %zu nodes, %zu roots\n", nodes, roots);
}

static cudaGraphNodeParams kernel(void (*function)(int*, int), void** arguments) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeKernel;
  p.kernel.func = reinterpret_cast<void*>(function);
  p.kernel.gridDim = dim3(1);
  p.kernel.blockDim = dim3(32);
  p.kernel.kernelParams = arguments;
  return p;
}
static cudaGraphNodeParams condition(cudaGraphConditionalHandle handle,
                                     cudaGraphConditionalNodeType type,
                                     unsigned size) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = handle;
  p.conditional.type = type;
  p.conditional.size = size;
  return p;
}
/// Launches and waits.
static void launch(cudaGraphExec_t x) {
  ROW_AS("  launch", cudaGraphLaunch(x, s));
  ROW_AS("  wait", cudaStreamSynchronize(s));
  std::printf("value %d\n", value());
}

static void CUDART_CB host_add(void* p) {
  *static_cast<int*>(p) += 1;
}

// One function in spite of its length: a list of calls.
static void any_nodes() {
  std::puts("# nodes of any type");
  cudaGraph_t g = nullptr;
  cudaGraph_t inner = nullptr;
  cudaGraphExec_t x = nullptr;
  cudaEvent_t e = nullptr;
  cudaEventCreate(&e);
  cudaGraphNode_t n[12] = {};
  static int host = 0;
  int two = 2;
  void* arguments[] = {&d, &two};
  ROW(cudaGraphCreate(&g, 0));
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeMemset;
  p.memset.dst = d;
  p.memset.value = 5;
  p.memset.elementSize = 4;
  p.memset.width = 1;
  p.memset.height = 1;
  ROW(cudaGraphAddNode(&n[0], g, nullptr, nullptr, 0, &p));
  p = kernel(add, arguments);
  ROW(cudaGraphAddNode(&n[1], g, &n[0], nullptr, 1, &p));
  p = {};
  p.type = cudaGraphNodeTypeMemcpy;
  p.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(d, 4, 4, 1);
  p.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(&host, 4, 4, 1);
  p.memcpy.copyParams.extent = make_cudaExtent(4, 1, 1);
  p.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
  ROW(cudaGraphAddNode(&n[2], g, &n[1], nullptr, 1, &p));
  p = {};
  p.type = cudaGraphNodeTypeHost;
  p.host.fn = host_add;
  p.host.userData = &host;
  ROW(cudaGraphAddNode(&n[3], g, &n[2], nullptr, 1, &p));
  p = {};
  p.type = cudaGraphNodeTypeEmpty;
  ROW(cudaGraphAddNode(&n[4], g, &n[3], nullptr, 1, &p));
  p = {};
  p.type = cudaGraphNodeTypeEventRecord;
  p.eventRecord.event = e;
  ROW(cudaGraphAddNode(&n[5], g, &n[4], nullptr, 1, &p));
  p = {};
  p.type = cudaGraphNodeTypeWaitEvent;
  p.eventWait.event = e;
  ROW(cudaGraphAddNode(&n[6], g, &n[5], nullptr, 1, &p));
  p.eventWait.event = nullptr;
  ROW(cudaGraphAddNode(&n[7], g, nullptr, nullptr, 0, &p));
  ROW(cudaGraphCreate(&inner, 0));
  p = kernel(multiply, arguments);
  ROW(cudaGraphAddNode(&n[7], inner, nullptr, nullptr, 0, &p));
  p = {};
  p.type = cudaGraphNodeTypeGraph;
  p.graph.graph = inner;
  ROW(cudaGraphAddNode(&n[8], g, &n[6], nullptr, 1, &p));
  p.graph.ownership = cudaGraphChildGraphOwnershipMove;
  ROW(cudaGraphAddNode(&n[9], g, &n[8], nullptr, 1, &p));
  ROW(cudaGraphDestroy(inner));
  p = {};
  p.type = cudaGraphNodeTypeMemAlloc;
  p.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  p.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
  p.alloc.bytesize = 256;
  ROW(cudaGraphAddNode(&n[10], g, nullptr, nullptr, 0, &p));
  std::printf("  memory %d\n", p.alloc.dptr != nullptr);
  void* const memory = p.alloc.dptr;
  p = {};
  p.type = cudaGraphNodeTypeMemFree;
  p.free.dptr = memory;
  ROW(cudaGraphAddNode(&n[11], g, &n[10], nullptr, 1, &p));
  count(g);
  for (int i = 0; i < 12; ++i) {
    cudaGraphNodeType type{};
    cudaGraphNodeGetType(n[i], &type);
    std::printf("  type %d\n", static_cast<int>(type));
  }
  ROW(cudaGraphInstantiate(&x, g, 0));
  launch(x);
  std::printf("host %d\n", host);
  two = 10;
  p = kernel(add, arguments);
  ROW(cudaGraphExecNodeSetParams(x, n[1], &p));
  launch(x);
  ROW(cudaGraphNodeSetParams(n[1], &p));
  ROW(cudaGraphExecNodeSetParams(x, n[2], &p));
  ROW(cudaGraphNodeSetParams(n[4], &p));
  ROW(cudaGraphExecNodeSetParams(x, n[1], nullptr));
  // what is wrong
  cudaGraphNode_t out = nullptr;
  ROW(cudaGraphAddNode(&out, g, nullptr, nullptr, 0, nullptr));
  ROW(cudaGraphAddNode(nullptr, g, nullptr, nullptr, 0, &p));
  ROW(cudaGraphAddNode(&out, nullptr, nullptr, nullptr, 0, &p));
  ROW(cudaGraphAddNode(&out, g, nullptr, nullptr, 1, &p));
  const cudaGraphNode_t twice[] = {n[0], n[0]};
  ROW(cudaGraphAddNode(&out, g, twice, nullptr, 2, &p));
  p.type = static_cast<cudaGraphNodeType>(12);
  ROW(cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
  p.type = static_cast<cudaGraphNodeType>(99);
  ROW(cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
  p = kernel(add, arguments);
  p.reserved0[1] = 1;
  ROW_AS("  reserved0", cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
  p = kernel(add, arguments);
  p.reserved2 = 1;
  ROW_AS("  reserved2", cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
  p = kernel(nullptr, arguments);
  ROW_AS("  no kernel", cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
  const cudaGraphEdgeData plain[1] = {};
  p = kernel(add, arguments);
  ROW_AS("  edges' data", cudaGraphAddNode(&out, g, &n[0], plain, 1, &p));
  p = {};
  p.type = cudaGraphNodeTypeMemAlloc;
  ROW_AS("  no bytes", cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
  p = {};
  p.type = cudaGraphNodeTypeGraph;
  ROW_AS("  no graph", cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
  p.graph.graph = g;
  ROW_AS("  itself", cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
  p.graph.ownership = cudaGraphChildGraphOwnershipMove;
  ROW_AS("  itself, moved", cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
  ROW(cudaGraphExecDestroy(x));
  ROW(cudaGraphDestroy(g));
}

// One function in spite of its length: a list of calls.
static void handles() {
  std::puts("# handles");
  cudaGraph_t g = nullptr;
  cudaGraph_t other = nullptr;
  cudaGraph_t copy = nullptr;
  cudaGraphExec_t x = nullptr;
  cudaGraphExec_t y = nullptr;
  cudaGraphNode_t n = nullptr;
  cudaGraphConditionalHandle h = 0;
  cudaGraphConditionalHandle foreign = 0;
  cudaGraphCreate(&g, 0);
  cudaGraphCreate(&other, 0);
  ROW(cudaGraphConditionalHandleCreate(nullptr, g));
  ROW(cudaGraphConditionalHandleCreate(&h, nullptr));
  ROW(cudaGraphConditionalHandleCreate(&h, g, 1, 2));
  ROW(cudaGraphConditionalHandleCreate(&foreign, other, 1, cudaGraphCondAssignDefault));
  // The second: handles are numbers in NVIDIA's driver, of each graph from 1, and one of another graph is taken for the
  // own one of its number.
  ROW(cudaGraphConditionalHandleCreate(&foreign, other, 1, cudaGraphCondAssignDefault));
  ROW(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault));
  std::printf("  handle %d\n", h != 0);
  cudaGraphInstantiateParams params = {};
  ROW(cudaGraphInstantiateWithParams(&x, g, &params));
  std::printf("  result %d\n", static_cast<int>(params.result_out));
  cudaGraphNodeParams p = condition(h, cudaGraphCondTypeIf, 0);
  ROW_AS("  if, no body", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
  p = condition(h, cudaGraphCondTypeIf, 3);
  ROW_AS("  if, 3 bodies", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
  p = condition(h, cudaGraphCondTypeWhile, 2);
  ROW_AS("  while, 2 bodies", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
  p = condition(h, cudaGraphCondTypeSwitch, 0);
  ROW_AS("  switch, no body", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
  p = condition(h, static_cast<cudaGraphConditionalNodeType>(3), 1);
  ROW_AS("  another type", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
  p = condition(0, cudaGraphCondTypeIf, 1);
  ROW_AS("  no handle", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
  p = condition(foreign, cudaGraphCondTypeIf, 1);
  ROW_AS("  another graph's handle", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
  count(g);
  p = condition(h, cudaGraphCondTypeIf, 1);
  ROW(cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
  cudaGraph_t body = p.conditional.phGraph_out[0];
  std::printf("  body %d\n", body != nullptr);
  cudaGraphNodeType type{};
  ROW(cudaGraphNodeGetType(n, &type));
  std::printf("  type %d\n", static_cast<int>(type));
  cudaGraphNode_t again = nullptr;
  p = condition(h, cudaGraphCondTypeIf, 1);
  ROW_AS("  the same handle again", cudaGraphAddNode(&again, g, &n, nullptr, 1, &p));
  ROW(cudaGraphDestroy(body));
  ROW(cudaGraphInstantiate(&x, g, 0));
  ROW(cudaGraphInstantiate(&y, g, 0));
  ROW(cudaGraphExecDestroy(x));
  ROW(cudaGraphInstantiate(&x, g, 0));
  ROW(cudaGraphClone(&copy, g));
  ROW(cudaGraphDestroyNode(n));
  static int host = 0;
  cudaHostNodeParams host_node = {host_add, &host};
  cudaGraphNode_t m = nullptr;
  ROW_AS("  a host node in a body", again == nullptr ? cudaErrorUnknown
                                 : cudaGraphAddHostNode(&m, p.conditional.phGraph_out[0], nullptr, 0, &host_node));
  ROW(cudaGraphInstantiateWithParams(&y, g, &params));
  std::printf("  result %d\n", static_cast<int>(params.result_out));
  cudaGraphExecDestroy(x);
  cudaGraphDestroy(copy);
  ROW(cudaGraphDestroy(g));
  ROW(cudaGraphDestroy(other));
}

/// A graph of one kernel that decides, where there is one, and a conditional node behind it.
struct conditional_graph {
  cudaGraph_t graph = nullptr;
  cudaGraphConditionalHandle handle = 0;
  cudaGraphNode_t first = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeParams told = {};
  cudaGraphExec_t exec = nullptr;

  conditional_graph(cudaGraphConditionalNodeType type, unsigned size, bool decides, unsigned value = 1) {
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&handle, graph, value, cudaGraphCondAssignDefault);
    if (decides) {
      void* arguments[] = {&d, &handle};
      cudaGraphNodeParams k = {};
      k.type = cudaGraphNodeTypeKernel;
      k.kernel.func = reinterpret_cast<void*>(choose);
      k.kernel.gridDim = k.kernel.blockDim = dim3(1);
      k.kernel.kernelParams = arguments;
      ROW_AS("  chooser", cudaGraphAddNode(&first, graph, nullptr, nullptr, 0, &k));
    }
    told = condition(handle, type, size);
    ROW_AS("  node", cudaGraphAddNode(&node, graph, &first, nullptr, decides ? 1 : 0, &told));
  }
  ~conditional_graph() {
    if (exec != nullptr) {
      cudaGraphExecDestroy(exec);
    }
    cudaGraphDestroy(graph);
    cudaGetLastError();
  }
  cudaGraph_t body(unsigned which) const {
    return told.conditional.phGraph_out == nullptr ? nullptr : told.conditional.phGraph_out[which];
  }
  /// d = d * by + plus, in a body; or, of another kernel first, d = d + by + plus.
  void fill_body(unsigned which, int by, int plus, void (*kernel_before)(int*, int) = multiply) {
    void* before[] = {&d, &by};
    void* after[] = {&d, &plus};
    cudaGraphNode_t a = nullptr;
    cudaGraphNode_t b = nullptr;
    cudaGraphNodeParams k = kernel(kernel_before, before);
    ROW_AS("  body", cudaGraphAddNode(&a, body(which), nullptr, nullptr, 0, &k));
    k = kernel(add, after);
    ROW_AS("  body", cudaGraphAddNode(&b, body(which), &a, nullptr, 1, &k));
    last = b;
  }
  /// A kernel at the end of a body that sets the condition to d < below.
  void end_body(unsigned which, int below) {
    void* arguments[] = {&d, &below, &handle};
    cudaGraphNodeParams k = {};
    k.type = cudaGraphNodeTypeKernel;
    k.kernel.func = reinterpret_cast<void*>(go_on);
    k.kernel.gridDim = k.kernel.blockDim = dim3(1);
    k.kernel.kernelParams = arguments;
    cudaGraphNode_t made = nullptr;
    ROW_AS("  condition", cudaGraphAddNode(&made, body(which), &last, nullptr, 1, &k));
  }
  void instantiate() { ROW_AS("  instantiate", cudaGraphInstantiate(&exec, graph, 0)); }
  void launch_with(int v) {
    set(v);
    if (exec != nullptr) {
      launch(exec);
    }
  }

private:
  cudaGraphNode_t last = nullptr; ///< of the body that was filled
};

static void ifs() {
  std::puts("# if");
  {
    conditional_graph g(cudaGraphCondTypeIf, 1, true);
    g.fill_body(0, 10, 3);
    g.instantiate();
    g.launch_with(0);
    g.launch_with(7);
  }
  std::puts("# if, of its default");
  for (unsigned value = 0; value < 2; ++value) {
    conditional_graph g(cudaGraphCondTypeIf, 1, false, value);
    g.fill_body(0, 10, 3);
    g.instantiate();
    g.launch_with(5);
  }
  std::puts("# if, no work");
  {
    conditional_graph g(cudaGraphCondTypeIf, 1, true);
    g.instantiate();
    g.launch_with(0);
    g.launch_with(7);
  }
}
static void if_else() {
  std::puts("# if, else");
  conditional_graph g(cudaGraphCondTypeIf, 2, true);
  g.fill_body(0, 10, 3);
  g.fill_body(1, 1, 77);
  g.instantiate();
  g.launch_with(0);
  g.launch_with(2);
}
static void switches() {
  std::puts("# switch");
  conditional_graph g(cudaGraphCondTypeSwitch, 3, true);
  for (unsigned i = 0; i < 3; ++i) {
    g.fill_body(i, 1, 100 * (static_cast<int>(i) + 1));
  }
  g.instantiate();
  for (int v = 0; v < 4; ++v) {
    g.launch_with(v);
  }
}
static void whiles() {
  std::puts("# while");
  {
    conditional_graph g(cudaGraphCondTypeWhile, 1, false);
    g.fill_body(0, 2, 1);
    g.end_body(0, 100);
    g.instantiate();
    g.launch_with(1);
    g.launch_with(1000);
  }
  std::puts("# while, of a kernel's choice");
  {
    conditional_graph g(cudaGraphCondTypeWhile, 1, true);
    g.fill_body(0, 2, 1);
    g.end_body(0, 100);
    g.instantiate();
    g.launch_with(0);
    g.launch_with(1);
  }
  std::puts("# while, of the default 0");
  {
    conditional_graph g(cudaGraphCondTypeWhile, 1, false, 0);
    g.fill_body(0, 2, 1);
    g.end_body(0, 100);
    g.instantiate();
    g.launch_with(1);
  }
}
static void body_by_capture() {
  std::puts("# a body by capture");
  conditional_graph g(cudaGraphCondTypeIf, 1, true);
  ROW_AS("  begin",
         cudaStreamBeginCaptureToGraph(s, g.body(0), nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
  add<<<1, 32, 0, s>>>(d, 4);
  multiply<<<1, 32, 0, s>>>(d, 5);
  cudaGraph_t told = nullptr;
  ROW_AS("  end", cudaStreamEndCapture(s, &told));
  std::printf("  same %d\n", told == g.body(0));
  g.instantiate();
  g.launch_with(1);
  g.launch_with(0);
}

/// What a captured launch of an executable graph becomes.
static void capture_launch(cudaGraphExec_t of) {
  cudaGraph_t around = nullptr;
  cudaGraphExec_t x = nullptr;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  ROW_AS("  captured", cudaGraphLaunch(of, s));
  ROW_AS("  end", cudaStreamEndCapture(s, &around));
  if (around == nullptr) {
    std::puts("  no graph");
    return;
  }
  count(around);
  ROW_AS("  instantiate", cudaGraphInstantiate(&x, around, 0));
  if (x != nullptr) {
    set(3);
    launch(x);
    cudaGraphExecDestroy(x);
  }
  cudaGraphDestroy(around);
  cudaGetLastError();
}
static void captured_launches() {
  std::puts("# captured launches");
  {
    cudaGraph_t plain = nullptr;
    cudaGraphExec_t x = nullptr;
    cudaGraphNode_t n = nullptr;
    int two = 2;
    void* arguments[] = {&d, &two};
    cudaGraphCreate(&plain, 0);
    cudaGraphNodeParams k = kernel(add, arguments);
    ROW_AS("  kernel", cudaGraphAddNode(&n, plain, nullptr, nullptr, 0, &k));
    ROW_AS("  instantiate", cudaGraphInstantiate(&x, plain, 0));
    capture_launch(x);
    cudaGraphExecDestroy(x);
    cudaGraphDestroy(plain);
  }
  conditional_graph g(cudaGraphCondTypeIf, 1, true);
  g.fill_body(0, 10, 3);
  g.instantiate();
  capture_launch(g.exec);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  ROW_AS("  uploaded", cudaGraphUpload(g.exec, s));
  cudaGraph_t none = nullptr;
  ROW_AS("  end", cudaStreamEndCapture(s, &none));
  cudaStream_t beside = nullptr;
  cudaStreamCreate(&beside);
  set(3);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  ROW_AS("  launched beside", cudaGraphLaunch(g.exec, beside));
  ROW_AS("  uploaded beside", cudaGraphUpload(g.exec, beside));
  ROW_AS("  end", cudaStreamEndCapture(s, &none));
  cudaGraphDestroy(none);
  ROW_AS("  wait", cudaStreamSynchronize(beside));
  std::printf("value %d\n", value());
  cudaStreamDestroy(beside);
}

/// Launches before and after an executable graph of `from` is updated to `to`.
static void update(const char* name, conditional_graph& from, conditional_graph& to) {
  std::printf("  %s\n", name);
  from.instantiate();
  if (from.exec == nullptr) {
    return;
  }
  from.launch_with(5);
  cudaGraphExecUpdateResultInfo told = {};
  ROW_AS("  update", cudaGraphExecUpdate(from.exec, to.graph, &told));
  std::printf("  result %d\n", static_cast<int>(told.result));
  from.launch_with(0);
  from.launch_with(5);
  if (&from != &to && to.exec == nullptr && told.result == cudaGraphExecUpdateSuccess) {
    to.instantiate();
    to.launch_with(7);
    from.launch_with(6);
  }
}
// One function in spite of its length: a list of graphs.
static void updates() {
  std::puts("# updates");
  const auto type = cudaGraphCondTypeIf;
  {
    conditional_graph g(type, 1, true);
    g.fill_body(0, 10, 3);
    update("to itself", g, g);
  }
  {
    conditional_graph g(type, 1, true);
    g.fill_body(0, 10, 3);
    conditional_graph to(type, 1, true);
    to.fill_body(0, 10, 3);
    update("to one like it", g, to);
  }
  {
    conditional_graph g(type, 1, true);
    g.fill_body(0, 10, 3);
    conditional_graph to(type, 1, true);
    to.fill_body(0, 10, 4);
    to.instantiate();
    update("to one that is instantiated", g, to);
    to.launch_with(7);
  }
  {
    conditional_graph g(type, 1, true);
    g.fill_body(0, 10, 3);
    conditional_graph to(type, 1, true);
    to.fill_body(0, 10, 4);
    update("a parameter in the body", g, to);
  }
  {
    conditional_graph g(type, 1, true);
    g.fill_body(0, 10, 3);
    conditional_graph to(type, 1, true);
    to.fill_body(0, 10, 3, add);
    update("a kernel in the body", g, to);
  }
  {
    conditional_graph g(type, 1, true);
    g.fill_body(0, 10, 3);
    conditional_graph to(type, 1, true);
    to.fill_body(0, 10, 3);
    to.fill_body(0, 10, 3);
    update("more in the body", g, to);
  }
  {
    conditional_graph g(type, 1, true);
    g.fill_body(0, 10, 3);
    conditional_graph to(cudaGraphCondTypeSwitch, 1, true);
    to.fill_body(0, 10, 3);
    update("if to switch", g, to);
  }
  {
    conditional_graph g(type, 1, true);
    g.fill_body(0, 10, 3);
    g.end_body(0, 0);
    conditional_graph to(cudaGraphCondTypeWhile, 1, true);
    to.fill_body(0, 10, 3);
    to.end_body(0, 0);
    update("if to while", g, to);
  }
  {
    conditional_graph g(type, 1, true);
    g.fill_body(0, 10, 3);
    conditional_graph to(type, 2, true);
    to.fill_body(0, 10, 3);
    to.fill_body(1, 1, 77);
    update("if to if, else", g, to);
  }
  {
    conditional_graph g(type, 1, false, 1);
    g.fill_body(0, 10, 3);
    conditional_graph to(type, 1, false, 0);
    to.fill_body(0, 10, 3);
    update("a default", g, to);
  }
}

/// A graph whose body a function fills, instantiated and launched.
template <class Fill>
static void in_body(const char* name, Fill fill) {
  std::printf("  %s\n", name);
  conditional_graph g(cudaGraphCondTypeIf, 1, false);
  fill(g);
  cudaGraphInstantiateParams params = {};
  ROW_AS("  instantiate", cudaGraphInstantiateWithParams(&g.exec, g.graph, &params));
  std::printf("  result %d\n", static_cast<int>(params.result_out));
  g.launch_with(5);
}
// One function in spite of its length: a list of nodes.
static void bodies() {
  std::puts("# what stands in bodies");
  static int host = 0;
  int two = 2;
  void* arguments[] = {&d, &two};
  cudaEvent_t e = nullptr;
  cudaEventCreate(&e);
  cudaGraph_t child = nullptr;
  cudaGraph_t with_host = nullptr;
  cudaGraphNode_t n = nullptr;
  cudaGraphCreate(&child, 0);
  cudaGraphNodeParams p = kernel(add, arguments);
  ROW_AS("  child", cudaGraphAddNode(&n, child, nullptr, nullptr, 0, &p));
  cudaGraphCreate(&with_host, 0);
  cudaHostNodeParams host_node = {host_add, &host};
  ROW_AS("  child", cudaGraphAddHostNode(&n, with_host, nullptr, 0, &host_node));
  cudaGraph_t with_copy = nullptr;
  cudaGraphCreate(&with_copy, 0);
  ROW_AS("  child", cudaGraphAddMemcpyNode1D(&n, with_copy, nullptr, 0, &host, d, 4, cudaMemcpyDeviceToHost));
  int* pinned = nullptr;
  cudaMallocHost(reinterpret_cast<void**>(&pinned), 4);
  *pinned = 21;
  int* managed = nullptr;
  cudaMallocManaged(reinterpret_cast<void**>(&managed), 4);
  *managed = 22;
  in_body("a fill", [&](const conditional_graph& g) {
    cudaMemsetParams m = {d, 0, 9, 4, 1, 1};
    ROW_AS("  add", cudaGraphAddMemsetNode(&n, g.body(0), nullptr, 0, &m));
  });
  in_body("a copy on the device", [&](const conditional_graph& g) {
    ROW_AS("  add", cudaGraphAddMemcpyNode1D(&n, g.body(0), nullptr, 0, d + 1, d, 4, cudaMemcpyDeviceToDevice));
  });
  in_body("a copy to the host", [&](const conditional_graph& g) {
    ROW_AS("  add", cudaGraphAddMemcpyNode1D(&n, g.body(0), nullptr, 0, &host, d, 4, cudaMemcpyDeviceToHost));
  });
  in_body("a copy to the host's pinned memory", [&](const conditional_graph& g) {
    ROW_AS("  add", cudaGraphAddMemcpyNode1D(&n, g.body(0), nullptr, 0, pinned, d, 4, cudaMemcpyDeviceToHost));
  });
  in_body("a copy from the host", [&](const conditional_graph& g) {
    ROW_AS("  add", cudaGraphAddMemcpyNode1D(&n, g.body(0), nullptr, 0, d, &host, 4, cudaMemcpyHostToDevice));
  });
  in_body("a copy from the host's pinned memory", [&](const conditional_graph& g) {
    ROW_AS("  add", cudaGraphAddMemcpyNode1D(&n, g.body(0), nullptr, 0, d, pinned, 4, cudaMemcpyDefault));
  });
  in_body("a copy from managed memory", [&](const conditional_graph& g) {
    ROW_AS("  add", cudaGraphAddMemcpyNode1D(&n, g.body(0), nullptr, 0, d, managed, 4, cudaMemcpyDefault));
  });
  in_body("a graph with a copy to the host", [&](const conditional_graph& g) {
    ROW_AS("  add", cudaGraphAddChildGraphNode(&n, g.body(0), nullptr, 0, with_copy));
  });
  in_body("a fill of managed memory", [&](const conditional_graph& g) {
    cudaMemsetParams m = {managed, 0, 9, 4, 1, 1};
    ROW_AS("  add", cudaGraphAddMemsetNode(&n, g.body(0), nullptr, 0, &m));
  });
  in_body("a fill of the host's pinned memory", [&](const conditional_graph& g) {
    cudaMemsetParams m = {pinned, 0, 9, 4, 1, 1};
    ROW_AS("  add", cudaGraphAddMemsetNode(&n, g.body(0), nullptr, 0, &m));
  });
  in_body("a copy to the host and a host function", [&](const conditional_graph& g) {
    ROW_AS("  add", cudaGraphAddMemcpyNode1D(&n, g.body(0), nullptr, 0, &host, d, 4, cudaMemcpyDeviceToHost));
    ROW_AS("  add", cudaGraphAddHostNode(&n, g.body(0), nullptr, 0, &host_node));
  });
  in_body("a host function and a copy to the host", [&](const conditional_graph& g) {
    ROW_AS("  add", cudaGraphAddHostNode(&n, g.body(0), nullptr, 0, &host_node));
    ROW_AS("  add", cudaGraphAddMemcpyNode1D(&n, g.body(0), nullptr, 0, &host, d, 4, cudaMemcpyDeviceToHost));
  });
  in_body("an empty node", [&](const conditional_graph& g) {
    ROW_AS("  add", cudaGraphAddEmptyNode(&n, g.body(0), nullptr, 0));
  });
  in_body("a host function", [&](const conditional_graph& g) {
    ROW_AS("  add", cudaGraphAddHostNode(&n, g.body(0), nullptr, 0, &host_node));
  });
  in_body("an event's record", [&](const conditional_graph& g) {
    ROW_AS("  add", cudaGraphAddEventRecordNode(&n, g.body(0), nullptr, 0, e));
  });
  in_body("an event's wait", [&](const conditional_graph& g) {
    ROW_AS("  add", cudaGraphAddEventWaitNode(&n, g.body(0), nullptr, 0, e));
  });
  in_body("a graph", [&](const conditional_graph& g) {
    ROW_AS("  add", cudaGraphAddChildGraphNode(&n, g.body(0), nullptr, 0, child));
  });
  in_body("a graph with a host function", [&](const conditional_graph& g) {
    ROW_AS("  add", cudaGraphAddChildGraphNode(&n, g.body(0), nullptr, 0, with_host));
  });
  in_body("an allocation", [&](const conditional_graph& g) {
    cudaMemAllocNodeParams a = {};
    a.poolProps.allocType = cudaMemAllocationTypePinned;
    a.poolProps.location.type = cudaMemLocationTypeDevice;
    a.bytesize = 256;
    ROW_AS("  add", cudaGraphAddMemAllocNode(&n, g.body(0), nullptr, 0, &a));
  });
  const auto nested = [&](const conditional_graph& g, cudaGraph_t of) {
    cudaGraphConditionalHandle inner = 0;
    ROW_AS("  handle", cudaGraphConditionalHandleCreate(&inner, of, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams c = condition(inner, cudaGraphCondTypeIf, 1);
    ROW_AS("  add", cudaGraphAddNode(&n, g.body(0), nullptr, nullptr, 0, &c));
    if (c.conditional.phGraph_out != nullptr) {
      cudaGraphNodeParams k = kernel(add, arguments);
      ROW_AS("  add", cudaGraphAddNode(&n, c.conditional.phGraph_out[0], nullptr, nullptr, 0, &k));
    }
  };
  in_body("a conditional node, its handle the outer graph's", [&](const conditional_graph& g) { nested(g, g.graph); });
  in_body("a conditional node, its handle the body's", [&](const conditional_graph& g) { nested(g, g.body(0)); });
  in_body("a node behind one outside", [&](const conditional_graph& g) {
    cudaGraphNodeParams k = kernel(add, arguments);
    cudaGraphNode_t outside = nullptr;
    ROW_AS("  add", cudaGraphAddNode(&outside, g.graph, nullptr, nullptr, 0, &k));
    ROW_AS("  add", cudaGraphAddNode(&n, g.body(0), &outside, nullptr, 1, &k));
    ROW_AS("  add", cudaGraphAddNode(&n, g.body(0), nullptr, nullptr, 0, &k));
    ROW_AS("  depend", cudaGraphAddDependencies(g.graph, &outside, &n, nullptr, 1));
  });
  cudaGraphDestroy(child);
  cudaGraphDestroy(with_host);
  cudaGraphDestroy(with_copy);
  cudaFreeHost(pinned);
  cudaFree(managed);
  cudaEventDestroy(e);
}

/// Graphs with conditional nodes as objects of other calls.
static void copies() {
  std::puts("# copies");
  conditional_graph g(cudaGraphCondTypeIf, 1, true);
  g.fill_body(0, 10, 3);
  cudaGraph_t copy = nullptr;
  cudaGraph_t around = nullptr;
  cudaGraphNode_t n = nullptr;
  ROW(cudaGraphClone(&copy, g.graph));
  ROW(cudaGraphCreate(&around, 0));
  ROW(cudaGraphAddChildGraphNode(&n, around, nullptr, 0, g.graph));
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeGraph;
  p.graph.graph = g.graph;
  p.graph.ownership = cudaGraphChildGraphOwnershipMove;
  ROW_AS("  moved", cudaGraphAddNode(&n, around, nullptr, nullptr, 0, &p));
  count(around);
  g.instantiate();
  p = g.told;
  ROW(cudaGraphNodeSetParams(g.node, &p));
  ROW(cudaGraphExecNodeSetParams(g.exec, g.node, &p));
  g.launch_with(1);
  count(g.graph);
  ROW(cudaGraphDestroyNode(g.node));
  count(g.graph);
  ROW(cudaGraphInstantiate(&g.exec, g.graph, 0));
  ROW(cudaGraphDestroy(around));
}

static int destroyed;
static void CUDART_CB destroy(void* p) {
  *static_cast<int*>(p) += 1;
}
/// Destructors are called by a thread of the runtime's.
static void told() {
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  std::printf("  destroyed %d\n", destroyed);
}

// One function in spite of its length: a list of calls.
static void user_objects() {
  std::puts("# user objects");
  cudaUserObject_t o = nullptr;
  cudaGraph_t g = nullptr;
  cudaGraph_t copy = nullptr;
  cudaGraphExec_t x = nullptr;
  cudaGraphCreate(&g, 0);
  ROW(cudaUserObjectCreate(nullptr, &destroyed, destroy, 1, cudaUserObjectNoDestructorSync));
  ROW(cudaUserObjectCreate(&o, &destroyed, nullptr, 1, cudaUserObjectNoDestructorSync));
  ROW(cudaUserObjectCreate(&o, &destroyed, destroy, 0, cudaUserObjectNoDestructorSync));
  ROW(cudaUserObjectCreate(&o, &destroyed, destroy, 1, 0));
  ROW(cudaUserObjectCreate(&o, &destroyed, destroy, 1, cudaUserObjectNoDestructorSync));
  ROW(cudaUserObjectRetain(o, 0));
  ROW(cudaUserObjectRetain(nullptr));
  ROW(cudaUserObjectRetain(o));
  ROW(cudaUserObjectRelease(o));
  told();
  ROW(cudaUserObjectRelease(o));
  told();
  ROW(cudaUserObjectCreate(&o, &destroyed, destroy, 1, cudaUserObjectNoDestructorSync));
  ROW(cudaGraphRetainUserObject(g, o, 0));
  ROW(cudaGraphRetainUserObject(nullptr, o));
  ROW(cudaGraphRetainUserObject(g, nullptr));
  ROW(cudaGraphRetainUserObject(g, o, 1, 2));
  ROW(cudaGraphRetainUserObject(g, o, 1, cudaGraphUserObjectMove));
  ROW(cudaGraphInstantiate(&x, g, 0));
  ROW(cudaGraphClone(&copy, g));
  ROW(cudaGraphReleaseUserObject(g, o));
  ROW(cudaGraphReleaseUserObject(g, o));
  told();
  ROW(cudaGraphDestroy(g));
  ROW(cudaGraphDestroy(copy));
  told();
  ROW(cudaGraphLaunch(x, s));
  ROW(cudaStreamSynchronize(s));
  ROW(cudaGraphExecDestroy(x));
  told();
}

/// What to ask, by names as arguments; none: all of it.
int main(int count, char** names) {
  const struct {
    const char* name;
    void (*ask)();
  } all[] = {{"any_nodes", any_nodes},
             {"handles", handles},
             {"ifs", ifs},
             {"if_else", if_else},
             {"switches", switches},
             {"whiles", whiles},
             {"body_by_capture", body_by_capture},
             {"captured_launches", captured_launches},
             {"updates", updates},
             {"bodies", bodies},
             {"copies", copies},
             {"user_objects", user_objects}};
  std::setvbuf(stdout, nullptr, _IOLBF, 0); // rows before one that ends the process are told
  if (cudaMalloc(&d, 256) != cudaSuccess) {
    return 1;
  }
  cudaStreamCreate(&s);
  for (const auto& one : all) {
    bool asked = count < 2;
    for (int i = 1; i < count; ++i) {
      asked = asked || std::strcmp(names[i], one.name) == 0;
    }
    if (asked) {
      one.ask();
    }
  }
  std::puts("# end");
}
