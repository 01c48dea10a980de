// Reads a litmus file, asks the models, compares with what was expected.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/litmus/report.hpp"

#include "memmodel/litmus/final_states.hpp"
#include "memmodel/litmus/reader.hpp"
#include "sim/contract/printable.hpp"
#include "tools/cli/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tilesim::tools {

using namespace memmodel::litmus;

namespace {

bool same(const observable& a, const observable& b) {
  return a.thread == b.thread && a.index == b.index && a.element == b.element;
}

void collect(const condition& c, std::vector<observable>& out) {
  for (const condition::side* s : {&c.left, &c.right}) {
    if (c.what == condition::kind::compare && s->variable) {
      out.push_back(*s->variable);
    }
  }
  for (const condition& part : c.parts) {
    collect(part, out);
  }
}

/// The variables to show, in the order of `all`.
std::vector<observable> shown_variables(const test& t, const std::vector<observable>& all) {
  std::vector<observable> named = t.shown;
  collect(t.final, named);
  if (named.empty()) {
    return all;
  }
  std::vector<observable> out;
  for (const observable& o : all) {
    if (std::ranges::any_of(named, [&](const observable& n) { return same(n, o); })) {
      out.push_back(o);
    }
  }
  return out;
}

void count_states(const test& t, model_report& m) {
  const std::vector<observable>& all = m.result.observables;
  m.shown = shown_variables(t, all);
  std::vector<std::size_t> columns;
  columns.reserve(m.shown.size());
  for (const observable& o : m.shown) {
    columns.push_back(index_of(all, o));
  }
  std::map<std::vector<value>, state_count> states;
  for (const auto& [final, count] : m.result.outcomes) {
    std::vector<value> values;
    values.reserve(columns.size());
    for (const std::size_t c : columns) {
      values.push_back(final[c]);
    }
    const auto [at, added] = states.try_emplace(values);
    state_count& state = at->second;
    state.executions += count.executions;
    state.racy |= count.racy;
    if (added) { // the condition is about variables that are shown
      state.values = std::move(values);
      state.satisfies =
          satisfies(t.final, final, [&](const observable& o) { return index_of(all, o); });
    }
  }
  m.states.reserve(states.size());
  for (auto& [values, state] : states) {
    m.states.push_back(std::move(state));
  }
}

/// The candidates that would answer the quantifier, had the model not refused them.
void find_refused(const test& t, const litmus_request& request, model_report& m) {
  test wanted = t;
  if (t.wanted == quantifier::forall) {
    condition negation;
    negation.what = condition::kind::negation;
    negation.parts.push_back(t.final);
    wanted.final = std::move(negation);
  }
  try {
    m.refused = memmodel::litmus::explain(wanted, *m.model, request.limits);
  } catch (const limit_reached& reached) {
    m.refused_limit = reached.what;
  }
}

model_report ask(const test& t, const memmodel::model& model, const litmus_request& request) {
  model_report m;
  m.model = &model;
  m.bound = request.limits.bound;
  try {
    m.result = enumerate(t, model, request.limits);
  } catch (const limit_reached& reached) {
    m.limit = reached.what;
    return m;
  }
  count_states(t, m);
  if (request.explain && t.wanted != quantifier::none && m.witness(t.wanted) == nullptr) {
    find_refused(t, request, m);
  }
  return m;
}

std::vector<const memmodel::model*> models_of(const test& t, const litmus_request& request) {
  if (!request.models.empty()) {
    return request.models;
  }
  std::vector<const memmodel::model*> models{&memmodel::ptx()};
  for (const expectation& e : t.expectations) {
    if (const memmodel::model* m = memmodel::find_model(e.model);
        m != nullptr && std::ranges::find(models, m) == models.end()) {
      models.push_back(m);
    }
  }
  return models;
}

std::string_view race_word(bool race) {
  return race ? "race" : "race-free";
}

std::string_view termination_word(bool terminates) {
  return terminates ? "terminates" : "may-hang";
}

class comparison {
public:
  comparison(litmus_report& report, const model_report& m)
      : report_(report)
      , model_(m) {}

  void with(const expectation& e) {
    where_ = {report_.file, e.at, e.model, {}, {}};
    if (e.holds) {
      condition(verdict(report_.test.wanted, *e.holds));
    }
    if (e.race_free) {
      race(!*e.race_free);
    }
    if (e.terminates) {
      termination(*e.terminates);
    }
  }

  void with(const expected_row& row) {
    where_ = {row.table, {row.line, 1}, std::string(model_.model->name), {}, {}};
    if (row.quantifier != report_.test.wanted) {
      add(word_of(row.quantifier), word_of(report_.test.wanted));
    } else {
      condition(row.condition);
    }
    race(row.race == "race");
    if (row.terminates) {
      termination(*row.terminates);
    }
  }

private:
  void condition(std::string_view expected) {
    add(expected, verdict(report_.test.wanted, model_.result.holds(report_.test.wanted)));
  }
  void race(bool expected) { add(race_word(expected), race_word(has_race(model_.result))); }
  void termination(bool expected) {
    add(termination_word(expected), tools::termination(model_.result));
  }
  void add(std::string_view expected, std::string_view found) {
    where_.expected = expected;
    where_.found = found;
    report_.claims.push_back(where_);
  }

  litmus_report& report_;
  const model_report& model_;
  claim where_;
};

void compare(litmus_report& report, const expected_row* row) {
  for (const model_report& m : report.models) {
    if (!m.limit.empty()) {
      continue;
    }
    for (const expectation& e : report.test.expectations) {
      if (e.model == m.model->name) {
        comparison(report, m).with(e);
      }
    }
    if (row != nullptr && m.model == &memmodel::ptx()) {
      comparison(report, m).with(*row);
    }
  }
}

std::string line_of(std::string_view text, std::uint32_t line) {
  for (; line > 1; --line) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) {
      return {};
    }
    text.remove_prefix(end + 1);
  }
  std::string out(text.substr(0, text.find('\n')));
  if (out.ends_with('\r')) {
    out.pop_back();
  }
  return out;
}

bool begins_as_tile(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos &&
         (text.substr(first).starts_with("TILE") || text.substr(first).starts_with("tile"));
}

} // namespace

const shown_execution* model_report::witness(quantifier q) const {
  const auto& found = q == quantifier::forall ? result.violating : result.satisfying;
  if (found) {
    return &*found;
  }
  // Such a race answers any question, and no execution needs to show more.
  return result.mixed_size_race && result.racing ? &*result.racing : nullptr;
}

bool litmus_report::limit_reached() const {
  return std::ranges::any_of(
      models, [](const model_report& m) { return !m.limit.empty() || !m.refused_limit.empty(); });
}

bool litmus_report::differs() const {
  return std::ranges::any_of(claims, [](const claim& c) { return !c.met(); });
}

std::string_view word_of(quantifier q) {
  switch (q) {
  case quantifier::none:
    return "";
  case quantifier::exists:
    return "exists";
  case quantifier::not_exists:
    return "~exists";
  case quantifier::forall:
    return "forall";
  }
  return "";
}

std::string_view verdict(quantifier q, bool holds) {
  if (q == quantifier::forall) {
    return holds ? "always" : "not-always";
  }
  return holds ? "allowed" : "forbidden";
}

bool has_race(const result& r) {
  return r.racy > 0;
}

std::string_view termination(const result& r) {
  return r.terminates ? termination_word(*r.terminates) : "unknown";
}

std::size_t index_of(const std::vector<observable>& all, const observable& o) {
  return static_cast<std::size_t>(
      std::ranges::find_if(all, [&](const observable& a) { return same(a, o); }) - all.begin());
}

std::string state_text(const test& t,
                       const std::vector<observable>& variables,
                       const std::vector<value>& values) {
  std::string out;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    out += fmt::format("{}{}={};", i == 0 ? "" : " ", name_of(t, variables[i]), values[i]);
  }
  return out;
}

std::vector<value> shown_values(const model_report& m,
                                const std::vector<observable>& all,
                                const std::vector<value>& final) {
  std::vector<value> out;
  for (const observable& o : m.shown) {
    out.push_back(final[index_of(all, o)]);
  }
  return out;
}

litmus_report run_litmus_text(const std::string& file,
                              std::string_view text,
                              const litmus_request& request,
                              const expected_row* row) {
  litmus_report report;
  report.file = file;
  report.tile = begins_as_tile(text);
  const auto fail = [&](const position& at, const std::string& message) {
    report.models.clear();
    report.failed = problem{at, message, line_of(text, at.line)};
  };
  try {
    report.test = read_test(text);
    for (const memmodel::model* m : models_of(report.test, request)) {
      report.models.push_back(ask(report.test, *m, request));
    }
    compare(report, row);
  } catch (const syntax_error& e) {
    fail(e.at, e.message);
  } catch (const program_error& e) {
    fail(e.at, e.message);
  }
  return report;
}

litmus_report run_litmus_test(const std::string& file, test asked, const litmus_request& request) {
  litmus_report report;
  report.file = file;
  report.test = std::move(asked);
  for (const memmodel::model* m : models_of(report.test, request)) {
    report.models.push_back(ask(report.test, *m, request));
  }
  return report;
}

litmus_report
run_litmus(const std::string& file, const litmus_request& request, const expected_row* row) {
  const auto name = sim::printable(file);
  if (const auto text = read_text(file)) {
    return run_litmus_text(name, *text, request, row);
  }
  litmus_report report;
  report.file = name;
  report.failed = problem{{}, "cannot be read", {}};
  return report;
}

} // namespace tilesim::tools
