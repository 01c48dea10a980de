// The exploration of launches, in parts.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/rounds.hpp"

#include "sim/contract/exploration_report.hpp"
#include "sim/explore/cluster.hpp"
#include "sim/explore/helpers.hpp"
#include "sim/explore/knowledge.hpp"
#include "sim/explore/outcomes.hpp"
#include "sim/explore/part_takers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <unordered_set>
#include <utility>

namespace tilesim::sim::exploring {

namespace {

using std::chrono::steady_clock;

/// What takes less is not worth a process.
constexpr std::chrono::milliseconds alone{50};
/// A shard takes every n-th of so many parts, and more: they are of different sizes.
constexpr std::size_t parts_each_shard = 32;

} // namespace

rounds::rounds(context& c,
               kernel_threads& threads,
               const exploration_order& order,
               std::function<bool()> expired,
               exploration_progress* progress)
    : context_(c)
    , threads_(threads)
    , order_(order)
    , expired_(std::move(expired))
    , progress_(progress)
    , load_buffering_(order.load_buffering && !order.sequential && !order.bound) {}

rounds::~rounds() = default;

/// Draws executions. Of one that has been drawn before nothing new is to be told.
/// @throws not_explored: they are not all that there are
void rounds::sample() {
  constexpr std::size_t most_remembered = 8'000'000;
  constexpr std::uint64_t between_looks = 256;
  make_explorer();
  outcomes found(context_, threads_, order_.pictures);
  std::unordered_set<std::uint64_t> drawn;
  const auto is_new = [&](const memmodel::explore::found_execution& x) {
    return drawn.size() >= most_remembered ? !drawn.contains(x.name.first)
                                           : drawn.insert(x.name.first).second;
  };
  const memmodel::explore::explorer::sink ended = [&](const auto& x) {
    if (is_new(x)) {
      found.complete(x);
    }
    return true;
  };
  const memmodel::explore::explorer::sink blocked = [&](const auto& x) {
    if (is_new(x)) {
      ++found.found().stuck;
      found.blocked(x);
    }
    return true;
  };
  const auto end = [&](const std::string& why) {
    tallies_.clear();
    plain_.add(found.found());
    throw memmodel::explore::not_explored{why};
  };
  for (std::uint64_t i = 0; i < order_.samples; ++i) {
    if (i % between_looks == 0) {
      say_progress(found.found(), static_cast<double>(i) / static_cast<double>(order_.samples));
      if (expired_()) {
        plain_.add(found.found());
        throw over();
      }
    }
    try {
      explorer_->sample(order_.seed * 0x9e37'79b9'7f4a'7c15U + i, ended, blocked);
    } catch (const memmodel::explore::not_explored& n) {
      end(n.what);
    }
  }
  end(fmt::format("{} executions were drawn, and there may be others than those: {} different ones",
                  order_.samples,
                  drawn.size()));
}

void rounds::run() {
  if (order_.samples != 0) {
    threads_.explored_anew(false);
    sample();
    return;
  }
  if (order_.shards > 1) {
    explore_shard();
    return;
  }
  threads_.explored_anew(false);
  explore(pass::plain);
  if (load_buffering_ && may_buffer_ && order_.symmetry) {
    threads_.share_among_alike();
  }
  // Writes are promised that were seen; with them there may be others.
  while (load_buffering_ && may_buffer_ && threads_.some_promised()) {
    const std::size_t known = threads_.known();
    news_ = false;
    threads_.explored_anew(true);
    explore(pass::buffering);
    if (!news_ && threads_.known() == known) {
      break;
    }
  }
}

/// What may be promised is known of all shards together, so that each comes to it in turns: without
/// anything that others know all that is plain, then with it the rest.
void rounds::explore_shard() {
  const std::optional<message> known = knowledge_of(order_.known);
  if (known) {
    learn_all(threads_, *known);
  }
  threads_.explored_anew(false);
  explore(pass::plain);
  if (load_buffering_ && known && known->at(in_knowledge::buffering).get<bool>() &&
      threads_.some_promised()) {
    threads_.explored_anew(true);
    explore(pass::buffering);
  }
}

message rounds::known() const {
  message out = to_message(threads_.all_known());
  out[in_knowledge::mark] = threads_.shared().mark();
  out[in_knowledge::memory] = threads_.memory_mark();
  out[in_knowledge::buffering] = load_buffering_ && may_buffer_;
  return out;
}

tally rounds::result() const {
  tallies both = plain_;
  both.add(buffering_.all());
  tally out = std::move(both).all();
  out.beyond = out.beyond || divided_beyond_;
  // An estimate: parts are taken for what they seem to be where they are cut off.
  constexpr double most = 0.99;
  out.share =
      std::min(buffering_.all().share > 0 ? buffering_.all().share : plain_.all().share, most);
  return out;
}

void rounds::make_explorer() {
  explorer_ = std::make_unique<memmodel::explore::explorer>(
      threads_,
      memmodel::explore::settings{order_.sequential ? &memmodel::sc() : &memmodel::ptx(),
                                  load_buffering_,
                                  order_.bound,
                                  order_.symmetry});
}

void rounds::explore(pass which) {
  make_explorer();
  waiting_ = {{}};
  tallies_.clear();
  done_ = {};
  over_ = false;
  if (progress_ != nullptr) {
    progress_->phase =
        which == pass::plain ? exploration_phase::launches : exploration_phase::buffering;
  }
  if (order_.shards > 1) {
    const std::vector<part> all = explorer_->divided(which, parts_each_shard * order_.shards);
    divided_beyond_ = explorer_->counted().beyond != 0;
    waiting_.clear();
    for (std::size_t i = order_.shard; i < all.size(); i += order_.shards) {
      waiting_.push_back(all[i]);
    }
  }
  explore_parts(which);
  tallies& to = which == pass::plain ? plain_ : buffering_;
  to = {};
  for (const auto& [name, t] : tallies_) {
    to.add(t);
    if (!t.not_explored.empty()) {
      throw memmodel::explore::not_explored{t.not_explored};
    }
  }
  if (over_) {
    throw over();
  }
}

void rounds::explore_parts(pass which) {
  if (order_.jobs > 1 || !order_.cluster.empty()) {
    explore_alone(which);
    if (!waiting_.empty() && !over_ && !order_.cluster.empty()) {
      cluster all(order_.cluster, which, threads_);
      explore_with(all);
    } else if (!waiting_.empty() && !over_) {
      static_cast<void>(threads_.take_news()); // what this process knows they know
      helpers all(
          [&](const part& p, const std::function<bool()>& stop) {
            return explore_for_others(which, p, stop);
          },
          order_.jobs);
      explore_with(all);
    }
  } else {
    while (!waiting_.empty() && !over_) {
      const part p = waiting_.front();
      waiting_.erase(waiting_.begin());
      take_in(p, explore_part(which, p, {}));
    }
  }
}

void rounds::explore_alone(pass which) {
  const steady_clock::time_point until = steady_clock::now() + alone;
  std::uint64_t asked = 0;
  const auto stop = [&] { return ++asked % 16 == 0 && steady_clock::now() > until; };
  while (!waiting_.empty() && !over_ && steady_clock::now() < until) {
    const part p = waiting_.front();
    waiting_.erase(waiting_.begin());
    take_in(p, explore_part(which, p, stop));
  }
}

void rounds::explore_with(part_takers& all) {
  while (!over_) {
    // The first choice of few: what it leads to is the most.
    while (all.some_free() && !waiting_.empty()) {
      const auto next = std::ranges::min_element(waiting_, {}, &part::size);
      const part p = *next;
      waiting_.erase(next);
      all.give(p, waiting_.size() < 2 * order_.jobs);
    }
    if (!all.some_busy()) {
      return;
    }
    if (!all.some_done()) {
      over_ = expired_();
      continue;
    }
    part_answer a = all.take();
    may_buffer_ = may_buffer_ || a.may_buffer;
    news_ = threads_.learn(a.known) || news_;
    take_in(a.of, std::move(a.what));
  }
}

/// As one process would have come to it: what lies behind a part that ends all is left out.
void rounds::take_in(const part& p, explored_part d) {
  if (d.begin_anew) {
    throw begin_anew{};
  }
  over_ = over_ || d.over;
  const bool ends = !d.what.not_explored.empty();
  for (part& r : d.rest) {
    waiting_.push_back(std::move(r));
  }
  std::ranges::sort(waiting_);
  done_.executions += d.what.executions + d.what.buffered.size();
  done_.states += d.what.states.size();
  done_.share += d.what.share;
  say_progress({}, 0);
  tallies_[p] = std::move(d.what);
  if (ends) {
    std::erase_if(waiting_, [&](const part& w) { return w > p; });
  }
  for (const auto& [name, t] : tallies_) {
    if (!t.not_explored.empty()) {
      std::erase_if(waiting_, [&, &first = name](const part& w) { return w > first; });
      break;
    }
  }
}

/// What has been done, and what is under way.
void rounds::say_progress(const tally& under_way, double share) const {
  if (progress_ != nullptr) {
    constexpr auto whenever = std::memory_order_relaxed;
    progress_->executions.store(plain_.all().executions + done_.executions + under_way.executions +
                                    under_way.buffered.size(),
                                whenever);
    progress_->states.store(done_.states + under_way.states.size(), whenever);
    progress_->share.store(done_.share + share, whenever);
  }
}

message rounds::explore_for_others(pass which, const part& p, const std::function<bool()>& stop) {
  progress_ = nullptr; // who has handed it out says so
  const explored_part d = explore_part(which, p, stop);
  kernel_threads::news known = threads_.take_news();
  if (!load_buffering_) { // nobody needs them
    known.runs.clear();
    known.promises.clear();
    known.written.clear();
  }
  return answer_of(d, known, may_buffer_);
}

message rounds::explore_task() {
  const part_task task = task_of(order_.task);
  learn_all(threads_, task.known);
  static_cast<void>(threads_.take_news()); // they know that
  threads_.explored_anew(task.which == pass::buffering);
  make_explorer();
  const steady_clock::time_point until =
      steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(
                                std::chrono::duration<double>(task.seconds));
  std::uint64_t asked = 0;
  return explore_for_others(
      task.which, task.of, [&] { return ++asked % 16 == 0 && steady_clock::now() > until; });
}

explored_part rounds::explore_part(pass which, const part& p, const std::function<bool()>& stop) {
  outcomes found(context_, threads_, order_.pictures);
  memmodel::explore::explorer& all = *explorer_;
  const std::uint64_t stuck = all.counted().stuck;
  const std::uint64_t beyond = all.counted().beyond;
  const auto take = [&](const memmodel::explore::found_execution& x) {
    if (x.buffered || which == pass::plain) {
      found.complete(x);
    }
    if (load_buffering_) {
      news_ = threads_.note_promises(x.what) || news_;
    }
    say_progress(found.found(), all.share());
    return true;
  };
  const auto take_blocked = [&](const memmodel::explore::found_execution& x) {
    found.blocked(x);
    return true;
  };
  explored_part out;
  bool whole = false;
  try {
    memmodel::explore::explorer::part_result r = all.run_part(which, p, take, take_blocked, stop);
    whole = true;
    out.rest = std::move(r.rest);
    found.found().share = r.share;
  } catch (const memmodel::explore::not_explored& n) {
    found.found().not_explored = n.what;
  } catch (const over&) {
    out.over = true;
  } catch (const begin_anew&) {
    out.begin_anew = true;
    return out;
  }
  if (!whole) {
    found.found().share = all.share();
  }
  may_buffer_ = may_buffer_ || (load_buffering_ && all.may_buffer());
  found.found().stuck = all.counted().stuck - stuck;
  found.found().beyond = all.counted().beyond != beyond;
  out.what = std::move(found.found());
  return out;
}

} // namespace tilesim::sim::exploring
