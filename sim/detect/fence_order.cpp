// The order that sequentially consistent fences have in whatever way they are ordered.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/detect/fence_order.hpp"

#include "sim/detect/synchronization.hpp"

#include <algorithm>

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

void fence_clocks::add(const place& by, memmodel::scope s, const clock& before) {
  if (by.host) {
    join_into(host_, before);
  } else if (holds_device(s)) {
    join_into(device_, before);
  }
  if (s == memmodel::scope::sys) {
    join_into(system_, before);
  }
  if (!by.alone && !by.host) {
    join_into(blocks_[by.block], before);
  }
}

void fence_clocks::join(const fence_clocks& other) {
  join_into(device_, other.device_);
  join_into(system_, other.system_);
  join_into(host_, other.host_);
  for (const auto& [block, before] : other.blocks_) {
    join_into(blocks_[block], before);
  }
}

clock fence_clocks::usable(const place& by, memmodel::scope s) const {
  clock all = by.host ? host_ : holds_device(s) ? device_ : clock{};
  if (s == memmodel::scope::sys) {
    all = all.joined(system_);
  }
  if (const auto own = blocks_.find(by.block); !by.host && own != blocks_.end()) {
    all = all.joined(own->second);
  }
  return all;
}

bool fence_clocks::same(const fence_clocks& other) const noexcept {
  return device_.same(other.device_) && system_.same(other.system_) && host_.same(other.host_) &&
         std::ranges::equal(blocks_, other.blocks_, [](const auto& a, const auto& b) {
           return a.first == b.first && a.second.same(b.second);
         });
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

knowledge knowledge::joined(const knowledge& other) const {
  knowledge joint{happened.joined(other.happened), fenced.joined(other.fenced), fences};
  if (fences == other.fences || other.fences == nullptr) {
    return joint;
  }
  if (fences == nullptr) {
    joint.fences = other.fences;
    return joint;
  }
  fence_knowledge both = *fences;
  both.past.join(other.fences->past);
  both.awaited.join(other.fences->awaited);
  const auto is = [&](const fence_knowledge& one) {
    return both.past.same(one.past) && both.awaited.same(one.awaited);
  };
  joint.fences = is(*fences)         ? fences
                 : is(*other.fences) ? other.fences
                                     : std::make_shared<const fence_knowledge>(std::move(both));
  return joint;
}

} // namespace tilesim::sim::detect
