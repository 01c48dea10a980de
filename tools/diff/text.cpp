// Writes a comparison as text: the first launch that differs in full, the others in a line each.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/comparison_lines.hpp"
#include "sim/contract/frames_text.hpp"
#include "tools/cli/wording.hpp"
#include "tools/diff/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace tilesim::tools::diff {

namespace {

constexpr std::size_t most_elements = 4;
constexpr std::size_t map_cells = 64;

std::string
element_text(const compared_launch& l, const differing_buffer& b, const differing_element& e) {
  std::string text = fmt::format("  {}[{}]: {} here, {} there", b.name, e.index, e.here, e.there);
  if (e.ulps) {
    text += fmt::format(", {} apart", counted(*e.ulps, "ulp"));
  }
  text += "\n";
  if (!e.low.empty()) {
    text +=
        fmt::format("    allowed: {} to {}{}\n",
                    e.low,
                    e.high,
                    e.allowed_ulps ? fmt::format(", {} ulps off at most", *e.allowed_ulps) : "");
  }
  if (e.nan) {
    text += "    allowed: any NaN, for which of them an operation gives is left open\n";
  }
  if (e.open && !l.is_by_another()) {
    text += fmt::format("    not known: {}, at {}\n", e.open->why, place(e.open->frames));
  }
  if (!e.writer.block.empty()) {
    text += fmt::format("    written by {}\n", writer_text(l, e.writer));
  }
  return text;
}

/// Where in the buffer the differences lie: a cell for so many elements each.
std::string map_text(const differing_buffer& b) {
  if (b.runs_cut || b.count < map_cells) {
    return {};
  }
  const std::uint64_t a_cell = (b.count + map_cells - 1) / map_cells;
  std::vector<std::uint64_t> in(((b.count + a_cell) - 1) / a_cell);
  for (const auto& [begin, end] : b.runs) {
    for (std::uint64_t cell = begin / a_cell; cell <= (end - 1) / a_cell; ++cell) {
      in[cell] += std::min(end, (cell + 1) * a_cell) - std::max(begin, cell * a_cell);
    }
  }
  std::string cells;
  for (const std::uint64_t n : in) {
    cells += n == 0 ? '.' : n == a_cell ? '#' : '+';
  }
  return fmt::format("  |{}| {} a cell: + some differ, # all\n", cells, counted(a_cell, "element"));
}

/// Pages that are known by their hashes.
std::string pages_text(const compared_launch& l, const differing_buffer& b) {
  std::string text;
  for (std::size_t i = 0; i < std::min(b.pages.size(), most_elements); ++i) {
    const differing_page& p = b.pages[i];
    text += fmt::format(
        "  bytes {} to {} of {} differ: which of them is not known, for the recording has "
        "the hash of these alone\n",
        p.begin,
        p.end,
        b.name);
    if (p.open && !l.is_by_another()) {
      text += "    not known: whether they lie within the bounds of what approximate operations, "
              "and those "
              "in an open order, may give\n";
    }
    if (!p.writer.block.empty()) {
      text += fmt::format("    the first written by {}\n", writer_text(l, p.writer));
    }
  }
  if (b.pages.size() > most_elements) {
    text += fmt::format("  and {} more such pages\n", b.pages.size() - most_elements);
  }
  return text;
}

std::string buffer_text(const compared_launch& l, const differing_buffer& b) {
  std::string text = pages_text(l, b);
  if (b.elements == 0) {
    return text;
  }
  text += fmt::format("  {} of {} of {} differ\n",
                      b.elements,
                      counted(b.count, b.type.empty() ? "byte" : "element"),
                      b.name);
  if (b.wrong() + b.undecided() != 0 || !b.worst) {
    for (std::size_t i = 0; i < std::min(b.first.size(), most_elements); ++i) {
      text += element_text(l, b, b.first[i]);
    }
  }
  if (b.worst) {
    text +=
        fmt::format("  {} within the bounds, using {} % of them at most:\n{}",
                    b.wrong() + b.undecided() == 0 ? "all lie" : fmt::format("{} lie", b.allowed),
                    static_cast<int>(std::ceil(b.worst->part * 100)),
                    element_text(l, b, *b.worst));
  }
  return text + map_text(b);
}

std::string_view reason_text(const inexact_operation& o, bool varies) {
  if (o.why == sim::in_comparison::because_order) {
    return "the order in which floating-point numbers are combined is left open";
  }
  if (o.why == sim::in_comparison::because_store) {
    return "stores that nothing orders: which comes last is left open";
  }
  if (o.why == sim::in_comparison::because_atomic) {
    return varies ? "an atomic operation: who comes first is left open, and the results vary with "
                    "the schedule"
                  : "an atomic operation: who comes first is left open";
  }
  return "an approximate operation";
}

std::string inexact_text(const compared_launch& l) {
  std::string text;
  const bool varies = std::ranges::any_of(l.buffers, &differing_buffer::varies);
  for (const inexact_operation& o : l.inexact) {
    if (o.is_left_to_the_schedule() && !varies && l.judged() != verdict::undecided) {
      continue; // in whichever order, the results are these
    }
    text += fmt::format("  at {}: {}\n", place(o.frames), reason_text(o, varies));
  }
  return text;
}

std::string reloads_text(const compared_launch& l) {
  std::string text;
  for (const reloaded_value& r : l.reloads) {
    text += fmt::format(
        "  the load at {} comes before the store at {} over the same place; the value is "
        "used in another shape at {}, where nvcc 13.4.92 for sm_90 may load it again, "
        "behind the store (docs/compiler-findings.md)\n",
        place(r.load),
        place(r.store),
        place(r.use));
  }
  return text;
}

std::string diverted_text(const compared_launch& l) {
  if (!l.diverted || l.is_by_another()) {
    return "";
  }
  const auto& frames = l.diverted->frames; // of what the whole launch is subject to there are none
  return fmt::format("  {}{}: what follows is not known\n",
                     frames.empty() ? "" : fmt::format("at {}: ", place(frames)),
                     l.diverted->why);
}

std::string inputs_text(const compared_launch& l) {
  std::string text;
  for (const differing_input& i : l.inputs) {
    text += fmt::format("  {}\n", input_text(i));
  }
  return text;
}

std::string fact_of_input(const compared_launch& l, const report& r) {
  if (std::ranges::all_of(l.inputs, &differing_input::left)) {
    return "the input differs: launches before it left other bytes here, and the recording has the "
           "hashes alone of what they left there";
  }
  if (std::ranges::any_of(l.inputs, [](const auto& i) { return i.argument.has_value(); })) {
    return "the input differs: the launch does not pass what it passed there";
  }
  const auto is_missing = [](const differing_input& i) {
    return i.size_there && (i.size == 0 || *i.size_there == 0);
  };
  if (std::ranges::any_of(l.inputs, is_missing)) {
    return "the input differs: one of them has memory that the other one has not";
  }
  if (std::ranges::any_of(l.inputs, [](const auto& i) { return i.size_there.has_value(); })) {
    return "the input differs: memory does not have the size that it had there";
  }
  return r.of_recordings
             ? "the input differs: what lay in memory before it was not the same"
             : "the input differs: what the host wrote before it was not what the recording has";
}

std::string fact_of_difference(const compared_launch& l, const report& r) {
  if (r.of_recordings) {
    return "the results differ";
  }
  if (l.is_no_execution() && l.ends->excluded) {
    return "no execution gives these results, whatever its reads take";
  }
  if (l.is_no_execution()) {
    return fmt::format("no execution gives these results: of all {} of the launch there {}",
                       l.ends->executions,
                       l.ends->ends == 1 ? "is one end" : fmt::format("are {} ends", l.ends->ends));
  }
  if (l.summed) {
    return "the results differ, and among them are sums of whole numbers, which come to the same "
           "in "
           "every order: no execution gives these";
  }
  const auto has_bound = [](const differing_buffer& b) {
    return b.allowed != 0 ||
           std::ranges::any_of(b.first, [](const auto& e) { return !e.low.empty(); });
  };
  if (l.bounded &&
      (l.computes_inexactly() || std::ranges::any_of(l.buffers, &differing_buffer::varies) ||
       std::ranges::any_of(l.buffers, has_bound))) {
    return "no allowed execution gives these results";
  }
  return l.inexact.empty() ? "the results differ, and every operation has one right result: no "
                             "allowed execution gives these"
                           : "the results differ, and those of the simulator are the same under "
                             "every schedule that was tried";
}

std::string fact(const compared_launch& l, const report& r) {
  switch (l.judged()) {
  case verdict::other_input:
    return fact_of_input(l, r);
  case verdict::allowed:
    if (l.ends && l.ends->among) {
      return "the results differ from those of the first schedule, and another execution gives "
             "just these";
    }
    if (l.explained_by != 0) {
      return fmt::format("the results differ from those of the first schedule, and another one, "
                         "--schedule random --seed {}, gives just these",
                         l.explained_by);
    }
    return "the results agree within the bounds that follow from the values that went in";
  case verdict::undecided:
    return l.bounded
               ? "the results differ, and whether they may is not known"
               : "the results differ, and operations with more than one right result took part";
  case verdict::differs:
    return fact_of_difference(l, r);
  case verdict::same:
    break;
  }
  return "the results are the same, bit for bit";
}

std::string launch_text(const compared_launch& l, const report& r) {
  const verdict v = l.judged();
  std::string text = fmt::format("{}{}:{} {}{}:{} {}: {}\n",
                                 bold,
                                 l.frames.empty() ? r.sources.front() : place(l.frames),
                                 off,
                                 v == verdict::differs   ? red
                                 : v == verdict::allowed ? green
                                                         : yellow,
                                 v == verdict::differs   ? "error"
                                 : v == verdict::allowed ? "agrees"
                                                         : "undecided",
                                 off,
                                 launches_name(l),
                                 fact(l, r));
  text += inputs_text(l);
  for (const differing_buffer& b : l.buffers) {
    text += buffer_text(l, b);
  }
  const std::string executions = executions_text(l);
  text += executions.empty() ? "" : fmt::format("  {}\n", executions);
  return text + diverted_text(l) + (v == verdict::differs ? reloads_text(l) : "") + inexact_text(l);
}

std::string summary_line(const compared_launch& l) {
  std::string buffers;
  for (const differing_buffer& b : l.buffers) {
    buffers += fmt::format(
        "{}{} ({})",
        buffers.empty() ? "" : ", ",
        b.name,
        b.pages.empty()   ? std::to_string(b.elements)
        : b.elements == 0 ? counted(b.pages.size(), "page")
                          : fmt::format("{}, {}", b.elements, counted(b.pages.size(), "page")));
  }
  return fmt::format("  {} at {}: {}{}{}\n",
                     launches_name(l),
                     place(l.frames),
                     name(l.judged()),
                     buffers.empty() ? "" : ": ",
                     buffers);
}

std::string launches_text(const report& r) {
  const compared_launch* const whole = r.told_in_full();
  const std::string text = whole == nullptr ? "" : launch_text(*whole, r);
  std::string others;
  for (const compared_launch& l : r.launches) {
    if (l.judged() != verdict::same && &l != whole) {
      others += summary_line(l);
    }
  }
  return others.empty() ? text : text + "also:\n" + others;
}

std::string ends_text(const report& r) {
  std::string text;
  if (r.parted) {
    text += fmt::format("{}{}:{} {}error:{} launch {} is {} here, {} there\n",
                        bold,
                        r.parted->frames.empty() ? r.sources.front() : place(r.parted->frames),
                        off,
                        red,
                        off,
                        r.parted->number + 1,
                        r.parted->here,
                        r.parted->there);
  } else if (r.launches_here != r.launches_there) {
    text += fmt::format("{}error:{} {} here, {} there\n",
                        red,
                        off,
                        counted(r.launches_here, "launch", "es"),
                        counted(r.launches_there, "launch", "es"));
  }
  if (r.printed_here) {
    text += fmt::format("  printed here and not there: {}\n", *r.printed_here);
  }
  if (r.printed_there) {
    text += fmt::format("  printed there and not here: {}\n", *r.printed_there);
  }
  const std::string status = status_text(r);
  return status.empty() ? text : text + fmt::format("  {}\n", status);
}

std::string findings_text(const report& r) {
  std::string text;
  for (const checked_finding& f : r.findings) {
    text += fmt::format("{}{}:{} {}{}:{} {} [{}]\n",
                        bold,
                        f.where.empty() ? r.sources.front() : sim::to_string(f.where.front()),
                        off,
                        red,
                        "error",
                        off,
                        f.message,
                        f.code);
    for (const std::string& d : f.details) {
      text += fmt::format("  {}\n", d);
    }
  }
  return text;
}

} // namespace

namespace {

std::string summary_text(const report& r);

/// Where hashes alone are there, and more could be said.
std::string hashes_text(const report& r) {
  const auto by_hashes = [](const compared_launch& l) {
    return std::ranges::any_of(l.buffers, [](const auto& b) { return !b.pages.empty(); });
  };
  return std::ranges::any_of(r.launches, by_hashes)
             ? fmt::format(
                   "note: {} was made by 'tilesim gpu compact': compare with the recording that it "
                   "is of to see which elements differ\n",
                   r.other.file)
             : "";
}

std::string whole_text(const report& r) {
  std::string text = r.other_text.empty() ? "" : fmt::format("note: {}\n", r.other_text);
  text += launches_text(r) + ends_text(r) + findings_text(r) + hashes_text(r);
  if (r.failed_otherwise()) {
    text += fmt::format("{}error:{} {}\n", red, off, failed_text(r));
  }
  for (const std::string& remark : r.remarks) {
    text += fmt::format("note: {}\n", remark);
  }
  // Behind another launch nothing is compared, whatever the recording has.
  if (!r.parted && r.launches_compared() < r.launches_there &&
      r.launches_here == r.launches_there) {
    text += fmt::format("note: {} what {} of {} launches left\n",
                        r.of_recordings ? "one of the recordings does not have"
                                        : "the recording does not have",
                        r.launches_there - r.launches_compared(),
                        r.launches_there);
  }
  if (r.exit_code() != 0 && !r.step.empty()) {
    text += fmt::format("to look at it: tilesim step {}\n", r.step);
  }
  return text + summary_text(r);
}

std::string summary_text(const report& r) {
  std::uint64_t bytes = 0;
  for (const compared_launch& l : r.launches) {
    bytes += l.bytes;
  }
  const bool agrees = r.exit_code() == 0;
  const std::string reason = reason_beside_launches(r);
  return fmt::format("{}{}{}{}: {} of {} compared with {} ({}), {} bytes: {} the same, "
                     "{}{} differ, {} undecided, {} with other input{}\n",
                     r.runs == 1 ? "" : fmt::format("run {} of {}: ", r.run + 1, r.runs),
                     agrees ? green : red,
                     r.verdict_word(),
                     off,
                     r.launches_compared(),
                     counted(r.launches_to_compare(), "launch", "es"),
                     r.other.file,
                     r.other.device.empty() ? "no device" : r.other.device,
                     bytes,
                     r.count(verdict::same),
                     r.count(verdict::allowed) == 0
                         ? ""
                         : fmt::format("{} within the bounds, ", r.count(verdict::allowed)),
                     r.count(verdict::differs),
                     r.count(verdict::undecided),
                     r.count(verdict::other_input),
                     reason.empty() ? "" : "; " + reason);
}

} // namespace

// In full the most urgent run; of the others how they end.
std::string to_text(const std::vector<report>& runs) {
  const report& shown = most_urgent(runs);
  std::string text;
  std::size_t others = 0;
  for (const report& r : runs) {
    text += &r == &shown ? whole_text(r) : summary_text(r);
    others += &r != &shown && r.exit_code() != 0 ? std::size_t{1} : std::size_t{0};
  }
  return others == 0 ? text : text + "to look at one of the other runs: --run N\n";
}

} // namespace tilesim::tools::diff
