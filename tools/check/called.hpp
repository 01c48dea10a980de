// What tilesim::check and tilesim::explore have in common: they run a callable of the program's,
// and tell of findings.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/standard_error.hpp"

#include <tilesim/check.hpp>
#include <tilesim/detail/checked_run.hpp>

#include <exception>

namespace tilesim::tools {

/// Code of this library: what it calls of the program's is not judged. [sim/process/sections.hpp]
class library_section {
public:
  library_section()
      : outside_(detail::enter_library()) {}
  ~library_section() { detail::leave(outside_); }
  library_section(const library_section&) = delete;
  library_section& operator=(const library_section&) = delete;

private:
  unsigned outside_;
};

/// The callable runs.
class program_section {
public:
  program_section()
      : outside_(detail::enter_program()) {}
  ~program_section() { detail::leave(outside_); }
  program_section(const program_section&) = delete;
  program_section& operator=(const program_section&) = delete;

private:
  unsigned outside_;
};

/// The status that it ends with: 1, and a line on standard error, if it throws. What is printed in
/// a run is compared, so the same run prints the same. `by`: "tilesim::check".
template <class Body>
int call(const char* by, const Body& body) {
  try {
    const program_section called;
    body();
    return 0;
  } catch (const std::exception& e) {
    sim::print_error("{}: the callable has thrown: {}\n", by, e.what());
  } catch (...) {
    sim::print_error("{}: the callable has thrown\n", by);
  }
  return 1;
}

/// What findings of both say.
template <class Finding>
check_finding finding_of(const Finding& f) {
  return {.code = f.code,
          .note = f.note,
          .message = f.message,
          .details = f.details,
          .remedy = f.remedy,
          .where = f.where,
          .other = f.other,
          .count = 0,
          .schedules = 0,
          .replay = f.replay,
          .suppressed_by = {},
          .stale_reads = {}};
}

} // namespace tilesim::tools
