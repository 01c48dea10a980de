// A run's report as JSON, for the process that started the run.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/report_json.hpp"

#include "sim/contract/frames_json.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/standard_error.hpp"
#include "sim/core/scheduler.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/process/outside.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

namespace tilesim::sim {

namespace {

nlohmann::ordered_json choices_json(const run_choices& choices) {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < choices.instead.size(); ++i) {
    auto points = nlohmann::ordered_json::array();
    for (const turn_point& p : choices.preemptions[i]) {
      points.push_back(p.raw ? nlohmann::ordered_json{p.operations, *p.raw}
                             : nlohmann::ordered_json(p.operations));
    }
    list.push_back(
        {{"instead", to_string(choices.instead[i])}, {"preemptions", std::move(points)}});
  }
  return list;
}

} // namespace

namespace {

nlohmann::ordered_json stale_json(const std::vector<stale_read>& reads) {
  auto list = nlohmann::ordered_json::array();
  for (const stale_read& s : reads) {
    list.push_back({{"message", s.message},
                    {"remedy", s.remedy},
                    {"where", frames_json<nlohmann::ordered_json>(s.where)},
                    {"passed", frames_json<nlohmann::ordered_json>(s.passed)}});
  }
  return list;
}

} // namespace

nlohmann::ordered_json to_json(const finding& f) {
  nlohmann::ordered_json json{
      {"code", code(f.kind)},
      {"severity", f.severity == finding::level::defect ? "error" : "note"},
      {"message", f.message},
      {"details", f.details},
      {"remedy", f.remedy},
      {"count", f.count},
      {"where", frames_json<nlohmann::ordered_json>(f.where)},
      {"other", frames_json<nlohmann::ordered_json>(f.other)},
      {"through", frames_json<nlohmann::ordered_json>(f.through)},
      {"other_through", frames_json<nlohmann::ordered_json>(f.other_through)},
      {"blocks", f.history.blocks},
      {"turns", f.history.turns},
      {"shown_by", f.history.schedule},
      {"parties", f.history.parties},
      {"stale", f.history.stale},
      {"stale_reads", stale_json(f.stale)},
      {"variants", nlohmann::ordered_json::array()},
      {"known", f.known}};
  for (const finding_variant& v : f.variants) {
    json["variants"].push_back({{"what", v.what}, {"count", v.count}});
  }
  return json;
}

std::string to_json(const report& r, const run_facts& facts) {
  nlohmann::ordered_json json{{"how", facts.how},
                              {"schedule", facts.schedule},
                              {"operations", facts.operations - facts.before.operations},
                              {"steps", facts.steps - facts.before.steps},
                              {"made", facts.made - facts.before.made},
                              {"judged", facts.judged - facts.before.judged},
                              {"before",
                               {{"operations", facts.before.operations},
                                {"steps", facts.before.steps},
                                {"made", facts.before.made},
                                {"judged", facts.before.judged}}},
                              {"outside", facts.outside},
                              {"stale", facts.stale},
                              {"stale_reads", stale_json(facts.stale_reads)},
                              {"findings", nlohmann::ordered_json::array()}};
  if (facts.unfollowed) {
    json["unfollowed"] = *facts.unfollowed;
  }
  for (const finding& f : r.findings) {
    json["findings"].push_back(to_json(f));
  }
  if (facts.choices != nullptr && facts.history != nullptr) {
    json["turns"] = to_string(facts.history->turns);
    json["choices"] = choices_json(*facts.choices);
    json["choices_complete"] = facts.choices->complete;
  }
  if (facts.copies != nullptr) {
    json["copies"] = nlohmann::ordered_json::array();
    for (const host_copy& c : facts.copies->first()) {
      json["copies"].push_back({{"function", c.function},
                                {"bytes", c.bytes},
                                {"hash", c.hash},
                                {"where", frames_json<nlohmann::ordered_json>(resolve(c.site))}});
    }
    json["later_copies"] = facts.copies->later();
  }
  json["drawn"] = nlohmann::ordered_json::array();
  if (facts.drawn != nullptr) {
    for (const drawing_site& s : facts.drawn->sites()) {
      if (s.why != left_open::outside) {
        json["drawn"].push_back({{"site", reinterpret_cast<std::uintptr_t>(s.site)},
                                 {"elements", s.elements},
                                 {"where", frames_json<nlohmann::ordered_json>(resolve(s.site))},
                                 {"what", explain(s)},
                                 {"remedy", remedy(s.why)}});
      }
    }
  }
  // A file's name may hold any bytes.
  return json_text(json, 2);
}

void write_report(const std::string& path, const report& r, const run_facts& facts) {
  const simulators_own_files here;
  const std::string text = to_json(r, facts);
  const std::string part = path + ".part";
  std::FILE* file = std::fopen(part.c_str(), "w");
  const bool written =
      file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = file != nullptr && std::fclose(file) == 0;
  if (!written || !closed || std::rename(part.c_str(), path.c_str()) != 0) {
    print_error("tilesim: error: {}: {}\n", path, std::strerror(errno));
  }
}

} // namespace tilesim::sim
