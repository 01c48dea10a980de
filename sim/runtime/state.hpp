// What the CUDA runtime knows beside memory and kernels: last errors, streams, events, flags.
//
// One per context, made on first use. A call holds its lock: see entry.hpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/context.hpp"
#include "sim/runtime/graph.hpp"
#include "sim/runtime/heap_memory.hpp"
#include "sim/runtime/reentrant_mutex.hpp"
#include "sim/runtime/work.hpp"

#include <array>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace tilesim::sim {

/// What a kernel has been told by cudaFuncSetAttribute.
struct function_settings {
  int max_dynamic_shared = 48 * 1024;
  int carveout = -1;
};

class runtime_state {
public:
  explicit runtime_state(context& c);

  /// The state of a context.
  [[nodiscard]] static runtime_state& of(context& c);

  reentrant_mutex mutex;
  std::map<std::thread::id, cudaError_t> last_error; ///< per host thread, as CUDA keeps it
  work_queue work;
  unsigned device_flags = 0;
  cudaFuncCache cache_config = cudaFuncCachePreferNone;
  std::array<std::size_t, 7> limits{1024, 8650752, 8388608, 0, 2048, 64, 0}; ///< by cudaLimit
  std::map<const void*, function_settings> functions;
  /// Memory of cudaMallocAsync: nobody waits for those who use it when it is freed.
  std::set<const void*> stream_ordered;
  /// Memory that cudaFreeAsync has been called for and whose stream has not come to it; by address,
  /// the call's place.
  std::map<const void*, const void*> being_freed;
  /// Variables whose address cudaGetSymbolAddress has told, which makes it one of device memory;
  /// bytes by address, 0 where the call did not say.
  std::map<std::uintptr_t, std::size_t> variables;
  std::map<const void*, unsigned> host_flags; ///< of pinned and registered memory, by address
  device_heap heap;
  graph_store graphs;
  std::vector<std::weak_ptr<capture>> captures; ///< that have begun; of streams
  unsigned long long last_capture = 0;

private:
  /// For a moment, in a call that waits: other threads may call the runtime.
  void let_others(context& c);
};

} // namespace tilesim::sim
