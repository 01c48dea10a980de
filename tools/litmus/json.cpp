// Writes reports of litmus tests as JSON.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/litmus/json.hpp"

#include "memmodel/litmus/final_states.hpp"
#include "memmodel/words.hpp"
#include "sim/contract/json_text.hpp"
#include "tools/litmus/execution.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace tilesim::tools {

using namespace memmodel;
using namespace memmodel::litmus;

namespace {

using json = nlohmann::ordered_json;

json state(const test& t,
           const std::vector<observable>& variables,
           const std::vector<value>& values) {
  json out = json::object();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    out[name_of(t, variables[i])] = values[i];
  }
  return out;
}

json place_of(const position& at) {
  return {{"line", at.line}, {"column", at.column}};
}

// --- Executions.

json event_json(const execution_view& v, event_id id) {
  static constexpr std::array kinds{"read", "write", "fence", "barrier"};
  const event& e = v.event(id);
  const event_view& shown = v.events[id];
  json out{{"id", id}, {"name", shown.name}, {"kind", kinds.at(static_cast<std::size_t>(e.kind))}};
  out["label"] = shown.label;
  if (e.initial()) {
    out["initial"] = true;
  } else {
    out["thread"] = v.test->threads[e.thread].name;
    out["instruction"] = shown.source;
    out.update(place_of(shown.at));
    out["element"] = e.element;
    if (e.is_memory() || e.is_fence()) {
      out["order"] = ptx_word(e.order);
    }
    if (e.strong()) {
      out["scope"] = v.tile ? cpp_word(e.scope) : ptx_word(e.scope);
    }
  }
  if (e.is_memory()) {
    out["place"] = shown.place;
    out["value"] = shown.value;
  }
  if (e.kind == event_kind::barrier) {
    out["waits"] = e.waits;
    out["completion"] = e.instance; // 0: never
  }
  return out;
}

json execution_json(const litmus_report& r, const shown_execution& x) {
  const execution_view v = view_of(r.test, x, r.tile);
  json out;
  out["events"] = json::array();
  for (event_id e = 0; e < v.events.size(); ++e) {
    out["events"].push_back(event_json(v, e));
  }
  out["edges"] = json::array();
  for (const edge_view& e : v.edges) {
    out["edges"].push_back({{"kind", e.kind}, {"from", e.from}, {"to", e.to}});
  }
  out["final"] = state(r.test, all_observables(r.test), x.final);
  return out;
}

json steps_json(const std::vector<step>& steps) {
  json out = json::array();
  for (const step& s : steps) {
    json one{{"from", s.from}, {"edge", s.edge}, {"to", s.to}};
    if (!s.through.empty()) {
      one["through"] = steps_json(s.through);
    }
    out.push_back(std::move(one));
  }
  return out;
}

json explanation(const litmus_report& r, const model_report& m) {
  json out = json::object();
  if (const shown_execution* x = m.witness(r.test.wanted)) {
    out["execution"] = execution_json(r, *x);
    return out;
  }
  if (!m.refused_limit.empty()) {
    out["limit"] = m.refused_limit;
  }
  if (m.refused) {
    out["refused"] = m.refused->count;
    out["candidates"] = json::array();
    for (const refused_candidate& c : m.refused->candidates) {
      json one = execution_json(r, c.what);
      one["breaks"] = c.broken->name;
      one["axiom"] = c.broken->says;
      one["cycle"] = steps_json(c.cycle);
      out["candidates"].push_back(std::move(one));
    }
  }
  return out;
}

// --- Results.

json race_json(const litmus_report& r, const shown_execution& x) {
  static constexpr std::array reasons{"weak", "scope", "overlap"};
  const auto party = [&](event_id e) {
    const event& what = x.what.events[e];
    const instruction& i = r.test.threads[what.thread].code[x.code[e]];
    json out{{"thread", r.test.threads[what.thread].name}, {"instruction", i.text}};
    out.update(place_of(i.at));
    return out;
  };
  return {{"first", party(x.race->first)},
          {"second", party(x.race->second)},
          {"reason", reasons.at(static_cast<std::size_t>(x.race->reason))},
          {"mixed_size", x.race->mixed_size}};
}

void add_verdict(json& out, const litmus_report& r, const model_report& m) {
  const quantifier q = r.test.wanted;
  if (q == quantifier::none) {
    return;
  }
  const bool holds = m.result.holds(q);
  out["verdict"] = verdict(q, holds);
  out["ok"] = q == quantifier::not_exists ? !holds : holds;
  out["positive"] = m.result.positive;
  out["negative"] = m.result.negative;
}

json model_json(const litmus_report& r, const model_report& m, bool outcomes, bool explain) {
  json out{{"model", m.model->name}, {"bound", m.bound}};
  if (!m.limit.empty()) {
    out["limit"] = m.limit;
    return out;
  }
  add_verdict(out, r, m);
  const result& found = m.result;
  out["executions"] = found.executions;
  out["racy_executions"] = found.racy;
  out["race"] = found.racing ? race_json(r, *found.racing) : json();
  out["mixed_size_race"] = found.mixed_size_race;
  out["termination"] = termination(found);
  if (found.hanging) {
    out["stuck"] = stuck_threads(r.test, *found.hanging);
  }
  out["bound_reached"] = found.bound_reached;
  out["states"] = json::array();
  for (const state_count& s : m.states) {
    out["states"].push_back({{"values", state(r.test, m.shown, s.values)},
                             {"count", s.executions},
                             {"satisfies", s.satisfies},
                             {"racy", s.racy}});
  }
  if (outcomes) {
    out["outcomes"] = json::array();
    for (const auto& [final, count] : found.outcomes) {
      out["outcomes"].push_back({{"values", state(r.test, found.observables, final)},
                                 {"count", count.executions},
                                 {"racy", count.racy}});
    }
  }
  if (explain && r.test.wanted != quantifier::none) {
    out["explanation"] = explanation(r, m);
  }
  return out;
}

json report_json(const litmus_report& r, bool outcomes, bool explain) {
  json out{{"file", r.file}};
  if (r.failed) {
    out["error"] = {{"message", r.failed->message}};
    if (r.failed->at.line != 0) {
      out["error"].update(place_of(r.failed->at));
    }
    return out;
  }
  out["name"] = r.test.name;
  if (r.test.wanted != quantifier::none) {
    out["condition"] = {{"quantifier", word_of(r.test.wanted)}, {"text", r.test.condition_text}};
  }
  out["models"] = json::array();
  for (const model_report& m : r.models) {
    out["models"].push_back(model_json(r, m, outcomes, explain));
  }
  out["expectations"] = json::array();
  for (const claim& c : r.claims) {
    out["expectations"].push_back({{"file", c.file},
                                   {"line", c.at.line},
                                   {"model", c.model},
                                   {"expected", c.expected},
                                   {"found", c.found},
                                   {"met", c.met()}});
  }
  return out;
}

/// Each line behind the first further in.
std::string indented(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '\n' ? std::string("\n    ") : std::string(1, c);
  }
  return out;
}

} // namespace

std::string json_writer::begin() {
  return "{\n  \"version\": 1,\n  \"tests\": [\n";
}

std::string json_writer::test(const litmus_report& r) {
  const std::string before = first_ ? "    " : ",\n    ";
  first_ = false;
  // A comment or a name that is no UTF-8 is replaced, not refused.
  return before + indented(sim::json_text(report_json(r, outcomes_, explain_), 2));
}

std::string json_writer::end(const suite_counts& counts) {
  const json summary{{"tests", counts.tests},
                     {"as_expected", counts.as_expected},
                     {"differ", counts.differ},
                     {"without_expectation", counts.without_expectation},
                     {"limits", counts.limits},
                     {"failed", counts.failed}};
  return fmt::format("\n  ],\n  \"summary\": {}\n}}\n", sim::json_text(summary));
}

} // namespace tilesim::tools
