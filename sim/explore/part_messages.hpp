// The members of messages between processes that explore parts of the same exploration, by which
// the one that hands parts out and those that explore them tell each other what they have
// (part_takers, helpers, cluster, tally; what they know of threads is in_knowledge of
// sim/contract/exploration_report.hpp). api/python/tilesim/_cluster.py, through which some of them
// go, makes `room` and `failed` itself.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::sim::exploring {

/// A part that is to be explored: {part, in_haste} for a process that was forked, {pass, part,
/// seconds} for another machine, which answers {room} to what all of its parts are to know.
namespace in_task {

inline constexpr const char* part = "part";
inline constexpr const char* in_haste = "in_haste"; ///< others wait for work
inline constexpr const char* pass = "pass";         ///< pass_…
inline constexpr const char* pass_plain = "plain";
inline constexpr const char* pass_buffering = "buffering";
inline constexpr const char* seconds = "seconds"; ///< to explore it for
inline constexpr const char* room = "room";       ///< how many parts may be under way at once

} // namespace in_task

/// What has come of it: {begin_anew, tally, rest, over, may_buffer} with what is known of the
/// threads; or {failed}.
namespace in_answer {

inline constexpr const char* failed = "failed"; ///< why nothing has
inline constexpr const char* begin_anew = "begin_anew";
inline constexpr const char* tally = "tally"; ///< in_tally
inline constexpr const char* rest = "rest";   ///< parts that are left of it
inline constexpr const char* over = "over";
inline constexpr const char* may_buffer = "may_buffer";

} // namespace in_answer

/// As in the struct `tally`.
namespace in_tally {

inline constexpr const char* states =
    "states"; ///< [[address, byte, address, byte…], executions, picture, printed]
inline constexpr const char* findings = "findings"; ///< [key, the finding, executions, picture]
inline constexpr const char* buffered =
    "buffered"; ///< [the two halves of its name, its states, its findings]
inline constexpr const char* executions = "executions";
inline constexpr const char* again = "again";
inline constexpr const char* stopped = "stopped";
inline constexpr const char* stuck = "stuck";
inline constexpr const char* share = "share";
inline constexpr const char* beyond = "beyond";
inline constexpr const char* not_explored = "not_explored";

} // namespace in_tally

} // namespace tilesim::sim::exploring
