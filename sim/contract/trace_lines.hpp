// The members of the lines of a trace, by which the program tells the tool what happens as it
// happens (sim/trace/tracer.cpp writes them, tools/trace/run.cpp reads them). A line is a JSON
// object; what it speaks of has been introduced by a line before it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::sim::in_trace {

// --- An allocation, or a variable of shared memory: {buffer, name, bytes, place, element?}. The
// type of its elements where it shows later: {element, type, bytes}.

inline constexpr const char* buffer = "buffer"; ///< its number
inline constexpr const char* place = "place";   ///< where it was made, as text
inline constexpr const char* element =
    "element"; ///< {type, bytes} of one; in a line of its own the buffer's number

// --- A place in the source: {site, frames}.

inline constexpr const char* frames = "frames"; ///< as of frames_json.hpp, the innermost first

// --- A launch that runs: {launch, kernel, grid, block, launched_at}.

inline constexpr const char* kernel = "kernel";           ///< as the program names it
inline constexpr const char* grid = "grid";               ///< [x, y, z] of blocks
inline constexpr const char* block = "block";             ///< [x, y, z] of threads
inline constexpr const char* launched_at = "launched_at"; ///< the number of a site

// --- A block or thread that runs: {thread, launch, linear, name}.

inline constexpr const char* thread = "thread"; ///< its number in the run
inline constexpr const char* linear = "linear"; ///< its number in the launch

// --- An operation: {op, by, name, site, written?, operands?, result?, stores?, memory?, from?,
// unfinished?}.

inline constexpr const char* written = "written";   ///< as the program spells it, if not by name
inline constexpr const char* operands = "operands"; ///< their types, as text
inline constexpr const char* result = "result";     ///< a tile
inline constexpr const char* stores = "stores";     ///< a tile: what it writes, if it has no result
inline constexpr const char* memory = "memory";     ///< its accesses
inline constexpr const char* from =
    "from"; ///< [operation, elements, synchronises] of those of other threads whose writes it read
inline constexpr const char* unfinished = "unfinished"; ///< the run was over before it was

// --- A tile: {type, shape, elements}.

inline constexpr const char* shape = "shape";
inline constexpr const char* elements = "elements"; ///< as text, as many as are told

// --- An access: {reads, writes, order, scope?, bytes, at, stale?}.

inline constexpr const char* reads = "reads";
inline constexpr const char* writes = "writes";
inline constexpr const char* order = "order";
inline constexpr const char* scope = "scope"; ///< of an order that is not weak
inline constexpr const char* stale = "stale"; ///< elements that read an older write than the newest

// --- Such an element: {at, value, newest, given, passed}.

inline constexpr const char* value = "value";   ///< what it read, as text
inline constexpr const char* newest = "newest"; ///< what the newest write left there
inline constexpr const char* given = "given"; ///< the operation that wrote what it read; 0: unknown
inline constexpr const char* passed = "passed"; ///< the operation that it passed over; 0: unknown

// --- Operations of a loop that polls, told by their number alone: {repeats, times, last}.

inline constexpr const char* repeats = "repeats"; ///< the operation behind which they come
inline constexpr const char* times = "times";     ///< how many
inline constexpr const char* last = "last";       ///< the number of the last of them

// --- A finding that is made now: {finding, op, by?, said?}.

inline constexpr const char* finding = "finding"; ///< which of the report's
inline constexpr const char* said =
    "said"; ///< all of it [report_members.hpp], where the run writes no report

// --- The end: {end, status, operations, left_out, schedule}.

inline constexpr const char* end = "end"; ///< what the report's `how` says [report_members.hpp]
inline constexpr const char* status = "status";
inline constexpr const char* operations = "operations"; ///< how many there were
inline constexpr const char* left_out =
    "left_out"; ///< [first, last, how many] of those that are not in the trace, by their numbers
inline constexpr const char* schedule = "schedule";

// --- Of several of these.

inline constexpr const char* op = "op"; ///< an operation's number; of a finding, the one under way
inline constexpr const char* by = "by"; ///< the number of its thread
inline constexpr const char* launch = "launch"; ///< its number
inline constexpr const char* site = "site";     ///< the number of a place in the source
inline constexpr const char* name = "name";
inline constexpr const char* type = "type";   ///< of elements or a tile, as text
inline constexpr const char* bytes = "bytes"; ///< of a buffer, an element, each access
inline constexpr const char* at =
    "at"; ///< [buffer, first byte, elements, bytes from one to the next], or a list of these;
          ///< buffer 0 is no memory of the device

} // namespace tilesim::sim::in_trace
