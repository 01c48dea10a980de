// What `tilesim explore` asks of the program, and how the order gets there: no option of a run, as
// an exploration is many.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/json_text.hpp"
#include "sim/contract/printable.hpp"

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tilesim::sim {

inline constexpr const char* exploration_variable = "TILESIM_EXPLORE";

struct exploration_order {
  bool sequential = false;          ///< the model is sc, not ptx
  bool load_buffering = true;       ///< reads may take from their own future
  bool reduction = true;            ///< places that nobody shares are left out
  bool symmetry = true;             ///< identical blocks are explored in fewer ways
  std::optional<std::size_t> bound; ///< only executions of which so many reads are stale
  std::uint64_t samples = 0;        ///< so many executions are drawn; 0: all are explored
  std::uint64_t seed = 1;           ///< which are drawn
  std::size_t jobs = 1;             ///< processes that explore
  std::size_t shard = 0;            ///< which of
  std::size_t shards = 1;           ///< so many parts of the exploration
  std::string known;                ///< of a shard: what shards have come to know before, a file
  std::string cluster;              ///< a socket of who hands parts to other machines
  std::string task;      ///< another machine's part alone, a file; its answer is the report
  bool pictures = false; ///< of an execution for each state and finding
  double seconds = 0;    ///< for all of it; 0: no limit
  std::vector<std::string> observe; ///< buffers by name; empty: all that the kernels write
  std::string report;               ///< where to write what was found, as JSON
};

/// {"sequential", "load_buffering", "reduction", "symmetry", "bound", "samples", "seed", "jobs",
/// "shard", "shards", "known", "cluster", "task", "pictures", "seconds", "observe", "report"}
[[nodiscard]] inline std::string to_text(const exploration_order& o) {
  return json_text(
      nlohmann::json{{"sequential", o.sequential},
                     {"load_buffering", o.load_buffering},
                     {"reduction", o.reduction},
                     {"symmetry", o.symmetry},
                     {"bound", o.bound ? nlohmann::json(*o.bound) : nlohmann::json(nullptr)},
                     {"samples", o.samples},
                     {"seed", o.seed},
                     {"jobs", o.jobs},
                     {"shard", o.shard},
                     {"shards", o.shards},
                     {"known", printable(o.known)},
                     {"cluster", printable(o.cluster)},
                     {"task", printable(o.task)},
                     {"pictures", o.pictures},
                     {"seconds", o.seconds},
                     {"observe", o.observe},
                     {"report", printable(o.report)}});
}

/// Says what of an order cannot be read.
class unreadable_order : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Nothing: none is given.
/// @throws unreadable_order: an exploration that nobody makes is no run that says so
[[nodiscard]] inline std::optional<exploration_order> exploration_from_environment() {
  const char* const text = std::getenv(exploration_variable);
  if (text == nullptr || *text == '\0') {
    return {};
  }
  const nlohmann::json j = parse_json(text);
  if (!j.is_object()) {
    throw unreadable_order("it is no JSON object");
  }
  try {
    std::optional<std::size_t> bound;
    if (!j.at("bound").is_null()) {
      bound = j.at("bound").get<std::size_t>();
    }
    return exploration_order{.sequential = j.at("sequential"),
                             .load_buffering = j.at("load_buffering"),
                             .reduction = j.at("reduction"),
                             .symmetry = j.at("symmetry"),
                             .bound = bound,
                             .samples = j.at("samples"),
                             .seed = j.at("seed"),
                             .jobs = j.at("jobs"),
                             .shard = j.at("shard"),
                             .shards = j.at("shards"),
                             .known = bytes_of(j.at("known").get<std::string>()),
                             .cluster = bytes_of(j.at("cluster").get<std::string>()),
                             .task = bytes_of(j.at("task").get<std::string>()),
                             .pictures = j.at("pictures"),
                             .seconds = j.at("seconds"),
                             .observe = j.at("observe").get<std::vector<std::string>>(),
                             .report = bytes_of(j.at("report").get<std::string>())};
  } catch (const nlohmann::json::exception& e) {
    throw unreadable_order(e.what());
  }
}

} // namespace tilesim::sim
