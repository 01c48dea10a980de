// Conditions of graphs: handles, what kernels set, what conditional nodes ask.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/graph_conditions.hpp"

#include "sim/core/execution.hpp"
#include "sim/core/watcher.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/memory/engine.hpp"
#include "sim/runtime/graph_calls.hpp"

#include <tilesim/detail/device_sync.hpp>

using namespace tilesim::sim;

namespace tilesim::sim {

namespace {

/// As work of a stream: a word is written where `writes`, else read.
void access(context& c, condition& of, unsigned& value, const void* site, bool writes) {
  const scoped_access open(c.mem);
  const byte_place word{of.at, true};
  const byte_place own{&value, false};
  c.exec->memory().copy(
      {.at = &c.current_work, .by = writes ? "cudaGraphLaunch" : "a conditional node"},
      site,
      writes ? word : own,
      writes ? own : word,
      sizeof value);
}

} // namespace

void begin_conditions(context& c, const std::vector<std::shared_ptr<condition>>& conditions) {
  for (const auto& one : conditions) {
    one->assigned = one->has_default;
    if (one->has_default) {
      access(c, *one, one->at_launch, one->site, true);
    }
  }
}

unsigned ask_condition(context& c, const conditional_parameters& node) {
  if (!node.of->assigned) {
    c.found.add(node.site,
                {.kind = finding_kind::uninitialised_read,
                 .message = "a conditional node asks a condition that nothing has set since the "
                            "launch began",
                 .details = {fmt::format("its handle was created at {}", place(node.of->site)),
                             "the run goes on as with 0"},
                 .remedy =
                     "set it by cudaGraphSetConditional in a kernel before the node, or create "
                     "the handle with cudaGraphCondAssignDefault"});
    return 0;
  }
  unsigned value = 0;
  access(c, *node.of, value, node.site, false);
  return value;
}

} // namespace tilesim::sim

unsigned* tilesim::detail::condition_of(unsigned long long handle) noexcept {
  const library_section inside;
  context& c = context::current();
  auto* const at = reinterpret_cast<unsigned*>(handle); // NOLINT(performance-no-int-to-ptr)
  const auto& all = runtime_state::of(c).graphs.conditions;
  const auto found = all.find(at);
  const std::shared_ptr<condition> one = found == all.end() ? nullptr : found->second.lock();
  if (one == nullptr) {
    c.found.stop(
        TILESIM_SITE,
        {.kind = finding_kind::api_misuse,
         .message = fmt::format(
             "cudaGraphSetConditional: {:#x} is no conditional handle, or its graph is gone",
             handle),
         .remedy = "pass what cudaGraphConditionalHandleCreate gave to the kernel"});
  }
  one->assigned = true;
  return at;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* pHandle_out,
                                             cudaGraph_t graph,
                                             unsigned int defaultLaunchValue,
                                             unsigned int flags) {
  TILESIM_ENTRY(call)
  const char* const function = "cudaGraphConditionalHandleCreate";
  TILESIM_GRAPH(g, call, graph, function)
  if (pHandle_out == nullptr || (flags & ~unsigned{cudaGraphCondAssignDefault}) != 0) {
    return no_graph(call,
                    function,
                    pHandle_out == nullptr ? "null pointer for the handle"
                                           : "flags are not 0 or cudaGraphCondAssignDefault");
  }
  const void* const site = with_callers(call.site);
  auto* const at =
      static_cast<unsigned*>(call.sim.mem.allocate(memory_kind::device, sizeof(unsigned), site));
  if (at == nullptr) {
    return call.error(cudaErrorMemoryAllocation);
  }
  const allocation& a = *call.sim.mem.find(at);
  call.sim.exec->watchers().tell([&a](watcher& w) { w.allocated(a); });
  const auto made =
      std::make_shared<condition>(condition{.at = at,
                                            .at_launch = defaultLaunchValue,
                                            .has_default = flags == cudaGraphCondAssignDefault,
                                            .site = site});
  g->conditions.push_back(made);
  call.state.graphs.conditions[at] = made;
  *pHandle_out = reinterpret_cast<cudaGraphConditionalHandle>(at);
  return call.ok();
}
