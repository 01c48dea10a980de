// The driver's events and graphs.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/driver/graphs.hpp"

#include "sim/interpreter/launch.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <cuda_runtime.h>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace tilesim::driver_stand_in {

using host_clock = std::chrono::steady_clock;

struct event {
  host_clock::time_point at;
  bool recorded = false;
};

struct graph {
  std::vector<std::function<result()>> nodes;
};

namespace {

void* pointer_of(std::uint64_t address) {
  return reinterpret_cast<void*>(address); // NOLINT(performance-no-int-to-ptr): the driver's
}

/// A node is told apart by its number.
result add(void** node, graph* g, std::function<result()> what) {
  if (g == nullptr || node == nullptr) {
    return fail(invalid_value, "a node needs a graph, and a place for its handle");
  }
  g->nodes.push_back(std::move(what));
  *node = pointer_of(g->nodes.size());
  return success;
}

result of_runtime(cudaError_t e) {
  return e == cudaSuccess ? success : fail(invalid_value, cudaGetErrorString(e));
}

/// The values of a launch's parameters, which need not outlive the call that adds it.
class kept_parameters {
public:
  kept_parameters(const kernel& k, void* const* values) {
    for (const std::size_t size : interpreter::parameter_sizes(*k.of, *k.entry)) {
      const auto* from = static_cast<const std::byte*>(values[values_.size()]);
      values_.emplace_back(from, from + size);
    }
  }

  [[nodiscard]] std::vector<void*> pointers() {
    std::vector<void*> to;
    for (auto& value : values_) {
      to.push_back(value.data());
    }
    return to;
  }

private:
  std::vector<std::vector<std::byte>> values_;
};

} // namespace

result event_create(event** made, unsigned /*flags*/) {
  *made = new event; // NOLINT(cppcoreguidelines-owning-memory): cuEventDestroy's
  return success;
}

result event_destroy(event* e) {
  delete e; // NOLINT(cppcoreguidelines-owning-memory)
  return success;
}

result event_record(event* e, void* /*stream*/) {
  *e = {host_clock::now(), true};
  return success;
}

result event_elapsed(float* time, event* begin, event* end) {
  if (!begin->recorded || !end->recorded) {
    return fail(invalid_value,
                "the time between two events is asked for, and one was never recorded");
  }
  *time = std::chrono::duration<float, std::milli>(end->at - begin->at).count();
  return success;
}

result graph_create(graph** made, unsigned /*flags*/) {
  *made = new graph; // NOLINT(cppcoreguidelines-owning-memory): cuGraphDestroy's
  return success;
}

result graph_destroy(graph* g) {
  delete g; // NOLINT(cppcoreguidelines-owning-memory)
  return success;
}

result graph_add_kernel(
    void** node, graph* g, void* const* /*after*/, std::size_t /*count*/, const kernel_node* what) {
  void* const function = what->function != nullptr ? what->function : what->kernel;
  if (function == nullptr) {
    return fail(invalid_value,
                "a node of a graph launches no kernel: neither func nor kern is given");
  }
  try {
    const auto parameters =
        std::make_shared<kept_parameters>(*static_cast<const kernel*>(function), what->parameters);
    const launch_config c{what->grid_x,
                          what->grid_y,
                          what->grid_z,
                          what->block_x,
                          what->block_y,
                          what->block_z,
                          what->shared_bytes,
                          nullptr,
                          nullptr,
                          0};
    return add(node, g, [c, function, parameters] {
      return launch(c, function, parameters->pointers().data());
    });
  } catch (const interpreter::refused& e) {
    return fail(not_supported, fmt::format("tilesim: {}", e.what()));
  }
}

result graph_add_fill(void** node,
                      graph* g,
                      void* const* /*after*/,
                      std::size_t /*count*/,
                      const fill_node* what,
                      void* /*context*/) {
  if (what->element_size != 1) {
    return fail(
        not_supported,
        fmt::format("tilesim: a node of a graph fills elements of {} bytes; of 1 byte is known",
                    what->element_size));
  }
  return add(node, g, [f = *what] {
    return of_runtime(cudaMemset2D(pointer_of(f.to),
                                   f.height > 1 ? f.pitch : f.width,
                                   static_cast<int>(f.value),
                                   f.width,
                                   f.height));
  });
}

result
graph_add_event(void** node, graph* g, void* const* /*after*/, std::size_t /*count*/, event* e) {
  return add(node, g, [e] { return event_record(e, nullptr); });
}

result graph_add_allocation(
    void** node, graph* g, void* const* /*after*/, std::size_t /*count*/, allocation_node* what) {
  void* p = nullptr;
  if (const auto e = cudaMalloc(&p, what->bytes); e != cudaSuccess) {
    return fail(out_of_memory, cudaGetErrorString(e));
  }
  what->pointer = reinterpret_cast<std::uintptr_t>(p);
  return add(node, g, [] { return success; });
}

result graph_add_free(
    void** node, graph* g, void* const* /*after*/, std::size_t /*count*/, std::uint64_t pointer) {
  return add(node, g, [pointer] { return of_runtime(cudaFree(pointer_of(pointer))); });
}

result graph_instantiate(graph** made, graph* of, unsigned long long /*flags*/) {
  *made = new graph(*of); // NOLINT(cppcoreguidelines-owning-memory): cuGraphExecDestroy's
  return success;
}

result graph_launch(graph* g, void* /*stream*/) {
  for (const auto& node : g->nodes) {
    if (const result r = node(); r != success) {
      return r;
    }
  }
  return success;
}

result graph_exec_destroy(graph* g) {
  return graph_destroy(g);
}

} // namespace tilesim::driver_stand_in
