// Ways of a stepped program: on, back, elsewhere, from the beginning.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/json_lines.hpp"
#include "sim/contract/option_table.hpp"
#include "tools/cli/failure.hpp"
#include "tools/step/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unistd.h>
#include <utility>

namespace tilesim::tools::step {
namespace {

using nlohmann::json;
using namespace sim::option_literals;
using sim::step::send_line;

constexpr std::size_t most_steps = std::size_t{1} << 16; ///< that can be taken back
constexpr std::size_t journal_part = 4;                  ///< a quarter of the history's memory
constexpr int answer_ms = 5000;                          ///< a checkpoint takes to go on, at most

} // namespace

void session::tell_stops(std::uint64_t from) {
  protocol::set all = stops_;
  all.journal_bytes = options_.history_bytes / journal_part;
  std::ranges::copy_if(switches_, std::back_inserter(all.directives), [from](const auto& s) {
    return s.at >= from;
  });
  all.choices = choices_; // each names its read, whenever that is made
  ask(all);
}

session::spot session::where() const {
  spot s{.position = position(), .thread = {}};
  if (here_.thread) {
    s.thread = here_.thread->number;
  }
  return s;
}

const standing& session::go(protocol::go how) {
  const bool is_step = how.how == protocol::way::step || how.how == protocol::way::next ||
                       how.how == protocol::way::finish;
  // Nobody comes back before main, or into the middle of host code.
  const bool may_be_taken_back = is_step && alive() && !loaded() && here_.host.empty();
  step_made step{.how = how.how, .count = how.count, .from = where()};
  advance(std::move(how));
  if (may_be_taken_back) {
    step.to = where();
    if (steps_.size() == most_steps) {
      steps_.erase(steps_.begin(), steps_.begin() + most_steps / 2);
    }
    steps_.push_back(step);
  }
  return here_;
}

session::step_made* session::last_step() {
  while (!steps_.empty() && steps_.back().to.position > position()) {
    steps_.pop_back();
  }
  return !steps_.empty() && steps_.back().to == where() ? &steps_.back() : nullptr;
}

void session::cut_short(std::uint64_t asked, std::uint64_t made) {
  if (step_made* const last = last_step(); last != nullptr && made < asked) {
    last->asked = asked;
    last->made = made;
  }
}

std::uint64_t session::made_of(std::uint64_t asked) {
  const step_made* const last = last_step();
  return last != nullptr && last->asked == asked ? last->made : asked;
}

bool session::take_back(protocol::way how, std::uint64_t count) {
  const step_made* const last = last_step();
  if (last == nullptr || last->how != how || last->count != count) {
    return false;
  }
  take_back_last();
  return true;
}

bool session::take_back() {
  if (last_step() == nullptr) {
    return false;
  }
  take_back_last();
  return true;
}

void session::take_back_last() {
  const spot from = steps_.back().from;
  steps_.pop_back();
  if (from.thread) {
    go_to(from.position);
    return;
  }
  // It stood behind a block's last operation, which had led to a finding, say: it comes there
  // again.
  go_to(from.position - 1);
  if (!interrupted_on_the_way()) {
    advance({.how = protocol::way::step});
  }
}

const standing& session::advance(protocol::go how) {
  if (!alive() || over()) {
    throw refused("the program has ended; go back first (reverse-step), or begin again (run)");
  }
  how.newest_checkpoint = checkpoints_.empty() ? 0 : checkpoints_.rbegin()->first;
  tell_stops(position());
  send_line(live_.socket, protocol::encode(how));
  return wait_for_stop();
}

std::uint64_t session::checkpoint_before(std::uint64_t position, bool strictly) const {
  auto it = strictly ? checkpoints_.lower_bound(position) : checkpoints_.upper_bound(position);
  if (it == checkpoints_.begin()) {
    throw refused("there is no earlier place to go back to");
  }
  return std::prev(it)->first;
}

void session::resume(std::uint64_t checkpoint_position) {
  kill_live();
  resumed_pid_ = 0;
  send_line(checkpoints_.at(checkpoint_position).socket, protocol::encode(protocol::resume{}));
  while (live_.socket < 0) {
    if (!take_connection(answer_ms)) {
      throw failure(exit_unavailable,
                    fmt::format("the checkpoint at position {} does not answer; is there memory "
                                "left for one more process?",
                                checkpoint_position));
    }
  }
  const auto farthest = farthest_;
  wait_for_stop(); // "resumed"
  went_back_ = true;
  farthest_ = farthest;
}

const standing& session::go_to(std::uint64_t wanted) {
  if (position() == 0 && (over() || between_operations())) {
    throw refused("no operation has begun before this: there is nothing to go back to; run starts "
                  "the program again");
  }
  if (between_operations() && (over() ? wanted >= position() : wanted == position())) {
    if (wanted > position()) {
      throw refused(fmt::format("the program does not come to position {}: its last operation was "
                                "the {}th",
                                wanted,
                                position()));
    }
    return here_;
  }
  const bool back = !alive() || over() || loaded() || wanted <= position();
  if (back) {
    resume(checkpoint_before(wanted, false));
  }
  advance({.how = protocol::way::position, .position = wanted});
  // What comes up between the checkpoint and here was told when it happened.
  if (back && here_.reason == protocol::stop_reason::position) {
    here_.findings.clear();
  }
  return here_;
}

std::uint64_t session::place_back(protocol::back_by how, std::uint64_t count) {
  protocol::back request{.how = how, .count = count};
  for (;;) {
    const protocol::place_back reply = ask(request);
    if (reply.position) {
      return *reply.position;
    }
    // What is not remembered any more happens again.
    go_to(reply.forgotten);
    if (interrupted_on_the_way()) {
      throw refused("interrupted on the way back");
    }
    request = reply.rest.value();
  }
}

std::optional<std::uint64_t> session::last_wait() {
  // Blocks wait now and then in any program: of interest at its end, or to whom nothing else is.
  const bool all = stops_.breakpoints.empty() && stops_.watches.empty();
  if (alive() && (over() || all)) {
    for (const std::uint64_t begin : ask(protocol::waiting{}).positions) {
      wait& known = waits_[begin];
      known.until = std::max(known.until, position());
      known.to_the_end = known.to_the_end || over();
    }
  }
  // Who waits later and began to before here waits here, too, seen or not.
  std::optional<std::uint64_t> last;
  earlier_waits_ = 0;
  for (const auto& [begin, known] : waits_) {
    if (begin >= position() || known.until < position() || !(all || known.to_the_end)) {
      continue;
    }
    earlier_waits_ += last ? 1U : 0U;
    last = begin;
  }
  return last;
}

const standing& session::reverse_continue() {
  const std::uint64_t now = position();
  const auto wait = last_wait();
  const std::size_t earlier = earlier_waits_;
  std::uint64_t end = now;
  // Behind the last operation nobody stands: the program is not to run on there.
  bool through = between_operations();
  if (now == 0 && (over() || through)) {
    go_to(0); // says what is wrong
  }
  while (end > 0 && !checkpoints_.empty()) {
    const auto before = checkpoints_.lower_bound(end);
    if (before == checkpoints_.begin()) {
      break;
    }
    const std::uint64_t from = std::prev(before)->first;
    resume(from);
    advance({.how = protocol::way::scan, .position = through ? end - 1 : end, .through = through});
    through = false;
    if (interrupted_on_the_way()) {
      return here_;
    }
    if (here_.hit && here_.hit->position < now && here_.hit->position >= wait.value_or(0)) {
      const protocol::hit hit = std::move(*here_.hit);
      go_to(hit.position);
      here_.last.reset(); // what lies behind is not what was done last
      static_cast<protocol::reached&>(here_) = static_cast<const protocol::reached&>(hit);
      return here_;
    }
    end = wait && from <= *wait ? 0 : from;
  }
  go_to(wait.value_or(0));
  here_.reason = protocol::stop_reason::history_begins;
  if (wait) {
    here_.last.reset();
    here_.reason = protocol::stop_reason::wait_begins;
    here_.earlier_waits = earlier;
  }
  return here_;
}

/// What a run has come to is another run's.
void session::forget_run() {
  switches_.clear();
  choices_.clear();
  steps_.clear();
  waits_.clear();
  farthest_ = 0;
}

/// From this one on.
void session::forget_checkpoints(std::map<std::uint64_t, connection>::iterator first) {
  for (auto it = first; it != checkpoints_.end(); it = checkpoints_.erase(it)) {
    close(it->second.socket);
  }
}

const standing& session::restart() {
  forget_run();
  if (checkpoints_.empty() || checkpoints_.begin()->first != 0) {
    throw refused("the program has not come to its beginning");
  }
  forget_checkpoints(std::next(checkpoints_.begin()));
  resume(0);
  forget_printed();
  here_.reason = protocol::stop_reason::loaded;
  return here_;
}

const standing& session::restart_with(json simulator) {
  kill_live();
  forget_checkpoints(checkpoints_.begin());
  forget_run();
  forget_printed();
  options_.simulator = std::move(simulator);
  page_->position = 0;
  start();
  return here_;
}

void session::set_stops(protocol::set stops) {
  protocol::set before = std::exchange(stops_, std::move(stops));
  if (!alive()) {
    return;
  }
  try {
    tell_stops(position());
  } catch (const refused&) {
    stops_ = std::move(before);
    throw;
  }
}

/// What lies behind a position is another run's: something else is to be done there.
void session::forget_ahead(std::uint64_t at) {
  std::erase_if(steps_, [at](const step_made& s) { return s.to.position > at; });
  std::erase_if(switches_, [at](const auto& s) { return s.at > at; });
  std::erase_if(choices_, [at](const auto& c) { return c.at > at; });
  waits_.clear();
  forget_checkpoints(checkpoints_.upper_bound(at));
  farthest_ = at;
  for (const auto& [file, shown] :
       {std::pair{output_, &shown_output_}, {errors_, &shown_errors_}}) {
    const off_t now = lseek(file, 0, SEEK_CUR);
    if (now >= 0 && ftruncate(file, now) == 0) {
      *shown = std::min(*shown, static_cast<std::size_t>(now));
    }
  }
}

const standing& session::switch_to(const protocol::switch_to& wanted) {
  const protocol::directive made = ask(wanted).directive;
  // Switches that were made here before stay: whom they started has started. What was chosen here
  // was for the read that came then.
  forget_ahead(made.at);
  std::erase_if(choices_, [&](const auto& c) { return c.at == made.at; });
  switches_.push_back(made);
  return wait_for_stop();
}

void session::choose(const protocol::choose& wanted) {
  const auto made = ask(wanted).choices;
  forget_ahead(position());
  for (const protocol::choice& c : made) {
    std::erase_if(choices_, [&c](const protocol::choice& old) {
      return old.launch == c.launch && old.thread == c.thread && old.read == c.read;
    });
    choices_.push_back(c);
  }
}

bool session::lets_choose() const {
  return options_.simulator.contains("by_hand"_option);
}

} // namespace tilesim::tools::step
