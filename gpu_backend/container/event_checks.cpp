// What can follow what.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/container/event_checks.hpp"

#include "gpu_backend/container/format.hpp"

#include <fmt/format.h>

#include <limits>
#include <variant>

namespace tilesim::gpu {

namespace {

constexpr std::uint64_t pages_in(std::uint64_t bytes) {
  return bytes / format::page_bytes + (bytes % format::page_bytes == 0 ? 0 : 1);
}

std::string wrong_ref(const content_ref& ref,
                      std::uint64_t bytes,
                      const std::vector<std::uint64_t>& chunks,
                      std::string_view what) {
  if (bytes == 0) {
    return {};
  }
  if (ref.chunk >= chunks.size()) {
    return fmt::format("its {} lies in chunk {} of contents, and {} are before it",
                       what,
                       ref.chunk + 1,
                       chunks.size());
  }
  if (const std::uint64_t all = chunks[ref.chunk]; ref.offset > all || bytes > all - ref.offset) {
    return fmt::format("its {} takes {} bytes from byte {} of a chunk of contents on, which has {}",
                       what,
                       bytes,
                       ref.offset,
                       all);
  }
  return {};
}

} // namespace

std::string event_checks::wrong_with(const event& e) {
  machine_ = machine_ || std::holds_alternative<machine_event>(e);
  if (!machine_ && !std::holds_alternative<run_event>(e)) {
    return "no event before it says on which machine the program ran";
  }
  return std::visit([this](const auto& it) { return this->check(it); }, e);
}

std::string event_checks::wrong_content(const event& e, const std::vector<std::uint64_t>& chunks) {
  if (const auto* const lines = std::get_if<lines_event>(&e)) {
    return wrong_ref(lines->content, lines->bytes, chunks, "text");
  }
  if (const auto* const sums = std::get_if<sums_event>(&e)) {
    return wrong_ref(sums->content, sums->bytes, chunks, "text");
  }
  const auto* const content = std::get_if<content_event>(&e);
  if (content == nullptr) {
    return {};
  }
  std::string wrong = wrong_ref(content->content, content->bytes, chunks, "content");
  if (wrong.empty() && content->mask) {
    wrong = wrong_ref(*content->mask, (content->bytes + 7) / 8, chunks, "mask");
  }
  return wrong;
}

std::string event_checks::check_range(const auto& e, bool live) const {
  const auto m = memories_.find(e.memory);
  if (m == memories_.end()) {
    return fmt::format("it tells of {}, which there is not", memory_text(e.memory));
  }
  if (live && !m->second.live) {
    return fmt::format("it tells of {}, which has been freed", memory_text(e.memory));
  }
  if (const std::uint64_t all = m->second.bytes; e.offset > all || e.bytes > all - e.offset) {
    return fmt::format("it tells of {} bytes from byte {} of {} on, which has {}",
                       e.bytes,
                       e.offset,
                       memory_text(e.memory),
                       all);
  }
  return {};
}

std::string event_checks::check(const run_event& /*e*/) {
  memories_.clear();
  launches_ = observed_ = passed_ = 0;
  return {};
}

std::string event_checks::check(const memory_event& e) {
  if (e.bytes > std::numeric_limits<std::uint64_t>::max() - e.address) {
    return fmt::format("{} has {} bytes at {:#x}: addresses end before",
                       memory_text(e.number),
                       e.bytes,
                       e.address);
  }
  const bool variable = e.number >= memory_event::first_variable;
  if (e.number == 0 || variable != (e.kind == memory_kind::variable)) {
    return fmt::format("{} cannot have the number {}: allocations count from 1, variables from {}",
                       variable ? "an allocation" : "memory",
                       e.number,
                       memory_event::first_variable);
  }
  if (!memories_.try_emplace(e.number, known_memory{.bytes = e.bytes}).second) {
    return fmt::format("{} comes a second time", memory_text(e.number));
  }
  return {};
}

std::string event_checks::check(const freed_event& e) {
  const auto m = memories_.find(e.number);
  if (m == memories_.end()) {
    return fmt::format("{} is freed, which there is not", memory_text(e.number));
  }
  if (!m->second.live) {
    return fmt::format("{} is freed a second time", memory_text(e.number));
  }
  m->second.live = false;
  return {};
}

std::string event_checks::check(const host_write_event& e) const {
  return check_range(e, true);
}

std::string event_checks::check(const content_event& e) const {
  return check_range(e, true);
}

std::string event_checks::check(const launch_event& e) {
  if (e.number != launches_) {
    return fmt::format("it is launch {}, and {} have begun before it", e.number + 1, launches_);
  }
  ++launches_;
  return {};
}

std::string event_checks::check(const observed_event& e) {
  if (e.first > e.last || e.last >= launches_) {
    return fmt::format(
        "launches {} to {} are observed, and {} have begun", e.first + 1, e.last + 1, launches_);
  }
  if (e.first < observed_) {
    return fmt::format("launches {} to {} are observed, and {} have been already",
                       e.first + 1,
                       e.last + 1,
                       observed_);
  }
  observed_ = e.last + 1;
  return {};
}

// A copy whose end the program waits for later is told then: its memory may be no more.
std::string event_checks::check(const copy_event& e) const {
  return check_range(e, false);
}

std::string event_checks::check(const pages_event& e) const {
  if (e.offset % format::page_bytes != 0 || e.hashes.size() != pages_in(e.bytes)) {
    return fmt::format("{} bytes of {} from byte {} on are told in {} hashes of pages",
                       e.bytes,
                       memory_text(e.memory),
                       e.offset,
                       e.hashes.size());
  }
  return check_range(e, true);
}

std::string event_checks::check(const arguments_event& e) {
  if (e.launch >= launches_ || e.launch < passed_) {
    return fmt::format("it has arguments of launch {}, {}",
                       e.launch + 1,
                       e.launch < passed_ ? "whose arguments have been told"
                                          : fmt::format("and {} have begun", launches_));
  }
  passed_ = e.launch + 1;
  return {};
}

} // namespace tilesim::gpu
