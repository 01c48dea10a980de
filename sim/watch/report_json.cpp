// A run's report as JSON, for the process that started the run.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/report_json.hpp"

#include "sim/contract/frames_json.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/report_members.hpp"
#include "sim/contract/standard_error.hpp"
#include "sim/core/scheduler.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/process/outside.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

namespace tilesim::sim {

namespace {

nlohmann::ordered_json choices_json(const run_choices& choices) {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < choices.instead.size(); ++i) {
    auto points = nlohmann::ordered_json::array();
    for (const turn_point& p : choices.preemptions[i]) {
      points.push_back(p.raw ? nlohmann::ordered_json{p.operations, *p.raw}
                             : nlohmann::ordered_json(p.operations));
    }
    list.push_back({{in_report::instead, to_string(choices.instead[i])},
                    {in_report::preemptions, std::move(points)}});
  }
  return list;
}

} // namespace

namespace {

nlohmann::ordered_json stale_json(const std::vector<stale_read>& reads) {
  auto list = nlohmann::ordered_json::array();
  for (const stale_read& s : reads) {
    list.push_back({{in_report::message, s.message},
                    {in_report::remedy, s.remedy},
                    {in_report::where, frames_json<nlohmann::ordered_json>(s.where)},
                    {in_report::passed, frames_json<nlohmann::ordered_json>(s.passed)}});
  }
  return list;
}

} // namespace

nlohmann::ordered_json to_json(const finding& f) {
  nlohmann::ordered_json json{
      {in_report::code, code(f.kind)},
      {in_report::severity,
       f.severity == finding::level::defect ? in_report::severity_error : in_report::severity_note},
      {in_report::message, f.message},
      {in_report::details, f.details},
      {in_report::remedy, f.remedy},
      {in_report::count, f.count},
      {in_report::where, frames_json<nlohmann::ordered_json>(f.where)},
      {in_report::other, frames_json<nlohmann::ordered_json>(f.other)},
      {in_report::through, frames_json<nlohmann::ordered_json>(f.through)},
      {in_report::other_through, frames_json<nlohmann::ordered_json>(f.other_through)},
      {in_report::blocks, f.history.blocks},
      {in_report::turns, f.history.turns},
      {in_report::shown_by, f.history.schedule},
      {in_report::parties, f.history.parties},
      {in_report::stale, f.history.stale},
      {in_report::stale_reads, stale_json(f.stale)},
      {in_report::variants, nlohmann::ordered_json::array()},
      {in_report::known, f.known},
      {in_report::if_results_differ, f.if_results_differ}};
  for (const finding_variant& v : f.variants) {
    json[in_report::variants].push_back({{in_report::what, v.what}, {in_report::count, v.count}});
  }
  return json;
}

std::string to_json(const report& r, const run_facts& facts) {
  nlohmann::ordered_json json{{in_report::how, facts.how},
                              {in_report::schedule, facts.schedule},
                              {in_report::operations, facts.operations - facts.before.operations},
                              {in_report::steps, facts.steps - facts.before.steps},
                              {in_report::made, facts.made - facts.before.made},
                              {in_report::judged, facts.judged - facts.before.judged},
                              {in_report::before,
                               {{in_report::operations, facts.before.operations},
                                {in_report::steps, facts.before.steps},
                                {in_report::made, facts.before.made},
                                {in_report::judged, facts.before.judged}}},
                              {in_report::outside, facts.outside},
                              {in_report::stale, facts.stale},
                              {in_report::stale_reads, stale_json(facts.stale_reads)},
                              {in_report::findings, nlohmann::ordered_json::array()}};
  if (facts.unfollowed) {
    json[in_report::unfollowed] = *facts.unfollowed;
  }
  for (const finding& f : r.findings) {
    json[in_report::findings].push_back(to_json(f));
  }
  if (facts.choices != nullptr && facts.history != nullptr) {
    json[in_report::turns] = to_string(facts.history->turns);
    json[in_report::choices] = choices_json(*facts.choices);
    json[in_report::choices_complete] = facts.choices->complete;
  }
  if (facts.copies != nullptr) {
    json[in_report::copies] = nlohmann::ordered_json::array();
    for (const host_copy& c : facts.copies->first()) {
      json[in_report::copies].push_back(
          {{in_report::function, c.function},
           {in_report::bytes, c.bytes},
           {in_report::hash, c.hash},
           {in_report::where, frames_json<nlohmann::ordered_json>(resolve(c.site))}});
    }
    json[in_report::later_copies] = facts.copies->later();
  }
  json[in_report::drawn] = nlohmann::ordered_json::array();
  if (facts.drawn != nullptr) {
    for (const drawing_site& s : facts.drawn->sites()) {
      if (s.why != left_open::outside) {
        json[in_report::drawn].push_back(
            {{in_report::site, reinterpret_cast<std::uintptr_t>(s.site)},
             {in_report::elements, s.elements},
             {in_report::where, frames_json<nlohmann::ordered_json>(resolve(s.site))},
             {in_report::what, explain(s)},
             {in_report::remedy, remedy(s.why)}});
      }
    }
  }
  // A file's name may hold any bytes.
  return json_text(json, 2);
}

void write_report(const std::string& path, const report& r, const run_facts& facts) {
  const simulators_own_files here;
  const std::string text = to_json(r, facts);
  const std::string part = path + ".part";
  std::FILE* file = std::fopen(part.c_str(), "w");
  const bool written =
      file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = file != nullptr && std::fclose(file) == 0;
  if (!written || !closed || std::rename(part.c_str(), path.c_str()) != 0) {
    print_error("tilesim: error: {}: {}\n", path, std::strerror(errno));
  }
}

} // namespace tilesim::sim
