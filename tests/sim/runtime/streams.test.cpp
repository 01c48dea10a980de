// Streams, events, and work behind a kernel that waits.
//
// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

namespace {

void add_one(int* p) {
  *p += 1;
}

/// A relaxed load through the machine: the scheduler sees a spin.
int load(int* p) {
  using namespace tilesim;
  static constexpr machine::tile_type pointer{
      element::ptr, element::i32, 4, false, true, 0, 1, nullptr};
  static constexpr machine::tile_type number{
      element::i32, element::i32, 0, false, true, 0, 1, nullptr};
  int value = 0;
  machine::load_ptr_tko({machine::memory_order::relaxed, machine::memory_scope::sys},
                        {&number, &value},
                        {&pointer, &p},
                        nullptr,
                        nullptr);
  return value;
}

void wait_then_set(int* flag, int* result) {
  while (load(flag) == 0) {
  }
  *result = 1;
}

} // namespace

TEST_CASE("streams", "[runtime][stream]") {
  cudaStream_t s = nullptr;
  unsigned flags = 9;
  int priority = 9;
  expect({cudaErrorInvalidValue, "null pointer for the result"},
         [] { return cudaStreamCreate(nullptr); });
  expect({cudaErrorInvalidValue, "flags are 7"}, [&] { return cudaStreamCreateWithFlags(&s, 7); });
  expect({cudaSuccess},
         [&] { return cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -99); });
  CHECK(cudaStreamGetFlags(s, &flags) == cudaSuccess);
  CHECK(cudaStreamGetPriority(s, &priority) == cudaSuccess);
  CHECK((flags == cudaStreamNonBlocking && priority == -5));
  expect({cudaSuccess}, [&] { return cudaStreamQuery(s); });
  expect({cudaSuccess}, [&] { return cudaStreamSynchronize(cudaStreamPerThread); });
  expect({cudaSuccess}, [&] { return cudaStreamDestroy(s); });
  expect({cudaErrorInvalidResourceHandle, "is no stream"},
         [&] { return cudaStreamSynchronize(s); });
  expect({cudaErrorInvalidResourceHandle, "default stream"},
         [] { return cudaStreamDestroy(nullptr); });
}

TEST_CASE("events", "[runtime][stream]") {
  cudaEvent_t a = nullptr;
  cudaEvent_t b = nullptr;
  cudaEvent_t untimed = nullptr;
  float ms = -1;
  CHECK(cudaEventCreate(&a) == cudaSuccess);
  CHECK(cudaEventCreate(&b, cudaEventBlockingSync) == cudaSuccess);
  CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming) == cudaSuccess);
  expect({cudaErrorInvalidResourceHandle, "never recorded"},
         [&] { return cudaEventElapsedTime(&ms, a, b); });
  expect({cudaSuccess}, [&] { return cudaEventRecord(a); });
  expect({cudaSuccess}, [&] { return cudaEventRecord(b, cudaStreamPerThread); });
  expect({cudaSuccess}, [&] { return cudaEventSynchronize(b); });
  expect({cudaSuccess}, [&] { return cudaEventElapsedTime(&ms, a, b); });
  CHECK(ms >= 0);
  CHECK(cudaEventRecord(untimed) == cudaSuccess);
  expect({cudaErrorInvalidResourceHandle, "cudaEventDisableTiming"},
         [&] { return cudaEventElapsedTime(&ms, a, untimed); });
  expect({cudaErrorInvalidResourceHandle, "no event"}, [] { return cudaEventRecord(nullptr); });
  CHECK(cudaEventDestroy(a) == cudaSuccess);
  expect({cudaErrorInvalidResourceHandle, "no event"}, [&] { return cudaEventQuery(a); });
}

TEST_CASE("host functions run in their stream's order", "[runtime][stream]") {
  std::vector<int> order;
  static std::vector<int>* log = nullptr;
  log = &order;
  CHECK(cudaLaunchHostFunc(
            nullptr, [](void*) { log->push_back(1); }, nullptr) == cudaSuccess);
  CHECK(cudaStreamAddCallback(
            nullptr, [](cudaStream_t, cudaError_t, void*) { log->push_back(2); }, nullptr, 0) ==
        cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(order == std::vector<int>{1, 2});
  expect({cudaErrorInvalidValue, "null pointer for the function"},
         [] { return cudaLaunchHostFunc(nullptr, nullptr, nullptr); });
}

TEST_CASE("errors stay until they are read", "[runtime][errors]") {
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaMalloc(static_cast<void**>(nullptr), 4) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
  tilesim::sim::context::current().found = {};
}

TEST_CASE("launches of a stream run in order, at the call", "[runtime][stream]") {
  int* p = nullptr;
  int out = 0;
  REQUIRE(cudaMallocManaged(&p, 4) == cudaSuccess);
  *p = 0;
  for (int i = 0; i < 3; ++i) {
    LAUNCH(simt, add_one, 1, 1)(p);
    CHECK(*p == i + 1);
  }
  CHECK(cudaMemcpy(&out, p, 4, cudaMemcpyDefault) == cudaSuccess);
  CHECK(out == 3);
  CHECK(cudaFree(p) == cudaSuccess);
}

TEST_CASE("work queues behind a kernel that waits for the host", "[runtime][stream]") {
  int* flag = nullptr;
  int* result = nullptr;
  int source = 7;
  cudaStream_t waiting = nullptr;
  cudaStream_t free_stream = nullptr;
  cudaEvent_t event = nullptr;
  REQUIRE(cudaMallocManaged(&flag, 12) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&result, 12) == cudaSuccess);
  REQUIRE(cudaStreamCreateWithFlags(&waiting, cudaStreamNonBlocking) == cudaSuccess);
  REQUIRE(cudaStreamCreateWithFlags(&free_stream, cudaStreamNonBlocking) == cudaSuccess);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  flag[0] = 0;
  result[0] = result[1] = result[2] = 0;

  LAUNCH(tile, wait_then_set, 1, 1, 0, waiting)(flag, result);
  CHECK(cudaMemcpyAsync(result + 1, &source, 4, cudaMemcpyDefault, waiting) == cudaSuccess);
  CHECK(cudaEventRecord(event, waiting) == cudaSuccess);
  source = 8; // an asynchronous copy from pageable memory has read it
  CHECK(cudaStreamQuery(waiting) == cudaErrorNotReady);
  CHECK(cudaEventQuery(event) == cudaErrorNotReady);
  CHECK((result[0] == 0 && result[1] == 0));

  // Another stream goes on, until it waits for the event.
  CHECK(cudaMemsetAsync(flag + 1, 0x11, 4, free_stream) == cudaSuccess);
  CHECK(cudaStreamQuery(free_stream) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(free_stream, event) == cudaSuccess);
  CHECK(cudaMemsetAsync(result + 2, 0x11, 4, free_stream) == cudaSuccess);
  CHECK(cudaStreamQuery(free_stream) == cudaErrorNotReady);
  CHECK(result[2] == 0);

  flag[0] = 1;
  CHECK(cudaStreamSynchronize(free_stream) == cudaSuccess);
  CHECK((result[0] == 1 && result[1] == 7 && result[2] == 0x11111111));
  CHECK(cudaEventQuery(event) == cudaSuccess);
  (void)cudaGetLastError();
  CHECK(cudaStreamDestroy(waiting) == cudaSuccess);
  CHECK(cudaStreamDestroy(free_stream) == cudaSuccess);
  CHECK(cudaFree(flag) == cudaSuccess);
  CHECK(cudaFree(result) == cudaSuccess);
}

TEST_CASE("a host function that calls the runtime is refused", "[runtime][stream]") {
  // [CUDA: cudaLaunchHostFunc] "Attempting to use a CUDA API may result in cudaErrorNotPermitted".
  static int* p = nullptr;
  static cudaStream_t stream = nullptr;
  static cudaError_t told = cudaSuccess;
  using call = cudaError_t (*)();
  const auto what = GENERATE(call([] { return cudaMalloc(&p, 4); }),
                             call([] { return cudaDeviceSynchronize(); }),
                             call([] { return cudaStreamSynchronize(stream); }),
                             call([] { return cudaMemsetAsync(p, 0, 4, stream); }),
                             call([] { return cudaStreamCreate(&stream); }),
                             call([] { return cudaGetLastError(); }),
                             call([] {
                               LAUNCH(simt, add_one, 1, 1)(p);
                               return cudaErrorNotPermitted; // a launch has no result
                             }));
  REQUIRE(cudaMalloc(&p, 4) == cudaSuccess);
  REQUIRE(cudaMemset(p, 0, 4) == cudaSuccess);
  int* const before = p;
  const auto call_it = [](void* f) { told = reinterpret_cast<call>(f)(); };
  expect({cudaSuccess, "a stream's host function calls the CUDA runtime"},
         [&] { return cudaLaunchHostFunc(nullptr, call_it, reinterpret_cast<void*>(what)); });
  CHECK(told == cudaErrorNotPermitted);
  CHECK(p == before);
  CHECK(stream == nullptr);
  int value = -1;
  CHECK(cudaMemcpy(&value, p, 4, cudaMemcpyDefault) == cudaSuccess);
  CHECK(value == 0);
  CHECK(cudaFree(p) == cudaSuccess);
}
