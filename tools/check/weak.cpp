// Results that only weak schedules have shown.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/weak.hpp"

#include "tools/check/minimise.hpp"

#include <fmt/format.h>

#include <utility>

namespace tilesim::tools {

weak_difference
with_fewest_stale_reads(weak_difference d, const differs_under& run, std::size_t most_runs) {
  constexpr std::size_t most_listed = 16;
  if (d.which.weak && d.stale.size() <= most_listed) { // by their names
    auto which = d.which.sequential();
    which.stale = d.stale;
    if (auto same = run(which, d); same && same->stale.size() <= d.stale.size()) {
      d = std::move(*same);
    }
  }
  for (bool fewer_found = true; fewer_found;) {
    fewer_found = false;
    for (const auto& reads : fewer(d.stale)) {
      if (most_runs-- == 0) {
        return d;
      }
      auto which = d.which.sequential();
      which.stale = reads;
      if (auto less = run(which, d); less && less->stale.size() < d.stale.size()) {
        d = std::move(*less);
        fewer_found = true;
        break;
      }
    }
  }
  return d;
}

checked_finding weak_finding(const weak_difference& d, std::size_t sequential) {
  checked_finding f;
  f.code = code(finding_kind::weak_dependent);
  f.message = fmt::format("a result that only a weak execution has: {}", d.what.what);
  f.details = {fmt::format("under {}, as against {} sequentially consistent schedule{}",
                           describe(d.which),
                           sequential,
                           sequential == 1 ? "" : "s, none of which has it")};
  f.where = d.told.empty() ? d.what.where : d.told.back().where;
  if (!d.told.empty()) {
    f.remedy = d.told.back().remedy;
  }
  f.shown.stale = d.stale;
  f.shown.told = d.told;
  return f;
}

} // namespace tilesim::tools
