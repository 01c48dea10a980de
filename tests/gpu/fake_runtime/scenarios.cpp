// A program that uses the CUDA runtime in the ways that the recorder must see, one a word:
//
//   recorded_program SCENARIO [arguments]
//
// It knows nothing of recorders. Exit status: what the scenario gives; 64 for one that is not
// there.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu/fake_runtime/device.hpp"
#include "gpu/fake_runtime/kernel.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

int per_thread_streams();
cudaError_t copy_boxes(std::uint8_t* from, std::uint8_t* to, std::uint8_t* host);

namespace {

constexpr std::size_t page = 4096;

FAKE_KERNEL(fill,
            (std::uint32_t * out, std::uint32_t first, std::uint32_t count),
            (out, first, count)) {
  for (std::uint32_t i = 0; i < count; ++i) {
    out[i] = first + i;
  }
}

FAKE_KERNEL(put, (std::uint8_t * out, std::size_t at, std::uint8_t value), (out, at, value)) {
  out[at] = value;
}

FAKE_KERNEL(faults, (int* out), (out)) {
  static_cast<void>(out);
  throw fake::illegal_access{};
}

/// Until the host says so.
FAKE_KERNEL(waits, (const std::atomic<int>* flag, std::uint8_t* out), (flag, out)) {
  while (flag->load() == 0) {
    std::this_thread::yield();
  }
  *out = 7;
}

FAKE_KERNEL(sleeps, (std::uint8_t * out, std::uint8_t value), (out, value)) {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  *out = value;
}

// Variables, as nvcc registers them.
std::uint32_t counter = 5;               // __device__
std::uint32_t factors[4] = {1, 2, 3, 4}; // __constant__
std::uint32_t* managed = nullptr;        // __managed__: where it lies

const bool registered = [] {
  const auto variable = [](auto& it, const char* name, int is_constant) {
    char* const at = reinterpret_cast<char*>(&it);
    __cudaRegisterVar(fake::binary(), at, nullptr, name, 0, sizeof(it), is_constant, 0);
  };
  variable(counter, "counter", 0);
  variable(factors, "factors", 1);
  if (std::getenv("FAKE_NO_MANAGED") == nullptr) {
    __cudaRegisterManagedVar(fake::binary(),
                             reinterpret_cast<void**>(&managed),
                             nullptr,
                             "shared_sum",
                             0,
                             sizeof(*managed),
                             0,
                             0);
  }
  return true;
}();

FAKE_KERNEL(add_up,
            (std::uint32_t * count, const std::uint32_t* by, std::uint32_t* sum),
            (count, by, sum)) {
  *count += by[1];
  *sum += *count;
}

void must(cudaError_t error, int line) {
  if (error != cudaSuccess) {
    std::printf("line %d: %s\n", line, cudaGetErrorName(error));
    std::exit(9);
  }
}
#define MUST(call) must(call, __LINE__)

template <class T>
T* device_memory(std::size_t count) {
  void* p = nullptr;
  MUST(cudaMalloc(&p, count * sizeof(T)));
  return static_cast<T*>(p);
}

// --- What is simple

int simple() {
  auto* const out = device_memory<std::uint32_t>(3000);
  std::vector<std::uint32_t> host(3000, 1);
  MUST(cudaMemcpy(out, host.data(), 12000, cudaMemcpyHostToDevice));
  FAKE_LAUNCH(fill, dim3(2, 3, 4), dim3(32), 100, nullptr)(out, 10, 1500);
  MUST(cudaMemcpy(host.data(), out, 12000, cudaMemcpyDeviceToHost));
  std::printf("%u %u\n", host[0], host[1499]);
  MUST(cudaFree(out));
  return 3;
}

int nothing() {
  return 0;
}

/// Pages that are not whole, and some that do not change.
int pages() {
  auto* const out = device_memory<std::uint8_t>((3 * page) + 100);
  MUST(cudaMemset(out, 1, (3 * page) + 100));
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(out, 5, 1);               // as it was
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(out, (3 * page) + 99, 2); // the last, short one
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(out, page + 1, 3);
  MUST(cudaDeviceSynchronize());
  return 0;
}

/// What is compared stays the same from launch to launch.
int many() {
  auto* const out = device_memory<std::uint8_t>(3 * page);
  MUST(cudaMemset(out, 1, 3 * page));
  for (unsigned i = 0; i < 40; ++i) {
    FAKE_LAUNCH(put, 1, 1, 0, nullptr)(out, (i % 3) * page, static_cast<std::uint8_t>(2 + i));
  }
  MUST(cudaDeviceSynchronize());
  return 0;
}

/// Of what nobody has written the recording holds what lay there; of the rest what the host wrote.
int unwritten() {
  auto* const out = device_memory<std::uint8_t>(100);
  const std::vector<std::uint8_t> host(10, 9);
  MUST(cudaMemcpy(out + 20, host.data(), 10, cudaMemcpyHostToDevice));
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(out, 0, 1);
  MUST(cudaDeviceSynchronize());
  return 0;
}

int no_room() {
  auto* const out = device_memory<std::uint8_t>(40'000);
  MUST(cudaMemset(out, 0, 40'000));
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(out, 39'000, 8);
  MUST(cudaDeviceSynchronize());
  return 0;
}

// --- Memory of every kind

int kinds() {
  void* p = nullptr;
  MUST(cudaMallocManaged(&p, 100));
  auto* const shared = static_cast<std::uint8_t*>(p);
  MUST(cudaMallocHost(&p, 100));
  auto* const pinned = static_cast<std::uint8_t*>(p);
  MUST(cudaHostAlloc(&p, 100, 0));
  auto* const pinned_too = static_cast<std::uint8_t*>(p);
  static std::uint8_t own[100];
  MUST(cudaHostRegister(own, 100, 0));
  std::size_t pitch = 0;
  MUST(cudaMallocPitch(&p, &pitch, 100, 3));
  auto* const rows = static_cast<std::uint8_t*>(p);
  cudaPitchedPtr box{};
  MUST(cudaMalloc3D(&box, {.width = 10, .height = 2, .depth = 3}));
  MUST(cudaMallocAsync(&p, 100, nullptr));
  auto* const ordered = static_cast<std::uint8_t*>(p);
  std::memset(shared, 3, 100); // the host's own code
  std::memset(pinned, 4, 100);
  std::memset(own, 5, 100);
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(shared, 1, 30);
  MUST(cudaDeviceSynchronize());
  shared[2] = 31; // between launches
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(pinned, 1, 40);
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(own, 1, 50);
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(rows, pitch, 60);
  MUST(cudaDeviceSynchronize());
  MUST(cudaFreeHost(pinned_too));
  MUST(cudaHostUnregister(own));
  MUST(cudaFreeAsync(ordered, nullptr));
  MUST(cudaFree(box.ptr));
  return 0;
}

/// A copy into pinned memory is no change by a launch, and the next launch does not see it as one.
int pinned_copy() {
  void* p = nullptr;
  MUST(cudaMallocHost(&p, 100));
  auto* const host = static_cast<std::uint8_t*>(p);
  auto* const out = device_memory<std::uint8_t>(100);
  MUST(cudaMemset(out, 1, 100));
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(out, 0, 2);
  MUST(cudaMemcpyAsync(host, out, 100, cudaMemcpyDeviceToHost, nullptr));
  MUST(cudaStreamSynchronize(nullptr));
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(out, 1, 3);
  MUST(cudaDeviceSynchronize());
  return host[0];
}

int variables() {
  MUST(cudaDeviceSynchronize());
  *managed = 100;
  const std::uint32_t ten = 10;
  MUST(cudaMemcpyToSymbol(factors, &ten, 4, 4, cudaMemcpyHostToDevice));
  void* count = nullptr;
  void* by = nullptr;
  MUST(cudaGetSymbolAddress(&count, &counter));
  MUST(cudaGetSymbolAddress(&by, factors));
  FAKE_LAUNCH(add_up, 1, 1, 0, nullptr)
  (static_cast<std::uint32_t*>(count), static_cast<std::uint32_t*>(by), managed);
  MUST(cudaDeviceSynchronize());
  *managed += 1000;
  FAKE_LAUNCH(add_up, 1, 1, 0, nullptr)
  (static_cast<std::uint32_t*>(count), static_cast<std::uint32_t*>(by), managed);
  std::uint32_t now = 0;
  MUST(cudaMemcpyFromSymbol(&now, &counter, 4, 0, cudaMemcpyDeviceToHost));
  std::printf("%u %u\n", now, *managed);
  return 0;
}

// --- Copies and fills of every kind

int copies() {
  auto* const a = device_memory<std::uint8_t>(1000);
  auto* const b = device_memory<std::uint8_t>(1000);
  std::vector<std::uint8_t> host(1000, 1);
  MUST(cudaMemcpy(a, host.data(), 1000, cudaMemcpyHostToDevice));
  MUST(cudaMemcpy(b, a, 1000, cudaMemcpyDeviceToDevice)); // no copy to the host
  MUST(cudaMemset(a, 2, 10));
  MUST(cudaMemsetAsync(a + 10, 3, 10, nullptr));
  MUST(cudaMemset2D(a + 100, 20, 4, 5, 3));
  MUST(cudaMemset2DAsync(a + 200, 20, 5, 5, 3, nullptr));
  MUST(cudaMemcpy2D(host.data(), 10, a + 100, 20, 5, 3, cudaMemcpyDeviceToHost));
  MUST(cudaMemcpy2DAsync(host.data() + 50, 10, a + 200, 20, 5, 3, cudaMemcpyDeviceToHost, nullptr));
  MUST(copy_boxes(a, b + 500, host.data() + 100));
  MUST(cudaDeviceSynchronize());
  return 0;
}

/// What an asynchronous copy brings is told when it is there, also where another stream goes on.
int late_copies() {
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  MUST(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  MUST(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  auto* const out = device_memory<std::uint8_t>(100);
  std::vector<std::uint8_t> host(100);
  MUST(cudaMemset(out, 1, 100));
  MUST(cudaDeviceSynchronize());
  std::atomic<int> flag = 0;
  auto* const other = device_memory<std::uint8_t>(100);
  FAKE_LAUNCH(sleeps, 1, 1, 0, first)(out, 6);
  MUST(cudaMemcpyAsync(host.data(), out, 100, cudaMemcpyDeviceToHost, first));
  FAKE_LAUNCH(waits, 1, 1, 0, second)(&flag, other);
  MUST(cudaStreamSynchronize(first));
  host[0] = 99; // it has been told by now
  flag = 1;
  MUST(cudaDeviceSynchronize());
  return 0;
}

// --- Streams

/// Two streams, one of which waits for the other: they are one group.
int group() {
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  MUST(cudaStreamCreate(&first));
  MUST(cudaStreamCreate(&second));
  auto* const out = device_memory<std::uint8_t>(2 * page);
  MUST(cudaMemset(out, 0, 2 * page));
  FAKE_LAUNCH(put, 1, 1, 0, first)(out, 0, 1); // alone so far
  FAKE_LAUNCH(put, 1, 1, 0, second)(out, page, 2);
  FAKE_LAUNCH(put, 1, 1, 0, first)(out, 1, 3);
  auto* const later = device_memory<std::uint8_t>(10);
  FAKE_LAUNCH(put, 1, 1, 0, second)(later, 1, 4);
  MUST(cudaStreamSynchronize(first));
  MUST(cudaStreamSynchronize(second));
  FAKE_LAUNCH(put, 1, 1, 0, first)(out, 2, 5);
  MUST(cudaDeviceSynchronize());
  MUST(cudaStreamDestroy(first));
  MUST(cudaStreamDestroy(second));
  return 0;
}

/// A kernel that waits for the host, which goes on meanwhile.
int waits_for_host() {
  auto* const out = device_memory<std::uint8_t>(10);
  MUST(cudaMemset(out, 0, 10));
  std::atomic<int> flag = 0;
  FAKE_LAUNCH(waits, 1, 1, 0, nullptr)(&flag, out);
  flag = 1;
  MUST(cudaDeviceSynchronize());
  return 0;
}

/// One thread waits for the device, which waits for another thread.
int thread_frees_thread() {
  auto* const out = device_memory<std::uint8_t>(10);
  MUST(cudaMemset(out, 0, 10));
  std::atomic<int> flag = 0;
  FAKE_LAUNCH(waits, 1, 1, 0, nullptr)(&flag, out);
  std::thread other([&] {
    void* p = nullptr;
    MUST(cudaMallocHost(&p, 10)); // has to get past who waits
    flag = 1;
  });
  MUST(cudaDeviceSynchronize());
  other.join();
  return 0;
}

/// Work of a stream that is destroyed goes on, and is observed.
int destroyed_stream() {
  cudaStream_t s = nullptr;
  MUST(cudaStreamCreate(&s));
  auto* const out = device_memory<std::uint8_t>(10);
  MUST(cudaMemset(out, 0, 10));
  FAKE_LAUNCH(sleeps, 1, 1, 0, s)(out, 5);
  MUST(cudaStreamDestroy(s));
  MUST(cudaDeviceSynchronize());
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}

/// Who asks until it is done has waited, too.
int asks() {
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  MUST(cudaStreamCreate(&first));
  MUST(cudaStreamCreate(&second));
  auto* const out = device_memory<std::uint8_t>(10);
  MUST(cudaMemset(out, 0, 10));
  FAKE_LAUNCH(sleeps, 1, 1, 0, first)(out, 5);
  FAKE_LAUNCH(sleeps, 1, 1, 0, second)(out + 1, 6);
  cudaEvent_t e = nullptr;
  MUST(cudaEventCreate(&e));
  MUST(cudaEventRecord(e, second));
  while (cudaStreamQuery(first) == cudaErrorNotReady) {
  }
  while (cudaEventQuery(e) == cudaErrorNotReady) {
  }
  std::printf("%s\n", cudaGetErrorName(cudaPeekAtLastError()));
  FAKE_LAUNCH(put, 1, 1, 0, first)(out, 3, 7);
  MUST(cudaDeviceSynchronize());
  return 0;
}

// --- Graphs

int graph() {
  cudaStream_t s = nullptr;
  MUST(cudaStreamCreate(&s));
  auto* const out = device_memory<std::uint8_t>(10);
  MUST(cudaMemset(out, 0, 10));
  MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  FAKE_LAUNCH(put, 1, 1, 0, s)(out, 1, 1);
  MUST(cudaMemsetAsync(out + 5, 9, 1, s));
  FAKE_LAUNCH(put, 1, 1, 0, s)(out, 2, 2);
  cudaGraph_t g = nullptr;
  MUST(cudaStreamEndCapture(s, &g));
  cudaGraphExec_t ready = nullptr;
  MUST(cudaGraphInstantiate(&ready, g, 0));
  MUST(cudaGraphLaunch(ready, s));
  MUST(cudaStreamSynchronize(s));
  FAKE_LAUNCH(put, 1, 1, 0, s)(out, 3, 3);
  MUST(cudaDeviceSynchronize());
  MUST(cudaGraphExecDestroy(ready));
  MUST(cudaGraphDestroy(g));
  return 0;
}

/// A capture that the program breaks: what follows is recorded.
int broken_capture() {
  cudaStream_t s = nullptr;
  MUST(cudaStreamCreate(&s));
  auto* const out = device_memory<std::uint8_t>(10);
  MUST(cudaMemset(out, 0, 10));
  MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaGraph_t g = nullptr;
  std::printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(s, &g)));
  FAKE_LAUNCH(put, 1, 1, 0, s)(out, 3, 3);
  MUST(cudaDeviceSynchronize());
  return 0;
}

// --- Errors

int errors() {
  void* p = nullptr;
  std::printf("%s\n", cudaGetErrorName(cudaMalloc(&p, std::size_t{1} << 50U)));
  std::printf("%s\n", cudaGetErrorName(cudaFree(&p)));
  auto* const out = device_memory<std::uint8_t>(10); // clears nothing
  std::printf("%s\n", cudaGetErrorName(cudaPeekAtLastError()));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  FAKE_LAUNCH(put, 1, 5000, 0, nullptr)(out, 1, 1); // no such block
  MUST(cudaMemset(out, 0, 10)); // what the recorder does here does not take the error away
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}

int fault() {
  auto* const out = device_memory<int>(10);
  MUST(cudaMemset(out, 0, 40));
  FAKE_LAUNCH(faults, 1, 1, 0, nullptr)(out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return 4;
}

int reset() {
  auto* out = device_memory<std::uint8_t>(10);
  MUST(cudaMemset(out, 0, 10));
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(out, 1, 1);
  MUST(cudaDeviceReset());
  out = device_memory<std::uint8_t>(20);
  MUST(cudaMemset(out, 0, 20));
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(out, 1, 1);
  MUST(cudaDeviceSynchronize());
  return 0;
}

// --- Ends

void one_launch() {
  auto* const out = device_memory<std::uint8_t>(10);
  MUST(cudaMemset(out, 0, 10));
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(out, 1, 1);
  std::printf("before\n");
  std::fflush(stdout);
}

int crash() {
  one_launch();
  std::abort();
}

int killed() {
  one_launch();
  kill(getpid(), SIGKILL);
  return 0;
}

int at_once() {
  one_launch();
  _exit(5);
}

int quick() {
  one_launch();
  std::quick_exit(6);
}

/// Nobody waits for the last launch.
int unsynchronised() {
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  MUST(cudaStreamCreate(&first));
  MUST(cudaStreamCreate(&second));
  auto* const out = device_memory<std::uint8_t>(10);
  MUST(cudaMemset(out, 0, 10));
  FAKE_LAUNCH(put, 1, 1, 0, first)(out, 1, 1);
  FAKE_LAUNCH(sleeps, 1, 1, 0, second)(out, 2);
  std::exit(2);
}

/// A child that uses nothing, and one that lives on with the program's output.
int children() {
  one_launch();
  if (fork() == 0) {
    std::printf("child\n");
    std::exit(1); // runs the handlers that the program has
  }
  int status = 0;
  int count = 0;
  while (wait(&status) > 0) { // all of the program's own, and no other
    ++count;
  }
  std::printf("%d\n", count);
  std::fflush(stdout);
  if (fork() == 0) {
    sleep(30);
    _exit(0);
  }
  return 0;
}

int closes_output() {
  one_launch();
  std::fclose(stdout);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  auto* const out = device_memory<std::uint8_t>(10);
  MUST(cudaMemset(out, 0, 10));
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(out, 1, 1);
  return 0;
}

// --- Several runs

/// Three megabytes of which a word is each run's own (never what it was before), and one page.
int varies(const char* word) {
  constexpr std::size_t bytes = std::size_t{3} << 20U;
  auto* const out = device_memory<std::uint32_t>(bytes / 4);
  auto* const small = device_memory<std::uint8_t>(100);
  MUST(cudaMemset(out, 0, bytes));
  MUST(cudaMemset(small, 0, 100));
  FAKE_LAUNCH(fill, 1, 1, 0, nullptr)(out, 3, bytes / 4);
  FAKE_LAUNCH(fill, 1, 1, 0, nullptr)
  (out + (100 * page + 4) / 4, static_cast<std::uint32_t>(getpid()) + 4, std::size_t{1});
  FAKE_LAUNCH(put, 1, 1, 0, nullptr)(small, 1, 1);
  MUST(cudaDeviceSynchronize());
  int c = std::getchar();
  std::printf("run %s reads %c\n", word, c == EOF ? '-' : c);
  return word[0] == 'f' ? 7 : 0;
}

// --- Much

int much() {
  constexpr std::size_t bytes = std::size_t{40} << 20U;
  auto* const out = device_memory<std::uint32_t>(bytes / 4);
  MUST(cudaMemset(out, 0, bytes));
  for (std::uint32_t i = 0; i < 2; ++i) {
    FAKE_LAUNCH(fill, 1, 1, 0, nullptr)(out, i * 77, bytes / 4);
  }
  MUST(cudaDeviceSynchronize());
  return 0;
}

int prints_much() {
  for (int i = 0; i < 150'000; ++i) {
    std::printf("line %d\n", i);
  }
  return 0;
}

} // namespace

int main(int count, char** words) {
  const std::map<std::string, std::function<int()>> scenarios{
      {"simple", simple},
      {"nothing", nothing},
      {"pages", pages},
      {"many", many},
      {"unwritten", unwritten},
      {"no_room", no_room},
      {"kinds", kinds},
      {"pinned_copy", pinned_copy},
      {"variables", variables},
      {"copies", copies},
      {"late_copies", late_copies},
      {"group", group},
      {"waits_for_host", waits_for_host},
      {"thread_frees_thread", thread_frees_thread},
      {"destroyed_stream", destroyed_stream},
      {"asks", asks},
      {"per_thread_streams", per_thread_streams},
      {"graph", graph},
      {"broken_capture", broken_capture},
      {"errors", errors},
      {"fault", fault},
      {"reset", reset},
      {"crash", crash},
      {"killed", killed},
      {"at_once", at_once},
      {"quick", quick},
      {"unsynchronised", unsynchronised},
      {"children", children},
      {"closes_output", closes_output},
      {"varies", [&] { return varies(count > 2 ? words[2] : "on"); }},
      {"much", much},
      {"prints_much", prints_much}};
  const auto found = scenarios.find(count > 1 ? words[1] : "");
  return found == scenarios.end() ? 64 : found->second();
}
