// Writes a check's report as one HTML page: no script, nothing from elsewhere.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/html.hpp"

#include "sim/contract/frames_text.hpp"
#include "tools/check/html_page.hpp"
#include "tools/check/text.hpp"

#include <fmt/format.h>

namespace tilesim::tools {
namespace {

std::string party(const char* title, const std::vector<source_frame>& frames, html_sources& files) {
  if (frames.empty()) {
    return {};
  }
  auto text = fmt::format(
      "<h3>{}: <code>{}</code></h3>\n",
      title,
      escaped(
          frames.front().function.empty()
              ? sim::to_string(frames.front())
              : fmt::format("{}, in {}", sim::to_string(frames.front()), frames.front().function)));
  text += excerpt(frames.front(), files);
  for (std::size_t i = 1; i < frames.size(); ++i) {
    text += fmt::format("<p>called from <code>{}</code>, in <code>{}</code></p>\n",
                        escaped(sim::to_string(frames[i])),
                        escaped(frames[i].function));
  }
  return text;
}

std::string replay_text(const std::string& string, const check_report& r) {
  return fmt::format("<h3>To replay</h3>\n<pre>{}</pre>\n", escaped(r.how_to_replay(string)));
}

const char* kind_of(const checked_finding& f) {
  return !f.suppressed_by.empty() ? "suppressed" : f.note ? "note" : "error";
}

/// A line for each finding, where there are several.
std::string index(const check_report& r) {
  if (r.findings.size() < 2) {
    return {};
  }
  std::string text = "<nav>\n<h2>Findings</h2>\n<ol>\n";
  for (std::size_t i = 0; i < r.findings.size(); ++i) {
    const auto& f = r.findings[i];
    text += fmt::format(
        "<li class=\"{}\"><a href=\"#finding-{}\"><span class=\"code\">{}</span></a> {}: {}</li>\n",
        kind_of(f),
        i + 1,
        escaped(f.code),
        f.where.empty() ? std::string("no source line") : escaped(sim::to_string(f.where.front())),
        escaped(f.message));
  }
  return text + "</ol>\n</nav>\n";
}

std::string finding_html(const checked_finding& f,
                         std::size_t number,
                         const check_report& r,
                         html_sources& files) {
  auto text = fmt::format(
      "<article class=\"{}\" id=\"finding-{}\">\n<h2><span class=\"code\">{}</span>: {}</h2>\n",
      kind_of(f),
      number,
      escaped(f.code),
      escaped(f.message));
  text += fmt::format(
      "<p>{}{}</p>\n",
      how_often(f, r),
      f.suppressed_by.empty() ? "" : fmt::format(", suppressed by {}", escaped(f.suppressed_by)));
  if (f.variants.size() > 1) {
    text += "<h3>In these ways</h3>\n<ul>\n";
    for (const auto& v : f.variants) {
      text += fmt::format("<li>{}: {}</li>\n", v.count, escaped(v.what));
    }
    text += "</ul>\n";
  }
  if (!f.details.empty()) {
    text += f.variants.size() > 1 ? "<h3>The first of them</h3>\n<ul>\n" : "<ul>\n";
    for (const auto& line : f.details) {
      text += fmt::format("<li>{}</li>\n", escaped(line));
    }
    text += "</ul>\n";
  }
  text += party(f.other.empty() ? "Where" : "This access", f.where, files);
  text +=
      party(f.of_comparison ? "Where the value comes from" : "The other access", f.other, files);
  if (!f.shown.stale.empty()) {
    text += fmt::format("<h3>A weak execution</h3>\n<p>{}</p>\n", escaped(weakness(f)));
    for (const auto& s : f.shown.told) {
      text += fmt::format(
          "<p>{}</p>\n<p>Forbidden by: {}</p>\n", escaped(s.message), escaped(s.remedy));
      text += party("The stale read", s.where, files);
      text += party("The write that it passes over", s.passed, files);
    }
  }
  if (!f.remedy.empty()) {
    text += fmt::format("<h3>To fix</h3>\n<p>{}</p>\n", escaped(f.remedy));
  }
  text += replay_text(f.replay, r);
  if (const auto command = r.how_to_step(f); !command.empty()) {
    text += fmt::format("<h3>To step to it</h3>\n<pre>{}</pre>\n", escaped(command));
  }
  return text + "</article>\n";
}

std::string runs_html(const check_report& r) {
  std::string text = "<h2>Schedules</h2>\n<table>\n<tr><th>schedule</th><th>end</th><th>status</th>"
                     "<th>operations</th><th>elements judged</th></tr>\n";
  for (const auto& run : r.runs) {
    text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                        escaped(describe(run.which)),
                        name(run.end),
                        run.status,
                        run.operations,
                        run.judged);
  }
  return text + "</table>\n";
}

} // namespace

std::string to_html(const check_report& r) {
  html_sources files;
  std::string findings;
  for (std::size_t i = 0; i < r.findings.size(); ++i) {
    findings += finding_html(r.findings[i], i + 1, r, files);
  }
  for (const auto& run : r.runs) {
    if (run.end == run_end::failed) {
      findings +=
          fmt::format("<article class=\"error\">\n<h2>The program failed: {}{} under {}</h2>\n",
                      run.of_child ? "a process that it has made " : "",
                      escaped(status_text(run.status)),
                      escaped(describe(run.which)));
      if (!run.printed_last.empty()) {
        findings +=
            fmt::format("<p>It printed last:</p>\n<pre>{}</pre>\n", escaped(run.printed_last));
      }
      findings += replay_text(to_string(replay{run.which, r.program}), r) + "</article>\n";
      break;
    }
  }
  return html_page({.subject = r.subject(),
                    .good = r.exit_code() == 0,
                    .verdict = verdict_text(r),
                    .extent = explored(r),
                    .body = index(r) + findings + html_list("Limits", r.limits) +
                            html_list("Remarks", r.remarks) + runs_html(r)});
}

} // namespace tilesim::tools
