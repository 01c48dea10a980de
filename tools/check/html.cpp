// Writes a check's report as one HTML page: no script, nothing from elsewhere.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/html.hpp"

#include "sim/contract/printable.hpp"
#include "tools/check/text.hpp"
#include "tools/cli/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string_view>

namespace tilesim::driver {
namespace {

constexpr auto style = R"(
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --bad: #c62828; --note: #00838f; --good: #2e7d32; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 0 0 .5rem; } h3 { font-size: .9rem; margin: .8rem 0 .2rem; }
article { border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 4px; margin: 1rem 0; padding: .8rem 1rem; }
article.note { border-left-color: var(--note); } article.suppressed { border-left-color: var(--line); }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: .5rem; overflow-x: auto; margin: .2rem 0; }
mark { background: #ffb30055; color: inherit; display: block; }
table { border-collapse: collapse; } td, th { border-bottom: 1px solid var(--line); padding: .2rem .8rem .2rem 0; text-align: left; }
li { white-space: pre-wrap; } nav li { white-space: normal; }
.code { color: var(--bad); } .note .code { color: var(--note); } .clean { color: var(--good); } .bad { color: var(--bad); }
)";

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      // Characters that no page may hold.
      result += static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return result;
}

/// The lines of source files, each file read once.
class sources {
public:
  /// Nothing if the file cannot be read.
  const std::vector<std::string>& lines(const std::string& file) {
    const auto [it, is_new] = files_.try_emplace(file);
    if (is_new) {
      it->second = split(read_file(sim::bytes_of(file)).value_or(""));
    }
    return it->second;
  }

private:
  static std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> result;
    while (!text.empty()) {
      const auto end = std::min(text.find('\n'), text.size());
      result.emplace_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
  }

  std::map<std::string, std::vector<std::string>> files_;
};

/// The line of a place with its neighbours; empty if the source is not there.
std::string excerpt(const source_frame& f, sources& files) {
  constexpr std::size_t around = 3;
  const auto& lines = files.lines(f.file);
  if (f.line == 0 || f.line > lines.size()) {
    return {};
  }
  std::string text = "<pre>";
  const auto last = std::min(lines.size(), f.line + around);
  for (std::size_t n = f.line > around ? f.line - around : 1; n <= last; ++n) {
    const auto line = fmt::format("{:5} {}", n, escaped(lines[n - 1]));
    text += n == f.line ? fmt::format("<mark>{}</mark>", line) : line + "\n";
  }
  return text + "</pre>\n";
}

std::string party(const char* title, const std::vector<source_frame>& frames, sources& files) {
  if (frames.empty()) {
    return {};
  }
  auto text = fmt::format(
      "<h3>{}: <code>{}</code></h3>\n",
      title,
      escaped(frames.front().function.empty()
                  ? to_string(frames.front())
                  : fmt::format("{}, in {}", to_string(frames.front()), frames.front().function)));
  text += excerpt(frames.front(), files);
  for (std::size_t i = 1; i < frames.size(); ++i) {
    text += fmt::format("<p>called from <code>{}</code>, in <code>{}</code></p>\n",
                        escaped(to_string(frames[i])),
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
        f.where.empty() ? std::string("no source line") : escaped(to_string(f.where.front())),
        escaped(f.message));
  }
  return text + "</ol>\n</nav>\n";
}

std::string
finding_html(const checked_finding& f, std::size_t number, const check_report& r, sources& files) {
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

std::string list(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) {
    return {};
  }
  auto text = fmt::format("<h2>{}</h2>\n<ul>\n", title);
  for (const auto& line : lines) {
    text += fmt::format("<li>{}</li>\n", escaped(line));
  }
  return text + "</ul>\n";
}

/// The day and minute of the report; that of SOURCE_DATE_EPOCH where it is set, so that a page can
/// be made again.
std::string today() {
  std::time_t now = std::time(nullptr);
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH")) {
    now = static_cast<std::time_t>(std::strtoll(epoch, nullptr, 10));
  }
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc)};
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

std::string to_html(const check_report& r, bool strict) {
  sources files;
  std::string findings;
  for (std::size_t i = 0; i < r.findings.size(); ++i) {
    findings += finding_html(r.findings[i], i + 1, r, files);
  }
  for (const auto& run : r.runs) {
    if (run.end == run_end::failed) {
      findings +=
          fmt::format("<article class=\"error\">\n<h2>The program failed: {} under {}</h2>\n",
                      escaped(status_text(run.status)),
                      escaped(describe(run.which)));
      findings += replay_text(to_string(replay{run.which, r.program}), r) + "</article>\n";
      break;
    }
  }
  return fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
                     "<h1><code>{}</code></h1>\n"
                     "<p class=\"{}\"><strong>{}</strong></p>\n<p>{}</p>\n"
                     "<p>tilesim {}, {}</p>\n{}{}{}{}{}</body>\n</html>\n",
                     escaped(r.subject()),
                     style,
                     escaped(r.subject()),
                     r.exit_code(strict) == 0 ? "clean" : "bad",
                     escaped(verdict_text(r)),
                     escaped(explored(r)),
                     TILESIM_VERSION,
                     today(),
                     index(r),
                     findings,
                     list("Limits", r.limits),
                     list("Remarks", r.remarks),
                     runs_html(r));
}

} // namespace tilesim::driver
