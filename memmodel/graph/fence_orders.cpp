// The orders of an execution's sequentially consistent fences that a model allows.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/graph/fence_orders.hpp"

#include "memmodel/race.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace tilesim::memmodel {
namespace {

using pair = std::pair<event_id, event_id>;

class orders {
public:
  orders(execution& x,
         relations& r,
         const model& m,
         fence_orders which,
         const std::function<bool()>& f)
      : x_(x)
      , r_(r)
      , model_(m)
      , which_(which)
      , f_(f) {
    for (event_id a = 0; model_.fence_order && a < x_.events.size(); ++a) {
      for (event_id b = a + 1; x_.events[a].is_sc_fence() && b < x_.events.size(); ++b) {
        if (x_.events[b].is_sc_fence() && r_.ms(a, b)) {
          pairs_.emplace_back(a, b);
        }
      }
    }
  }

  /// `one`: no more than one is wanted. False: f has ended it.
  bool each(bool one) {
    std::vector<pair> forced;
    bool go_on = true;
    if (settle(forced)) {
      if (!one && which_ == fence_orders::telling && races(r_).empty()) {
        one = true;
        some_ = false;
      }
      if (const std::optional<pair> open = first_open()) {
        go_on = either(open->first, open->second, one) &&
                ((one && some_) || either(open->second, open->first, one));
      } else {
        some_ = true;
        go_on = f_();
      }
    }
    for (const auto& [a, b] : forced) {
      x_.sc.remove(a, b);
    }
    return go_on;
  }

private:
  bool either(event_id a, event_id b, bool one) {
    x_.sc.add(a, b);
    const bool go_on = each(one);
    x_.sc.remove(a, b);
    return go_on;
  }

  [[nodiscard]] bool is_open(const pair& p) const {
    return !x_.sc(p.first, p.second) && !x_.sc(p.second, p.first);
  }
  [[nodiscard]] std::optional<pair> first_open() const {
    for (const pair& p : pairs_) {
      if (is_open(p)) {
        return p;
      }
    }
    return std::nullopt;
  }

  /// Orders what has to be as things are. False: some axiom is broken, whatever the rest is.
  bool settle(std::vector<pair>& forced) {
    for (;;) {
      r_.add_fences();
      r_.add_coherence();
      if (first_broken(model_, r_)) {
        return false;
      }
      if (!first_open() || !add_forced(forced)) {
        return true;
      }
    }
  }

  /// A fence comes before another if it does so in base causality [PTX: Fence-SC], and if the other
  /// way would put an access before one that it has seen the effect of: that reads from it, is
  /// behind it in coherence order, or has been passed over by it. [PTX: coherence, causality]
  bool add_forced(std::vector<pair>& forced) {
    const relation seen = r_.com | r_.obs | (r_.com.then(r_.obs) & r_.overlapping);
    const relation before = r_.base | r_.base.then(seen).then(r_.base);
    const std::size_t known = forced.size();
    for (const pair& p : pairs_) {
      const auto& [a, b] = p;
      if (!is_open(p) || (!before(a, b) && !before(b, a))) {
        continue;
      }
      forced.push_back(before(a, b) ? p : pair{b, a});
      x_.sc.add(forced.back().first, forced.back().second);
    }
    return forced.size() != known;
  }

  execution& x_;
  relations& r_;
  const model& model_;
  fence_orders which_;
  const std::function<bool()>& f_;
  std::vector<pair> pairs_; ///< of fences that have to be ordered
  bool some_ = false;       ///< where one is wanted: it has been found
};

} // namespace

bool for_each_fence_order(execution& x,
                          relations& r,
                          const model& m,
                          fence_orders which,
                          const std::function<bool()>& f) {
  return orders(x, r, m, which, f).each(false);
}

} // namespace tilesim::memmodel
