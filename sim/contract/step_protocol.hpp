// The stepper's protocol: what `tilesim step` and `tilesim dap` ask a stepped program, and what it
// says.
//
// Messages are JSON objects, one a line (json_lines.hpp), over a socket. Their members have the
// names that docs/step-protocol.md lists; step_protocol_json.hpp turns these structs into them and
// back. Nothing here needs JSON.
//
// One file in spite of its length: a protocol, whose messages are made of each other.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/report.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tilesim::sim::step::protocol {

inline constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();

/// A place in the source: the innermost call first.
using frames = std::vector<source_frame>;

using coordinates = std::array<std::uint64_t, 3>;
/// A block of a grid, or a thread of a block: its number, or x, y and z.
using block_name = std::variant<std::uint64_t, coordinates>;

// --- Parts of messages

/// Elements, or an object's members, as texts.
struct named_value;
struct value {
  std::string type; ///< as the program spells it
  std::string kind; ///< "i32", "ptr"
  std::vector<std::size_t> shape;
  std::size_t count = 1;
  std::optional<std::uintptr_t> address;
  std::string place;       ///< of the address: "bins[3]"
  std::int64_t stride = 0; ///< of the elements in memory, where there is an address
  std::string missing;     ///< why there is no value
  std::vector<named_value> members;
  std::vector<std::string> texts; ///< of the elements, or of the first ones
  // How many elements have a mark.
  std::size_t masked = 0;
  std::size_t padded = 0;
  std::size_t unspecified = 0;
  std::size_t unwritten = 0;
};
struct named_value {
  std::string name;
  protocol::value value;
};

/// A simulated thread; a block, where the kernel has one thread a block.
struct thread {
  std::uint64_t number = 0; ///< in the run
  std::uint64_t launch = 0;
  std::string kernel;
  coordinates block{};
  std::uint64_t linear = 0; ///< the block's number in its grid
  std::string name;         ///< "block (3,0,0)"
  std::uint64_t operations = 0;
  std::optional<coordinates> in_block; ///< of a kernel with several threads a block
  std::uint64_t linear_in_block = 0;   ///< of such a one: its number in the block
};

struct waited_cell {
  std::string place;
  std::uint64_t value = 0; ///< it waits for another one
};
/// One that is alive.
struct live_thread : thread {
  bool current = false; ///< it stands here
  std::string state;    ///< "stands", "waits", "meets": for others of its block; "ended"
  // Before an operation.
  std::string operation;
  std::string place;
  protocol::frames frames;
  std::vector<waited_cell> waits_for;
};

struct launch {
  std::uint64_t id = 0;
  std::string kernel;
  coordinates grid{};
  std::uint64_t threads = 0;
  std::uint64_t started = 0;
  std::uint64_t ended = 0;
  std::string place;
};

struct buffer {
  std::string name;
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  std::size_t count = 0; ///< elements, if their type is known
  std::string type;
  std::string kind;
  bool live = false;
  std::string place; ///< that allocated it
};

struct variable {
  std::string name;
  std::string type;
  bool parameter = false;
  unsigned line = 0;
  protocol::value value;
};

struct finding {
  std::string code;
  std::string level; ///< "error", "note"
  std::string message;
  std::vector<std::string> details;
  std::string remedy;
  frames where;
  frames other;
  std::uint64_t count = 0;
  std::uint64_t operation = 0; ///< under way when it was found; 0: none
  /// Of host code's: the operation that is the other side, or wrote the memory last; 0: none.
  std::uint64_t about = 0;
};

enum class led_by : std::uint8_t {
  left_open,   ///< it leaves elements unspecified
  older_write, ///< it has read an older write
  shown        ///< host code gets what it wrote
};
/// An operation that a difference between two runs may come from.
struct lead {
  led_by how{};
  std::uint64_t operation = 0;
  frames where;       ///< the operation
  frames shown;       ///< where host code gets what it wrote
  std::string what;   ///< why a value is left open
  std::string remedy; ///< what to do about that
};

/// What an operation did to memory.
struct access {
  bool reads = false;
  bool writes = false;
  std::string order;
  std::string scope;                              ///< empty: weak
  unsigned bytes = 0;                             ///< an element
  std::vector<std::optional<std::string>> places; ///< of each element; nothing: masked out
  // Of reads, for each place: the operation whose write was read (0: none), and whether nothing
  // had written there.
  std::vector<std::optional<std::uint64_t>> sources;
  std::vector<bool> unwritten;
  /// Of reads that took an older write, for each place: the operation whose newer one they passed
  /// over (0: none that is known); nothing: of the others. Empty: there are none.
  std::vector<std::optional<std::uint64_t>> passed;
  bool followed = false; ///< who has written there is known of all writes
};
struct operand : value {
  std::string role;
};
/// One that has been performed.
struct operation {
  std::uint64_t number = 0;
  std::string name;
  std::string spelling; ///< as the program wrote it: "operator+"
  std::vector<operand> operands;
  std::optional<value> result;
  std::optional<value> before, after; ///< of a raw access that writes
  std::vector<access> memory;
  protocol::frames frames;
};
/// One that has been performed some time.
struct past_operation {
  std::uint64_t number = 0;
  std::string operation;
  std::uint64_t thread = 0;
  std::uint64_t launch = 0;
  std::uint64_t block = 0;
  std::string by; ///< the thread's name
  protocol::frames frames;
};
struct next_operation {
  std::string operation; ///< empty where it was interrupted behind one
  std::uint64_t number = 0;
  protocol::frames frames;
};

/// A frame of a simulated thread, in whatever run of the program.
struct frame_key {
  std::uint64_t launch = 0;
  std::uint64_t thread = 0;    ///< in the launch
  std::size_t depth = 0;       ///< 0: the outermost
  std::uintptr_t function = 0; ///< where it begins
  std::string name;            ///< the thread's
};
/// Memory that is watched, whatever names it had where somebody said so.
struct watched_place {
  std::uintptr_t address = 0;
  unsigned kind = 0; ///< of element
  bool is_unsigned = false;
  std::string spelling;
  std::vector<std::size_t> shape;
  std::int64_t stride = 0;
  bool all_writes_known = false;
};

/// All that is given must hold.
struct breakpoint {
  unsigned id = 0;
  std::string file;
  unsigned line = 0;
  std::string kernel;
  std::string operation;
  std::optional<block_name> block;
  std::optional<std::uint64_t> launch;
  std::string condition;
  bool choice = false;       ///< a read comes that may take several writes
  bool trouble_told = false; ///< the person knows that the condition cannot be evaluated everywhere
};
struct watch {
  unsigned id = 0;
  std::string what; ///< an expression
  std::optional<frame_key> frame;
  std::optional<watched_place> place;
};
/// At a position, another thread goes on, or begins.
struct directive {
  std::uint64_t at = 0;
  std::optional<std::uint64_t> thread; ///< one that has begun, by its number;
  std::optional<std::uint64_t> launch; ///< else a block of this launch
  std::uint64_t block = 0;
};

/// A strong read that a person has chosen a write for, at a position.
struct choice {
  std::uint64_t at = 0;
  std::uint64_t launch = 0;
  std::uint64_t thread = 0; ///< in the launch
  std::uint64_t read = 0;   ///< of the thread's strong reads, elements one by one
  std::uint64_t back = 0;   ///< writes that it passes over; 0: it takes the newest
};
/// A write that a strong read may take.
struct offered_write {
  std::string value;
  std::uint64_t operation = 0; ///< its number in the run; 0: none that is known
  std::string by; ///< "relaxed store of device scope by …"; empty: it was there before all of them
  protocol::frames frames;
};
/// An element of a strong read.
struct offered_read {
  std::size_t element = 0; ///< of the operation
  std::string place;
  std::vector<offered_write> writes; ///< that it may take, the newest first: numbered from 0
  std::size_t takes = 0;             ///< the number of the one that it does
  std::string bound;                 ///< why it may take nothing older, if there is anything
};

/// What became of a watched value.
struct change {
  unsigned id = 0;
  std::optional<value> before; ///< nothing: it has got its first value
  std::optional<value> after;
  std::optional<std::uint64_t> operation; ///< that made it; 0: the host did
  bool gone = false;                      ///< the block has ended, and its variables with it
};
/// A condition that cannot be evaluated.
struct trouble {
  unsigned id = 0;
  std::string why;
};

enum class stop_reason : std::uint8_t {
  loaded,      ///< before main
  resumed,     ///< a checkpoint goes on
  interrupt,   ///< Ctrl-C
  position,    ///< it has come where it was to go
  finding,     ///<
  step,        ///< so many operations, or a line
  until,       ///<
  block_ended, ///<
  watch,       ///<
  breakpoint,  ///<
  ended,       ///< exit
  stopped,     ///< tilesim ends the run
  interrupted, ///< for good: in code without operations
  // What the stepper itself says of where the program stands.
  died,           ///< without a word
  wait_begins,    ///<
  history_begins, ///<
};

/// Why it stops, or would stop.
struct reached {
  stop_reason reason{};
  std::vector<unsigned> breakpoints; ///< their ids
  std::vector<trouble> troubles;
  std::vector<change> watches;
};
/// The last place where a scan would have stopped.
struct hit : reached {
  std::uint64_t position = 0;
};

// --- What the program says

/// It stands, and answers requests from now on.
struct stop : reached {
  static constexpr const char* event = "stop";
  int pid = 0;
  std::uint64_t position = 0;    ///< operations that have begun
  std::uint64_t checkpoints = 0; ///< made since the last stop
  std::size_t journal_bytes = 0;
  std::size_t writers_bytes = 0;
  std::optional<protocol::thread> thread; ///< that stands here,
  std::optional<next_operation> next;     ///< before this
  frames host;                            ///< or: where host code does
  std::optional<operation> last;          ///< if it was asked for by a step, or by a position
  std::vector<finding> findings;          ///< new ones
  std::string ended;                      ///< a thread that has
  std::optional<live_thread> behind; ///< that one, where nobody else stands: its last operation
  int status = 0;                    ///< of the program, ended
  std::optional<protocol::hit> hit;  ///< of a scan
};

/// A copy of the process sleeps at this position, on a connection of its own.
struct checkpoint {
  static constexpr const char* event = "checkpoint";
  int pid = 0;
  std::uint64_t position = 0;
};
/// A process goes on from a checkpoint; its stop follows.
struct resumed {
  static constexpr const char* event = "resumed";
  int pid = 0;
  std::uint64_t position = 0;
};
/// A checkpoint could not go on.
struct failed {
  static constexpr const char* event = "failed";
  std::uint64_t position = 0;
};

/// The reply to a request that cannot be answered: a sentence for the person.
struct refusal {
  std::string error;
  std::optional<std::size_t> column; ///< of the expression
};

// --- What it is asked: each request and its reply

/// Nothing to say but that it has been done.
struct done {};

enum class way : std::uint8_t {
  run,      ///< to a breakpoint, a changed value, a finding or the end
  step,     ///< `count` operations of the thread that stands here
  next,     ///< to another line of it
  finish,   ///< to its end
  until,    ///< it comes to a line, or to an operation
  position, ///< to where so many operations have begun
  scan,     ///< the same, noting the last place before where a breakpoint would stop
};
/// Goes on; the next stop is the reply.
struct go {
  static constexpr const char* request = "go";
  way how{};
  std::uint64_t count = 1;
  std::uint64_t position = nowhere;
  std::string file;
  unsigned line = 0;
  std::string operation;
  bool notes = false;   ///< of `run`: findings that are notes count, too
  bool through = false; ///< of `scan`: a breakpoint at the position itself counts, too
  std::uint64_t newest_checkpoint = 0;
};

/// Replaces all that is set.
struct set {
  static constexpr const char* request = "set";
  using reply = done;
  std::vector<breakpoint> breakpoints;
  std::vector<watch> watches;
  bool stop_at_findings = true;
  std::size_t journal_bytes = 0; ///< that the program may remember operations in
  std::vector<directive> directives;
  std::vector<choice> choices;
};

struct evaluated {
  protocol::value value;
  std::optional<frame_key> frame; ///< whose variables the expression names
  bool constant = false;          ///< it names nothing
  // Of an expression that has a place in simulated memory.
  std::optional<std::uint64_t> writer; ///< the operation that wrote there last; 0: the host
  std::string nameless;                ///< an expression without names for it
  std::optional<watched_place> place;
};
struct evaluate {
  static constexpr const char* request = "evaluate";
  using reply = evaluated;
  std::string expression;
  std::size_t frame = 0;
  std::string format;              ///< a letter of formats.hpp, or nothing
  std::optional<std::size_t> most; ///< elements in the reply
};

struct written {
  std::optional<std::uint64_t> writer; ///< nothing: that cannot be told
};
/// Who has written watched memory last, also where it has been freed since.
struct writer {
  static constexpr const char* request = "writer";
  using reply = written;
  std::string expression;
};

struct local_list {
  std::vector<variable> locals;
};
struct locals {
  static constexpr const char* request = "locals";
  using reply = local_list;
  std::size_t frame = 0;
  std::optional<std::size_t> most;
};

struct frame_list {
  std::vector<protocol::frames> frames; ///< with those inlined into each
};
struct calls {
  static constexpr const char* request = "frames";
  using reply = frame_list;
};

struct block_list {
  std::vector<live_thread> blocks;
  std::size_t alive = 0;
  std::vector<launch> launches;
};
struct blocks {
  static constexpr const char* request = "blocks";
  using reply = block_list;
  std::size_t most = 100000;
};

struct buffer_list {
  std::vector<buffer> buffers;
};
struct buffers {
  static constexpr const char* request = "buffers";
  using reply = buffer_list;
};

struct switched {
  protocol::directive directive;
};
/// Another thread goes on from here; a stop follows the reply.
struct switch_to {
  static constexpr const char* request = "switch";
  using reply = switched;
  std::optional<std::uint64_t> launch;
  block_name block;
  std::optional<block_name> thread;
};

struct read_list {
  // Of the operation that comes next, and of the last one of the thread that stands, if these are
  // strong reads.
  std::vector<offered_read> coming;
  std::vector<offered_read> made;
  std::string none; ///< why nothing can be chosen for what comes
};
/// What strong reads may take.
struct reads {
  static constexpr const char* request = "reads";
  using reply = read_list;
  std::size_t most = 4096; ///< elements in each list
};

struct chosen {
  std::vector<choice> choices; ///< as they are to be set from now on where the program is run again
};
/// The read that comes next takes that write. What lay ahead is another run's.
struct choose {
  static constexpr const char* request = "choose";
  using reply = chosen;
  std::uint64_t back = 0;             ///< the number among the writes
  std::optional<std::size_t> element; ///< else every element that may take it
};

struct past {
  std::vector<past_operation> history;
};
/// Operations by number, those that are remembered.
struct history {
  static constexpr const char* request = "history";
  using reply = past;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

enum class back_by : std::uint8_t {
  step,  ///< `count` operations
  line,  ///<
  begin, ///< all
};
struct place_back;
/// Where operations of the thread that stands here begin. What the program has forgotten has to
/// happen again: the rest of the question is asked there.
struct back {
  static constexpr const char* request = "back";
  using reply = place_back;
  back_by how{};
  std::uint64_t count = 1;
  // Of a rest.
  std::optional<std::uint64_t> thread;
  std::uint64_t start = 0;
  std::uintptr_t next_site = 0;
  std::uintptr_t line_site = 0;
  std::uint64_t found = 0;
};
struct place_back {
  std::optional<std::uint64_t> position;
  std::uint64_t forgotten = 0;
  std::optional<back> rest;
};

struct wait_list {
  std::vector<std::uint64_t> positions; ///< where those that wait here began to
};
struct waiting {
  static constexpr const char* request = "waiting";
  using reply = wait_list;
};

struct lead_list {
  std::vector<lead> leads;
};
struct leads {
  static constexpr const char* request = "leads";
  using reply = lead_list;
};

struct memory_piece {
  std::uintptr_t address = 0;
  std::vector<std::uint8_t> bytes;
  std::vector<std::size_t> unwritten;            ///< offsets
  std::optional<std::vector<std::string>> texts; ///< of units, where a form was asked for
};
struct memory {
  static constexpr const char* request = "memory";
  using reply = memory_piece;
  std::string expression;
  std::size_t frame = 0;
  std::size_t bytes = 64;
  std::string format;   ///< a letter, or nothing,
  std::size_t unit = 0; ///< and bytes a unit
};

struct finding_list {
  std::vector<finding> findings;
};
struct findings {
  static constexpr const char* request = "findings";
  using reply = finding_list;
};

struct schedule_now {
  std::string schedule;
  std::string turns; ///< empty: there were too many
  std::uint64_t seed = 0;
  std::uint64_t fill = 0;
  std::string unfollowed; ///< what of a replayed schedule could not be
  std::string stale;      ///< reads that took older writes, and what is chosen for the next
  std::uint64_t position = 0;
};
struct schedule {
  static constexpr const char* request = "schedule";
  using reply = schedule_now;
};

struct names {
  std::vector<std::string> kernels;
  std::vector<std::string> functions; ///< of the user's that are no kernels
};
struct kernels {
  static constexpr const char* request = "kernels";
  using reply = names;
};

/// Is there an operation of that name?
struct check_operation {
  static constexpr const char* request = "check operation";
  using reply = done;
  std::string name;
};

struct line_known {
  bool known = false;             ///< the program has code from that file
  bool here = false;              ///< and an operation on that line,
  std::optional<unsigned> next;   ///< or on this one behind it
  std::vector<std::string> files; ///< where it is not known: those that have code, the host's too
};
struct code_of_line {
  static constexpr const char* request = "line";
  using reply = line_known;
  std::string file;
  unsigned line = 0;
};

// --- What a sleeping checkpoint is asked

struct place_list {
  std::vector<protocol::frames> frames;
};
/// What return addresses stand for: all processes of a session have the same.
struct places {
  static constexpr const char* request = "places";
  using reply = place_list;
  std::vector<std::uintptr_t> addresses;
};
/// A process goes on from there.
struct resume {
  static constexpr const char* request = "resume";
};

} // namespace tilesim::sim::step::protocol
