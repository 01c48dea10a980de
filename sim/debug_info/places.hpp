// Places in the program: opaque pointers, resolved by who made them.
//
// Most are return addresses, or chains of them (call_chain.hpp), which the debug information knows.
// A front door whose operations stand elsewhere, as an interpreter's, takes a range of addresses
// that are no code's (of its own instructions, or of a mapping that nobody may access) and says
// what stands there. Findings, suppressions, deadlocks, traces, the stepper's breakpoints all ask
// here.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug_info/variable.hpp"

#include <tilesim/report.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::sim {

/// Lines that may perform an operation, by file, each with the line that its function begins at; 0:
/// not known.
using operation_lines = std::map<std::string, std::map<unsigned, unsigned>>;

/// Where a breakpoint at a line of a file stops: there, or at the next line of the same function
/// that performs an operation.
[[nodiscard]] std::optional<unsigned> next_operation_line(const std::map<unsigned, unsigned>& lines,
                                                          unsigned line);

/// Who knows the places of a range. Asked seldom, and not for every operation.
class place_resolver {
public:
  place_resolver() = default;
  place_resolver(const place_resolver&) = delete;
  place_resolver& operator=(const place_resolver&) = delete;

  /// The frames that lead to a place: the innermost that a person would look at first, then its
  /// callers. Empty if nobody knows.
  [[nodiscard]] virtual std::vector<source_frame> frames(const void* place) const = 0;

  /// Frames further in than frames(), innermost first: functions that only serve the line that a
  /// person looks for.
  [[nodiscard]] virtual std::vector<source_frame> helpers(const void* /*place*/) const {
    return {};
  }

  /// The function of a library that the program calls there, "std::thread::thread".
  [[nodiscard]] virtual std::string library_call(const void* /*place*/) const { return {}; }

  /// So that a breakpoint at another line is moved.
  [[nodiscard]] virtual operation_lines lines() const { return {}; }

  /// A hash of all that decides, besides memory, how the running thread goes on from a poll at this
  /// place: values, and where in the program it stands. With it, a block that polls for ever is
  /// known for certain after a few rounds; without, it is when nobody else has changed memory for
  /// long. Return addresses do not come here: the thread's stack is looked at.
  [[nodiscard]] virtual std::optional<std::uint64_t> state(const void* /*place*/) const {
    return {};
  }

  /// The variables that have a value where the running thread is about to perform the operation at
  /// this place: of frames()[frame]'s function, then of those around it. Those of return addresses
  /// are found on the thread's stack, not here.
  [[nodiscard]] virtual std::vector<step::variable> variables(const void* /*place*/,
                                                              std::size_t /*frame*/) const {
    return {};
  }

protected:
  ~place_resolver() = default; // who made one destroys it
};

/// While it lives, places in [begin, begin + bytes) are the resolver's. It has to live as long as
/// anybody may ask, which is until the run's report has been written, and is made and ended while
/// no kernel runs. What resolvers have said is kept, so no range stands for two programs in turn.
class registered_places {
public:
  registered_places(const void* begin, std::size_t bytes, const place_resolver& by);
  ~registered_places();
  registered_places(const registered_places&) = delete;
  registered_places& operator=(const registered_places&) = delete;

private:
  std::uintptr_t end_;
};

/// Who has registered the place; nullptr: it is a return address, or a chain of them.
[[nodiscard]] const place_resolver* registered_resolver(const void* place) noexcept;

/// All that have registered.
[[nodiscard]] std::vector<const place_resolver*> registered_resolvers();

} // namespace tilesim::sim
