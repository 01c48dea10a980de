// The order that sequentially consistent fences have in whatever way they are ordered.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/detect/fence_order.hpp"

#include <utility>

namespace tilesim::sim::detect {

namespace {

/// Whether it has been added to.
bool join_into(clock& to, const clock& more) {
  const clock joint = to.joined(more);
  const bool added = !joint.same(to);
  to = joint;
  return added;
}

} // namespace

// All that fences are known to have before them precedes whoever knows of them.
void fence_clocks::add(const place& by, memmodel::scope s, const clock& before) {
  if (by.host) {
    host_ = before;
  } else if (holds_device(s)) {
    device_ = before;
  }
  if (s == memmodel::scope::sys) {
    system_ = before;
  }
  drop_foreign(by);
  if (!by.alone && !by.host) {
    own_ = before;
    block_ = by.block;
  }
}

// Often the clocks of one are the same.
void fence_clocks::join(const fence_clocks& other, const joint* known) {
  const bool same_system = system_.same(device_) && other.system_.same(other.device_);
  const bool same_own = own_.same(device_) && other.own_.same(other.device_) &&
                        (own_.empty() || other.own_.empty() || block_ == other.block_);
  if (known != nullptr && device_.same(known->one) && other.device_.same(known->other)) {
    device_ = known->both;
  } else {
    join_into(device_, other.device_);
  }
  join_into(host_, other.host_);
  if (same_system) {
    system_ = device_;
  } else {
    join_into(system_, other.system_);
  }
  if (own_.empty() || same_own) {
    block_ = own_.empty() ? other.block_ : block_;
    own_ = same_own ? device_ : other.own_;
  } else if (block_ == other.block_) {
    join_into(own_, other.own_);
  }
}

// What an agent awaits of itself comes before whatever knows of it.
void fence_clocks::drop_known(const clock& happened, agent_id own) noexcept {
  const auto drop = [&](clock& c) {
    if (!c.empty() && c.within(happened, own)) {
      c = {};
    }
  };
  const bool all_alike = system_.same(device_) && (own_.empty() || own_.same(device_));
  drop(device_);
  if (all_alike) {
    system_ = device_;
    own_ = own_.empty() ? own_ : device_;
  } else {
    drop(system_);
    drop(own_);
  }
  drop(host_);
}

void fence_clocks::take(const place& by, memmodel::scope s) {
  if (by.host) {
    host_ = {};
  } else if (holds_device(s)) {
    device_ = {};
  }
  if (s == memmodel::scope::sys) {
    system_ = {};
  }
  own_ = {};
}

clock fence_clocks::usable(const place& by, memmodel::scope s) const {
  clock all = by.host ? host_ : holds_device(s) ? device_ : clock{};
  if (s == memmodel::scope::sys && !system_.same(all)) {
    all = all.joined(system_);
  }
  return foreign(by) || own_.same(all) ? all : all.joined(own_);
}

clock fence_clocks::all() const {
  clock all = device_;
  for (const clock* const c : {&system_, &host_, &own_}) {
    all = c->same(all) ? all : all.joined(*c);
  }
  return all;
}

bool fence_clocks::same(const fence_clocks& other) const noexcept {
  return device_.same(other.device_) && system_.same(other.system_) && host_.same(other.host_) &&
         own_.same(other.own_) && (own_.empty() || block_ == other.block_);
}

// A block's fences are kept beside the others, so that an access touches those of its own block
// alone.
void fences_of_place::settle(of_block& b) const {
  if (b.writes != writes_) {
    join_into(b.before, b.since);
    b.since = {};
    b.writes = writes_;
  }
}

void fences_of_place::add_to(fence_clocks& awaited, const place& by, bool writes) const {
  awaited.join(writes ? all_ : before_);
  const auto own = by.alone || by.host ? blocks_.end() : blocks_.find(by.block);
  if (own == blocks_.end()) {
    return;
  }
  awaited.drop_foreign(by);
  awaited.block_ = by.block;
  join_into(awaited.own_, own->second.before);
  if (writes || own->second.writes != writes_) {
    join_into(awaited.own_, own->second.since);
  }
}

void fences_of_place::leave(const place& by, const fence_clocks& past) {
  fence_clocks others = past;
  others.own_ = {};
  all_.join(others);
  if (!past.own_.empty() && !past.foreign(by)) {
    of_block& own = blocks_[by.block];
    settle(own);
    join_into(own.since, past.own_);
  }
}

void fences_of_place::leave_before_last_write(const place& by, const fence_clocks& past) {
  leave(by, past);
  fence_clocks others = past;
  others.own_ = {};
  before_.join(others);
  if (!past.own_.empty() && !past.foreign(by)) {
    join_into(blocks_[by.block].before, past.own_);
  }
}

void late_fences::add(const place& by, const fence_clocks& past) {
  fence_clocks others = past;
  others.own_ = {};
  wide_.join(others);
  if (!past.own_.empty() && !past.foreign(by)) {
    join_into(blocks_[by.block], past.own_);
  }
}

void late_fences::add(const late_fences& other) {
  wide_.join(other.wide_);
  for (const auto& [block, its] : other.blocks_) {
    join_into(blocks_[block], its);
  }
}

const clock& late_fences::of(std::size_t kind, const fence_clocks& past) const {
  static const clock none;
  if (kind + 1 != fence_clocks::kinds) {
    return wide_.of(kind);
  }
  const auto own = past.own_.empty() ? blocks_.end() : blocks_.find(past.block_);
  return own == blocks_.end() ? none : own->second;
}

// They also precede fences of other kinds that come behind the one that knows of a newer write; and
// so do fences of other kinds that come before them.
bool late_fences::put_kind_before(std::size_t kind,
                                  const fence_clocks& were,
                                  fence_clocks& past) const {
  constexpr agent_id nobody = ~agent_id{0};
  const clock& late = of(kind, were);
  bool more = join_into(past.of(kind), late);
  for (std::size_t other = 0; other < fence_clocks::kinds; ++other) {
    if (other == kind) {
      continue;
    }
    if (!were.of(other).empty() && were.of(kind).within(were.of(other), nobody)) {
      more = join_into(past.of(other), late) || more;
    }
    const clock& earlier = of(other, were);
    if (!earlier.empty() && earlier.within(late, nobody)) {
      more = join_into(past.of(other), earlier) || more;
    }
  }
  return more;
}

std::shared_ptr<const fence_knowledge>
fence_knowledge::own(const std::shared_ptr<const fence_knowledge>& known, const place& at) {
  if (known == nullptr || (!known->past.foreign(at) && !known->awaited.foreign(at))) {
    return known;
  }
  fence_knowledge kept = *known;
  kept.past.drop_foreign(at);
  kept.awaited.drop_foreign(at);
  return std::make_shared<const fence_knowledge>(std::move(kept));
}

std::shared_ptr<const fence_knowledge>
fence_knowledge::awaiting(const std::shared_ptr<const fence_knowledge>& known,
                          const fence_clocks& more) {
  auto all = known == nullptr ? fence_knowledge{} : *known;
  all.awaited.join(more);
  return known != nullptr && all.awaited.same(known->awaited)
             ? known
             : std::make_shared<const fence_knowledge>(std::move(all));
}

std::shared_ptr<const fence_knowledge>
fence_knowledge::joined(const std::shared_ptr<const fence_knowledge>& one,
                        const std::shared_ptr<const fence_knowledge>& other,
                        const fence_clocks::joint* known) {
  if (one == other || other == nullptr) {
    return one;
  }
  if (one == nullptr) {
    return other;
  }
  fence_knowledge both = *one;
  both.past.join(other->past, known);
  both.awaited.join(other->awaited);
  const auto is = [&](const fence_knowledge& what) {
    return both.past.same(what.past) && both.awaited.same(what.awaited);
  };
  return is(*one)     ? one
         : is(*other) ? other
                      : std::make_shared<const fence_knowledge>(std::move(both));
}

knowledge knowledge::joined(const knowledge& other) const {
  clock both = happened.joined(other.happened);
  const fence_clocks::joint known{happened, other.happened, both};
  auto its_fences = fence_knowledge::joined(fences, other.fences, &known);
  return {std::move(both), fenced.joined(other.fenced), std::move(its_fences)};
}

} // namespace tilesim::sim::detect
