// Writes a check's report as JSON.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/json.hpp"

#include "sim/contract/frames_json.hpp"
#include "sim/contract/json_text.hpp"

#include <nlohmann/json.hpp>

namespace tilesim::tools {
namespace {

using json = nlohmann::ordered_json;

// Raised when a field changes its meaning or goes away; new ones may come at any time.
constexpr int schema = 1;

json finding_json(const checked_finding& f, const check_report& r) {
  json out{{"code", f.code},
           {"level", f.note ? "note" : "error"},
           {"message", f.message},
           {"details", f.details},
           {"remedy", f.remedy},
           {"where", sim::frames_json<json>(f.where)},
           {"other", sim::frames_json<json>(f.other)},
           {"through", sim::frames_json<json>(f.through)},
           {"other_through", sim::frames_json<json>(f.other_through)},
           {"count", f.count},
           {"schedules", f.schedules},
           {"replay", f.replay},
           {"name", r.name_of(f)},
           {"blocks", f.shown.blocks},
           {"turns", f.shown.turns}};
  out["stale_reads"] = json::array();
  for (const auto& s : f.shown.told) {
    out["stale_reads"].push_back({{"message", s.message},
                                  {"remedy", s.remedy},
                                  {"where", sim::frames_json<json>(s.where)},
                                  {"passed", sim::frames_json<json>(s.passed)}});
  }
  out["weak"] = !f.shown.stale.empty();
  out["variants"] = json::array();
  for (const auto& v : f.variants) {
    out["variants"].push_back({{"what", v.what}, {"count", v.count}});
  }
  out["suppressed_by"] = f.suppressed_by.empty() ? json(nullptr) : json(f.suppressed_by);
  return out;
}

json run_json(const checked_run& run, const check_report& r) {
  json out{{"schedule", describe(run.which)},
           {"end", name(run.end)},
           {"status", run.status},
           {"operations", run.operations},
           {"judged", run.judged},
           {"replay", to_string(replay{run.which, r.program})}};
  if (!run.printed_last.empty()) {
    out["printed_last"] = run.printed_last;
  }
  return out;
}

} // namespace

std::string to_json(const check_report& r) {
  json out{{"schema", schema},
           {"tilesim", TILESIM_VERSION},
           {"sources", r.sources},
           {"command", r.command},
           {"exit_code", r.exit_code()},
           {"verdict", r.verdict()},
           {"planned", r.planned},
           {"repeat", r.how_to_repeat()},
           {"runs", json::array()},
           {"operations", r.operations()},
           {"judged", r.judged()},
           {"findings", json::array()},
           {"limits", r.limits},
           {"remarks", r.remarks}};
  for (const auto& run : r.runs) {
    out["runs"].push_back(run_json(run, r));
  }
  for (const auto& f : r.findings) {
    out["findings"].push_back(finding_json(f, r));
  }
  // What the program prints may be any bytes.
  return sim::json_text(out, 2) + '\n';
}

} // namespace tilesim::tools
