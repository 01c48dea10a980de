// Graphs: adding, cloning, ordering.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/graph.hpp"

#include <algorithm>

using namespace tilesim::sim;

CUgraphNode_st* CUgraph_st::add(piece what, std::span<CUgraphNode_st* const> after) {
  auto made = std::make_unique<CUgraphNode_st>();
  made->what = std::move(what);
  made->after.assign(after.begin(), after.end());
  return nodes.emplace_back(std::move(made)).get();
}

std::optional<std::size_t> CUgraph_st::find(const CUgraphNode_st* node) const noexcept {
  const auto it =
      std::find_if(nodes.begin(), nodes.end(), [node](const auto& n) { return n.get() == node; });
  return it == nodes.end() ? std::nullopt
                           : std::optional(static_cast<std::size_t>(it - nodes.begin()));
}

std::shared_ptr<CUgraph_st> CUgraph_st::clone() const {
  auto made = std::make_shared<CUgraph_st>();
  for (const auto& n : nodes) {
    CUgraphNode_st* const copy = made->add(n->what, {});
    copy->original = n.get();
    if (const auto* child = parameters_of<std::shared_ptr<CUgraph_st>>(n->what)) {
      copy->what.parameters = keep_parameters((*child)->clone());
    }
    if (const auto* told = parameters_of<conditional_parameters>(n->what)) {
      copy->what.parameters = keep_parameters(told->clone());
    }
  }
  made->conditions = conditions;
  made->objects = objects;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const CUgraphNode_st* const before : nodes[i]->after) {
      made->nodes[i]->after.push_back(made->nodes[*find(before)].get());
    }
  }
  return made;
}

CUgraphExec_st::node* CUgraphExec_st::find(const CUgraphNode_st* from) noexcept {
  for (node& n : nodes) {
    if (n.from == from) {
      return &n;
    }
    for (const auto& body : n.bodies) {
      if (node* const found = body->find(from)) {
        return found;
      }
    }
  }
  return nullptr;
}

namespace tilesim::sim {

conditional_parameters conditional_parameters::clone() const {
  conditional_parameters made = *this;
  made.handles = std::make_shared<std::vector<CUgraph_st*>>();
  for (auto& body : made.bodies) {
    body = body->clone();
    made.handles->push_back(body.get());
  }
  return made;
}

namespace {

using whole_graph = std::shared_ptr<CUgraph_st>;

/// Graphs that a node holds: a child, or the bodies of a conditional node.
std::span<const whole_graph> graphs_of(const CUgraphNode_st& node) {
  if (const auto* const child = parameters_of<whole_graph>(node.what)) {
    return {child, 1};
  }
  const auto* const told = parameters_of<conditional_parameters>(node.what);
  return told == nullptr ? std::span<const whole_graph>() : std::span(told->bodies);
}

/// The graph itself, or one inside it.
template <class Test>
CUgraph_st* find_within(CUgraph_st& graph, const Test& test) {
  if (test(graph)) {
    return &graph;
  }
  for (const auto& n : graph.nodes) {
    for (const whole_graph& one : graphs_of(*n)) {
      if (CUgraph_st* const found = find_within(*one, test)) {
        return found;
      }
    }
  }
  return nullptr;
}

/// Appends a graph's nodes to an executable.
class flattening {
public:
  explicit flattening(CUgraphExec_st& to)
      : to_(to) {}

  /// False: edges make a circle. `after`: what its roots come after.
  bool append(const CUgraph_st& graph, const std::vector<std::size_t>& after) {
    to_.objects.insert(to_.objects.end(), graph.objects.begin(), graph.objects.end());
    places place;
    std::size_t placed = 0;
    do {
      placed = place.size();
      for (const auto& n : graph.nodes) {
        if (!place.contains(n.get()) && ready(*n, place) && !append(*n, place, after)) {
          return false;
        }
      }
    } while (place.size() > placed);
    return place.size() == graph.nodes.size();
  }

private:
  using places =
      std::map<const CUgraphNode_st*, std::size_t>; ///< what depends on a node hangs here

  static bool ready(const CUgraphNode_st& node, const places& place) {
    return std::all_of(node.after.begin(), node.after.end(), [&](const CUgraphNode_st* before) {
      return place.contains(before);
    });
  }

  bool
  append(const CUgraphNode_st& node, places& place, const std::vector<std::size_t>& roots_after) {
    std::vector<std::size_t> before = node.after.empty() ? roots_after : std::vector<std::size_t>();
    for (const CUgraphNode_st* const n : node.after) {
      before.push_back(place.at(n));
    }
    const bool appended = append(node, std::move(before));
    place[&node] = to_.nodes.size() - 1;
    return appended;
  }

  bool append(const CUgraphNode_st& node, std::vector<std::size_t> before) {
    const auto* const child = parameters_of<whole_graph>(node.what);
    if (child == nullptr) {
      to_.nodes.push_back({&node, node.what, std::move(before)});
      const auto* const told = parameters_of<conditional_parameters>(node.what);
      return told == nullptr || append_bodies(*told);
    }
    to_.nodes.push_back({nullptr, {}, std::move(before)}); // its beginning
    const std::size_t begin = to_.nodes.size() - 1;
    if (!append(**child, {begin})) {
      return false;
    }
    std::vector<std::size_t> all{begin};
    for (std::size_t i = begin + 1; i < to_.nodes.size(); ++i) {
      all.push_back(i);
    }
    to_.nodes.push_back({&node, {}, std::move(all)}); // its end
    return true;
  }

  /// An executable for each body of the node that was appended last.
  bool append_bodies(const conditional_parameters& node) {
    std::vector<std::shared_ptr<CUgraphExec_st>> bodies;
    add_condition(node.of);
    for (const whole_graph& body : node.bodies) {
      std::shared_ptr<CUgraphExec_st> made = instantiate(*body);
      if (made == nullptr) {
        return false;
      }
      std::ranges::for_each(made->conditions, [this](const auto& c) { add_condition(c); });
      to_.objects.insert(to_.objects.end(), made->objects.begin(), made->objects.end());
      bodies.push_back(std::move(made));
    }
    to_.nodes.back().bodies = std::move(bodies);
    return true;
  }

  void add_condition(const std::shared_ptr<condition>& c) {
    if (std::ranges::find(to_.conditions, c) == to_.conditions.end()) {
      to_.conditions.push_back(c);
    }
  }

  CUgraphExec_st& to_;
};

} // namespace

CUgraph_st* graph_store::add(std::shared_ptr<CUgraph_st> graph) {
  return graphs_.emplace_back(std::move(graph)).get();
}

CUgraphExec_st* graph_store::add(std::unique_ptr<CUgraphExec_st> exec) {
  return execs_.emplace_back(std::move(exec)).get();
}

bool holds(const CUgraph_st& graph, const CUgraph_st& other) {
  return find_within(const_cast<CUgraph_st&>(graph),
                     [&other](const CUgraph_st& one) { return &one == &other; }) != nullptr;
}

bool has_node_of(const CUgraph_st& graph, cudaGraphNodeType type) {
  return find_within(const_cast<CUgraph_st&>(graph), [type](const CUgraph_st& one) {
           return std::ranges::any_of(one.nodes,
                                      [type](const auto& n) { return n->what.type == type; });
         }) != nullptr;
}

CUgraph_st* graph_store::find(cudaGraph_t graph) const noexcept {
  for (const auto& g : graphs_) {
    if (CUgraph_st* const found =
            find_within(*g, [graph](const CUgraph_st& one) { return &one == graph; })) {
      return found;
    }
  }
  return nullptr;
}

CUgraphExec_st* graph_store::find(cudaGraphExec_t exec) const noexcept {
  const auto it =
      std::find_if(execs_.begin(), execs_.end(), [exec](const auto& e) { return e.get() == exec; });
  return it == execs_.end() ? nullptr : it->get();
}

CUgraph_st* graph_store::graph_of(const CUgraphNode_st* node) const noexcept {
  for (const auto& g : graphs_) {
    if (CUgraph_st* const found =
            find_within(*g, [node](const CUgraph_st& one) { return one.find(node).has_value(); })) {
      return found;
    }
  }
  return nullptr;
}

bool graph_store::may_ask(const CUgraph_st& graph, const condition& c) const {
  const auto is_it = [&graph](const CUgraph_st& one) { return &one == &graph; };
  const auto has_it = [&c](const CUgraph_st& one) {
    return std::ranges::any_of(one.conditions, [&c](const auto& of) { return of.get() == &c; });
  };
  return std::ranges::any_of(graphs_, [&](const auto& g) {
    return find_within(*g, [&](CUgraph_st& one) {
             return has_it(one) && find_within(one, is_it) != nullptr;
           }) != nullptr;
  });
}

bool graph_store::asks(const condition& c) const {
  const auto is_asking = [&c](const auto& n) {
    const auto* const told = parameters_of<conditional_parameters>(n->what);
    return told != nullptr && told->of.get() == &c;
  };
  return std::ranges::any_of(graphs_, [&](const auto& g) {
    return find_within(*g, [&](const CUgraph_st& one) {
             return std::ranges::any_of(one.nodes, is_asking);
           }) != nullptr;
  });
}

bool graph_store::destroy(cudaGraph_t graph) {
  return take(graph) != nullptr;
}

std::shared_ptr<CUgraph_st> graph_store::take(cudaGraph_t graph) {
  const auto it = std::ranges::find(graphs_, graph, [](const auto& g) { return g.get(); });
  if (it == graphs_.end()) {
    return nullptr;
  }
  std::shared_ptr<CUgraph_st> taken = std::move(*it);
  graphs_.erase(it);
  return taken;
}

bool graph_store::destroy(cudaGraphExec_t exec) {
  return std::erase_if(execs_, [exec](const auto& e) { return e.get() == exec; }) != 0;
}

bool has_unasked_condition(const CUgraph_st& graph) {
  std::set<const condition*> made;
  std::set<const condition*> asked;
  find_within(const_cast<CUgraph_st&>(graph), [&](const CUgraph_st& one) {
    for (const auto& c : one.conditions) {
      made.insert(c.get());
    }
    for (const auto& n : one.nodes) {
      if (const auto* const told = parameters_of<conditional_parameters>(n->what)) {
        asked.insert(told->of.get());
      }
    }
    return false;
  });
  return !std::ranges::includes(asked, made);
}

cudaGraphInstantiateResult
judge_bodies(const CUgraph_st& graph,
             const std::function<cudaGraphInstantiateResult(const piece&)>& judge) {
  const auto within = [&judge](const auto& again,
                               const CUgraph_st& one,
                               bool in_body) -> cudaGraphInstantiateResult {
    for (const auto& n : one.nodes) {
      cudaGraphInstantiateResult told = in_body ? judge(n->what) : cudaGraphInstantiateSuccess;
      const bool body = in_body || n->what.type == cudaGraphNodeTypeConditional;
      for (const whole_graph& inner : graphs_of(*n)) {
        told = told == cudaGraphInstantiateSuccess ? again(again, *inner, body) : told;
      }
      if (told != cudaGraphInstantiateSuccess) {
        return told;
      }
    }
    return cudaGraphInstantiateSuccess;
  };
  return within(within, graph, false);
}

std::unique_ptr<CUgraphExec_st> instantiate(const CUgraph_st& graph) {
  auto made = std::make_unique<CUgraphExec_st>();
  return flattening(*made).append(graph, {}) ? std::move(made) : nullptr;
}

} // namespace tilesim::sim
