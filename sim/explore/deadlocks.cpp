// Executions in which threads wait for ever, in words.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/lone_runs.hpp"
#include "sim/execution/standings.hpp"
#include "sim/explore/outcomes.hpp"
#include "sim/naming/address_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tilesim::sim::exploring {

using memmodel::explore::found_execution;

std::vector<counted_thread> outcomes::counted(const std::vector<memmodel::thread_id>& all) const {
  std::vector<counted_thread> out;
  out.reserve(all.size());
  for (const memmodel::thread_id t : all) {
    out.push_back({&threads_.runs().launch(t), threads_.runs().linear(t)});
  }
  return out;
}

/// A line for each that waits, or for the threads of one block that wait at one place for the same.
std::vector<std::string>
outcomes::waits_text(const std::vector<std::pair<memmodel::thread_id, std::string>>& all) const {
  struct group {
    memmodel::thread_id first;
    const std::string* what;
    std::vector<std::uint32_t> ranks;
  };
  std::vector<group> groups;
  for (const auto& waiting : all) {
    const memmodel::thread_id t = waiting.first;
    const std::string& what = waiting.second;
    const launch_state& l = threads_.runs().launch(t);
    const std::uint64_t linear = threads_.runs().linear(t);
    const auto known = std::ranges::find_if(groups, [&](const group& g) {
      return threads_.runs().launch(g.first).id == l.id &&
             threads_.runs().linear(g.first) / l.threads_per_block ==
                 linear / l.threads_per_block &&
             *g.what == what;
    });
    const auto rank = static_cast<std::uint32_t>(linear % l.threads_per_block);
    if (known == groups.end()) {
      groups.push_back({t, &what, {rank}});
    } else {
      known->ranks.push_back(rank);
    }
  }
  std::vector<std::string> lines;
  lines.reserve(groups.size());
  for (const group& g : groups) {
    lines.push_back(g.ranks.size() == 1 ? fmt::format("{} waits {}", by(g.first), *g.what)
                                        : fmt::format("{} of {} of {} wait {}",
                                                      ranges_text(g.ranks),
                                                      block_of(g.first),
                                                      threads_.runs().launch(g.first).kernel.name,
                                                      *g.what));
  }
  return lines;
}

void outcomes::note_deadlock(const found_execution& x, const std::vector<thread_way>& all) {
  std::vector<std::pair<memmodel::thread_id, std::string>> waits;
  std::vector<memmodel::thread_id> polling;
  std::vector<memmodel::thread_id> meeting;
  const void* site = nullptr;
  const void* meets_at = nullptr;
  for (memmodel::thread_id t = 0; t < all.size(); ++t) {
    const step& last = *all[t].steps.back();
    if (meets(last)) {
      meeting.push_back(t);
      meets_at = meets_at == nullptr ? last.site : meets_at;
      waits.emplace_back(t, fmt::format("at {} for others of its block", place(last.site)));
    }
    if (last.waits_from == nullptr) {
      continue;
    }
    polling.push_back(t);
    site = site == nullptr ? last.waits_from->site : site;
    if (last.waits_from == &last) {
      waits.emplace_back(t,
                         fmt::format("at {} for memory that no other {} writes",
                                     place(last.site),
                                     noun_of(counted({t}))));
      continue;
    }
    std::vector<std::string> cells;
    for (const auto& e : last.waits_from->what->elements) {
      const std::size_t n = last.waits_from->number + 1;
      const auto& given = all[t].steps[n]->given;
      cells.push_back(awaited_text(context_,
                                   threads_.runs().launch(t).id,
                                   e.bytes.address,
                                   given[cells.size()],
                                   describe_element(context_, e.bytes.address)));
    }
    waits.emplace_back(
        t, fmt::format("at {} for {}", place(last.waits_from->site), fmt::join(cells, ", or ")));
  }
  const auto& first = polling.empty() ? meeting : polling;
  finding_text f;
  f.kind = finding_kind::deadlock;
  f.message = fmt::format("deadlock: {} {} for {}",
                          count_text(counted(first)),
                          first.size() == 1 ? "waits" : "wait",
                          polling.empty() ? "others that never come"
                                          : "memory that nobody is left to change");
  if (!polling.empty() && !meeting.empty()) {
    f.message += fmt::format(", and {} for others that never come", count_text(counted(meeting)));
  }
  f.details = waits_text(waits);
  f.remedy = polling.empty() ? "let all threads that are waited for come to the same place"
                             : fmt::format("make sure that the value is written by a {} that does "
                                           "not itself wait",
                                           noun_of(counted(polling)));
  note(x, resolved(site != nullptr ? site : meets_at, std::move(f)));
}

} // namespace tilesim::sim::exploring
