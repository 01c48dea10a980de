// What a comparison found: its verdict, and reading it from the program.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/report.hpp"

#include "sim/contract/comparison_lines.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/frames_json.hpp"
#include "sim/contract/json_text.hpp"
#include "tools/cli/failure.hpp"
#include "tools/diff/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace tilesim::tools::diff {

namespace {

using nlohmann::json;

std::optional<std::uint64_t> bits_of(const std::string& text) {
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(bits)
                                                                  : std::nullopt;
}

open_decision decision_from(const json& o) {
  return {.why = o.at(sim::in_comparison::why),
          .frames = sim::frames_from_json(o.at(sim::in_comparison::frames))};
}

void read_bound(differing_element& into, const json& e, const std::optional<cell_type>& type) {
  into.low = e.at(sim::in_comparison::low);
  into.high = e.at(sim::in_comparison::high);
  into.part = e.at(sim::in_comparison::part);
  const auto here = bits_of(e.at(sim::in_comparison::here).get<std::string>());
  const auto low = bits_of(into.low);
  const auto high = bits_of(into.high);
  if (!type || !here || !low || !high || into.low.size() != std::size_t{type->size} * 2) {
    return;
  }
  if (type->is_floating()) {
    into.allowed_ulps =
        std::max(ulps_between(*type, *here, *low), ulps_between(*type, *here, *high));
  }
  into.low = cell_text(*type, *low);
  into.high = cell_text(*type, *high);
}

void read_writer(auto& into, const json& of) {
  if (!of.contains(sim::in_comparison::writer)) {
    return;
  }
  const json& w = of.at(sim::in_comparison::writer);
  into.writer = {.block = w.at(sim::in_comparison::block),
                 .at = sim::frames_from_json(w.at(sim::in_comparison::frames)),
                 .launch = {},
                 .kernel = w.value(sim::in_comparison::kernel, "")};
  if (w.contains(sim::in_comparison::launch)) {
    into.writer.launch = w.at(sim::in_comparison::launch).get<std::uint64_t>();
  }
}

differing_input input_from(const json& i) {
  if (i.contains(sim::in_comparison::argument)) {
    return {.name = i.at(sim::in_comparison::name),
            .argument = i.at(sim::in_comparison::argument).get<std::uint64_t>(),
            .type = i.at(sim::in_comparison::type),
            .here = i.at(sim::in_comparison::here),
            .there = i.at(sim::in_comparison::there)};
  }
  differing_input result{.name = i.at(sim::in_comparison::name),
                         .offset = i.value(sim::in_comparison::offset, std::uint64_t{0}),
                         .bytes = i.value(sim::in_comparison::bytes, std::uint64_t{0}),
                         .left = i.value(sim::in_comparison::left, false),
                         .size = i.at(sim::in_comparison::size)};
  if (i.contains(sim::in_comparison::bytes_there)) {
    result.size_there = i.at(sim::in_comparison::bytes_there).get<std::uint64_t>();
  }
  return result;
}

differing_element element_from(const json& e, const std::optional<cell_type>& type) {
  differing_element result;
  result.index = e.at(sim::in_comparison::index);
  result.here = e.at(sim::in_comparison::here);
  result.there = e.at(sim::in_comparison::there);
  if (e.contains(sim::in_comparison::low)) {
    read_bound(result, e, type);
  }
  result.nan = e.value(sim::in_comparison::nan, false);
  if (e.contains(sim::in_comparison::open)) {
    result.open = decision_from(e.at(sim::in_comparison::open));
  }
  const auto here = bits_of(result.here);
  const auto there = bits_of(result.there);
  if (type && here && there && result.here.size() == std::size_t{type->size} * 2) {
    result.here = cell_text(*type, *here);
    result.there = cell_text(*type, *there);
    if (const std::uint64_t ulps = ulps_between(*type, *here, *there);
        type->is_floating() && ulps != UINT64_MAX) { // of a number and a NaN nothing is told
      result.ulps = ulps;
    }
  }
  read_writer(result, e);
  return result;
}

differing_page page_from(const json& p) {
  differing_page result{.begin = p.at(sim::in_comparison::begin),
                        .end = p.at(sim::in_comparison::end),
                        .open = p.at(sim::in_comparison::open)};
  read_writer(result, p);
  return result;
}

differing_buffer buffer_from(const json& b) {
  differing_buffer result{.name = b.at(sim::in_comparison::name),
                          .type = b.value(sim::in_comparison::type, ""),
                          .count = b.at(sim::in_comparison::size).get<std::uint64_t>() /
                                   b.value(sim::in_comparison::element_bytes, std::uint64_t{1}),
                          .elements = b.at(sim::in_comparison::elements),
                          .open = b.at(sim::in_comparison::open),
                          .allowed = b.at(sim::in_comparison::allowed),
                          .runs = b.at(sim::in_comparison::runs),
                          .kinds = {},
                          .runs_cut = b.at(sim::in_comparison::runs_cut),
                          .pages = {},
                          .hash = b.at(sim::in_comparison::hash),
                          .varies = false,
                          .first = {},
                          .worst = {}};
  const auto type = find_cell_type(result.type);
  for (const json& e : b.at(sim::in_comparison::first)) {
    result.first.push_back(element_from(e, type));
  }
  for (const json& kind : b.at(sim::in_comparison::kinds)) {
    result.kinds.push_back(static_cast<element_verdict>(kind.get<unsigned>()));
  }
  for (const json& page : b.at(sim::in_comparison::pages)) {
    result.pages.push_back(page_from(page));
  }
  if (b.contains(sim::in_comparison::worst)) {
    result.worst = element_from(b.at(sim::in_comparison::worst), type);
  }
  return result;
}

compared_launch launch_from(const json& line) {
  compared_launch l{.number = line.at(sim::in_comparison::launch),
                    .first = line.at(sim::in_comparison::first_launch),
                    .kernel = line.at(sim::in_comparison::kernel),
                    .frames = sim::frames_from_json(line.at(sim::in_comparison::frames)),
                    .bytes = line.at(sim::in_comparison::bytes),
                    .inputs = {},
                    .buffers = {},
                    .inexact = {},
                    .threads = line.value(sim::in_comparison::threads, false),
                    .bounded = line.value(sim::in_comparison::bounded, false),
                    .printed = line.value(sim::in_comparison::printed, false),
                    .ordered = line.value(sim::in_comparison::ordered, false),
                    .olds = line.value(sim::in_comparison::olds, false),
                    .summed = line.value(sim::in_comparison::summed, false),
                    .depends = line.value(sim::in_comparison::depends, false),
                    .movable = line.value(sim::in_comparison::movable, false),
                    .rounded = line.value(sim::in_comparison::rounded, false),
                    .diverted = {},
                    .reloads = {}};
  for (const json& r : line.at(sim::in_comparison::reloads)) {
    l.reloads.push_back({.load = sim::frames_from_json(r.at(sim::in_comparison::load)),
                         .store = sim::frames_from_json(r.at(sim::in_comparison::store)),
                         .use = sim::frames_from_json(r.at(sim::in_comparison::use))});
  }
  if (line.contains(sim::in_comparison::diverted)) {
    l.diverted = decision_from(line.at(sim::in_comparison::diverted));
  }
  for (const json& i : line.at(sim::in_comparison::inputs)) {
    l.inputs.push_back(input_from(i));
  }
  for (const json& b : line.at(sim::in_comparison::buffers)) {
    l.buffers.push_back(buffer_from(b));
  }
  for (const json& o : line.at(sim::in_comparison::inexact)) {
    l.inexact.push_back({.why = o.at(sim::in_comparison::why),
                         .frames = sim::frames_from_json(o.at(sim::in_comparison::frames))});
  }
  return l;
}

std::string launch_text(const json& side) {
  const auto list = [](const json& extents) {
    return fmt::format("{}", fmt::join(extents.get<std::vector<std::uint64_t>>(), ","));
  };
  const auto shared = side.at(sim::in_comparison::shared).get<std::uint64_t>();
  return fmt::format("{}<<<({}), ({}){}>>>",
                     side.at(sim::in_comparison::kernel).get<std::string>(),
                     list(side.at(sim::in_comparison::grid)),
                     list(side.at(sim::in_comparison::block)),
                     shared == 0 ? "" : fmt::format(", {}", shared));
}

void take(report& into, const json& line) {
  if (line.contains(sim::in_comparison::launch)) {
    into.launches.push_back(launch_from(line));
  } else if (line.contains(sim::in_comparison::other_launch)) {
    into.parted = {.number = line.at(sim::in_comparison::other_launch),
                   .here = launch_text(line.at(sim::in_comparison::here)),
                   .there = launch_text(line.at(sim::in_comparison::there)),
                   .frames = sim::frames_from_json(line.at(sim::in_comparison::frames))};
  } else {
    into.launches_here = line.at(sim::in_comparison::launches);
    into.launches_there = line.at(sim::in_comparison::recorded);
    for (const json& name : line.at(sim::in_comparison::unmatched)) {
      into.remarks.push_back(fmt::format(
          "the variable {} is not compared: the program here has none of this name and size",
          name.get<std::string>()));
    }
  }
}

} // namespace

void read_comparison(report& into, std::string_view lines) {
  try {
    while (!lines.empty()) {
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      take(into, sim::json_of(lines.substr(0, end)));
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
  } catch (const json::exception& e) {
    throw failure(exit_internal,
                  fmt::format("the comparison that the program wrote: {}", e.what()));
  }
}

const compared_launch* report::told_in_full() const noexcept {
  auto found = std::ranges::find(launches, verdict::differs, &compared_launch::judged);
  if (found == launches.end()) {
    found = std::ranges::find_if(
        launches, [](const compared_launch& l) { return l.judged() != verdict::same; });
  }
  return found == launches.end() ? nullptr : &*found;
}

namespace {

/// "(1,0,0)" of "tile block (1,0,0)" and "thread (3,0,0) of block (1,0,0)"; empty: there is none.
std::string coordinates_of(const std::string& block) {
  constexpr std::string_view word = "block (";
  const auto at = block.find(word);
  const auto end = at == std::string::npos ? at : block.find(')', at);
  return end == std::string::npos
             ? ""
             : block.substr(at + word.size() - 1, end + 1 - (at + word.size() - 1));
}

/// Where an element or a page was written; empty: not known.
std::string stop_at_writer(const last_writer& w, std::uint64_t launch) {
  const std::string block = coordinates_of(w.block);
  return block.empty() || w.at.empty() ? ""
                                       : fmt::format("{}:{} launch={} block={}",
                                                     w.at.front().file,
                                                     w.at.front().line,
                                                     w.launch.value_or(launch) + 1,
                                                     block);
}

} // namespace

std::uint64_t differing_buffer::wrong() const noexcept {
  return elements - open - allowed +
         static_cast<std::uint64_t>(std::ranges::count(pages, false, &differing_page::open));
}

std::uint64_t differing_buffer::undecided() const noexcept {
  return open + static_cast<std::uint64_t>(std::ranges::count(pages, true, &differing_page::open));
}

std::string stop_at_what_differs(const report& r) {
  const compared_launch* const l = r.told_in_full();
  if (l == nullptr) {
    return {};
  }
  for (const differing_buffer& b : l->buffers) {
    for (const differing_element& e : b.first) {
      if (std::string stop = stop_at_writer(e.writer, l->number); !stop.empty()) {
        return stop;
      }
    }
    for (const differing_page& p : b.pages) {
      if (std::string stop = stop_at_writer(p.writer, l->number); !stop.empty()) {
        return stop;
      }
    }
  }
  return fmt::format("launch={}", l->first + 1);
}

bool inexact_operation::is_left_to_the_schedule() const noexcept {
  return why == sim::in_comparison::because_atomic || why == sim::in_comparison::because_store;
}

verdict compared_launch::judged() const noexcept {
  if (!inputs.empty()) {
    return verdict::other_input; // equal results of other inputs say nothing either
  }
  if (buffers.empty()) {
    return verdict::same;
  }
  if (is_by_another()) {
    return verdict::allowed;
  }
  if (is_no_execution()) {
    return verdict::differs;
  }
  if (has_unseen_executions()) {
    return verdict::undecided;
  }
  const bool varies = std::ranges::any_of(buffers, &differing_buffer::varies);
  if (!bounded) {
    return computes_inexactly() || varies ? verdict::undecided : verdict::differs;
  }
  const bool wrong = std::ranges::any_of(buffers, [](const auto& b) { return b.wrong() != 0; });
  const bool open = std::ranges::any_of(buffers, [](const auto& b) { return b.undecided() != 0; });
  // Who comes first at an atomic update decides what follows, too; which store comes last, no more
  // than which of their values is there.
  const bool updates = std::ranges::any_of(
      inexact, [](const auto& o) { return o.why == sim::in_comparison::because_atomic; });
  const bool depends_on_order = updates && (ordered || olds || (threads && varies));
  if (diverted || (wrong && depends_on_order) || (open && !wrong)) {
    return verdict::undecided;
  }
  return wrong ? verdict::differs : verdict::allowed;
}

bool compared_launch::needs_other_values() const noexcept {
  return bounded && movable && inputs.empty() && judged() != verdict::same;
}

bool compared_launch::needs_both_ends() const noexcept {
  const auto uncertain = [](const differing_buffer& b) {
    return b.wrong() != 0 &&
           std::ranges::any_of(b.first, [](const auto& e) { return e.low.empty() && !e.nan; });
  };
  return needs_other_values() && judged() == verdict::differs &&
         std::ranges::any_of(buffers, uncertain);
}

bool compared_launch::waits_for_olds() const noexcept {
  compared_launch without = *this;
  without.olds = false;
  return bounded && olds && judged() == verdict::undecided && without.judged() == verdict::differs;
}

bool compared_launch::is_settled() const noexcept {
  return summed && judged() == verdict::differs &&
         std::ranges::none_of(inexact, [](const inexact_operation& o) {
           return o.why == sim::in_comparison::because_store;
         });
}

// Of numbers that another machine may have rounded otherwise all executions here say nothing.
bool compared_launch::is_no_execution() const noexcept {
  const bool bounds = std::ranges::any_of(
      buffers, [](const auto& b) { return b.allowed != 0 || b.undecided() != 0; });
  return ends && (ends->whole || ends->excluded) && !ends->among && !computes_inexactly() &&
         !rounded && !diverted && !bounds;
}

bool compared_launch::is_by_another() const noexcept {
  return inputs.empty() && !buffers.empty() && (explained_by != 0 || (ends && ends->among));
}

bool compared_launch::has_unseen_executions() const noexcept {
  const bool unknown = ends ? !ends->whole && !ends->excluded : !unseen.empty();
  return threads && unknown && std::ranges::any_of(inexact, [](const inexact_operation& o) {
           return o.why == sim::in_comparison::because_store;
         });
}

bool compared_launch::waits_for_executions() const noexcept {
  return judged() == verdict::undecided && !diverted && !(ends && ends->whole) &&
         std::ranges::any_of(inexact, &inexact_operation::is_left_to_the_schedule);
}

bool compared_launch::computes_inexactly() const noexcept {
  return std::ranges::any_of(inexact, [](const inexact_operation& o) {
    return o.why == sim::in_comparison::because_approximate ||
           o.why == sim::in_comparison::because_order;
  });
}

void note_varying(report& of, const report& other, std::uint64_t seed) {
  for (compared_launch& l : of.launches) {
    const auto there = std::ranges::find(other.launches, l.number, &compared_launch::number);
    if (there != other.launches.end() && !l.buffers.empty() && l.inputs.empty() &&
        there->buffers.empty() && l.explained_by == 0) {
      l.explained_by = seed; // an execution that the model allows gives just this
    }
    for (differing_buffer& b : l.buffers) {
      if (there == other.launches.end()) {
        continue;
      }
      // One that is not among them has what the other machine had.
      const auto same = std::ranges::find(there->buffers, b.name, &differing_buffer::name);
      b.varies = b.varies || same == there->buffers.end() || same->hash != b.hash;
    }
  }
}

void note_other_values(report& of, report other) {
  for (compared_launch& l : of.launches) {
    const auto there = std::ranges::find(other.launches, l.number, &compared_launch::number);
    if (!l.needs_other_values() || there == other.launches.end() || !there->bounded) {
      continue;
    }
    // What no execution gives by the one run stays so, unless it depends on what the other altered.
    const verdict other_one = there->judged();
    const bool takes = l.judged() == verdict::differs ? there->depends && !there->diverted
                                                      : other_one != verdict::undecided;
    if (takes) {
      l = std::move(*there);
    }
  }
}

bool nobody_looks(const compared_launch& at, const std::vector<report>& others) {
  return std::ranges::all_of(others, [&](const report& other) {
    const auto there = std::ranges::find(other.launches, at.number, &compared_launch::number);
    return there != other.launches.end() && there->bounded && there->summed;
  });
}

void note_other_olds(report& of, const std::vector<report>& others) {
  for (compared_launch& l : of.launches) {
    if (l.waits_for_olds() && nobody_looks(l, others)) {
      l.olds = false;
      l.summed = true;
    }
  }
}

void note_ends(report& of, std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const json line = sim::json_of(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (!line.contains(sim::in_comparison::ends_of)) {
      continue;
    }
    const auto l = std::ranges::find(of.launches,
                                     line.at(sim::in_comparison::ends_of).get<std::uint64_t>(),
                                     &compared_launch::number);
    if (l != of.launches.end() && line.contains(sim::in_comparison::why)) {
      l->unseen = line.at(sim::in_comparison::why);
    } else if (l != of.launches.end()) {
      l->unseen.clear();
      l->ends = {.among = line.at(sim::in_comparison::among),
                 .whole = line.at(sim::in_comparison::whole),
                 .excluded = line.at(sim::in_comparison::excluded),
                 .ends = line.at(sim::in_comparison::ends),
                 .executions = line.at(sim::in_comparison::executions)};
    }
  }
}

std::uint64_t report::count(verdict v) const noexcept {
  std::uint64_t sum = 0;
  for (const compared_launch& l : launches) {
    sum += l.judged() == v ? l.number - l.first + 1 : 0;
  }
  return sum;
}

int report::exit_code() const noexcept {
  const bool undecided = count(verdict::undecided) != 0 || count(verdict::other_input) != 0 ||
                         launches_compared() < launches_to_compare();
  const bool prints = undecided || std::ranges::any_of(launches, &compared_launch::printed);
  const bool launches_differ = count(verdict::differs) != 0 || parted.has_value() ||
                               launches_here != launches_there || failed_otherwise();
  // Another execution than the one that printed here leaves the memory that was recorded.
  const bool printed_otherwise =
      (printed_here || printed_there) &&
      std::ranges::any_of(launches, [](const compared_launch& l) { return l.is_by_another(); });
  // Who prints or returns what was computed from an undecided launch says nothing new.
  const bool status_differs =
      status_there != own_status() || (!status_there && !of_recordings); // a simulation always ends
  const bool ends_differ = (!prints && !printed_otherwise && (printed_here || printed_there)) ||
                           (!undecided && status_differs);
  if (launches_differ || ends_differ || !findings.empty()) {
    return exit_findings;
  }
  return undecided || printed_otherwise ? exit_incomplete : exit_clean;
}

const report& most_urgent(const std::vector<report>& runs) noexcept {
  return *std::ranges::max_element(runs, {}, &report::urgency);
}

int exit_code_of(const std::vector<report>& runs) noexcept {
  int worst = exit_clean;
  for (const report& r : runs) {
    const int code = r.exit_code();
    worst = worst == exit_findings || code == exit_findings ? exit_findings : std::max(worst, code);
  }
  return worst;
}

std::uint64_t report::launches_compared() const noexcept {
  std::uint64_t sum = 0;
  for (const compared_launch& l : launches) {
    sum += l.number - l.first + 1;
  }
  return sum;
}

std::uint64_t report::launches_to_compare() const noexcept {
  return of_recordings ? std::max(launches_here, launches_there) : launches_there;
}

std::optional<int> report::own_status() const noexcept {
  return status_here == exit_with_findings && !findings.empty() ? 0 : status_here;
}

bool report::failed_otherwise() const noexcept {
  return !failed_here.empty() || !failed_there.empty();
}

int report::urgency() const noexcept {
  return count(verdict::differs) != 0                            ? 4
         : parted.has_value() || launches_here != launches_there ? 3
         : exit_code() == exit_findings                          ? 2
         : exit_code() != exit_clean                             ? 1
                                                                 : 0;
}

const char* report::verdict_word() const noexcept {
  switch (exit_code()) {
  case exit_clean:
    return "agrees";
  case exit_findings:
    return "differs";
  default:
    return "undecided";
  }
}

} // namespace tilesim::tools::diff
