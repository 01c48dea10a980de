// The CUDA driver's functions, for programs that bring bytecode.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"
#include "sim/driver/checks.hpp"
#include "sim/driver/graphs.hpp"
#include "sim/driver/host.hpp"
#include "sim/driver/own_memory.hpp"
#include "sim/interpreter/launch.hpp"
#include "sim/process/sections.hpp"
#include "sim/tileir/cursor.hpp"
#include "sim/tileir/reader.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <optional>
#include <string>
#include <string_view>

namespace tilesim::driver_stand_in {
namespace {

/// What the last call that failed in this thread has to say.
thread_local std::string last_words;

} // namespace

result fail(result r, std::string words) {
  last_words = std::move(words);
  return r;
}

namespace {

/// A context, a device, a stream that is being captured: there is one of each, or none.
std::byte the_context{};

result init(unsigned /*flags*/) {
  return success;
}

result driver_version(int* version) {
  constexpr int newest = 13040;
  *version = newest;
  return success;
}

result device_count(int* count) {
  *count = 1;
  return success;
}

result device_get(int* device, int ordinal) {
  *device = 0;
  return ordinal == 0 ? success : fail(invalid_value, "tilesim has one device, number 0");
}

/// The device's compute capability, where the person wants another one: what cuTile lets a program
/// use depends on it, and what it then writes runs here all the same. "10.0"; nothing: it is no
/// such attribute, or nobody wants that.
std::optional<int> wanted_capability(int attribute) {
  const char* const text = std::getenv("TILESIM_COMPUTE_CAPABILITY");
  const bool is_minor = attribute == cudaDevAttrComputeCapabilityMinor;
  int major = 0;
  int minor = 0;
  if (text == nullptr || (!is_minor && attribute != cudaDevAttrComputeCapabilityMajor) ||
      std::sscanf(text, "%d.%d", &major, &minor) != 2) {
    return {};
  }
  return is_minor ? minor : major;
}

result device_attribute(int* value, int attribute, int /*device*/) {
  int found = 0;
  const auto e = cudaDeviceGetAttribute(&found, static_cast<cudaDeviceAttr>(attribute), 0);
  *value = wanted_capability(attribute).value_or(found);
  return e == cudaSuccess ? success : fail(invalid_value, "there is no such attribute");
}

/// What cuTile is told. ct.tune fills a buffer as large as the second-level cache before each
/// launch that it times. There is no such cache here, and filling 60 MiB would take a hundred times
/// as long as the launch.
result device_attribute_for_cutile(int* value, int attribute, int device) {
  if (attribute == cudaDevAttrL2CacheSize) {
    *value = 0;
    return success;
  }
  return device_attribute(value, attribute, device);
}

result context_of_stream(void* /*stream*/, void** context) {
  *context = &the_context;
  return success;
}

result current_context(void** context) {
  *context = &the_context;
  return success;
}

result set_context(void* /*context*/) {
  return success;
}

result push_context(void* /*context*/) {
  return success;
}

result pop_context(void** context) {
  return current_context(context);
}

result context_id(void* /*context*/, unsigned long long* id) {
  *id = 1;
  return success;
}

result device_of_context(int* device) {
  *device = 0;
  return success;
}

result device_of_that_context(int* device, void* /*context*/) {
  *device = 0;
  return success;
}

result primary_context(void** context, int /*device*/) {
  return current_context(context);
}

result load_library(void** library,
                    const void* code,
                    void* /*jit_options*/,
                    void* /*jit_values*/,
                    unsigned /*jit_count*/,
                    void* /*options*/,
                    void* /*values*/,
                    unsigned /*count*/) {
  // Nobody says how long it is: it ends with its last section.
  constexpr std::size_t longest = std::size_t{1} << 31U;
  const auto* bytes = static_cast<const std::uint8_t*>(code);
  const sim::library_section inside;
  const std::size_t size = tileir::length_of(bytes, longest);
  if (size == 0) {
    return fail(invalid_image, "the kernel's code is no Tile IR bytecode");
  }
  try {
    *library = &interpreter::load({bytes, size});
    return success;
  } catch (const tileir::bad_bytecode& e) {
    return fail(invalid_image, fmt::format("bytecode cannot be read: {}", e.what()));
  }
}

/// Programs live until the last report has named their lines.
result unload_library(void* /*library*/) {
  return success;
}

result get_kernel(void** found, void* library, const char* name) {
  auto& p = *static_cast<interpreter::program*>(library);
  const tileir::entry* const e = p.find(name);
  if (e == nullptr) {
    return fail(not_found, fmt::format("there is no entry '{}' in the module", name));
  }
  static auto& all = *new std::map<const tileir::entry*, kernel>;
  *found = &all.try_emplace(e, kernel{&p, e}).first->second;
  return success;
}

result get_function(void** function, void* found) {
  *function = found;
  return success;
}

result kernel_attribute(int* value, int /*attribute*/, void* /*kernel*/, int /*device*/) {
  *value = 0;
  return success;
}

result set_kernel_attribute(int /*attribute*/, int /*value*/, void* /*kernel*/, int /*device*/) {
  return success;
}

} // namespace

namespace {

result launch_and_wait(const launch_config& c, void* function, void** parameters) {
  const auto& k = *static_cast<const kernel*>(function);
  try {
    const sim::library_section inside;
    if (const std::string name = written_and_only_read(*k.entry, parameters); !name.empty()) {
      return fail(invalid_value,
                  fmt::format("{} is read-only, and the kernel writes to it: give it a copy "
                              "(numpy.array({}))",
                              name,
                              name));
    }
    judge_overlaps(*k.of, *k.entry, parameters);
    show_memory(sim::context::current());
    const int error = interpreter::launch(
        *k.of, *k.entry, dim3(c.grid_x, c.grid_y, c.grid_z), nullptr, parameters, launch_site());
    if (error != cudaSuccess) {
      return fail(invalid_value, cudaGetErrorString(static_cast<cudaError_t>(error)));
    }
  } catch (const interpreter::refused& e) {
    return fail(not_supported, fmt::format("tilesim: {}", e.what()));
  }
  const cudaError_t ended = cudaDeviceSynchronize();
  std::fflush(stdout); // what the kernel has printed comes before what the host prints next
  return ended == cudaSuccess ? success : fail(launch_failed, cudaGetErrorString(ended));
}

} // namespace

result launch(const launch_config& c, void* function, void** parameters) {
  const auto call = [&] { return launch_and_wait(c, function, parameters); };
  host_check* const check = host_check::current();
  return check == nullptr ? perform_outside_checks(call) : check->perform(call);
}

namespace {

result
launch_kernel_ex(const launch_config* c, void* function, void** parameters, void** /*extra*/) {
  return launch(*c, function, parameters);
}

result launch_kernel(void* function,
                     unsigned grid_x,
                     unsigned grid_y,
                     unsigned grid_z,
                     unsigned block_x,
                     unsigned block_y,
                     unsigned block_z,
                     unsigned shared_bytes,
                     void* stream,
                     void** parameters,
                     void** /*extra*/) {
  return launch(
      {grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, nullptr, 0},
      function,
      parameters);
}

result error_string(int error, const char** text) {
  static thread_local std::string kept;
  kept = last_words.empty() ? fmt::format("error {}", error) : last_words;
  *text = kept.c_str();
  return success;
}

result stream_is_capturing(void* /*stream*/, int* status) {
  *status = 0;
  return success;
}

result stream_create(void** stream, unsigned /*flags*/) {
  *stream = nullptr;
  return success;
}

result nothing_to_do(void* /*of*/) {
  return success;
}

result stream_id(void* /*stream*/, unsigned long long* id) {
  *id = 1;
  return success;
}

result stream_wait(void* /*stream*/, void* /*event*/, unsigned /*flags*/) {
  return success;
}

result as_result(cudaError_t e) {
  return e == cudaSuccess                 ? success
         : e == cudaErrorMemoryAllocation ? fail(out_of_memory, cudaGetErrorString(e))
                                          : fail(invalid_value, cudaGetErrorString(e));
}

result memory_allocate(std::uint64_t* pointer, std::size_t bytes) {
  const sim::library_section inside;
  void* const p = take_memory(bytes);
  *pointer = reinterpret_cast<std::uintptr_t>(p);
  return as_result(p == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}

result memory_free(std::uint64_t pointer) {
  const sim::library_section inside;
  return give_memory_back(reinterpret_cast<void*>(pointer)) // NOLINT: the driver's pointers
             ? success
             : fail(invalid_value, "memory that cuMemAlloc has not given");
}

result host_allocate(void** pointer, std::size_t bytes) {
  const sim::library_section inside;
  *pointer = take_memory(bytes);
  return as_result(*pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}

result host_free(void* pointer) {
  const sim::library_section inside;
  return give_memory_back(pointer)
             ? success
             : fail(invalid_value, "memory that cuMemAllocHost has not given");
}

result copy_to_device(std::uint64_t to, const void* from, std::size_t bytes, void* /*stream*/) {
  {
    const sim::library_section inside;
    show_memory(sim::context::current());
  }
  return as_result(
      cudaMemcpy(reinterpret_cast<void*>(to), from, bytes, cudaMemcpyDefault)); // NOLINT: likewise
}

result context_synchronize() {
  return as_result(cudaDeviceSynchronize());
}

/// Whatever else is asked for.
result refuse() {
  return fail(not_supported, "tilesim does not have this function of the CUDA driver");
}

struct row {
  std::string_view name;
  void* function;
};

template <class F>
void* erased(F* f) {
  return reinterpret_cast<void*>(f);
}

const std::array functions{
    row{"cuInit", erased(init)},
    row{"cuDriverGetVersion", erased(driver_version)},
    row{"cuDeviceGetCount", erased(device_count)},
    row{"cuDeviceGet", erased(device_get)},
    row{"cuDeviceGetAttribute", erased(device_attribute_for_cutile)},
    row{"cuDevicePrimaryCtxRetain", erased(primary_context)},
    row{"cuStreamGetCtx", erased(context_of_stream)},
    row{"cuCtxGetCurrent", erased(current_context)},
    row{"cuCtxSetCurrent", erased(set_context)},
    row{"cuCtxPushCurrent", erased(push_context)},
    row{"cuCtxPopCurrent", erased(pop_context)},
    row{"cuCtxGetId", erased(context_id)},
    row{"cuCtxSynchronize", erased(context_synchronize)},
    row{"cuLibraryLoadData", erased(load_library)},
    row{"cuLibraryUnload", erased(unload_library)},
    row{"cuLibraryGetKernel", erased(get_kernel)},
    row{"cuKernelGetFunction", erased(get_function)},
    row{"cuKernelGetAttribute", erased(kernel_attribute)},
    row{"cuKernelSetAttribute", erased(set_kernel_attribute)},
    row{"cuLaunchKernel", erased(launch_kernel)},
    row{"cuLaunchKernelEx", erased(launch_kernel_ex)},
    row{"cuGetErrorString", erased(error_string)},
    row{"cuStreamIsCapturing", erased(stream_is_capturing)},
    row{"cuStreamCreate", erased(stream_create)},
    row{"cuStreamDestroy", erased(nothing_to_do)},
    row{"cuStreamSynchronize", erased(nothing_to_do)},
    row{"cuStreamGetId", erased(stream_id)},
    row{"cuStreamWaitEvent", erased(stream_wait)},
    row{"cuEventCreate", erased(event_create)},
    row{"cuEventDestroy", erased(event_destroy)},
    row{"cuEventQuery", erased(nothing_to_do)},
    row{"cuEventSynchronize", erased(nothing_to_do)},
    row{"cuEventRecord", erased(event_record)},
    row{"cuEventElapsedTime", erased(event_elapsed)},
    row{"cuGraphCreate", erased(graph_create)},
    row{"cuGraphDestroy", erased(graph_destroy)},
    row{"cuGraphAddKernelNode", erased(graph_add_kernel)},
    row{"cuGraphAddMemsetNode", erased(graph_add_fill)},
    row{"cuGraphAddEventRecordNode", erased(graph_add_event)},
    row{"cuGraphAddMemAllocNode", erased(graph_add_allocation)},
    row{"cuGraphAddMemFreeNode", erased(graph_add_free)},
    row{"cuGraphInstantiateWithFlags", erased(graph_instantiate)},
    row{"cuGraphLaunch", erased(graph_launch)},
    row{"cuGraphExecDestroy", erased(graph_exec_destroy)},
    row{"cuMemAlloc", erased(memory_allocate)},
    row{"cuMemFree", erased(memory_free)},
    row{"cuMemAllocHost", erased(host_allocate)},
    row{"cuMemFreeHost", erased(host_free)},
    row{"cuMemcpyHtoDAsync", erased(copy_to_device)},
};

} // namespace
} // namespace tilesim::driver_stand_in

/// cuGetProcAddress: every function of the driver by its name.
extern "C" TILESIM_EXPORT int tilesim_driver_get(
    const char* name, void** function, int version, std::uint64_t /*flags*/, int* status) {
  using namespace tilesim::driver_stand_in;
  const std::string_view wanted = name;
  *function = erased(refuse);
  if (wanted == "cuCtxGetDevice") { // from 13.0 on it takes a context
    constexpr int with_context = 13000;
    *function =
        version >= with_context ? erased(device_of_that_context) : erased(device_of_context);
  }
  for (const row& r : functions) {
    if (r.name == wanted) {
      *function = r.function;
    }
  }
  if (status != nullptr) {
    *status = 0;
  }
  return success;
}

/// Of the simulated device: CUdevice_attribute `number`, 0 if there is none.
extern "C" TILESIM_EXPORT int tilesim_host_attribute(int number) {
  int value = 0;
  return tilesim::driver_stand_in::device_attribute(&value, number, 0) == 0 ? value : 0;
}
