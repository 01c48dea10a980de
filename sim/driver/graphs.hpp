// The driver's events and graphs. A graph is a list of what is done, in the order in which it was
// told: whoever adds a node names only such that are there, so that order is one that the
// dependencies allow.
//
// What cuTile's tuning asks for. [CUDA driver API: events, graphs]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/driver/calls.hpp"

#include <cstdint>

namespace tilesim::driver_stand_in {

struct event; ///< when it was recorded last, by the host's clock
struct graph;

// NOLINTBEGIN(readability-identifier-naming): structures of the driver's
struct kernel_node {
  void* function;
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared_bytes;
  void** parameters;
  void** extra;
  void* kernel; ///< where there is no function
  void* context;
};

struct fill_node {
  std::uint64_t to;
  std::size_t pitch;
  unsigned value;
  unsigned element_size;
  std::size_t width; ///< in elements
  std::size_t height;
};

struct allocation_node {
  unsigned char pool[88];
  const void* access;
  std::size_t accesses;
  std::size_t bytes;
  std::uint64_t pointer; ///< out
};
// NOLINTEND

result event_create(event** made, unsigned flags);
result event_destroy(event* e);
result event_record(event* e, void* stream);
/// In milliseconds.
result event_elapsed(float* time, event* begin, event* end);

result graph_create(graph** made, unsigned flags);
result graph_destroy(graph* g);
result graph_add_kernel(
    void** node, graph* g, void* const* after, std::size_t count, const kernel_node* what);
result graph_add_fill(void** node,
                      graph* g,
                      void* const* after,
                      std::size_t count,
                      const fill_node* what,
                      void* context);
result graph_add_event(void** node, graph* g, void* const* after, std::size_t count, event* e);
/// The memory is there from now on, and lives until its node of freeing is launched.
result graph_add_allocation(
    void** node, graph* g, void* const* after, std::size_t count, allocation_node* what);
result
graph_add_free(void** node, graph* g, void* const* after, std::size_t count, std::uint64_t pointer);
result graph_instantiate(graph** made, graph* of, unsigned long long flags);
result graph_launch(graph* g, void* stream);
result graph_exec_destroy(graph* g);

} // namespace tilesim::driver_stand_in
