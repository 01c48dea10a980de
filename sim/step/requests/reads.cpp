// What strong reads may take, and taking it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/execution.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/memory/engine.hpp"
#include "sim/step/requests.hpp"
#include "sim/watch/capture.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace tilesim::sim::step {

namespace {

/// In the type of the elements that lie there.
std::string text_of(const offered_write& w, const offered_read& r, const buffers& known) {
  std::vector<std::uint8_t> cells(r.bytes);
  std::memcpy(cells.data(), &w.value, std::min(cells.size(), sizeof w.value));
  const auto told = message_of(captured_bytes(known, r.address, std::move(cells)), known);
  return told.texts.empty() ? told.missing : told.texts.front();
}

protocol::offered_read message_of(const offered_read& r, const run_record& run) {
  const buffers& known = run.known;
  protocol::offered_read told{.element = r.element,
                              .place = known.describe(r.address),
                              .writes = {},
                              .takes = r.takes,
                              .bound = r.bound};
  for (const offered_write& w : r.writes) {
    told.writes.push_back({.value = text_of(w, r, known),
                           .operation = run.strong_writes.operation_of(w.operation),
                           .by = w.by,
                           .frames = w.site != nullptr ? resolve(w.site) : protocol::frames{}});
  }
  return told;
}

} // namespace

protocol::read_list requests::reads(const protocol::reads& request) {
  protocol::read_list list;
  sim_thread* const t = names_.thread();
  if (t == nullptr || t->next_operation == nullptr) {
    list.none = "no block stands here before an operation";
    return list;
  }
  const auto tell = [&](std::vector<offered_read> reads, std::vector<protocol::offered_read>& to) {
    reads.resize(std::min(reads.size(), request.most));
    for (const offered_read& r : reads) {
      to.push_back(message_of(r, run_));
    }
  };
  tell(chosen_.coming(*t, list.none), list.coming);
  if (t->run_operation != 0) {
    tell(run_.in.exec->memory().were_offered(*t, t->run_operation), list.made);
  }
  return list;
}

protocol::chosen requests::choose(const protocol::choose& request) {
  sim_thread* const t = names_.thread();
  if (run_.over || t == nullptr || t->next_operation == nullptr) {
    refuse("no block stands here before an operation: there is no read to choose for");
  }
  return {chosen_.choose(*t, request.back, request.element)};
}

} // namespace tilesim::sim::step
