// Fills trace/page.html: the run as JSON, in the words of its script, trace/page.js.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/page.hpp"

#include "sim/contract/frames_text.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/printable.hpp"
#include "tools/check/report.hpp"
#include "tools/cli/files.hpp"
#include "trace_page_template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace tilesim::tools {
namespace {

using json = nlohmann::ordered_json;

/// What of an operation is the same in every block that comes by: named once, by a number.
json kind_of(const traced_operation& o) {
  json j = {{"site", o.site}, {"name", o.name}};
  if (!o.written.empty()) {
    j["written"] = o.written;
  }
  if (!o.operands.empty()) {
    j["operands"] = o.operands;
  }
  for (const auto& [key, tile] : {std::pair{"result", &o.result}, {"stores", &o.stores}}) {
    if (*tile) {
      j[key] = {{"type", (*tile)->type}, {"shape", (*tile)->shape}};
    }
  }
  for (const traced_access& a : o.memory) {
    json access = {
        {"reads", a.reads}, {"writes", a.writes}, {"order", a.order}, {"bytes", a.bytes}};
    if (!a.scope.empty()) {
      access["scope"] = a.scope;
    }
    j["memory"].push_back(std::move(access));
  }
  return j;
}

/// Text or a list without anything in it.
bool says_nothing(const json& j) {
  return j.empty() || (j.is_string() && j.get_ref<const std::string&>().empty());
}

/// Where each access of an operation goes, as runs of elements.
json places_of(const traced_operation& o) {
  json list = json::array();
  for (const traced_access& a : o.memory) {
    json runs = json::array();
    for (const element_run& r : a.at) {
      runs.push_back({r.buffer, r.begin, r.count, r.distance});
    }
    list.push_back(std::move(runs));
  }
  return list;
}

/// [place, value, newest value, operation whose write was passed over] of each element that read an
/// older write; the operation is 0 where it is not known.
json stale_of(const traced_operation& o, const traced_run& run) {
  json list = json::array();
  for (const traced_access& a : o.memory) {
    for (const traced_stale& s : a.stale) {
      list.push_back({to_string(s.at, a.bytes, run),
                      s.value,
                      s.newest,
                      run.find(s.passed) != nullptr ? s.passed : 0});
    }
  }
  return list;
}

const std::vector<std::string>& elements_of(const traced_operation& o) {
  static const std::vector<std::string> none;
  return o.result ? o.result->elements : o.stores ? o.stores->elements : none;
}

/// How many elements of each tile a page shows: as many as it was given, or fewer, so that it stays
/// below 5 MB beside `others`, the bytes of everything else.
std::size_t elements_shown(const traced_run& run, std::size_t others) {
  constexpr std::size_t most_bytes = 4'950'000;
  std::vector<std::size_t> bytes; // of all the first elements, all the second ones, …
  for (const traced_operation& o : run.operations) {
    const auto& all = elements_of(o);
    bytes.resize(std::max(bytes.size(), all.size()));
    for (std::size_t i = 0; i < all.size(); ++i) {
      bytes[i] += all[i].size() + 1;
    }
  }
  std::size_t shown = 0;
  for (std::size_t sum = others; shown < bytes.size() && sum + bytes[shown] <= most_bytes;
       ++shown) {
    sum += bytes[shown];
  }
  return shown;
}

/// The first elements, in one string: a blank between two.
std::string joined_elements(const traced_operation& o, std::size_t shown) {
  const auto& all = elements_of(o);
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, all.size()); ++i) {
    text += (i == 0 ? "" : " ") + all[i];
  }
  return text;
}

/// Source files by number, with their text where it can be read.
class file_list {
public:
  std::size_t number(const std::string& name) {
    const auto [known, added] = numbers_.try_emplace(name, list_.size());
    if (added) {
      list_.push_back({{"name", name}});
      if (const auto text = read_file(sim::bytes_of(name))) {
        list_.back()["text"] = *text;
      }
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
  page_data(const traced_run& run, bool all_elements)
      : run_(run)
      , all_elements_(all_elements) {}

  json make(const std::string& command) {
    json j = {{"program", command},
              {"launches", launches()},
              {"schedule", run_.schedule},
              {"end", run_.end.empty() ? "killed" : run_.end},
              {"operations", run_.operation_count},
              {"left_out", gaps()},
              {"threads", threads()},
              {"buffers", buffers()},
              {"sites", sites()}};
    j["files"] = files_.take();
    j["findings"] = findings();
    operations(j, all_elements_ ? SIZE_MAX : 0);
    if (!all_elements_) {
      const std::size_t others = sizeof trace_page_template + sim::json_text(j).size();
      operations(j, elements_shown(run_, others));
    }
    return j;
  }

private:
  /// An operation is [number, thread, kind, elements, places, sources, unfinished, repeated,
  /// stale]; what is empty at the end is left out. The script makes objects of them.
  void operations(json& j, std::size_t shown) const {
    std::map<std::string, std::size_t> numbers;
    json kinds = json::array();
    json ops = json::array();
    for (const traced_operation& o : run_.operations) {
      json kind = kind_of(o);
      const auto [known, added] = numbers.try_emplace(sim::json_text(kind), kinds.size());
      if (added) {
        kinds.push_back(std::move(kind));
      }
      json sources = json::array();
      for (const traced_source& s : o.from) {
        sources.push_back({s.operation, s.elements, s.synchronises});
      }
      json op = {
          o.number, o.thread, known->second, joined_elements(o, shown), places_of(o), sources};
      json stale = stale_of(o, run_);
      if (o.unfinished || o.repeated != 0 || !stale.empty()) {
        op.push_back(o.unfinished);
      }
      if (o.repeated != 0) {
        op.push_back({o.repeated, o.repeated_until});
      } else if (!stale.empty()) {
        op.push_back(nullptr);
      }
      if (!stale.empty()) {
        op.push_back(std::move(stale));
      }
      while (says_nothing(op.back())) {
        op.erase(op.size() - 1);
      }
      ops.push_back(std::move(op));
    }
    j["kinds"] = std::move(kinds);
    j["ops"] = std::move(ops);
  }

  /// In the order of launches and blocks, as the timeline's rows.
  json threads() const {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> rows;
    for (const auto& [number, t] : run_.threads) {
      rows[{t.launch, t.linear}] = number;
    }
    json list = json::array();
    for (const auto& [where, number] : rows) {
      const traced_thread& t = run_.threads.at(number);
      const std::string full = fmt::format("{} of {}", t.name, run_.launches.at(t.launch).kernel);
      const block_of_thread block = block_of(t, run_);
      const auto label = [&](const std::string& name) {
        return run_.launches.size() == 1 ? name : fmt::format("{}: {}", t.launch, name);
      };
      json one = {
          {"number", number},
          {"launch", t.launch},
          {"label", block.thread.empty() ? label(t.name) : block.thread},
          {"full",
           run_.launches.size() == 1 ? full : fmt::format("{}, launch {}", full, t.launch)}};
      if (!block.thread.empty()) {
        one["block"] = block.number;
        one["block_label"] = label(block.name);
      }
      list.push_back(std::move(one));
    }
    return list;
  }

  /// [the first number, the last, how many operations] of what is left out.
  json gaps() const {
    json list = json::array();
    for (const traced_gap& g : run_.gaps) {
      list.push_back({g.first, g.last, g.count});
    }
    return list;
  }

  json launches() const {
    json names = json::object();
    for (const auto& [id, l] : run_.launches) {
      names[std::to_string(id)] = fmt::format("launch {}: {}", id, l.kernel);
    }
    return names;
  }

  json buffers() const {
    json list = json::array();
    for (const auto& [id, b] : run_.buffers) {
      list.push_back({{"id", id},
                      {"name", b.name},
                      {"bytes", b.bytes},
                      {"element", b.element},
                      {"size", b.element_bytes}});
    }
    return list;
  }

  json sites() {
    json all = json::object();
    for (const auto& [number, frames] : run_.sites) {
      json list = json::array();
      for (const source_frame& f : frames) {
        list.push_back(
            {{"file", files_.number(f.file)}, {"line", f.line}, {"function", f.function}});
      }
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
                {"place", f.where.empty() ? "an unknown place" : sim::to_string(f.where.front())}};
      if (f.thread) {
        j["thread"] = *f.thread;
      }
      if (f.conflicts_with) {
        j["other_op"] = *f.conflicts_with;
        j["other_place"] = sim::to_string(f.other.front());
      }
      list.push_back(std::move(j));
    }
    return list;
  }

  const traced_run& run_;
  const bool all_elements_;
  file_list files_;
};

/// The template with both values in it, whatever they hold.
std::string filled(std::string_view page, const std::string& title, const std::string& data) {
  constexpr std::string_view title_here = "{{title}}";
  constexpr std::string_view data_here = "{{data}}";
  const auto first = page.find(title_here);
  const auto second = page.find(data_here);
  const auto behind = first + title_here.size();
  return fmt::format("{}{}{}{}{}",
                     page.substr(0, first),
                     title,
                     page.substr(behind, second - behind),
                     data,
                     page.substr(second + data_here.size()));
}

/// No "<" may stand in the page's data or title: "</script>" would end them.
std::string without_tags(const std::string& text, const char* instead) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += instead;
    } else {
      result += c;
    }
  }
  return result;
}

} // namespace

std::string to_trace_page(const traced_run& run, const std::string& command, bool all_elements) {
  const std::string data = sim::json_text(page_data(run, all_elements).make(command));
  return filled(trace_page_template, without_tags(command, "&lt;"), without_tags(data, "\\u003c"));
}

} // namespace tilesim::tools
