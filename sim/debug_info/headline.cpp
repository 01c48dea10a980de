// The line that stands for a call: by where its result goes.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/headline.hpp"

#include "sim/debug_info/call_chain.hpp"
#include "sim/debug_info/code_frames.hpp"
#include "sim/debug_info/function_names.hpp"
#include "sim/debug_info/pointer_holders.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace tilesim::sim {

namespace {

std::vector<source_frame> all_frames(const call_chain& chain) {
  std::vector<source_frame> frames;
  for (const void* pc : chain.calls) {
    const auto& more = resolve_code(pc);
    frames.insert(frames.end(), more.begin(), more.end());
  }
  return frames;
}

bool is_header(const source_frame& f) {
  const std::size_t dot = f.file.rfind('.');
  const std::string_view ending =
      dot == std::string::npos ? std::string_view() : std::string_view(f.file).substr(dot);
  constexpr std::string_view of_headers[] = {
      "", ".h", ".hh", ".hpp", ".hxx", ".h++", ".cuh", ".inl", ".inc", ".ipp", ".tpp", ".tcc"};
  return std::ranges::find(of_headers, ending) != std::end(of_headers);
}

/// The innermost that is in no header; 0 if all are.
std::size_t first_outside_of_headers(const std::vector<source_frame>& frames) {
  const auto it = std::ranges::find_if_not(frames, is_header);
  return it == frames.end() ? 0 : static_cast<std::size_t>(it - frames.begin());
}

/// Of an object that no variable is: who has it made, of the program's own sources where one does.
std::size_t outside_of_constructors(const std::vector<source_frame>& frames) {
  const auto in_constructor = [](const source_frame& f) { return is_constructor(f.function); };
  const auto caller = std::ranges::find_if_not(frames, in_constructor);
  if (caller == frames.end()) {
    return 0;
  }
  const auto it = std::find_if_not(caller, frames.end(), is_header);
  return static_cast<std::size_t>((it == frames.end() ? caller : it) - frames.begin());
}

/// Of an allocation: whose variable it fills, outside of functions that hand it on.
std::size_t whose_allocation(const call_chain& chain, const std::vector<source_frame>& frames) {
  const auto owner = step::owner_of(*chain.allocate.front());
  if (!owner) {
    return is_constructor(frames.front().function) ? outside_of_constructors(frames)
                                                   : first_outside_of_headers(frames);
  }
  return std::min(owner->frame, frames.size() - 1);
}

bool same_line(const source_frame& a, const source_frame& b) {
  return a.line == b.line && a.column == b.column && a.file == b.file;
}

struct described_chain {
  std::vector<source_frame> frames;
  std::size_t headline = 0;
};

const described_chain& describe(const void* site) {
  static auto& cache = *new std::map<const void*, described_chain>; // as long as there are reports
  const call_chain& chain = *chain_of(site);
  const auto [it, is_new] = cache.try_emplace(site);
  if (is_new) {
    it->second.frames = all_frames(chain);
    const auto& frames = it->second.frames;
    it->second.headline = frames.size() < 2 || chain.access ? 0
                          : chain.allocate.empty()          ? first_outside_of_headers(frames)
                                                            : whose_allocation(chain, frames);
  }
  return it->second;
}

/// Further in, until it is another line than those of other allocations.
std::size_t apart_from_others(const void* site, const described_chain& own) {
  std::size_t headline = own.headline;
  for (const void* const one : allocating_sites()) {
    if (one == site) {
      continue;
    }
    const described_chain& other = describe(one);
    if (other.frames.empty() || other.frames == own.frames ||
        !same_line(other.frames[other.headline], own.frames[own.headline])) {
      continue;
    }
    // Both seen from their common line inwards.
    std::size_t mine = own.headline;
    std::size_t its = other.headline;
    while (mine > 0 && its > 0 && same_line(own.frames[mine], other.frames[its])) {
      --mine;
      --its;
    }
    if (!same_line(own.frames[mine], other.frames[its])) {
      headline = std::min(headline, mine);
    }
  }
  return headline;
}

std::size_t headline_of(const void* site, const described_chain& chain) {
  return chain.frames.size() < 2            ? 0
         : chain_of(site)->allocate.empty() ? chain.headline
                                            : apart_from_others(site, chain);
}

} // namespace

std::vector<source_frame> frames_from_headline(const void* site) {
  const described_chain& chain = describe(site);
  const auto headline = static_cast<std::ptrdiff_t>(headline_of(site, chain));
  return {chain.frames.begin() + headline, chain.frames.end()};
}

std::vector<source_frame> frames_before_headline(const void* site) {
  const described_chain& chain = describe(site);
  const auto headline = static_cast<std::ptrdiff_t>(headline_of(site, chain));
  return {chain.frames.begin(), chain.frames.begin() + headline};
}

} // namespace tilesim::sim
