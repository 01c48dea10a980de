// What can be done with a stepped program: moving, breakpoints, watched values, displays, frames.
//
// The verbs of the prompt and of the editor's adapter. Nothing here reads or writes text for a
// person: the prompt does (`prompt`, `stop_text`), and the adapter speaks its own protocol.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/step/frame_name.hpp"
#include "tools/step/session.hpp"
#include "tools/step/words.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools::step {

/// A breakpoint or a watched value.
struct stop_point {
  unsigned id = 0;
  bool is_watch = false;
  bool once = false;
  bool enabled = true;
  std::string text;           ///< as it was given
  protocol::breakpoint where; ///< or
  protocol::watch what;
  std::uint64_t hits = 0;
};

/// An expression that is shown wherever a block stands.
struct displayed {
  unsigned id = 0;
  std::string expression;
  std::optional<char> format; ///< a letter of formats.hpp
  std::string text;           ///< as it was given
};

/// What is known of a stop that the program does not say itself.
struct arrival {
  std::vector<stop_point> reached;    ///< those that stop here, also if they are gone by now
  bool never_written = false;         ///< watched memory alone was asked for, and nobody wrote it
  std::optional<unsigned> written_by; ///< the next operation is the last that wrote this watch
};

/// Every function that asks or moves the program throws refused with its word on what is wrong.
class debugger {
public:
  /// Threads that go on together.
  enum class crowd : std::uint8_t { warp, block };

  explicit debugger(step::session& s)
      : session_(s) {}

  [[nodiscard]] step::session& session() noexcept { return session_; }
  [[nodiscard]] const step::session& session() const noexcept { return session_; }
  [[nodiscard]] const standing& here() const noexcept { return session_.here(); }
  /// Does a block stand there that can be asked?
  [[nodiscard]] bool block_stands() const { return session_.alive() && here().thread.has_value(); }
  [[nodiscard]] const arrival& arrived() const noexcept { return arrival_; }
  /// Counts up when the program starts again.
  [[nodiscard]] std::uint64_t starts() const noexcept { return starts_; }

  // --- Moving, forward

  /// From the beginning, to the first stop.
  void run();
  /// To the next stop, or past `times` - 1 of them. `notes`: at findings that are notes, too.
  void go_on(std::uint64_t times = 1, bool notes = false);
  void step(std::uint64_t operations = 1);
  void next(std::uint64_t lines = 1);
  /// The same for each thread of the warp, or of the block, whose thread stands here, one after the
  /// other, but for those that wait or have got on meanwhile. Where something else stops one of
  /// them, it stands there.
  void next_of_all(crowd whose, std::uint64_t lines = 1);
  /// To the end of the block that stands here.
  void finish();
  /// This block comes to a line or to an operation. Of the location, these count.
  void until(const location& where);

  // --- Moving, back. The step, next or finish that has led to here is taken back as a whole.

  /// That one, whichever it is. False where none has led to here.
  bool take_back();
  void reverse_step(std::uint64_t operations = 1);
  void reverse_next(std::uint64_t lines = 1);
  void reverse_finish();
  void reverse_go_on(std::uint64_t times = 1);

  /// To where so many operations have begun, back or forward.
  void go_to(std::uint64_t position);
  /// Another block goes on from here: one of this launch, or, with `launch`, of that.
  void go_to_block(const block_name& block,
                   const std::optional<block_name>& thread = {},
                   std::optional<std::uint64_t> launch = {});
  /// The read that comes next takes write number `back`, counted from 0, the newest: every element
  /// that may, or one.
  void choose(std::uint64_t back, std::optional<std::size_t> element = {});
  /// What the reads of here may take; nothing where that cannot be chosen.
  [[nodiscard]] std::optional<protocol::read_list> reads();
  /// From the beginning under another schedule: a file's, or a replay string.
  void replay(const std::string& schedule);
  /// How `replay` starts the program, and goes on (as go_on and go_to do) to where that leads.
  std::function<void(const std::string& schedule)> begin_replay;

  // --- Breakpoints and watched values

  [[nodiscard]] const std::vector<stop_point>& stops() const noexcept { return stops_; }
  /// nullptr: none has that number.
  [[nodiscard]] const stop_point* find_stop(unsigned id) const noexcept;
  /// Sets a breakpoint, and returns its number. A line has its file. `text`: what the person gets
  /// to see of it. Refused where there is no such kernel or operation.
  unsigned add_breakpoint(const location& where, std::string text, bool once = false);
  /// Watches a value. Variables are those of this frame of the block that stands.
  unsigned add_watch(const std::string& expression, std::size_t frame = 0);
  /// Nothing happens if it is gone already.
  void remove_stop(unsigned id);
  void remove_stops();
  void enable_stop(unsigned id, bool enabled);
  void stop_at_findings(bool stops);

  /// Where a breakpoint at a line stops, as far as the program tells.
  struct stopping_line {
    bool known = true;               ///< the program has code from this file
    std::optional<std::size_t> line; ///< that line, or the next that performs an operation
    std::vector<std::string> files;  ///< if it has not: those that it has code from
  };
  /// Nothing where nobody is there to ask.
  [[nodiscard]] std::optional<stopping_line> line_that_stops(const std::string& file,
                                                             std::size_t line);

  // --- What is displayed

  [[nodiscard]] const std::vector<displayed>& displays() const noexcept { return displays_; }
  /// Refused where a block stands that has no such value.
  void add_display(displayed what);
  /// False if none has that number.
  bool remove_display(std::uint64_t id);
  void remove_displays() { displays_.clear(); }

  // --- Looking

  /// The chosen one of frames().
  [[nodiscard]] std::size_t frame() const noexcept { return frame_; }
  /// Its number among listed_frames().
  [[nodiscard]] std::size_t frame_number() const noexcept { return frame_number_; }
  /// Its variables are meant until the program moves on.
  void choose_frame(std::size_t number, const listed_frame& chosen) noexcept {
    frame_number_ = number;
    frame_ = chosen.call;
  }
  /// Of an expression in the chosen frame. `format`: a letter of formats.hpp.
  [[nodiscard]] protocol::value evaluate(const std::string& expression, std::optional<char> format);
  /// The calls that lead to here, innermost first.
  [[nodiscard]] std::vector<protocol::frames> frames() {
    return session_.ask(protocol::calls{}).frames;
  }

private:
  void arrive();
  bool next_of_one(const protocol::thread& of, std::uint64_t number, const std::string& from);
  void tell_stops();
  unsigned add_stop(stop_point one);
  stop_point* stop_by_id(unsigned id) noexcept;
  void check_kernel(const std::string& wanted);
  void refuse_constant(const std::string& expression);
  bool reverse_to_last_write();

  step::session& session_;
  arrival arrival_;
  std::uint64_t starts_ = 0;
  std::vector<stop_point> stops_;
  unsigned next_id_ = 1;
  bool stop_at_findings_ = true;
  std::vector<displayed> displays_;
  unsigned next_display_ = 1;
  std::size_t frame_ = 0;
  std::size_t frame_number_ = 0;
};

} // namespace tilesim::tools::step
