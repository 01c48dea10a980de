// The members of the lines of a comparison, by which the program tells `tilesim diff` where its
// launches differ from another machine's (sim/compare writes them, tools/diff/report.cpp reads
// them). A line is a JSON object. Frames are as of frames_json.hpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilesim::sim {

/// What is said of an element that differs.
enum class element_difference : std::uint8_t {
  wrong,  ///< no execution gives this
  open,   ///< nobody can say
  allowed ///< what was computed may be so far off
};

namespace in_comparison {

// --- A launch that was compared: {launch, first_launch, kernel, frames, bytes, inputs, buffers,
// inexact, reloads} and, where bounds are derived, bounded, printed, ordered, olds, as_left,
// movable, rounded, diverted?.

inline constexpr const char* launch = "launch"; ///< its number in the program, from 0
inline constexpr const char* first_launch =
    "first_launch"; ///< of those up to it whose memory was compared together
inline constexpr const char* inputs = "inputs";   ///< that differed before it
inline constexpr const char* buffers = "buffers"; ///< that differ behind it
inline constexpr const char* inexact =
    "inexact"; ///< {why, frames} of operations with several right results that took part
inline constexpr const char* reloads =
    "reloads"; ///< {load, store, use}: frames of values that are used in another shape after a
               ///< store over their place
inline constexpr const char* threads = "threads"; ///< true of a `__global__` kernel
inline constexpr const char* bounded = "bounded"; ///< true
inline constexpr const char* printed = "printed"; ///< it printed numbers that may be off
inline constexpr const char* ordered = "ordered"; ///< who comes first may decide its results
inline constexpr const char* olds = "olds"; ///< … if anybody looks at what atomic updates give
inline constexpr const char* summed =
    "summed"; ///< nobody does: memory is as it was before they were altered, and some of what they
              ///< have made is wrong
inline constexpr const char* depends =
    "depends"; ///< something that is taken for exact depends on what was altered
inline constexpr const char* movable = "movable";   ///< it computed numbers that may be off
inline constexpr const char* rounded = "rounded";   ///< so may some be that it has left in memory
inline constexpr const char* diverted = "diverted"; ///< {why, frames}: a decision errors may turn

// --- Of a value that is used after a store over its place.

inline constexpr const char* load = "load";
inline constexpr const char* store = "store";
inline constexpr const char* use = "use";

// --- What `why` says of an operation with several right results.

inline constexpr const char* because_approximate = "approximate";
inline constexpr const char* because_order = "order";   ///< in which numbers are combined
inline constexpr const char* because_atomic = "atomic"; ///< who comes first is left open
inline constexpr const char* because_store = "store";   ///< which comes last is left open

// --- An input: {allocation, name, size, type?, element_bytes?, offset, bytes, left?}; memory that
// has another size there: {allocation, name, size, bytes_there}; a value that the launch passes:
// {argument, name, type, here, there}.

inline constexpr const char* offset = "offset"; ///< of what differs
inline constexpr const char* left =
    "left"; ///< true: a launch left it so, which differed in hashes alone

inline constexpr const char* bytes_there = "bytes_there"; ///< how many all of it has
inline constexpr const char* argument = "argument";       ///< which, from 0

// --- A buffer: {allocation, name, size, type?, element_bytes?, elements, hash, runs, kinds,
// runs_cut, open, allowed, pages, first, worst?}.

inline constexpr const char* elements = "elements"; ///< how many differ,
inline constexpr const char* allowed = "allowed";   ///< of which so many lie within their bounds
inline constexpr const char* hash = "hash";         ///< of all of it as it is here
inline constexpr const char* runs = "runs";         ///< [from, to behind the last] of what differs
inline constexpr const char* kinds = "kinds"; ///< what all of a run is: an `element_difference`
inline constexpr const char* runs_cut = "runs_cut"; ///< there are more
inline constexpr const char* pages = "pages"; ///< that differ, known there by their hashes alone
inline constexpr const char* first = "first"; ///< a few elements that differ
inline constexpr const char* worst = "worst"; ///< the element that uses most of its bound

// --- A page: {begin, end, open, writer?}; open: may an allowed execution give others?

inline constexpr const char* begin = "begin"; ///< bytes of the buffer

// --- An element: {index, here, there, writer?, low?, high?, part?, nan?, open?}; here and there:
// its bits, the highest byte first.

inline constexpr const char* index = "index";
inline constexpr const char* low = "low"; ///< between which bits it may lie, if it has a bound
inline constexpr const char* high = "high";
inline constexpr const char* part = "part"; ///< how much of the bound is used
inline constexpr const char* nan = "nan";   ///< true: both are, and which of them is left open

// --- The program launched something else than there, and nothing is compared from then on:
// {other_launch, here, there, frames}; here and there: {kernel, grid, block, shared}.

inline constexpr const char* other_launch = "other_launch"; ///< its number in the program
inline constexpr const char* shared = "shared";             ///< bytes of shared memory
inline constexpr const char* grid = "grid";                 ///< [x, y, z] of blocks

// --- All executions of a launch, or of several together, have been looked at, or some of them, or
// one has been found:
// {ends_of, among, whole, excluded, ends, executions}; or, where the end there cannot be held
// against them, {ends_of, why}.

inline constexpr const char* ends_of = "ends_of"; ///< its number, or the last one's
inline constexpr const char* among = "among";     ///< one of them leaves memory as it was there
inline constexpr const char* whole = "whole";     ///< they were all
inline constexpr const char* excluded =
    "excluded";                             ///< none leaves memory so, by what each thread may do
inline constexpr const char* ends = "ends"; ///< different contents of memory behind them
inline constexpr const char* executions = "executions"; ///< how many were looked at

// --- The end: {end, status, launches, compared, recorded, unmatched}.

inline constexpr const char* end = "end"; ///< what the report's `how` says [report_members.hpp];
                                          ///< of a page the byte behind it
inline constexpr const char* status = "status";
inline constexpr const char* launches = "launches"; ///< how many were made here,
inline constexpr const char* compared = "compared"; ///< compared,
inline constexpr const char* recorded = "recorded"; ///< and made there
inline constexpr const char* unmatched =
    "unmatched"; ///< variables there that the program has not, by their symbols

// --- Of several of these.

inline constexpr const char* kernel = "kernel"; ///< as the program names it
inline constexpr const char* frames = "frames";
inline constexpr const char* why = "why";
inline constexpr const char* allocation = "allocation"; ///< its number; 0: it is a variable
inline constexpr const char* name = "name";
inline constexpr const char* size = "size"; ///< bytes of all of it
inline constexpr const char* type = "type"; ///< of its elements, where it is known
inline constexpr const char* element_bytes = "element_bytes";
inline constexpr const char* bytes = "bytes"; ///< of an input that differ; of a launch: compared
inline constexpr const char* here = "here";
inline constexpr const char* there = "there";
inline constexpr const char* writer =
    "writer"; ///< {block, frames, launch, kernel}: who wrote it last
inline constexpr const char* block = "block"; ///< of a writer its name; of a launch [x, y, z]
inline constexpr const char* open =
    "open"; ///< how many may or may not be right; of an element {why, frames}

} // namespace in_comparison

} // namespace tilesim::sim
