// A traced run as data: what the program wrote down [sim/trace/README.md], and its report.
//
// trace/events.cpp and trace/page.cpp write it in their formats.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/report.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools {

struct traced_launch {
  std::string kernel;
  std::array<std::uint64_t, 3> grid{};
  std::array<std::uint64_t, 3> block{};
  unsigned site = 0;

  [[nodiscard]] std::uint64_t threads_per_block() const noexcept {
    return block[0] * block[1] * block[2];
  }
};

/// A block, or a thread of a launch that has several to a block.
struct traced_thread {
  std::uint64_t launch = 0;
  std::uint64_t linear = 0; ///< in its launch
  std::string name;         ///< "tile block (1,0,0)", "thread (5,0,0) of block (1,0,0)"
};

struct traced_buffer {
  std::string name; ///< of the variable that holds it
  std::uint64_t bytes = 0;
  std::string place;   ///< where it was allocated
  std::string element; ///< "f32"; empty: unknown
  std::uint64_t element_bytes = 1;
};

/// Elements of one buffer at equal distances, in the order of the tile's elements.
struct element_run {
  unsigned buffer = 0;     ///< 0: no memory of the device; `begin` is an address then
  std::uint64_t begin = 0; ///< in bytes
  std::uint64_t count = 0;
  std::int64_t distance = 0; ///< in bytes
};

/// An element that has read an older write than the newest.
struct traced_stale {
  element_run at;
  std::string value;        ///< that it has read,
  std::string newest;       ///< and that it passed over
  std::uint64_t given = 0;  ///< the operation that wrote the one; 0: none that is known
  std::uint64_t passed = 0; ///< and the other
};

struct traced_access {
  bool reads = false;
  bool writes = false;
  std::string order;       ///< "weak", "relaxed", "acquire", …
  std::string scope;       ///< "block", "device", "system"; empty: weak
  std::uint64_t bytes = 0; ///< per element
  std::vector<element_run> at;
  std::vector<traced_stale> stale;
};

struct traced_tile {
  std::string type; ///< "f32[64]"
  std::vector<std::uint64_t> shape;
  std::vector<std::string> elements; ///< the first ones
};

/// A write of another block that was read.
struct traced_source {
  std::uint64_t operation = 0; ///< its number
  std::uint64_t elements = 0;
  bool synchronises = false; ///< a release that an acquire has read, in scopes that hold both
};

struct traced_operation {
  std::uint64_t number = 0; ///< in the run, from 1
  std::uint64_t thread = 0;
  unsigned site = 0;
  std::string name;                  ///< Tile IR's: "mulf"
  std::string written;               ///< as the program has it: "operator*"; may be empty
  std::vector<std::string> operands; ///< their types
  std::optional<traced_tile> result;
  std::optional<traced_tile> stores; ///< the values of a store
  std::vector<traced_access> memory;
  std::vector<traced_source> from;
  bool unfinished = false; ///< the run ended in it
  /// So many operations of its thread came behind it, in the loop in which it polls in vain,
  std::uint64_t repeated = 0;
  std::uint64_t repeated_until = 0; ///< up to this one.
};

struct traced_finding {
  std::string code;
  std::string message;
  std::vector<std::string> details;
  std::string remedy;
  std::uint64_t count = 0;
  bool note = false;
  std::vector<source_frame> where;
  std::vector<source_frame> other;
  std::uint64_t operation = 0;                 ///< that was under way, or the last one
  std::optional<std::uint64_t> thread;         ///< nothing: host code
  std::optional<std::uint64_t> conflicts_with; ///< the operation that is the other access
};

/// Operations that are left out, one behind the other: their numbers are of this range.
struct traced_gap {
  std::uint64_t first;
  std::uint64_t last;
  std::uint64_t count;
};

struct traced_run {
  std::map<std::uint64_t, traced_launch> launches;
  std::map<std::uint64_t, traced_thread> threads;
  std::map<unsigned, traced_buffer> buffers;
  std::map<unsigned, std::vector<source_frame>> sites; ///< innermost frame first
  std::vector<traced_operation> operations;            ///< by number
  std::vector<traced_finding> findings;
  std::string end; ///< how_… [report_members.hpp]; empty: killed
  std::string schedule;
  std::uint64_t operation_count = 0; ///< of the run
  std::vector<traced_gap> gaps;      ///< operations beyond the limit, by number

  /// How many operations are in none of `operations`, since there was no room.
  [[nodiscard]] std::uint64_t left_out() const;

  /// The operations whose newer writes an operation passed over, and how many elements of each.
  [[nodiscard]] std::map<std::uint64_t, std::uint64_t> passed_over(const traced_operation& o) const;
  /// The operation; nullptr: left out.
  [[nodiscard]] const traced_operation* find(std::uint64_t number) const;
};

/// Reads what the program wrote down. `report` is the run's [sim/contract/report_members.hpp];
/// null: none. Throws failure if it is not what the tracer writes.
[[nodiscard]] traced_run read_traced_run(std::string_view lines, const nlohmann::json& report);

/// "x[0:1024]", "flag[0]", "a[0:64:8]", "x[3] (4 times)": Python's slices.
[[nodiscard]] std::string
to_string(const element_run& r, std::uint64_t access_bytes, const traced_run& run);

/// The block of a thread: its number in its launch, "block (1,0,0)", and, of a launch with several
/// threads to a block, "thread (5,0,0)".
struct block_of_thread {
  std::uint64_t number = 0;
  std::string name;
  std::string thread; ///< empty: a block alone
};
[[nodiscard]] block_of_thread block_of(const traced_thread& t, const traced_run& run);

} // namespace tilesim::tools
