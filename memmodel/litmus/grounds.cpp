// Dependencies by value.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/grounds.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <tuple>

namespace tilesim::memmodel::litmus {

namespace {

/// A read of a thread, in whatever run: the same code, element, and time round.
using read_name = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

/// The reads of a run by name, and in their order.
struct named_reads {
  std::map<read_name, const trace_event*> by_name;
  std::vector<read_name> in_order;
};

named_reads reads_of(const trace& run) {
  named_reads out;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> rounds;
  for (const trace_event& e : run.events) {
    if (e.what.is_read()) {
      const read_name name{e.code, e.what.element, rounds[{e.code, e.what.element}]++};
      out.by_name.emplace(name, &e);
      out.in_order.push_back(name);
    }
  }
  return out;
}

bool same_effect(const event& a, const event& b) {
  return a.is_write() && b.is_write() && a.bytes == b.bytes && a.value == b.value &&
         a.order == b.order && a.scope == b.scope;
}

/// How many writes of that effect the run performs, up to and with event `end`.
std::size_t writes_like(const trace& run, const trace_event& like, std::size_t end) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < std::min(end, run.events.size()); ++i) {
    const trace_event& e = run.events[i];
    n += same_effect(e.what, like.what) && e.write_half == like.write_half ? 1U : 0U;
  }
  return n;
}

std::vector<read_set> smallest(read_set written, const std::set<other_run>& runs) {
  std::vector<unsigned> bits;
  for (unsigned b = 0; b < 64; ++b) {
    if ((written >> b & 1U) != 0) {
      bits.push_back(b);
    }
  }
  std::vector<std::uint32_t> choices(std::size_t{1} << bits.size());
  for (std::uint32_t c = 0; c < choices.size(); ++c) {
    choices[c] = c;
  }
  std::ranges::stable_sort(choices, {}, [](std::uint32_t c) { return std::popcount(c); });
  std::vector<read_set> out;
  for (const std::uint32_t c : choices) {
    read_set set = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      set |= read_set{c >> i & 1U} << bits[i];
    }
    const bool holds_one =
        std::ranges::any_of(out, [&](read_set smaller) { return (smaller & ~set) == 0; });
    if (!holds_one &&
        std::ranges::none_of(runs, [&](const other_run& r) { return r.contradicts(set); })) {
      out.push_back(set);
    }
  }
  return out;
}

} // namespace

const std::vector<read_set>&
grounds::of(std::uint32_t thread, const trace& run, std::uint32_t write) {
  const auto [at, added] = known_.try_emplace({&run, write});
  std::vector<read_set>& out = at->second;
  if (!added) {
    return out;
  }
  const trace_event& w = run.events[write];
  const read_set written = w.addr | w.data | w.ctrl;
  if (written == 0 || std::popcount(written) > most_reads) {
    out = {written};
    return out;
  }
  const named_reads own = reads_of(run);
  const std::size_t which = writes_like(run, w, write + 1);
  std::set<other_run> runs;
  for (const trace& other : all_.of[thread]) {
    if (other.end == trace_end::waiting) {
      continue; // a beginning of another one
    }
    const named_reads there = reads_of(other);
    other_run says;
    for (std::size_t r = 0; r < own.in_order.size(); ++r) {
      const auto found = there.by_name.find(own.in_order[r]);
      const event& mine = own.by_name.at(own.in_order[r])->what;
      const read_set bit = read_set{1} << r;
      if (found == there.by_name.end()) {
        says.missing |= bit;
      } else {
        says.differ |= found->second->what.value != mine.value ? bit : 0;
        says.missing |= found->second->what.bytes != mine.bytes ? bit : 0;
      }
    }
    says.differ &= written;
    says.missing &= written;
    says.writes = writes_like(other, w, other.events.size()) >= which;
    runs.insert(says);
  }
  out = smallest(written, runs);
  if (out.empty()) {
    out = {written};
  }
  return out;
}

} // namespace tilesim::memmodel::litmus
