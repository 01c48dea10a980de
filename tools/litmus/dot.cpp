// Writes executions for Graphviz.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/litmus/dot.hpp"

#include "tools/cli/markup.hpp"
#include "tools/litmus/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace tilesim::tools {

using namespace memmodel;
using namespace memmodel::litmus;

namespace {

struct edge_style {
  std::string_view kind;
  std::string_view colour;
  std::string_view more; ///< further attributes
};

// Between two events one edge is drawn, named after all that relate them and coloured after the
// first of these.
// clang-format off
constexpr std::array styles{
    edge_style{"race", "#cf222e", ", style=dashed, penwidth=1.8"},
    edge_style{"sync", "#8250df", ", penwidth=1.8"},
    edge_style{"bar",  "#8250df", ", penwidth=1.8"},
    edge_style{"sc",   "#0f766e", ", penwidth=1.8"},
    edge_style{"rf",   "#1a7f37", ""},
    edge_style{"fr",   "#bc4c00", ""},
    edge_style{"co",   "#0550ae", ""},
    edge_style{"po",   "#24292f", ""},
};
// clang-format on
constexpr std::string_view cycle_red = "#cf222e";
constexpr std::string_view grey = "#8c959f";

/// The instructions of an execution as boxes, and the edges between their events.
class grapher {
public:
  grapher(const litmus_report& r, const drawing& d)
      : drawing_(d)
      , view_(view_of(r.test, *d.what, r.tile)) {
    find_cycle(d.cycle);
    find_boxes();
  }

  std::string graph() {
    out_ = "digraph execution {\n"
           "  graph [fontname=\"Helvetica\", fontsize=12, labelloc=b, nodesep=1.4, ranksep=0.5, "
           "newrank=true, splines=line, outputorder=edgesfirst];\n"
           "  node [fontname=\"Helvetica\", fontsize=11, shape=plain];\n"
           "  edge [fontname=\"Helvetica\", fontsize=10, arrowsize=0.7, labeldistance=6, "
           "labelangle=6];\n";
    out_ += fmt::format("  label=<{}>;\n", drawing_.caption);
    initial_writes();
    for (thread_id p = 0; p < view_.test->threads.size(); ++p) {
      column(p);
    }
    in_order();
    edges();
    return out_ + "}\n";
  }

private:
  /// The events of one instruction, or the initial writes to one variable.
  struct box {
    std::string id;
    std::vector<event_id> events;
  };
  using ends = std::tuple<event_id, event_id, std::string_view>;

  /// What relates two boxes or two events: one edge.
  struct bundle {
    std::string from, to; ///< boxes, with ports where one event of several is meant
    std::vector<std::pair<std::string_view, std::size_t>> kinds; ///< and how many pairs of events
    bool on_cycle = false;
    bool places = false; ///< whether it places boxes: program order does
  };

  // --- Boxes.

  /// Derived steps stand for what makes them; a synchronisation is drawn as well.
  void find_cycle(const std::vector<step>& steps) {
    for (const step& s : steps) {
      if (s.through.empty() || s.edge == "sync") {
        cycle_.insert({s.from, s.to, s.edge});
      }
      find_cycle(s.through);
    }
  }

  void find_boxes() {
    columns_.resize(view_.test->threads.size());
    for (event_id e = 0; e < view_.events.size(); ++e) {
      const event& what = view_.event(e);
      if (what.initial()) {
        // By location: code is the location's number.
        const std::string id = fmt::format("init{}", drawing_.what->code[e]);
        if (worth_drawing(e)) {
          if (initial_.empty() || initial_.back().id != id) {
            initial_.push_back({id, {}});
          }
          initial_.back().events.push_back(e);
        }
        box_of_.push_back(id);
        continue;
      }
      auto& column = columns_[what.thread];
      if (column.empty() ||
          view_.event(column.back().events.front()).instruction != what.instruction) {
        column.push_back({fmt::format("P{}_{}", what.thread, column.size()), {}});
      }
      column.back().events.push_back(e);
      box_of_.push_back(column.back().id);
    }
  }

  /// Initial writes that something is to be said of: some read saw them, or they are on the cycle.
  [[nodiscard]] bool worth_drawing(event_id e) const {
    return std::ranges::any_of(
               cycle_, [&](const ends& c) { return std::get<0>(c) == e || std::get<1>(c) == e; }) ||
           std::ranges::any_of(view_.edges,
                               [&](const edge_view& v) { return v.kind == "rf" && v.from == e; });
  }

  void initial_writes() {
    if (initial_.empty()) {
      return;
    }
    out_ += "  {\n    rank=min;\n";
    for (const box& b : initial_) {
      out_ += node(b, grey, "");
    }
    out_ += "  }\n";
  }

  void column(thread_id p) {
    const auto& boxes = columns_[p];
    out_ += fmt::format("  subgraph cluster_P{} {{\n"
                        "    label=<<b>{}</b> · {}>; labelloc=t; style=rounded; color=\"#d0d7de\"; "
                        "margin=14;\n",
                        p,
                        escaped(view_.test->threads[p].name),
                        escaped(place_text(view_.test->threads[p].place, view_.tile)));
    for (const box& b : boxes) {
      out_ += node(b, "#57606a", view_.events[b.events.front()].source);
    }
    if (boxes.empty()) {
      out_ += fmt::format("    P{}_none [label=\"\"];\n", p);
    }
    out_ += "  }\n";
    if (!initial_.empty()) {
      out_ += fmt::format("  {} -> {} [style=invis];\n",
                          initial_[p * initial_.size() / columns_.size()].id,
                          top(p));
    }
  }

  /// The uppermost box of a thread.
  [[nodiscard]] std::string top(thread_id p) const {
    return columns_[p].empty() ? fmt::format("P{}_none", p) : columns_[p].front().id;
  }

  /// Columns stand in the order of the threads, unless another saves crossings.
  void in_order() {
    if (columns_.size() < 2) {
      return;
    }
    std::string chain = top(0);
    for (thread_id p = 1; p < columns_.size(); ++p) {
      chain += " -> " + top(p);
    }
    out_ += fmt::format("  {{ rank=same; {} [style=invis]; }}\n", chain);
  }

  [[nodiscard]] std::string
  node(const box& b, std::string_view colour, const std::string& source) const {
    // Boxes of one group stand exactly below each other.
    const std::string group =
        source.empty() ? "" : fmt::format(", group=P{}", view_.event(b.events.front()).thread);
    constexpr std::size_t in_a_row = 4; // wide tiles in several rows
    std::string cells;
    for (std::size_t i = 0; i < b.events.size(); ++i) {
      const event_view& e = view_.events[b.events[i]];
      if (i % in_a_row == 0) {
        cells += i == 0 ? "<tr>" : "</tr><tr>";
      }
      cells += fmt::format("<td port=\"e{}\">{}{}</td>",
                           b.events[i],
                           source.empty() ? "" : fmt::format("<b>{}</b>: ", escaped(e.name)),
                           escaped(e.label));
    }
    const std::string below =
        source.empty() ? ""
                       : fmt::format("<tr><td colspan=\"{}\" border=\"0\"><font face=\"Courier\" "
                                     "point-size=\"9\" color=\"#57606a\">{}</font></td></tr>",
                                     std::min(in_a_row, b.events.size()),
                                     escaped(source));
    return fmt::format("    {} [label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" "
                       "cellpadding=\"4\" color=\"{}\" bgcolor=\"white\">{}</tr>{}</table>>{}];\n",
                       b.id,
                       colour,
                       cells,
                       below,
                       group);
  }

  // --- Edges.

  void edges() {
    for (const auto& column : columns_) {
      for (std::size_t i = 1; i < column.size(); ++i) {
        between(column[i - 1].id, column[i].id).places = true;
      }
    }
    for (auto& b : bundles_) {
      b.kinds.emplace_back("po", 1);
    }
    for (const auto& [from, to, kind] : cycle_) {
      if (kind == "po") {
        mark_program_order(from, to);
      } else {
        relate(from, to, kind);
      }
    }
    for (const edge_view& e : view_.edges) {
      if (drawn(e) && !cycle_.contains({e.from, e.to, e.kind})) {
        relate(e.from, e.to, e.kind);
      }
    }
    write_all();
  }

  /// Not: initial writes that nobody saw; that they come first in coherence order; races, where a
  /// cycle is to be shown.
  [[nodiscard]] bool drawn(const edge_view& e) const {
    const auto known = [&](event_id id) {
      return !view_.event(id).initial() ||
             std::ranges::any_of(initial_, [&](const box& b) { return b.id == box_of_[id]; });
    };
    return known(e.from) && known(e.to) && !(e.kind == "co" && view_.event(e.from).initial()) &&
           !(e.kind == "race" && !cycle_.empty());
  }

  bundle& between(const std::string& from, const std::string& to) {
    const auto found = std::ranges::find_if(
        bundles_, [&](const bundle& b) { return b.from == from && b.to == to; });
    return found != bundles_.end() ? *found : bundles_.emplace_back(bundle{from, to, {}});
  }

  [[nodiscard]] bool related(const std::string& from, const std::string& to) const {
    return std::ranges::any_of(bundles_,
                               [&](const bundle& b) { return b.from == from && b.to == to; });
  }

  /// Every step down the column from one event to another.
  void mark_program_order(event_id from, event_id to) {
    bool inside = false;
    std::string before;
    for (const box& b : columns_[view_.event(from).thread]) {
      if (inside) {
        between(before, b.id).on_cycle = true;
      }
      inside = (inside || b.id == box_of_[from]) && b.id != box_of_[to];
      before = b.id;
    }
  }

  /// The elements of one tile that are related to those of another are one edge between the boxes;
  /// steps of the cycle go from event to event.
  void relate(event_id from, event_id to, std::string_view kind) {
    if (box_of_[from] == box_of_[to]) {
      return; // the halves of an atomic
    }
    const bool exact = cycle_.contains({from, to, kind});
    const auto end = [&](event_id e) {
      return exact && several(e) ? fmt::format("{}:e{}", box_of_[e], e) : box_of_[e];
    };
    // A race has no direction: it joins what relates the two already.
    const bool turned = kind == "race" && related(end(to), end(from));
    bundle& b = turned ? between(end(to), end(from)) : between(end(from), end(to));
    b.on_cycle |= exact;
    const auto known = std::ranges::find(b.kinds, kind, [](const auto& k) { return k.first; });
    if (known == b.kinds.end()) {
      b.kinds.emplace_back(kind, 1);
    } else {
      ++known->second;
    }
  }

  /// Whether the box of an event has others.
  [[nodiscard]] bool several(event_id e) const {
    return std::ranges::count(box_of_, box_of_[e]) > 1;
  }

  /// Edges are straight, so those that go both ways are one line.
  void write_all() {
    std::vector<bool> written(bundles_.size(), false);
    for (std::size_t i = 0; i < bundles_.size(); ++i) {
      if (written[i]) {
        continue;
      }
      const auto back = std::ranges::find_if(bundles_, [&](const bundle& b) {
        return b.from == bundles_[i].to && b.to == bundles_[i].from;
      });
      if (back != bundles_.end()) {
        written[static_cast<std::size_t>(back - bundles_.begin())] = true;
      }
      write(bundles_[i], back != bundles_.end() ? *back : bundle{});
    }
  }

  void write(const bundle& b, const bundle& back) {
    const bool both = !back.kinds.empty();
    const bool on_cycle = b.on_cycle || back.on_cycle;
    const auto has = [&](std::string_view kind) {
      return count_of(b, kind) + count_of(back, kind) > 0;
    };
    const auto* style =
        std::ranges::find_if(styles, [&](const edge_style& s) { return has(s.kind); });
    const bool faded = !cycle_.empty() && !on_cycle;
    const std::string_view known = style == styles.end() ? styles.back().colour : style->colour;
    const std::string_view colour = on_cycle ? cycle_red : faded ? grey : known;
    const std::string_view more = on_cycle                ? ", penwidth=2.4"
                                  : style == styles.end() ? ""
                                                          : style->more;
    const bool race_only = !both && b.kinds.size() == 1 && has("race");
    out_ += fmt::format(
        "  {} -> {} [{}=<<table border=\"0\" cellpadding=\"1\" cellspacing=\"0\"><tr><td "
        "bgcolor=\"white\">{}</td></tr></table>>, color=\"{}\", fontcolor=\"{}\"{}{}{}];\n",
        b.from,
        b.to,
        b.places ? "label" : "taillabel",
        both ? fmt::format("{} → / ← {}", names(b), names(back)) : names(b),
        colour,
        colour,
        more,
        race_only ? ", dir=none"
        : both    ? ", dir=both"
                  : "",
        // Columns stay columns: only program order places boxes.
        b.places ? ", weight=100" : ", constraint=false");
  }

  [[nodiscard]] static std::size_t count_of(const bundle& b, std::string_view kind) {
    const auto found = std::ranges::find(b.kinds, kind, [](const auto& k) { return k.first; });
    return found == b.kinds.end() ? 0 : found->second;
  }

  [[nodiscard]] static std::string names(const bundle& b) {
    std::string out;
    for (const auto& [kind, pairs] : b.kinds) {
      out += fmt::format(
          "{}{}{}", out.empty() ? "" : ", ", kind, pairs == 1 ? "" : fmt::format(" ×{}", pairs));
    }
    return out;
  }

  const drawing& drawing_;
  execution_view view_;
  std::vector<std::vector<box>> columns_; ///< by thread
  std::vector<box> initial_;
  std::vector<std::string> box_of_; ///< by event
  std::set<ends> cycle_;
  std::vector<bundle> bundles_;
  std::string out_;
};

std::string caption(const litmus_report& r, const model_report& m, std::string_view what) {
  return fmt::format("<b>{}</b>, {}: {}", escaped(r.test.name), m.model->name, what);
}

std::string final_of(const litmus_report& r, const model_report& m, const shown_execution& x) {
  return escaped(state_text(r.test, m.shown, shown_values(m, m.result.observables, x.final)));
}

} // namespace

std::optional<drawing> drawing_of(const litmus_report& r, const model_report& m, show_what show) {
  const auto plain = [&](const shown_execution& x, std::string_view what) {
    return drawing{&x, caption(r, m, fmt::format("{}<br/>{}", what, final_of(r, m, x))), {}};
  };
  if (show == show_what::race) {
    return m.result.racing ? std::optional(plain(*m.result.racing, "an execution with a race"))
                           : std::nullopt;
  }
  if (show == show_what::hang) {
    return m.result.hanging
               ? std::optional(plain(*m.result.hanging, "an execution that goes on for ever"))
               : std::nullopt;
  }
  if (const shown_execution* x = m.witness(r.test.wanted)) {
    return plain(*x,
                 r.test.wanted == quantifier::none ? "an execution"
                 : x == (m.result.racing ? &*m.result.racing : nullptr)
                     ? "an execution with the race that allows everything"
                 : r.test.wanted == quantifier::forall ? "does not satisfy the condition"
                                                       : "satisfies the condition");
  }
  if (!m.refused || m.refused->candidates.empty()) {
    return std::nullopt;
  }
  const refused_candidate& c = m.refused->candidates.front();
  return drawing{&c.what,
                 caption(r,
                         m,
                         fmt::format("refused by {}: {}<br/>{}",
                                     escaped(c.broken->name),
                                     escaped(c.broken->says),
                                     final_of(r, m, c.what))),
                 c.cycle};
}

std::string to_dot(const litmus_report& r, const drawing& d) {
  return grapher(r, d).graph();
}

} // namespace tilesim::tools
