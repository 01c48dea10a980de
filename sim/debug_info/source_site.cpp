// Places of any kind, in the user's source.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/source_site.hpp"

#include "sim/debug_info/call_chain.hpp"
#include "sim/debug_info/code_frames.hpp"
#include "sim/debug_info/headline.hpp"
#include "sim/debug_info/places.hpp"

#include <fmt/format.h>

namespace tilesim::sim {

namespace {

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

/// Who knows the place: who has registered it, else the debug information.
const place_resolver& resolver_of(const void* place) noexcept {
  static constexpr code_resolver code; // asked to the very end
  const place_resolver* const registered = registered_resolver(place);
  return registered != nullptr ? *registered : code;
}

} // namespace

std::vector<source_frame> resolve(const void* site) {
  return site == nullptr ? std::vector<source_frame>{} : resolver_of(site).frames(site);
}

std::string library_call_at(const void* site) {
  return resolver_of(site).library_call(site);
}

std::vector<source_frame> frames_of_helpers(const void* site) {
  return resolver_of(site).helpers(site);
}

std::string place(const void* site) {
  const std::vector<source_frame> frames = resolve(site);
  return frames.empty() ? "an unknown place"
                        : fmt::format("{}:{}", frames.front().file, frames.front().line);
}

std::string helper_of(const void* site) {
  const std::vector<source_frame> helpers = frames_of_helpers(site);
  if (helpers.empty()) {
    return {};
  }
  const source_frame& helper = helpers.front();
  return fmt::format("{} ({}:{})", helper.function, helper.file, helper.line);
}

std::string place_and_helper(const void* site) {
  const std::string helper = helper_of(site);
  return helper.empty() ? place(site) : fmt::format("{}, through {}", place(site), helper);
}

} // namespace tilesim::sim
