// An exploration's report as text.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/frames_text.hpp"
#include "sim/contract/json_text.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/cli/wording.hpp"
#include "tools/explore/report.hpp"
#include "tools/explore/running.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <unistd.h>

namespace tilesim::tools {

namespace {

constexpr std::size_t most_elements = 32; ///< of a state
constexpr std::size_t most_states = 1000;

/// Printed lines of a state, in its row.
std::string in_a_row(std::string text) {
  while (!text.empty() && text.back() == '\n') {
    text.pop_back();
  }
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 3) {
    text.replace(at, 1, " | ");
  }
  return text;
}

std::string explored_state_text(const explored_state& s, const told_elements& told) {
  std::string text =
      fmt::format("{}{}>{}", s.executions, s.status != 0 ? '*' : ':', values_text(s, told));
  if (!s.printed.empty()) {
    text += fmt::format(" prints \"{}\"", in_a_row(s.printed));
  }
  if (s.unfinished) {
    text += " the host's code was not run";
  }
  if (s.status != 0) {
    text += fmt::format(" ends with {}", s.status);
  }
  text += '\n';
  return text +
         (s.replay.empty()
              ? fmt::format("    no replay: {}\n",
                            s.buffered
                                ? "a read takes what is written later (load buffering)"
                                : "it takes more than turns and older writes for strong reads")
              : fmt::format("    replay {}\n", s.replay));
}

std::string finding_text(const explored_finding& f, const explore_report& r) {
  std::string text = fmt::format("{}{}:{} {}{}:{} {} [{}]\n",
                                 bold,
                                 f.where.empty() ? r.source : sim::to_string(f.where.front()),
                                 off,
                                 red,
                                 f.note ? "note" : "error",
                                 off,
                                 f.message,
                                 f.code);
  for (const std::string& line : f.details) {
    text += fmt::format("  {}\n", line);
  }
  if (!f.other.empty()) {
    text += fmt::format("  the other one is at {}\n", sim::to_string(f.other.front()));
  }
  if (!f.remedy.empty()) {
    text += fmt::format("  to fix: {}\n", f.remedy);
  }
  text += f.executions == 0
              ? "  in the first schedule of 'tilesim check', the one in which it is looked for\n"
              : fmt::format("  in {}\n", counted(f.executions, "execution"));
  if (f.replay.empty()) {
    text += "  no schedule shows it: see docs/explore.md\n";
  } else if (r.of_library) {
    text += fmt::format("  to replay: check_options::replay = \"{}\"\n", f.replay);
  } else {
    // Others of the same schedule may come before it.
    const std::string words =
        to_string(command_line{"--replay", f.replay, "--finding", r.name_of(f)});
    text += fmt::format("  to replay: tilesim check {} {}\n", words, r.command);
    text += fmt::format("  to step: tilesim step {} {}\n", words, r.command);
  }
  return text;
}

/// "7 000 000", "1e+12": an estimate.
std::string about(double executions) {
  constexpr double most_written_out = 1e9;
  if (executions >= most_written_out) {
    return fmt::format("{:.0e}", executions);
  }
  const double unit = std::pow(10, std::max(std::floor(std::log10(executions)) - 1, 0.0));
  std::string text = fmt::format("{:.0f}", std::round(executions / unit) * unit);
  for (std::size_t at = text.size(); at > 3; at -= 3) {
    text.insert(at - 3, " ");
  }
  return text;
}

/// What is counted, and what is left out.
std::string counting_text(const explore_report& r) {
  std::string text;
  if (r.complete && r.bound) {
    text += fmt::format("  no execution has more than {}\n", counted(*r.bound, "stale read"));
  }
  if (r.reduced) {
    text += "  additions whose results nobody uses are counted in one order (--no-reduction: in "
            "all)\n";
  }
  if (r.symmetric) {
    text += "  executions that differ in which of several identical blocks does what are counted "
            "once, or a few times (--no-symmetry: all)\n";
  }
  if (r.within_bound || (r.samples != 0 && !r.complete)) {
    text += fmt::format("  {}\n", r.why);
  } else if (!r.complete) {
    text += "  " + r.why;
    if (r.share && r.executions != 0) {
      text +=
          fmt::format("; explored so far: about {:.2g} % of what there is to try", 100 * *r.share);
    }
    if (const auto all = r.in_all()) {
      text += fmt::format(": all of it may be {} executions and take {}",
                          about(all->executions),
                          duration_text(all->seconds));
    }
    text += '\n';
    if (const std::string remedy = r.remedy(); !remedy.empty()) {
      text += fmt::format("  to fix: {}\n", remedy);
    }
  }
  return text;
}

} // namespace

told_elements::told_elements(const std::vector<explored_state>& states)
    : all_(states.size() == 1) {
  for (const explored_state& s : states) {
    for (const auto& [name, values] : s.values.items()) {
      const auto first = states.front().values.find(name);
      const bool alike = first != states.front().values.end() && first->size() == values.size();
      std::vector<bool>& differs = differs_[name];
      differs.resize(std::max(differs.size(), values.size()), false);
      for (std::size_t i = 0; alike && i < values.size(); ++i) {
        differs[i] = differs[i] || first->at(i) != values.at(i);
      }
      if (!alike) {
        differs.assign(differs.size(), true);
      }
    }
  }
  // What a state does not have is not the same in all.
  for (auto& [name, differs] : differs_) {
    if (!std::ranges::all_of(
            states, [&, &of = name](const explored_state& s) { return s.values.contains(of); })) {
      differs.assign(differs.size(), true);
    }
  }
}

bool told_elements::has(const std::string& buffer, std::size_t index) const {
  return all_ || differs_.at(buffer).at(index);
}

std::string values_text(const explored_state& s, const told_elements& which) {
  std::string text;
  std::size_t told = 0;
  for (const auto& [name, values] : s.values.items()) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!which.has(name, i)) {
        continue;
      }
      if (++told > most_elements) {
        return text + " …";
      }
      text += fmt::format("{}{}{}={};",
                          text.empty() ? "" : " ",
                          name,
                          values.size() == 1 ? "" : fmt::format("[{}]", i),
                          sim::json_text(values.at(i)));
    }
  }
  return text;
}

std::string to_text(const explore_report& r) {
  const std::string name =
      r.of_library ? r.source : std::filesystem::path(r.source).stem().string();
  std::string text =
      fmt::format("{}Test {}{}{}\nStates {}\n",
                  bold,
                  name,
                  off,
                  r.part ? fmt::format(", shard {} of {}", r.part->index, r.part->of) : "",
                  r.states.size());
  const told_elements told(r.states);
  for (const explored_state& s :
       std::span(r.states).first(std::min(r.states.size(), most_states))) {
    text += explored_state_text(s, told);
  }
  if (r.states.size() > most_states) {
    text += fmt::format("… {} more states: --json tells all\n", r.states.size() - most_states);
  }
  const std::uint64_t bad = r.failed();
  text += fmt::format("Observation {} {} {} {}\n",
                      name,
                      bad == 0           ? "Never"
                      : bad == r.ended() ? "Always"
                                         : "Sometimes",
                      bad,
                      r.ended() - bad);
  for (const explored_finding& f : r.findings) {
    text += "\n" + finding_text(f, r);
  }
  for (const std::string& s : r.missing) {
    text += fmt::format(
        "{}missing:{} {}{}\n", red, off, s, r.complete ? "" : " (the exploration is not complete)");
  }
  for (const std::string& s : r.unexpected) {
    text += fmt::format("{}not expected:{} {}\n", red, off, s);
  }
  text += fmt::format("{}{}: {} under {}, {}",
                      r.complete ? fmt::format("{}complete{}", green, off)
                                 : fmt::format("{}incomplete{}", red, off),
                      r.part ? fmt::format(", part {} of {}", r.part->index, r.part->of) : "",
                      counted(r.executions, "execution"),
                      r.sequential       ? "sc"
                      : r.load_buffering ? "ptx"
                                         : "ptx without load buffering",
                      counted(r.states.size(), "state"));
  if (r.stopped != 0) {
    text += fmt::format(", {} more that a finding ends", r.stopped);
  }
  text += fmt::format(", {}\n", counted(r.defects(), "finding"));
  return text + counting_text(r);
}

void print(const explore_report& r, const std::string& json) {
  if (json == on_output) {
    print_out(to_json(r));
    return;
  }
  print_out(for_terminal(to_text(r), STDOUT_FILENO));
  if (!json.empty()) {
    write_output(json, to_json(r));
  }
}

} // namespace tilesim::tools
