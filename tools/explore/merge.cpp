// tilesim merge: the reports of an exploration's shards as one.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/exploration_report.hpp"
#include "sim/contract/frames_json.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/printable.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/explore/json_members.hpp"
#include "tools/explore/knowledge.hpp"
#include "tools/explore/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <numeric>

namespace tilesim::tools {

namespace {

using json = nlohmann::ordered_json;

std::string replay_text(const json& text_or_null) {
  return text_or_null.is_null() ? std::string() : text_or_null.get<std::string>();
}

explore_report read_part(const json& j) {
  const json& part = j.at(in_json::shard);
  explore_report out;
  out.source = part.at(in_json::source);
  out.command = part.at(in_json::command);
  out.program = part.at(in_json::program);
  out.part = shard{part.at(in_json::index), part.at(in_json::of)};
  out.observe = part.at(in_json::observe);
  out.given = part.at(in_json::given);
  out.known = part.at(in_json::known);
  out.sequential = j.at(in_json::model) == in_json::model_sc;
  out.load_buffering = j.at(in_json::load_buffering);
  out.complete = j.at(in_json::complete);
  out.why = j.at(in_json::why);
  if (!j.at(in_json::bound).is_null()) {
    out.bound = j.at(in_json::bound).get<std::size_t>();
  }
  out.within_bound = j.at(in_json::within_bound);
  if (!j.at(in_json::share).is_null()) {
    out.share = j.at(in_json::share).get<double>();
  }
  out.executions = j.at(in_json::executions);
  out.again = part.at(in_json::again);
  out.stopped = j.at(in_json::stopped);
  for (const json& s : j.at(in_json::states)) {
    out.states.push_back({.values = s.at(in_json::values),
                          .printed = s.at(in_json::printed),
                          .status = s.at(in_json::status),
                          .executions = s.at(in_json::executions),
                          .replay = replay_text(s.at(in_json::replay)),
                          .buffered = s.at(in_json::load_buffering),
                          .names = s.at(in_json::names)});
  }
  for (const json& f : j.at(in_json::findings)) {
    out.findings.push_back(finding_from(f, replay_text(f.at(in_json::replay))));
  }
  return out;
}

} // namespace

std::string origin_of(const explore_report& r) {
  return fmt::format("{} ({}), model {}{}{}{}",
                     r.command,
                     r.program,
                     r.sequential ? in_json::model_sc : in_json::model_ptx,
                     r.sequential || r.bound || r.load_buffering ? "" : ", --load-buffering off",
                     r.bound ? fmt::format(", --bound {}", *r.bound) : "",
                     r.observe.empty() ? ""
                                       : fmt::format(", --observe {}", fmt::join(r.observe, ",")));
}

namespace {

bool same_frames(const std::vector<source_frame>& a, const std::vector<source_frame>& b) {
  return std::ranges::equal(a, b, [](const source_frame& f, const source_frame& g) {
    return f.file == g.file && f.line == g.line && f.column == g.column;
  });
}

/// How often executions count that have been counted before; the others count now.
std::uint64_t counted_before(std::set<std::string>& seen, const json& names) {
  std::uint64_t out = 0;
  std::set<std::string> fresh;
  for (const json& several : names) {
    const auto each = several.at(0).get<std::uint64_t>();
    const auto text = several.at(1).get<std::string>();
    constexpr std::size_t digits = 32;
    for (std::size_t i = 0; i + digits <= text.size(); i += digits) {
      std::string name = text.substr(i, digits);
      if (seen.contains(name)) {
        out += each;
      } else {
        fresh.insert(std::move(name));
      }
    }
  }
  seen.merge(fresh);
  return out;
}

std::size_t unite_finding(std::vector<explored_finding>& to, const explored_finding& f) {
  // Of a race either access may be named first.
  const auto same = std::ranges::find_if(to, [&](const explored_finding& g) {
    return g.code == f.code && (!f.where.empty() || g.message == f.message) &&
           ((same_frames(g.where, f.where) && same_frames(g.other, f.other)) ||
            (!f.other.empty() && same_frames(g.where, f.other) && same_frames(g.other, f.where)));
  });
  if (same == to.end()) {
    to.push_back(f);
    return to.size() - 1;
  }
  same->executions += f.executions;
  if (same->replay.empty()) {
    same->replay = f.replay;
  }
  return static_cast<std::size_t>(same - to.begin());
}

/// The numbers of shards that are not there; refuses what does not belong together.
std::vector<std::size_t> missing_shards(const std::vector<std::string>& files,
                                        const std::vector<explore_report>& parts) {
  const explore_report& first = parts.front();
  std::vector<std::size_t> by_index(first.part->of, parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const explore_report& p = parts[i];
    if (origin_of(p) != origin_of(first)) {
      throw failure(exit_input,
                    fmt::format("{} is of {}, and {} of {}: merge takes the shards of one "
                                "exploration",
                                files.front(),
                                origin_of(first),
                                files[i],
                                origin_of(p)));
    }
    if (p.part->of != first.part->of) {
      throw failure(exit_input,
                    fmt::format("{} is shard {}/{}, and {} shard {}/{}: merge takes the shards of "
                                "one exploration",
                                files.front(),
                                first.part->index,
                                first.part->of,
                                files[i],
                                p.part->index,
                                p.part->of));
    }
    std::size_t& at = by_index[p.part->index - 1];
    if (at != parts.size()) {
      throw failure(exit_input,
                    fmt::format("{} and {} are both shard {}/{}: give each shard once",
                                files[at],
                                files[i],
                                p.part->index,
                                p.part->of));
    }
    at = i;
  }
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < by_index.size(); ++i) {
    if (by_index[i] == parts.size()) {
      missing.push_back(i + 1);
    }
  }
  return missing;
}

} // namespace

explore_report part_from_json(const std::string& file, const std::string& text) {
  constexpr const char* wanted =
      "merge takes what 'tilesim explore --shard I/N --json=FILE' has written";
  json j;
  if (sim::parse_json(text).is_object()) {
    j = sim::read_ordered_json(text);
  }
  if (!j.is_object() || !j.contains(in_json::shard) || !j.at(in_json::shard).is_object()) {
    throw failure(exit_input, fmt::format("{}: no report of a shard; {}", file, wanted));
  }
  try {
    const std::string version = j.at(in_json::shard).at(in_json::tilesim);
    if (version != TILESIM_VERSION) {
      throw failure(exit_input,
                    fmt::format("{} is of tilesim {}, and this is tilesim {}: merge with the "
                                "version that has explored",
                                file,
                                sim::printable(version),
                                TILESIM_VERSION));
    }
    explore_report r = read_part(j);
    if (r.part->index == 0 || r.part->index > r.part->of || r.part->of > most_shards) {
      throw failure(exit_input,
                    fmt::format("{}: no report of a shard: there is no shard {}/{}",
                                file,
                                r.part->index,
                                r.part->of));
    }
    return r;
  } catch (const json::exception& e) {
    throw failure(exit_input,
                  fmt::format("{}: no report of a shard: {}; {}", file, e.what(), wanted));
  }
}

void explore_report::merge(const std::vector<std::string>& files,
                           std::vector<explore_report> parts) {
  const std::vector<std::size_t> missing_parts = missing_shards(files, parts);
  const explore_report& first = parts.front();
  source = first.source;
  command = first.command;
  program = first.program;
  sequential = first.sequential;
  load_buffering = first.load_buffering;
  observe = first.observe;
  bound = first.bound;
  complete = missing_parts.empty();
  const std::size_t count = first.part->of;
  why = complete ? ""
                 : fmt::format("shard{} {} of {} {} not given",
                               missing_parts.size() == 1 ? "" : "s",
                               fmt::join(missing_parts, ", "),
                               count,
                               missing_parts.size() == 1 ? "is" : "are");
  std::ranges::sort(parts, {}, [](const explore_report& p) { return p.part->index; });
  bool beyond = false;
  share = 0;
  counted_names before;
  for (explore_report& p : parts) {
    const bool whole = p.complete || p.within_bound;
    if (!whole && complete) {
      why = fmt::format("shard {} of {}: {}", p.part->index, count, p.why);
    }
    complete = complete && whole;
    beyond = beyond || p.within_bound;
    share = share && p.share ? std::optional(*share + (*p.share / static_cast<double>(count)))
                             : std::nullopt;
    stopped += p.stopped;
    take_part(p, before);
  }
  if (complete && count > 1) {
    more = known_together(files, parts);
    complete = more.is_null();
    why = complete ? "" : "shards have come to know more of the blocks than they were given";
  }
  constexpr double most = 0.99; // an estimate
  if (!missing_parts.empty() || !more.is_null()) {
    share.reset(); // more time would not do
  } else if (share && !complete && !beyond) {
    *share = std::min(*share, most);
  }
  tell_bound(beyond);
  if (observe.empty()) {
    drop_what_all_have();
  }
  unite_states();
}

/// States and findings: of executions that other parts have found, too, once.
void explore_report::take_part(explore_report& p, counted_names& before) {
  for (explored_state& s : p.states) {
    const std::string key = sim::json_text(json{s.values, s.printed, s.status});
    s.executions -= counted_before(before.of_states[key], s.names);
    executions += s.executions;
    states.push_back(std::move(s));
  }
  executions -= p.again.at(sim::in_exploration::executions).get<std::uint64_t>() -
                counted_before(before.of_again, p.again.at(sim::in_exploration::names));
  for (const explored_finding& f : p.findings) {
    const std::size_t at = unite_finding(findings, f);
    findings[at].executions -= counted_before(before.of_findings[at], f.names);
  }
}

int merge_command(const std::vector<std::string>& words) {
  CLI::App app("Joins the reports of an exploration's shards.", "merge");
  set_usage(app, "usage: tilesim merge [options] A.json B.json...");
  std::string expect;
  std::string to;
  std::string known;
  app.add_option("--known",
                 known,
                 "where to write what the shards know together, if each is to be explored once "
                 "more with it");
  app.add_option(
      "--expect", expect, "a file of states as --json writes it: another set is exit status 1");
  app.add_flag("--json", to, "the report as JSON, on standard output or --json=FILE");
  app.footer("States' counts are added and findings united. It is complete if all shards are there "
             "and complete.\n"
             "Exit status: as of 'explore'; 65: the files are no shards of one exploration.\n"
             "\n"
             "examples:\n"
             "  for i in 1 2 3 4; do\n"
             "    tilesim explore --shard $i/4 --json=$i.json queue.cu\n"
             "  done\n"
             "  tilesim merge 1.json 2.json 3.json 4.json\n");
  const std::vector<std::string> files = parse_words(app, words);
  if (files.empty()) {
    throw failure(exit_usage,
                  "no report; write 'tilesim merge A.json B.json', see 'tilesim merge --help'");
  }
  std::vector<explore_report> parts;
  for (const std::string& file : files) {
    const auto text = read_text(file);
    if (!text) {
      throw failure(exit_input, fmt::format("{}: cannot be read", file));
    }
    parts.push_back(part_from_json(file, *text));
  }
  check_outputs({to == on_output ? "" : to, known}, files);
  explore_report whole;
  whole.merge(files, std::move(parts));
  if (!whole.more.is_null()) {
    if (!known.empty()) {
      write_output(known, sim::json_text(whole.more) + "\n");
    }
    whole.why += fmt::format(": {}explore each once more with --known {}, and merge again",
                             known.empty() ? "let merge write it with --known FILE, " : "",
                             known.empty() ? "FILE" : known);
  }
  whole.expect_file(expect);
  print(whole, to);
  return whole.exit_code();
}

} // namespace tilesim::tools
