// What the stepper shows: places, operations, matrices, findings, as text for a terminal.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/step/protocol.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools::step {

struct style {
  bool colour = false;
  std::size_t width = 80; ///< of the terminal
  std::size_t fold = 8;   ///< rows and columns beyond twice this are folded to so many at each end
};

/// The lines of source files, read once.
class sources {
public:
  /// Line `number`, counted from 1; empty if there is none.
  const std::string& line(const std::string& file, std::size_t number);
  /// How many lines the file has; 0 if it cannot be read.
  std::size_t lines(const std::string& file);

private:
  const std::vector<std::string>& load(const std::string& file);
  std::map<std::string, std::vector<std::string>> files_;
};

/// "2x4", of the dimensions from `from` on.
[[nodiscard]] std::string shape_text(const std::vector<std::size_t>& shape, std::size_t from = 0);

/// "i32[2x4] {…}" on one line, or a matrix on lines of its own, `indent` spaces in front. Elements
/// that differ from those of `before`, a value of the same shape or nullptr, are bold.
[[nodiscard]] std::string render_value(const protocol::value& value,
                                       const style& s,
                                       std::size_t indent = 0,
                                       const protocol::value* before = nullptr);

/// What the marks "-", "?" and "(…)" in values mean that have them: a line each, or nothing.
[[nodiscard]] std::string render_marks(const std::vector<const protocol::value*>& values,
                                       std::size_t indent);

/// A piece of memory: rows of bytes, or of units of `unit` bytes where it has their texts.
[[nodiscard]] std::string render_memory(const protocol::memory_piece& piece, std::size_t unit);

/// "histogram.cu:18" of the innermost frame, or "an unknown place".
[[nodiscard]] std::string render_place(const protocol::frames& frames);

/// "18\t  ct::store(p, v);" of the innermost frame; empty if the file cannot be read.
[[nodiscard]] std::string render_source(const protocol::frames& frames, sources& files);

/// The operation that was performed last: its line, operands, result and what it did to memory.
/// `writers` names operations by their number: "the host" for 0.
[[nodiscard]] std::string render_operation(const protocol::operation& operation,
                                           const protocol::operation* before,
                                           const std::map<std::uint64_t, std::string>& writers,
                                           const style& s);

/// Operations whose writes an operation has read, by number.
[[nodiscard]] std::vector<std::uint64_t> sources_of(const protocol::operation& operation);

/// "bins[0:16]" for consecutive places, "bins[3], bins[7], …" for others, duplicates told.
[[nodiscard]] std::string render_places(const std::vector<std::optional<std::string>>& places,
                                        std::size_t most = 8);

struct reads_style {
  bool made = false;   ///< they have been made
  bool bounds = false; ///< also elements without a choice, and why there is nothing older
};
/// What each element of a strong read may take, the write that it does with a star.
[[nodiscard]] std::string render_reads(const std::vector<protocol::offered_read>& reads,
                                       const reads_style& how);
/// "42, #12 relaxed store of device scope by tile block (0,0,0) of pass (message.cu:20)".
[[nodiscard]] std::string render_write(const protocol::offered_write& w);
/// "the newest", "stale: passes over 42", of the write of that number.
[[nodiscard]] std::string render_passed(const protocol::offered_read& r, std::size_t back);

/// A finding as `tilesim run` prints it, without the source line.
[[nodiscard]] std::string render_finding(const protocol::finding& finding, const style& s);

} // namespace tilesim::tools::step
