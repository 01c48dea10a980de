// Pieces of HTML pages.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/html_page.hpp"

#include "sim/contract/printable.hpp"
#include "tools/cli/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

namespace tilesim::tools {

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

/// Its lines, as a page can hold them.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    result.push_back(sim::printable_text(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
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

} // namespace

const std::vector<std::string>& html_sources::lines(const std::string& file) {
  const auto [it, is_new] = files_.try_emplace(file);
  if (is_new) {
    it->second = split(read_file(sim::bytes_of(file)).value_or(""));
  }
  return it->second;
}

std::string excerpt(const source_frame& f, html_sources& files) {
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

std::string html_list(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) {
    return {};
  }
  auto text = fmt::format("<h2>{}</h2>\n<ul>\n", title);
  for (const auto& line : lines) {
    text += fmt::format("<li>{}</li>\n", escaped(line));
  }
  return text + "</ul>\n";
}

std::string html_page(const html_parts& parts) {
  return fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n"
                     "<h1><code>{}</code></h1>\n"
                     "<p class=\"{}\"><strong>{}</strong></p>\n<p>{}</p>\n"
                     "<p>tilesim {}, {}</p>\n{}</body>\n</html>\n",
                     escaped(parts.subject),
                     style,
                     parts.style,
                     escaped(parts.subject),
                     parts.good ? "clean" : "bad",
                     escaped(parts.verdict),
                     escaped(parts.extent),
                     TILESIM_VERSION,
                     today(),
                     parts.body);
}

} // namespace tilesim::tools
