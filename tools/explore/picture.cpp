// An execution of an exploration, for Graphviz: a column for each block, a box for each access.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/explore/picture.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/contract/exploration_report.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/wording.hpp"
#include "tools/explore/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::tools {

namespace {

std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '"' || c == '\\' ? "\\" : "";
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out;
}

std::string style_of(const std::string& kind) {
  const bool from_reads = kind == sim::in_picture::from_reads;
  const bool reads_from = kind == sim::in_picture::reads_from;
  const char* const colour = reads_from ? "#cf222e" : from_reads ? "#bf8700" : "#0969da";
  return fmt::format(R"(label="{}", color="{}", fontcolor="{}"{})",
                     kind,
                     colour,
                     colour,
                     from_reads ? ", style=dashed" : "");
}

} // namespace

std::string to_dot(const nlohmann::ordered_json& picture, const std::string& caption) {
  std::string out =
      "digraph execution {\n"
      "  graph [fontname=\"Helvetica\", fontsize=12, labelloc=b, nodesep=1.2, ranksep=0.5, "
      "newrank=true];\n"
      "  node [fontname=\"Helvetica\", fontsize=11, shape=box, color=\"#57606a\"];\n"
      "  edge [fontname=\"Helvetica\", fontsize=10, arrowsize=0.7];\n";
  out += fmt::format("  label=\"{}\";\n", quoted(caption));
  const auto& events = picture.at(sim::in_picture::events);
  for (std::size_t t = 0; t < picture.at(sim::in_picture::threads).size(); ++t) {
    out += fmt::format("  subgraph cluster_{} {{\n    label=\"{}\"; labelloc=t; style=rounded; "
                       "color=\"#d0d7de\";\n",
                       t,
                       quoted(picture.at(sim::in_picture::threads).at(t).get<std::string>()));
    std::string order;
    for (std::size_t e = 0; e < events.size(); ++e) {
      if (events.at(e).at(sim::in_picture::thread) == t) {
        out += fmt::format("    e{} [group=t{}, label=\"{}\"];\n",
                           e,
                           t,
                           quoted(events.at(e).at(sim::in_picture::text).get<std::string>()));
        order += fmt::format("{}e{}", order.empty() ? "" : " -> ", e);
      }
    }
    out += order.empty() ? fmt::format("    t{}_none [label=\"no access of shared places\"];\n", t)
                         : fmt::format("    {} [color=\"#8c959f\"];\n", order);
    out += "  }\n";
  }
  for (const auto& edge : picture.at(sim::in_picture::edges)) {
    out += fmt::format("  e{} -> e{} [{}, constraint=false];\n",
                       edge.at(0).get<std::size_t>(),
                       edge.at(1).get<std::size_t>(),
                       style_of(edge.at(2).get<std::string>()));
  }
  return out + "}\n";
}

std::string drawing_of(const explore_report& r, std::size_t number) {
  if (number > r.states.size()) {
    throw failure(exit_usage,
                  fmt::format("--draw {}: there {} {}",
                              number,
                              r.states.size() == 1 ? "is" : "are",
                              counted(r.states.size(), "state")));
  }
  if (number == 0) {
    for (const explored_finding& f : r.findings) {
      if (!f.picture.is_null()) {
        return to_dot(f.picture, fmt::format("{}: {} [{}]", r.source, f.message, f.code));
      }
    }
    const auto bad =
        std::ranges::find_if(r.states, [](const explored_state& s) { return s.status != 0; });
    number = bad == r.states.end() ? 1 : static_cast<std::size_t>(bad - r.states.begin()) + 1;
  }
  if (r.states.empty() || r.states[number - 1].picture.is_null()) {
    throw failure(exit_incomplete, "nothing to draw: no execution has come to its end");
  }
  const explored_state& s = r.states[number - 1];
  return to_dot(
      s.picture,
      fmt::format("{}: state {}, {}", r.source, number, values_text(s, told_elements(r.states))));
}

} // namespace tilesim::tools
