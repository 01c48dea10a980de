// Writes a check's report as SARIF 2.1.0.
//
// SPDX-License-Identifier: Apache-2.0
#include "finding_pages.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/printable.hpp"
#include "tools/check/json.hpp"
#include "tools/check/text.hpp"
#include "tools/cli/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace tilesim::tools {
namespace {

/// What its second place is.
const char* name_of_other(const checked_finding& f) {
  return f.of_comparison ? "where the value comes from" : "the other access";
}

using json = nlohmann::ordered_json;

constexpr auto root = "SRCROOT"; ///< stands for the folder that relative paths are relative to

std::string title_of(std::string_view wanted) {
#define TILESIM_FINDING(kind, text, title)                                                         \
  if (wanted == (text))                                                                            \
    return title;
#include <tilesim/findings.def>
  return {};
}

/// The section of docs/findings.md about a kind, without its heading.
std::string_view page_of(std::string_view code) {
  const auto heading = fmt::format("\n### `{}`\n", code);
  const auto at = finding_pages.find(heading);
  if (at == std::string_view::npos) {
    return {};
  }
  auto page = finding_pages.substr(at + heading.size());
  page = page.substr(0, std::min(page.find("\n### "), page.find("\n## ")));
  while (page.starts_with('\n')) {
    page.remove_prefix(1);
  }
  while (page.ends_with('\n')) {
    page.remove_suffix(1);
  }
  return page;
}

/// Its first paragraph, as one line.
std::string first_paragraph(std::string_view page) {
  std::string text(page.substr(0, page.find("\n\n")));
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// Links of the page lead to other pages, which lie elsewhere: their texts remain.
std::string without_links(std::string_view page) {
  std::string text;
  for (std::size_t i = 0; i < page.size(); ++i) {
    const auto end = page[i] == '[' ? page.find("](", i) : std::string_view::npos;
    const auto close = end == std::string_view::npos ? end : page.find(')', end);
    if (close == std::string_view::npos ||
        page.substr(i, end - i).find('\n') != std::string_view::npos) {
      text += page[i];
    } else {
      text += page.substr(i + 1, end - i - 1);
      i = close;
    }
  }
  return text;
}

// RFC 3986: unreserved characters and slashes as they are.
std::string encoded(std::string_view path) {
  constexpr std::string_view plain = "-._~/";
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    if (letter || (byte >= '0' && byte <= '9') || plain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", byte);
    }
  }
  return uri;
}

std::string folder_uri() {
  std::error_code error;
  return "file://" + encoded(std::filesystem::current_path(error).string()) + '/';
}

json artifact(const std::string& printed) {
  const auto file = sim::bytes_of(printed);
  if (file.starts_with('/')) {
    return {{"uri", "file://" + encoded(file)}};
  }
  return {{"uri", encoded(std::filesystem::path(file).lexically_normal().string())},
          {"uriBaseId", root}};
}

json location(const source_frame& f) {
  json physical{{"artifactLocation", artifact(f.file)}};
  if (f.line > 0) {
    physical["region"] = {{"startLine", f.line}};
  }
  if (f.line > 0 && f.column > 0) {
    physical["region"]["startColumn"] = f.column;
  }
  json out{{"physicalLocation", physical}};
  if (!f.function.empty()) {
    out["logicalLocations"] = json::array({{{"name", f.function}, {"kind", "function"}}});
  }
  return out;
}

/// One of a finding's places with all its frames, innermost first.
struct side {
  const char* what; ///< empty: the finding's own place
  const std::vector<source_frame>& through;
  const std::vector<source_frame>& frames;

  [[nodiscard]] std::vector<source_frame> all() const {
    auto list = through;
    list.insert(list.end(), frames.begin(), frames.end());
    return list;
  }
};

std::vector<side> sides_of(const checked_finding& f) {
  std::vector<side> sides{{"", f.through, f.where}};
  if (!f.other.empty()) {
    sides.push_back({name_of_other(f), f.other_through, f.other});
  }
  return sides;
}

/// All that is no location of the result's own: callers, the other side, helpers.
json related(const checked_finding& f) {
  auto list = json::array();
  const auto add = [&](const source_frame& frame, const char* what) {
    auto place = location(frame);
    place["id"] = list.size() + 1;
    place["message"]["text"] = what;
    list.push_back(place);
  };
  for (const auto& s : sides_of(f)) {
    const bool own = s.what[0] == '\0';
    for (std::size_t i = own ? 1 : 0; i < s.frames.size(); ++i) {
      add(s.frames[i], i == 0 ? s.what : "called from here");
    }
  }
  for (const auto& s : sides_of(f)) {
    for (const auto& frame : s.through) {
      add(frame, s.what[0] == '\0' ? "through here" : "the other access, through here");
    }
  }
  for (const auto& s : f.shown.told) {
    if (!s.where.empty()) {
      add(s.where.front(), "a stale read");
    }
    if (!s.passed.empty()) {
      add(s.passed.front(), "the write that it passes over");
    }
  }
  return list;
}

json with_message(json location, const std::string& text) {
  location["message"]["text"] = text;
  return location;
}

/// A stack for each side that has callers. [SARIF 2.1.0: 3.44 stack object]
json stacks_of(const checked_finding& f) {
  auto list = json::array();
  for (const auto& s : sides_of(f)) {
    const auto all = s.all();
    if (all.size() < 2) {
      continue;
    }
    auto frames = json::array();
    for (const auto& frame : all) {
      frames.push_back({{"location", location(frame)}});
    }
    list.push_back(
        {{"message", {{"text", s.what[0] == '\0' ? "this access" : s.what}}}, {"frames", frames}});
  }
  return list;
}

/// Of two accesses in conflict, the way to each from the outermost function in, which viewers show
/// as two threads. [SARIF 2.1.0: 3.36 codeFlow object, 3.37 threadFlow object]
json code_flows_of(const checked_finding& f) {
  if (f.other.empty() || f.where.empty() || f.of_comparison) {
    return json::array();
  }
  auto threads = json::array();
  for (const auto& s : sides_of(f)) {
    const std::string name = s.what[0] == '\0' ? "this access" : s.what;
    auto all = s.all();
    std::ranges::reverse(all);
    auto steps = json::array();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool last = i + 1 == all.size();
      steps.push_back({{"location", with_message(location(all[i]), last ? name : "calls")},
                       {"nestingLevel", i},
                       {"importance", last ? "essential" : "important"}});
    }
    threads.push_back({{"id", name}, {"locations", steps}});
  }
  return json::array(
      {{{"message", {{"text", "nothing orders the two accesses"}}}, {"threadFlows", threads}}});
}

std::string message_of(const checked_finding& f) {
  auto text = f.message;
  for (const auto& line : f.details) {
    text += '\n' + line;
  }
  if (!f.other.empty()) { // its number among the related locations, behind the callers
    text += fmt::format("\n[{}]({})", name_of_other(f), std::max<std::size_t>(f.where.size(), 1));
  }
  if (!f.remedy.empty()) {
    text += "\nto fix: " + f.remedy;
  }
  if (!f.shown.stale.empty()) {
    text += '\n' + weakness(f);
    for (const auto& s : f.shown.told) {
      text += fmt::format("\nstale read: {}\nforbidden by: {}", s.message, s.remedy);
    }
  }
  return text;
}

// The same finding in another run or after an edit elsewhere in the file: kind and functions.
std::string fingerprint(const checked_finding& f) {
  std::string text = f.code;
  for (const auto* frames : {&f.where, &f.other}) {
    if (!frames->empty()) {
      text += '\0' + frames->front().file + '\0' + frames->front().function;
    }
  }
  return hash_bytes(text);
}

/// Where tilesim is at home; empty if the build does not say.
constexpr std::string_view homepage() noexcept {
  return TILESIM_HOMEPAGE;
}

json rule_of(const checked_finding& f) {
  const auto page = without_links(page_of(f.code));
  json rule{{"id", f.code},
            {"shortDescription", {{"text", title_of(f.code)}}},
            {"fullDescription", {{"text", first_paragraph(page)}}},
            {"help", {{"text", page}, {"markdown", page}}},
            {"defaultConfiguration", {{"level", f.note ? "note" : "error"}}}};
  if (!homepage().empty()) {
    rule["helpUri"] = fmt::format("{}/blob/main/docs/findings.md#{}", homepage(), f.code);
  }
  return rule;
}

json rules_of(const check_report& r, std::vector<std::string>& ids) {
  auto rules = json::array();
  for (const auto& f : r.findings) {
    if (std::ranges::find(ids, f.code) != ids.end()) {
      continue;
    }
    ids.push_back(f.code);
    rules.push_back(rule_of(f));
  }
  return rules;
}

json result(const checked_finding& f, const check_report& r, std::size_t rule) {
  json out{
      {"ruleId", f.code},
      {"ruleIndex", rule},
      {"level", f.note ? "note" : "error"},
      {"message", {{"text", message_of(f)}}},
      {"locations",
       json::array({location(f.where.empty() ? source_frame{r.sources.front(), 0, 0, {}}
                                             : f.where.front())})},
      {"relatedLocations", related(f)},
      {"occurrenceCount", f.count},
      {"partialFingerprints", {{"tilesim/v1", fingerprint(f)}}},
      {"properties", {{"replay", f.replay}, {"schedules", f.schedules}, {"runs", r.runs.size()}}}};
  for (auto [name, list] : {std::pair{"stacks", stacks_of(f)}, {"codeFlows", code_flows_of(f)}}) {
    if (!list.empty()) {
      out[name] = list;
    }
  }
  if (!f.suppressed_by.empty()) {
    out["suppressions"] =
        json::array({{{"kind", "external"}, {"justification", "listed in " + f.suppressed_by}}});
  }
  return out;
}

json invocation(const check_report& r) {
  auto notifications = json::array();
  const auto add = [&](const std::string& text, const char* level) {
    notifications.push_back({{"level", level}, {"message", {{"text", text}}}});
  };
  for (const auto& l : r.limits) {
    add(l, "warning");
  }
  for (const auto& l : r.remarks) {
    add(l, "note");
  }
  return {{"commandLine", r.subject()},
          {"executionSuccessful", true},
          {"exitCode", r.exit_code()},
          {"exitCodeDescription", r.verdict()},
          {"toolExecutionNotifications", notifications}};
}

std::string log_of(json rules, json invocation, json results) {
  json driver{{"name", "tilesim"}, {"version", TILESIM_VERSION}, {"rules", std::move(rules)}};
  if (!homepage().empty()) {
    driver["informationUri"] = homepage();
  }
  json run{{"tool", {{"driver", std::move(driver)}}},
           {"invocations", json::array({std::move(invocation)})},
           {"originalUriBaseIds", {{root, {{"uri", folder_uri()}}}}},
           {"results", std::move(results)}};
  const json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", json::array({std::move(run)})}};
  return sim::json_text(log, 2) + '\n';
}

} // namespace

std::string sarif_of_failure(const std::string& command, int exit_code, const std::string& why) {
  return log_of(json::array(),
                {{"commandLine", command},
                 {"executionSuccessful", false},
                 {"exitCode", exit_code},
                 {"exitCodeDescription", "not checked"},
                 {"toolExecutionNotifications",
                  json::array({{{"level", "error"}, {"message", {{"text", why}}}}})}},
                json::array());
}

std::string to_sarif(const check_report& r) {
  std::vector<std::string> ids;
  json rules = rules_of(r, ids);
  auto results = json::array();
  for (const auto& f : r.findings) {
    results.push_back(
        result(f, r, static_cast<std::size_t>(std::ranges::find(ids, f.code) - ids.begin())));
  }
  return log_of(std::move(rules), invocation(r), std::move(results));
}

} // namespace tilesim::tools
