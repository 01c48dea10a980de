// Following a recording, event by event.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/reel.hpp"

#include "sim/contract/exit_codes.hpp"
#include "tools/cli/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <span>
#include <stdexcept>
#include <variant>

namespace tilesim::tools::diff {

namespace {

constexpr bool goes_by_name(gpu::memory_kind k) {
  return k == gpu::memory_kind::variable || k == gpu::memory_kind::lent;
}

/// An array lives for one launch, a variable as long as the program.
constexpr std::uint64_t launch_of(const gpu::memory_event& e, std::uint64_t launches) {
  return e.kind == gpu::memory_kind::lent ? launches : 0;
}

} // namespace

std::uint64_t
memory_numbers::of(const gpu::memory_event& e, std::uint64_t launches, std::uint64_t nth) {
  return goes_by_name(e.kind) ? known_
                                    .try_emplace(key{e.kind, launch_of(e, launches), e.name, nth},
                                                 gpu::memory_event::first_variable + known_.size())
                                    .first->second
                              : e.number;
}

reel::reel(const std::string& path, memory_numbers& numbers)
    : file_(path)
    , places_(file_)
    , common_(numbers) {
  where_.file = path;
}

bool reel::piece::is_known(std::size_t at, std::size_t count) const {
  const auto from = known.begin() + static_cast<std::ptrdiff_t>(at);
  const auto to = from + static_cast<std::ptrdiff_t>(count);
  return std::find(from, to, false) == to;
}

// --- Going on

template <class F>
bool reel::go_on_to(F&& ends) {
  for (; at_ < file_.events().size(); ++at_) {
    const gpu::event& e = file_.events()[at_];
    if (ends(e)) {
      return true;
    }
    if (const auto* const run = std::get_if<gpu::run_event>(&e);
        run != nullptr && run->number != 0) {
      return false; // the first run is compared
    }
    std::visit([this](const auto& it) { this->take(it); }, e);
  }
  return false;
}

void reel::begin() {
  inputs_.clear();
  given_.clear();
  touched_.clear();
  first_.reset();
  go_on_to([](const gpu::event& e) {
    const auto* const content = std::get_if<gpu::content_event>(&e);
    return std::holds_alternative<gpu::observed_event>(e) ||
           (content != nullptr && content->is == gpu::content_event::when::after);
  });
}

bool reel::advance() {
  const auto is_end = [](const gpu::event& e) {
    return std::holds_alternative<gpu::observed_event>(e);
  };
  if (!go_on_to(is_end)) {
    output_.finish();
    return false;
  }
  const auto& observed = std::get<gpu::observed_event>(file_.events()[at_++]);
  first_ = first_.value_or(observed.first);
  last_ = observed.last;
  return true;
}

void reel::take(const gpu::machine_event& e) {
  where_ = {.file = file_.path(),
            .device = e.device,
            .driver = e.driver,
            .compiler = e.compiler,
            .flags = e.flags};
}

void reel::take(const gpu::memory_event& e) {
  const std::uint64_t nth = of_a_name_[{e.kind, launch_of(e, launches_.size()), e.name}]++;
  const std::uint64_t number = common_.of(e, launches_.size(), nth);
  numbers_[e.number] = number;
  // It may be larger than this machine's memory.
  try {
    memory_[number] = {.address = e.address,
                       .name = e.name.empty() ? fmt::format("memory {}", e.number) : e.name,
                       .bytes = std::vector<std::byte>(e.bytes),
                       .known = std::vector<bool>(e.bytes),
                       .found = {},
                       // Pinned and registered memory is the host's own, whatever else is there.
                       .host_writes = e.kind == gpu::memory_kind::managed ||
                                      e.kind == gpu::memory_kind::variable};
  } catch (const std::length_error&) {
    refuse_large(e);
  } catch (const std::bad_alloc&) {
    refuse_large(e);
  }
}

void reel::refuse_large(const gpu::memory_event& e) const {
  throw failure(exit_unavailable,
                fmt::format("{}: memory {} has {} bytes, for which this machine has no room",
                            file_.path(),
                            e.number,
                            e.bytes));
}

void reel::take(const gpu::host_write_event& e) {
  inputs_.push_back(e);
  inputs_.back().memory = numbers_.at(e.memory);
  std::fill_n(memory_[inputs_.back().memory].known.begin() + static_cast<std::ptrdiff_t>(e.offset),
              e.bytes,
              false);
}

void reel::take(const gpu::content_event& e) {
  const std::uint64_t number = numbers_.at(e.memory);
  piece& p = memory_[number];
  put(e, p);
  if (e.is == gpu::content_event::when::before && !e.mask) {
    p.found.push_back(e);
    if (p.host_writes) {
      given_.insert(number);
    }
  } else if (e.is == gpu::content_event::when::after && !has_touched(number)) {
    touched_.push_back(number);
  }
}

void reel::put(const gpu::content_event& e, piece& to) const {
  const auto found = file_.content(e.content, e.bytes);
  const auto at = static_cast<std::ptrdiff_t>(e.offset);
  if (!e.mask) {
    std::ranges::copy(found, to.bytes.begin() + at);
    std::fill(to.known.begin() + at,
              to.known.begin() + at + std::ssize(found),
              true); // words at a time
    return;
  }
  const std::vector<std::byte> content(found.begin(), found.end()); // the mask comes in its place
  const auto mask = file_.content(*e.mask, (e.bytes + 7) / 8);
  for (std::size_t i = 0; i < content.size(); ++i) {
    if ((std::to_integer<unsigned>(mask[i / 8]) >> (i % 8) & 1U) != 0) {
      to.bytes[e.offset + i] = content[i];
      to.known[e.offset + i] = true;
    }
  }
}

void reel::take(const gpu::pages_event& /*e*/) const { // later runs' are not read
  throw failure(
      exit_usage,
      fmt::format("{} was made by 'tilesim gpu compact', and has hashes in the place of what "
                  "launches gave; give the recording that it is of",
                  file_.path()));
}

// --- What it says

std::vector<source_frame> reel::frames_of(const gpu::launch_event& l) const {
  const gpu_tool::named_place at = places_.of(l.place, l.symbol);
  if (at.file.empty()) {
    return {};
  }
  return {{.file = at.file, .line = at.line, .column = 0, .function = {}}};
}

bool reel::is_as_found(const piece& p, std::size_t at, std::size_t bytes) const {
  const auto e =
      std::ranges::find_if(p.found.rbegin(), p.found.rend(), [&](const gpu::content_event& it) {
        return it.offset <= at && bytes <= it.bytes && at - it.offset <= it.bytes - bytes;
      });
  return e != p.found.rend() &&
         std::ranges::equal(file_.content(e->content, e->bytes).subspan(at - e->offset, bytes),
                            std::span(p.bytes).subspan(at, bytes));
}

bool reel::has_touched(std::uint64_t memory) const {
  return std::ranges::find(touched_, memory) != touched_.end();
}

const gpu::arguments_event* reel::arguments_of(std::uint64_t launch) const {
  const auto it = arguments_.find(launch);
  return it == arguments_.end() ? nullptr : &it->second;
}

std::pair<std::uint64_t, std::uint64_t> reel::place_of(std::uint64_t word) const {
  std::pair<std::uint64_t, std::uint64_t> end = {0, word};
  for (const auto& [number, p] : memory_) {
    if (!p.live || word < p.address || word - p.address > p.bytes.size()) {
      continue;
    }
    if (word - p.address < p.bytes.size()) {
      return {number, word - p.address};
    }
    end = {number, word - p.address}; // just behind it, unless another begins there
  }
  return end;
}

} // namespace tilesim::tools::diff
