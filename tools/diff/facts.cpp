// What all writers of a comparison say with the same words.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/frames_text.hpp"
#include "tools/cli/wording.hpp"
#include "tools/diff/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::tools::diff {

std::string launches_name(const compared_launch& l) {
  return l.first == l.number ? fmt::format("launch {} ({})", l.number + 1, l.kernel)
                             : fmt::format("launches {} to {}, compared together, the last of {}",
                                           l.first + 1,
                                           l.number + 1,
                                           l.kernel);
}

std::string input_text(const differing_input& i) {
  if (i.argument) {
    return fmt::format("argument {}{}{}: {} here, {} there",
                       *i.argument + 1,
                       i.name.empty() ? "" : ", " + i.name,
                       i.type.empty() ? "" : fmt::format(" ({})", i.type),
                       i.here,
                       i.there);
  }
  if (i.size_there && (i.size == 0 || *i.size_there == 0)) {
    return fmt::format("{} has {} bytes {}, and is not {}",
                       i.name,
                       std::max(i.size, *i.size_there),
                       i.size != 0 ? "here" : "there",
                       i.size != 0 ? "there" : "here");
  }
  if (i.size_there) {
    return fmt::format("{} has {} bytes here, {} there", i.name, i.size, *i.size_there);
  }
  return fmt::format("bytes {} to {} of {} were not the same before the launch",
                     i.offset,
                     i.offset + i.bytes,
                     i.name);
}

std::string writer_text(const compared_launch& l, const last_writer& w) {
  const bool of_several = l.first != l.number && w.launch;
  return fmt::format("{}{} at {}",
                     w.block,
                     of_several ? fmt::format(" of launch {} ({})", *w.launch + 1, w.kernel) : "",
                     place(w.at));
}

std::string executions_text(const compared_launch& l) {
  if (l.ends && (l.ends->among || l.is_no_execution())) {
    return {}; // it is said in front
  }
  if (l.ends && l.ends->excluded) {
    return "no execution gives these bits, whatever its reads take";
  }
  if (l.ends && l.ends->whole) {
    return fmt::format("the launch has {}, and none of them gives these results",
                       counted(l.ends->executions, "execution"));
  }
  if (l.ends && l.ends->executions != 0) {
    return fmt::format("the launch has more executions than there was time for: none of the {} "
                       "that were looked at "
                       "gives these results; --search-time SECONDS looks longer",
                       l.ends->executions);
  }
  const std::string why = l.ends ? "the time was over before one had ended; --search-time SECONDS "
                                   "looks longer"
                                 : l.unseen;
  if (!why.empty()) {
    return fmt::format("whether another execution gives these results is not known: {}", why);
  }
  return l.waits_for_executions()
             ? "whether another execution gives these results is not known: none was looked for"
             : "";
}

std::string status_text(const report& r) {
  if (r.parted || r.status_there == r.own_status()) {
    return {}; // what comes behind another launch is another run
  }
  if (r.of_recordings && (!r.status_there || !r.own_status())) {
    return fmt::format("the program of {} did not come to an end, that of {} did",
                       r.status_there ? r.sources.front() : r.sources.back(),
                       r.status_there ? r.sources.back() : r.sources.front());
  }
  return r.status_there ? fmt::format("exit status {} here, {} there",
                                      r.own_status().value_or(0),
                                      *r.status_there)
                        : "the recorded program did not come to an end";
}

std::string failed_text(const report& r) {
  if (!r.failed_here.empty() && !r.failed_there.empty()) {
    return fmt::format(
        "a kernel failed on both, otherwise: here {}, there {}", r.failed_here, r.failed_there);
  }
  if (!r.failed_here.empty()) {
    return fmt::format("a kernel failed here, and none there: {}", r.failed_here);
  }
  return r.failed_there.empty() ? ""
                                : fmt::format("a kernel failed {}: {}",
                                              r.of_recordings ? "there, and none here"
                                                              : "on the GPU, and none does here",
                                              r.failed_there);
}

std::string reason_beside_launches(const report& r) {
  if (r.exit_code() != exit_findings || r.count(verdict::differs) != 0) {
    return {};
  }
  std::vector<std::string> reasons;
  for (const checked_finding& f : r.findings) {
    if (const std::string reason = f.code + " found here";
        std::ranges::find(reasons, reason) == reasons.end()) {
      reasons.push_back(reason);
    }
  }
  if (r.failed_otherwise()) {
    reasons.emplace_back("a kernel failed");
  }
  if (r.parted) {
    reasons.emplace_back("another launch came");
  } else if (r.launches_here != r.launches_there) {
    reasons.emplace_back("another number of launches came");
  }
  if (reasons.empty() && (r.printed_here || r.printed_there)) {
    reasons.emplace_back("other lines were printed");
  }
  if (reasons.empty() && !status_text(r).empty()) {
    reasons.emplace_back("the program ended otherwise");
  }
  return fmt::format("{}", fmt::join(reasons, ", "));
}

std::string place(const std::vector<source_frame>& frames) {
  return frames.empty() ? "an unknown place" : sim::to_string(frames.front());
}

const char* name(verdict v) noexcept {
  switch (v) {
  case verdict::same:
    return "same";
  case verdict::allowed:
    return "within the bounds";
  case verdict::differs:
    return "differs";
  case verdict::other_input:
    return "other input";
  case verdict::undecided:
    return "undecided";
  }
  return "?";
}

} // namespace tilesim::tools::diff
