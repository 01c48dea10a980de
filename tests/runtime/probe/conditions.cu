// What the runtime returns for right and wrong calls of cudaGraphAddNode, about conditional nodes and
// about user objects, a row each: the error's name, then what cudaGetLastError says afterwards; and
// what such graphs have done to memory, in which order.
//
// Built by NVIDIA's compiler and run on a device it writes conditions.txt; built by tilesim it must
// print the same.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>
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
#define ROW(...) row(#__VA_ARGS__, (__VA_ARGS__))

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
  row("  launch", cudaGraphLaunch(x, s));
  row("  wait", cudaStreamSynchronize(s));
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
  row("  reserved0", cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
  p = kernel(add, arguments);
  p.reserved2 = 1;
  row("  reserved2", cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
  p = kernel(nullptr, arguments);
  row("  no kernel", cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
  const cudaGraphEdgeData plain[1] = {};
  p = kernel(add, arguments);
  row("  edges' data", cudaGraphAddNode(&out, g, &n[0], plain, 1, &p));
  p = {};
  p.type = cudaGraphNodeTypeMemAlloc;
  row("  no bytes", cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
  p = {};
  p.type = cudaGraphNodeTypeGraph;
  row("  no graph", cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
  p.graph.graph = g;
  row("  itself", cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
  p.graph.ownership = cudaGraphChildGraphOwnershipMove;
  row("  itself, moved", cudaGraphAddNode(&out, g, nullptr, nullptr, 0, &p));
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
  ROW(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault));
  std::printf("  handle %d\n", h != 0);
  cudaGraphInstantiateParams params = {};
  ROW(cudaGraphInstantiateWithParams(&x, g, &params));
  std::printf("  result %d\n", static_cast<int>(params.result_out));
  cudaGraphNodeParams p = condition(h, cudaGraphCondTypeIf, 0);
  row("  if, no body", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
  p = condition(h, cudaGraphCondTypeIf, 3);
  row("  if, 3 bodies", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
  p = condition(h, cudaGraphCondTypeWhile, 2);
  row("  while, 2 bodies", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
  p = condition(h, cudaGraphCondTypeSwitch, 0);
  row("  switch, no body", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
  p = condition(h, static_cast<cudaGraphConditionalNodeType>(3), 1);
  row("  another type", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
  p = condition(0, cudaGraphCondTypeIf, 1);
  row("  no handle", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
  p = condition(foreign, cudaGraphCondTypeIf, 1);
  row("  another graph's handle", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
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
  row("  the same handle again", cudaGraphAddNode(&again, g, &n, nullptr, 1, &p));
  ROW(cudaGraphDestroy(body));
  ROW(cudaGraphInstantiate(&x, g, 0));
  ROW(cudaGraphInstantiate(&y, g, 0));
  ROW(cudaGraphClone(&copy, g));
  ROW(cudaGraphDestroyNode(n));
  static int host = 0;
  cudaHostNodeParams host_node = {host_add, &host};
  cudaGraphNode_t m = nullptr;
  row("  a host node in a body", again == nullptr ? cudaErrorUnknown
                                 : cudaGraphAddHostNode(&m, p.conditional.phGraph_out[0], nullptr, 0, &host_node));
  ROW(cudaGraphInstantiateWithParams(&y, g, &params));
  std::printf("  result %d\n", static_cast<int>(params.result_out));
  cudaGraphExecDestroy(x);
  cudaGraphDestroy(copy);
  ROW(cudaGraphDestroy(g));
  ROW(cudaGraphDestroy(other));
}

/// A graph of one kernel that decides, and a conditional node behind it.
struct conditional_graph {
  cudaGraph_t graph = nullptr;
  cudaGraphConditionalHandle handle = 0;
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeParams told = {};
  cudaGraphExec_t exec = nullptr;

  conditional_graph(cudaGraphConditionalNodeType type, unsigned size, bool decides) {
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
    cudaGraphNode_t first = nullptr;
    if (decides) {
      void* arguments[] = {&d, &handle};
      cudaGraphNodeParams k = {};
      k.type = cudaGraphNodeTypeKernel;
      k.kernel.func = reinterpret_cast<void*>(choose);
      k.kernel.gridDim = k.kernel.blockDim = dim3(1);
      k.kernel.kernelParams = arguments;
      row("  chooser", cudaGraphAddNode(&first, graph, nullptr, nullptr, 0, &k));
    }
    told = condition(handle, type, size);
    row("  node", cudaGraphAddNode(&node, graph, &first, nullptr, decides ? 1 : 0, &told));
  }
  ~conditional_graph() {
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaGetLastError();
  }
  /// d = d * by + plus, in a body.
  void fill_body(unsigned which, int by, int plus) {
    cudaGraph_t body = told.conditional.phGraph_out[which];
    void* first[] = {&d, &by};
    void* second[] = {&d, &plus};
    cudaGraphNode_t a = nullptr;
    cudaGraphNode_t b = nullptr;
    cudaGraphNodeParams k = kernel(multiply, first);
    row("  body", cudaGraphAddNode(&a, body, nullptr, nullptr, 0, &k));
    k = kernel(add, second);
    row("  body", cudaGraphAddNode(&b, body, &a, nullptr, 1, &k));
  }
  void instantiate() { row("  instantiate", cudaGraphInstantiate(&exec, graph, 0)); }
  void launch_with(int v) {
    set(v);
    launch(exec);
  }
};

// One function in spite of its length: a list of calls.
static void conditions() {
  std::puts("# if");
  {
    conditional_graph g(cudaGraphCondTypeIf, 1, true);
    g.fill_body(0, 10, 3);
    g.instantiate();
    g.launch_with(0);
    g.launch_with(7);
  }
  std::puts("# if, else");
  {
    conditional_graph g(cudaGraphCondTypeIf, 2, true);
    g.fill_body(0, 10, 3);
    g.fill_body(1, 1, 77);
    g.instantiate();
    g.launch_with(0);
    g.launch_with(2);
    cudaGraphExecUpdateResultInfo told = {};
    row("  update", cudaGraphExecUpdate(g.exec, g.graph, &told));
    std::printf("  result %d\n", static_cast<int>(told.result));
    g.launch_with(0);
  }
  std::puts("# switch");
  {
    conditional_graph g(cudaGraphCondTypeSwitch, 3, true);
    for (unsigned i = 0; i < 3; ++i) {
      g.fill_body(i, 1, 100 * (static_cast<int>(i) + 1));
    }
    g.instantiate();
    for (int v = 0; v < 4; ++v) {
      g.launch_with(v);
    }
  }
  std::puts("# while");
  {
    conditional_graph g(cudaGraphCondTypeWhile, 1, false);
    g.fill_body(0, 2, 1);
    int below = 100;
    void* arguments[] = {&d, &below, &g.handle};
    cudaGraphNode_t nodes[2] = {};
    size_t there = 2;
    cudaGraphGetNodes(g.told.conditional.phGraph_out[0], nodes, &there);
    cudaGraphNodeParams k = {};
    k.type = cudaGraphNodeTypeKernel;
    k.kernel.func = reinterpret_cast<void*>(go_on);
    k.kernel.gridDim = k.kernel.blockDim = dim3(1);
    k.kernel.kernelParams = arguments;
    cudaGraphNode_t last = nullptr;
    row("  condition",
        cudaGraphAddNode(&last, g.told.conditional.phGraph_out[0], &nodes[1], nullptr, 1, &k));
    g.instantiate();
    g.launch_with(1);
    g.launch_with(1000);
    // In a captured stream it becomes a child.
    cudaGraph_t around = nullptr;
    cudaGraphExec_t x = nullptr;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
    row("  captured", cudaGraphLaunch(g.exec, s));
    row("  end", cudaStreamEndCapture(s, &around));
    row("  instantiate", cudaGraphInstantiate(&x, around, 0));
    if (x != nullptr) {
      set(3);
      launch(x);
    }
    cudaGraphExecDestroy(x);
    cudaGraphDestroy(around);
    cudaGetLastError();
  }
  std::puts("# a body by capture");
  {
    conditional_graph g(cudaGraphCondTypeIf, 1, true);
    row("  begin",
        cudaStreamBeginCaptureToGraph(
            s, g.told.conditional.phGraph_out[0], nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
    add<<<1, 32, 0, s>>>(d, 4);
    multiply<<<1, 32, 0, s>>>(d, 5);
    cudaGraph_t body = nullptr;
    row("  end", cudaStreamEndCapture(s, &body));
    std::printf("  same %d\n", body == g.told.conditional.phGraph_out[0]);
    g.instantiate();
    g.launch_with(1);
    g.launch_with(0);
  }
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

int main() {
  if (cudaMalloc(&d, 256) != cudaSuccess) {
    return 1;
  }
  cudaStreamCreate(&s);
  any_nodes();
  handles();
  conditions();
  user_objects();
  std::puts("# end");
}
