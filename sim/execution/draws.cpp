// Drawing what is unspecified.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/draws.hpp"

#include "sim/core/thread.hpp"
#include "sim/execution/philox.hpp"
#include "sim/naming/element_place.hpp"
#include "sim/ops/rng.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::sim {

bool variation::concerns(const void* site) const noexcept {
  return how != kind::none &&
         std::ranges::find(sites, reinterpret_cast<std::uintptr_t>(site)) != sites.end();
}

std::uint64_t draws::values::operator()(std::size_t element) const noexcept {
  switch (how_) {
  case variation::kind::ones:
    return ~std::uint64_t{0};
  case variation::kind::zeros:
    return 0;
  case variation::kind::none:
  case variation::kind::complement:
  case variation::kind::seed:
    break;
  }
  const std::uint64_t bits = rng::nth(key_, element);
  return how_ == variation::kind::complement ? ~bits : bits;
}

// Another block draws something else, so what is drawn tells blocks apart.
std::uint64_t draws::key(sim_thread& t, std::uint64_t seed) noexcept {
  t.knows_block = true;
  const std::uint64_t thread = t.linear_thread();
  const std::uint64_t ordinal = t.draws++;
  const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  const auto high = [](std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32U); };
  const auto drawn =
      philox({low(ordinal), low(thread), low(t.launch->id), high(thread)}, {low(seed), high(seed)});
  return drawn[0] | (std::uint64_t{drawn[1]} << 32U);
}

draws::values
draws::begin(sim_thread& t, left_open why, const machine::tile_type& type, std::size_t first) {
  note_site(t, why, type, first);
  values v;
  v.how_ = other_.concerns(t.site) ? other_.how : variation::kind::none;
  v.key_ = key(t, v.how_ == variation::kind::seed ? other_.seed : seed_);
  return v;
}

void draws::note_site(const sim_thread& t,
                      left_open why,
                      const machine::tile_type& type,
                      std::size_t first) {
  if (current_ < sites_.size() && sites_[current_].site == t.site) {
    return;
  }
  const auto known = std::ranges::find(sites_, t.site, &drawing_site::site);
  current_ = static_cast<std::size_t>(known - sites_.begin());
  if (known == sites_.end()) {
    sites_.push_back({.site = t.site, .why = why, .first = whereabouts(t, type, first)});
  }
}

const drawing_site* draws::varied() const noexcept {
  const auto found =
      std::ranges::find_if(sites_, [&](const drawing_site& s) { return other_.concerns(s.site); });
  return found == sites_.end() ? nullptr : &*found;
}

std::string explain(const drawing_site& s) {
  switch (s.why) {
  case left_open::masked_load:
    return "the mask of a load without padding leaves out " + s.first;
  case left_open::masked_update:
    return "the mask of an atomic update leaves the old value open: " + s.first;
  case left_open::outside:
    return "there is nothing to be read for " + s.first;
  case left_open::remainder:
    return "the remainder of two infinities is left open: " + s.first;
  }
  return {};
}

const char* remedy(left_open why) noexcept {
  switch (why) {
  case left_open::masked_load:
    return "give the load a padding, as in load_masked(p, mask, 0), or select another value for "
           "these elements before anything depends on them";
  case left_open::masked_update:
    return "select another value where the update is masked out before anything depends on it";
  case left_open::outside:
    return "stay inside";
  case left_open::remainder:
    return "treat infinite operands by themselves first";
  }
  return "";
}

} // namespace tilesim::sim
