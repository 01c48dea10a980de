// Writes a check's report as text: findings, one summary line for each, what was explored.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/text.hpp"

#include "sim/contract/frames_text.hpp"
#include "tools/cli/wording.hpp"

#include <fmt/format.h>

#include <cstring>
#include <map>

namespace tilesim::tools {
namespace {

std::string place(const std::vector<source_frame>& frames) {
  return frames.empty() ? "no source line" : sim::to_string(frames.front());
}

std::string finding_text(const checked_finding& f, const check_report& r) {
  auto text = fmt::format("{}{}:{} {}{}:{} {} [{}]\n",
                          bold,
                          f.where.empty() ? r.sources.front() : sim::to_string(f.where.front()),
                          off,
                          f.note ? cyan : red,
                          f.note ? "note" : "error",
                          off,
                          f.message,
                          f.code);
  for (const auto& line : f.details) {
    text += fmt::format("  {}\n", line);
  }
  text += sim::frames_text(f.where, "in");
  if (f.other.size() > 1) {
    text += sim::frames_text(f.other, "other in");
  }
  if (!f.remedy.empty()) {
    text += fmt::format("  to fix: {}\n", f.remedy);
  }
  if (!f.shown.stale.empty()) {
    text += fmt::format("  {}\n", weakness(f));
    for (const auto& s : f.shown.told) {
      text += fmt::format("  stale read{}: {}\n    forbidden by: {}\n",
                          s.where.empty() ? "" : " at " + sim::to_string(s.where.front()),
                          s.message,
                          s.remedy);
    }
  }
  text += fmt::format("  {}\n", how_often(f, r));
  if (f.variants.size() > 1) {
    for (const auto& v : f.variants) {
      text += fmt::format("    {}: {}\n", v.count, v.what);
    }
  }
  text += fmt::format("  to replay: {}\n", r.how_to_replay(f.replay));
  if (const auto command = r.how_to_step(f); !command.empty()) {
    text += fmt::format("  to step: {}\n", command);
  }
  return text;
}

/// The first run in which the program itself failed, and how many did.
std::string failures_text(const check_report& r) {
  for (const auto& run : r.runs) {
    if (run.end == run_end::failed) {
      return fmt::format("{}{}:{} {}error:{} {} {} under {}, and failed in {} of {}\n"
                         "{}  to replay: {}\n",
                         bold,
                         r.sources.front(),
                         off,
                         red,
                         off,
                         run.of_child ? "a process that the program has made" : "the program",
                         status_text(run.status),
                         describe(run.which),
                         r.count(run_end::failed),
                         counted(r.runs.size(), "schedule"),
                         run.printed_last.empty()
                             ? std::string()
                             : fmt::format("  it printed last: {}\n", run.printed_last),
                         r.how_to_replay(to_string(replay{run.which, r.program})));
    }
  }
  return {};
}

std::string kinds_of_schedules(const check_report& r) {
  std::map<sim::strategy, std::size_t> counts;
  for (const auto& run : r.runs) {
    ++counts[run.which.how];
  }
  std::string text;
  for (const auto& [how, count] : counts) {
    text += fmt::format("{}{} {}{}",
                        text.empty() ? "" : ", ",
                        count,
                        how == sim::strategy::turns ? "by " : "",
                        sim::name_of(how));
  }
  if (const auto weak = r.weak_runs(); weak > 0) {
    text += fmt::format("; {} of them weak", weak);
  }
  return text;
}

} // namespace

std::string weakness(const checked_finding& f) {
  const auto n = f.shown.stale.size();
  const auto told = f.shown.told.size();
  return fmt::format(
      "only a weak execution has shown it, in which {} older write{} than the newest{}",
      n == 1 ? "one read takes an" : fmt::format("{} reads take", n),
      n == 1 ? "" : "s",
      told < n ? fmt::format("; the last {}:", told) : "");
}

std::string how_often(const checked_finding& f, const check_report& r) {
  // Looked for once for each place that draws a value: how many schedules ran says nothing.
  if (f.code == "unspecified-dependent") {
    return fmt::format("{}, by other values under one schedule", counted(f.count, "time"));
  }
  return fmt::format(
      "{}, in {} of {}", counted(f.count, "time"), f.schedules, counted(r.runs.size(), "schedule"));
}

std::string status_text(int status) {
  constexpr int signals = 128;
  if (status > signals) {
    if (const char* name = sigabbrev_np(status - signals)) {
      return fmt::format("ended by SIG{}", name);
    }
  }
  return fmt::format("ended with status {}", status);
}

std::string explored(const check_report& r) {
  return fmt::format("{}{} ({}), {}, {} judged",
                     counted(r.runs.size(), "schedule"),
                     r.runs.size() < r.planned ? fmt::format(" of {}", r.planned) : "",
                     kinds_of_schedules(r),
                     counted(r.operations(), "tile operation"),
                     counted(r.judged(), "element"));
}

std::string verdict_text(const check_report& r) {
  if (r.judged() == 0 && r.defects() == 0) {
    return fmt::format(
        "nothing was checked: {}",
        r.count(run_end::failed) > 0    ? "the program failed before any kernel accessed memory"
        : r.count(run_end::limited) > 0 ? "a limit was reached before any kernel accessed memory"
        : r.count(run_end::cancelled) > 0 || r.runs.empty()
            ? "it ended before any kernel accessed memory"
            : "no kernel accessed memory");
  }
  auto text = r.defects() == 0 ? "no findings" : counted(r.defects(), "finding");
  if (r.notes() > 0) {
    text += ", " + counted(r.notes(), "note");
    text += !r.strict ? "" : r.notes() == 1 ? ", which counts" : ", which count";
  }
  if (r.suppressed() > 0) {
    text += fmt::format(", {} suppressed", r.suppressed());
  }
  return text;
}

std::string to_text(const check_report& r) {
  std::string text;
  for (const auto& f : r.findings) {
    if (f.suppressed_by.empty()) {
      text += finding_text(f, r);
    }
  }
  text += failures_text(r);
  for (const auto& l : r.limits) {
    text += fmt::format("{}limit:{} {}\n", bold, off, l);
  }
  for (const auto& l : r.remarks) {
    text += fmt::format("{}remark:{} {}\n", bold, off, l);
  }
  for (const auto& f : r.findings) {
    if (f.suppressed_by.empty()) {
      text += fmt::format("{}summary:{} {}: {}{}, {}\n",
                          bold,
                          off,
                          f.code,
                          place(f.where),
                          f.other.empty() ? "" : " and " + place(f.other),
                          how_often(f, r));
    }
  }
  const bool clean = r.exit_code() == 0;
  text += fmt::format("{}checked:{} {}: {}{}{}\n",
                      bold,
                      off,
                      explored(r),
                      clean ? green : red,
                      verdict_text(r),
                      off);
  if (const auto command = r.how_to_repeat(); !command.empty()) {
    text += fmt::format("to repeat: {}\n", command);
  }
  return text;
}

} // namespace tilesim::tools
