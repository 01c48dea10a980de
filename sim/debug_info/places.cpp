// Who knows which places.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/places.hpp"

#include "memmodel/assertion.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/debug_info/headline.hpp"
#include "sim/debug_info/source_site.hpp"

#include <map>

namespace tilesim::sim {

namespace {

struct range {
  std::uintptr_t begin;
  const place_resolver* by;
};

/// By their ends.
std::map<std::uintptr_t, range>& ranges() {
  static auto& all = *new std::map<std::uintptr_t, range>; // asked for to the very end
  return all;
}

/// The default: return addresses, by debug information.
class code_resolver final : public place_resolver {
public:
  [[nodiscard]] std::vector<source_frame> frames(const void* place) const override {
    return chain_of(place) != nullptr ? frames_from_headline(place) : resolve_code(place);
  }
  [[nodiscard]] std::vector<source_frame> helpers(const void* place) const override {
    return chain_of(place) != nullptr ? frames_before_headline(place) : std::vector<source_frame>{};
  }
  [[nodiscard]] std::string library_call(const void* place) const override {
    return library_call_in_code(place);
  }
};

} // namespace

registered_places::registered_places(const void* begin, std::size_t bytes, const place_resolver& by)
    : end_(reinterpret_cast<std::uintptr_t>(begin) + bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const auto next = ranges().upper_bound(first);
  TILESIM_ASSERT(bytes != 0 && (next == ranges().end() || next->second.begin >= end_), bytes);
  ranges().emplace(end_, range{first, &by});
}

registered_places::~registered_places() {
  ranges().erase(end_);
}

const place_resolver* registered_resolver(const void* place) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(place);
  const auto it = ranges().upper_bound(at);
  return it != ranges().end() && it->second.begin <= at ? it->second.by : nullptr;
}

const place_resolver& resolver_of(const void* place) noexcept {
  static constexpr code_resolver code; // asked to the very end
  const place_resolver* const registered = registered_resolver(place);
  return registered != nullptr ? *registered : code;
}

std::vector<const place_resolver*> registered_resolvers() {
  std::vector<const place_resolver*> all;
  for (const auto& [end, r] : ranges()) {
    all.push_back(r.by);
  }
  return all;
}

std::vector<source_frame> resolve(const void* site) {
  return site == nullptr ? std::vector<source_frame>{} : resolver_of(site).frames(site);
}

std::string library_call_at(const void* site) {
  return resolver_of(site).library_call(site);
}

std::vector<source_frame> frames_of_helpers(const void* site) {
  return resolver_of(site).helpers(site);
}

} // namespace tilesim::sim
