// Writes a comparison as JSON.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/frames_json.hpp"
#include "sim/contract/json_text.hpp"
#include "tools/diff/report.hpp"
#include "tools/gpu/comparison_schema.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace tilesim::tools::diff {

namespace {

using ordered = nlohmann::ordered_json;

/// Launches and runs have the numbers that the text gives them: from 1.
constexpr std::uint64_t told(std::uint64_t number) {
  return number + 1;
}

ordered decision_json(const std::optional<open_decision>& o) {
  return o ? ordered{{"why", o->why}, {"where", sim::frames_json<ordered>(o->frames)}}
           : ordered(nullptr);
}

ordered element_json(const differing_element& e) {
  return {
      {"index", e.index},
      {"here", e.here},
      {"there", e.there},
      {"ulps", e.ulps ? ordered(*e.ulps) : ordered(nullptr)},
      {"block", e.writer.block},
      {"written_at", sim::frames_json<ordered>(e.writer.at)},
      {"written_by_launch", e.writer.launch ? ordered(told(*e.writer.launch)) : ordered(nullptr)},
      {"low", e.low},
      {"high", e.high},
      {"allowed_ulps", e.allowed_ulps ? ordered(*e.allowed_ulps) : ordered(nullptr)},
      {"part", e.part},
      {"nan", e.nan},
      {"open", decision_json(e.open)}};
}

ordered kinds_json(const differing_buffer& b) {
  constexpr std::array words{"wrong", "open", "allowed"};
  ordered list = ordered::array();
  for (const element_verdict kind : b.kinds) {
    list.push_back(words[static_cast<std::size_t>(kind)]);
  }
  return list;
}

ordered buffer_json(const differing_buffer& b) {
  ordered first = ordered::array();
  for (const differing_element& e : b.first) {
    first.push_back(element_json(e));
  }
  ordered pages = ordered::array();
  for (const differing_page& p : b.pages) {
    pages.push_back({{"begin", p.begin},
                     {"end", p.end},
                     {"open", p.open},
                     {"block", p.writer.block},
                     {"written_at", sim::frames_json<ordered>(p.writer.at)}});
  }
  return {{"name", b.name},
          {"type", b.type},
          {"count", b.count},
          {"differing", b.elements},
          {"open", b.open},
          {"allowed", b.allowed},
          {"runs", b.runs},
          {"kinds", kinds_json(b)},
          {"runs_cut", b.runs_cut},
          {"pages", std::move(pages)},
          {"varies", b.varies},
          {"first", std::move(first)},
          {"worst", b.worst ? element_json(*b.worst) : ordered(nullptr)}};
}

ordered input_json(const differing_input& i) {
  if (i.argument) {
    return {{"argument", *i.argument},
            {"name", i.name},
            {"type", i.type},
            {"here", i.here},
            {"there", i.there}};
  }
  if (i.size_there) {
    return {{"name", i.name}, {"size_here", i.size}, {"size_there", *i.size_there}};
  }
  return {{"name", i.name}, {"offset", i.offset}, {"bytes", i.bytes}, {"left", i.left}};
}

ordered ends_json(const std::optional<all_ends>& e) {
  return e ? ordered{{"among", e->among},
                     {"complete", e->whole},
                     {"excluded", e->excluded},
                     {"ends", e->ends},
                     {"executions", e->executions}}
           : ordered(nullptr);
}

ordered launch_json(const compared_launch& l) {
  ordered inputs = ordered::array();
  for (const differing_input& i : l.inputs) {
    inputs.push_back(input_json(i));
  }
  ordered buffers = ordered::array();
  for (const differing_buffer& b : l.buffers) {
    buffers.push_back(buffer_json(b));
  }
  ordered inexact = ordered::array();
  for (const inexact_operation& o : l.inexact) {
    inexact.push_back({{"why", o.why}, {"where", sim::frames_json<ordered>(o.frames)}});
  }
  ordered reloads = ordered::array();
  for (const reloaded_value& r : l.reloads) {
    reloads.push_back({{"load", sim::frames_json<ordered>(r.load)},
                       {"store", sim::frames_json<ordered>(r.store)},
                       {"use", sim::frames_json<ordered>(r.use)}});
  }
  return {{"launch", told(l.number)},
          {"first_launch", told(l.first)},
          {"kernel", l.kernel},
          {"where", sim::frames_json<ordered>(l.frames)},
          {"bytes", l.bytes},
          {"verdict", name(l.judged())},
          {"inputs", std::move(inputs)},
          {"buffers", std::move(buffers)},
          {"inexact", std::move(inexact)},
          {"bounded", l.bounded},
          {"diverted", decision_json(l.diverted)},
          {"explained_by", l.explained_by},
          {"executions", ends_json(l.ends)},
          {"executions_unseen", l.unseen.empty() ? ordered(nullptr) : ordered(l.unseen)},
          {"reloads", std::move(reloads)}};
}

ordered text_or_null(const std::optional<std::string>& text) {
  return text ? ordered(*text) : ordered(nullptr);
}

ordered word_or_null(const std::string& word) {
  return word.empty() ? ordered(nullptr) : ordered(word);
}

ordered findings_json(const report& r) {
  ordered list = ordered::array();
  for (const checked_finding& f : r.findings) {
    list.push_back({{"code", f.code},
                    {"message", f.message},
                    {"details", f.details},
                    {"where", sim::frames_json<ordered>(f.where)}});
  }
  return list;
}

ordered report_json(const report& r) {
  ordered launches = ordered::array();
  for (const compared_launch& l : r.launches) {
    launches.push_back(launch_json(l));
  }
  ordered out{{"schema", gpu_tool::comparison_schema},
              {"run", told(r.run)},
              {"tilesim", TILESIM_VERSION},
              {"sources", r.sources},
              {"command", r.command},
              {"exit_code", r.exit_code()},
              {"verdict", r.verdict_word()},
              {"recording",
               {{"file", r.other.file},
                {"device", r.other.device},
                {"driver", r.other.driver},
                {"compiler", r.other.compiler},
                {"flags", r.other.flags}}},
              {"launches_here", r.launches_here},
              {"launches_there", r.launches_there},
              {"launches", std::move(launches)},
              {"printed_here", text_or_null(r.printed_here)},
              {"printed_there", text_or_null(r.printed_there)},
              {"status_here", r.status_here ? ordered(*r.status_here) : ordered(nullptr)},
              {"status_there", r.status_there ? ordered(*r.status_there) : ordered(nullptr)},
              {"failed_here", word_or_null(r.failed_here)},
              {"failed_there", word_or_null(r.failed_there)},
              {"findings", findings_json(r)},
              {"other_text", r.other_text},
              {"remarks", r.remarks}};
  if (r.parted) {
    out["parted"] = {{"launch", told(r.parted->number)},
                     {"here", r.parted->here},
                     {"there", r.parted->there},
                     {"where", sim::frames_json<ordered>(r.parted->frames)}};
  }
  return out;
}

} // namespace

// One run as it is; of several a list, with what holds of all.
std::string to_json(const std::vector<report>& runs) {
  ordered out = report_json(runs.front());
  if (runs.size() > 1) {
    const int code = exit_code_of(runs);
    out = {{"schema", gpu_tool::comparison_schema},
           {"tilesim", TILESIM_VERSION},
           {"exit_code", code},
           {"verdict", most_urgent(runs).verdict_word()},
           {"runs", ordered::array()}};
    for (const report& r : runs) {
      out["runs"].push_back(report_json(r));
    }
  }
  return sim::json_text(out, 2) + "\n";
}

} // namespace tilesim::tools::diff
