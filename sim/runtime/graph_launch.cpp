// Launches of graphs: which stream does which node, and what conditional nodes do.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/graph_launch.hpp"

#include "memmodel/assertion.hpp"
#include "sim/core/context.hpp"
#include "sim/runtime/graph_conditions.hpp"
#include "sim/runtime/work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace tilesim::sim {

namespace {

/// A copy that later changes to the executable do not reach.
std::shared_ptr<const CUgraphExec_st> copy_of(const CUgraphExec_st& exec) {
  auto made = std::make_shared<CUgraphExec_st>(exec);
  for (auto& n : made->nodes) {
    for (auto& body : n.bodies) {
      body = std::const_pointer_cast<CUgraphExec_st>(copy_of(*body));
    }
  }
  return made;
}

/// A conditional node of a launch: asked when all before it is done.
struct conditional_work {
  context& sim;
  work_queue& work;
  conditional_parameters node;
  std::vector<std::shared_ptr<const CUgraphExec_st>> bodies;
  std::shared_ptr<CUstream_st> stream; ///< where bodies are done
  std::shared_ptr<task> of;            ///< while it loops
  std::uint64_t rounds = 0;            ///< that a while node has begun

  /// The body that comes next; nullptr: none.
  [[nodiscard]] const CUgraphExec_st* ask() const {
    const std::size_t value = ask_condition(sim, node);
    const std::size_t which = node.type == cudaGraphCondTypeSwitch ? value : value == 0 ? 1 : 0;
    return which < bodies.size() ? bodies[which].get() : nullptr;
  }
};

/// Stops at a while node that does not end, as a livelock of blocks is stopped: blocks of its body
/// end in every round, and an empty one has none.
void refuse_endless(conditional_work& w, const CUgraphExec_st& body) {
  constexpr std::uint64_t most = 100'000;
  ++w.rounds;
  const bool idle = body.nodes.empty();
  if (w.node.type != cudaGraphCondTypeWhile ||
      (!idle && w.rounds <= w.sim.opts.idle_ops.value_or(most))) {
    return;
  }
  w.sim.found.stop(
      w.node.site,
      {.kind = idle ? finding_kind::livelock : finding_kind::limit,
       .message = idle ? std::string(
                             "livelock: a while node has an empty body, and its condition is not 0")
                       : fmt::format("no end in sight: a while node has done its body {} times",
                                     w.rounds - 1),
       .details = {},
       .remedy = "have a kernel of the body set the condition to 0 by cudaGraphSetConditional; a "
                 "loop that only needs longer is given more rounds by --idle-ops"});
}

launch_id begin_body(const std::shared_ptr<conditional_work>& w);

/// One launch of a graph or of a body: which stream does which node.
class launching_graph {
public:
  launching_graph(context& c,
                  work_queue& work,
                  const std::vector<CUgraphExec_st::node>& nodes,
                  CUstream_st& stream)
      : sim_(c)
      , work_(work)
      , nodes_(nodes)
      , stream_(stream) {}

  /// Behind all that the stream has been given; what it is given next comes after all of it.
  void append_all(std::function<launch_id()> at_begin) {
    const std::shared_ptr<task> begin = work_.append(stream_, {.start = std::move(at_begin)});
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      CUstream_st& in = stream_for(i);
      if (nodes_[i].after.empty()) {
        work_.wait_for(in, begin);
      }
      for (const std::size_t before : nodes_[i].after) {
        work_.wait_for(in, tasks_[before]);
      }
      tasks_.push_back(append_node(in, nodes_[i]));
    }
    for (const auto& [stream, newest] : newest_) {
      if (stream != &stream_) {
        work_.wait_for(stream_, tasks_[newest]);
      }
    }
  }

private:
  /// The stream of a node that it comes after and behind which nothing is yet; else another one.
  CUstream_st& stream_for(std::size_t i) {
    const auto& after = nodes_[i].after;
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

  std::shared_ptr<task> append_node(CUstream_st& in, const CUgraphExec_st::node& node) {
    if (!node.enabled) {
      return work_.append(in, {});
    }
    if (const auto* const told = parameters_of<conditional_parameters>(node.what)) {
      return append_conditional(in, *told, node);
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

  std::shared_ptr<task> append_conditional(CUstream_st& in,
                                           const conditional_parameters& told,
                                           const CUgraphExec_st::node& node) {
    const auto w = std::make_shared<conditional_work>(
        conditional_work{sim_, work_, told, {}, work_.body_stream(in), nullptr});
    for (const auto& body : node.bodies) {
      w->bodies.push_back(copy_of(*body));
    }
    return work_.append(
        in, {.type = cudaGraphNodeTypeConditional, .start = [w] { return begin_body(w); }});
  }

  context& sim_;
  work_queue& work_;
  const std::vector<CUgraphExec_st::node>& nodes_;
  CUstream_st& stream_;
  std::vector<std::shared_ptr<task>> tasks_;                 ///< by node
  std::vector<std::pair<CUstream_st*, std::size_t>> newest_; ///< node, of each stream
};

launch_id begin_body(const std::shared_ptr<conditional_work>& w) {
  if (w->of == nullptr) {
    w->of = w->work.starting();
  }
  if (const CUgraphExec_st* const body = w->ask()) {
    refuse_endless(*w, *body);
    w->stream->order.follow(w->sim.current_work);
    launching_graph(w->sim, w->work, body->nodes, *w->stream).append_all({});
    const bool again = w->node.type == cudaGraphCondTypeWhile;
    w->of->within =
        w->work.append(*w->stream, again ? piece{.start = [w] { return begin_body(w); }} : piece{});
  }
  return launch_id{0};
}

} // namespace

void launch(context& c, work_queue& work, CUgraphExec_st& exec, CUstream_st& stream) {
  TILESIM_ASSERT(stream.capturing == nullptr, stream.id);
  work.wait_for(stream, exec.last);
  launching_graph(c, work, exec.nodes, stream).append_all([&c, conditions = exec.conditions] {
    begin_conditions(c, conditions);
    return launch_id{0};
  });
  // What the graph keeps alive lives until the launch is done.
  exec.last = work.append(stream, {.start = [objects = exec.objects, asked = exec.conditions] {
                            return launch_id{0};
                          }});
}

} // namespace tilesim::sim
