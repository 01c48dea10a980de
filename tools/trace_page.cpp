// Fills trace_page.html: the run as JSON, in the script's own words.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/trace_page.hpp"

#include "tools/check_report.hpp"
#include "tools/files.hpp"
#include "trace_page_template.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

namespace tilesim::driver {
namespace {

using json = nlohmann::ordered_json;

json tile(const traced_tile& t) {
  return {{"type", t.type}, {"shape", t.shape}, {"elements", t.elements}};
}

json access(const traced_access& a) {
  json j = {{"reads", a.reads}, {"writes", a.writes}, {"order", a.order}};
  if (!a.scope.empty())
    j["scope"] = a.scope;
  j["bytes"] = a.bytes;
  j["at"] = json::array();
  for (const element_run& r : a.at)
    j["at"].push_back({r.buffer, r.begin, r.count, r.distance});
  return j;
}

json operation(const traced_operation& o) {
  json j = {{"n", o.number}, {"t", o.thread}, {"site", o.site}, {"name", o.name}};
  if (!o.written.empty())
    j["written"] = o.written;
  if (!o.operands.empty())
    j["operands"] = o.operands;
  if (o.result)
    j["result"] = tile(*o.result);
  if (o.stores)
    j["stores"] = tile(*o.stores);
  for (const traced_access& a : o.memory)
    j["memory"].push_back(access(a));
  for (const traced_source& s : o.from)
    j["from"].push_back({s.operation, s.elements, s.synchronises});
  if (o.unfinished)
    j["unfinished"] = true;
  return j;
}

/// Source files by number, with their text where it can be read.
class file_list {
public:
  std::size_t number(const std::string& name) {
    const auto [known, added] = numbers_.try_emplace(name, list_.size());
    if (added) {
      list_.push_back({{"name", name}});
      if (const auto text = read_file(name))
        list_.back()["text"] = *text;
    }
    return known->second;
  }
  json take() { return std::move(list_); }

private:
  std::map<std::string, std::size_t> numbers_;
  json list_ = json::array();
};

class page_data {
public:
  explicit page_data(const traced_run& run)
      : run_(run) {}

  json make(const std::string& command) {
    json j = {{"program", command},
              {"schedule", run_.schedule},
              {"end", run_.end.empty() ? "killed" : run_.end},
              {"operations", run_.operation_count},
              {"left_out", run_.left_out},
              {"threads", threads()},
              {"buffers", buffers()},
              {"sites", sites()}};
    j["files"] = files_.take();
    j["ops"] = json::array();
    for (const traced_operation& o : run_.operations)
      j["ops"].push_back(operation(o));
    j["findings"] = findings();
    return j;
  }

private:
  /// In the order of launches and blocks, as the timeline's rows.
  json threads() const {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> rows;
    for (const auto& [number, t] : run_.threads)
      rows[{t.launch, t.linear}] = number;
    json list = json::array();
    for (const auto& [where, number] : rows) {
      const traced_thread& t = run_.threads.at(number);
      const std::string full = fmt::format("{} of {}", t.name, run_.launches.at(t.launch).kernel);
      list.push_back(
          {{"number", number},
           {"label", run_.launches.size() == 1 ? t.name : fmt::format("{}: {}", t.launch, t.name)},
           {"full",
            run_.launches.size() == 1 ? full : fmt::format("{}, launch {}", full, t.launch)}});
    }
    return list;
  }

  json buffers() const {
    json list = json::array();
    for (const auto& [id, b] : run_.buffers)
      list.push_back({{"id", id},
                      {"name", b.name},
                      {"bytes", b.bytes},
                      {"element", b.element},
                      {"size", b.element_bytes}});
    return list;
  }

  json sites() {
    json all = json::object();
    for (const auto& [number, frames] : run_.sites) {
      json list = json::array();
      for (const source_frame& f : frames)
        list.push_back(
            {{"file", files_.number(f.file)}, {"line", f.line}, {"function", f.function}});
      all[std::to_string(number)] = std::move(list);
    }
    return all;
  }

  json findings() const {
    json list = json::array();
    for (const traced_finding& f : run_.findings) {
      json j = {{"number", list.size()},
                {"op", f.operation},
                {"code", f.code},
                {"message", f.message},
                {"details", f.details},
                {"remedy", f.remedy},
                {"count", f.count},
                {"place", f.where.empty() ? "an unknown place" : to_string(f.where.front())}};
      if (f.thread)
        j["thread"] = *f.thread;
      if (f.conflicts_with) {
        j["other_op"] = *f.conflicts_with;
        j["other_place"] = to_string(f.other.front());
      }
      list.push_back(std::move(j));
    }
    return list;
  }

  const traced_run& run_;
  file_list files_;
};

std::string replaced(std::string text, std::string_view what, const std::string& with) {
  const auto at = text.find(what);
  return text.replace(at, what.size(), with);
}

/// No "<" may stand in the page's data or title: "</script>" would end them.
std::string without_tags(const std::string& text, const char* instead) {
  std::string result;
  for (const char c : text)
    if (c == '<')
      result += instead;
    else
      result += c;
  return result;
}

} // namespace

std::string to_trace_page(const traced_run& run, const std::string& command) {
  const std::string data =
      page_data(run).make(command).dump(-1, ' ', false, json::error_handler_t::replace);
  return replaced(replaced(trace_page_template, "{{title}}", without_tags(command, "&lt;")),
                  "{{data}}",
                  without_tags(data, "\\u003c"));
}

} // namespace tilesim::driver
