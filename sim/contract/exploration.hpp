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
#include <tuple>
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
  /// Where to say meanwhile how far it is, or empty. [exploration_progress.hpp]
  std::string progress;
};

namespace in_order {

template <class Member>
struct row {
  const char* key;
  Member exploration_order::*member;
};
template <class Member>
constexpr row<Member> of(const char* key, Member exploration_order::*member) {
  return {key, member};
}

/// Every member with its key.
inline constexpr std::tuple rows{of("sequential", &exploration_order::sequential),
                                 of("load_buffering", &exploration_order::load_buffering),
                                 of("reduction", &exploration_order::reduction),
                                 of("symmetry", &exploration_order::symmetry),
                                 of("bound", &exploration_order::bound),
                                 of("samples", &exploration_order::samples),
                                 of("seed", &exploration_order::seed),
                                 of("jobs", &exploration_order::jobs),
                                 of("shard", &exploration_order::shard),
                                 of("shards", &exploration_order::shards),
                                 of("known", &exploration_order::known),
                                 of("cluster", &exploration_order::cluster),
                                 of("task", &exploration_order::task),
                                 of("pictures", &exploration_order::pictures),
                                 of("seconds", &exploration_order::seconds),
                                 of("observe", &exploration_order::observe),
                                 of("report", &exploration_order::report),
                                 of("progress", &exploration_order::progress)};

template <class Member>
[[nodiscard]] nlohmann::json to_json(const Member& value) {
  return value;
}
[[nodiscard]] inline nlohmann::json to_json(const std::optional<std::size_t>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}
/// A path of any bytes.
[[nodiscard]] inline nlohmann::json to_json(const std::string& value) {
  return printable(value);
}

template <class Member>
void read(const nlohmann::json& j, Member& to) {
  to = j.get<Member>();
}
inline void read(const nlohmann::json& j, std::optional<std::size_t>& to) {
  if (!j.is_null()) {
    to = j.get<std::size_t>();
  }
}
inline void read(const nlohmann::json& j, std::string& to) {
  to = bytes_of(j.get<std::string>());
}

} // namespace in_order

[[nodiscard]] inline std::string to_text(const exploration_order& o) {
  nlohmann::json out = nlohmann::json::object();
  const auto write = [&](const auto& row) { out[row.key] = in_order::to_json(o.*row.member); };
  std::apply([&](const auto&... row) { (write(row), ...); }, in_order::rows);
  return json_text(out);
}

/// Says what of an order cannot be read.
class unreadable_order : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// @throws unreadable_order
[[nodiscard]] inline exploration_order exploration_from_text(const std::string& text) {
  const nlohmann::json j = parse_json(text);
  if (!j.is_object()) {
    throw unreadable_order("it is no JSON object");
  }
  exploration_order o;
  const auto read = [&](const auto& row) { in_order::read(j.at(row.key), o.*row.member); };
  try {
    std::apply([&](const auto&... row) { (read(row), ...); }, in_order::rows);
  } catch (const nlohmann::json::exception& e) {
    throw unreadable_order(e.what());
  }
  return o;
}

/// Nothing: none is given.
/// @throws unreadable_order: an exploration that nobody makes is no run that says so
[[nodiscard]] inline std::optional<exploration_order> exploration_from_environment() {
  const char* const text = std::getenv(exploration_variable);
  if (text == nullptr || *text == '\0') {
    return {};
  }
  return exploration_from_text(text);
}

} // namespace tilesim::sim
