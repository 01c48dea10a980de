// Collecting findings and telling them.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/findings/findings.hpp"

#include "memmodel/assertion.hpp"
#include "sim/contract/report_members.hpp"
#include "sim/contract/standard_error.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/findings/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace tilesim::sim {

namespace {

void count(std::vector<finding_variant>& variants, const std::string& what) {
  const auto known = std::ranges::find(variants, what, &finding_variant::what);
  if (known != variants.end()) {
    ++known->count;
  } else if (!what.empty()) {
    variants.push_back({what});
  }
}

} // namespace

std::size_t findings::variant(std::size_t number, const std::string& what) const {
  const auto& all = report_.findings[number].variants;
  return static_cast<std::size_t>(std::ranges::find(all, what, &finding_variant::what) -
                                  all.begin());
}

std::size_t findings::add(const void* site, finding_text text) {
  finding f;
  f.kind = text.kind;
  f.severity = text.severity;
  f.if_results_differ = text.if_results_differ;
  f.where = resolve(site);
  f.other = text.other == nullptr ? std::vector<source_frame>{} : resolve(text.other);
  f.through = frames_of_helpers(site);
  f.other_through = frames_of_helpers(text.other);
  f.message = std::move(text.message);
  f.details = std::move(text.details);
  if (const std::string helper = helper_of(site); !helper.empty()) {
    f.details.push_back(fmt::format("through {}", helper));
  }
  f.remedy = std::move(text.remedy);
  f.known = first_match(known, code(f.kind), f.where, f.other);
  // The same kind at the same place is the same finding, however often: but two calls of one line
  // ("cudaFree: …", "cudaMalloc: …") are two.
  const std::string what = !text.group.empty() ? text.group
                           : f.where.empty()   ? f.message
                                               : f.message.substr(0, f.message.find(':') + 1);
  const auto key = f.where.empty() ? place_key{f.kind, "", 0U, 0U, what, f.known}
                                   : place_key{f.kind,
                                               f.where.front().file,
                                               f.where.front().line,
                                               f.where.front().column,
                                               what,
                                               f.known};
  const auto [it, is_new] = by_place_.try_emplace(key, report_.findings.size());
  by_site_.try_emplace({site, f.kind}, it->second);
  if (!is_new) {
    ++report_.findings[it->second].count;
    count(report_.findings[it->second].variants, text.variant);
    return it->second;
  }
  count(f.variants, text.variant);
  if (history) {
    f.history = history(text);
  }
  if (f.kind == finding_kind::leak) { // whatever reads have taken
    f.history.stale.clear();
  } else if (stale) {
    f.stale = stale();
  }
  // What the program printed so far belongs before the finding.
  std::fflush(stdout);
  const std::string rendered = quiet ? "" : render(f, isatty(STDERR_FILENO) != 0);
  report_.findings.push_back(std::move(f));
  write_error(rendered);
  if (noticed) {
    noticed(site, text);
  }
  // The program may crash or be killed before its end. Later than that, a finding among very many
  // is told with the next few.
  const std::size_t count = report_.findings.size();
  if (tell && (count <= 64 || std::has_single_bit(count))) {
    tell(in_report::how_running);
  }
  return it->second;
}

bool findings::repeated(const void* site, finding_kind kind, finding::level severity) {
  const auto it = by_site_.find({site, kind});
  if (it == by_site_.end() || report_.findings[it->second].severity > severity) {
    return false;
  }
  ++report_.findings[it->second].count;
  return true;
}

void findings::stop(const void* site, finding_text text) {
  if (stopping) {
    stopping(site, text.kind);
  }
  stopped_at_ = site;
  add(site, std::move(text));
  print_summary();
  if (tell) {
    tell(in_report::how_stopped);
  }
  TILESIM_ASSERT(static_cast<bool>(leave));
  leave();
  std::abort(); // it does not return
}

void findings::forget() noexcept {
  report_.findings.clear();
  by_site_.clear();
  by_place_.clear();
}

void findings::print_summary() const {
  if (quiet) {
    return;
  }
  write_error(render_summary(report_, isatty(STDERR_FILENO) != 0));
}

} // namespace tilesim::sim
