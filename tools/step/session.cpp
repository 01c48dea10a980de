// Processes of a stepped program: the live one, and those that sleep at earlier positions.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/session.hpp"

#include "sim/contract/bounded_json.hpp"
#include "sim/contract/json_lines.hpp"
#include "tools/cli/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilesim::driver::step {
namespace {

using nlohmann::json;
using sim::step::receive_line;
using sim::step::send_line;

constexpr int tick_ms = 50;
constexpr std::size_t most_checkpoints = 64;
constexpr std::size_t most_steps = std::size_t{1} << 16; ///< that can be taken back
constexpr std::size_t journal_part = 4;                  ///< a quarter of the history's memory
constexpr int shared_in_program = 3; ///< the descriptor that the program finds the shared page at

volatile std::sig_atomic_t interrupts = 0; // NOLINT: set by a signal handler
std::sig_atomic_t answered = 0;            // NOLINT: of them

void on_interrupt(int /*signal*/) {
  interrupts = interrupts + 1;
}

struct sigaction catching_interrupts() {
  struct sigaction caught {};
  caught.sa_handler = on_interrupt;
  caught.sa_flags = SA_RESTART; // what is being printed is printed whole
  return caught;
}

/// While one lives, Ctrl-C is passed on to the program instead of ending this process.
class interrupts_caught {
public:
  interrupts_caught() {
    const struct sigaction caught = catching_interrupts();
    sigaction(SIGINT, &caught, &before_);
  }
  ~interrupts_caught() { sigaction(SIGINT, &before_, nullptr); }
  interrupts_caught(const interrupts_caught&) = delete;
  interrupts_caught& operator=(const interrupts_caught&) = delete;

private:
  struct sigaction before_ {};
};

[[noreturn]] void cannot(const std::string& what) {
  throw failure(exit_unavailable, fmt::format("{}: {}", what, std::strerror(errno)));
}

/// Memory of a process that no file backs.
struct memory_use {
  std::size_t pages = 0; ///< in bytes
  std::size_t share = 0; ///< a page that n processes have counts as its nth part
};

memory_use memory_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/smaps_rollup", pid));
  std::string line;
  const auto bytes = [&line](const char* name) {
    return line.rfind(name, 0) == 0
               ? std::strtoull(line.c_str() + std::strlen(name), nullptr, 10) << 10U
               : 0;
  };
  memory_use use;
  while (std::getline(file, line)) {
    use.pages += bytes("Anonymous:");
    use.share += bytes("Pss_Anon:");
  }
  return use;
}

void copy_new(int from, std::size_t& shown, int to) {
  std::array<char, 65536> piece; // NOLINT: pread fills it
  for (;;) {
    const ssize_t n = pread(from, piece.data(), piece.size(), static_cast<off_t>(shown));
    if (n <= 0)
      return;
    shown += static_cast<std::size_t>(n);
    std::size_t written = 0;
    while (written < static_cast<std::size_t>(n)) {
      const ssize_t w = write(to, piece.data() + written, static_cast<std::size_t>(n) - written);
      if (w <= 0 && errno != EINTR)
        return; // nobody reads it
      written += w > 0 ? static_cast<std::size_t>(w) : 0;
    }
  }
}

std::string take_new(int from, std::size_t& shown) {
  std::string text;
  std::array<char, 65536> piece; // NOLINT: pread fills it
  for (;;) {
    const ssize_t n = pread(from, piece.data(), piece.size(), static_cast<off_t>(shown));
    if (n <= 0)
      return text;
    text.append(piece.data(), static_cast<std::size_t>(n));
    shown += static_cast<std::size_t>(n);
  }
}

} // namespace

session::session(session_options o)
    : options_(std::move(o)) {
  prctl(PR_SET_CHILD_SUBREAPER, 1); // resumed checkpoints are waited for here
  // A name of the system's own choosing that is no file: nothing is left behind, however this ends.
  listening_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  socklen_t size = sizeof(sa_family_t);
  if (listening_ < 0 || bind(listening_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      listen(listening_, 64) != 0)
    cannot("the stepper's socket");
  size = sizeof address;
  getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size);
  address_ = std::string(address.sun_path + 1, size - sizeof(sa_family_t) - 1);
  output_ = memfd_create("tilesim-output", MFD_CLOEXEC);
  errors_ = memfd_create("tilesim-errors", MFD_CLOEXEC);
  shared_ = memfd_create("tilesim-position", MFD_CLOEXEC);
  if (output_ < 0 || errors_ < 0 || shared_ < 0 ||
      ftruncate(shared_, sizeof(sim::step::shared_page)) != 0)
    cannot("files in memory for the program's output");
  void* page =
      mmap(nullptr, sizeof(sim::step::shared_page), PROT_READ | PROT_WRITE, MAP_SHARED, shared_, 0);
  if (page == MAP_FAILED)
    cannot("a page that is shared with the program");
  page_ = new (page) sim::step::shared_page;
  start();
}

session::~session() {
  kill_live();
  for (auto& [position, c] : checkpoints_)
    close(c.socket);
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  close(listening_);
  close(output_);
  close(errors_);
  munmap(page_, sizeof(sim::step::shared_page));
  close(shared_);
}

bool session::over() const {
  const std::string reason = here_.value("reason", "");
  return reason == "ended" || reason == "stopped" || reason == "interrupted" || reason == "died";
}

bool session::between_operations() const {
  const std::string reason = here_.value("reason", "");
  return reason == "died" || reason == "interrupted" || here_.contains("host");
}

void session::start() {
  const int input = open(options_.input.c_str(), O_RDONLY | O_CLOEXEC);
  if (input < 0)
    cannot(fmt::format("cannot read '{}'", options_.input));
  setenv("TILESIM_OPTIONS", sim::to_text(options_.simulator).c_str(), 1);
  setenv("TILESIM_STEP", fmt::format("{};{}", address_, shared_in_program).c_str(), 1);
  if (!options_.check.empty())
    setenv("TILESIM_STEP_CHECK", options_.check.c_str(), 1);
  // Ctrl-C at the terminal is the stepper's; it passes it on to the process that runs.
  const pid_t child = start_repeatable({.program = options_.program,
                                        .words = options_.words,
                                        .descriptors = {{input, STDIN_FILENO},
                                                        {output_, STDOUT_FILENO},
                                                        {errors_, STDERR_FILENO},
                                                        {shared_, shared_in_program}},
                                        .own_group = true});
  close(input);
  unsetenv("TILESIM_STEP");
  unsetenv("TILESIM_STEP_CHECK");
  resumed_pid_ = child;
  wait_for_stop();
}

void session::kill_live() {
  if (live_.socket < 0)
    return;
  close(live_.socket);
  kill(live_.pid, SIGKILL);
  waitpid(live_.pid, nullptr, 0);
  live_ = {};
}

void session::accept_one() {
  connection c;
  c.socket = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
  if (c.socket < 0)
    return;
  ucred who{};
  socklen_t size = sizeof who;
  if (getsockopt(c.socket, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 || who.uid != getuid()) {
    close(c.socket); // somebody else's process
    return;
  }
  c.pid = who.pid;
  if (c.pid == resumed_pid_ && live_.socket < 0) {
    // The program that was started: its first message is a stop.
    live_ = std::move(c);
    return;
  }
  const auto first = receive_line(c.socket, c.buffered);
  if (!first) {
    close(c.socket);
    return;
  }
  const std::string event = first->value("event", "");
  if (event == "checkpoint") {
    const std::uint64_t position = first->at("position");
    if (const auto old = checkpoints_.find(position); old != checkpoints_.end()) {
      close(old->second.socket);
      checkpoints_.erase(old);
    }
    checkpoints_[position] = std::move(c);
    ++taken_checkpoints_;
    if (checkpoints_.size() > most_checkpoints ||
        std::chrono::steady_clock::now() >= measure_again_)
      thin_out();
  } else if (event == "resumed") {
    live_ = std::move(c);
  } else {
    close(c.socket);
  }
}

bool session::take_connection(int timeout_ms) {
  pollfd waiting{listening_, POLLIN, 0};
  if (poll(&waiting, 1, timeout_ms) <= 0)
    return false;
  accept_one();
  return true;
}

const json& session::wait_for_stop() {
  const interrupts_caught caught;
  int passed_on = 0;
  for (;;) {
    if (live_.buffered.find('\n') == std::string::npos) {
      std::array<pollfd, 3> waiting{
          {{listening_, POLLIN, 0}, {live_.socket, POLLIN, 0}, {options_.wake_for, POLLIN, 0}}};
      const int ready = poll(waiting.data(), waiting.size(), tick_ms);
      show_output();
      if (options_.while_running)
        options_.while_running();
      if (interrupts != answered && live_.socket >= 0) {
        answered = interrupts;
        kill(live_.pid, ++passed_on < 3 ? SIGINT : SIGKILL);
      }
      if (ready <= 0) {
        // A program that ends before it has connected leaves nothing to read.
        int status = 0;
        if (live_.socket < 0 && waitpid(resumed_pid_, &status, WNOHANG) == resumed_pid_) {
          live_.pid = 0;
          stopped(
              {{"event", "stop"}, {"reason", "died"}, {"wait_status", status}, {"position", 0}});
          return here_;
        }
        continue;
      }
      if ((waiting[0].revents & POLLIN) != 0)
        accept_one();
      if (live_.socket < 0 || (waiting[1].revents & (POLLIN | POLLHUP)) == 0)
        continue;
    }
    auto message = receive_line(live_.socket, live_.buffered);
    if (!message) {
      died(passed_on != 0);
      return here_;
    }
    if (message->value("event", "") == "stop") {
      stopped(std::move(*message));
      return here_;
    }
  }
}

void session::catch_interrupts() noexcept {
  const struct sigaction caught = catching_interrupts();
  sigaction(SIGINT, &caught, nullptr);
}

void session::forget_interrupts() noexcept {
  answered = interrupts;
}

void session::interrupt() noexcept {
  interrupts = interrupts + 1;
}

void session::abandon() noexcept {
  abandoned_ = true;
  if (live_.socket >= 0)
    kill(live_.pid, SIGKILL);
}

void session::died(bool by_interrupt) {
  int status = 0;
  close(live_.socket);
  waitpid(live_.pid, &status, 0);
  live_ = {};
  // Checkpoints that it made may not have been taken yet.
  while (take_connection(0)) {
  }
  json message = {{"event", "stop"},
                  {"reason", "died"},
                  {"wait_status", status},
                  {"position", std::uint64_t{page_->position}}};
  if (by_interrupt)
    message["interrupted"] = true;
  if (WIFSIGNALED(status) && page_->crash.signal == WTERMSIG(status))
    message["crash"] = told_crash();
  page_->crash.signal = 0;
  stopped(std::move(message));
}

/// Where the signal came, in the user's source. Who sleeps has the same code at the same addresses.
json session::told_crash() {
  const sim::step::crash_note& note = page_->crash;
  json told = {{"block", std::string(note.block.data())}, {"frames", json::array()}};
  if (checkpoints_.empty())
    return told;
  connection& sleeper = checkpoints_.begin()->second;
  const auto first = note.frames.begin();
  send_line(sleeper.socket,
            {{"do", "places"}, {"addresses", std::vector(first, first + note.count)}});
  if (const auto reply = receive_line(sleeper.socket, sleeper.buffered)) {
    for (const json& frame : reply->value("frames", json::array())) {
      if (!frame.empty())
        told["frames"].push_back(frame);
    }
  }
  return told;
}

void session::stopped(json message) {
  here_ = std::move(message);
  farthest_ = std::max(farthest_, position());
  // Checkpoints that were made on the way say so on lines of their own.
  const std::uint64_t expected = here_.value("checkpoints", std::uint64_t{0});
  while (taken_checkpoints_ < expected && take_connection(tick_ms * 20)) {
  }
  taken_checkpoints_ = 0;
  journal_bytes_ = here_.value("journal_bytes", std::size_t{0});
  writers_bytes_ = here_.value("writers_bytes", std::size_t{0});
  // Another process may have gone on from an earlier place: what it shares is not the same.
  if (expected != 0 || std::exchange(went_back_, false))
    thin_out();
  show_output();
}

void session::show_output() {
  if (!options_.show_output)
    return;
  std::fflush(stdout); // in the order of what happened
  copy_new(output_, shown_output_, STDOUT_FILENO);
  copy_new(errors_, shown_errors_, STDERR_FILENO);
}

session::printed session::take_printed() {
  return {take_new(output_, shown_output_), take_new(errors_, shown_errors_)};
}

session::history session::measure_history() const {
  history h{.checkpoints = checkpoints_.size(),
            .journal_bytes = journal_bytes_,
            .writers_bytes = writers_bytes_};
  // All pages that any of them has, but for those that the program has anyway.
  std::size_t shares = 0;
  for (const auto& [position, c] : checkpoints_)
    shares += memory_of(c.pid).share;
  const memory_use program = live_.socket >= 0 ? memory_of(live_.pid) : memory_use{};
  shares += program.share;
  h.checkpoint_bytes = shares > program.pages ? shares - program.pages : 0;
  return h;
}

void session::drop(const std::vector<connection>& dropped) const {
  for (const connection& c : dropped)
    shutdown(c.socket, SHUT_WR);
  for (const connection& c : dropped) {
    // It has ended when it closes its end: what is measured next is without it.
    pollfd ending{c.socket, POLLIN, 0};
    poll(&ending, 1, tick_ms);
    close(c.socket);
  }
}

void session::thin_out() {
  const auto begun = std::chrono::steady_clock::now();
  // Every second one of the older half goes; the first stays, everything can begin again there.
  while (checkpoints_.size() > 1 && (checkpoints_.size() > most_checkpoints ||
                                     measure_history().bytes() > options_.history_bytes)) {
    const std::size_t half = std::max<std::size_t>(checkpoints_.size() / 2, 2);
    std::vector<connection> dropped;
    std::size_t index = 0;
    for (auto it = checkpoints_.begin(); it != checkpoints_.end() && index < half; ++index) {
      if (index % 2 == 1) {
        dropped.push_back(std::move(it->second));
        it = checkpoints_.erase(it);
      } else {
        ++it;
      }
    }
    drop(std::move(dropped));
  }
  // While the program runs: a tenth of the time at most.
  const auto now = std::chrono::steady_clock::now();
  measure_again_ = now + 9 * (now - begun);
}

json session::ask(const json& request) {
  if (!alive())
    throw refused("the program has ended here; go back first (reverse-step, reverse-continue)");
  send_line(live_.socket, request);
  for (;;) {
    auto message = receive_line(live_.socket, live_.buffered);
    if (!message) {
      died(false);
      throw refused("the program has ended");
    }
    if (message->value("event", "") != "reply")
      continue;
    if (message->contains("error"))
      throw refused(message->at("error").get<std::string>());
    return std::move(*message);
  }
}

void session::tell_stops(std::uint64_t from) {
  json all = stops_;
  all["do"] = "set";
  all["journal_bytes"] = options_.history_bytes / journal_part;
  all["directives"] = json::array();
  for (const json& s : switches_) {
    if (s.at("at").get<std::uint64_t>() >= from)
      all["directives"].push_back(s);
  }
  ask(all);
}

session::standing session::where() const {
  standing s{.position = position()};
  if (here_.contains("thread"))
    s.thread = here_.at("thread").at("number");
  return s;
}

const json& session::go(json how) {
  const std::string kind = how.value("how", "");
  const bool is_step = kind == "step" || kind == "next" || kind == "finish";
  // Nobody comes back before main, or into the middle of host code.
  const bool may_be_taken_back = is_step && alive() && !loaded() && !here_.contains("host");
  step_made step{.how = kind, .count = how.value("count", std::uint64_t{1}), .from = where()};
  advance(std::move(how));
  if (may_be_taken_back) {
    step.to = where();
    if (steps_.size() == most_steps)
      steps_.erase(steps_.begin(), steps_.begin() + most_steps / 2);
    steps_.push_back(std::move(step));
  }
  return here_;
}

const session::step_made* session::last_step() {
  while (!steps_.empty() && steps_.back().to.position > position())
    steps_.pop_back();
  return !steps_.empty() && steps_.back().to == where() ? &steps_.back() : nullptr;
}

bool session::take_back(const std::string& how, std::uint64_t count) {
  const step_made* const last = last_step();
  if (last == nullptr || last->how != how || last->count != count)
    return false;
  take_back_last();
  return true;
}

bool session::take_back() {
  if (last_step() == nullptr)
    return false;
  take_back_last();
  return true;
}

void session::take_back_last() {
  const standing from = steps_.back().from;
  steps_.pop_back();
  if (from.thread) {
    go_to(from.position);
    return;
  }
  // It stood behind a block's last operation, which had led to a finding, say: it comes there
  // again.
  go_to(from.position - 1);
  if (!abandoned_ && here_.value("reason", "") != "interrupt")
    advance({{"how", "step"}});
}

const json& session::advance(json how) {
  if (!alive() || over())
    throw refused("the program has ended; go back first (reverse-step), or begin again (run)");
  how["do"] = "go";
  how["newest_checkpoint"] = checkpoints_.empty() ? 0 : checkpoints_.rbegin()->first;
  tell_stops(position());
  send_line(live_.socket, how);
  return wait_for_stop();
}

std::uint64_t session::checkpoint_before(std::uint64_t position, bool strictly) const {
  auto it = strictly ? checkpoints_.lower_bound(position) : checkpoints_.upper_bound(position);
  if (it == checkpoints_.begin())
    throw refused("there is no earlier place to go back to");
  return std::prev(it)->first;
}

void session::resume(std::uint64_t checkpoint_position) {
  kill_live();
  resumed_pid_ = 0;
  send_line(checkpoints_.at(checkpoint_position).socket, {{"do", "resume"}});
  while (live_.socket < 0) {
    if (!take_connection(tick_ms * 100))
      throw failure(exit_unavailable,
                    fmt::format("the checkpoint at position {} does not answer; is there memory "
                                "left for one more process?",
                                checkpoint_position));
  }
  const auto farthest = farthest_;
  wait_for_stop(); // "resumed"
  went_back_ = true;
  farthest_ = farthest;
}

const json& session::go_to(std::uint64_t wanted) {
  if (position() == 0 && (over() || between_operations()))
    throw refused("no operation has begun before this: there is nothing to go back to; run starts "
                  "the program again");
  if (between_operations() && (over() ? wanted >= position() : wanted == position())) {
    if (wanted > position())
      throw refused(fmt::format("the program does not come to position {}: its last operation was "
                                "the {}th",
                                wanted,
                                position()));
    return here_;
  }
  const bool back = !alive() || over() || loaded() || wanted <= position();
  if (back)
    resume(checkpoint_before(wanted, false));
  advance({{"how", "position"}, {"position", wanted}});
  // What comes up between the checkpoint and here was told when it happened.
  if (back && here_.value("reason", "") == "position")
    here_.erase("findings");
  return here_;
}

std::uint64_t session::place_back(const std::string& how, std::uint64_t count) {
  json request = {{"do", "back"}, {"how", how}, {"count", count}};
  for (;;) {
    const json reply = ask(request);
    if (reply.contains("position"))
      return reply.at("position");
    // What is not remembered any more happens again.
    go_to(reply.at("forgotten"));
    if (abandoned_ || here_.value("reason", "") == "interrupt")
      throw refused("interrupted on the way back");
    request = reply.at("rest");
    request["do"] = "back";
  }
}

std::optional<std::uint64_t> session::last_wait() {
  const auto none = [this](const char* stops) {
    return !stops_.contains(stops) || stops_.at(stops).empty();
  };
  // Blocks wait now and then in any program: of interest at its end, or to whom nothing else is.
  const bool all = none("breakpoints") && none("watches");
  if (alive() && (over() || all)) {
    const json reply = ask({{"do", "waiting"}});
    for (const std::uint64_t begin : reply.at("positions")) {
      wait& known = waits_[begin];
      known.until = std::max(known.until, position());
      known.to_the_end = known.to_the_end || over();
    }
  }
  // Who waits later and began to before here waits here, too, seen or not.
  std::optional<std::uint64_t> last;
  earlier_waits_ = 0;
  for (const auto& [begin, known] : waits_) {
    if (begin >= position() || known.until < position() || !(all || known.to_the_end))
      continue;
    earlier_waits_ += last ? 1U : 0U;
    last = begin;
  }
  return last;
}

const json& session::reverse_continue() {
  const std::uint64_t now = position();
  const auto wait = last_wait();
  const std::size_t earlier = earlier_waits_;
  std::uint64_t end = now;
  // Behind the last operation nobody stands: the program is not to run on there.
  bool through = between_operations();
  if (now == 0 && (over() || through))
    go_to(0); // says what is wrong
  while (end > 0 && !checkpoints_.empty()) {
    const auto before = checkpoints_.lower_bound(end);
    if (before == checkpoints_.begin())
      break;
    const std::uint64_t from = std::prev(before)->first;
    resume(from);
    advance({{"how", "scan"}, {"position", through ? end - 1 : end}, {"through", through}});
    through = false;
    if (abandoned_ || here_.value("reason", "") == "interrupt")
      return here_;
    if (here_.contains("hit") && here_.at("hit").at("position").get<std::uint64_t>() < now &&
        here_.at("hit").at("position").get<std::uint64_t>() >= wait.value_or(0)) {
      json hit = here_.at("hit");
      go_to(hit.at("position"));
      hit.erase("position");
      here_.erase("last"); // what lies behind is not what was done last
      here_.update(hit);
      return here_;
    }
    end = wait && from <= *wait ? 0 : from;
  }
  if (wait) {
    go_to(*wait);
    here_.erase("last");
    here_["reason"] = "wait begins";
    here_["earlier_waits"] = earlier;
    return here_;
  }
  go_to(0);
  here_["reason"] = "history begins";
  return here_;
}

const json& session::restart() {
  switches_.clear();
  steps_.clear();
  waits_.clear();
  farthest_ = 0;
  if (checkpoints_.empty() || checkpoints_.begin()->first != 0)
    throw refused("the program has not come to its beginning");
  for (auto it = std::next(checkpoints_.begin()); it != checkpoints_.end();) {
    close(it->second.socket);
    it = checkpoints_.erase(it);
  }
  resume(0);
  forget_printed();
  here_["reason"] = "loaded";
  return here_;
}

const json& session::restart_with(json simulator) {
  kill_live();
  for (auto& [position, c] : checkpoints_)
    close(c.socket);
  checkpoints_.clear();
  switches_.clear();
  steps_.clear();
  waits_.clear();
  farthest_ = 0;
  forget_printed();
  options_.simulator = std::move(simulator);
  page_->position = 0;
  start();
  return here_;
}

void session::forget_printed() {
  for (const auto& [file, shown] :
       {std::pair{output_, &shown_output_}, {errors_, &shown_errors_}}) {
    if (ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0)
      *shown = 0;
  }
}

void session::set_stops(json stops) {
  const json before = std::exchange(stops_, std::move(stops));
  if (!alive())
    return;
  try {
    tell_stops(position());
  } catch (const refused&) {
    stops_ = before;
    throw;
  }
}

const json& session::switch_to(const json& block) {
  json request = block;
  request["do"] = "switch";
  const json reply = ask(request);
  const json& made = reply.at("directive");
  const std::uint64_t at = made.at("at");
  std::erase_if(steps_, [at](const step_made& s) { return s.to.position > at; });
  // Those that were made here before stay: whom they started has started.
  std::erase_if(switches_, [at](const json& s) { return s.at("at").get<std::uint64_t>() > at; });
  switches_.push_back(made);
  // What lay ahead was another run's.
  waits_.clear();
  for (auto it = checkpoints_.upper_bound(at); it != checkpoints_.end();) {
    close(it->second.socket);
    it = checkpoints_.erase(it);
  }
  farthest_ = at;
  for (const auto& [file, shown] :
       {std::pair{output_, &shown_output_}, {errors_, &shown_errors_}}) {
    const off_t now = lseek(file, 0, SEEK_CUR);
    if (now >= 0 && ftruncate(file, now) == 0)
      *shown = std::min(*shown, static_cast<std::size_t>(now));
  }
  return wait_for_stop();
}

void session::set_history_bytes(std::size_t bytes) {
  options_.history_bytes = bytes;
  if (alive())
    tell_stops(position());
  thin_out();
}

} // namespace tilesim::driver::step
