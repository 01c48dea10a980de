// The members of files by which commands of `tilesim` tell each other of an exploration: the report
// as `tilesim explore --json` writes it (docs/explore.md) and `--expect` and, of a shard, `tilesim
// merge` read it; what `tilesim merge --known` writes and `tilesim explore --known` reads. Findings
// are as the program tells them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::tools {

namespace in_json {

inline constexpr const char* model = "model"; ///< model_…
inline constexpr const char* model_sc = "sc";
inline constexpr const char* model_ptx = "ptx";
inline constexpr const char* load_buffering =
    "load_buffering"; ///< it is explored; of a state: only executions with it end so
inline constexpr const char* complete = "complete";
inline constexpr const char* why = "why"; ///< it is not complete
inline constexpr const char* bound = "bound";
inline constexpr const char* within_bound = "within_bound";
inline constexpr const char* samples = "samples";
inline constexpr const char* share = "share";
inline constexpr const char* estimate = "estimate"; ///< of all: {executions, seconds}, or null
inline constexpr const char* seconds = "seconds";
inline constexpr const char* remedy = "remedy";
inline constexpr const char* executions = "executions"; ///< of a state, likewise
inline constexpr const char* reduced = "reduced";
inline constexpr const char* symmetric = "symmetric";
inline constexpr const char* stopped = "stopped";
inline constexpr const char* states = "states";
inline constexpr const char* findings = "findings";
inline constexpr const char* missing = "missing";
inline constexpr const char* unexpected = "unexpected";

// --- Of a state, of a finding.

inline constexpr const char* values = "values";
inline constexpr const char* printed = "printed";
inline constexpr const char* status = "status";
inline constexpr const char* returned = "returned"; ///< of a test's callable
inline constexpr const char* names = "names";       ///< of a shard, as the program tells them
inline constexpr const char* replay = "replay";     ///< or null
inline constexpr const char* name = "name";         ///< what `--finding` takes

// --- Of a shard: {index, of, tilesim, source, command, program, observe, given, known}.

inline constexpr const char* shard = "shard";
inline constexpr const char* index = "index";     ///< from 1
inline constexpr const char* of = "of";           ///< so many
inline constexpr const char* tilesim = "tilesim"; ///< the version
inline constexpr const char* source = "source";
inline constexpr const char* command = "command";
inline constexpr const char* program = "program"; ///< the hash that replay strings carry
inline constexpr const char* observe = "observe";
inline constexpr const char* given = "given"; ///< in_given, or null
inline constexpr const char* known = "known"; ///< as the program tells it
inline constexpr const char* again = "again"; ///< likewise

} // namespace in_json

/// Of what was given to a shard by `--known`.
namespace in_given {

inline constexpr const char* hash = "hash";         ///< of the file
inline constexpr const char* runs = "runs";         ///< how many,
inline constexpr const char* promises = "promises"; ///< and how much may be promised

} // namespace in_given

/// What the file of `--known` has beside in_knowledge [sim/contract/exploration_report.hpp].
namespace in_known_file {

inline constexpr const char* tilesim = "tilesim"; ///< the version
inline constexpr const char* of = "of";           ///< the exploration, in words

} // namespace in_known_file

} // namespace tilesim::tools
