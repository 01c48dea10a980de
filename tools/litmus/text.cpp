// Reports of litmus tests as text.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/litmus/text.hpp"

#include "memmodel/litmus/final_states.hpp"
#include "tools/litmus/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tilesim::tools {

using namespace memmodel;
using namespace memmodel::litmus;

namespace {

constexpr std::string_view bold = "\033[1m";
constexpr std::string_view red = "\033[1;31m";
constexpr std::string_view green = "\033[32m";
constexpr std::string_view yellow = "\033[33m";
constexpr std::string_view faint = "\033[2m";
constexpr std::string_view plain = "\033[0m";

std::string in(std::string_view colour, std::string_view text) {
  return fmt::format("{}{}{}", colour, text, plain);
}

/// Columns on a terminal or in a file: bytes that begin a character.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t n = columns(text);
  return std::string(text) + std::string(n < width ? width - n : 0, ' ');
}

/// herd's word for what a test asks.
std::string_view kind(quantifier q) {
  switch (q) {
  case quantifier::none:
    return "";
  case quantifier::exists:
    return " Allowed";
  case quantifier::not_exists:
    return " Forbidden";
  case quantifier::forall:
    return " Required";
  }
  return "";
}

bool answer(const model_report& m, quantifier q) {
  const bool holds = m.result.holds(q);
  return q == quantifier::not_exists ? !holds : holds;
}

// --- In herd's manner.

std::string states(const litmus_report& r, const model_report& m, bool all) {
  std::string out;
  const auto line = [&](std::uint64_t n,
                        bool satisfies,
                        const std::vector<observable>& variables,
                        const std::vector<value>& values) {
    out +=
        fmt::format("{}{}>{}\n", n, satisfies ? '*' : ':', state_text(r.test, variables, values));
  };
  const bool marked = r.test.wanted != quantifier::none;
  if (!all) {
    for (const state_count& s : m.states) {
      line(s.executions, marked && s.satisfies, m.shown, s.values);
    }
    return fmt::format("States {}\n", m.states.size()) + out;
  }
  for (const auto& [final, count] : m.result.outcomes) {
    line(count.executions,
         marked &&
             satisfies(r.test.final,
                       final,
                       [&](const observable& o) { return index_of(m.result.observables, o); }),
         m.result.observables,
         final);
  }
  return fmt::format("States {}\n", m.result.outcomes.size()) + out;
}

std::string herd_text(const litmus_report& r, const model_report& m, const text_options& options) {
  const test& t = r.test;
  std::string out = in(bold, fmt::format("Test {}{}", t.name, kind(t.wanted))) + "\n";
  out += states(r, m, options.outcomes);
  if (t.wanted == quantifier::none) {
    return out;
  }
  const auto positive = m.result.positive;
  const auto negative = m.result.negative;
  const bool inverse = t.wanted == quantifier::not_exists;
  const bool ok = answer(m, t.wanted);
  out += in(ok ? green : yellow, ok ? "Ok" : "No") + "\n";
  out += fmt::format("Witnesses\nPositive: {} Negative: {}\n",
                     inverse ? negative : positive,
                     inverse ? positive : negative);
  out += fmt::format("Condition {} {}\n", word_of(t.wanted), t.condition_text);
  const std::string_view seen = m.result.mixed_size_race ? "Sometimes"
                                : positive == 0          ? "Never"
                                : negative == 0          ? "Always"
                                                         : "Sometimes";
  out += fmt::format("Observation {} {} {} {}\n", t.name, seen, positive, negative);
  return out;
}

// --- What herd does not say.

std::string party(const litmus_report& r, const shown_execution& x, event_id e) {
  const thread_id p = x.what.events[e].thread;
  const instruction& i = r.test.threads[p].code[x.code[e]];
  return fmt::format(
      "  {}:{}:{}: {}: {}\n", r.file, i.at.line, i.at.column, r.test.threads[p].name, i.text);
}

std::string race_reason_text(const litmus_report& r, const shown_execution& x) {
  const event& a = x.what.events[x.race->first];
  const event& b = x.what.events[x.race->second];
  const auto name = [&](const event& e) { return r.test.threads[e.thread].name; };
  switch (x.race->reason) {
  case race_reason::weak:
    if (a.strong() || b.strong()) {
      return fmt::format("{}'s is weak, and nothing orders the two", name(a.strong() ? b : a));
    }
    return "both are weak, and nothing orders them";
  case race_reason::scope: {
    const bool narrow_first =
        !includes(a.scope, x.what.threads[a.thread], x.what.threads[b.thread]);
    const event& narrow = narrow_first ? a : b;
    const event& other = narrow_first ? b : a;
    return fmt::format("both are strong, but the scope {} of {}'s does not include {} ({})",
                       scope_text(narrow.scope, r.tile),
                       name(narrow),
                       name(other),
                       place_text(x.what.threads[other.thread], r.tile));
  }
  case race_reason::overlap:
    return "both are strong, but they overlap only in part";
  }
  return "";
}

std::string race_text(const litmus_report& r, const model_report& m) {
  const result& found = m.result;
  if (found.racy == 0) {
    return "Race-free\n";
  }
  std::string out = in(yellow, "Race:") +
                    fmt::format(" in {} of {} executions, between\n", found.racy, found.executions);
  if (found.racing) {
    out += party(r, *found.racing, found.racing->race->first);
    out += party(r, *found.racing, found.racing->race->second);
    out += fmt::format("  {}\n", race_reason_text(r, *found.racing));
  }
  if (found.mixed_size_race) {
    out += "  such a race leaves nothing of the axioms: every outcome is allowed, and the states "
           "above "
           "are only those that the axioms would leave\n";
  }
  return out;
}

std::string termination_text(const litmus_report& r, const model_report& m, std::uint32_t bound) {
  if (!m.result.terminates) {
    return fmt::format("Termination: unknown: a loop that does more than wait was cut at {} {}; "
                       "--bound N takes more\n",
                       bound,
                       bound == 1 ? "iteration" : "iterations");
  }
  if (*m.result.terminates) {
    return "Termination: every fair execution ends\n";
  }
  std::string out = in(yellow, "Termination:") + " a fair execution may go on for ever:";
  if (m.result.hanging) {
    for (const std::string& s : stuck_threads(r.test, *m.result.hanging)) {
      out += (out.back() == ':' ? " " : "; ") + s;
    }
  }
  return out + "\n";
}

// --- Executions.

std::string name_in_list(const execution_view& v, event_id e) {
  return v.event(e).initial() ? fmt::format("init {}", v.events[e].source) : v.events[e].name;
}

std::string coherence_text(const execution_view& v, const coherence_view& c) {
  std::string out = fmt::format("{}: ", c.place);
  if (c.total) {
    for (std::size_t i = 0; i < c.order.size(); ++i) {
      out += (i == 0 ? "" : " -> ") + v.events[c.order[i]].name;
    }
    return out;
  }
  for (std::size_t i = 0; i < c.edges.size(); ++i) {
    out += fmt::format("{}{} -> {}",
                       i == 0 ? "" : ", ",
                       v.events[c.edges[i].from].name,
                       v.events[c.edges[i].to].name);
  }
  return out + " (partial)";
}

/// The events of each thread, a line each.
std::string listing(const execution_view& v, const std::string& indent) {
  std::size_t name = 1;
  std::size_t label = 1;
  std::size_t source = 1;
  for (event_id e = 0; e < v.events.size(); ++e) {
    if (!v.event(e).initial()) {
      name = std::max(name, columns(v.events[e].name));
      label = std::max(label, columns(v.events[e].label));
      source = std::max(source, columns(v.events[e].source));
    }
  }
  std::string out;
  for (thread_id p = 0; p < v.test->threads.size(); ++p) {
    out += fmt::format("{}{} ({})\n",
                       indent,
                       v.test->threads[p].name,
                       place_text(v.test->threads[p].place, v.tile));
    for (const event_id e : v.of_thread(p)) {
      const event_view& shown = v.events[e];
      std::string line = fmt::format("{}  {}  {}  {}  line {}",
                                     indent,
                                     in(bold, padded(shown.name, name)),
                                     padded(shown.label, label),
                                     in(faint, padded(shown.source, source)),
                                     shown.at.line);
      if (!shown.reads_from.empty()) {
        line += "  from " + shown.reads_from;
      }
      out += line + "\n";
    }
  }
  return out;
}

std::string orders(const execution_view& v, const std::string& indent) {
  std::string out;
  for (const coherence_view& c : v.coherence) {
    out += fmt::format("{}coherence of {}\n", indent, coherence_text(v, c));
  }
  std::string fences;
  for (const edge_view& e : v.edges) {
    if (e.kind == "sc") {
      fences += fmt::format(
          "{}{} -> {}", fences.empty() ? "" : ", ", v.events[e.from].name, v.events[e.to].name);
    }
  }
  if (!fences.empty()) {
    out += fmt::format("{}order of fences: {}\n", indent, fences);
  }
  return out;
}

std::string final_text(const model_report& m, const test& t, const shown_execution& x) {
  return state_text(t, m.shown, shown_values(m, m.result.observables, x.final));
}

std::string execution_text(const litmus_report& r,
                           const model_report& m,
                           const shown_execution& x,
                           std::string_view title) {
  const execution_view v = view_of(r.test, x, r.tile);
  return fmt::format("{}\n", in(bold, title)) + listing(v, "  ") + orders(v, "  ") +
         fmt::format("  final state: {}\n", final_text(m, r.test, x));
}

std::string
steps_text(const execution_view& v, const std::vector<step>& steps, const std::string& indent) {
  std::size_t name = 0;
  std::size_t edge = 0;
  for (const step& s : steps) {
    name = std::max({name, columns(name_in_list(v, s.from)), columns(name_in_list(v, s.to))});
    edge = std::max(edge, columns(s.edge));
  }
  std::string out;
  for (const step& s : steps) {
    const std::string from = name_in_list(v, s.from);
    const std::string to = name_in_list(v, s.to);
    out += fmt::format("{}{} {} {}  {}\n",
                       indent,
                       padded(from, name),
                       in(red, padded(fmt::format("-{}->", s.edge), edge + 3)),
                       padded(to, name),
                       in(faint, meaning(s.edge, from, to)));
    out += steps_text(v, s.through, indent + "    ");
  }
  return out;
}

std::string refused_text(const litmus_report& r, const refused_candidate& c, std::size_t number) {
  const execution_view v = view_of(r.test, c.what, r.tile);
  std::string out = fmt::format("  {}\n", in(bold, fmt::format("candidate {}", number)));
  out += listing(v, "    ");
  out += fmt::format("    breaks {}: {}\n", in(red, c.broken->name), c.broken->says);
  return out + steps_text(v, c.cycle, "      ");
}

/// Why there is no execution to show.
std::string refusals_text(const litmus_report& r, const model_report& m) {
  const bool forall = r.test.wanted == quantifier::forall;
  const std::string title = in(bold, "Explanation:");
  if (!m.refused_limit.empty()) {
    return fmt::format("{} stopped: {}; --limit N takes more\n", title, m.refused_limit);
  }
  if (m.result.executions == 0) {
    return fmt::format("{} no execution ends\n", title);
  }
  const refusals& all = *m.refused;
  if (all.count == 0) {
    return fmt::format("{} whatever the reads return, no run of the threads {}{} the condition "
                       "(no value comes from itself)\n",
                       title,
                       m.result.bound_reached ? "within the bound " : "",
                       forall ? "breaks" : "satisfies");
  }
  std::string out = fmt::format("{} {} {} {} the condition; {} refuses {}:\n",
                                title,
                                all.count,
                                all.count == 1 ? "candidate" : "candidates",
                                forall ? (all.count == 1 ? "breaks" : "break")
                                       : (all.count == 1 ? "satisfies" : "satisfy"),
                                m.model->name,
                                all.count == 1 ? "it" : "them");
  for (std::size_t i = 0; i < all.candidates.size(); ++i) {
    out += refused_text(r, all.candidates[i], i + 1);
  }
  if (all.count > all.candidates.size()) {
    out += fmt::format("  and {} more\n", all.count - all.candidates.size());
  }
  return out;
}

std::string explanation_text(const litmus_report& r, const model_report& m) {
  const quantifier q = r.test.wanted;
  if (q == quantifier::none) {
    return {};
  }
  const shown_execution* x = m.witness(q);
  if (x == nullptr) {
    return refusals_text(r, m);
  }
  const bool forall = q == quantifier::forall;
  const bool shows = forall ? m.result.violating.has_value() : m.result.satisfying.has_value();
  return execution_text(r,
                        m,
                        *x,
                        !shows   ? "Explanation: an execution with the race that allows everything:"
                        : forall ? "Explanation: an execution that does not satisfy the condition:"
                                 : "Explanation: an execution that satisfies the condition:");
}

std::string model_text(const litmus_report& r, const model_report& m, const text_options& options) {
  if (!m.limit.empty()) {
    return in(bold, fmt::format("Test {}{}", r.test.name, kind(r.test.wanted))) + "\n" +
           fmt::format("Model {}: {}\nNo result: {}\n", m.model->name, m.model->summary, m.limit);
  }
  std::string out = herd_text(r, m, options);
  out += fmt::format("Model {}: {}\n", m.model->name, m.model->summary);
  out += fmt::format("Executions {}{}\n",
                     m.result.executions,
                     m.result.executions == 0 ? ": none ends, so nothing shows" : "");
  out += race_text(r, m);
  out += termination_text(r, m, m.bound);
  if (m.result.bound_reached) {
    out += fmt::format("Bound: loops were run {} in a row at most; outcomes of longer runs are not "
                       "among these (--bound N)\n",
                       m.bound == 1 ? "once" : fmt::format("{} times", m.bound));
  }
  if (options.explain) {
    out += explanation_text(r, m);
  }
  return out;
}

// --- Several models.

std::set<std::vector<value>> state_set(const model_report& m) {
  std::set<std::vector<value>> out;
  for (const state_count& s : m.states) {
    out.insert(s.values);
  }
  return out;
}

std::string comparison_text(const litmus_report& r, const model_report& a, const model_report& b) {
  const auto ours = state_set(a);
  const auto theirs = state_set(b);
  if (ours == theirs) {
    return fmt::format("Compared: {} and {} allow the same states\n", a.model->name, b.model->name);
  }
  std::string out;
  const auto only = [&](const model_report& m, const auto& all, const auto& without) {
    for (const auto& values : all) {
      if (!without.contains(values)) {
        out += fmt::format(
            "Compared: only {} allows {}\n", m.model->name, state_text(r.test, m.shown, values));
      }
    }
  };
  only(a, ours, theirs);
  only(b, theirs, ours);
  return out;
}

std::string status_word(const litmus_report& r) {
  if (r.failed) {
    return in(red, "error  ");
  }
  if (r.differs()) {
    return in(red, "differs");
  }
  if (r.limit_reached()) {
    return in(yellow, "limit  ");
  }
  return r.claims.empty() ? "-      " : in(green, "ok     ");
}

} // namespace

std::string to_text(const litmus_report& r, const text_options& options) {
  std::string out;
  if (r.failed) {
    return out;
  }
  for (const model_report& m : r.models) {
    if (!out.empty()) {
      out += '\n';
    }
    out += model_text(r, m, options);
  }
  if (r.models.size() > 1) {
    out += "\n";
  }
  for (std::size_t i = 1; i < r.models.size(); ++i) {
    if (r.models[0].limit.empty() && r.models[i].limit.empty()) {
      out += comparison_text(r, r.models[0], r.models[i]);
    }
  }
  if (!r.claims.empty() && !r.differs()) {
    out += "As expected\n";
  }
  return out;
}

std::string to_line(const litmus_report& r, std::size_t width) {
  std::string out = fmt::format("{}  {}", status_word(r), padded(r.file, width));
  for (const model_report& m : r.models) {
    if (!m.limit.empty()) {
      out += fmt::format("  {}: {}", m.model->name, m.limit);
      continue;
    }
    const std::string_view said = r.test.wanted == quantifier::none
                                      ? ""
                                      : verdict(r.test.wanted, m.result.holds(r.test.wanted));
    const std::string_view ends =
        m.result.terminates ? (*m.result.terminates ? "" : "  may hang") : "  termination unknown";
    out += fmt::format("  {} {:<10} {:<9} {:>5} {:<10}{}",
                       m.model->name,
                       said,
                       has_race(m.result) ? "race" : "race-free",
                       m.result.executions,
                       m.result.executions == 1 ? "execution" : "executions",
                       ends);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

std::string errors_text(const litmus_report& r) {
  const auto error = [](const std::string& where, const std::string& what) {
    return fmt::format("{} {} {}\n", in(bold, where + ":"), in(red, "error:"), what);
  };
  std::string out;
  if (r.failed) {
    const problem& p = *r.failed;
    if (p.at.line == 0) {
      return error(r.file, p.message);
    }
    out += error(fmt::format("{}:{}:{}", r.file, p.at.line, p.at.column), p.message);
    if (!p.line.empty()) {
      std::string caret = p.line.substr(0, std::min<std::size_t>(p.at.column - 1, p.line.size()));
      std::erase_if(caret, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; });
      std::ranges::replace_if(
          caret, [](char c) { return c != '\t'; }, ' ');
      out += fmt::format("  {}\n  {}{}\n", p.line, caret, in(red, "^"));
    }
    return out;
  }
  for (const claim& c : r.claims) {
    if (!c.met()) {
      out += error(fmt::format("{}:{}", c.file, c.at.line),
                   fmt::format("{}expected {} under {}, found {}",
                               c.file == r.file ? "" : r.file + ": ",
                               c.expected,
                               c.model,
                               c.found));
    }
  }
  for (const model_report& m : r.models) {
    for (const std::string& limit : {m.limit, m.refused_limit}) {
      if (!limit.empty()) {
        out += fmt::format("{} {} {}: {}; --limit N takes more\n",
                           in(bold, r.file + ":"),
                           in(yellow, "limit reached:"),
                           m.model->name,
                           limit);
      }
    }
  }
  return out;
}

} // namespace tilesim::tools
