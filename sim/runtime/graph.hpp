// CUDA graphs: nodes, the order between them, and what of a graph can be launched.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/runtime/kept_kernel.hpp"
#include "sim/runtime/stream.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <variant>
#include <vector>

struct CUgraph_st;
struct CUuserObject_st;

namespace tilesim::sim {

class runtime_state;

/// Memory that a node of a graph allocates: at one address, as long as graph or executable live; or
/// that one frees, maybe of another graph.
struct graph_allocation {
  void* at = nullptr;
  std::size_t bytes = 0;
  bool executable = false; ///< the node's graph has one: there may be one at a time
  std::shared_ptr<graph_allocation> freed = nullptr; ///< of a node that frees it
};

struct graph_memory {
  std::weak_ptr<graph_allocation> of; ///< goes with the last node
  bool allocated = false;             ///< by a launch, and not freed since
};

struct kernel_parameters {
  cudaKernelNodeParams as_given{}; ///< but for the pointers to arguments
  std::shared_ptr<const kept_kernel> kernel;
  std::vector<void*> arguments; ///< in the kernel's closure; none: nothing tells where
};

/// What conditional nodes ask: a word of device memory, whose address is the handle, so that who
/// sets it and which node reads it are ordered or race like any accesses.
struct condition {
  unsigned* at = nullptr;
  unsigned at_launch = 0;     ///< its value when a launch begins
  bool has_default = false;   ///< false: it has none then
  bool assigned = false;      ///< since the launch began
  bool executable = false;    ///< its graph has an executable; there may be one at a time
  const void* site = nullptr; ///< of the call that made the handle
};

struct conditional_parameters {
  std::shared_ptr<condition> of;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<std::shared_ptr<CUgraph_st>> bodies;
  /// Their handles, as the program is given them: as long as the node lives.
  std::shared_ptr<std::vector<CUgraph_st*>> handles;
  const void* site = nullptr; ///< of the call that added the node

  [[nodiscard]] conditional_parameters clone() const;
};

/// What a node has been told, in the runtime's words.
struct node_parameters {
  std::variant<std::monostate,
               kernel_parameters,
               cudaMemcpy3DParms,
               cudaMemsetParams,
               cudaHostNodeParams,
               cudaEvent_t,
               std::shared_ptr<CUgraph_st>,
               std::shared_ptr<graph_allocation>,
               conditional_parameters>
      of;
};

/// Of a node; nullptr where it is of another type.
template <class T>
[[nodiscard]] const T* parameters_of(const piece& what) noexcept {
  return what.parameters == nullptr ? nullptr : std::get_if<T>(&what.parameters->of);
}

template <class T>
[[nodiscard]] std::shared_ptr<const node_parameters> keep_parameters(T what) {
  return std::make_shared<node_parameters>(node_parameters{std::move(what)});
}

/// A user object that a graph holds, and how often.
struct held_object {
  std::shared_ptr<CUuserObject_st> object;
  unsigned long long count = 0;
};
using held_objects = std::vector<held_object>;

} // namespace tilesim::sim

/// What a program gives graphs to keep alive. Its address is the handle; with the last reference
/// the program's function is called.
struct CUuserObject_st {
  void* what = nullptr;
  cudaHostFn_t destroy = nullptr;
  unsigned long long of_program = 0;                  ///< references that no graph holds
  std::weak_ptr<tilesim::sim::runtime_state> runtime; ///< nothing is called once that is gone
  const void* site = nullptr;                         ///< of the call that made it

  CUuserObject_st() = default;
  CUuserObject_st(const CUuserObject_st&) = delete;
  CUuserObject_st& operator=(const CUuserObject_st&) = delete;
  ~CUuserObject_st();
};

/// A node. Its address is the handle.
struct CUgraphNode_st {
  tilesim::sim::piece what;
  std::vector<CUgraphNode_st*> after;       ///< each once
  const CUgraphNode_st* original = nullptr; ///< of which it is a clone; may be gone
};

/// A graph. Its address is the handle.
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes; ///< in the order in which they were added
  std::vector<std::shared_ptr<tilesim::sim::condition>> conditions; ///< of handles made for it
  tilesim::sim::held_objects objects;

  CUgraphNode_st* add(tilesim::sim::piece what, std::span<CUgraphNode_st* const> after);
  /// Its index; nothing where it is not of this graph.
  [[nodiscard]] std::optional<std::size_t> find(const CUgraphNode_st* node) const noexcept;
  [[nodiscard]] std::shared_ptr<CUgraph_st> clone() const;
};

/// A graph that can be launched. Its address is the handle.
struct CUgraphExec_st {
  struct node {
    const CUgraphNode_st* from = nullptr; ///< the graph's, by which it is named; may be gone
    tilesim::sim::piece what;
    std::vector<std::size_t> after; ///< of those before it
    bool enabled = true;
    std::vector<std::shared_ptr<CUgraphExec_st>> bodies = {}; ///< of a conditional node
  };

  std::vector<node> nodes;
  unsigned long long flags = 0;
  std::shared_ptr<tilesim::sim::task> last; ///< of its last launch: the next comes after it
  tilesim::sim::held_objects objects;       ///< of its graph, of graphs and bodies inside
  std::vector<std::shared_ptr<tilesim::sim::condition>> conditions; ///< that its nodes ask
  /// Those of the graph that it was made of, which has no other executable as long as this one is.
  std::vector<std::shared_ptr<tilesim::sim::condition>> of_graph;

  /// Also one of a body.
  [[nodiscard]] node* find(const CUgraphNode_st* from) noexcept;
};

namespace tilesim::sim {

/// Whether the other one is the graph, or one inside it.
[[nodiscard]] bool holds(const CUgraph_st& graph, const CUgraph_st& other);
/// Whether a node of the graph, or of one inside it, is of the type.
[[nodiscard]] bool has_node_of(const CUgraph_st& graph, cudaGraphNodeType type);

class graph_store {
public:
  CUgraph_st* add(std::shared_ptr<CUgraph_st> graph);
  CUgraphExec_st* add(std::unique_ptr<CUgraphExec_st> exec);
  /// Also one that is a node of another.
  [[nodiscard]] CUgraph_st* find(cudaGraph_t graph) const noexcept;
  [[nodiscard]] CUgraphExec_st* find(cudaGraphExec_t exec) const noexcept;
  /// The graph that a node is of; nullptr where it is none, or was destroyed.
  [[nodiscard]] CUgraph_st* graph_of(const CUgraphNode_st* node) const noexcept;
  /// Whether a node of the graph may ask the condition: the handle was made for it, or for one of
  /// those around it.
  [[nodiscard]] bool may_ask(const CUgraph_st& graph, const condition& c) const;
  /// Whether a node of any graph asks the condition.
  [[nodiscard]] bool asks(const condition& c) const;
  /// False for one that is not there, or a node.
  bool destroy(cudaGraph_t graph);
  /// The same, and who asks has it; nullptr for one that is not there, or a node.
  [[nodiscard]] std::shared_ptr<CUgraph_st> take(cudaGraph_t graph);
  bool destroy(cudaGraphExec_t exec);

  std::map<const void*, graph_memory> memory;                         ///< of nodes, by address
  std::map<const void*, std::weak_ptr<condition>> conditions;         ///< by address
  std::map<const void*, std::weak_ptr<CUuserObject_st>> objects;      ///< by handle
  std::map<const void*, std::shared_ptr<CUuserObject_st>> of_program; ///< that it has references to

private:
  std::vector<std::shared_ptr<CUgraph_st>> graphs_;
  std::vector<std::unique_ptr<CUgraphExec_st>> execs_;
};

/// Its nodes, each behind those that it depends on, those of graphs inside in the place of these;
/// nullptr where edges make a circle.
[[nodiscard]] std::unique_ptr<CUgraphExec_st> instantiate(const CUgraph_st& graph);

/// Whether there is a handle, of the graph or of those inside it, that no conditional node asks.
[[nodiscard]] bool has_unasked_condition(const CUgraph_st& graph);
/// What `judge` says of the first node in the body of a conditional node that it does not take.
[[nodiscard]] cudaGraphInstantiateResult
judge_bodies(const CUgraph_st& graph,
             const std::function<cudaGraphInstantiateResult(const piece&)>& judge);

} // namespace tilesim::sim
