// An execution of a litmus test as one shows it: named events, and the edges worth drawing.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/enumerate.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools {

struct event_view {
  std::string name;   ///< "a", "b" … in the order of the threads; "init" of an initial write
  std::string label;  ///< "W.release.gpu y=1", "F.sc.sys", "B.sync #1"
  std::string source; ///< the instruction as written; of an initial write "x=0"
  memmodel::litmus::position at;
  std::string place;                 ///< "y", "data[2]"; empty for fences and barriers
  memmodel::litmus::value value = 0; ///< of reads and writes
  std::string reads_from; ///< of reads: "b", "init", "b (bytes 0 to 3), c (bytes 4 to 7)"
};

struct edge_view {
  memmodel::event_id from = memmodel::no_event;
  memmodel::event_id to = memmodel::no_event;
  std::string_view kind; ///< "rf", "co", "fr", "sync", "sc", "bar", "race"
};

/// The writes to one variable, from first to last where coherence orders them all.
struct coherence_view {
  std::string place;
  bool total = true;
  std::vector<memmodel::event_id> order; ///< if total
  std::vector<edge_view> edges;          ///< otherwise: the immediate steps
};

struct execution_view {
  const memmodel::litmus::test* test = nullptr;
  const memmodel::litmus::shown_execution* shown = nullptr;
  bool tile = false;
  std::vector<event_view> events; ///< by event_id
  /// The immediate steps of each relation; of co and fr those that follow from no others. Program
  /// order is in the events.
  std::vector<edge_view> edges;
  std::vector<coherence_view> coherence; ///< variables that somebody writes to

  [[nodiscard]] const memmodel::event& event(memmodel::event_id e) const {
    return shown->what.events[e];
  }
  [[nodiscard]] std::vector<memmodel::event_id> of_thread(memmodel::thread_id p) const;
};

/// `tile`: scopes and places in the words of tile programs.
[[nodiscard]] execution_view
view_of(const memmodel::litmus::test& t, const memmodel::litmus::shown_execution& x, bool tile);

/// "cta 0, gpu 0"; "block 0, device 0"; "host".
[[nodiscard]] std::string place_text(const memmodel::place& p, bool tile);

/// ".gpu", ".device".
[[nodiscard]] std::string scope_text(memmodel::scope s, bool tile);

/// What an edge of a cycle says: "a overwrites what d read".
[[nodiscard]] std::string
meaning(std::string_view edge, const std::string& from, const std::string& to);

/// What makes an execution hang: "P1 waits at 'bar.cta.sync 1, 1, 4'". By thread that does.
[[nodiscard]] std::vector<std::string> stuck_threads(const memmodel::litmus::test& t,
                                                     const memmodel::litmus::shown_execution& x);

} // namespace tilesim::tools
