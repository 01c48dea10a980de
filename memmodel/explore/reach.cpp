// An execution that ends with given memory, looked for.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/reach.hpp"

#include "memmodel/explore/directed.hpp"
#include "memmodel/explore/foresight.hpp"
#include "memmodel/explore/interleaving.hpp"
#include "memmodel/explore/narrowing.hpp"
#include "memmodel/explore/possible_runs.hpp"
#include "memmodel/explore/wishes.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace tilesim::memmodel::explore {

namespace {

constexpr std::uint64_t most_executions = 1000;
constexpr std::uint64_t most_taken_back = 10'000; ///< of one search with the same wishes

constexpr effect better_than(effect e) {
  return static_cast<effect>(static_cast<std::uint8_t>(e) + 1);
}

class reaching {
public:
  reaching(threads& program, wanted_memory& wanted, reach_counts& counts)
      : program_(program)
      , wanted_(wanted)
      , counts_(counts)
      , wishes_(wanted, program) {}

  bool run();

private:
  struct move {
    thread_id thread = 0;
    std::size_t element = 0;
    friend bool operator==(const move&, const move&) = default;
  };
  /// A state, and what has been done there.
  struct choice {
    std::size_t mark = 0;
    std::vector<move> tried;
  };
  /// Where a thread stands that cannot go on.
  struct held {
    thread_id thread = 0;
    std::size_t performed = 0;
  };

  bool free_run(thread_id first);
  enum class outcome : std::uint8_t { reached, learnt, none };
  outcome guided_run();
  void begin(thread_id first);
  bool has_reached();
  void go(const move& m);
  [[nodiscard]] std::optional<move> choose();
  [[nodiscard]] std::optional<move> best_of(thread_id t, effect at_least);
  bool take_back_choice();
  [[nodiscard]] std::optional<move>
  instead(const std::vector<held>& all, bool any, const std::vector<move>& tried);

  threads& program_;
  wanted_memory& wanted_;
  reach_counts& counts_;
  wishes wishes_;
  std::optional<interleaving> made_;
  std::optional<foresight> foresight_;
  std::vector<choice> choices_;
  thread_id last_ = 0;
};

// What each block may come to is what it comes to if it is the first.
bool reaching::run() {
  const std::vector<place> places = program_.places();
  for (thread_id t = 0; t < places.size() && (t == 0 || wishes_.some_rows()); ++t) {
    if ((t == 0 || !(places[t] == places[t - 1])) && free_run(t)) {
      return true;
    }
  }
  while (counts_.executions != 0 && counts_.executions < most_executions) {
    if (wishes_.some_rows() && !wishes_.divide_anew()) {
      return false;
    }
    switch (guided_run()) {
    case outcome::reached:
      return true;
    case outcome::learnt:
      break;
    case outcome::none:
      if (!wishes_.some_rows()) {
        return false;
      }
    }
  }
  return false;
}

void reaching::begin(thread_id first) {
  choices_.clear();
  foresight_.reset();
  made_.emplace(program_);
  made_->begin();
  foresight_.emplace(program_, wishes_, *made_);
  last_ = first;
}

bool reaching::has_reached() {
  ++counts_.executions;
  return is_reached_twice(program_, wanted_, *made_);
}

/// An execution without wishes, in which that thread is the first, and each goes on as long as it
/// can: whether it ends as is wanted. It is learnt from.
bool reaching::free_run(thread_id first) {
  begin(first);
  const auto n = static_cast<thread_id>(made_->count());
  for (thread_id stand = 0; stand < n;) {
    const thread_id t = (first + stand) % n;
    const std::size_t mark = made_->mark();
    if (made_->chooses(t)) {
      const auto& done = made_->at(t).done;
      if (foresight_->make(
              t, static_cast<std::size_t>(std::ranges::find(done, false) - done.begin()))) {
        stand = 0;
        first = t;
        continue;
      }
      made_->take_back(mark);
    }
    ++stand;
  }
  if (!made_->all_ended()) {
    return false;
  }
  if (has_reached()) {
    return true;
  }
  static_cast<void>(wishes_.learn(made_->accesses()));
  return false;
}

/// Looks for one in which wishes are followed.
reaching::outcome reaching::guided_run() {
  begin(0);
  const std::uint64_t taken_back = counts_.taken_back;
  for (;;) {
    const bool ended = made_->all_ended();
    if (ended && has_reached()) {
      return outcome::reached;
    }
    if (ended && !wishes_.some_rows() && wishes_.learn(made_->accesses())) {
      return outcome::learnt;
    }
    if (const auto next = choose()) {
      choices_.push_back({made_->mark(), {*next}});
      go(*next);
    } else if (counts_.taken_back - taken_back == most_taken_back || !take_back_choice()) {
      return outcome::none;
    }
  }
}

void reaching::go(const move& m) {
  static_cast<void>(foresight_->make(m.thread, m.element));
  last_ = m.thread;
}

std::optional<reaching::move> reaching::best_of(thread_id t, effect at_least) {
  if (!made_->chooses(t)) {
    return {};
  }
  const std::vector<effect>& all = foresight_->of(t);
  std::optional<move> best;
  for (std::size_t e = 0; e < all.size(); ++e) {
    if (!made_->at(t).done[e] && all[e] >= at_least) {
      best = move{t, e};
      at_least = better_than(all[e]);
    }
  }
  return best;
}

/// One that agrees, else one that is neutral, else one that comes last; the thread that has gone on
/// last before others.
std::optional<reaching::move> reaching::choose() {
  std::optional<move> best;
  effect wanted = effect::last;
  const auto n = static_cast<thread_id>(made_->count());
  for (thread_id i = 0; i < n && wanted <= effect::agreeing; ++i) {
    if (const auto m = best_of((last_ + i) % n, wanted)) {
      best = m;
      wanted = better_than(foresight_->of(m->thread)[m->element]);
    }
  }
  return best;
}

/// A thread that stood there already, or `any`, and could have gone on.
std::optional<reaching::move>
reaching::instead(const std::vector<held>& all, bool any, const std::vector<move>& tried) {
  for (const held& h : all) {
    if (!any && made_->at(h.thread).performed != h.performed) {
      continue;
    }
    if (const auto m = best_of(h.thread, effect::agreeing);
        m && std::ranges::find(tried, *m) == tried.end()) {
      return m;
    }
  }
  return {};
}

// What has come in its place has spoilt it. Where all have come to their ends it may have been any.
bool reaching::take_back_choice() {
  std::vector<held> all;
  for (thread_id t = 0; t < made_->count(); ++t) {
    if (made_->chooses(t) || made_->all_ended()) {
      all.push_back({t, made_->at(t).performed});
    }
  }
  const bool any = made_->all_ended();
  for (; !choices_.empty(); choices_.pop_back()) {
    choice& c = choices_.back();
    made_->take_back(c.mark);
    if (const auto m = instead(all, any, c.tried)) {
      ++counts_.taken_back;
      c.tried.push_back(*m);
      go(*m);
      return true;
    }
  }
  return false;
}

} // namespace

reached reach(threads& program,
              wanted_memory& wanted,
              reach_counts& counts,
              const std::function<bool()>& stops_gathering) {
  possible_runs all(program);
  if (all.gather(stops_gathering)) {
    narrowing left(all, wanted);
    if (!left.narrow(stops_gathering)) {
      return reached::none_is;
    }
    if (direct(program, wanted, all, left, counts)) {
      return reached::one_is;
    }
  }
  return reaching(program, wanted, counts).run() ? reached::one_is : reached::unknown;
}

} // namespace tilesim::memmodel::explore
