// Graphs: adding, cloning, ordering, launching.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/graph.hpp"

#include "memmodel/assertion.hpp"

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
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const CUgraphNode_st* const before : nodes[i]->after) {
      made->nodes[i]->after.push_back(made->nodes[*find(before)].get());
    }
  }
  return made;
}

CUgraphExec_st::node* CUgraphExec_st::find(const CUgraphNode_st* from) noexcept {
  const auto it =
      std::find_if(nodes.begin(), nodes.end(), [from](const node& n) { return n.from == from; });
  return it == nodes.end() ? nullptr : &*it;
}

namespace tilesim::sim {

namespace {

using whole_graph = std::shared_ptr<CUgraph_st>;

/// The graph itself, or one inside it.
template <class Test>
CUgraph_st* find_within(CUgraph_st& graph, const Test& test) {
  if (test(graph)) {
    return &graph;
  }
  for (const auto& n : graph.nodes) {
    if (const auto* child = parameters_of<whole_graph>(n->what)) {
      if (CUgraph_st* const found = find_within(**child, test)) {
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
      return true;
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

  CUgraphExec_st& to_;
};

/// One launch: which stream does which node.
class launching_graph {
public:
  launching_graph(work_queue& work, CUgraphExec_st& exec, CUstream_st& stream)
      : work_(work)
      , exec_(exec)
      , stream_(stream) {}

  void launch() {
    work_.wait_for(stream_, exec_.last);
    const std::shared_ptr<task> begin = work_.append(stream_, {});
    for (std::size_t i = 0; i < exec_.nodes.size(); ++i) {
      CUstream_st& in = stream_for(i);
      if (exec_.nodes[i].after.empty()) {
        work_.wait_for(in, begin);
      }
      for (const std::size_t before : exec_.nodes[i].after) {
        work_.wait_for(in, tasks_[before]);
      }
      tasks_.push_back(append(in, exec_.nodes[i]));
    }
    for (const auto& [stream, newest] : newest_) {
      if (stream != &stream_) {
        work_.wait_for(stream_, tasks_[newest]);
      }
    }
    exec_.last = work_.append(stream_, {});
  }

private:
  /// The stream of a node that it comes after and behind which nothing is yet; else another one.
  CUstream_st& stream_for(std::size_t i) {
    const auto& after = exec_.nodes[i].after;
    for (auto& [stream, newest] : newest_) {
      if (std::find(after.begin(), after.end(), newest) != after.end()) {
        newest = i;
        return *stream;
      }
    }
    CUstream_st& in = newest_.empty() ? stream_ : work_.lane(stream_, newest_.size() - 1);
    newest_.emplace_back(&in, i);
    return in;
  }

  std::shared_ptr<task> append(CUstream_st& in, const CUgraphExec_st::node& node) {
    if (!node.enabled) {
      return work_.append(in, {});
    }
    const auto* const event = parameters_of<cudaEvent_t>(node.what);
    if (event == nullptr || !work_.is_event(*event)) {
      return work_.append(in, node.what);
    }
    if (node.what.type == cudaGraphNodeTypeWaitEvent) {
      work_.wait_for(in, (*event)->after);
      return work_.append(in, {});
    }
    return work_.record(in, **event);
  }

  work_queue& work_;
  CUgraphExec_st& exec_;
  CUstream_st& stream_;
  std::vector<std::shared_ptr<task>> tasks_;                 ///< by node
  std::vector<std::pair<CUstream_st*, std::size_t>> newest_; ///< node, of each stream
};

} // namespace

CUgraph_st* graph_store::add(std::shared_ptr<CUgraph_st> graph) {
  return graphs_.emplace_back(std::move(graph)).get();
}

CUgraphExec_st* graph_store::add(std::unique_ptr<CUgraphExec_st> exec) {
  return execs_.emplace_back(std::move(exec)).get();
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

bool graph_store::destroy(cudaGraph_t graph) {
  return std::erase_if(graphs_, [graph](const auto& g) { return g.get() == graph; }) != 0;
}

bool graph_store::destroy(cudaGraphExec_t exec) {
  return std::erase_if(execs_, [exec](const auto& e) { return e.get() == exec; }) != 0;
}

std::unique_ptr<CUgraphExec_st> instantiate(const CUgraph_st& graph) {
  auto made = std::make_unique<CUgraphExec_st>();
  return flattening(*made).append(graph, {}) ? std::move(made) : nullptr;
}

std::shared_ptr<CUgraph_st> as_graph(const CUgraphExec_st& exec) {
  auto made = std::make_shared<CUgraph_st>();
  for (const CUgraphExec_st::node& n : exec.nodes) {
    CUgraphNode_st* const copy = made->add(n.enabled ? n.what : piece{}, {});
    for (const std::size_t before : n.after) {
      copy->after.push_back(made->nodes[before].get());
    }
  }
  return made;
}

void launch(work_queue& work, CUgraphExec_st& exec, CUstream_st& stream) {
  TILESIM_ASSERT(stream.capturing == nullptr, stream.id);
  launching_graph(work, exec, stream).launch();
}

} // namespace tilesim::sim
