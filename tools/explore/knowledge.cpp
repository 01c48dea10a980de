// What the shards of an exploration know together of its threads.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/explore/knowledge.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/contract/exploration_report.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/printable.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/explore/json_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tilesim::tools {

namespace {

using json = nlohmann::ordered_json;

struct knowledge {
  std::set<std::tuple<std::size_t, std::size_t, std::vector<std::uint64_t>>> runs;
  /// By thread, and what of its writes they are of: how many of them an execution has at most.
  using numbers = std::map<std::pair<std::size_t, std::vector<std::uint64_t>>, std::uint64_t>;
  numbers promises; ///< by address, size and value
  numbers written;  ///< by address and size
  std::set<std::vector<std::uint64_t>> shared;
  bool buffering = false;

  void add(const json& known) {
    for (const json& r : known.at(sim::in_knowledge::runs)) {
      runs.emplace(r.at(0), r.at(1), r.at(2).get<std::vector<std::uint64_t>>());
    }
    add(known.at(sim::in_knowledge::promises), promises);
    add(known.at(sim::in_knowledge::written), written);
    shared.insert(known.at(sim::in_knowledge::shared).get<std::vector<std::uint64_t>>());
    buffering = buffering || known.at(sim::in_knowledge::buffering).get<bool>();
  }
  static void add(const json& from, numbers& to) {
    for (const json& p : from) {
      auto of = p.at(1).get<std::vector<std::uint64_t>>();
      const std::uint64_t times = of.back();
      of.pop_back();
      std::uint64_t& most = to[{p.at(0).get<std::size_t>(), std::move(of)}];
      most = std::max(most, times);
    }
  }
  [[nodiscard]] static json text_of(const numbers& all) {
    json out = json::array();
    for (const auto& [write, times] : all) {
      std::vector<std::uint64_t> of = write.second;
      of.push_back(times);
      out.push_back({write.first, of});
    }
    return out;
  }
  /// Several threads have written what others may be promised. [kernel_threads::some_promised]
  [[nodiscard]] bool some_promised() const {
    return !promises.empty() && promises.begin()->first.first != promises.rbegin()->first.first;
  }
};

/// It grows with what is known of writes that may be promised.
std::uint64_t total_of(const json& known) {
  std::uint64_t sum = 0;
  for (const char* const of : {sim::in_knowledge::promises, sim::in_knowledge::written}) {
    for (const json& p : known.at(of)) {
      const bool some = p.is_array() && p.size() == 2 && p[1].is_array() && !p[1].empty();
      sum += some && p[1].back().is_number_unsigned() ? p[1].back().get<std::uint64_t>() : 0;
    }
  }
  return sum;
}

std::string hash_of(const json& given) {
  return given.is_null() ? "" : given.at(in_given::hash).get<std::string>();
}

} // namespace

nlohmann::ordered_json known_together(const std::vector<std::string>& files,
                                      const std::vector<explore_report>& parts) {
  const explore_report& first = parts.front();
  knowledge all;
  bool alike = true; // they agree in which accesses are steps
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const explore_report& p = parts[i];
    if (p.known.at(sim::in_knowledge::memory) != first.known.at(sim::in_knowledge::memory)) {
      throw failure(exit_input,
                    fmt::format("{} and {}: the program's memory lies elsewhere in each: shards "
                                "are explored by the same program on machines that are alike",
                                files.front(),
                                files[i]));
    }
    if (hash_of(p.given) != hash_of(first.given)) {
      throw failure(exit_input,
                    fmt::format("{} and {} were given different things by --known: explore all "
                                "shards with the same",
                                files.front(),
                                files[i]));
    }
    all.add(p.known);
    alike = alike && p.known.at(sim::in_knowledge::mark) == first.known.at(sim::in_knowledge::mark);
  }
  const bool grown = first.given.is_null() ||
                     first.given.at(in_given::runs).get<std::size_t>() != all.runs.size() ||
                     first.given.at(in_given::promises).get<std::uint64_t>() !=
                         total_of({{sim::in_knowledge::promises, knowledge::text_of(all.promises)},
                                   {sim::in_knowledge::written, knowledge::text_of(all.written)}});
  if (alike && !(all.buffering && all.some_promised() && grown)) {
    return nullptr;
  }
  if (!alike) { // what is known of the threads is told by steps that they do not share
    all.runs.clear();
    all.promises.clear();
    all.written.clear();
  }
  return {{in_known_file::tilesim, TILESIM_VERSION},
          {in_known_file::of, origin_of(first)},
          {sim::in_knowledge::memory, first.known.at(sim::in_knowledge::memory)},
          {sim::in_knowledge::buffering, alike && all.buffering},
          {sim::in_knowledge::shared, all.shared},
          {sim::in_knowledge::runs, all.runs},
          {sim::in_knowledge::promises, knowledge::text_of(all.promises)},
          {sim::in_knowledge::written, knowledge::text_of(all.written)}};
}

void give_known(explore_report& r, const std::string& file) {
  if (file.empty()) {
    return;
  }
  const auto text = read_text(file);
  if (!text) {
    throw failure(exit_usage, fmt::format("{}: cannot be read; --known takes a file", file));
  }
  const auto j = sim::parse_json(*text);
  if (!j.is_object() || !j.contains(in_known_file::tilesim) || !j.contains(in_known_file::of) ||
      !j.contains(sim::in_knowledge::runs) || !j.at(sim::in_knowledge::runs).is_array() ||
      !j.contains(sim::in_knowledge::promises) || !j.at(sim::in_knowledge::promises).is_array() ||
      !j.contains(sim::in_knowledge::written) || !j.at(sim::in_knowledge::written).is_array() ||
      !j.at(in_known_file::of).is_string()) {
    throw failure(
        exit_input,
        fmt::format("{}: --known takes what 'tilesim merge --known FILE' has written", file));
  }
  if (j.at(in_known_file::tilesim) != TILESIM_VERSION || j.at(in_known_file::of) != origin_of(r)) {
    throw failure(exit_input,
                  fmt::format("{} is of {}, tilesim {}; this is {}, tilesim {}",
                              file,
                              sim::printable(j.at(in_known_file::of).get<std::string>()),
                              sim::printable(sim::json_text(j.at(in_known_file::tilesim))),
                              origin_of(r),
                              TILESIM_VERSION));
  }
  r.given = {{in_given::hash, hash_bytes(*text)},
             {in_given::runs, j.at(sim::in_knowledge::runs).size()},
             {in_given::promises, total_of(j)}};
}

} // namespace tilesim::tools
