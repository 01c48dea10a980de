// Dependencies by value.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/settled.hpp"

#include "sim/explore/kernel_threads.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tilesim::sim::exploring {

namespace {

using memmodel::byte_range;
using memmodel::other_run;
using memmodel::read_set;

constexpr std::size_t most_runs = 4'096;
constexpr std::size_t most_reads = 64; ///< that a set holds

/// A read in whatever run: the same place in the source, element, and time round.
using read_name = std::tuple<const void*, std::uint32_t, std::uint32_t>;

struct named_read {
  read_name name;
  byte_range bytes;
  std::uint64_t value = 0;
};
struct effect {
  byte_range bytes;
  std::uint64_t value = 0;
  memmodel::memory_order order{};
  memmodel::scope scope{};
  bool half = false;
  friend bool operator==(const effect&, const effect&) = default;
};

/// What a thread does along a way through its steps.
struct way {
  std::vector<named_read> reads;
  std::vector<effect> writes;
  std::map<std::pair<const void*, std::uint32_t>, std::uint32_t> rounds;

  /// Of a step whose reads were given these.
  void add(const step& s, std::span<const std::uint64_t> given) {
    const instruction& i = *s.what;
    for (std::size_t e = 0; e < i.elements.size(); ++e) {
      const memmodel::explore::element& x = i.elements[e];
      if (s.reads() && e < given.size()) {
        reads.push_back({{s.site, x.number, rounds[{s.site, x.number}]++}, x.bytes, given[e]});
      }
      if (i.kind == step_kind::store) {
        writes.push_back({x.bytes, x.store.value, i.order, i.scope, false});
      } else if (i.kind == step_kind::update && e < given.size()) {
        if (const auto wrote = known_write(s, e, given[e])) {
          writes.push_back({x.bytes, *wrote, i.write_order, i.scope, true});
        }
      }
    }
  }
};

class all_runs {
public:
  all_runs(const way& own, const effect& made)
      : own_(own)
      , made_(made)
      , nth_(std::ranges::count(own.writes, made)) {}

  /// False: there are too many.
  bool visit(const step& s, const way& so_far) {
    if (s.what->kind == step_kind::end || s.stopped) {
      judge(so_far);
      return says_.size() < most_runs;
    }
    return std::ranges::all_of(s.next, [&](const std::unique_ptr<step>& next) {
      way with = so_far;
      with.add(s, next->given);
      return visit(*next, with);
    });
  }
  [[nodiscard]] bool contradict(read_set set) const {
    return std::ranges::any_of(says_, [&](const other_run& r) { return r.contradicts(set); });
  }

private:
  void judge(const way& there) {
    other_run says;
    for (std::size_t r = 0; r < std::min(own_.reads.size(), most_reads); ++r) {
      const read_set bit = read_set{1} << r;
      const auto found = std::ranges::find(there.reads, own_.reads[r].name, &named_read::name);
      if (found == there.reads.end()) {
        says.missing |= bit;
        continue;
      }
      says.differ |= found->value != own_.reads[r].value ? bit : 0;
      says.missing |= found->bytes != own_.reads[r].bytes ? bit : 0;
    }
    says.writes = std::ranges::count(there.writes, made_) >= nth_;
    says_.push_back(says);
  }

  const way& own_;
  const effect& made_;
  const std::ptrdiff_t nth_;
  std::vector<other_run> says_;
};

} // namespace

read_set settled_by(const step& first,
                    const step& write,
                    std::size_t element,
                    std::optional<std::uint64_t> old) {
  std::vector<std::pair<const step*, const std::vector<std::uint64_t>*>> before;
  for (const step* s = &write; s->before != nullptr; s = s->before) {
    before.emplace_back(s->before, &s->given);
  }
  way own;
  for (auto s = before.rbegin(); s != before.rend(); ++s) {
    own.add(*s->first, *s->second);
  }
  const instruction& i = *write.what;
  const std::size_t earlier = own.reads.size();
  read_set set = 0;
  for (std::size_t r = 0; r < std::min(earlier, most_reads); ++r) {
    set |= read_set{1} << r;
  }
  effect made{i.elements[element].bytes, i.elements[element].store.value, i.order, i.scope, false};
  if (old) {
    const auto wrote = known_write(write, element, *old);
    if (!wrote) {
      return 0;
    }
    made = {i.elements[element].bytes, *wrote, i.write_order, i.scope, true};
    // Of the update's own reads that of this element alone.
    for (std::size_t e = 0; e < i.elements.size(); ++e) {
      own.reads.push_back(
          {{write.site, i.elements[e].number, own.rounds[{write.site, i.elements[e].number}]++},
           i.elements[e].bytes,
           e == element ? *old : 0});
    }
    if (earlier + element < most_reads) {
      set |= read_set{1} << (earlier + element);
    }
  }
  own.writes.push_back(made);
  all_runs runs(own, made);
  if (set == 0 || !runs.visit(first, {}) || runs.contradict(set)) {
    return set;
  }
  for (std::size_t r = own.reads.size(); r-- > 0;) {
    const read_set without = r < most_reads ? set & ~(read_set{1} << r) : set;
    if (without != set && !runs.contradict(without)) {
      set = without;
    }
  }
  return set;
}

} // namespace tilesim::sim::exploring
