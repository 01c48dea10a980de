// All executions' ends held against the one there: is it among them?
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/comparer.hpp"
#include "sim/contract/comparison_lines.hpp"
#include "sim/core/context.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <unistd.h>
#include <unordered_set>

namespace tilesim::sim::compare {

bool launch_comparer::is_known() const {
  return !parted_ && begun_ <= feed_.launches.size() && feed_.launches[begun_ - 1].observed;
}

bool launch_comparer::is_wanted() const {
  return context_.opts.compare_ends == begun_;
}

namespace {

/// As the other machine's launches have left memory. [held_memory::expected]
class end_there final : public wanted_end {
public:
  explicit end_there(const std::map<unsigned, held_memory>& held) {
    for (const auto& [id, m] : held) {
      by_end_[m.here->begin + m.expected.size()] = &m;
      for (std::size_t i = 0; i < m.expected.size(); ++i) {
        if (m.now()[i] != m.expected[i]) {
          changed_.insert(m.here->begin + i);
        }
      }
    }
  }

  [[nodiscard]] std::optional<std::uint8_t> at(std::uintptr_t address) const override {
    const auto m = by_end_.upper_bound(address);
    if (m == by_end_.end() || address < m->second->here->begin) {
      return {}; // of a block's own memory
    }
    return std::to_integer<std::uint8_t>(m->second->expected[address - m->second->here->begin]);
  }
  [[nodiscard]] bool all_changes(const std::function<bool(std::uintptr_t)>& is_so) const override {
    return std::ranges::all_of(changed_, is_so);
  }
  [[nodiscard]] bool is_it(const found_ends::memory& end) const override {
    std::size_t found = 0;
    for (const auto& [address, byte] : end) {
      const auto there = at(address);
      if (there && *there != byte) {
        return false;
      }
      found += changed_.contains(address) ? std::size_t{1} : std::size_t{0};
    }
    return found == changed_.size();
  }

private:
  std::map<std::uintptr_t, const held_memory*> by_end_; ///< by the address behind it
  std::unordered_set<std::uintptr_t> changed_;          ///< by the launches there
};

} // namespace

const wanted_end* launch_comparer::wanted() {
  if (wanted_ == nullptr) {
    const scoped_access open(context_.mem);
    const fed_launch& last = feed_.launches[begun_ - 1];
    expect(last, counterparts_in(last));
    wanted_ = std::make_unique<end_there>(held_);
  }
  const bool known =
      std::ranges::all_of(held_, [](const auto& m) { return m.second.unlike.empty(); });
  // Of launches that were observed together, and came one behind the other, the first have not run.
  const bool all = begun_ - first_together() == numbers_.size();
  return known && all ? wanted_.get() : nullptr;
}

void launch_comparer::judge(const found_ends& all) {
  if (const wanted_end* const there = wanted()) {
    const bool among =
        std::ranges::any_of(all.ends, [&](const auto& end) { return there->is_it(end); });
    lines_.write({{in_comparison::ends_of, begun_ - 1},
                  {in_comparison::among, among},
                  {in_comparison::whole, all.whole},
                  {in_comparison::excluded, all.excluded},
                  {in_comparison::ends, all.ends.size()},
                  {in_comparison::executions, all.executions}});
  } else {
    lines_.write({{in_comparison::ends_of, begun_ - 1},
                  {in_comparison::why,
                   first_together() + 1 == begun_
                       ? "the recording has no more than hashes of what the launch left"
                       : "of launches that were observed together, but come one behind the other, "
                         "they are looked at one by one"}});
  }
  std::fflush(nullptr);
  _exit(0);
}

} // namespace tilesim::sim::compare
