// The members of what an exploration comes to, by which the program tells the tool
// (sim/explore/exploration.cpp writes it, tools/explore/report.cpp reads it): {complete, why,
// share, executions, buffered, blocked, reduced, symmetric, beyond, stopped, threads, seconds,
// buffers, known, leaves, findings}.
//
// A process of the program's own that goes on with the host's code behind an exploration tells the
// one that explores the same, or, if it explores nothing, {how, returned, findings, why}.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::sim {

namespace in_exploration {

// --- Of all of it.

inline constexpr const char* complete = "complete";
inline constexpr const char* why = "why"; ///< it is not complete: whatever, or begins with
inline constexpr const char* why_time = "the time is over"; ///< this,
inline constexpr const char* why_pressed = "interrupted";   ///< or this: Ctrl-C
inline constexpr const char* share =
    "share"; ///< of it that is explored, from 0 to 1; null: nobody knows
inline constexpr const char* blocked = "blocked";     ///< executions in which threads wait for ever
inline constexpr const char* reduced = "reduced";     ///< additions in other orders are not counted
inline constexpr const char* symmetric = "symmetric"; ///< nor alike blocks in other parts
inline constexpr const char* beyond = "beyond";       ///< there is more than the bound leaves
inline constexpr const char* stopped = "stopped";     ///< executions that a finding ends
inline constexpr const char* threads = "threads";     ///< how many were explored
inline constexpr const char* seconds = "seconds";     ///< how long it took
inline constexpr const char* buffers = "buffers";     ///< the names of those that there were
inline constexpr const char* known = "known";         ///< of a shard: in_knowledge; else null
inline constexpr const char* leaves = "leaves";       ///< how executions end
/// {executions, names}: how often leaves count executions that others count, too, as where racing
/// writes are last.
inline constexpr const char* again = "again";
inline constexpr const char* findings = "findings";

// --- A leaf: {values, printed, status, how, returned, executions, names, buffered, picture,
// schedule}.

inline constexpr const char* values = "values"; ///< of the buffers, by name
inline constexpr const char* printed = "printed";
inline constexpr const char* status = "status";
inline constexpr const char* how = "how"; ///< how_… of a run's report [report_members.hpp], or
inline constexpr const char* how_not_run = "not run"; ///< the time was over before the host's code
inline constexpr const char* returned = "returned";   ///< of a test's callable, in hexadecimal

// --- Of a leaf and of a finding, whose other members are those of a run's report
// [report_members.hpp].

inline constexpr const char* names =
    "names"; ///< of a shard: [how often each counts, their names one after the other], of the
             ///< executions that other shards may have found, too
inline constexpr const char* picture = "picture";   ///< in_picture, or null
inline constexpr const char* schedule = "schedule"; ///< that shows it, or null

// --- Of several of these.

inline constexpr const char* executions = "executions"; ///< how many
inline constexpr const char* buffered =
    "buffered"; ///< how many have load buffering; of a leaf: only such end so

} // namespace in_exploration

/// An execution to be drawn: {threads, events: [{thread, text}], edges: [[from, to, kind]]}.
namespace in_picture {

inline constexpr const char* threads = "threads"; ///< their names
inline constexpr const char* events = "events";   ///< in the order of each thread
inline constexpr const char* thread = "thread";   ///< its number
inline constexpr const char* text = "text";
inline constexpr const char* edges = "edges"; ///< between events by number, of a kind:

inline constexpr const char* reads_from = "rf";
inline constexpr const char* coherence = "co"; ///< as far as it does not follow
inline constexpr const char* from_reads =
    "fr"; ///< to the writes that come next after what was read

} // namespace in_picture

/// What is known of the threads of an exploration: {shared, runs, promises, written} between
/// processes that explore it; a shard also tells the tool {mark, memory, buffering}, and is given
/// by it {memory, buffering, shared, runs, promises, written} of all shards together.
namespace in_knowledge {

inline constexpr const char* shared =
    "shared"; ///< which places are shared, as numbers; of several together: a list of these
inline constexpr const char* runs =
    "runs"; ///< [thread, its last step, the values that it has taken]
inline constexpr const char* promises =
    "promises"; ///< [thread, [address, size, value, how often at most]] of its writes
inline constexpr const char* written = "written"; ///< [thread, [address, size, how often at most]]
inline constexpr const char* mark = "mark";       ///< of which accesses are steps: alike or not
inline constexpr const char* memory = "memory";   ///< of where the program's memory lies, likewise
inline constexpr const char* buffering = "buffering"; ///< some execution may have load buffering

} // namespace in_knowledge

} // namespace tilesim::sim
