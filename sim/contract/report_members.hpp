// The members of a run's report, as JSON, by which the program tells the tool what it was and found
// (sim/watch/report_json.cpp writes it, tools/check reads it):
//
// {how, schedule, unfollowed (if it is known), operations, steps, made, judged, before: {the same
// four, which are not in these}, outside, findings: [a finding], stale and stale_reads of all of
// the run, as of a finding, turns and, for each of them, choices: [{instead: turns, preemptions:
// the operation, or the operation and the raw access}] and choices_complete if they were asked for,
// copies: [{function, bytes, hash, where}], later_copies: a hash, drawn: [{site: its return
// address, elements: how many, where, what, remedy}] without those that are findings of their own}
//
// A finding: {code, severity, message, details, remedy, count, where, other, through,
// other_through: places as of frames_json.hpp, blocks, turns, shown_by, parties: as in
// finding_history, variants: [{what, count}], known: -1 or the number in the option of that name,
// stale: as in finding_history, stale_reads: [{message, remedy, where, passed}], if_results_differ}
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::sim::in_report {

// --- Of a run.

inline constexpr const char* how = "how"; ///< how_…
inline constexpr const char* schedule = "schedule";
inline constexpr const char* unfollowed = "unfollowed";
inline constexpr const char* operations = "operations";
inline constexpr const char* steps = "steps";
inline constexpr const char* made = "made";
inline constexpr const char* judged = "judged";
inline constexpr const char* before = "before";
inline constexpr const char* outside = "outside";
inline constexpr const char* findings = "findings";
inline constexpr const char* choices = "choices";
inline constexpr const char* choices_complete = "choices_complete";
inline constexpr const char* copies = "copies";
inline constexpr const char* later_copies = "later_copies";
inline constexpr const char* drawn = "drawn";

// --- What `how` says.

inline constexpr const char* how_running = "running"; ///< the run is not over, or died
inline constexpr const char* how_ended = "ended";     ///< the program has ended, with its status
inline constexpr const char* how_stopped = "stopped"; ///< by a finding, a limit or a deadlock
inline constexpr const char* how_interrupted = "interrupted"; ///< Ctrl-C

// --- Of a finding.

inline constexpr const char* code = "code";
inline constexpr const char* severity = "severity"; ///< severity_…
inline constexpr const char* severity_error = "error";
inline constexpr const char* severity_note = "note";
inline constexpr const char* message = "message";
inline constexpr const char* details = "details";
inline constexpr const char* other = "other";
inline constexpr const char* through = "through";
inline constexpr const char* other_through = "other_through";
inline constexpr const char* blocks = "blocks";
inline constexpr const char* shown_by = "shown_by";
inline constexpr const char* parties = "parties";
inline constexpr const char* variants = "variants";
inline constexpr const char* known = "known";
inline constexpr const char* if_results_differ = "if_results_differ";

// --- Of a choice.

inline constexpr const char* instead = "instead";
inline constexpr const char* preemptions = "preemptions";

// --- Of a copy to the host, of a place where something was drawn.

inline constexpr const char* function = "function";
inline constexpr const char* bytes = "bytes";
inline constexpr const char* hash = "hash";
inline constexpr const char* site = "site";
inline constexpr const char* elements = "elements";

// --- Of several of these.

inline constexpr const char* where = "where";
inline constexpr const char* what = "what";
inline constexpr const char* remedy = "remedy";
inline constexpr const char* count = "count";
inline constexpr const char* turns = "turns";
inline constexpr const char* stale = "stale";
inline constexpr const char* stale_reads = "stale_reads";
inline constexpr const char* passed = "passed";

} // namespace tilesim::sim::in_report
