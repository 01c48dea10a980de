// A program under the stepper: its processes, where it stands, and ways to get elsewhere.
//
// The program stops before every operation that it is told to (sim/step/agent.cpp). Its position is
// the number of operations that have begun. Copies of it sleep at earlier positions (checkpoints);
// going back resumes the nearest one and goes forward from there, which is exact, because a run is
// determined by its options and by the places where the person switched blocks.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/shared_page.hpp"
#include "sim/contract/step_protocol_json.hpp"
#include "tools/cli/process.hpp"
#include "tools/step/protocol.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools::step {

/// A request that the program could not answer: a sentence for the person.
class refused : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A signal that ended the program.
struct crash {
  std::string block; ///< the simulated thread's name; empty in host code
  std::vector<protocol::frames> frames;
};

/// Where the program stands: its last stop, or what is known of its end.
struct standing : protocol::stop {
  int wait_status = 0;       ///< of one that has died
  bool by_interrupt = false; ///< Ctrl-C ended it
  std::optional<step::crash> crash;
  std::size_t earlier_waits = 0; ///< wait begins: others that began before

  /// Who stands here, or behind its last operation; nullptr: nobody.
  [[nodiscard]] const protocol::thread* who() const noexcept {
    return thread ? &*thread : behind ? &*behind : nullptr;
  }
};

struct session_options {
  std::string program;                                 ///< the file
  command_line words;                                  ///< what it gets to see, its own name first
  nlohmann::json simulator = nlohmann::json::object(); ///< options of the simulator
  std::string check = {}; ///< of a test: which tilesim::check to stand in [tools/check/library.cpp]
  std::string input = "/dev/null";
  std::size_t history_bytes = std::size_t{512} << 20;
  std::string trace = {};     ///< where the run writes itself down [sim/trace]; empty: nowhere
  bool compiles_late = false; ///< kernels are known when they are launched
  bool show_output = true;    ///< what the program prints appears on our own streams
  /// Called a few times a second while the program runs, and when `wake_for`, a descriptor, can be
  /// read. It may call interrupt(), abandon() and take_printed().
  std::function<void()> while_running;
  int wake_for = -1;
};

class session {
public:
  explicit session(session_options o);
  ~session();
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  [[nodiscard]] const standing& here() const noexcept { return here_; }
  [[nodiscard]] std::uint64_t position() const noexcept { return here_.position; }
  /// The farthest position that was reached.
  [[nodiscard]] std::uint64_t farthest() const noexcept { return farthest_; }
  /// Does a process stand there that can be asked and sent on?
  [[nodiscard]] bool alive() const noexcept { return live_.socket >= 0; }
  /// Are its kernels known only when they are launched?
  [[nodiscard]] bool compiles_late() const noexcept { return options_.compiles_late; }
  /// Was it stopped on the way by the person?
  [[nodiscard]] bool interrupted_on_the_way() const {
    return abandoned_ || here_.reason == protocol::stop_reason::interrupt;
  }
  /// Has the run come to its end, so that it can only go back?
  [[nodiscard]] bool over() const;
  /// Has it stopped behind its last operation, in code that comes to no other: interrupted there,
  /// or ended by a signal? Nobody stands at this position, so there is no coming back to it.
  [[nodiscard]] bool between_operations() const;
  /// Before main.
  [[nodiscard]] bool loaded() const { return here_.reason == protocol::stop_reason::loaded; }

  /// Asks the program where it stands. Throws refused with its word on what is wrong.
  template <class Request>
  typename Request::reply ask(const Request& request) {
    return protocol::decode<typename Request::reply>(reply_to(protocol::encode(request)));
  }

  /// Goes on to the next stop, and returns it.
  const standing& go(protocol::go how);
  /// Takes back the "step" (of `count` operations), "next" or "finish" that has led to here: stands
  /// where it was given. False where none has.
  bool take_back(protocol::way how, std::uint64_t count = 1);
  /// The same for whichever it is.
  bool take_back();
  /// Of `asked` steps of one command something has ended all after `made`, the last of which has
  /// led to here: taking back as many as were asked for takes back those.
  void cut_short(std::uint64_t asked, std::uint64_t made);
  /// How many to take back for `asked`: as many, or fewer where a command was cut short here.
  [[nodiscard]] std::uint64_t made_of(std::uint64_t asked);
  /// Goes to where `wanted` operations have begun, back or forward.
  const standing& go_to(std::uint64_t wanted);
  /// Goes back to the last place before here where a breakpoint or a watched value would stop, or
  /// (last_wait) where a block began to wait; to the first operation if there is none.
  const standing& reverse_continue();
  /// The last position before this one at which a block began to wait that waits here; nothing if
  /// there is none, or that is not asked for. What was known at a later place holds before it, too.
  std::optional<std::uint64_t> last_wait();
  /// Begins again, before main. The switches that were made are forgotten.
  const standing& restart();

  /// The same from a fresh process, with other options of the simulator.
  const standing& restart_with(nlohmann::json simulator);

  /// From now on Ctrl-C is for the program: if it does not run, for its next way on.
  static void catch_interrupts() noexcept;
  /// Those that have come so far are not for it.
  static void forget_interrupts() noexcept;

  /// While the program runs: stops it before its next operation, as Ctrl-C does.
  static void interrupt() noexcept;
  /// While the program runs: ends it. It can no longer go on or back.
  void abandon() noexcept;

  /// Its directives and its bound are the session's own.
  void set_stops(protocol::set stops);

  /// Another block goes on from here. Throws refused.
  const standing& switch_to(const protocol::switch_to& wanted);
  /// The read that comes next takes another write. Throws refused.
  void choose(const protocol::choose& wanted);
  /// What was chosen, by position.
  [[nodiscard]] const std::vector<protocol::choice>& choices() const noexcept { return choices_; }
  /// Can what strong reads take be chosen?
  [[nodiscard]] bool lets_choose() const;

  /// All switches that were made, by position.
  [[nodiscard]] const std::vector<protocol::directive>& switches() const noexcept {
    return switches_;
  }

  /// The position before `count` operations of the block that stands here, before its line, or
  /// where it began.
  std::uint64_t place_back(protocol::back_by how, std::uint64_t count = 1);

  /// What going back costs.
  struct history {
    std::size_t checkpoints = 0;
    std::size_t checkpoint_bytes = 0; ///< memory that would be free without them
    std::size_t journal_bytes = 0;    ///< operations that the program remembers
    std::size_t writers_bytes = 0;    ///< who wrote each byte, and its blocks: beside the bound
    [[nodiscard]] std::size_t bytes() const noexcept { return checkpoint_bytes + journal_bytes; }
  };
  [[nodiscard]] history measure_history() const;
  [[nodiscard]] std::size_t history_bytes() const noexcept { return options_.history_bytes; }
  void set_history_bytes(std::size_t bytes);

  /// Takes what the program has printed since this was called last: standard output and error.
  /// For those that do not let it appear.
  struct printed {
    std::string output;
    std::string errors;
  };
  printed take_printed();

private:
  static constexpr std::size_t most_checkpoints = 64;

  struct connection {
    int socket = -1;
    pid_t pid = 0;
    std::string buffered;
  };

  /// Where it stands, to come back to.
  struct spot {
    std::uint64_t position = 0;
    std::optional<std::uint64_t> thread; ///< by its number; else behind the last operation of one
    bool operator==(const spot&) const = default;
  };
  struct step_made {
    protocol::way how{};
    std::uint64_t count = 1;
    spot from;
    spot to;
    std::uint64_t asked = 0; ///< steps of the command of which this was the last; 0: all were made
    std::uint64_t made = 0;  ///< of them
  };

  void start();
  [[nodiscard]] spot where() const;
  nlohmann::json reply_to(const nlohmann::json& request);
  const standing& advance(protocol::go how);
  [[nodiscard]] step_made* last_step();
  void take_back_last();
  void kill_live();
  const standing& wait_for_stop();
  bool take_connection(int timeout_ms);
  void accept_one();
  void resume(std::uint64_t checkpoint_position);
  /// With the switches that are to come, from this position on.
  void tell_stops(std::uint64_t from);
  void stopped(standing where);
  void died(bool by_interrupt);
  [[nodiscard]] crash told_crash();
  void thin_out();
  static void drop(const std::vector<connection>& dropped);
  void show_output();
  void forget_printed();
  void forget_run();
  void forget_ahead(std::uint64_t at);
  void forget_checkpoints(std::map<std::uint64_t, connection>::iterator first);
  [[nodiscard]] std::uint64_t checkpoint_before(std::uint64_t position, bool strictly) const;

  session_options options_;
  std::string address_; ///< of the socket, in the abstract name space
  int listening_ = -1;
  int output_ = -1;
  int errors_ = -1;
  int shared_ = -1;
  std::size_t shown_output_ = 0;
  std::size_t shown_errors_ = 0;
  sim::step::shared_page* page_ = nullptr;
  connection live_;
  std::map<std::uint64_t, connection> checkpoints_; ///< by position
  std::size_t journal_bytes_ = 0;
  std::size_t writers_bytes_ = 0;
  bool went_back_ = false; ///< since the history was measured
  std::chrono::steady_clock::time_point measure_again_{};
  standing here_;
  protocol::set stops_;
  std::vector<protocol::directive> switches_;
  std::vector<protocol::choice> choices_;
  std::vector<step_made> steps_; ///< forward ones, in order, that may be taken back
  std::uint64_t farthest_ = 0;
  struct wait {
    std::uint64_t until = 0; ///< it is known that it waits there still
    bool to_the_end = false;
  };
  std::map<std::uint64_t, wait> waits_; ///< by where they began
  std::size_t earlier_waits_ = 0;       ///< than the last_wait
  std::uint64_t taken_checkpoints_ = 0; ///< since the last stop
  pid_t resumed_pid_ = 0;
  bool abandoned_ = false;
};

} // namespace tilesim::tools::step
