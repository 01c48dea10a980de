// Writes a comparison as one HTML page: launches in a table, what differs as a map of each buffer.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/frames_text.hpp"
#include "tools/check/html_page.hpp"
#include "tools/diff/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilesim::tools::diff {

namespace {

constexpr auto style = R"(
.map { display: grid; grid-template-columns: repeat(64, 1fr); gap: 1px; max-width: 46rem; }
.map i { height: .65rem; background: var(--soft); } .map .wrong, .key .wrong { background: #c62828; }
.map .open, .key .open { background: #f9a825; } .map .allowed, .key .allowed { background: #2e7d32; }
.key span { display: inline-block; width: .8rem; height: .8rem; margin: 0 .3rem 0 1rem; }
article.allowed { border-left-color: var(--good); } article.undecided { border-left-color: #f9a825; }
)";

constexpr std::array cell_classes{"wrong", "open", "allowed"};

const char* class_of(verdict v) {
  return v == verdict::differs ? "error" : v == verdict::allowed ? "allowed" : "undecided";
}

/// A cell for so many elements each, in rows of 64; the worst of its elements counts. The more of
/// them differ, the stronger its colour.
std::string map_html(const differing_buffer& b) {
  constexpr std::uint64_t most_cells = std::uint64_t{64} * 32;
  const std::uint64_t a_cell = std::max<std::uint64_t>(1, (b.count + most_cells - 1) / most_cells);
  struct cell {
    std::uint64_t differ = 0;
    std::size_t kind = cell_classes.size();
  };
  std::vector<cell> cells((b.count + a_cell - 1) / a_cell);
  for (std::size_t r = 0; r < b.runs.size(); ++r) {
    const auto [begin, end] = b.runs[r];
    const auto kind = r < b.kinds.size() ? static_cast<std::size_t>(b.kinds[r]) : 0;
    for (std::uint64_t c = begin / a_cell; c <= (end - 1) / a_cell && c < cells.size(); ++c) {
      cells[c].differ += std::min(end, (c + 1) * a_cell) - std::max(begin, c * a_cell);
      cells[c].kind = std::min(cells[c].kind, kind);
    }
  }
  std::string text = "<div class=\"map\">";
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const cell& it = cells[c];
    const std::uint64_t first = c * a_cell;
    const std::uint64_t last = std::min(b.count, first + a_cell) - 1;
    if (it.differ == 0) {
      text += "<i></i>";
    } else {
      const double part = static_cast<double>(it.differ) / static_cast<double>(last - first + 1);
      text +=
          fmt::format(R"(<i class="{}" style="opacity:{:.2f}" title="{}[{}..{}]: {} differ"></i>)",
                      cell_classes[it.kind],
                      0.35 + (0.65 * part),
                      escaped(b.name),
                      first,
                      last,
                      it.differ);
    }
  }
  text += "</div>\n";
  text += fmt::format(
      "<p class=\"key\">{} element{} a cell{}:<span class=\"wrong\"></span>wrong"
      "<span class=\"open\"></span>not known<span class=\"allowed\"></span>within the bounds</p>\n",
      a_cell,
      a_cell == 1 ? "" : "s",
      b.runs_cut ? ", of the first 4096 runs that differ" : "");
  return text;
}

std::string
element_row(const compared_launch& l, const differing_buffer& b, const differing_element& e) {
  return fmt::format(
      "<tr><td>{}[{}]</td><td><code>{}</code></td><td><code>{}</code></td><td>{}</td><td>{}</td>"
      "<td>{}</td></tr>\n",
      escaped(b.name),
      e.index,
      escaped(e.here),
      escaped(e.there),
      e.ulps ? std::to_string(*e.ulps) : "",
      l.is_by_another() ? "another execution gives it"
      : e.open          ? escaped(fmt::format("{}, at {}", e.open->why, place(e.open->frames)))
      : e.nan           ? "any NaN"
      : e.low.empty()   ? ""
                        : escaped(fmt::format("{} to {}", e.low, e.high)),
      e.writer.block.empty() ? "" : escaped(writer_text(l, e.writer)));
}

std::string buffer_html(const compared_launch& l, const differing_buffer& b) {
  std::string text = fmt::format("<h3>{}: {} of {} {} differ, {} within the bounds{}</h3>\n",
                                 escaped(b.name),
                                 b.elements,
                                 b.count,
                                 b.type.empty() ? "bytes" : "elements",
                                 b.allowed,
                                 l.is_by_another() ? "" : fmt::format(", {} not known", b.open));
  for (const differing_page& p : b.pages) {
    text += fmt::format(
        "<p>bytes {} to {} differ: the recording has the hash of these alone{}</p>\n",
        p.begin,
        p.end,
        p.open && !l.is_by_another() ? "; whether they lie within the bounds is not known" : "");
  }
  if (b.elements == 0) {
    return text;
  }
  text += map_html(b);
  text += "<table>\n<tr><th>element</th><th>here</th><th>there</th><th>ulps</th><th>allowed</"
          "th><th>written by</th></tr>\n";
  for (const differing_element& e : b.first) {
    text += element_row(l, b, e);
  }
  if (b.worst && b.wrong() + b.undecided() != 0) {
    text += element_row(l, b, *b.worst);
  }
  return text + "</table>\n";
}

std::string launch_html(const compared_launch& l, html_sources& files) {
  std::string text = fmt::format("<article class=\"{}\" id=\"launch-{}\">\n<h2>{}: {}</h2>\n",
                                 class_of(l.judged()),
                                 l.number + 1,
                                 escaped(launches_name(l)),
                                 name(l.judged()));
  for (const differing_input& i : l.inputs) {
    text += fmt::format("<p>{}</p>\n", escaped(input_text(i)));
  }
  if (const std::string executions = executions_text(l); !executions.empty()) {
    text += fmt::format("<p>{}</p>\n", escaped(executions));
  }
  if (l.diverted && !l.is_by_another()) {
    const auto& frames =
        l.diverted->frames; // of what the whole launch is subject to there are none
    text += fmt::format(
        "<p>{}{}: what follows is not known</p>\n",
        escaped(l.diverted->why),
        frames.empty() ? "" : fmt::format(", at <code>{}</code>", escaped(place(frames))));
  }
  for (const differing_buffer& b : l.buffers) {
    text += buffer_html(l, b);
  }
  if (!l.buffers.empty() && !l.buffers.front().first.empty() &&
      !l.buffers.front().first.front().writer.at.empty()) {
    const source_frame& writer = l.buffers.front().first.front().writer.at.front();
    text += fmt::format("<h3>Written at <code>{}</code></h3>\n{}",
                        escaped(sim::to_string(writer)),
                        excerpt(writer, files));
  }
  return text + "</article>\n";
}

std::string table_html(const report& r) {
  std::string text =
      "<h2>Launches</h2>\n<table>\n<tr><th>launch</th><th>kernel</th><th>at</th><th>bytes</th>"
      "<th>verdict</th></tr>\n";
  for (const compared_launch& l : r.launches) {
    const std::string number = std::to_string(l.number + 1);
    text += fmt::format(
        "<tr><td>{}</td><td>{}</td><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n",
        l.judged() == verdict::same ? number
                                    : fmt::format("<a href=\"#launch-{}\">{}</a>", number, number),
        escaped(l.kernel),
        escaped(place(l.frames)),
        l.bytes,
        name(l.judged()));
  }
  return text + "</table>\n";
}

std::vector<std::string> ends(const report& r) {
  std::vector<std::string> lines;
  if (r.parted) {
    lines.push_back(fmt::format(
        "launch {} is {} here, {} there", r.parted->number + 1, r.parted->here, r.parted->there));
  } else if (r.launches_here != r.launches_there) {
    lines.push_back(fmt::format("{} launches here, {} there", r.launches_here, r.launches_there));
  }
  if (r.printed_here) {
    lines.push_back(fmt::format("printed here and not there: {}", *r.printed_here));
  }
  if (r.printed_there) {
    lines.push_back(fmt::format("printed there and not here: {}", *r.printed_there));
  }
  for (const std::string& line : {status_text(r), failed_text(r)}) {
    if (!line.empty()) {
      lines.push_back(line);
    }
  }
  return lines;
}

} // namespace

std::string to_html(const std::vector<report>& runs) {
  html_sources files;
  const report& worst = most_urgent(runs);
  std::string body;
  for (const report& r : runs) {
    if (runs.size() > 1) {
      body += fmt::format("<h2>Run {} of {}: {}</h2>\n", r.run + 1, runs.size(), r.verdict_word());
    }
    for (const compared_launch& l : r.launches) {
      if (l.judged() != verdict::same && &r == &worst) {
        body += launch_html(l, files);
      }
    }
    body += html_list("Ends", ends(r));
    for (const checked_finding& f : r.findings) {
      body += fmt::format(
          "<article class=\"error\">\n<h2><span class=\"code\">{}</span>: {}</h2>\n</article>\n",
          escaped(f.code),
          escaped(f.message));
    }
    std::vector<std::string> remarks = r.remarks;
    if (!r.other_text.empty()) {
      remarks.insert(remarks.begin(), r.other_text);
    }
    body += table_html(r) + html_list("Remarks", remarks);
  }
  return html_page(
      {.subject = fmt::format("{}", fmt::join(worst.sources, " ")),
       .good = worst.exit_code() == 0,
       .verdict = worst.verdict_word(),
       .extent = fmt::format("{} of {} launches compared with {} ({})",
                             worst.launches_compared(),
                             worst.launches_to_compare(),
                             worst.other.file,
                             worst.other.device.empty() ? "no device" : worst.other.device),
       .body = std::move(body),
       .style = style});
}

} // namespace tilesim::tools::diff
