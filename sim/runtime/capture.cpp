// Captures of streams.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/capture.hpp"

#include <algorithm>
#include <set>

namespace tilesim::sim {

capture::capture(CUstream_st& from, cudaStreamCaptureMode how, CUgraph_st* to)
    : origin(&from)
    , mode(how)
    , thread(std::this_thread::get_id())
    , own_(to == nullptr ? std::make_shared<CUgraph_st>() : nullptr)
    , to_(to == nullptr ? own_.get() : to) {}

void capture::take(CUstream_st& stream, piece what) {
  stream.frontier = {to_->add(std::move(what), stream.frontier)};
}

void capture::join(CUstream_st& stream, const std::vector<CUgraphNode_st*>& behind) {
  if (stream.capturing.get() != this) {
    streams_.push_back(&stream);
    stream.frontier.clear();
  }
  for (CUgraphNode_st* const n : behind) {
    if (std::find(stream.frontier.begin(), stream.frontier.end(), n) == stream.frontier.end()) {
      stream.frontier.push_back(n);
    }
  }
}

void capture::leave(CUstream_st& stream) {
  std::erase(streams_, &stream);
  if (&stream == origin) {
    end();
  }
}

bool capture::joined() const {
  std::set<const CUgraphNode_st*> before;
  std::vector<const CUgraphNode_st*> reached(origin->frontier.begin(), origin->frontier.end());
  while (!reached.empty()) {
    const CUgraphNode_st* const n = reached.back();
    reached.pop_back();
    if (before.insert(n).second) {
      reached.insert(reached.end(), n->after.begin(), n->after.end());
    }
  }
  return std::all_of(streams_.begin(), streams_.end(), [&](const CUstream_st* s) {
    return std::all_of(s->frontier.begin(), s->frontier.end(), [&](const CUgraphNode_st* n) {
      return before.contains(n);
    });
  });
}

void capture::end() {
  over = true;
  const std::vector<CUstream_st*> all = std::move(streams_);
  streams_.clear();
  for (CUstream_st* const s : all) {
    s->frontier.clear();
    if (s != origin) {
      s->capturing = nullptr;
    }
  }
  // The origin last: it may own this.
  const auto it = std::find(all.begin(), all.end(), origin);
  if (it != all.end()) {
    (*it)->capturing = nullptr;
  }
}

} // namespace tilesim::sim
