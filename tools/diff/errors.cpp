// Errors, alike ones told once.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/errors.hpp"

#include "sim/contract/exit_codes.hpp"
#include "tools/cli/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace tilesim::tools::diff {

namespace {

/// Errors that say nothing of a call but of a kernel before it.  [CUDA Runtime API: cudaError_t]
bool tells_failed_kernel(const gpu::error_event& e) {
  switch (e.code) {
  case 700: // cudaErrorIllegalAddress
  case 702: // cudaErrorLaunchTimeout
  case 710: // cudaErrorAssert
  case 714: // cudaErrorHardwareStackError
  case 715: // cudaErrorIllegalInstruction
  case 716: // cudaErrorMisalignedAddress
  case 717: // cudaErrorInvalidAddressSpace
  case 718: // cudaErrorInvalidPc
  case 719: // cudaErrorLaunchFailure
    return true;
  default:
    return false;
  }
}

std::string error_text(const gpu::error_event& e) {
  return fmt::format("{} returned {}", e.function, e.name);
}

/// The first that tells of a failed kernel; nullptr: none does.
const gpu::error_event* failed_kernel(const std::vector<gpu::error_event>& errors) {
  const auto found = std::ranges::find_if(errors, tells_failed_kernel);
  return found == errors.end() ? nullptr : &*found;
}

/// How many of each there are, in the order in which they come first.
std::vector<std::pair<std::string, std::uint64_t>>
gathered(const std::vector<gpu::error_event>& errors) {
  std::vector<std::pair<std::string, std::uint64_t>> list;
  std::map<std::string, std::size_t> at; // after a kernel has failed every call says so
  for (const gpu::error_event& e : errors) {
    const auto [known, added] = at.try_emplace(error_text(e), list.size());
    if (added) {
      list.emplace_back(known->first, 0);
    }
    ++list[known->second].second;
  }
  return list;
}

std::string so_often(std::uint64_t count) {
  return count == 1 ? "" : fmt::format(", {} times", count);
}

/// Of one recording what the other has not, or not so often; not what is `told` as its failure.
void note_more(report& into,
               const std::vector<gpu::error_event>& of,
               const std::vector<gpu::error_event>& than,
               std::string_view where,
               std::string_view elsewhere,
               const std::string& told) {
  const auto others = gathered(than);
  for (const auto& [text, count] : gathered(of)) {
    if (text == told) {
      continue;
    }
    const auto other =
        std::ranges::find(others, text, &std::pair<std::string, std::uint64_t>::first);
    if (other == others.end()) {
      into.remarks.push_back(
          fmt::format("{}, and not {}, {}{}", where, elsewhere, text, so_often(count)));
    } else if (other->second < count) {
      into.remarks.push_back(
          fmt::format("{} {} {} times, {} {}",
                      where,
                      text,
                      count,
                      elsewhere,
                      other->second == 1 ? "once" : fmt::format("{} times", other->second)));
    }
  }
}

} // namespace

void note_errors(report& into, const std::vector<gpu::error_event>& there) {
  if (const auto* const failed = failed_kernel(there); failed != nullptr && into.findings.empty()) {
    into.failed_there = error_text(*failed);
  }
  for (const auto& [text, count] : gathered(there)) {
    if (text != into.failed_there) { // which is told as an error
      into.remarks.push_back(fmt::format("on the GPU, {}{}", text, so_often(count)));
    }
  }
}

// A kernel that failed on both, with the same error, is no difference: which call tells of it first
// is a matter of time.
void note_errors(report& into,
                 const std::vector<gpu::error_event>& here,
                 const std::vector<gpu::error_event>& there) {
  const auto* const x = failed_kernel(here);
  const auto* const y = failed_kernel(there);
  if ((x == nullptr) != (y == nullptr) || (x != nullptr && x->code != y->code)) {
    into.failed_here = x == nullptr ? "" : error_text(*x);
    into.failed_there = y == nullptr ? "" : error_text(*y);
  }
  note_more(into, here, there, "here", "there", into.failed_here);
  note_more(into, there, here, "there", "here", into.failed_there);
}

void refuse_idle(const machine& where, const std::vector<gpu::error_event>& errors) {
  constexpr std::array<std::string_view, 6> known{"cudaErrorNoDevice",
                                                  "cudaErrorInsufficientDriver",
                                                  "cudaErrorSystemDriverMismatch",
                                                  "cudaErrorInitializationError",
                                                  "cudaErrorUnsupportedPtxVersion",
                                                  "cudaErrorNoKernelImageForDevice"};
  const auto why = std::ranges::find_if(errors, [&](const gpu::error_event& e) {
    return std::ranges::find(known, e.name) != known.end();
  });
  if (why != errors.end()) {
    throw failure(exit_incomplete,
                  fmt::format("{}: no kernel ran there: {} returned {} ({}); record it on a "
                              "machine with a device and a driver that is new enough",
                              where.file,
                              why->function,
                              why->name,
                              where.driver.empty() ? "no driver" : "driver " + where.driver));
  }
}

} // namespace tilesim::tools::diff
